#ifndef TESTS_SUPPORT_OWN_FILE_H
#define TESTS_SUPPORT_OWN_FILE_H

/* For suites whose tests have one file each: its path, in a folder of the test's own. */
extern char *own_folder, *own_path;

/* Makes the folder, but not the file; for a suite's .init. */
void own_file_begin(const char *name);

/* Removes both; a suite's .fini. */
void own_file_end(void);

#endif
