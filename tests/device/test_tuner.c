/* Tuning on every device with tiny size classes, and with workers that fail in every way. The worker runs in
 * this process: what is killed and started is the program's matter (tests/cli/tune). */

#include <unistd.h>

#include "clalign/tuner.h"
#include "search/measurement.h"
#include "support/made_alignment.h"
#include "support/test.h"
#include "support/test_devices.h"
#include "tuning/tuning_record.h"

/* Which configs a worker fails on. */
typedef enum faults {
  FAULTS_NONE,
  FAULTS_SECOND_ALPHA, /* those with their variant's second value of alpha */
  FAULTS_ALL,
  FAULTS_TENTH_REQUEST /* whatever is asked for in the tenth request */
} faults;

/* What a worker does to requests. */
typedef struct fake_worker {
  cla_tune_worker *worker;
  int asked;
  faults hang, crash, lie;
  int stop_after; /* requests; 0: never */
  int asked_rates;
  cla_tune_reply rates_reply;
  const char *rates_answer;
} fake_worker;

static bool fails(const fake_worker *fake, faults which, const char *request) {
  measurement_request wanted;
  cr_assert(measurement_parse_request(&wanted, request), "%s", request);
  return which == FAULTS_ALL || (which == FAULTS_TENTH_REQUEST && fake->asked == 10) ||
         (which == FAULTS_SECOND_ALPHA && wanted.config.alpha == wanted.config.variant->alphas[1]);
}

static cla_status ask(void *user, cla_tune_reply *reply, char answer[CLA_TUNE_LINE_SIZE], const char *request,
                      double limit_seconds, cla_error *error) {
  fake_worker *fake = user;
  (void)error;
  cr_assert_gt(limit_seconds, 0);
  fake->asked++;
  *reply = CLA_TUNE_ANSWERED;
  if (strcmp(request, MEASUREMENT_RATES) == 0) {
    fake->asked_rates++;
    *reply = fake->rates_reply;
    snprintf(answer, CLA_TUNE_LINE_SIZE, "%s", fake->rates_answer);
    return CLA_OK;
  }
  if (fake->stop_after && fake->asked > fake->stop_after) return CLA_ERROR_INTERRUPTED;
  if (fails(fake, fake->hang, request)) {
    *reply = CLA_TUNE_HUNG;
    return CLA_OK;
  }
  if (fails(fake, fake->crash, request)) {
    *reply = CLA_TUNE_CRASHED;
    return CLA_OK;
  }
  cla_tune_worker_answer(fake->worker, answer, request);
  measurement found;
  cr_assert(measurement_parse(&found, answer), "%s", answer);
  if (fails(fake, fake->lie, request) && found.outcome == MEASUREMENT_DONE) {
    found.result++;
    measurement_print(answer, CLA_TUNE_LINE_SIZE, &found);
  }
  return CLA_OK;
}

/* One tuning of a device, of the first if a test says nothing else, with its own folder. */
static struct {
  cla_device *device;
  fake_worker fake;
  cla_tune_options options;
  cla_tune_summary summary;
  tuning_record record;
  char *folder, *path;
} x;

static const int64_t lengths[] = {700, 2000};

static bool open_device(int index) {
  memset(&x, 0, sizeof x);
  x.device = test_device_open(index);
  if (!x.device) return false;
  assert_ok(cla_tune_worker_create(&x.fake.worker, x.device, NULL, &why));
  cla_tune_options_init(&x.options);
  x.folder = made_folder();
  x.path = made_path(x.folder, "record.txt");
  x.options.effort = CLA_TUNE_QUICK;
  x.options.time_limit_seconds = -1;
  x.options.pace = 0.02;
  x.options.lengths = lengths;
  x.options.length_count = 2;
  x.options.record_path = x.path;
  x.options.ask = ask;
  x.options.ask_user = &x.fake;
  return true;
}

static void set_up(void) {
  cr_assert(open_device(0));
}

static void tear_down(void) {
  if (!x.device) return;
  tuning_record_free(&x.record);
  cla_tune_worker_free(x.fake.worker);
  cla_device_close(x.device);
  made_folder_remove(x.folder);
  free(x.path);
}

TestSuite(tuner, .init = set_up, .fini = tear_down);

static cla_status tune(void) {
  why = (cla_error){0};
  return cla_tune(&x.summary, cla_device_describe(x.device), &x.options, &why);
}

static void expect_tuned(void) {
  assert_ok(tune());
}

/* Local alignments of the first length alone. */
static void one_class(void) {
  x.options.global = false;
  x.options.length_count = 1;
}

static void read_record(void) {
  tuning_record_free(&x.record);
  assert_ok(tuning_record_read(&x.record, x.path, &why));
}

static bool has_class(bool local, int64_t length) {
  for (int64_t i = 0; i < x.record.entry_count; i++)
    if (x.record.entries[i].local == local && x.record.entries[i].length == length) return true;
  return false;
}

Test(tuner, leaves_a_record_of_every_class_on_every_device) {
  for (int index = 0; x.device; index++) {
    x.options.length_count = 1;
    expect_tuned();
    read_record();
    for (int local = 0; local <= 1; local++) cr_assert(has_class(local, lengths[0]));
    cr_assert_eq(x.summary.classes_done, 2);
    cr_assert_eq(x.summary.classes_missing, 0);
    cr_assert_gt(x.summary.measured, 2);
    cr_assert_eq(x.summary.wrong, 0);
    cr_assert_eq(made_folder_entries(x.folder), 1, "a lock or a temporary file was left");
    tear_down();
    open_device(index + 1);
  }
}

/* The fixture's worker and options for another scheme. */
static void tune_for(const cla_scoring *scoring) {
  cla_tune_worker_free(x.fake.worker);
  assert_ok(cla_tune_worker_create(&x.fake.worker, x.device, scoring, &why));
  x.options.scoring = scoring;
}

/* A record that has the first size class for both kinds of scores. */
static void make_record(void) {
  tuning_entry entry = {.local = true,
                        .length = lengths[0],
                        .config = {&kernel_wave32, 32, 4, 64, KERNEL_DIAGONALS, 0, 0},
                        .model = {.constant = 1}};
  tuning_record_head(&x.record, cla_device_describe(x.device));
  for (int matrix = 0; matrix <= 1; matrix++) {
    entry.matrix = matrix;
    assert_ok(tuning_record_put(&x.record, &entry, &why));
  }
  assert_ok(tuning_record_write(x.path, &x.record, &why));
}

Test(tuner, a_score_matrix_gets_entries_beside_those_of_match_and_mismatch) {
  cla_scoring proteins;
  cla_scoring_init_for(&proteins, CLA_ALPHABET_PROTEIN);
  tune_for(&proteins);
  make_record();
  one_class();
  expect_tuned();
  cr_assert_eq(x.summary.classes_kept, 1);
  x.options.restart = true;
  expect_tuned();
  cr_assert_eq(x.summary.classes_done, 1);
  cr_assert_eq(x.summary.wrong, 0);
  read_record();
  cr_assert_gt(x.record.entry_count, 1);
  for (int64_t i = 0; i < x.record.entry_count; i++) {
    const tuning_entry *entry = &x.record.entries[i];
    const bool as_before = entry->config.variant == &kernel_wave32 && entry->model.constant == 1;
    cr_assert_eq(entry->matrix, !as_before, "entry %d", (int)i);
  }
}

Test(tuner, a_matrix_of_own_letters_is_refused) {
  const cla_scoring own = {.gap_first = 2,
                           .gap_ext = 1,
                           .matrix_size = 2,
                           .letters = "*A",
                           .matrix = {1, -1},
                           .matrix_name = "two"};
  x.options.scoring = &own;
  cr_assert_eq(tune(), CLA_ERROR_OPTION);
  cr_assert(strstr(why.message, "two") && strstr(why.message, "BLOSUM62"), "%s", why.message);
  cr_assert_eq(x.fake.asked, 0);
}

Test(tuner, what_the_record_has_is_not_measured_again) {
  one_class();
  expect_tuned();
  const int asked = x.fake.asked;
  expect_tuned();
  cr_assert_eq(x.fake.asked, asked);
  cr_assert_eq(x.summary.classes_kept, 1);
  cr_assert_eq(x.summary.classes_done, 0);
  x.options.restart = true;
  expect_tuned();
  cr_assert_gt(x.fake.asked, asked);
  cr_assert_eq(x.summary.classes_done, 1);
}

Test(tuner, an_interrupt_keeps_the_classes_that_are_done) {
  one_class();
  expect_tuned();
  x.options.length_count = 2;
  x.fake.stop_after = x.fake.asked + 3;
  cr_assert_eq(tune(), CLA_ERROR_INTERRUPTED);
  read_record();
  cr_assert(has_class(true, lengths[0]));
  cr_assert_not(has_class(true, lengths[1]));
  x.fake.stop_after = 0;
  expect_tuned();
  cr_assert_eq(x.summary.classes_kept, 1);
  read_record();
  cr_assert(has_class(true, lengths[1]));
}

Test(tuner, what_fails_is_counted_and_skipped) {
  one_class();
  x.options.restart = true;
  x.fake.hang = FAULTS_SECOND_ALPHA;
  expect_tuned();
  cr_assert_gt(x.summary.hung, 0);
  x.fake.hang = FAULTS_NONE;
  x.fake.crash = FAULTS_SECOND_ALPHA;
  expect_tuned();
  cr_assert_gt(x.summary.crashed, 0);
  x.fake.crash = FAULTS_NONE;
  x.fake.lie = FAULTS_SECOND_ALPHA;
  expect_tuned();
  cr_assert_gt(x.summary.wrong, 0);
  read_record();
  cr_assert(has_class(true, lengths[0]));
}

Test(tuner, one_crash_costs_no_kernel_that_has_worked) {
  one_class();
  x.fake.crash = FAULTS_TENTH_REQUEST;
  expect_tuned();
  cr_assert_geq(x.fake.asked, 10);
  read_record();
  cr_assert(has_class(true, lengths[0]));
}

Test(tuner, a_device_on_which_nothing_works_gets_no_record) {
  x.fake.crash = FAULTS_ALL;
  cr_assert_eq(tune(), CLA_ERROR_DEVICE);
  cr_assert_neq(why.message[0], 0);
  cr_assert_eq(made_folder_entries(x.folder), 0);
}

Test(tuner, a_record_of_other_kernels_is_replaced_and_a_damaged_one_refused) {
  one_class();
  tuning_record_head(&x.record, cla_device_describe(x.device));
  x.record.signature ^= 1;
  assert_ok(tuning_record_write(x.path, &x.record, &why));
  expect_tuned();
  cr_assert_eq(x.summary.classes_done, 1);
  read_record();
  cr_assert_eq(x.record.signature, tuning_signature());
  made_write(x.path, "nonsense\n", 9);
  const int asked = x.fake.asked;
  cr_assert_eq(tune(), CLA_ERROR_INPUT);
  cr_assert_eq(x.fake.asked, asked);
}

Test(tuner, options_out_of_range_are_refused) {
  static const int64_t too_short[] = {10};
  cla_tune_options good = x.options;
  x.options.lengths = too_short;
  x.options.length_count = 1;
  cr_assert_eq(tune(), CLA_ERROR_OPTION);
  x.options = good;
  x.options.local = x.options.global = false;
  cr_assert_eq(tune(), CLA_ERROR_OPTION);
  x.options = good;
  x.options.hang_seconds = 0;
  cr_assert_eq(tune(), CLA_ERROR_OPTION);
  x.options = good;
  x.options.record_path = "/proc/nowhere/record.txt";
  cr_assert_eq(tune(), CLA_ERROR_OUTPUT);
  cr_assert_eq(x.fake.asked, 0, "the record's path is looked at first");
}

Test(tuner, a_worker_refuses_what_is_no_request) {
  char answer[CLA_TUNE_LINE_SIZE];
  measurement found;
  static const char *const requests[] = {"", "do something",
                                         "measure local 100 200 100 1 0 wave32 16 2 16 diagonals 0"};
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    cla_tune_worker_answer(x.fake.worker, answer, requests[i]);
    cr_assert(measurement_parse(&found, answer), "%s", answer);
    cr_assert_eq(found.outcome, MEASUREMENT_BAD_REQUEST, "%s", answer);
  }
}

static char rates_said[1024];

static void keep_rates_text(const cla_tune_progress *progress, void *user) {
  (void)user;
  const char *text = progress->notice ? progress->notice : progress->finished;
  if (text) snprintf(rates_said, sizeof rates_said, "%s", text);
}

/* A tuning that has time for the rates alone, which a worker answers so. */
static void tune_rates(cla_tune_reply reply, const char *answer) {
  x.options.length_count = 0;
  x.options.time_limit_seconds = 1e-9;
  x.options.progress = keep_rates_text;
  x.fake.rates_reply = reply;
  x.fake.rates_answer = answer;
  rates_said[0] = '\0';
  expect_tuned();
  cr_expect_gt(x.summary.classes_missing, 0);
}

Test(tuner, asks_for_rates_once_and_again_when_it_starts_over) {
  tune_rates(CLA_TUNE_ANSWERED, "done 1 0 1 2 3 4 0.5 6 7 8 9 10 11 12 13 0");
  read_record();
  for (int i = 0; i < RATE_COUNT - 1; i++)
    cr_expect_eq(x.record.rates.of[i], i == RATE_BAND_THREAD ? 0.5 : i + 1, "rate %d", i);
  cr_expect(strstr(rates_said, "measured") && !strstr(rates_said, "not"), "%s", rates_said);
  tune_rates(CLA_TUNE_ANSWERED, "done 1 0 2 2 2 2 2 2 2 2 2 2 2 2 2 2");
  cr_expect_eq(x.fake.asked_rates, 1);
  x.options.restart = true;
  tune_rates(CLA_TUNE_ANSWERED, "done 1 0 2 2 2 2 2 2 2 2 2 2 2 2 2 2");
  cr_expect_eq(x.fake.asked_rates, 2);
  read_record();
  cr_expect_eq(x.record.rates.of[RATE_BAND_LINE], 2);
}

Test(tuner, tells_why_rates_are_not_measured) {
  tune_rates(CLA_TUNE_HUNG, "");
  cr_expect(strstr(rates_said, "defaults hold: the worker did not answer or crashed"), "%s", rates_said);
  tune_rates(CLA_TUNE_CRASHED, "");
  cr_expect(strstr(rates_said, "did not answer or crashed"), "%s", rates_said);
  tune_rates(CLA_TUNE_ANSWERED, "refused 0 0 no memory");
  cr_expect(strstr(rates_said, "no memory"), "%s", rates_said);
  tune_rates(CLA_TUNE_ANSWERED, "done 1 0 1 2 3");
  cr_expect(strstr(rates_said, "not measured"), "%s", rates_said);
  cr_expect_eq(x.fake.asked_rates, 4);
  cr_expect_neq(access(x.path, F_OK), 0, "a record without rates is written");
}
