#include "search/candidate_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/simulate.h"
#include "reference/reference.h"
#include "region/wavefront.h"
#include "seq/random_stream.h"

#define SEED 20111
#define SLICE_ROWS 64 /* maximum number of rows of the reference's matrix in memory at a time */
#define COLUMNS (2 * KERNEL_TILE_LIMIT + 333)
#define UNEVEN_ROWS 37 /* rows beyond two strips; not a multiple of lanes or of rows per lane */

/* The reference's results. */
typedef struct expectation {
  int64_t score, row, column; /* the best cell, in local mode */
  int64_t *bottom;            /* H of the last row, COLUMNS + 1 nodes; NULL: not yet computed */
} expectation;

struct candidate_check {
  const tuned_scheme *scheme;
  int64_t rows;
  uint8_t *query, *target;    /* codes of `rows` and COLUMNS letters */
  expectation expectation[2]; /* indexed by `local` */
};

cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error) {
  if (scoring)
    out->scoring = *scoring;
  else
    cla_scoring_init(&out->scoring);
  cla_status status = cla_scoring_check(&out->scoring, error);
  if (status != CLA_OK) return status;
  const cla_alphabet alphabet =
      out->scoring.matrix_size > 0 ? cla_scoring_alphabet(&out->scoring) : CLA_ALPHABET_DNA;
  if (alphabet == CLA_ALPHABET_OWN)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the matrix %s is neither for DNA nor for proteins, of which pairs are made for tuning; what is "
        "measured with BLOSUM62 holds for every matrix",
        out->scoring.matrix_name);
  out->letters = alphabet == CLA_ALPHABET_PROTEIN ? &alphabet_protein : &alphabet_dna;
  score_table_build(&out->table, &out->scoring, out->letters->letters, out->letters->unambiguous);
  return CLA_OK;
}

/* Returns the number of rows of the tallest strip of any config. */
static int64_t tallest_strip(void) {
  int64_t tallest = 0;
  for (int i = 0; i < kernel_variant_count; i++) {
    kernel_config config = {.variant = kernel_variants[i]};
    for (const int *lanes = config.variant->lanes; *lanes; lanes++) config.lanes = *lanes;
    for (const int *alpha = config.variant->alphas; *alpha; alpha++) config.alpha = *alpha;
    if (kernel_strip_rows(&config) > tallest) tallest = kernel_strip_rows(&config);
  }
  return tallest;
}

/* Writes the codes of the check's letters, which are copied from `from`. About every 50th letter, and every
 * letter after the end of `from`, is a random letter of the alphabet, which may be ambiguous. */
static void encode(uint8_t *out, int64_t count, const letter_set *letters, const char *from, int64_t length,
                   random_stream *stream) {
  const uint64_t kinds = strlen(letters->letters);
  for (int64_t i = 0; i < count; i++) {
    const bool replaced = i >= length || random_stream_below(stream, 50) == 0;
    out[i] = replaced ? (uint8_t)random_stream_below(stream, kinds) : letters->codes[(unsigned char)from[i]];
  }
}

cla_status candidate_check_create(candidate_check **out, const tuned_scheme *scheme, cla_error *error) {
  candidate_check *check = NULL;
  char *first = NULL, *second = NULL;
  int64_t first_length = 0, second_length = 0;
  random_stream stream;
  cla_simulate_options pair;
  cla_simulate_options_init(&pair);
  pair.seed = SEED;
  pair.length = COLUMNS;
  pair.protein = scheme->letters->kind == CLA_ALPHABET_PROTEIN;
  *out = NULL;
  random_stream_init(&stream, SEED, 1);
  cla_status status = ALLOCATE_ZEROS(&check, 1, "the check of kernels", error);
  if (status != CLA_OK) return status;
  check->scheme = scheme;
  check->rows = 2 * tallest_strip() + UNEVEN_ROWS;
  status = ALLOCATE_ARRAY(&check->query, check->rows, "the check's query", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&check->target, COLUMNS, "the check's target", error);
  if (status == CLA_OK) status = cla_simulate(&first, &first_length, &second, &second_length, &pair, error);
  if (status == CLA_OK) {
    encode(check->query, check->rows, scheme->letters, first, first_length, &stream);
    encode(check->target, COLUMNS, scheme->letters, second, second_length, &stream);
    *out = check;
    check = NULL;
  }
  free(first);
  free(second);
  candidate_check_free(check);
  return status;
}

void candidate_check_free(candidate_check *check) {
  if (!check) return;
  free(check->query);
  free(check->target);
  free(check->expectation[0].bottom);
  free(check->expectation[1].bottom);
  free(check);
}

/* Updates the best cell from a slice. Cells are visited by rows and then by columns, so that the first of
 * equal cells, which is kept, is the canonical one. */
static void take_best(expectation *want, const reference_matrix *slice, int64_t first_row) {
  for (int64_t i = 1; i <= slice->rows; i++)
    for (int64_t j = 1; j <= slice->columns; j++) {
      const int64_t h = reference_at(slice, slice->h, i, j);
      if (h <= want->score) continue;
      want->score = h;
      want->row = first_row + i;
      want->column = j;
    }
}

/* Computes the reference's results slice by slice, because whole matrices would take hundreds of megabytes.
 */
static cla_status make_expectation(candidate_check *check, bool local, cla_error *error) {
  const size_t line = (COLUMNS + 1) * sizeof(int64_t);
  expectation want = {0};
  reference_borders borders = {0};
  const cla_scoring *scoring = &check->scheme->scoring;
  const int pieces = gap_pieces(scoring);
  row_values top = {0};
  cla_status status =
      reference_borders_make(&borders, check->rows, COLUMNS, scoring,
                             path_ends_make(local ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, 0), error);
  if (status == CLA_OK) status = row_values_make(&top, COLUMNS + 1, scoring, "the reference", error);
  if (status != CLA_OK) goto done;
  memcpy(top.h, borders.top_h, line);
  for (int k = 0; k < pieces; k++) memcpy(top.f[k], borders.top_f[k], line);
  for (int64_t row = 0; status == CLA_OK && row < check->rows; row += SLICE_ROWS) {
    const int64_t rows = check->rows - row < SLICE_ROWS ? check->rows - row : SLICE_ROWS;
    reference_borders around = {.top_h = top.h, .left_h = borders.left_h + row};
    for (int k = 0; k < pieces; k++) {
      around.top_f[k] = top.f[k];
      around.left_e[k] = borders.left_e[k] + row;
    }
    reference_matrix slice = {0};
    status = reference_fill(&slice,
                            &(pair_problem){check->query + row,
                                            check->target,
                                            rows,
                                            COLUMNS,
                                            {scoring, &check->scheme->table, {.floor = local}}},
                            &around, error);
    if (status == CLA_OK) {
      if (local) take_best(&want, &slice, row);
      memcpy(top.h, slice.h + rows * (COLUMNS + 1), line);
      for (int k = 0; k < pieces; k++) memcpy(top.f[k], slice.f[k] + rows * (COLUMNS + 1), line);
    }
    reference_matrix_free(&slice);
  }
  if (status == CLA_OK) {
    want.bottom = top.h; /* `h` is the start of the memory of all lines */
    top = (row_values){0};
    check->expectation[local] = want;
  }

done:
  reference_borders_free(&borders);
  row_values_free(&top);
  return status;
}

static cla_status compare(const expectation *want, const region_result *got, const int64_t *bottom,
                          bool local, cla_error *error) {
  if (local &&
      (got->best_score != want->score || got->best_row != want->row || got->best_column != want->column))
    return error_set(error, CLA_ERROR_VERIFICATION,
                     "the best cell is %lld at (%lld, %lld) instead of %lld at (%lld, %lld)",
                     (long long)got->best_score, (long long)got->best_row, (long long)got->best_column,
                     (long long)want->score, (long long)want->row, (long long)want->column);
  for (int64_t j = 0; j <= COLUMNS; j++)
    if (bottom[j] != want->bottom[j])
      return error_set(error, CLA_ERROR_VERIFICATION, "the last row has %lld instead of %lld in column %lld",
                       (long long)bottom[j], (long long)want->bottom[j], (long long)j);
  return CLA_OK;
}

cla_status candidate_check_run(candidate_check *check, cla_device *device, const kernel_config *config,
                               bool local, cla_error *error) {
  const border_rule zero = {0}, border = local ? zero : border_of_gap(&check->scheme->scoring, 0);
  const pair_problem problem = {
      .query = check->query,
      .target = check->target,
      .rows = check->rows,
      .columns = COLUMNS,
      .scheme = {.scoring = &check->scheme->scoring, .table = &check->scheme->table}};
  wavefront *engine = NULL;
  region_result got;
  int64_t *bottom = NULL;
  cla_status status = check->expectation[local].bottom ? CLA_OK : make_expectation(check, local, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&bottom, COLUMNS + 1, "the last row", error);
  const region whole = {.rows = check->rows,
                        .columns = COLUMNS,
                        .floor = local,
                        .best = local ? BEST_ANYWHERE : BEST_NONE,
                        .depths = 1,
                        .left = border,
                        .top = border,
                        .bottom = bottom};
  if (status == CLA_OK) status = wavefront_create(&engine, device, &problem, 0, error);
  if (status == CLA_OK) status = wavefront_solve(&got, engine, &whole, config, error);
  if (status == CLA_OK) status = compare(&check->expectation[local], &got, bottom, local, error);
  wavefront_free(engine);
  free(bottom);
  return status;
}
