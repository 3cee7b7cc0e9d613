#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/made_alignment.h"
#include "support/test.h"
#include "tuning/lookup.h"

static char *user, *shipped, *path;
static cla_device_info device;
static cla_tuning *tuning;

static void set_up(void) {
  user = made_folder();
  shipped = made_folder();
  device = (cla_device_info){
      .name = "NVIDIA H200", .platform = "NVIDIA CUDA", .driver = "580.82", .compute_units = 132};
  assert_ok(cla_tuning_path(&path, user, &device, &why));
}

static void tear_down(void) {
  cla_tuning_free(tuning);
  made_folder_remove(user);
  made_folder_remove(shipped);
  free(path);
}

TestSuite(lookup, .init = set_up, .fini = tear_down);

static tuning_entry entry_of(bool local, int64_t length, int lanes, int alpha) {
  return (tuning_entry){.local = local,
                        .length = length,
                        .config = {.variant = lanes == 64 ? &kernel_nvidia16 : &kernel_wave32,
                                   .lanes = lanes,
                                   .alpha = alpha,
                                   .tile_columns = 64},
                        .model = {.per_cell = 1e-12 * alpha}};
}

/* The user's record: three classes, in the largest two kernels, and one for global. */
static void write_user(const char *driver, uint64_t signature) {
  const tuning_entry entries[] = {entry_of(true, 10000, 64, 2), entry_of(true, 1000000, 64, 8),
                                  entry_of(true, 1000000, 32, 4), entry_of(true, 100000, 64, 4),
                                  entry_of(false, 50000, 64, 12)};
  OWNED(tuning_record_free) tuning_record record;
  tuning_record_head(&record, &device);
  if (driver) snprintf(record.driver, sizeof record.driver, "%s", driver);
  record.signature = signature;
  for (int i = 0; i < 5; i++) assert_ok(tuning_record_put(&record, &entries[i], &why));
  assert_ok(tuning_record_write(path, &record, &why));
}

/* A shipped record with one local entry of so many rows per lane. */
static void write_shipped(const char *name, const char *platform, const char *pattern, int units, int alpha) {
  const tuning_entry entry = entry_of(true, 100000, 64, alpha);
  OWNED(tuning_record_free) tuning_record record = {.compute_units = units, .driver = "*"};
  OWNED(free_memory) char *file = made_path(shipped, name);
  snprintf(record.platform, sizeof record.platform, "%s", platform);
  snprintf(record.device, sizeof record.device, "%s", pattern);
  assert_ok(tuning_record_put(&record, &entry, &why));
  assert_ok(tuning_record_write(file, &record, &why));
}

static void load(void) {
  const cla_tuning_folders folders = {.user = user, .shipped = shipped};
  cla_tuning_free(tuning);
  assert_ok(tuning_lookup(&tuning, &device, &folders, &why));
}

static void expect_no_warning(void) {
  size_t count = 0;
  const cla_tuning_warning *warnings = cla_tuning_warnings(tuning, &count);
  cr_expect_eq(count, 0, "%s", count ? warnings[0].text : "");
}

static void expect_warning(bool malformed, const char *part, const char *more) {
  size_t count = 0;
  const cla_tuning_warning *warnings = cla_tuning_warnings(tuning, &count);
  cr_assert_eq(count, 1);
  cr_expect_eq(warnings[0].malformed, malformed, "%s", warnings[0].text);
  cr_expect(
      strstr(warnings[0].text, part) && strstr(warnings[0].text, more) && !strchr(warnings[0].text, '\n'),
      "%s", warnings[0].text);
}

/* Expects the alphas of all entries in the order in which they are asked, as "2 4 8". */
static void expect_order_of(tuning_problem problem, const char *alphas) {
  char got[256] = "";
  tuning_walk walk = tuning_walk_begin(tuning, &problem);
  for (const tuning_entry *entry; (entry = tuning_walk_next(&walk));) {
    cr_assert(walk.source);
    cr_assert_eq(entry->local, problem.local);
    cr_assert_eq(entry->matrix, problem.matrix);
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", got[0] ? " " : "", entry->config.alpha);
  }
  cr_expect_str_eq(got, alphas, "%s instead of %s", got, alphas);
}

static void expect_order(bool local, int64_t rows, int64_t columns, const char *alphas) {
  expect_order_of((tuning_problem){.local = local, .rows = rows, .columns = columns}, alphas);
}

Test(lookup, without_records_there_is_nothing_and_no_warning) {
  load();
  expect_no_warning();
  expect_order(true, 1000, 1000, "");
  const cla_tuning_folders nowhere = {.user = "/nowhere/at/all"};
  cla_tuning_free(tuning);
  cr_assert_eq(tuning_lookup(&tuning, &device, &nowhere, NULL), CLA_OK);
  expect_no_warning();
  cla_tuning_free(tuning);
  cr_assert_eq(tuning_lookup(&tuning, &device, NULL, NULL), CLA_OK);
  expect_no_warning();
  tuning_walk none = tuning_walk_begin(NULL, &(tuning_problem){.local = true, .rows = 1, .columns = 1});
  cr_expect_null(tuning_walk_next(&none));
}

Test(lookup, the_nearest_size_comes_first_and_then_the_order_of_the_file) {
  write_user(NULL, tuning_signature());
  load();
  expect_no_warning();
  expect_order(true, 1, 1, "2 4");
  expect_order(true, 31000, 31000, "2 4");
  expect_order(true, 31600, 31600, "2 4 8 4"); /* all are within 32 times */
  expect_order(true, 32000, 32000, "4 2 8 4");
  expect_order(true, 319000, 319000, "8 4 4 2");
  expect_order(true, 321000, 321000, "8 4 4");
  expect_order(true, 31000000, 31000000, "8 4");
  expect_order(true, 33000000, 33000000, "");
  expect_order(false, 10, 10, "12");
  /* The shorter side counts, whichever it is. */
  expect_order(true, 10000, 500000000, "2 4");
  expect_order(true, 500000000, 10000, "2 4");
}

Test(lookup, a_record_of_another_driver_is_stale) {
  write_user("570.1", tuning_signature());
  load();
  expect_warning(false, path, "clalign tune");
  expect_warning(false, "570.1", "580.82");
  expect_order(true, 1000, 1000, "");
  write_user("*", tuning_signature());
  load();
  expect_no_warning();
}

Test(lookup, a_record_of_other_kernels_is_stale) {
  write_user(NULL, tuning_signature() ^ 1);
  load();
  expect_warning(false, path, "clalign tune");
  expect_order(true, 1000, 1000, "");
  write_user(NULL, 0);
  load();
  expect_no_warning();
  expect_order(false, 1000, 1000, "12");
}

Test(lookup, a_malformed_record_is_told_with_its_line_and_the_next_one_is_asked) {
  made_write(path, "clalign tuning record 1\nspeed 3\n", 32);
  write_shipped("all.txt", "*", "*", 0, 16);
  load();
  expect_warning(true, path, ".txt:2: ");
  expect_order(true, 1000, 1000, "16");
}

Test(lookup, what_cannot_be_read_is_told) {
  cr_assert_eq(mkdir(path, 0700), 0);
  load();
  expect_warning(true, path, "no regular file");
  cr_assert_eq(rmdir(path), 0);
  cr_assert_eq(symlink(path, path), 0);
  load();
  expect_warning(true, path, "symbolic links");
  cr_assert_eq(unlink(path), 0);
  if (geteuid() == 0) return; /* reads everything */
  write_user(NULL, 0);
  cr_assert_eq(chmod(path, 0), 0);
  load();
  expect_warning(true, path, "ermission");
}

Test(lookup, a_record_that_was_copied_from_another_device_is_not_used) {
  cla_device_info other = device;
  other.compute_units = 66;
  write_user(NULL, 0);
  OWNED(free_memory) char *there = NULL;
  assert_ok(cla_tuning_path(&there, user, &other, &why));
  cr_assert_str_neq(there, path);
  cr_assert_eq(rename(path, there), 0);
  device = other;
  load();
  expect_warning(true, there, "another device");
  expect_order(true, 1000, 1000, "");
}

Test(lookup, the_path_tells_platforms_devices_and_units_apart_and_is_a_plain_name) {
  cla_device_info others[3] = {device, device, device};
  strcpy(others[0].platform, "rusticl");
  strcpy(others[1].name, "NVIDIA/H200");
  others[2].compute_units = 1;
  for (int i = 0; i < 3; i++) {
    OWNED(free_memory) char *other = NULL;
    assert_ok(cla_tuning_path(&other, user, &others[i], &why));
    cr_expect_str_neq(other, path);
    cr_expect(!strchr(other + strlen(user) + 1, '/') && !strchr(other, ' '), "%s", other);
  }
  strcpy(others[0].platform, device.platform);
  strcpy(others[0].driver, "another");
  OWNED(free_memory) char *same = NULL;
  assert_ok(cla_tuning_path(&same, user, &others[0], &why));
  cr_expect_str_eq(same, path);
}

Test(lookup, shipped_records_are_asked_from_the_most_specific_on) {
  write_shipped("a-vendor.txt", "NVIDIA*", "*", 0, 2);
  write_shipped("b-device.txt", "NVIDIA*", "NVIDIA H200", 0, 4);
  write_shipped("c-architecture.txt", "NVIDIA*", "NVIDIA H[12]00*", 0, 8);
  write_shipped("d-other.txt", "NVIDIA*", "NVIDIA A100*", 0, 12);
  write_shipped("e-part.txt", "NVIDIA*", "NVIDIA H200", 66, 16);
  write_shipped("f-platform.txt", "rusticl", "*", 0, 16);
  write_shipped("readme.md", "*", "*", 0, 16);
  load();
  expect_no_warning();
  expect_order(true, 1000, 1000, "4 8 2");
  expect_order(false, 1000, 1000, "");
  device.compute_units = 66;
  load();
  expect_order(true, 1000, 1000, "16 4 8 2");
  device.compute_units = 132;
  write_user(NULL, tuning_signature());
  load();
  expect_order(true, 1000, 1000, "2 4 4 8 2");
  expect_order(false, 1000, 1000, "12");
}

/* Writes a shipped record as text, with one local entry of `alpha` rows per lane and 528 strips in flight. */
static void write_kin(const char *name, const char *head, const char *units, int alpha) {
  OWNED(free_memory) char *file = made_path(shipped, name);
  char text[512];
  snprintf(text, sizeof text,
           "clalign tuning record 1\n%s\ndriver *\nunits %s\nsignature any\n"
           "local 100000 nvidia16 64 %d 2048 persistent 528 0 0 0 1e-12\nend\n",
           head, units, alpha);
  made_write(file, text, strlen(text));
}

static void expect_source(int index, const char *expected) {
  char text[512];
  cr_assert_lt(index, tuning->source_count);
  tuning_source_describe(text, sizeof text, &tuning->sources[index]);
  cr_expect_str_eq(text, expected);
}

/* However long the other patterns are, the device comes first, then its chip, then its vendor. */
Test(lookup, shipped_records_are_asked_by_device_then_chip_then_vendor) {
  strcpy(device.chip, "sm_90");
  write_kin("a-any.txt", "platform *\ndevice *", "any", 2);
  write_kin("b-vendor.txt", "platform NVIDIA CUDA\ndevice *", "any 66", 4);
  write_kin("c-chip.txt", "platform *\ndevice *\nchip sm_90", "any 264", 8);
  write_kin("d-device.txt", "platform *\ndevice *H200", "132", 16);
  write_kin("e-other.txt", "platform NVIDIA CUDA\ndevice *\nchip sm_80", "any", 10);
  load();
  expect_no_warning();
  expect_order(true, 100000, 100000, "16 8 4 2");
  expect_source(0, "shipped record d-device.txt (by device)");
  expect_source(1, "shipped record c-chip.txt (by chip sm_90, scaled from 264 to 132 units)");
  expect_source(2, "shipped record b-vendor.txt (by vendor, scaled from 66 to 132 units)");
  expect_source(3, "shipped record a-any.txt (for any device)");
  OWNED(free_memory) char *lines = NULL;
  assert_ok(cla_tuning_describe(&lines, tuning, &why));
  cr_expect_eq(strncmp(lines, "shipped record d-device.txt (by device)\nshipped record c-chip", 60), 0, "%s",
               lines);
  /* The last resort for a chip that nobody has seen. */
  strcpy(device.chip, "sm_120");
  strcpy(device.name, "NVIDIA B200");
  load();
  expect_order(true, 100000, 100000, "4 2");
  device.chip[0] = '\0';
  strcpy(device.platform, "rusticl");
  load();
  expect_order(true, 100000, 100000, "2");
}

Test(lookup, a_record_of_another_number_of_units_is_scaled) {
  const tuning_problem problem = {.local = true, .rows = 100000, .columns = 100000};
  strcpy(device.chip, "sm_90");
  device.compute_units = 33;
  write_kin("chip.txt", "platform *\ndevice *\nchip sm_9*", "any 132", 8);
  load();
  tuning_walk walk = tuning_walk_begin(tuning, &problem);
  const tuning_entry *entry = tuning_walk_next(&walk);
  cr_assert(entry);
  cr_expect_eq(entry->config.groups, 132);
  cr_expect_float_eq(entry->model.per_cell, 4e-12, 1e-20);
  device.compute_units = 1000000;
  load();
  cr_expect_eq(tuning->sources[0].record.entries[0].config.groups, TUNING_GROUPS_LIMIT);
  /* Units that are not told scale nothing. */
  write_kin("chip.txt", "platform *\ndevice *\nchip sm_9*", "any", 8);
  load();
  cr_expect_eq(tuning->sources[0].record.entries[0].config.groups, 528);
  expect_source(0, "shipped record chip.txt (by chip sm_90)");
}

Test(lookup, wrong_units_and_chips_are_told) {
  static const char *const wrong[] = {"any 0", "any x", "any 132 132", "0", "any -1"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    write_kin("wrong.txt", "platform *\ndevice *", wrong[i], 8);
    load();
    expect_warning(true, "wrong.txt:5: ", "units is");
  }
  write_kin("wrong.txt", "platform *\ndevice *\nchip sm_90\nchip sm_80", "any", 8);
  load();
  expect_warning(true, "wrong.txt:5: ", "chip stands twice");
}

/* What is written is read back. */
Test(lookup, chip_and_timed_units_are_written) {
  OWNED(free_memory) char *file = made_path(shipped, "chip.txt");
  OWNED(tuning_record_free) tuning_record record;
  OWNED(tuning_record_free) tuning_record again;
  write_kin("chip.txt", "platform *\ndevice *\nchip sm_9*", "any 132", 8);
  assert_ok(tuning_record_read(&record, file, &why));
  assert_ok(tuning_record_write(file, &record, &why));
  assert_ok(tuning_record_read(&again, file, &why));
  cr_expect_str_eq(again.chip, "sm_9*");
  cr_expect_eq(again.measured_units, 132);
  cr_expect_eq(again.compute_units, 0);
}

Test(lookup, a_damaged_shipped_record_or_folder_is_told) {
  char *file = made_path(shipped, "broken.txt");
  made_write(file, "x\n", 2);
  load();
  expect_warning(true, file, "broken.txt:1: ");
  free(file);
  const cla_tuning_folders nowhere = {.shipped = "/nowhere/at/all"};
  cla_tuning_free(tuning);
  cr_assert_eq(tuning_lookup(&tuning, &device, &nowhere, NULL), CLA_OK);
  expect_warning(true, "/nowhere/at/all", "No such file");
}

Test(lookup, sources_are_named) {
  char text[512], expected[512];
  write_user(NULL, 0);
  write_shipped("all.txt", "*", "*", 0, 16);
  load();
  cr_assert_eq(tuning->source_count, 2);
  tuning_source_describe(text, sizeof text, &tuning->sources[0]);
  snprintf(expected, sizeof expected, "user record %s", path);
  cr_expect_str_eq(text, expected);
  tuning_source_describe(text, sizeof text, &tuning->sources[1]);
  cr_expect_str_eq(text, "shipped record all.txt (for any device)");
}

Test(lookup, score_matrices_have_entries_of_their_own) {
  const tuning_problem problem = {.local = true, .matrix = true, .rows = 1000000, .columns = 1000000};
  tuning_record record;
  write_user(NULL, tuning_signature());
  load();
  expect_order_of(problem, "");
  assert_ok(tuning_record_read(&record, path, &why));
  tuning_entry entry = entry_of(true, 1000000, 32, 2);
  entry.matrix = true;
  assert_ok(tuning_record_put(&record, &entry, &why));
  assert_ok(tuning_record_write(path, &record, &why));
  tuning_record_free(&record);
  load();
  expect_order_of(problem, "2");
  expect_order(true, 1000000, 1000000, "8 4 4"); /* the order stays */
  cr_expect_float_eq(tuning_seconds(tuning, &entry.config, false, &problem, NULL), 2, 1e-9);
  tuning_problem plain = problem;
  plain.matrix = false;
  cr_expect_lt(tuning_seconds(tuning, &entry.config, false, &plain, NULL), 0);
}

/* Entries for two pieces come first in their record, at any distance of size. Entries for one piece serve if
 * there are no others. */
Test(lookup, two_pieces_of_gap_costs_have_entries_of_their_own_before_the_others) {
  const tuning_problem problem = {.local = true, .two_pieces = true, .rows = 1000000, .columns = 1000000};
  tuning_record record;
  write_user(NULL, tuning_signature());
  load();
  expect_order_of(problem, "8 4 4"); /* entries for one piece */
  assert_ok(tuning_record_read(&record, path, &why));
  tuning_entry entry = entry_of(true, 100000, 32, 2);
  entry.two_pieces = true;
  assert_ok(tuning_record_put(&record, &entry, &why));
  assert_ok(tuning_record_write(path, &record, &why));
  tuning_record_free(&record);
  load();
  expect_order_of(problem, "2 8 4 4");
  expect_order(true, 1000000, 1000000, "8 4 4"); /* the order stays */
  cr_expect_float_eq(tuning_seconds(tuning, &entry.config, false, &problem, NULL), 2, 1e-9);
  tuning_problem one = problem;
  one.two_pieces = false;
  cr_expect_lt(tuning_seconds(tuning, &entry.config, false, &one, NULL), 0);
}

Test(lookup, seconds_come_from_the_entry_of_the_same_config) {
  const tuning_problem large = {.local = true, .rows = 1000000, .columns = 2000000};
  const tuning_problem small = {.local = true, .rows = 1000, .columns = 2000};
  const tuning_source *source = NULL;
  write_user(NULL, 0);
  load();
  const kernel_config timed = entry_of(true, 0, 64, 8).config;
  kernel_config config = timed;
  cr_expect_float_eq(tuning_seconds(tuning, &config, false, &large, &source), 16, 1e-9);
  cr_expect_eq(source, &tuning->sources[0]);
  config.tile_columns = 128;
  cr_expect_lt(tuning_seconds(tuning, &config, false, &large, &source), 0);
  cr_expect_null(source);
  cr_expect_float_eq(tuning_seconds(tuning, &config, true, &small, NULL), 8e-12 * 2e6, 1e-15);
  cr_expect_lt(tuning_seconds(tuning, &timed, false, &small, NULL), 0);
  config.launch = KERNEL_PERSISTENT;
  cr_expect_lt(tuning_seconds(tuning, &config, true, &small, NULL), 0);
  cr_expect_lt(tuning_seconds(NULL, &config, true, &small, NULL), 0);
}

static void write_rates(const char *file, const char *driver, tuning_rate rate, double seconds, double fit) {
  OWNED(tuning_record_free) tuning_record record;
  tuning_record_head(&record, &device);
  snprintf(record.driver, sizeof record.driver, "%s", driver);
  record.signature = 0;
  record.rates.of[rate] = seconds;
  record.rates.of[RATE_FIT_CELL] = fit;
  assert_ok(tuning_record_write(file, &record, &why));
}

Test(lookup, rates_come_from_the_first_record_that_has_them_and_else_by_the_kind_of_device) {
  OWNED(free_memory) char *file = made_path(shipped, "h200.txt");
  tuning_rates rates;
  char from[512];
  tuning_rates_find(&rates, from, sizeof from, NULL, CLA_DEVICE_CPU);
  cr_expect_str_eq(from, "14 by default for a CPU");
  for (int i = 0; i < RATE_COUNT; i++) cr_expect_eq(rates.of[i], tuning_rate_rows[i].cpu);
  write_rates(path, device.driver, RATE_BAND_CELL, 3e-10, 4e-10);
  write_rates(file, "*", RATE_SWEEP_LINE, 5e-9, 6e-10);
  const cla_tuning_folders folders = {.user = user, .shipped = shipped};
  assert_ok(tuning_lookup(&tuning, &device, &folders, &why));
  tuning_rates_find(&rates, from, sizeof from, tuning, CLA_DEVICE_GPU);
  cr_expect_eq(rates.of[RATE_BAND_CELL], 3e-10);
  cr_expect_eq(rates.of[RATE_FIT_CELL], 4e-10);
  cr_expect_eq(rates.of[RATE_SWEEP_LINE], 5e-9);
  cr_expect_eq(rates.of[RATE_BAND_LINE], tuning_rate_rows[RATE_BAND_LINE].gpu);
  cr_expect_eq(strncmp(from, "2 of user record ", 17), 0, "%s", from);
  cr_expect(strstr(from, ", 1 of shipped record h200.txt (by device), 11 by default for a GPU"), "%s", from);
  tuning_rates_find(&rates, from, 20, tuning, CLA_DEVICE_GPU); /* a text that is cut harms nothing */
  cr_expect_eq(rates.of[RATE_SWEEP_LINE], 5e-9);
  cr_expect_eq(strlen(from), 19);
}
