/* Checks that the options, arrays and scoring scheme of cla_align_arrays fit together. */

#include <string.h>

#include "base/error.h"
#include "batch/arrays_internal.h"
#include "pipeline/pipeline.h"

static cla_status check_options(const cla_align_options *o, cla_error *error) {
  const bool plain = o->several.most == 1 && !o->several.split && o->circular == CLA_CIRCULAR_NONE &&
                     !o->has_band && !o->has_min_score && !o->ranks && !o->run.directory && !o->kernel.name &&
                     !o->kernel.settings && !o->keep_work && o->lower_bound.kind == CLA_LOWER_BOUND_AUTO;
  if (plain) return align_options_check(o, error);
  return error_set(error, CLA_ERROR_OPTION,
                   "pairs as arrays have one alignment each, without circular, has_band, has_min_score, "
                   "ranks, run, kernel, keep_work and lower_bound; leave these as "
                   "cla_align_options_init sets them, or use cla_batch");
}

/* Returns true if all pairs refer to existing sequences. */
static bool are_within(const cla_pair_arrays *p, int side) {
  const int64_t *of = p->of[side], last = p->sequences[side] - 1;
  uint64_t negative = 0;
  if (!of) return p->pairs <= last + 1;
  for (int64_t i = 0; i < p->pairs; i++) negative |= (uint64_t)of[i] | ((uint64_t)last - (uint64_t)of[i]);
  return negative >> 63 == 0;
}

static cla_status check_arrays(const cla_pair_arrays *p, cla_error *error) {
  static const char *const names[] = {"queries", "targets"};
  for (int side = 0; side < 2; side++) {
    for (int64_t i = 0; i < p->sequences[side]; i++)
      if (p->offsets[side][i] > p->offsets[side][i + 1] || p->offsets[side][i] < 0)
        return error_set(error, CLA_ERROR_OPTION, "the offsets of the %s fall at index %lld; they must rise",
                         names[side], (long long)i);
    const bool within = are_within(p, side);
    for (int64_t i = 0; i < p->pairs && !within; i++)
      if (sequence_of(p, side, i) < 0 || sequence_of(p, side, i) >= p->sequences[side])
        return error_set(error, CLA_ERROR_OPTION, "pair %lld is about sequence %lld of %lld %s", (long long)i,
                         (long long)sequence_of(p, side, i), (long long)p->sequences[side], names[side]);
  }
  return CLA_OK;
}

/* Sets the scoring scheme for the alphabet, and checks that the two fit together. */
static cla_status settle_scheme(arrays_call *c, cla_error *error) {
  cla_scoring *scoring = &c->options.scoring;
  const cla_sequence_options how = {
      .known = true, .alphabet = c->pairs->alphabet, .own = scoring->letters, .allow_empty = true};
  cla_sequence *none = NULL;
  cla_status status = cla_sequence_from_letters_with(&none, "none", "", 0, &how, error);
  if (status == CLA_OK) pair_letters_scheme(scoring, none, none);
  if (status == CLA_OK) status = pair_letters_check(scoring, none, none, error);
  cla_sequence_free(none);
  return status;
}

/* Returns a bit mask of the letters for which the scheme has no scores. */
static uint32_t unknown_letters(const arrays_call *c) {
  uint32_t unknown = 0;
  for (int code = 0; c->letters->letters[code]; code++)
    if (!score_table_knows(&c->options.scoring, c->letters->letters[code])) unknown |= UINT32_C(1) << code;
  return unknown;
}

cla_status arrays_settle(arrays_call *c, cla_error *error) {
  cla_scoring *scoring = &c->options.scoring;
  const cla_pair_arrays *p = c->pairs;
  cla_status status = check_options(&c->options, error);
  if (status == CLA_OK) status = settle_scheme(c, error);
  if (status == CLA_OK) status = check_arrays(p, error);
  if (status == CLA_OK) status = alphabet_choose(&c->letters, &c->room, p->alphabet, scoring->letters, error);
  if (status == CLA_OK && !p->strand && c->options.strand != CLA_STRAND_FORWARD &&
      p->alphabet != CLA_ALPHABET_DNA)
    status = error_set(error, CLA_ERROR_INPUT, "only DNA has another strand; leave strand as it is");
  if (status != CLA_OK) return status;
  const uint32_t all = (uint32_t)((UINT64_C(1) << strlen(c->letters->letters)) - 1);
  const uint32_t unambiguous = (uint32_t)((UINT64_C(1) << c->letters->unambiguous) - 1);
  c->unknown = unknown_letters(c);
  score_table_build(&c->table, scoring, c->letters->letters, c->letters->unambiguous);
  c->plain = c->table;
  score_table_keep(&c->plain, unambiguous, unambiguous);
  c->scheme = (path_scheme){scoring, &c->table, path_ends_make(c->options.mode, c->options.free_ends)};
  c->plain_scheme = (path_scheme){scoring, &c->plain, c->scheme.ends};
  if (!score_table_matches(c->matches, scoring, c->letters, all, all))
    memset(c->matches, 0, sizeof c->matches);
  for (int code = 0; code < c->letters->unambiguous; code++) c->matches[code] |= UINT32_C(1) << code;
  return CLA_OK;
}
