#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "device/program.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define DAY 86400

static const char key[] = "driver 3\n1.0\nsource 7\nkernel;\n";
static const uint8_t binary[] = "what the driver made";
static char *folder;
static char path[PATH_MAX];

static void set_up(void) {
  folder = made_folder();
  cr_assert(program_cache_path(path, sizeof path, folder, key));
}

static void tear_down(void) {
  made_folder_remove(folder);
}

TestSuite(program_cache, .init = set_up, .fini = tear_down);

static bool store(const char *under) {
  return program_cache_store(folder, under, binary, sizeof binary);
}

static bool load(const char *under) {
  uint8_t *found = NULL;
  size_t found_bytes = 0;
  const bool loaded = program_cache_load(&found, &found_bytes, folder, under);
  if (loaded) {
    cr_assert_eq(found_bytes, sizeof binary);
    cr_assert_arr_eq(found, binary, sizeof binary);
  } else {
    cr_assert_null(found);
  }
  free(found);
  return loaded;
}

/* Lets the file of `under` look as if last used so long ago. */
static void age(const char *under, int64_t seconds) {
  char aged[PATH_MAX];
  const struct utimbuf times = {time(NULL) - seconds, time(NULL) - seconds};
  cr_assert(program_cache_path(aged, sizeof aged, folder, under));
  cr_assert_eq(utime(aged, &times), 0);
}

static int64_t bytes_of(const char *file) {
  struct stat state;
  cr_assert_eq(stat(file, &state), 0);
  return (int64_t)state.st_size;
}

Test(program_cache, gives_back_what_was_stored_and_nothing_else) {
  cr_assert_not(load(key));
  cr_assert(store(key));
  cr_assert(load(key));
  cr_assert_not(load("another key"));
  cr_assert_eq(made_folder_entries(folder), 1);
}

Test(program_cache, makes_the_folders_that_are_missing_for_the_user_alone) {
  char deep[PATH_MAX], upper[PATH_MAX];
  struct stat state;
  snprintf(upper, sizeof upper, "%s/a", folder);
  snprintf(deep, sizeof deep, "%s/a/b", folder);
  cr_assert(program_cache_store(deep, key, binary, sizeof binary));
  cr_assert_eq(stat(deep, &state), 0);
  cr_assert_eq(state.st_mode & 07777, 0700);
  cr_assert(program_cache_path(path, sizeof path, deep, key));
  cr_assert_eq(stat(path, &state), 0);
  cr_assert_eq(state.st_mode & 07777, 0600);
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(rmdir(deep), 0);
  cr_assert_eq(rmdir(upper), 0);
}

Test(program_cache, does_not_believe_damaged_files_and_replaces_them) {
  for (int way = 0; way < 5; way++) {
    cr_assert(store(key));
    size_t length = 0;
    OWNED(free_memory) char *bytes = made_read(path, &length);
    if (way == 0) bytes[length / 2] ^= 4;
    if (way < 3) made_write(path, bytes, way == 1 ? length - 1 : way == 2 ? 0 : length);
    if (way == 3) cr_assert_eq(chmod(path, 0620), 0);
    if (way == 4) cr_assert(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    cr_assert_not(load(key), "way %d", way);
    cr_assert(store(key), "way %d", way);
    cr_assert(load(key), "way %d", way);
    cr_assert_eq(made_folder_entries(folder), 1);
  }
}

Test(program_cache, does_not_believe_another_users_file) {
  if (geteuid() != 0) cr_skip_test("only root can give files away");
  cr_assert(store(key));
  cr_assert_eq(chown(path, 65534, 65534), 0);
  cr_assert_not(load(key));
  cr_assert(store(key));
  cr_assert(load(key));
}

Test(program_cache, an_entry_under_another_entrys_name_is_not_taken) {
  char other[PATH_MAX];
  cr_assert(store("another key"));
  cr_assert(program_cache_path(other, sizeof other, folder, "another key"));
  cr_assert_eq(rename(other, path), 0);
  cr_assert_not(load(key));
}

Test(program_cache, stores_nothing_where_it_may_not_write) {
  cr_assert(store(key));
  cr_assert_eq(chmod(folder, 0555), 0);
  if (geteuid() == 0) {
    cr_assert_eq(chown(folder, 65534, 65534), 0);
    cr_assert_eq(chown(path, 65534, 65534), 0);
    cr_assert_eq(seteuid(65534), 0);
  }
  cr_assert_not(program_cache_prepare(folder));
  cr_assert_not(store("another key"));
  cr_assert(load(key), "reading needs no permission to write");
  if (getuid() == 0) cr_assert_eq(seteuid(0), 0);
  cr_assert_eq(chmod(folder, 0755), 0);
  cr_assert_eq(made_folder_entries(folder), 1);
  cr_assert_not(program_cache_store(path, key, binary, sizeof binary), "a file is no folder");
  cr_assert_not(program_cache_store("/proc/nowhere/at/all", key, binary, sizeof binary));
  cr_assert_not(program_cache_store("", key, binary, sizeof binary));
}

Test(program_cache, removes_what_was_not_used_for_long_and_leftovers) {
  const char *const foreign[] = {"notes.txt", "0123.program", ".clalign-1-0.tmp.txt"};
  for (size_t i = 0; i < 3; i++) {
    OWNED(free_memory) char *name = made_path(folder, foreign[i]);
    const struct utimbuf times = {1, 1};
    made_write(name, "x", 1);
    cr_assert_eq(utime(name, &times), 0);
  }
  OWNED(free_memory)
  char *young = made_path(folder, ".clalign-7-0.tmp"), *old = made_path(folder, ".clalign-8-0.tmp");
  const struct utimbuf two_days_ago = {time(NULL) - 2 * DAY, time(NULL) - 2 * DAY};
  made_write(young, "x", 1);
  made_write(old, "x", 1);
  cr_assert_eq(utime(old, &two_days_ago), 0);
  cr_assert(store("old") && store("young"));
  age("old", (PROGRAM_CACHE_DAYS + 1) * DAY);
  age("young", (PROGRAM_CACHE_DAYS - 1) * DAY);
  cr_assert(store(key)); /* makes room */
  cr_assert_not(load("old"));
  cr_assert(load("young") && load(key));
  cr_assert_eq(access(young, F_OK), 0);
  cr_assert_neq(access(old, F_OK), 0);
  cr_assert_eq(made_folder_entries(folder), 6);
}

Test(program_cache, removes_the_longest_unused_beyond_the_limit) {
  const char *const keys[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) {
    cr_assert(store(keys[i]));
    age(keys[i], (i == 2 ? 50 : 10 + i) * DAY);
  }
  cr_assert(program_cache_path(path, sizeof path, folder, "a"));
  const int64_t bytes = bytes_of(path);
  program_cache_trim(folder, time(NULL), 4 * bytes);
  cr_assert_eq(made_folder_entries(folder), 4);
  program_cache_trim(folder, time(NULL), 3 * bytes - 1);
  cr_assert(load("a") && load("b"));
  cr_assert_not(load("c"));
  cr_assert_not(load("d"));
}

Test(program_cache, remembers_use) {
  struct stat state;
  cr_assert(store(key));
  age(key, 2 * DAY);
  cr_assert(load(key));
  cr_assert_eq(stat(path, &state), 0);
  cr_assert(time(NULL) - state.st_mtime < DAY);
}
