/* Advises better options if the options found only a part of what two genomes have in common. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/report.h"

#define LETTERS_LEAST 100000 /* minimum number of letters of each range for advice */
#define COLUMNS_LEAST 1000   /* minimum number of columns for advice; fewer may be aligned by chance */
#define COVERED_LEAST 0.8    /* fraction of the shorter range; advice is given below it */
/* advice if counting each gap as one column raises the identity by at least this much */
#define IDENTITIES_APART 0.02
#define WORDS_LEAST 50 /* minimum number of common words of related strands */
/* The other strand is better if it has over WORDS_FACTOR times as many common words as the aligned strand. */
#define WORDS_FACTOR 2
/* Circular records may start at different places if much is unaligned at the start of one record and at the
 * end of the other, both on the aligned strand. This is the minimum fraction at each of these ends. */
#define ENDS_LEAST 0.1
/* At the opposite ends of these two records, this is the maximum unaligned fraction. */
#define ENDS_MOST 0.02

static int64_t range_letters(const cla_side *side) {
  return side->end - side->begin;
}

static int64_t aligned_letters(const cla_side *side) {
  return side->stop - side->start;
}

/* Returns the fraction of the shorter range that the alignments cover, as an upper limit: letters in two
 * alignments count twice. */
static double part_covered(const cla_results *found, const char **side) {
  const cla_alignment *first = found->alignments[0];
  const bool query = range_letters(&first->query) <= range_letters(&first->target);
  int64_t letters = 0;
  for (size_t i = 0; i < found->count; i++)
    letters += aligned_letters(query ? &found->alignments[i]->query : &found->alignments[i]->target);
  *side = query ? "query" : "target";
  return (double)letters / (double)range_letters(query ? &first->query : &first->target);
}

/* True if the two records may be circles that start at different places. Then the alignment extends from the
 * start of one range to the end of the other range, and much is unaligned at the opposite ends. */
static bool looks_turned(const cla_alignment *alignment) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const double letters = (double)range_letters(query), others = (double)range_letters(target);
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  const int64_t begin = query->start - query->begin, end = query->end - query->stop;
  const double query_before = (double)(reverse ? end : begin) / letters,
               query_behind = (double)(reverse ? begin : end) / letters,
               target_before = (double)(target->start - target->begin) / others,
               target_behind = (double)(target->end - target->stop) / others;
  if (letters > 1.1 * others || others > 1.1 * letters) return false;
  return (query_before >= ENDS_LEAST && target_behind >= ENDS_LEAST && query_behind <= ENDS_MOST &&
          target_before <= ENDS_MOST) ||
         (query_behind >= ENDS_LEAST && target_before >= ENDS_LEAST && query_before <= ENDS_MOST &&
          target_behind <= ENDS_MOST);
}

/* Sets *better to true if the strand that was not aligned has more words in common with the target. */
static cla_status other_strand(bool *better, const cla_results *found, cla_error *error) {
  int64_t words[2];
  const cla_strand strand = found->alignments[0]->strand;
  *better = false;
  cla_status status = cla_strand_words(words, found->query, found->target, error);
  if (status == CLA_OK)
    *better = words[!strand] >= WORDS_LEAST && words[!strand] > WORDS_FACTOR * words[strand];
  return status;
}

/* True if gaps cost as in the presets for genomes: a long gap's further letters cost nothing. */
static bool has_genome_gaps(const cla_scoring *scoring) {
  return scoring->gap_first2 > 0 && scoring->gap_ext2 == 0;
}

static bool identities_differ(const cla_statistics *counts) {
  const double events = (double)(counts->matches + counts->mismatches + counts->gap_opens);
  return counts->columns > 0 &&
         (double)counts->matches / events - (double)counts->matches / (double)counts->columns >
             IDENTITIES_APART;
}

/* Appends a reason to the advice. */
static void add_reason(char text[ADVICE_SIZE], const char *reason) {
  const size_t used = strlen(text);
  if (used == 0)
    snprintf(text, ADVICE_SIZE,
             "  try      'clalign compare', or --preset genome --mode global --split --strand both: %s",
             reason);
  else
    snprintf(text + used, ADVICE_SIZE - used, "; %s", reason);
}

/* Adds the reasons that apply if a local alignment leaves out much of the shorter range. */
static cla_status add_left_out(char text[ADVICE_SIZE], const cla_results *found, const cla_statistics *counts,
                               cla_error *error) {
  const char *side;
  char reason[80];
  bool better = false;
  const double covered = part_covered(found, &side);
  if (found->alignments[0]->mode != CLA_MODE_LOCAL || covered >= COVERED_LEAST) return CLA_OK;
  cla_status status = other_strand(&better, found, error);
  if (better) add_reason(text, "the other strand has more in common");
  if (counts->columns < COLUMNS_LEAST) return status;
  snprintf(reason, sizeof reason, "%.3g %% of the %s is aligned", 100 * covered, side);
  add_reason(text, reason);
  if (looks_turned(found->alignments[0])) add_reason(text, "if these are circles, --circular query");
  return status;
}

cla_status align_advice(char text[ADVICE_SIZE], const cla_results *found, const cla_statistics *counts,
                        cla_error *error) {
  const cla_alignment *first = found->alignments[0];
  text[0] = '\0';
  if (!first->has_path || first->has_split || first->alphabet != CLA_ALPHABET_DNA ||
      range_letters(&first->query) < LETTERS_LEAST || range_letters(&first->target) < LETTERS_LEAST)
    return CLA_OK;
  cla_status status = add_left_out(text, found, counts, error);
  if (counts->columns >= COLUMNS_LEAST && !has_genome_gaps(&first->scoring) && identities_differ(counts))
    add_reason(text, "long gaps count for much in the identity");
  return status;
}
