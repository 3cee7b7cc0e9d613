/* Measures many short pairs, one long pair, and parasail's best function on one thread.
 *
 *   cmake --build build --target short_pairs && build/tests/short_pairs [DEVICE [MODE [MATRIX]]]
 *
 * For each length there are unrelated and related pairs (a tenth of the letters is drawn anew). Times are
 * the least of three runs for score and end: elapsed time, and for packs also processor time on all cores.
 * Paths are found for related pairs, on one thread. With one query, all pairs have the query of the first
 * pair. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_PARASAIL
#include <parasail.h>
#endif

#include "base/machine.h"
#include "clalign/align.h"
#include "device/device_use.h"
#include "dp/pair_solver.h"
#include "packs/packs.h"
#include "scoring/score_table.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"

#define RUNS 3
#define CELLS 2e9       /* number of cells of all pairs of a run */
#define PAIRS_LEAST 128 /* least number of pairs of a run, which fills packs */
#define CELLS_PEER 2e8
#define PATHS 200
#define LONGEST 10000

static const int64_t lengths[] = {100, 250, 1000, 3000, LONGEST, 0};
static const char protein_letters[] = "ARNDCQEGHILKMFPSTWYV";

typedef struct speed {
  cla_device *device;
  cla_scoring scoring;
  score_table table;
  path_scheme scheme;
  cla_mode mode;
  int codes;
} speed;

static void fail(const cla_error *error) {
  fprintf(stderr, "short_pairs: %s\n", error->message);
  exit(1);
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Makes `count` pairs in one piece of memory, which is returned. */
static uint8_t *make_pairs(pack_pair *pairs, int64_t count, int64_t length, bool related, const speed *s) {
  random_stream stream;
  uint8_t *letters = malloc((size_t)(2 * count * length));
  if (!letters) exit(1);
  random_stream_init(&stream, 7, 0);
  random_stream_codes(&stream, letters, 2 * count * length, s->codes);
  for (int64_t i = 0; i < count; i++) {
    uint8_t *query = letters + 2 * i * length, *target = query + length;
    for (int64_t k = 0; related && k < length; k++)
      if (random_stream_below(&stream, 10) > 0) target[k] = query[k];
    pairs[i] =
        (pack_pair){.query = query, .target = target, .query_letters = length, .target_letters = length};
  }
  return letters;
}

/* Returns the GCUPS of the fastest run; *of_core gets the GCUPS per core. */
static double solve(double *of_core, pack_solver *solver, pack_pair *pairs, int64_t count, double cells) {
  double best = 0;
  *of_core = 0;
  for (int run = 0; run < RUNS; run++) {
    cla_error error = {0};
    const double began = machine_seconds(), processor_began = processor_seconds();
    if (pack_solve(solver, pairs, count, NULL, &error) != CLA_OK) fail(&error);
    const double rate = 1e-9 * cells / (machine_seconds() - began);
    const double rate_of_core = 1e-9 * cells / (processor_seconds() - processor_began);
    if (rate > best) best = rate;
    if (rate_of_core > *of_core) *of_core = rate_of_core;
  }
  return best;
}

/* Returns the microseconds per path. */
static double trace(const pack_pair *pairs, int64_t count, const speed *s) {
  static const uint32_t matches[32] = {1, 2, 4, 8};
  static const uint8_t *query[PATHS], *target[PATHS];
  static int32_t numbers[7][PATHS];
  static int64_t score[PATHS], runs[PATHS];
  static bool solved[PATHS];
  const solver_pairs all = {.query = query,
                            .target = target,
                            .rows = numbers[0],
                            .columns = numbers[1],
                            .count = count < PATHS ? count : PATHS,
                            .paths = true,
                            .score = score,
                            .end_row = numbers[2],
                            .end_column = numbers[3],
                            .start_row = numbers[4],
                            .start_column = numbers[5],
                            .runs = runs,
                            .run_count = numbers[6],
                            .solved = solved};
  cla_error error = {0};
  pair_solver *solver = NULL;
  for (int64_t i = 0; i < all.count; i++) {
    query[i] = pairs[i].query;
    target[i] = pairs[i].target;
    numbers[0][i] = (int32_t)pairs[i].query_letters;
    numbers[1][i] = (int32_t)pairs[i].target_letters;
    score[i] = pairs[i].score;
    numbers[2][i] = (int32_t)pairs[i].end_query;
    numbers[3][i] = (int32_t)pairs[i].end_target;
  }
  const double began = processor_seconds();
  cla_status status = pair_solver_create(&solver, &s->scheme, matches, INT64_C(1) << 26, &error);
  if (status == CLA_OK) status = pair_solver_trace(solver, &all, &error);
  if (status != CLA_OK) fail(&error);
  pair_solver_free(solver);
  return 1e6 * (processor_seconds() - began) / (double)all.count;
}

#ifdef HAVE_PARASAIL
static const char *const families[] = {"striped", "scan", "diag"};
static const char *const widths[] = {"8", "16", "sat"};

/* Returns the GCUPS of one function on the pairs, or 0 if some score saturates. */
static double peer_rate(parasail_function_t *call, const pack_pair *pairs, int64_t count, const speed *s,
                        const parasail_matrix_t *matrix) {
  static char text[2][LONGEST];
  double seconds = 0, cells = 0;
  const char *letters = s->codes == 4 ? SEQUENCE_LETTERS : protein_letters;
  for (int64_t i = 0; i < count && cells < CELLS_PEER; i++) {
    const int64_t length = pairs[i].query_letters;
    for (int64_t k = 0; k < length; k++) {
      text[0][k] = letters[pairs[i].query[k] % s->codes];
      text[1][k] = letters[pairs[i].target[k] % s->codes];
    }
    const double began = processor_seconds();
    parasail_result_t *result =
        call(text[0], (int)length, text[1], (int)length, s->scoring.gap_first, s->scoring.gap_ext, matrix);
    seconds += processor_seconds() - began;
    cells += (double)length * (double)length;
    const bool saturated = parasail_result_is_saturated(result) != 0;
    parasail_result_free(result);
    if (saturated) return 0;
  }
  return 1e-9 * cells / seconds;
}

static double peer_best(char name[64], const pack_pair *pairs, int64_t count, const speed *s) {
  double best = 0;
  char lower[CLA_MATRIX_NAME_SIZE] = "";
  for (int i = 0; s->scoring.matrix_name[i]; i++) lower[i] = (char)tolower(s->scoring.matrix_name[i]);
  const parasail_matrix_t *matrix =
      s->scoring.matrix_size > 0 ? parasail_matrix_lookup(lower)
                                 : parasail_matrix_create("ACGT", s->scoring.match, s->scoring.mismatch);
  const char *kind = s->mode == CLA_MODE_LOCAL ? "sw" : s->mode == CLA_MODE_GLOBAL ? "nw" : NULL;
  snprintf(name, 64, "-");
  for (int i = 0; kind && matrix && i < 9; i++) {
    char tried[64];
    snprintf(tried, sizeof tried, "parasail_%s_%s_avx2_256_%s", kind, families[i / 3], widths[i % 3]);
    parasail_function_t *call = parasail_lookup_function(tried);
    const double rate = call ? peer_rate(call, pairs, count, s, matrix) : 0;
    if (rate <= best) continue;
    best = rate;
    snprintf(name, 64, "%s_%s", families[i / 3], widths[i % 3]);
  }
  return best;
}
#else
static double peer_best(char name[64], const pack_pair *pairs, int64_t count, const speed *s) {
  snprintf(name, 64, "none");
  return 0;
}
#endif

static void measure(pack_solver *solver, int64_t length, bool related, bool one_query, const speed *s) {
  const double cells_of_pair = (double)length * (double)length;
  int64_t count = (int64_t)(CELLS / cells_of_pair);
  if (count < PAIRS_LEAST) count = PAIRS_LEAST;
  pack_pair *pairs = calloc((size_t)count, sizeof *pairs);
  char peer[64] = "";
  double of_core = 0, first = 0;
  if (!pairs) exit(1);
  uint8_t *letters = make_pairs(pairs, count, length, related, s);
  for (int64_t i = 0; one_query && i < count; i++) pairs[i].query = pairs[0].query;
  solve(&first, solver, pairs, count < 128 ? count : 128, 1); /* builds the kernel */
  const double rate = solve(&of_core, solver, pairs, count, (double)count * cells_of_pair);
  const double theirs = peer_best(peer, pairs, count, s);
  printf("%6lld  %-9s  %-3s %8.2f %8.2f %8.2f %8.2f  %-12s", (long long)length,
         related ? "related" : "unrelated", one_query ? "yes" : "no", rate, of_core, theirs,
         theirs > 0 ? of_core / theirs : 0, peer);
  if (related && !one_query) printf(" %10.1f", trace(pairs, count, s));
  printf("\n");
  fflush(stdout);
  free(pairs);
  free(letters);
}

/* Prints the GCUPS of the sweep of one long pair, score only and not pruned. */
static void measure_long(const speed *s) {
  static const int64_t length = 60000;
  cla_error error = {0};
  cla_align_options options;
  cla_sequence *sides[2];
  random_stream stream;
  char *text = malloc((size_t)length);
  double best = 0, of_core = 0;
  if (!text) exit(1);
  random_stream_init(&stream, 9, 0);
  for (int side = 0; side < 2; side++) {
    for (int64_t i = 0; i < length; i++)
      text[i] = (s->codes == 4 ? SEQUENCE_LETTERS
                               : protein_letters)[random_stream_below(&stream, (uint64_t)s->codes)];
    if (cla_sequence_from_letters_with(
            &sides[side], "long", text, length,
            &(cla_sequence_options){.known = true,
                                    .alphabet = s->codes == 4 ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN},
            &error) != CLA_OK)
      fail(&error);
  }
  cla_align_options_init(&options);
  options.scoring = s->scoring;
  options.mode = s->mode;
  options.score_only = true;
  options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
  for (int run = 0; run <= RUNS; run++) { /* the first run builds the kernel */
    cla_alignment *alignment = NULL;
    const double began = processor_seconds();
    if (cla_align(&alignment, s->device, sides[0], sides[1], &options, &error) != CLA_OK) fail(&error);
    const double cells = (double)length * (double)length;
    const double rate = 1e-9 * cells / alignment->metrics.sweep_seconds;
    const double rate_of_core = 1e-9 * cells / (processor_seconds() - began);
    if (run > 0 && rate > best) best = rate;
    if (run > 0 && rate_of_core > of_core) of_core = rate_of_core;
    cla_alignment_free(alignment);
  }
  printf("%6lld  %-9s  %-3s %8.2f %8.2f   one pair\n", (long long)length, "unrelated", "", best, of_core);
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  free(text);
}

int main(int count, char **arguments) {
  speed s = {.codes = 4};
  cla_error error = {0};
  pack_solver *solver = NULL;
  const cla_device_options options = {.select = count > 1 ? arguments[1] : NULL};
  if (cla_device_open(&s.device, &options, &error) != CLA_OK) fail(&error);
  if (count > 2 && !cla_mode_find(&s.mode, arguments[2])) {
    fprintf(stderr, "short_pairs: no mode %s\n", arguments[2]);
    return 1;
  }
  cla_scoring_init(&s.scoring);
  if (count > 3 && cla_scoring_set_matrix(&s.scoring, arguments[3], &error) != CLA_OK) fail(&error);
  if (s.scoring.matrix_size > 0 && cla_scoring_alphabet(&s.scoring) == CLA_ALPHABET_PROTEIN) s.codes = 20;
  if (pair_letters_any_table(&s.table, &s.scoring, &error) != CLA_OK) fail(&error);
  s.scheme = (path_scheme){.scoring = &s.scoring, .table = &s.table, .ends = path_ends_make(s.mode, 0)};
  printf("%s, %s\nlength  letters    one    GCUPS   a core parasail    times  best of it     us a path\n",
         cla_device_describe(s.device)->name, cla_mode_name(s.mode));
  measure_long(&s);
  if (pack_solver_create(&solver, s.device, &s.scheme, &error) != CLA_OK) fail(&error);
  for (const int64_t *length = lengths; *length; length++)
    for (int related = 0; related < 2; related++) measure(solver, *length, related, false, &s);
  for (const int64_t *length = lengths; s.codes == 20 && *length && *length <= 1000; length++)
    measure(solver, *length, false, true, &s);
  pack_solver_free(solver);
  cla_device_close(s.device);
  return 0;
}
