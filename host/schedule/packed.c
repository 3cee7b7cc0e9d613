#include "schedule/packed.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "device/device.h"
#include "schedule/packed_run.h"
#include "schedule/packed_test.h"
#include "wavefront/packs.h"

/* Scores that int32 holds with room to spare, in the device's lanes and bases. */
#define SCORE_MOST (INT64_C(1) << 29)
/* Of the device's memory, for the lines of all groups. */
#define MEMORY_SHARE 4

struct packed {
  cla_device *device;
  const packed_scheme *scheme;
  packs_input input;
  score_table table;     /* the input's: of the letters that the pairs have */
  packs *engine;         /* for that; NULL: none yet */
  packed_tops_list tops; /* of the last call's pairs */
  packed_question question;
};

/* No matrix has scores that are further from 0. */
static bool scores_fit(const packed_scheme *scheme, int64_t rows, int64_t columns) {
  const cla_scoring *scoring = scheme->scoring;
  const int64_t most = scheme->table->maximum > 0 ? scheme->table->maximum : 0;
  if (rows > SCORE_MOST || columns > SCORE_MOST) return false;
  return smaller(rows, columns) * most < SCORE_MOST &&
         gap_cost(scoring, rows) + gap_cost(scoring, columns) + 4 * gap_most_first(scoring) < SCORE_MOST;
}

bool packed_takes(const cla_device_info *device, const packed_scheme *scheme, int64_t query_letters,
                  int64_t target_letters) {
  packed_config config;
  if (scheme->table->used || !packed_choose(&config, device, scheme->scoring, scheme->table)) return false;
  if (!scores_fit(scheme, query_letters, target_letters)) return false;
  const int64_t values = packed_group_values(&config, kernel_gaps_of(scheme->scoring),
                                             packed_stride(packed_whole_rows(&config, query_letters)),
                                             packed_whole_columns(&config, target_letters));
  const int64_t bytes = config.groups * values * config.value_bytes;
  return bytes <= device->max_allocation_bytes && bytes <= device->memory_bytes / MEMORY_SHARE;
}

int64_t packed_enough(const cla_device_info *device, const packed_scheme *scheme) {
  packed_config config;
  if (!packed_choose(&config, device, scheme->scoring, scheme->table)) return INT64_MAX;
  const int64_t groups = device->kind == CLA_DEVICE_CPU ? device->compute_units : config.groups;
  return groups * packed_pairs(&config);
}

cla_status packed_create(packed **out, cla_device *device, const packed_scheme *scheme, cla_error *error) {
  cla_status status = allocate_array((void **)out, 1, sizeof **out, "packed pairs", error);
  if (status != CLA_OK) return status;
  (*out)->device = device;
  (*out)->scheme = scheme;
  return CLA_OK;
}

void packed_free(packed *packer) {
  if (!packer) return;
  packs_free(packer->engine);
  packed_tops_free(&packer->tops);
  free(packer);
}

static uint32_t letters_met(const uint8_t *codes, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) met |= UINT32_C(1) << codes[i];
  return met;
}

/* What the pairs' letters say of the input: few schemes need their scores looked up then, and where all pairs
 * have one query (the same codes) and some letter is left that no target has, that is quicker. Where nothing
 * is looked up, letters are compared, and that letter would match the query's. */
static void describe_pairs(packs_input *input, score_table *table, const packed_scheme *scheme,
                           const packed_pair *pairs, int64_t count) {
  uint32_t query = 0, target = 0;
  int free_code = 0;
  bool one_query = true;
  *table = *scheme->table;
  *input = (packs_input){
      .scoring = scheme->scoring, .table = table, .ends = scheme->ends, .padding = PACKED_TARGET_NEVER};
  if (!table->needs_lookup) return;
  for (int64_t i = 0; i < count; i++) {
    const packed_pair *pair = &pairs[i], *before = &pairs[i > 0 ? i - 1 : 0];
    const bool same = pair->query == before->query && pair->query_letters == before->query_letters;
    if (i == 0 || !same) query |= letters_met(pair->query, pair->query_letters);
    target |= letters_met(pair->target, pair->target_letters);
    if (!same) one_query = false;
  }
  score_table_keep(table, query, target);
  while (free_code < CLA_MATRIX_STRIDE && target >> free_code & 1) free_code++;
  input->one_query = one_query && table->needs_lookup && free_code < CLA_MATRIX_STRIDE;
  if (input->one_query) input->padding = (uint8_t)free_code;
}

static bool same_input(const packs_input *of_a, const packs_input *of_b) {
  const score_table *a = of_a->table, *b = of_b->table;
  if (of_a->one_query != of_b->one_query || of_a->padding != of_b->padding ||
      a->needs_lookup != b->needs_lookup || a->maximum != b->maximum || a->match != b->match ||
      a->mismatch != b->mismatch)
    return false;
  for (int i = 0; a->needs_lookup && i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (a->score[i] != b->score[i]) return false;
  return true;
}

/* Makes the engine for the pairs' letters, tested. */
static cla_status open_engine(packed *p, const packed_pair *pairs, int64_t count, cla_error *error) {
  packs_input input;
  score_table table;
  describe_pairs(&input, &table, p->scheme, pairs, count);
  if (p->engine && same_input(&input, &p->input)) return CLA_OK;
  packs_free(p->engine);
  p->engine = NULL;
  p->input = input;
  p->table = table;
  p->input.table = &p->table;
  if (!packed_choose(&p->input.config, &p->device->info, p->scheme->scoring, &table))
    return error_set(error, CLA_ERROR_OPTION, "these scores are too large for packs of pairs");
  cla_status status = packs_create(&p->engine, p->device, &p->input, error);
  if (status == CLA_OK) status = packed_test(p->engine, &p->input, error);
  if (status == CLA_OK) device_save_programs(p->device);
  if (status == CLA_OK) return CLA_OK;
  packs_free(p->engine);
  p->engine = NULL;
  return status;
}

void packed_ask(packed *packer, packed_go_on go_on, void *user) {
  packer->question = (packed_question){.go_on = go_on, .user = user};
}

cla_status packed_solve(packed *packer, packed_pair *pairs, int64_t count, cla_error *error) {
  packed_tops_free(&packer->tops);
  if (count == 0) return CLA_OK;
  cla_status status = open_engine(packer, pairs, count, error);
  return status == CLA_OK ? packed_run(packer->engine, &packer->input, pairs, count, &packer->tops,
                                       &packer->question, error)
                          : status;
}
