/* Runs that go on: a run directory as a process leaves it that was killed after some rows, resumed with
 * another kernel, against the oracle. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region/wavefront.h"
#include "rows/row_file.h"
#include "rows/special_rows.h"
#include "runs/run_state.h"
#include "seq/random_stream.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/made_alignment.h"
#include "support/small_plans.h"
#include "support/test_devices.h"
#include "sweep/sweep.h"

#define SEEDS_MOST 20 /* most seeds tried, as a multiple of the count */

/* One pair and its folder. */
typedef struct resumed {
  pair_case of;
  char *folder;
} resumed;

static void set_up(resumed *r, uint64_t seed) {
  memset(r, 0, sizeof *r);
  random_pair_make(&r->of.pair, seed, 500);
  random_pair_choose_mode(&r->of.pair);
  pair_case_begin(&r->of);
  r->folder = made_folder();
  r->of.options.run.directory = r->folder;
  const int64_t score = r->of.want.score;
  if (seed % 2 && (r->of.pair.mode != CLA_MODE_LOCAL || score > 0)) /* so that short pairs are pruned, too */
    r->of.options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = score};
}

static void tear_down(resumed *r) {
  pair_case_end(&r->of);
  made_folder_remove(r->folder);
}

/* Small in everything, with rows wherever they can be. */
static void small(plan *whole) {
  small_plan(whole);
  whole->row_interval = kernel_strip_rows(&whole->sweep);
}

static void compare(resumed *r, cla_device *device, const char *when) {
  pair_case_check(&r->of, device, small, when);
}

static void run_key(resumed *r, sealed_kind *kind) {
  cla_error error = {0};
  cla_run_directory *run = NULL;
  cr_assert_eq(cla_run_directory_read(&run, r->folder, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(run_manifest_key(kind->key, run, &error), CLA_OK);
  cla_run_directory_free(run);
}

/* Leaves the end cell and the path from there to some node on it in the folder: of a run in the traceback. */
static void leave_path(resumed *r, random_stream *stream) {
  cla_error error = {0};
  reference_borders borders = {0};
  reference_matrix m = {0};
  sealed_kind kind = {.name = {0}};
  const random_pair *pair = &r->of.pair;
  const run_state state = {
      .score = r->of.want.score, .row = r->of.want.query_end, .column = r->of.want.target_end};
  saved_path saved = {.row = state.row, .column = state.column, .value = state.score};
  int64_t steps = 0;
  run_key(r, &kind);
  cr_assert_eq(reference_borders_make(&borders, pair->query_length, pair->target_length, &pair->scoring,
                                      r->of.ends, &error),
               CLA_OK);
  cr_assert_eq(reference_fill(&m,
                              &(pair_problem){pair->query,
                                              pair->target,
                                              pair->query_length,
                                              pair->target_length,
                                              {&pair->scoring, &r->of.table, r->of.ends}},
                              &borders, &error),
               CLA_OK);
  for (size_t i = 0; i < r->of.want.run_count; i++) steps += r->of.want.runs[i].length;
  steps = (int64_t)random_stream_below(stream, (uint64_t)steps + 1);
  saved.runs = calloc(r->of.want.run_count + 1, sizeof *saved.runs);
  cr_assert(saved.runs);
  for (size_t i = r->of.want.run_count; i-- > 0 && steps > 0;) {
    cla_run run = r->of.want.runs[i];
    /* A path that is traced never stands within a gap that consumes target letters. */
    const bool cut = steps < run.length && run.kind != CLA_RUN_TARGET;
    if (cut) run.length = steps;
    steps -= run.length;
    saved.runs[saved.count++] = run;
    saved.row -= run.kind == CLA_RUN_TARGET ? 0 : run.length;
    saved.column -= run.kind == CLA_RUN_QUERY ? 0 : run.length;
    saved.in_query_gap = cut && run.kind == CLA_RUN_QUERY;
  }
  saved.value = reference_at(&m, saved.in_query_gap ? m.f[0] : m.h, saved.row, saved.column);
  cr_assert_eq(run_state_write(r->folder, &kind, &state, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(saved_path_write(r->folder, &kind, &saved, &error), CLA_OK, "%s", error.message);
  free(saved.runs);
  reference_matrix_free(&m);
  reference_borders_free(&borders);
}

/* The rows of a sweep up to some row. */
typedef struct kept_rows {
  special_rows *rows;
  sweep_start start; /* the matrix' upper border */
  int64_t last;
} kept_rows;

static cla_status put(void *user, const region_row_part *part, cla_error *error) {
  const kept_rows *kept = user;
  const region_row_part moved = sweep_start_part(&kept->start, part);
  return part->row <= kept->last ? special_rows_put(kept->rows, &moved, error) : CLA_OK;
}

/* Sweeps with `config` and leaves the rows down to a random one in the folder; with pruning, if it can, by
 * the score that an alignment is known to have. */
static void leave_rows(resumed *r, cla_device *device, kernel_config config, random_stream *stream) {
  cla_error error = {0};
  wavefront *engine = NULL;
  region_result result;
  kept_rows kept = {.last = (int64_t)random_stream_below(stream, (uint64_t)r->of.pair.query_length + 1)};
  const cla_scoring *scoring = &r->of.pair.scoring;
  const plan_input matrix = {.rows = r->of.pair.query_length,
                             .columns = r->of.pair.target_length,
                             .ends = r->of.ends,
                             .scoring = scoring};
  const border_rule gap = border_of_gap(scoring, 0), zero = {0};
  const row_shape shape = {.nodes = r->of.pair.target_length + 1,
                           .largest_score = r->of.table.maximum,
                           .scoring = &r->of.pair.scoring,
                           .floor = r->of.ends.floor};
  sweep_end_begin(&kept.start, &matrix);
  row_folder folder = {.path = r->folder};
  memcpy(folder.kind.name, row_file_kind(&shape), sizeof folder.kind.name);
  run_key(r, &folder.kind);
  const pair_problem problem = {.query = r->of.pair.query,
                                .target = r->of.pair.target,
                                .rows = r->of.pair.query_length,
                                .columns = r->of.pair.target_length,
                                .scheme = {.scoring = &r->of.pair.scoring, .table = &r->of.table}};
  const region whole = {
      .rows = r->of.pair.query_length,
      .columns = r->of.pair.target_length,
      .floor = r->of.ends.floor,
      .best = path_ends_best(&r->of.ends),
      .prune = (!r->of.ends.floor || r->of.want.score > 2) && random_stream_below(stream, 3) > 0,
      .down_ext = path_ends_down_ext(&r->of.ends, scoring),
      .across_ext = path_ends_across_ext(&r->of.ends, scoring),
      .bound = r->of.want.score - (int64_t)random_stream_below(stream, 3),
      .left = r->of.ends.query_start ? zero : gap,
      .top = r->of.ends.target_start ? zero : gap,
      .row_interval = kernel_strip_rows(&config) * (1 + (int64_t)random_stream_below(stream, 3)),
      .calls = {.sink = put, .user = &kept}};
  cr_assert_eq(special_rows_open(&kept.rows, &shape, &folder, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_create(&engine, device, &problem, 0, &error), CLA_OK, "%s", error.message);
  cr_assert_eq(wavefront_solve(&result, engine, &whole, &config, &error), CLA_OK, "%s: %s", r->of.text,
               error.message);
  cr_assert_eq(special_rows_flush(kept.rows, &error), CLA_OK, "%s", error.message);
  special_rows_free(kept.rows);
  wavefront_free(engine);
}

static void no_note(const char *text, void *user) {
  cr_assert_fail("%s: %s", (const char *)user, text);
}

/* False if the scheme is not for the config of that number. */
static bool check_resume(cla_device *device, kernel_config config, int number, uint64_t seed) {
  static const char *const kernels[] = {NULL, "vector32", "wave32"};
  static const cla_lower_bound_kind bounds[] = {CLA_LOWER_BOUND_AUTO, CLA_LOWER_BOUND_OFF};
  char reason[256];
  random_stream stream;
  resumed r;
  set_up(&r, seed);
  random_stream_init(&stream, seed, 3);
  const int64_t limit = kernel_tile_limit(&config, &r.of.pair.scoring, &r.of.table, 1);
  const bool fits =
      limit >= config.lanes &&
      build_kind_is_tested(number, &r.of.pair.scoring, r.of.table.needs_lookup, &r.of.ends, false) &&
      kernel_takes_scheme(config.variant, &r.of.pair.scoring, &r.of.table, reason, sizeof reason);
  if (fits) {
    config.tile_columns = config.lanes;
    r.of.options.callbacks.note = no_note;
    r.of.options.callbacks.note_user = r.of.text;
    compare(&r, device, "undisturbed");
    r.of.options.run.resume = true;
    compare(&r, device, "finished");
    for (int i = 0; i < 2; i++) {
      made_folder_forget_result(r.folder);
      leave_rows(&r, device, config, &stream);
      r.of.options.kernel.name = kernels[random_stream_below(&stream, 3)];
      if (r.of.options.lower_bound.kind != CLA_LOWER_BOUND_SCORE)
        r.of.options.lower_bound.kind = bounds[random_stream_below(&stream, 2)];
      compare(&r, device, config.variant->name);
      made_folder_forget_result(r.folder);
      if (i == 0) leave_rows(&r, device, config, &stream);
      leave_path(&r, &stream);
      compare(&r, device, "in the traceback");
    }
  }
  tear_down(&r);
  return fits;
}

/* A scheme may be too large for a config's lanes: further seeds are tried until a fifth of the count was
 * resumed. */
Test(resume, goes_on_below_the_rows_of_any_kernel, .timeout = 1200) {
  const long long count = test_count("CLALIGN_TEST_RESUMES", 7);
  cla_device *device = NULL;
  for (int index = 0; (device = test_device_open(index)); index++) {
    kernel_config config;
    for (int number = 0; test_kernel_config(&config, device, number); number++) {
      long long resumed_pairs = 0, seeds = 0;
      for (; seeds < count || (5 * resumed_pairs < count && seeds < SEEDS_MOST * count); seeds++)
        resumed_pairs += check_resume(device, config, number, 9000 + (uint64_t)seeds);
      printf("%s: %s, %d lanes x %d rows: %lld pairs of %lld, seeds from 9000\n",
             cla_device_describe(device)->name, config.variant->name, config.lanes, config.alpha,
             resumed_pairs, seeds);
      cr_assert_geq(5 * resumed_pairs, count, "%lld of %lld seeds", resumed_pairs, seeds);
    }
    cla_device_close(device);
  }
}

static void count_note(const char *text, void *user) {
  cr_assert(strstr(text, "contradicts"), "%s", text);
  ++*(int *)user;
}

/* Sealed by whoever wrote them, but outside of the matrix, or a path that does not lead to where it is said
 * to. */
Test(resume, states_and_paths_that_cannot_be_are_done_without, .timeout = 600) {
  cla_device *device = test_device_open(0);
  cr_assert(device);
  for (uint64_t seed = 9100; seed < 9104; seed++) {
    cla_error error = {0};
    int notes = 0;
    sealed_kind kind = {.name = {0}};
    resumed r;
    set_up(&r, seed);
    const int64_t rows = r.of.pair.query_length, columns = r.of.pair.target_length;
    const run_state sound = {
        .score = r.of.want.score, .row = r.of.want.query_end, .column = r.of.want.target_end};
    const int64_t cells[][2] = {
        {rows + 1, 1}, {1, columns + 1}, {-1, 1}, {1, INT64_MIN}, {INT64_MAX, INT64_MAX}};
    cla_run run = {.length = 1, .kind = CLA_RUN_PAIR};
    saved_path steps = {.row = sound.row, .column = sound.column, .value = 1, .runs = &run, .count = 1};
    compare(&r, device, "undisturbed");
    run_key(&r, &kind);
    r.of.options.run.resume = true;
    r.of.options.callbacks.note = count_note;
    r.of.options.callbacks.note_user = &notes;
    for (int i = 0; i < 5; i++) {
      const run_state state = {.score = r.of.want.score, .row = cells[i][0], .column = cells[i][1]};
      made_folder_forget_result(r.folder);
      cr_assert_eq(run_state_write(r.folder, &kind, &state, &error), CLA_OK, "%s", error.message);
      compare(&r, device, "a state");
      cr_expect_eq(notes, i + 1, "state %d of %s", i, r.of.text);
    }
    notes = 0;
    const int64_t lengths[] = {1, INT64_MAX / 8, sound.row + 1};
    for (int i = 0; i < 3 && sound.score > 0; i++) {
      made_folder_forget_result(r.folder);
      run.length = lengths[i];
      if (i == 2) steps.row = -1;
      cr_assert_eq(run_state_write(r.folder, &kind, &sound, &error), CLA_OK, "%s", error.message);
      cr_assert_eq(saved_path_write(r.folder, &kind, &steps, &error), CLA_OK, "%s", error.message);
      compare(&r, device, "a path");
      cr_expect_eq(notes, i + 1, "path %d of %s", i, r.of.text);
    }
    tear_down(&r);
  }
  cla_device_close(device);
}
