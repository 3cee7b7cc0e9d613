#include "packs/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "kernels/kernel.h"
#include "packs/pack_internal.h"
#include "region/wavefront.h"

#define LANES 32
/* Searches take no longer sequences. */
#define LETTERS_MOST 4096
/* Number of targets in the self-test, and largest number of letters of each. */
#define TESTED_TARGETS 40
#define TESTED_LETTERS 150
#define SEPARATOR 32 /* the letter behind each target */
/* Largest score. The kernel's 16-bit halves hold slightly more. */
#define SCORE_MOST 31000
/* Warps per compute unit: enough that some compute while others wait. */
#define WARPS_PER_UNIT 16
/* Parts per warp, so that all warps end at about the same time. */
#define PARTS_PER_WARP 3
/* Minimum number of letters of each half of a part, summed over all strips. Starting a part takes time, so
 * parts must not be short. */
#define PART_LETTERS_LEAST 2048
#define PART_LETTERS_MOST 32768
/* Letters copied to the device at once. */
#define COPIED_LETTERS (INT64_C(4) << 20)
/* Columns of the bus that the kernel accesses behind a part's end. */
#define BUS_MARGIN 128

/* Rows per lane, ascending; each needs its own build. */
static const int alphas[] = {4, 8, 10, 12, 14, 16, 20};
#define ALPHAS (int)(sizeof alphas / sizeof *alphas)

/* The kernel's arguments. */
enum { SETTINGS, LAUNCH, SCORES, PARTS, QUERIES, TARGETS, BUS, FOUND, TICKET, BUFFERS };
static const pack_buffer_kind kinds[BUFFERS] = {[SETTINGS] = {POISON_LONGS, "the search's parameters"},
                                                [LAUNCH] = {POISON_LONGS, "the search's parameters"},
                                                [SCORES] = {POISON_INTS, "the score table"},
                                                [PARTS] = {POISON_LONGS, "the search's parts"},
                                                [QUERIES] = {POISON_LETTERS, "the queries' letters"},
                                                [TARGETS] = {POISON_LETTERS, "the targets' letters"},
                                                [BUS] = {POISON_LINES, "the bus between strips"},
                                                [FOUND] = {POISON_LINES, "the pairs' scores"},
                                                [TICKET] = {POISON_INTS, "the parts' ticket"}};

/* search16.cl has the same struct. */
typedef struct stream_part {
  int64_t query_at, strips;
  int64_t at[2], end[2];
  int64_t found_at[2];
} stream_part;

/* The kernel's geometry for a query. */
typedef struct stream_shape {
  int alpha;      /* an index of `alphas` */
  int64_t strips; /* number of strips; with several, the build has a bus */
} stream_shape;

struct stream_engine {
  path_scheme scheme;
  pack_buffers buffers;
  const uint8_t *kept; /* codes of the targets on the device; NULL: no targets are on the device */
  int64_t kept_number; /* number of the buffer with these codes */
  stream_part *parts;
  int64_t part_room;
  uint8_t *queries;
  int64_t query_room;
  uint16_t *found;
  int64_t found_room;
  bool tested[ALPHAS][2]; /* by index of alpha, and by whether a query has several strips */
};

/* A launch that is being prepared. */
typedef struct stream_call {
  stream_engine *engine;
  const stream_targets *targets;
  const stream_row *rows;
  int64_t count;
  stream_shape shape;
  int64_t parts, pairs, query_letters;
  int64_t part_letters, longest; /* wanted letters of a part's half; letters of the longest half */
} stream_call;

static bool takes(const cla_device_info *device, const path_scheme *scheme) {
  char reason[160];
  return device->kind == CLA_DEVICE_GPU && device->packed_pairs && scheme->ends.floor &&
         scheme->ends.anywhere && kernel_gaps_of(scheme->scoring) != KERNEL_GAPS_TWO_PIECES &&
         kernel_takes_scheme(&kernel_nvidia16m, scheme->scoring, scheme->table, reason, sizeof reason);
}

int64_t stream_letters_most(const cla_device_info *device, const path_scheme *scheme) {
  return takes(device, scheme) ? smaller(SCORE_MOST / larger(scheme->table->maximum, 1), LETTERS_MOST) : 0;
}

static stream_shape shape_of(int64_t query_letters) {
  const int64_t most = (int64_t)LANES * alphas[ALPHAS - 1];
  stream_shape out = {.strips = larger((query_letters + most - 1) / most, 1)};
  const int64_t of_lanes = out.strips * LANES, wanted = (query_letters + of_lanes - 1) / of_lanes;
  int i = 0;
  while (alphas[i] < wanted) i++;
  out.alpha = i;
  return out;
}

cla_status stream_create(stream_engine **out, cla_device *device, const path_scheme *scheme,
                         cla_error *error) {
  stream_engine *engine = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&engine, 1, "a search", error);
  if (status != CLA_OK) return status;
  engine->scheme = *scheme;
  pack_buffers_begin(&engine->buffers, device, kinds, BUFFERS, SCORES);
  status = pack_buffers_load_scores(&engine->buffers, scheme, -1, error);
  if (status == CLA_OK)
    *out = engine;
  else
    stream_free(engine);
  return status;
}

void stream_free(stream_engine *engine) {
  if (!engine) return;
  pack_buffers_free(&engine->buffers);
  free(engine->parts);
  free(engine->queries);
  free(engine->found);
  free(engine);
}

void stream_limit(stream_engine *engine, int64_t device_bytes) {
  pack_buffers_limit(&engine->buffers, device_bytes);
}

/* Returns the place of a target's first letter in the stream. */
static int64_t place_of(const stream_targets *targets, int64_t target) {
  return targets->offsets[target] + target;
}

/* Copies targets from `target` on, each with its separator, as many as fit into `room` letters. Returns the
 * first target that was not copied. */
static int64_t copy_targets(uint8_t *copied, int64_t room, const stream_targets *targets, int64_t target) {
  const int64_t begin = place_of(targets, target);
  for (; target < targets->count && place_of(targets, target + 1) - begin <= room; target++) {
    uint8_t *at = copied + (place_of(targets, target) - begin);
    const int64_t letters = targets->offsets[target + 1] - targets->offsets[target];
    memcpy(at, targets->codes + targets->offsets[target], (size_t)letters);
    at[letters] = SEPARATOR;
  }
  return target;
}

static int64_t longest_of(const stream_targets *targets) {
  int64_t out = 0;
  for (int64_t i = 0; i < targets->count; i++)
    out = larger(out, targets->offsets[i + 1] - targets->offsets[i]);
  return out;
}

/* Writes all targets to the device. */
static cla_status write_targets(stream_engine *engine, const stream_targets *targets, cla_error *error) {
  const int64_t room = larger(COPIED_LETTERS, longest_of(targets) + 1);
  uint8_t *copied = NULL;
  cla_status status = ALLOCATE_ARRAY(&copied, room, "targets of a search", error);
  for (int64_t target = 0, next; target < targets->count && status == CLA_OK; target = next) {
    next = copy_targets(copied, room, targets, target);
    const int64_t at = place_of(targets, target);
    status =
        pack_buffers_write_at(&engine->buffers, TARGETS, at, copied, place_of(targets, next) - at, error);
  }
  free(copied);
  return status;
}

static int64_t groups_of(const stream_call *call) {
  return smaller((int64_t)call->engine->buffers.device->info.compute_units * WARPS_PER_UNIT, call->parts);
}

static int64_t bus_stride(const stream_call *call) {
  return call->longest + BUS_MARGIN;
}

static void set_needs(int64_t needed[BUFFERS], const stream_call *call) {
  needed[SETTINGS] = (int64_t)sizeof(region_params);
  needed[LAUNCH] = 2 * (int64_t)sizeof(int64_t);
  needed[SCORES] = 0;
  needed[PARTS] = larger(call->parts, 1) * (int64_t)sizeof(stream_part);
  needed[QUERIES] = larger(call->query_letters, 1);
  needed[TARGETS] = larger(place_of(call->targets, call->targets->count), 1);
  needed[BUS] =
      call->shape.strips > 1 ? groups_of(call) * 2 * bus_stride(call) * (int64_t)sizeof(uint32_t) : 1;
  needed[FOUND] = larger(call->pairs, 1) * (int64_t)sizeof(uint16_t);
  needed[TICKET] = (int64_t)sizeof(cl_int);
}

/* Makes the buffers for a launch. The targets' buffer keeps its content if it is large enough. */
static cla_status meet(const stream_call *call, cla_error *error) {
  int64_t needed[BUFFERS];
  pack_buffers *buffers = &call->engine->buffers;
  set_needs(needed, call);
  buffers->list[TARGETS].kept = true;
  cla_status status = pack_buffers_meet(buffers, needed, error);
  buffers->list[TARGETS].kept = false;
  return status;
}

static cla_status keep(const stream_call *call, cla_error *error) {
  stream_engine *engine = call->engine;
  const pack_buffer *targets = &engine->buffers.list[TARGETS];
  cla_status status = meet(call, error);
  if (status != CLA_OK || (engine->kept == call->targets->codes && engine->kept_number == targets->number))
    return status;
  engine->kept = NULL;
  status = write_targets(engine, call->targets, error);
  if (status != CLA_OK) return status;
  engine->kept = call->targets->codes;
  engine->kept_number = targets->number;
  return CLA_OK;
}

struct stream_loan {
  pack_buffer targets;
  const uint8_t *kept;
};

cla_status stream_lend(stream_loan **out, const stream_engine *engine, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a search", error);
  if (status != CLA_OK) return status;
  (*out)->targets = engine->buffers.list[TARGETS];
  (*out)->kept = engine->kept;
  clRetainMemObject((*out)->targets.memory);
  return CLA_OK;
}

void stream_loan_free(stream_loan *loan) {
  if (loan) clReleaseMemObject(loan->targets.memory);
  free(loan);
}

void stream_borrow(stream_engine *engine, const stream_loan *loan) {
  pack_buffer *targets = &engine->buffers.list[TARGETS];
  if (targets->memory) clReleaseMemObject(targets->memory);
  *targets = loan->targets;
  targets->number = engine->kept_number = ++engine->buffers.made;
  engine->kept = loan->kept;
  clRetainMemObject(targets->memory);
}

static bool is_of_shape(const stream_call *call, const stream_row *row) {
  const stream_shape shape = shape_of(row->query_letters);
  return shape.alpha == call->shape.alpha && (shape.strips > 1) == (call->shape.strips > 1);
}

/* Returns the first of the targets first + 1 to past - 1 whose place in the stream is at least `letters`
 * letters behind that of `first`; `past`: none. */
static int64_t target_behind(const stream_targets *targets, int64_t first, int64_t past, int64_t letters) {
  const int64_t place = place_of(targets, first) + letters;
  int64_t low = first + 1, high = past;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (place_of(targets, middle) < place)
      low = middle + 1;
    else
      high = middle;
  }
  return smaller(low, past);
}

/* True if the previous row has the same query. */
static bool is_again(const stream_call *call, int64_t i) {
  const stream_row *row = &call->rows[i];
  return i > 0 && row->query == row[-1].query && row->query_letters == row[-1].query_letters;
}

static cla_status add_query(stream_call *call, const stream_row *row, cla_error *error) {
  stream_engine *engine = call->engine;
  const int64_t at = call->query_letters, strip_rows = (int64_t)LANES * alphas[call->shape.alpha],
                letters = shape_of(row->query_letters).strips * strip_rows;
  cla_status status =
      ALLOCATE_GROW(&engine->queries, &engine->query_room, at + letters, "queries of a search", error);
  if (status != CLA_OK) return status;
  memcpy(engine->queries + at, row->query, (size_t)row->query_letters);
  memset(engine->queries + at + row->query_letters, PACK_QUERY_NEVER, (size_t)(letters - row->query_letters));
  call->query_letters += letters;
  return CLA_OK;
}

/* Sets one of a part's two ranges of targets, which begins with `first`. Returns the target behind the range.
 */
static int64_t add_half(stream_call *call, stream_part *part, int half, const stream_row *row,
                        int64_t first) {
  const int64_t past =
      first < row->past ? target_behind(call->targets, first, row->past, call->part_letters) : first;
  part->at[half] = place_of(call->targets, first);
  part->end[half] = place_of(call->targets, past);
  part->found_at[half] = call->pairs + (first - row->first);
  call->longest = larger(call->longest, part->end[half] - part->at[half]);
  return past;
}

/* Adds the row's parts. The row's query must be the last query added. */
static cla_status add_row(stream_call *call, const stream_row *row, cla_error *error) {
  stream_engine *engine = call->engine;
  const int64_t strips = shape_of(row->query_letters).strips;
  const int64_t query_at = call->query_letters - strips * LANES * alphas[call->shape.alpha];
  for (int64_t target = row->first; target < row->past;) {
    cla_status status =
        ALLOCATE_GROW(&engine->parts, &engine->part_room, call->parts + 1, "parts of a search", error);
    if (status != CLA_OK) return status;
    stream_part *part = &engine->parts[call->parts++];
    *part = (stream_part){.query_at = query_at, .strips = strips};
    target = add_half(call, part, 0, row, target);
    target = add_half(call, part, 1, row, target);
  }
  call->pairs += row->past - row->first;
  return CLA_OK;
}

/* Returns the letters per half of a part at which each warp gets PARTS_PER_WARP parts. */
static int64_t part_letters(const stream_call *call) {
  const int64_t warps = (int64_t)call->engine->buffers.device->info.compute_units * WARPS_PER_UNIT;
  int64_t letters = 0, strips = 1;
  for (int64_t i = 0; i < call->count; i++) {
    if (!is_of_shape(call, &call->rows[i])) continue;
    strips = larger(strips, shape_of(call->rows[i].query_letters).strips);
    letters += place_of(call->targets, call->rows[i].past) - place_of(call->targets, call->rows[i].first);
  }
  return larger(smaller(letters / (2 * PARTS_PER_WARP * warps), PART_LETTERS_MOST),
                larger(PART_LETTERS_LEAST / strips, 1));
}

/* Adds the queries and parts of all rows of the call's shape. */
static cla_status make_parts(stream_call *call, cla_error *error) {
  cla_status status = CLA_OK;
  call->part_letters = part_letters(call);
  for (int64_t i = 0; i < call->count && status == CLA_OK; i++) {
    if (!is_of_shape(call, &call->rows[i])) continue;
    if (call->parts == 0 || !is_again(call, i)) status = add_query(call, &call->rows[i], error);
    if (status == CLA_OK) status = add_row(call, &call->rows[i], error);
  }
  return status;
}

static cla_status write_launch(const stream_call *call, cla_error *error) {
  stream_engine *engine = call->engine;
  pack_buffers *buffers = &engine->buffers;
  const border_rule none = {0};
  region_params params = region_params_make(&engine->scheme, &none, &none);
  const int64_t launch[] = {call->parts, bus_stride(call)};
  const cl_int zero = 0;
  params.rows = INT64_MAX; /* the query's letters show where the query ends */
  params.query_step = params.target_step = 1;
  cla_status status = pack_buffers_write(buffers, SETTINGS, &params, sizeof params, error);
  if (status == CLA_OK) status = pack_buffers_write(buffers, LAUNCH, launch, sizeof launch, error);
  if (status == CLA_OK)
    status = pack_buffers_write(buffers, PARTS, engine->parts, call->parts * (int64_t)sizeof *engine->parts,
                                error);
  if (status == CLA_OK)
    status = pack_buffers_write(buffers, QUERIES, engine->queries, call->query_letters, error);
  return status == CLA_OK ? pack_buffers_write(buffers, TICKET, &zero, sizeof zero, error) : status;
}

static cla_status build(cl_kernel *out, const stream_call *call, cla_error *error) {
  char options[256];
  cla_device *device = call->engine->buffers.device;
  const kernel_config config = {
      .variant = &kernel_nvidia16m, .lanes = LANES, .alpha = alphas[call->shape.alpha]};
  const kernel_build kind = {.local = true,
                             .best = path_ends_best(&call->engine->scheme.ends),
                             .matrix = call->engine->scheme.table->needs_lookup,
                             .pairs = true,
                             .gaps = KERNEL_GAPS_AFFINE,
                             .scoring = call->engine->scheme.scoring};
  kernel_options(options, sizeof options, &config, &device->info, kind);
  strncat(options, call->shape.strips > 1 ? " -DSTRIPS=1" : " -DSTRIPS=0",
          sizeof options - strlen(options) - 1);
  return pack_kernel_build(out, device, "search16", options, error);
}

static cla_status take_scores(const stream_call *call, cla_error *error) {
  stream_engine *engine = call->engine;
  cla_status status = pack_buffers_read(&engine->buffers, FOUND, engine->found,
                                        call->pairs * (int64_t)sizeof *engine->found, error);
  const uint16_t *found = engine->found;
  for (int64_t i = 0; i < call->count && status == CLA_OK; i++) {
    const stream_row *row = &call->rows[i];
    if (!is_of_shape(call, row)) continue;
    for (int64_t k = 0; k < row->past - row->first; k++) row->score[k] = *found++;
  }
  return status;
}

/* Computes the scores of the rows that have the shape. */
static cla_status search(stream_engine *engine, const stream_rows *of, stream_shape shape, cla_error *error) {
  stream_call call = {
      .engine = engine, .targets = of->targets, .rows = of->rows, .count = of->count, .shape = shape};
  cl_kernel kernel = NULL;
  cla_status status = make_parts(&call, error);
  if (status != CLA_OK) return status;
  status = ALLOCATE_GROW(&engine->found, &engine->found_room, call.pairs, "scores of a search", error);
  if (status == CLA_OK) status = build(&kernel, &call, error);
  if (status == CLA_OK) status = keep(&call, error);
  if (status == CLA_OK) status = write_launch(&call, error);
  if (status == CLA_OK)
    status = pack_buffers_launch(&engine->buffers, kernel, groups_of(&call), LANES, error);
  if (status == CLA_OK) status = take_scores(&call, error);
  if (kernel) clReleaseKernel(kernel);
  return status;
}

typedef struct stream_tested {
  stream_engine *engine;
  stream_shape shape;
} stream_tested;

/* Solves a test's pairs, which all have the same query. */
static cla_status solve_tested(void *user, pack_pair *pairs, int64_t count, cla_error *error) {
  const stream_tested *tested = user;
  uint8_t codes[TESTED_TARGETS * TESTED_LETTERS];
  int64_t offsets[TESTED_TARGETS + 1] = {0};
  int32_t score[TESTED_TARGETS];
  for (int64_t i = 0; i < count; i++) {
    memcpy(codes + offsets[i], pairs[i].target, (size_t)pairs[i].target_letters);
    offsets[i + 1] = offsets[i] + pairs[i].target_letters;
  }
  const stream_targets targets = {.codes = codes, .offsets = offsets, .count = count};
  const stream_row row = {pairs[0].query, pairs[0].query_letters, 0, count, score};
  cla_status status = search(tested->engine, &(stream_rows){&targets, &row, 1}, tested->shape, error);
  tested->engine->kept = NULL;
  for (int64_t i = 0; i < count && status == CLA_OK; i++) pairs[i].score = score[i];
  return status;
}

/* Tests the kernel of a shape. If the shape has several strips, the test's queries have two. */
static cla_status test(stream_engine *engine, stream_shape shape, cla_error *error) {
  stream_tested user = {.engine = engine, .shape = shape};
  user.shape.strips = smaller(shape.strips, 2);
  const pack_tested tested = {.kernel = "search16",
                              .scheme = engine->scheme,
                              .one_query = true,
                              .score_alone = true,
                              .padding = UINT8_MAX,
                              .rows = user.shape.strips * LANES * alphas[shape.alpha],
                              .columns = TESTED_LETTERS,
                              .pairs = TESTED_TARGETS,
                              .solve = solve_tested,
                              .user = &user};
  const pack_geometry geometry = {.alpha = alphas[shape.alpha], .segment = user.shape.strips};
  bool *is_tested = &engine->tested[shape.alpha][shape.strips > 1];
  cla_status status = *is_tested ? CLA_OK : pack_test_once(engine->buffers.device, &tested, &geometry, error);
  *is_tested |= status == CLA_OK;
  return status;
}

/* Tests the kernels of all rows' shapes, and marks these shapes in has_shape: by index of alpha, and by
 * whether the query has several strips. */
static cla_status test_all(bool has_shape[ALPHAS][2], stream_engine *engine, const stream_rows *of,
                           cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < of->count && status == CLA_OK; i++) {
    const stream_shape shape = shape_of(of->rows[i].query_letters);
    has_shape[shape.alpha][shape.strips > 1] = true;
    status = test(engine, shape, error);
  }
  return status;
}

cla_status stream_prepare(stream_engine *engine, const stream_rows *of, cla_error *error) {
  bool has_shape[ALPHAS][2] = {{false}};
  cla_status status = test_all(has_shape, engine, of, error);
  return status == CLA_OK ? keep(&(stream_call){.engine = engine, .targets = of->targets}, error) : status;
}

cla_status stream_search(stream_engine *engine, const stream_rows *of, cla_error *error) {
  bool has_shape[ALPHAS][2] = {{false}};
  cla_status status = test_all(has_shape, engine, of, error);
  for (int alpha = 0; alpha < ALPHAS; alpha++)
    for (int several = 0; several <= 1 && status == CLA_OK; several++)
      if (has_shape[alpha][several]) status = search(engine, of, (stream_shape){alpha, 1 + several}, error);
  return status;
}
