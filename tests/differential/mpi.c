/* clalign-mpi on ranks of mpirun, beside clalign: the same exit code and the same bytes. */

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "differential/files.h"
#include "differential/runs.h"

/* The command's exit code; what it prints goes to FOLDER/NAME. */
static int run(const char *command, const char *folder, const char *name) {
  char line[COMMAND_SIZE + 4096];
  snprintf(line, sizeof line, "%s >%s/%s 2>%s/%s.stderr", command, folder, name, folder, name);
  const int status = system(line);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The first line of what it complained of. */
static void read_error(char *line, int size, const char *folder, const char *name) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s.stderr", folder, name);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, size, file)) line[0] = '\0';
  if (file) fclose(file);
}

/* What a program printed, line by line. */
typedef struct printed {
  char **lines; /* owned, as each */
  size_t count;
} printed;

static void printed_free(printed *all) {
  for (size_t i = 0; i < all->count; i++) free(all->lines[i]);
  free(all->lines);
}

/* Lines that name the command say another one. */
static bool names_command(const char *line) {
  return strncmp(line, "@PG", 3) == 0 || strstr(line, "ommandline") || strstr(line, "ommand:") ||
         strstr(line, "ommandLine");
}

/* JSON without what differs from run to run: times, devices and how much was computed. */
static char *stable(char *line) {
  static const char *const keys[] = {"seconds",        "build_seconds", "gcups",    "gcups_raw",
                                     "cells_computed", "lower_bound",   "stages",   "device",
                                     "kernel",         "pruned",        "verified", "lost_devices"};
  json_t *object = line[0] == '{' ? json_loads(line, 0, NULL) : NULL;
  if (!object) return line;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) (void)json_object_del(object, keys[i]);
  free(line);
  line = json_dumps(object, 0);
  json_decref(object);
  if (!line) abort();
  return line;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static printed read_printed(const drawn_case *one, const char *folder, const char *name) {
  char path[1200], *line = NULL;
  size_t size = 0;
  printed all = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file) abort();
  while (getline(&line, &size, file) >= 0) {
    if (names_command(line)) continue;
    all.lines = realloc(all.lines, (all.count + 1) * sizeof *all.lines);
    if (!all.lines || !(all.lines[all.count] = strdup(line))) abort();
    all.lines[all.count] = stable(all.lines[all.count]);
    all.count++;
  }
  free(line);
  fclose(file);
  if (one->as_finished && all.count > 0) qsort(all.lines, all.count, sizeof *all.lines, by_text);
  return all;
}

/* False, and `text` says where, unless both printed the same. */
static bool same(char text[DIFFERENCE_SIZE], const drawn_case *one, const char *folder) {
  printed alone = read_printed(one, folder, "alone"), ranks = read_printed(one, folder, "ranks");
  size_t at = 0;
  while (at < alone.count && at < ranks.count && strcmp(alone.lines[at], ranks.lines[at]) == 0) at++;
  const bool found = at == alone.count && at == ranks.count;
  if (!found)
    snprintf(text, DIFFERENCE_SIZE, "%s of %d ranks, line %zu: %.300s, alone: %.300s", one->format,
             one->ranks, at + 1, at < ranks.count ? ranks.lines[at] : "none",
             at < alone.count ? alone.lines[at] : "none");
  printed_free(&alone);
  printed_free(&ranks);
  return found;
}

verdict run_mpi(char text[DIFFERENCE_SIZE], const drawn_case *one, const run_place *place) {
  char command[COMMAND_SIZE], program[2048];
  wanted want[CASE_PAIRS_MOST];
  int64_t best[CASE_PAIRS_MOST];
  wanted_make(want, best, one);
  wanted_free(want, one);
  files_write(one, place->folder);
  files_command(command, one, place->program, place->folder, best[0], false);
  const int alone = run(command, place->folder, "alone");
  snprintf(program, sizeof program, "%stimeout 120 mpirun --oversubscribe --allow-run-as-root -n %d %s",
           one->small_alone ? "" : "CLALIGN_MPI_CELLS=1 ", one->ranks, place->ranks_program);
  files_command(command, one, program, place->folder, best[0], false);
  const int ranks = run(command, place->folder, "ranks");
  if (ranks != 0 || alone != 0) {
    char of_ranks[800], of_alone[800];
    read_error(of_ranks, sizeof of_ranks, place->folder, "ranks");
    read_error(of_alone, sizeof of_alone, place->folder, "alone");
    snprintf(text, DIFFERENCE_SIZE, "exit code %d on %d ranks, %d alone: %.400s", ranks, one->ranks, alone,
             ranks != 0 ? of_ranks : of_alone);
    if ((ranks != 0 && run_device_is_full(of_ranks)) || (alone != 0 && run_device_is_full(of_alone)))
      return VERDICT_REFUSED;
    if (ranks != alone) return ranks == 1 && run_lacks_lanes(of_ranks) ? VERDICT_REFUSED : VERDICT_DIFFERENT;
    /* 1: an option; 3: a budget, if there is one */
    return alone == 1 || (alone == 3 && one->memory_bytes > 0) ? VERDICT_REFUSED : VERDICT_DIFFERENT;
  }
  return same(text, one, place->folder) ? VERDICT_SAME : VERDICT_DIFFERENT;
}
