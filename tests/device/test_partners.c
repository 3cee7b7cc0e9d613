/* One pair on several devices, against the oracle. The tested device is opened several times, with other
 * kernels and lanes each time. Runs are pruned or not, and resumed from other devices' folders. */

#include <CL/cl.h>
#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include "pipeline/pipeline.h"
#include "plan/plan_blocks.h"
#include "rows/row_file.h"
#include "scoring/lane_width.h"
#include "seq/random_stream.h"
#include "support/build_kinds.h"
#include "support/cases/pair_case.h"
#include "support/made_alignment.h"
#include "support/related_pairs.h"
#include "support/small_plans.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "support/tile_columns.h"

#define PARTNERS_MOST 3
#define LETTERS_MOST 700 /* of most pairs */

/* What the next plans get; the plan of the call's own device comes first. */
static random_stream hand;

/* Small in everything, with the kernel's own lanes or others, in many blocks. */
static void small(plan *whole) {
  small_plan(whole);
  const bool prune = whole->prune;
  if (random_stream_below(&hand, 2) == 0) {
    const kernel_variant *variant = kernel_find("vector32");
    const uint64_t alphas = build_kinds_all() ? 2 : 1; /* each is another build */
    whole->sweep = (kernel_config){.variant = variant,
                                   .lanes = variant->lanes[random_stream_below(&hand, 2)],
                                   .alpha = variant->alphas[random_stream_below(&hand, alphas)],
                                   .launch = KERNEL_DIAGONALS};
    whole->sweep.tile_columns = whole->sweep.lanes * (1 + (int64_t)random_stream_below(&hand, 3));
    if (prune) whole->sweep = kernel_pruned(&whole->sweep);
  } else if (whole->sweep.variant->run_columns == 0) {
    /* Other widths than the block above: what is computed from stand-ins gets stand-ins beside it. */
    whole->sweep.tile_columns *= random_stream_below(&hand, 2) == 0 ? 1 : 4;
  }
  /* 32 bits hold every scheme, also below a kept row. */
  const bool in_parts = prune && whole->sweep.variant->lane_bits == 32 && random_stream_below(&hand, 3) == 0;
  whole->first_rows = in_parts ? kernel_strip_rows(&whole->sweep) : 0;
  const int64_t strips = (int64_t)random_stream_below(&hand, 4);
  if (whole->row_interval > 0 || strips > 0)
    whole->row_interval = (strips > 0 ? strips : 1) * kernel_strip_rows(&whole->sweep);
  whole->shared.rows = 1;
  whole->shared.rounds = 1 + (int)random_stream_below(&hand, 5);
}

typedef struct tested_pair {
  pair_case of;
  cla_partner partners[PARTNERS_MOST];
} tested_pair;

static void set_up(tested_pair *t, uint64_t seed, int64_t letters_most, bool related) {
  memset(t, 0, sizeof *t);
  pair_case *one = &t->of;
  if (related)
    related_pair_make_random(&one->pair, seed, 900);
  else
    random_pair_make(&one->pair, seed, letters_most);
  one->pair.seed = seed;
  random_pair_choose_mode(&one->pair);
  pair_case_begin(one);
  one->options.partners = t->partners;
  if (related && (one->pair.mode != CLA_MODE_LOCAL || one->want.score > 0))
    one->options.lower_bound = (cla_lower_bound){.kind = CLA_LOWER_BOUND_SCORE, .score = one->want.score};
  random_stream_init(&hand, seed, 9);
}

static void tear_down(tested_pair *t) {
  pair_case_end(&t->of);
}

/* Aligns with so many of the devices behind the first. */
static cla_status align(cla_alignment **got, tested_pair *t, cla_device *const *devices, size_t partners,
                        void (*adjust)(plan *whole), cla_error *error) {
  cla_align_options *options = &t->of.options;
  options->kernel.name = getenv("CLALIGN_TEST_KERNEL");
  for (size_t i = 0; i < partners; i++) t->partners[i] = (cla_partner){.device = devices[i + 1]};
  options->partner_count = partners;
  const align_job job = pair_case_job(&t->of, devices[0], adjust);
  return pipeline_align(got, &job, error);
}

static void compare(tested_pair *t, cla_device *const *devices, size_t partners,
                    void (*adjust)(plan *whole)) {
  static const char *const names[] = {"one device", "two devices", "three devices", "four devices"};
  cla_alignment *got = NULL;
  const cla_status status = align(&got, t, devices, partners, adjust, &why);
  if (t->of.options.kernel.name && status == CLA_ERROR_OPTION) return; /* the scheme is not for it */
  assert_ok_for(status, "%s on %s", t->of.text, names[partners]);
  pair_case_compare(&t->of, got, &t->of.want, names[partners]);
}

static void open_devices(cla_device *devices[PARTNERS_MOST + 1]) {
  for (int i = 0; i <= PARTNERS_MOST; i++) {
    devices[i] = test_device_open(0);
    cr_assert(devices[i]);
  }
}

static void close_devices(cla_device *devices[PARTNERS_MOST + 1]) {
  for (int i = 0; i <= PARTNERS_MOST; i++) cla_device_close(devices[i]);
}

Test(partners, give_what_one_device_gives, .timeout = 1200) {
  const uint64_t count = (uint64_t)test_count("CLALIGN_TEST_PARTNERS", 24);
  cla_device *devices[PARTNERS_MOST + 1];
  open_devices(devices);
  for (uint64_t seed = 41000; seed < 41000 + count; seed++) {
    tested_pair t;
    set_up(&t, seed, LETTERS_MOST, seed % 2);
    t.of.options.score_only = seed % 7 == 0;
    compare(&t, devices, 1 + seed % PARTNERS_MOST, small);
    tear_down(&t);
  }
  close_devices(devices);
}

/* The plan that a device in rounds was given last. */
static plan seen;
static bool only_rounds; /* no device has none */

/* Devices that compute two strips at once, where the kernel says what its rounds take: then the last blocks
 * have other rows a lane than the others. */
static void in_rounds(plan *whole) {
  if (!only_rounds && random_stream_below(&hand, 4) == 0) { /* beside devices that have no rounds */
    small(whole);
    return;
  }
  small_plan(whole);
  seen = *whole;
  if (!whole->sweep.variant->cost) return;
  whole->sweep.alpha = 6;
  whole->sweep.launch = KERNEL_PERSISTENT;
  whole->sweep.groups = 2;
  if (whole->row_interval > 0) whole->row_interval = kernel_strip_rows(&whole->sweep);
  seen = *whole;
}

/* Blocks with other rows a lane, if so many devices have plans like the one that was seen. */
static int64_t others_planned(const tested_pair *t, const cla_device *device, size_t count) {
  block_cutter cutter;
  row_block block;
  int64_t others = 0;
  const plan_input input = {.rows = t->of.pair.query_length,
                            .columns = t->of.pair.target_length,
                            .nesting = LANE_WIDTH_BELOW_ROW,
                            .scoring = &t->of.pair.scoring,
                            .table = &t->of.table,
                            .device = cla_device_describe(device)};
  block_device facts = plan_block_device(&seen, &input);
  facts.rate = 1;
  const block_device all[PARTNERS_MOST + 1] = {facts, facts, facts, facts};
  if (facts.way_count == 0) return 0;
  assert_ok(block_cutter_begin(&cutter, all, (int)count, 0, input.rows, &why));
  for (int i = 0; cutter.next < input.rows; i = (i + 1) % (int)count)
    if (block_cutter_take(&block, &cutter, i)) others += block.way > 0;
  block_cutter_free(&cutter);
  return others;
}

Test(partners, give_the_same_with_other_rows_a_lane, .timeout = 1200) {
  const int64_t wanted = test_count("CLALIGN_TEST_PARTNERS", 24) / 4, rows_least = 1000;
  cla_device *devices[PARTNERS_MOST + 1];
  int64_t pairs = 0, others = 0;
  bool rounds = false;
  open_devices(devices);
  for (uint64_t seed = 45000; pairs < wanted; seed++) {
    tested_pair t;
    set_up(&t, seed, 1600, false);
    if (t.of.pair.query_length >= rows_least && t.of.pair.target_length < 2 * rows_least) {
      const size_t partners = 1 + seed % PARTNERS_MOST;
      t.of.options.score_only = seed % 3 == 0;
      t.of.options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
      compare(&t, devices, partners, in_rounds);
      others += others_planned(&t, devices[0], partners + 1);
      rounds = rounds || (seen.sweep.variant && seen.sweep.variant->cost);
      pairs++;
    }
    tear_down(&t);
  }
  cr_assert(others > 0 || !rounds, "no block of %lld pairs has other rows a lane", (long long)pairs);
  close_devices(devices);
}

/* Programs with other rows a lane than so many do not build; 0: they do. Builds go through here, because the
 * program's own symbols come before those of libraries. */
static int built_alpha;

typedef cl_int (*build_function)(cl_program, cl_uint, const cl_device_id *, const char *,
                                 void(CL_CALLBACK *)(cl_program, void *), void *);

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
  const char *alpha = options ? strstr(options, "-DALPHA=") : NULL;
  build_function build = NULL;
  void *found = dlsym(RTLD_NEXT, "clBuildProgram");
  memcpy(&build, &found, sizeof build);
  if (built_alpha > 0 && alpha && atoi(alpha + strlen("-DALPHA=")) != built_alpha)
    return CL_BUILD_PROGRAM_FAILURE;
  return build(program, count, devices, options, notify, user);
}

static void count_notes(const char *note, void *user) {
  int *count = user;
  *count += strstr(note, "goes on without blocks of ") != NULL;
}

/* Only the sweep's own kernel is built. */
static void in_rounds_of_one_kind(plan *whole) {
  only_rounds = true;
  in_rounds(whole);
  built_alpha = whole->sweep.variant->cost ? whole->sweep.alpha : 0;
}

/* The kernel with other rows a lane fails: no device is lost (compare), and its blocks have those of the
 * sweep. */
Test(partners, do_without_other_rows_a_lane_that_fail, .timeout = 1200) {
  cla_device *devices[PARTNERS_MOST + 1];
  int notes = 0, pairs = 0;
  int64_t others = 0;
  open_devices(devices);
  for (uint64_t seed = 45000; pairs < 2; seed++) {
    tested_pair t;
    set_up(&t, seed, 1600, false);
    if (t.of.pair.query_length >= 1000 && t.of.pair.target_length < 2000) {
      t.of.options.score_only = true; /* a traceback has rows a lane of its own */
      t.of.options.lower_bound.kind = CLA_LOWER_BOUND_OFF;
      t.of.options.callbacks.note = count_notes;
      t.of.options.callbacks.note_user = &notes;
      compare(&t, devices, 1, in_rounds_of_one_kind);
      built_alpha = 0;
      others += others_planned(&t, devices[0], 2);
      pairs++;
    }
    tear_down(&t);
  }
  cr_expect(notes > 0 || others == 0, "%lld blocks were planned with other rows a lane", (long long)others);
  close_devices(devices);
}

/* A block of few strips, with tiles as they are set. */
static void in_blocks(plan *whole) {
  whole->first_rows = 0;
  whole->shared.rows = 1;
  whole->shared.rounds = 2;
}

/* Only the path matters, and borders arrive in parts. */
Test(partners, find_the_path_in_every_column_of_a_tile, .timeout = 600) {
  cla_device *devices[2] = {test_device_open(0), test_device_open(0)};
  cr_assert(devices[0] && devices[1]);
  tile_columns_check(&(tile_columns){.device = devices[0],
                                     .partner = devices[1],
                                     .seed = 12,
                                     .behind = 1500,
                                     .step = 4,
                                     .adjust = in_blocks});
  for (int i = 0; i < 2; i++) cla_device_close(devices[i]);
}

/* Ends a call when the sweep has done so many cells. */
typedef struct stop {
  int64_t cells;
} stop;

static bool go_on(const cla_progress *progress, void *user) {
  const stop *s = user;
  return progress->cells_done < s->cells;
}

/* The folder of a run that cannot write its result, and so leaves its rows there. */
static const char *hindered;

static void small_and_hindered(plan *whole) {
  char *path = made_path(hindered, "result.cla");
  mkdir(path, 0700); /* a partner's plan finds it there */
  free(path);
  small(whole);
}

/* The run as a process leaves it that is killed in the sweep, below the row that is returned; 0: none is
 * there. */
static int64_t leave_rows(const char *folder) {
  int64_t rows[1024], count = 0, last = INT64_MAX;
  DIR *open = opendir(folder);
  cr_assert(open);
  for (const struct dirent *entry; (entry = readdir(open)) && count < 1024;)
    if (row_file_number(entry->d_name) > 0) rows[count++] = row_file_number(entry->d_name);
  closedir(open);
  if (count > 0) last = rows[random_stream_below(&hand, (uint64_t)count)];
  for (int64_t i = 0; i < count; i++) {
    OWNED(free_memory) char *path = NULL;
    if (rows[i] <= last) continue;
    assert_ok(row_file_path(&path, folder, rows[i], &why));
    cr_assert_eq(remove(path), 0);
  }
  return count > 0 ? last : 0;
}

/* Begins the run on those devices, and leaves rows of its sweep in its folder. */
static int64_t begin(tested_pair *t, cla_device *const *devices, size_t partners) {
  cla_alignment *got = NULL;
  t->of.options.run.resume = false;
  hindered = t->of.options.run.directory;
  const cla_status status = align(&got, t, devices, partners, small_and_hindered, &why);
  cr_assert_neq(status, CLA_OK, "%s: the result was written", t->of.text);
  cla_alignment_free(got);
  if (t->of.options.kernel.name && status == CLA_ERROR_OPTION) return 0; /* the scheme is not for it */
  cr_assert_eq(status, CLA_ERROR_OUTPUT, "%s: %s", t->of.text, why.message);
  made_folder_forget_result(t->of.options.run.directory);
  t->of.options.run.resume = true;
  return leave_rows(t->of.options.run.directory);
}

/* What several devices have kept in a folder, others go on with; and what one device has kept. */
Test(partners, go_on_with_each_others_runs, .timeout = 1200) {
  const uint64_t count = (uint64_t)test_count("CLALIGN_TEST_PARTNERS", 24) / 4;
  cla_device *devices[PARTNERS_MOST + 1];
  int64_t below_rows = 0;
  open_devices(devices);
  for (uint64_t seed = 42000; seed < 42000 + count; seed++) {
    tested_pair t;
    set_up(&t, seed, LETTERS_MOST, seed % 2);
    for (size_t partners = seed / 2 % 2; partners <= PARTNERS_MOST; partners += 2) {
      char *folder = made_folder();
      t.of.options.run.directory = folder;
      below_rows += begin(&t, devices, seed % (PARTNERS_MOST + 1)) > 0;
      compare(&t, devices, partners, small);
      made_folder_remove(folder);
    }
    tear_down(&t);
  }
  cr_assert(below_rows >= (int64_t)count / 2 || getenv("CLALIGN_TEST_KERNEL"), "%lld of %llu runs had rows",
            (long long)below_rows, (unsigned long long)count * 2);
  close_devices(devices);
}

Test(partners, can_be_cancelled, .timeout = 600) {
  cla_device *devices[PARTNERS_MOST + 1];
  cla_alignment *got = NULL;
  tested_pair t;
  stop s = {.cells = 0};
  open_devices(devices);
  set_up(&t, 43000, LETTERS_MOST, false);
  t.partners[0] = (cla_partner){.device = devices[1]};
  t.of.options.partner_count = 1;
  t.of.options.callbacks.progress = go_on;
  t.of.options.callbacks.progress_user = &s;
  /* A small pair may be done before anyone is asked. */
  const cla_status status = cla_align(&got, devices[0], t.of.query, t.of.target, &t.of.options, &why);
  cr_assert(status == CLA_OK || status == CLA_ERROR_INTERRUPTED, "%s", why.message);
  cla_alignment_free(got);
  t.of.options.callbacks.progress = NULL;
  assert_ok(cla_align(&got, devices[0], t.of.query, t.of.target, &t.of.options, &why));
  cr_assert_eq(got->score, t.of.want.score);
  cla_alignment_free(got);
  tear_down(&t);
  close_devices(devices);
}

Test(partners, are_named_once) {
  OWNED(close_device) cla_device *device = test_device_open(0);
  OWNED(free_alignment) cla_alignment *got = NULL;
  tested_pair t;
  cr_assert(device);
  set_up(&t, 44000, LETTERS_MOST, false);
  t.partners[0] = (cla_partner){.device = device};
  t.of.options.partner_count = 1;
  assert_error(cla_align(&got, device, t.of.query, t.of.target, &t.of.options, &why), CLA_ERROR_OPTION,
               "twice");
  t.of.options.partner_count = 0; /* the refused call has not taken the device */
  assert_ok(cla_align(&got, device, t.of.query, t.of.target, &t.of.options, &why));
  tear_down(&t);
}

/* Work on several strands, rotations or alignments: each may lose a device, and devices may have equal names.
 */
Test(partners, lost_in_any_of_several_runs_are_told) {
  cla_metrics sum = {.device = "A + B", .lost_devices = ""};
  const cla_metrics second = {.device = "A", .lost_devices = "B"};
  const cla_metrics third = {.device = "C + C", .lost_devices = "BB + B"};
  pipeline_add_work(&sum, &second);
  cr_assert_str_eq(sum.device, "A + B");
  cr_assert_str_eq(sum.lost_devices, "B");
  pipeline_add_work(&sum, &third);
  cr_assert_str_eq(sum.device, "A + B + C + C");
  cr_assert_str_eq(sum.lost_devices, "B + BB");
}
