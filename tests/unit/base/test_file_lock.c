#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "support/made_alignment.h"
#include "support/test.h"

Test(file_lock, keeps_another_away_until_it_is_released) {
  char *folder = made_folder(), *path = made_path(folder, "a.lock");
  file_lock *first = NULL, *second = NULL;
  bool busy = false;
  assert_ok(file_lock_take(&first, &busy, path, &why));
  cr_assert_not(busy);
  assert_ok(file_lock_take(&second, &busy, path, &why));
  cr_assert(busy);
  cr_assert_null(second);
  file_lock_release(first);
  cr_assert_eq(made_folder_entries(folder), 0);
  assert_ok(file_lock_take(&second, &busy, path, &why));
  cr_assert_not(busy);
  file_lock_release(second);
  free(path);
  made_folder_remove(folder);
}

Test(file_lock, ends_with_its_process) {
  char *folder = made_folder(), *path = made_path(folder, "a.lock");
  const pid_t child = fork();
  if (child == 0) {
    file_lock *lock = NULL;
    bool busy = true;
    _exit(file_lock_take(&lock, &busy, path, &why) == CLA_OK && !busy ? 0 : 1); /* the lock is not released */
  }
  int state = -1;
  cr_assert_eq(waitpid(child, &state, 0), child);
  cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  cr_assert_eq(made_folder_entries(folder), 1);
  file_lock *lock = NULL;
  bool busy = true;
  assert_ok(file_lock_take(&lock, &busy, path, &why));
  cr_assert_not(busy);
  file_lock_release(lock);
  free(path);
  made_folder_remove(folder);
}

Test(file_lock, a_path_that_cannot_be_is_an_error) {
  file_lock *lock = NULL;
  bool busy = false;
  cr_assert_eq(file_lock_take(&lock, &busy, "/proc/nowhere/a.lock", &why), CLA_ERROR_OUTPUT);
  cr_assert_null(lock);
  cr_assert_neq(why.message[0], 0);
  cr_assert_eq(folders_make("/proc/nowhere/a.lock", &why), CLA_ERROR_OUTPUT);
}
