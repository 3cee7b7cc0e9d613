#include "scoring/pair_problem.h"

#include "seq/sequence.h"

#include <string.h>

static const char *const mode_names[CLA_MODE_COUNT] = {"local",   "global", "semi-global",
                                                       "overlap", "extend", "free-ends"};

static const char *const end_names[CLA_FREE_END_COUNT] = {"query-start", "query-end", "target-start",
                                                          "target-end"};

const char *cla_mode_name(cla_mode mode) {
  return (int)mode >= 0 && (int)mode < CLA_MODE_COUNT ? mode_names[mode] : NULL;
}

bool cla_mode_find(cla_mode *out, const char *name) {
  for (int mode = 0; mode < CLA_MODE_COUNT; mode++)
    if (strcmp(mode_names[mode], name) == 0) {
      *out = (cla_mode)mode;
      return true;
    }
  return false;
}

const char *cla_free_end_name(cla_free_ends end) {
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if ((int)end == 1 << i) return end_names[i];
  return NULL;
}

/* Returns the mode's free ends; -1 if the mode is not defined by free ends. */
static int free_ends_of(cla_mode mode) {
  if (mode == CLA_MODE_GLOBAL) return 0;
  if (mode == CLA_MODE_SEMI_GLOBAL) return CLA_FREE_TARGET_START | CLA_FREE_TARGET_END;
  return mode == CLA_MODE_OVERLAP ? CLA_FREE_ENDS_ALL : -1;
}

cla_mode cla_free_ends_mode(int ends) {
  for (int mode = 0; mode < CLA_MODE_COUNT; mode++)
    if (free_ends_of((cla_mode)mode) == ends) return (cla_mode)mode;
  return CLA_MODE_FREE_ENDS;
}

path_ends path_ends_make(cla_mode mode, int free_ends) {
  const int named = free_ends_of(mode);
  const int ends = named >= 0                   ? named
                   : mode == CLA_MODE_FREE_ENDS ? free_ends
                   : mode == CLA_MODE_LOCAL     ? CLA_FREE_ENDS_ALL
                                                : 0;
  return (path_ends){.query_start = (ends & CLA_FREE_QUERY_START) != 0,
                     .query_end = (ends & CLA_FREE_QUERY_END) != 0,
                     .target_start = (ends & CLA_FREE_TARGET_START) != 0,
                     .target_end = (ends & CLA_FREE_TARGET_END) != 0,
                     .floor = mode == CLA_MODE_LOCAL,
                     .anywhere = mode == CLA_MODE_LOCAL || mode == CLA_MODE_EXTEND};
}

best_kind path_ends_best(const path_ends *ends) {
  if (ends->anywhere) return BEST_ANYWHERE;
  return ends->query_end ? BEST_LAST_COLUMN : BEST_NONE;
}

pair_problem pair_problem_of(const cla_sequence *query, const cla_sequence *target, path_scheme scheme) {
  return (pair_problem){.query = sequence_codes(query) + cla_sequence_begin(query),
                        .target = sequence_codes(target) + cla_sequence_begin(target),
                        .rows = sequence_range_letters(query),
                        .columns = sequence_range_letters(target),
                        .scheme = scheme};
}
