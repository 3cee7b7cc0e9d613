#ifndef TESTS_DIFFERENTIAL_FILES_H
#define TESTS_DIFFERENTIAL_FILES_H

#include "differential/compare.h"

/* A case as files and a command line. */

#define COMMAND_SIZE 4096

/* Writes q.fa, t.fa and, where scores are a matrix, scores.m into the folder. Aborts where it cannot. */
void files_write(const drawn_case *one, const char *folder);

/* The command for these files, which writes what it finds to found.cla (a batch: to the folder found) beside
 * them unless `show`; `best` is the first pair's optimum. What only the library can be asked for is left out.
 */
void files_command(char command[COMMAND_SIZE], const drawn_case *one, const char *program, const char *folder,
                   int64_t best, bool show);

#endif
