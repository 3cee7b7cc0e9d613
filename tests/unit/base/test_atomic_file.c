#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "support/made_alignment.h"
#include "support/test.h"

static char *folder, *path;

static void set_up(void) {
  folder = made_folder();
  path = made_path(folder, "out.txt");
}

static void tear_down(void) {
  made_folder_remove(folder);
  free(path);
}

TestSuite(atomic_file, .init = set_up, .fini = tear_down);

static atomic_file *open_file(const char *name) {
  atomic_file *file = NULL;
  assert_ok(atomic_file_open(&file, name, &why));
  return file;
}

static void expect_text(const char *name, const char *text) {
  OWNED(free_memory) char *bytes = made_read(name, NULL);
  cr_expect_str_eq(bytes, text);
}

static void expect_refused(const char *name, const char *part) {
  atomic_file *file = (atomic_file *)&folder;
  cla_error error = {.message = ""};
  cr_assert_eq(atomic_file_open(&file, name, &error), CLA_ERROR_OUTPUT, "%s", name);
  cr_expect_null(file);
  cr_expect(strstr(error.message, name) && strstr(error.message, part), "%s", error.message);
}

Test(atomic_file, appears_only_when_committed) {
  atomic_file *file = open_file(path);
  fputs("text\n", atomic_file_stream(file));
  fflush(atomic_file_stream(file));
  cr_expect_neq(access(path, F_OK), 0);
  cr_expect_eq(atomic_file_commit(file, NULL), CLA_OK);
  expect_text(path, "text\n");
  cr_expect_eq(made_folder_entries(folder), 1);
}

Test(atomic_file, leaves_the_old_contents_when_discarded) {
  made_write(path, "old", 3);
  atomic_file *file = open_file(path);
  fputs("new", atomic_file_stream(file));
  atomic_file_discard(file);
  atomic_file_discard(NULL);
  expect_text(path, "old");
  cr_expect_eq(made_folder_entries(folder), 1);
}

Test(atomic_file, replaces_the_old_contents_and_keeps_the_permissions) {
  struct stat state;
  made_write(path, "old and long", 12);
  cr_assert_eq(chmod(path, 0640), 0);
  atomic_file *file = open_file(path);
  fputs("new", atomic_file_stream(file));
  cr_expect_eq(atomic_file_commit(file, NULL), CLA_OK);
  expect_text(path, "new");
  cr_assert_eq(stat(path, &state), 0);
  cr_expect_eq(state.st_mode & 0777, 0640);
}

Test(atomic_file, obeys_the_umask) {
  struct stat state;
  umask(027);
  cr_expect_eq(atomic_file_commit(open_file(path), NULL), CLA_OK);
  cr_assert_eq(stat(path, &state), 0);
  cr_expect_eq(state.st_mode & 0777, 0640);
}

Test(atomic_file, can_be_opened_twice_at_once) {
  atomic_file *first = open_file(path), *second = open_file(path);
  fputs("first", atomic_file_stream(first));
  fputs("second", atomic_file_stream(second));
  cr_expect_eq(atomic_file_commit(first, NULL), CLA_OK);
  cr_expect_eq(atomic_file_commit(second, NULL), CLA_OK);
  expect_text(path, "second");
  cr_expect_eq(made_folder_entries(folder), 1);
}

Test(atomic_file, takes_a_name_without_a_folder_and_one_of_the_greatest_length) {
  char name[256];
  memset(name, 'x', 255);
  name[255] = 0;
  cr_assert_eq(chdir(folder), 0);
  cr_expect_eq(atomic_file_commit(open_file(name), NULL), CLA_OK);
  cr_expect_eq(access(name, F_OK), 0);
  cr_expect_eq(made_folder_entries(folder), 1);
  cr_assert_eq(chdir("/"), 0);
}

Test(atomic_file, follows_a_link_to_its_file) {
  OWNED(free_memory) char *link_path = made_path(folder, "link");
  struct stat state;
  made_write(path, "old", 3);
  cr_assert_eq(symlink("out.txt", link_path), 0);
  atomic_file *file = open_file(link_path);
  fputs("new", atomic_file_stream(file));
  cr_expect_eq(atomic_file_commit(file, NULL), CLA_OK);
  expect_text(path, "new");
  cr_assert_eq(lstat(link_path, &state), 0);
  cr_expect(S_ISLNK(state.st_mode));
  cr_assert_eq(unlink(path), 0);
  expect_refused(link_path, "link to a missing file");
}

Test(atomic_file, is_refused_with_the_reason_and_a_remedy) {
  OWNED(free_memory) char *missing = made_path(folder, "no/out.txt"), *slash = made_path(folder, "new/");
  OWNED(free_memory) char *below_file = made_path(folder, "out.txt/below");
  made_write(path, "", 0);
  expect_refused(missing, "No such file or directory; create the folder");
  expect_refused(folder, "Is a directory; give the name of a file in it");
  expect_refused(slash, "Is a directory");
  expect_refused(below_file, "Not a directory; create the folder");
  expect_refused("", "No such file");
}

Test(atomic_file, without_permission_is_refused) {
  made_write(path, "old", 3);
  cr_assert_eq(chmod(path, 0400), 0);
  cr_assert_eq(chmod(folder, 0777), 0); /* the folder may be written, the file may not */
  if (geteuid() == 0) {                 /* root may write anything */
    cr_assert_eq(seteuid(65534), 0);
    expect_refused(path, "Permission denied; give a path that you may write to");
    cr_assert_eq(seteuid(0), 0);
  } else {
    expect_refused(path, "Permission denied; give a path that you may write to");
  }
  expect_text(path, "old");
}

Test(atomic_file, leaves_nothing_when_the_disk_is_full) {
  /* A limit on file sizes fails the same calls in the same way, while writing and at the end. Bytes that are
   * written at once leave nothing to fail at the end. */
  static const size_t sizes[] = {100, 200000, 200000};
  static const char bytes[200000];
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  made_write(path, "old", 3);
  for (int index = 0; index < 3; index++) {
    const size_t at_once = index == 2 ? sizes[index] : 1;
    atomic_file *file = open_file(path);
    struct rlimit small = {.rlim_cur = 50, .rlim_max = limit.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (size_t byte = 0; byte < sizes[index]; byte += at_once)
      (void)!fwrite(bytes, 1, at_once, atomic_file_stream(file));
    why = (cla_error){0};
    cla_status status = atomic_file_commit(file, &why);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(status, CLA_ERROR_OUTPUT);
    cr_expect(strstr(why.message, path) && strstr(why.message, "File too large; free some space"), "%s",
              why.message);
    expect_text(path, "old");
    cr_expect_eq(made_folder_entries(folder), 1);
  }
}

Test(atomic_file, reports_a_full_device_when_it_is_committed) {
  atomic_file *file = open_file("/dev/full");
  fputs("text", atomic_file_stream(file));
  assert_error(atomic_file_commit(file, &why), CLA_ERROR_OUTPUT,
               "/dev/full: No space left on device; free some space");
}

Test(atomic_file, writes_directly_to_what_is_no_regular_file) {
  struct stat state;
  char text[16] = "";
  cr_assert_eq(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  cr_assert_geq(reader, 0);
  atomic_file *file = open_file(path);
  fputs("text", atomic_file_stream(file));
  cr_expect_eq(atomic_file_commit(file, NULL), CLA_OK);
  cr_expect_eq(read(reader, text, sizeof text - 1), 4);
  cr_expect_str_eq(text, "text");
  cr_assert_eq(stat(path, &state), 0);
  cr_expect(S_ISFIFO(state.st_mode));
  close(reader);
}

Test(atomic_file, goes_on_after_what_was_written_to_standard_output) {
  int kept = dup(STDOUT_FILENO);
  int output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  cr_assert(kept >= 0 && output >= 0);
  fflush(stdout);
  dup2(output, STDOUT_FILENO);
  cr_expect_eq(write(STDOUT_FILENO, "before ", 7), 7);
  atomic_file *file = open_file("/dev/stdout");
  fputs("middle ", atomic_file_stream(file));
  cla_status status = atomic_file_commit(file, NULL);
  cr_expect_eq(write(STDOUT_FILENO, "after", 5), 5);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  close(output);
  cr_expect_eq(status, CLA_OK);
  expect_text(path, "before middle after");
}
