#include "differential/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_file(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file) return file;
  perror(path);
  abort();
}

static void close_file(FILE *file) {
  if (fclose(file) == 0) return;
  perror("fclose");
  abort();
}

static void write_matrix(const cla_scoring *s, const char *folder) {
  FILE *file = open_file(folder, "scores.m");
  for (int i = 0; i < s->matrix_size; i++) fprintf(file, " %c", s->letters[i]);
  for (int i = 0; i < s->matrix_size; i++) {
    fprintf(file, "\n%c", s->letters[i]);
    for (int j = 0; j < s->matrix_size; j++) {
      char text[CLA_SCORE_TEXT_SIZE];
      cla_score_text(text, s->matrix[i * CLA_MATRIX_STRIDE + j], s);
      fprintf(file, " %s", text);
    }
  }
  fputc('\n', file);
  close_file(file);
}

/* The bound's path as PAF; of one without pairs there is none: clalign takes no such line. */
static void write_path(const drawn_case *one, const char *folder) {
  const case_pair *pair = &one->pairs[0];
  cla_path path;
  case_path(&path, one, pair);
  int64_t letters[3] = {0}; /* of pairs, of the query alone, of the target alone */
  for (size_t r = 0; r < path.run_count; r++) letters[path.runs[r].kind] += path.runs[r].length;
  if (letters[CLA_RUN_PAIR] == 0) {
    cla_path_free(&path);
    return;
  }
  FILE *file = open_file(folder, "bound.paf");
  const bool reverse = path.strand == CLA_STRAND_REVERSE;
  const int64_t start = path.query_start, stop = start + letters[CLA_RUN_PAIR] + letters[CLA_RUN_QUERY];
  fprintf(file, "q0\t%lld\t%lld\t%lld\t%c\tt0\t%lld\t%lld\t%lld\t0\t%lld\t255\tcg:Z:", (long long)pair->rows,
          (long long)(reverse ? pair->rows - stop : start), (long long)(reverse ? pair->rows - start : stop),
          reverse ? '-' : '+', (long long)pair->columns, (long long)path.target_start,
          (long long)(path.target_start + letters[CLA_RUN_PAIR] + letters[CLA_RUN_TARGET]),
          (long long)(letters[0] + letters[1] + letters[2]));
  for (size_t r = 0; r < path.run_count; r++)
    fprintf(file, "%lld%c", (long long)path.runs[r].length, "MID"[path.runs[r].kind]);
  fputc('\n', file);
  cla_path_free(&path);
  close_file(file);
}

void files_write(const drawn_case *one, const char *folder) {
  char bound[1024];
  FILE *query = open_file(folder, "q.fa"), *target = open_file(folder, "t.fa");
  for (int i = 0; i < one->pair_count; i++) {
    if (i == 0 || !one->all_vs_all) fprintf(query, ">q%d\n%s\n", i, one->pairs[i].query);
    fprintf(target, ">t%d\n%s\n", i, one->pairs[i].target);
  }
  close_file(query);
  close_file(target);
  if (one->scoring.matrix_size > 0) write_matrix(&one->scoring, folder);
  snprintf(bound, sizeof bound, "%s/bound.paf", folder);
  remove(bound);
  if (one->bound == BOUND_PATH) write_path(one, folder);
}

__attribute__((format(printf, 2, 3))) static void add(char command[COMMAND_SIZE], const char *format, ...) {
  const size_t used = strlen(command);
  va_list rest;
  va_start(rest, format);
  vsnprintf(command + used, COMMAND_SIZE - used, format, rest);
  va_end(rest);
}

static void add_score(char command[COMMAND_SIZE], const char *option, int64_t score, const cla_scoring *s) {
  char text[CLA_SCORE_TEXT_SIZE];
  cla_score_text(text, score, s);
  add(command, " --%s=%s", option, text);
}

static void add_scores(char command[COMMAND_SIZE], const drawn_case *one, const char *folder) {
  static const char *const ambiguity[] = {"mismatch", "neutral", "expected"};
  const cla_scoring *s = &one->scoring;
  if (one->preset) {
    add(command, " --preset %s --type %s", one->preset,
        one->alphabet == CLA_ALPHABET_DNA ? "dna" : "protein");
    return;
  }
  if (one->alphabet != CLA_ALPHABET_OWN)
    add(command, " --type %s", one->alphabet == CLA_ALPHABET_DNA ? "dna" : "protein");
  if (s->matrix_size > 0) {
    add(command, " --matrix %s/scores.m --asymmetric", folder);
  } else {
    add_score(command, "match", s->match, s);
    add_score(command, "mismatch", s->mismatch, s);
    if (s->ambiguity) add(command, " --ambiguity %s", ambiguity[s->ambiguity]);
  }
  add_score(command, "gap-first", s->gap_first, s);
  add_score(command, "gap-ext", s->gap_ext, s);
  if (s->gap_first2 == 0) return;
  add_score(command, "gap-first2", s->gap_first2, s);
  add_score(command, "gap-ext2", s->gap_ext2, s);
}

static void add_mode(char command[COMMAND_SIZE], const drawn_case *one) {
  const char *between = " --free-ends ";
  if (one->mode != CLA_MODE_FREE_ENDS) add(command, " --mode %s", cla_mode_name(one->mode));
  for (int i = 0; one->mode == CLA_MODE_FREE_ENDS && i < CLA_FREE_END_COUNT; i++)
    if (one->free_ends >> i & 1) {
      add(command, "%s%s", between, cla_free_end_name((cla_free_ends)(1 << i)));
      between = ",";
    }
  if (one->strand) add(command, " --strand %s", one->strand == CLA_STRAND_BOTH ? "both" : "reverse");
  if (one->circular) add(command, " --circular %s", one->circular == CLA_CIRCULAR_QUERY ? "query" : "target");
  if (one->has_band) add(command, " --band %lld", (long long)one->band);
  if (one->most > 1) add(command, " --max-alignments %lld", (long long)one->most);
  if (one->placement) add(command, " --gap-placement %s", one->placement == CLA_GAPS_LEFT ? "left" : "right");
  if (one->score_only) add(command, " --score-only");
  if (one->split) add(command, " --split");
  if (one->split && !one->preset) add_score(command, "split-drop", one->split_drop, &one->scoring);
}

static void add_kernel(char command[COMMAND_SIZE], const drawn_case *one) {
  char settings[CASE_SETTINGS_SIZE] = "";
  cla_align_options options;
  if (!one->variant) return;
  case_options(&options, one, settings);
  add(command, " --kernel %s", one->variant->name);
  if (case_is_batch(one)) return; /* a batch has no --set */
  for (const char *word = settings; *word;) {
    const int length = (int)strcspn(word, ",");
    add(command, " --set %.*s", length, word);
    word += word[length] == ',' ? length + 1 : length;
  }
}

/* What is known beforehand of a pair alone. */
static void add_bound(char command[COMMAND_SIZE], const drawn_case *one, const char *folder, int64_t best) {
  char bound[1024];
  if (one->bound == BOUND_OFF) {
    add(command, " --lower-bound off");
  } else if (one->bound == BOUND_PATH) {
    snprintf(bound, sizeof bound, "%s/bound.paf", folder);
    if (access(bound, F_OK) == 0) add(command, " --lower-bound %s", bound);
  } else if (one->bound == BOUND_OPTIMUM || one->bound == BOUND_BELOW || one->bound == BOUND_ABOVE) {
    add_score(command, "lower-bound", case_bound(one, best), &one->scoring);
  }
}

void files_command(char command[COMMAND_SIZE], const drawn_case *one, const char *program, const char *folder,
                   int64_t best, bool show) {
  snprintf(command, COMMAND_SIZE, "%s %s", program, case_is_batch(one) ? "batch" : "align");
  const bool on_host = one->small_alone || (case_is_batch(one) && one->by_lanes);
  for (int i = 0; !on_host && i < (one->devices > 1 ? one->devices : 1); i++)
    add(command, i ? ",0" : " --device 0");
  add_scores(command, one, folder);
  add_mode(command, one);
  add_kernel(command, one);
  if (one->special_rows >= 0 && !case_is_batch(one))
    add(command, " --special-rows %lld", (long long)one->special_rows);
  if (one->memory_bytes > 0) add(command, " --memory %lld", (long long)one->memory_bytes);
  if (one->least != LEAST_NONE) add_score(command, "min-score", case_least(one, best), &one->scoring);
  if (case_is_batch(one)) {
    add(command, " --%s", one->all_vs_all ? "all-vs-all" : "pairwise");
    /* Of all against all, chance alignments are left out unless a least score is given. */
    if (one->all_vs_all && one->least == LEAST_NONE) add(command, " --min-score -999999999999");
    if (one->as_finished) add(command, " --as-finished");
    if (one->top > 0) add(command, " --top %lld", (long long)one->top);
  } else {
    add_bound(command, one, folder, best);
  }
  if (case_is_by_mpirun(one))
    add(command, " --quiet --format %s", one->format);
  else if (show)
    add(command, " --format json");
  else if (case_is_batch(one))
    add(command, " --quiet --format json --output %s/found.json --save %s/found", folder, folder);
  else
    add(command, " --quiet --format json --output %s/found.json --save %s/found.cla", folder, folder);
  add(command, " %s/q.fa %s/t.fa", folder, folder);
}
