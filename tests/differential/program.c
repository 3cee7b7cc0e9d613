/* The program: files in, a binary alignment for each pair out. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "differential/files.h"
#include "differential/runs.h"

/* What the pair's file holds; none is no alignment. */
static verdict compare_file(char text[DIFFERENCE_SIZE], const drawn_case *one, int pair, const wanted *want,
                            const char *path) {
  cla_alignment **got = NULL;
  size_t count = 0;
  cla_error error = {0};
  if (access(path, F_OK) == 0 && cla_alignment_load(&got, &count, path, &error) != CLA_OK) {
    snprintf(text, DIFFERENCE_SIZE, "%.900s", error.message);
    return VERDICT_DIFFERENT;
  }
  const bool same = compare_alignments(text, one, &one->pairs[pair], want, got, count);
  if (got) cla_alignments_free(got, count);
  return same ? VERDICT_SAME : VERDICT_DIFFERENT;
}

static void found_name(char path[1200], const drawn_case *one, const char *folder, int pair) {
  if (one->entry == ENTRY_PROGRAM)
    snprintf(path, 1200, "%s/found.cla", folder);
  else
    snprintf(path, 1200, "%s/found/%08d.cla", folder, pair + 1);
}

/* A status other than 0, or none though the bound is above the optimum. */
static verdict ended(char text[DIFFERENCE_SIZE], const drawn_case *one, int status, bool claim_fails,
                     const char *folder) {
  char path[1200], line[800] = "";
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  snprintf(path, sizeof path, "%s/stderr", folder);
  FILE *file = fopen(path, "r");
  if (file && !fgets(line, sizeof line, file)) line[0] = '\0';
  if (file) fclose(file);
  if (code == 1) return run_failed(text, one, CLA_ERROR_OPTION, line, claim_fails);
  if (code == 3 && (strstr(line, "memory") || run_device_is_full(line)))
    return run_failed(text, one, CLA_ERROR_MEMORY, line, claim_fails);
  snprintf(text, DIFFERENCE_SIZE, "exit code %d%s: %s", code,
           claim_fails ? ", with a bound above the optimum" : "", line);
  return VERDICT_DIFFERENT;
}

verdict run_program(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place) {
  char command[COMMAND_SIZE], path[1200];
  wanted want[CASE_PAIRS_MOST];
  int64_t best[CASE_PAIRS_MOST];
  int order[CASE_PAIRS_MOST];
  bool due[CASE_PAIRS_MOST] = {false};
  verdict found = VERDICT_SAME;
  wanted_make(want, best, one);
  const int due_count = run_top(order, one, best);
  for (int i = 0; i < due_count; i++) due[order[i]] = true;
  files_write(one, place->folder);
  for (int i = 0; i < one->pair_count; i++) {
    found_name(path, one, place->folder, i);
    remove(path);
  }
  files_command(command, one, place->program, place->folder, best[0], false);
  const size_t used = strlen(command);
  snprintf(command + used, sizeof command - used, " >%s/stdout 2>%s/stderr", place->folder, place->folder);
  const int status = system(command);
  if (status != 0 || want[0].claim_fails)
    found = ended(text, one, status, want[0].claim_fails, place->folder);
  for (int i = 0; i < one->pair_count && found == VERDICT_SAME && status == 0; i++) {
    if (!due[i]) want[i].count = 0;
    found_name(path, one, place->folder, i);
    found = compare_file(text, one, i, &want[i], path);
  }
  wanted_free(want, one);
  return found;
}
