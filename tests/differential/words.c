/* What a case is called in the closing table and in options. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "differential/cases.h"
#include "differential/modes.h"
#include "differential/schemes.h"

const char *const category_names[CATEGORY_COUNT] = {"shape",  "mode",   "gaps",   "scores", "bound",
                                                    "bounds", "least",  "kernel", "entry",  "asked",
                                                    "ranks",  "format", "preset"};

static const char *const bounds[BOUND_WORDS] = {"off",           "auto",          "the optimum",
                                                "below optimum", "above optimum", "a path"};
static const char *const bounds_of[BOUNDS_WORDS] = {"auto", "band", "sweep"};
static const char *const leasts[LEAST_WORDS] = {"none", "the optimum", "below optimum", "above optimum"};
static const char *const entries[ENTRIES] = {
    "align",         "small plan", "partners",     "batch",           "program",
    "program batch", "ranks",      "ranks, batch", "ranks of mpirun", "ranks of mpirun, batch"};

bool case_is_by_mpirun(const drawn_case *one) {
  return one->entry == ENTRY_MPI || one->entry == ENTRY_MPI_BATCH;
}

bool case_is_batch(const drawn_case *one) {
  return one->entry == ENTRY_BATCH || one->entry == ENTRY_PROGRAM_BATCH || one->entry == ENTRY_RANKS_BATCH ||
         one->entry == ENTRY_MPI_BATCH;
}

bool case_is_of_program(const drawn_case *one) {
  return one->entry == ENTRY_PROGRAM || one->entry == ENTRY_PROGRAM_BATCH || case_is_by_mpirun(one);
}

static const char *asked(const drawn_case *one) {
  if (one->has_band) return "band";
  if (one->circular) return "circular";
  if (one->most > 1) return one->strand == CLA_STRAND_BOTH ? "several, both strands" : "several";
  if (one->split) return one->strand == CLA_STRAND_BOTH ? "split, both strands" : "split";
  if (one->top > 0) return "top";
  if (one->placement) return one->placement == CLA_GAPS_LEFT ? "gaps left" : "gaps right";
  if (one->strand == CLA_STRAND_BOTH) return one->score_only ? "both strands, score" : "both strands";
  if (one->strand == CLA_STRAND_REVERSE) return one->score_only ? "reverse, score" : "reverse";
  return one->score_only ? "score" : "alignment";
}

const char *case_word(const drawn_case *one, case_category category, char buffer[CASE_WORD_SIZE]) {
  switch (category) {
    case CATEGORY_RANKS:
      snprintf(buffer, CASE_WORD_SIZE, one->ranks > 0 ? "%d ranks" : "none", one->ranks);
      return buffer;
    case CATEGORY_FORMAT: return one->format ? one->format : "none";
    case CATEGORY_PRESET: return one->preset ? one->preset : "none";
    case CATEGORY_SHAPE: return one->shape;
    case CATEGORY_MODE: return mode_word(one->mode, one->free_ends, buffer);
    case CATEGORY_GAPS: return scheme_gaps_word(&one->scoring);
    case CATEGORY_SCORES: return one->scheme;
    case CATEGORY_BOUND: return bounds[one->bound];
    case CATEGORY_BOUNDS: return bounds_of[one->bounds];
    case CATEGORY_LEAST: return leasts[one->least];
    case CATEGORY_KERNEL: return one->variant ? one->variant->name : "chosen";
    case CATEGORY_ENTRY: return entries[one->entry];
    default: return asked(one);
  }
}

/* Adds NAME=VALUE to the settings. */
__attribute__((format(printf, 2, 3))) static void add_setting(char settings[CASE_SETTINGS_SIZE],
                                                              const char *format, ...) {
  const size_t used = strlen(settings);
  va_list values;
  va_start(values, format);
  if (used > 0) snprintf(settings + used, CASE_SETTINGS_SIZE - used, ",");
  const size_t from = strlen(settings);
  vsnprintf(settings + from, CASE_SETTINGS_SIZE - from, format, values);
  va_end(values);
}

void case_options(cla_align_options *options, const drawn_case *one, char settings[CASE_SETTINGS_SIZE]) {
  cla_align_options_init(options);
  options->mode = one->mode;
  options->free_ends = one->free_ends;
  options->strand = one->strand;
  options->scoring = one->scoring;
  options->has_band = one->has_band;
  options->band = one->band;
  options->circular = one->circular;
  options->gap_placement = one->placement;
  options->score_only = one->score_only;
  options->several.split = one->split;
  options->several.drop = one->split_drop;
  options->budgets.special_rows = one->special_rows;
  options->budgets.memory_bytes = one->memory_bytes;
  options->budgets.threads = one->threads;
  settings[0] = '\0';
  if (one->variant) options->kernel.name = one->variant->name;
  if (one->variant && one->tile > 0) {
    add_setting(settings, "lanes=%d,alpha=%d,tile=%lld", one->lanes, one->alpha, (long long)one->tile);
    if (one->launch == KERNEL_DIAGONALS) add_setting(settings, "launch=diagonals");
    if (one->launch == KERNEL_PERSISTENT) add_setting(settings, "launch=persistent,groups=%d", one->groups);
  }
  if (one->bounds != BOUNDS_AUTO) add_setting(settings, "bounds=%s", bounds_of[one->bounds]);
  if (settings[0]) options->kernel.settings = settings;
}
