#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clalign/align.h"
#include "device/device.h"
#include "device/program.h"
#include "support/made_alignment.h"
#include "support/test.h"
#include "support/test_devices.h"

/* What happens to built programs from one opened device to the next, on every device. */

static char *folder;

static void set_up(void) {
  folder = made_folder();
}

static void tear_down(void) {
  made_folder_remove(folder);
}

TestSuite(program_reuse, .init = set_up, .fini = tear_down, .timeout = 600);

/* Opens the device of that index in the list, aligns a small pair and says how its program came about. False
 * if anything failed; no assertion, so that it can run in a child process. */
static bool align_once(build_counts *counts, int index, const char *cache) {
  char select[16];
  snprintf(select, sizeof select, "%d", index);
  const cla_device_options options = {.select = select, .cache_path = cache};
  cla_device *device = NULL;
  cla_sequence *query = NULL, *target = NULL;
  cla_alignment *alignment = NULL;
  cla_align_options how;
  cla_align_options_init(&how);
  how.score_only = true; /* the sweep's program alone */
  cla_status status = cla_device_open(&device, &options, &why);
  if (status == CLA_OK) status = cla_sequence_from_letters(&query, "q", "ACGTACGTTGCATG", 14, &why);
  if (status == CLA_OK) status = cla_sequence_from_letters(&target, "t", "ACGTACGTTGCATG", 14, &why);
  if (status == CLA_OK) status = cla_align(&alignment, device, query, target, &how, &why);
  if (status != CLA_OK) fprintf(stderr, "%s\n", why.message);
  const bool right = status == CLA_OK && alignment->score == 14;
  if (device) *counts = device->builds;
  cla_alignment_free(alignment);
  cla_sequence_free(target);
  cla_sequence_free(query);
  cla_device_close(device);
  return right;
}

static build_counts run(int index, const char *cache) {
  build_counts counts = {0};
  cr_assert(align_once(&counts, index, cache));
  return counts;
}

/* The one file in the folder. */
static char *only_entry(void) {
  char *found = NULL;
  cr_assert_eq(made_folder_entries(folder), 1);
  DIR *stream = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(stream));)
    if (entry->d_name[0] != '.') found = made_path(folder, entry->d_name);
  closedir(stream);
  cr_assert(found);
  return found;
}

static void expect_compiled(build_counts counts, int refused, int saved) {
  cr_assert_eq(counts.from_cache, 0);
  cr_assert_eq(counts.from_source, 1);
  cr_assert_eq(counts.refused, refused);
  cr_assert_eq(counts.saved, saved);
}

static void expect_from_cache(build_counts counts) {
  cr_assert_eq(counts.from_cache, 1);
  cr_assert_eq(counts.from_source, 0);
  cr_assert_eq(counts.refused, 0);
  cr_assert_eq(counts.saved, 0);
}

/* Index in the list of the nth device under test, -1 beyond the last. */
static int device_index(int number) {
  cla_device *device = test_device_open(number);
  const int index = device ? cla_device_describe(device)->index : -1;
  cla_device_close(device);
  return index;
}

Test(program_reuse, a_second_open_compiles_nothing) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    expect_compiled(run(index, folder), 0, 1);
    expect_from_cache(run(index, folder));
    expect_compiled(run(index, NULL), 0, 0);
    OWNED(free_memory) char *entry = only_entry();
    cr_assert_eq(unlink(entry), 0);
  }
}

/* Another device could run the same kernel at that moment, which PoCL does not bear. */
Test(program_reuse, no_binary_is_made_while_another_device_is_open) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    cla_device *other = test_device_open(number), *third = test_device_open(number);
    expect_compiled(run(index, folder), 0, 0);
    cr_assert_eq(made_folder_entries(folder), 0);
    cla_device_close(other);
    cr_assert_eq(made_folder_entries(folder), 0);
    cla_device_close(third);
    OWNED(free_memory) char *entry = only_entry();
    expect_from_cache(run(index, folder));
    cr_assert_eq(unlink(entry), 0);
  }
}

Test(program_reuse, a_damaged_entry_is_compiled_again_and_replaced) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    expect_compiled(run(index, folder), 0, 1);
    OWNED(free_memory) char *entry = only_entry();
    size_t length = 0;
    OWNED(free_memory) char *bytes = made_read(entry, &length);
    bytes[length - 100] ^= 1;
    made_write(entry, bytes, length);
    expect_compiled(run(index, folder), 0, 1);
    expect_from_cache(run(index, folder));
    made_write(entry, bytes, length / 2);
    expect_compiled(run(index, folder), 0, 1);
    expect_from_cache(run(index, folder));
    cr_assert_eq(unlink(entry), 0);
  }
}

Test(program_reuse, a_binary_that_the_driver_refuses_is_compiled_again_and_replaced) {
  for (int number = 0, index; (index = device_index(number)) >= 0; number++) {
    expect_compiled(run(index, folder), 0, 1);
    OWNED(free_memory) char *entry = only_entry();
    size_t length = 0;
    OWNED(free_memory) char *bytes = made_read(entry, &length);
    /* The key stands behind the header of 32 bytes, its length at byte 16 (device/program.h). */
    size_t key_bytes = 0;
    for (int i = 7; i >= 0; i--) key_bytes = key_bytes << 8 | (uint8_t)bytes[16 + i];
    OWNED(free_memory) char *key = strndup(bytes + 32, key_bytes);
    cr_assert(program_cache_store(folder, key, (const uint8_t *)"no program", 10));
    expect_compiled(run(index, folder), 1, 1);
    expect_from_cache(run(index, folder));
    cr_assert_eq(unlink(entry), 0);
  }
}

Test(program_reuse, works_without_a_folder_to_write_to) {
  OWNED(free_memory) char *file = made_path(folder, "file");
  made_write(file, "x", 1);
  const int index = device_index(0);
  expect_compiled(run(index, file), 0, 0);
  expect_compiled(run(index, "/proc/nowhere"), 0, 0);
}

Test(program_reuse, processes_that_build_at_once_leave_one_good_entry) {
  pid_t children[4];
  /* OpenCL in this process only after the forks: drivers have threads. */
  const pid_t finder = fork();
  int state = 0;
  cr_assert(finder >= 0);
  if (finder == 0) _exit(device_index(0));
  cr_assert(waitpid(finder, &state, 0) == finder && WIFEXITED(state));
  const int index = WEXITSTATUS(state);
  for (int i = 0; i < 4; i++) {
    children[i] = fork();
    cr_assert(children[i] >= 0);
    if (children[i] == 0) {
      build_counts counts = {0};
      const bool right = align_once(&counts, index, folder);
      _exit(right && counts.from_cache + counts.from_source == 1 && counts.refused == 0 ? 0 : 1);
    }
  }
  for (int i = 0; i < 4; i++) {
    cr_assert_eq(waitpid(children[i], &state, 0), children[i]);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "child %d: state %d", i, state);
  }
  free(only_entry());
  expect_from_cache(run(index, folder));
}
