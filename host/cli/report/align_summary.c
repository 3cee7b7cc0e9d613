#include "cli/report/certificates.h"
#include "cli/report/report.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LABEL_COLUMNS 11 /* columns of the label at the start of a line */
#define FURTHER_LINES 10 /* maximum number of lines for alignments after the first */

static void print_side(FILE *out, const char *label, const cla_side *side, bool has_path, bool reverse) {
  int64_t start, stop;
  cla_side_positions(side, &start, &stop);
  fprintf(out, "  %-9s", label);
  if (has_path && side->start == side->stop)
    fprintf(out, "no letter");
  else if (has_path)
    fprintf(out, "letters %" PRId64 " to %" PRId64, start + 1,
            stop > side->length ? stop - side->length : stop);
  else if (reverse && side->start >= 0)
    fprintf(out, "from letter %" PRId64, start + 1);
  else
    fprintf(out, "up to letter %" PRId64, stop);
  fprintf(out, " of %" PRId64 "%s, ", side->length, stop > side->length ? " across the origin" : "");
  cli_print_name(out, side->name);
  fprintf(out, "%s\n", reverse ? ", reverse strand" : "");
}

static void print_statistics(FILE *out, const cla_statistics *counts) {
  double percent = counts->columns > 0 ? 100.0 * (double)counts->matches / (double)counts->columns : 0.0;
  const int64_t events = counts->matches + counts->mismatches + counts->gap_opens;
  fprintf(out, "  identity %.2f %%: %" PRId64 " of %" PRId64 " columns, %" PRId64 " mismatches", percent,
          counts->matches, counts->columns, counts->mismatches);
  if (counts->positives > counts->matches)
    fprintf(out, ", %" PRId64 " of them similar", counts->positives - counts->matches);
  if (counts->matches > 0 && counts->gap_opens > 0)
    fprintf(out, "; %.2f %% if each gap counts as one", 100.0 * (double)counts->matches / (double)events);
  fprintf(out, "\n");
  fprintf(out, "  gaps     %" PRId64 " of %" PRId64 " letters in all\n", counts->gap_opens,
          counts->gap_letters);
}

/* maximum fraction of columns in dissimilar parts without a warning */
#define UNLIKE_SHARE 0.05
/* Minimum number of compared columns for this warning. */
#define UNLIKE_COLUMNS 1000

/* Prints the fraction of columns in dissimilar parts, because an optimal path also runs through parts that
 * have nothing in common. `remedy`: also prints what to do about it. */
static void print_unlike(FILE *out, const cla_statistics *counts, const cla_alignment *alignment,
                         bool remedy) {
  const double share = counts->compared > 0 ? (double)counts->unlike / (double)counts->compared : 0;
  if (alignment->alphabet != CLA_ALPHABET_DNA || counts->compared < UNLIKE_COLUMNS || share <= UNLIKE_SHARE)
    return;
  fprintf(
      out,
      "  warning  %.3g %% of the columns lie in windows of 100 under 60 %% identity: these letters need not "
      "be related%s",
      100 * share, remedy ? "; " : "");
  if (remedy && !(alignment->scoring.gap_first2 > 0 && alignment->scoring.gap_ext2 == 0))
    fprintf(out, "--preset genome makes gaps of unlike stretches, ");
  fprintf(out, "%s\n", remedy ? "--split --strand both cuts them out and finds inverted parts" : "");
}

/* Prints the number of pieces, and the fraction of the target that they cover. */
static void print_pieces(FILE *out, const cla_alignment *const *alignments, size_t count) {
  char drop[CLA_SCORE_TEXT_SIZE];
  int64_t letters[2] = {0, 0};
  size_t pieces[2] = {0, 0};
  if (!alignments[0]->has_split) return;
  for (size_t i = 0; i < count; i++) {
    const bool reverse = alignments[i]->strand == CLA_STRAND_REVERSE;
    letters[reverse] += alignments[i]->target.stop - alignments[i]->target.start;
    pieces[reverse]++;
  }
  cla_score_text(drop, alignments[0]->split_drop, &alignments[0]->scoring);
  fprintf(out, "  pieces   %zu, cut where the score drops by more than %s; above is the best: ", count, drop);
  if (pieces[0] > 0) fprintf(out, "%zu forward with %" PRId64 " target letters", pieces[0], letters[0]);
  if (pieces[1] > 0)
    fprintf(out, "%s%zu reverse with %" PRId64, pieces[0] > 0 ? ", " : "", pieces[1], letters[1]);
  fputc('\n', out);
}

static void print_scoring(FILE *out, const cla_scoring *scoring, cla_alphabet alphabet) {
  static const char *const ambiguity[] = {"", ", ambiguous letters neutral",
                                          ", ambiguous letters by expectation"};
  char first[CLA_SCORE_TEXT_SIZE], second[CLA_SCORE_TEXT_SIZE];
  fprintf(out, "  scoring  %s: ", cla_alphabet_name(alphabet));
  cla_score_text(first, scoring->match, scoring);
  cla_score_text(second, scoring->mismatch, scoring);
  if (scoring->matrix_size > 0)
    fprintf(out, "%s", scoring->matrix_name);
  else
    fprintf(out, "match %s, mismatch %s%s", first, second, ambiguity[scoring->ambiguity]);
  for (int k = 0; k < CLA_GAP_PIECES && (k == 0 || scoring->gap[k].first > 0); k++) {
    cla_score_text(first, scoring->gap[k].first, scoring);
    cla_score_text(second, scoring->gap[k].ext, scoring);
    fprintf(out,
            k == 0 ? ", gap %s for the first letter and %s for each further one"
                   : ", or %s and %s if that is less",
            first, second);
  }
  fputc('\n', out);
}

/* Prints the seconds of each stage that computed anything. */
static void print_stages(FILE *out, const cla_metrics *metrics) {
  const int64_t others =
      metrics->bounds.cells + metrics->search.cells + metrics->blocks.cells + metrics->bands.cells;
  const cla_stage sweep = {.cells = metrics->cells_computed - others, .seconds = metrics->sweep_seconds};
  const cla_stage *stages[] = {&metrics->bounds, &sweep, &metrics->search, &metrics->blocks, &metrics->bands};
  static const char *const names[] = {"bounds", "sweep", "start search", "blocks", "bands"};
  const char *before = "  stages   ";
  if (metrics->cells_computed == 0) return;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (stages[i]->cells == 0) continue;
    fprintf(out, "%s%s %.3g cells in %.2f s", before, names[i], (double)stages[i]->cells, stages[i]->seconds);
    before = ", ";
  }
  fputc('\n', out);
}

/* Prints the time, which is unknown for a saved alignment. */
static void print_time(FILE *out, const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  fprintf(out, "  time     %.2f s", metrics->seconds);
  /* With a band, only the cells inside it are counted, because nothing was proven outside. */
  const int64_t done = alignment->has_band ? metrics->cells_computed : metrics->cells;
  if (metrics->seconds > 0) {
    fprintf(out, ", %.2f GCUPS", (double)done / metrics->seconds / 1e9);
    if (metrics->cells_computed < done)
      fprintf(out, " (%.2f raw)", (double)metrics->cells_computed / metrics->seconds / 1e9);
  }
  fprintf(out, " on %s", metrics->device);
  if (metrics->build_seconds >= BUILD_SHOWN)
    fprintf(out, "; before that %.2f s for kernels, compiled once for a machine", metrics->build_seconds);
  fputc('\n', out);
}

static void print_score(FILE *out, const cla_alignment *alignment) {
  char score[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, alignment->score, &alignment->scoring);
  fprintf(out, "  score    %s (%s", score, cla_mode_name(alignment->mode));
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if (alignment->free_ends & 1 << i) fprintf(out, ", %s", cla_free_end_name((cla_free_ends)(1 << i)));
  fprintf(out, ")\n");
}

/* Prints what is aligned, and the identity, gaps and score. */
static cla_status print_best(FILE *out, cla_statistics *counts, const cla_results *found, cla_error *error) {
  const cla_alignment *alignment = found->alignments[0];
  if (alignment->has_path) {
    cla_status status = cla_alignment_count(counts, alignment, found->query, found->target, error);
    if (status != CLA_OK) return status;
  }
  if (alignment->has_band)
    fprintf(out, "  NOT PROVEN to be the best: only a band of %" PRId64 " diagonals was looked at\n",
            alignment->band);
  print_side(out, "query", &alignment->query, alignment->has_path, alignment->strand == CLA_STRAND_REVERSE);
  print_side(out, "target", &alignment->target, alignment->has_path, false);
  if (alignment->has_path) print_statistics(out, counts);
  if (found->certificates && found->certificates[0])
    cli_certificate_print(out, found->certificates[0], alignment);
  print_score(out, alignment);
  print_scoring(out, &alignment->scoring, alignment->alphabet);
  return CLA_OK;
}

/* Prints how the first alignment was found. */
static void print_engine(FILE *out, const cla_alignment *alignment) {
  const cla_metrics *metrics = &alignment->metrics;
  char score[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, metrics->lower_bound, &alignment->scoring);
  if (metrics->pruned)
    fprintf(out, "  computed %.3g %% of the matrix: no alignment of score %s or more uses the rest\n",
            100.0 * (double)metrics->cells_computed / (double)metrics->cells, score);
  if (metrics->device[0]) print_time(out, alignment);
  if (metrics->lost_devices[0])
    fprintf(out, "  left out %s; the other devices did its work\n", metrics->lost_devices);
  print_stages(out, metrics);
}

/* Prints a line for each alignment after the first. */
static void print_further(FILE *out, const cla_results *found) {
  const cla_alignment *const *alignments = found->alignments;
  const size_t count = found->count;
  char score[CLA_SCORE_TEXT_SIZE];
  if (found->certificates && found->certificates[0]->optimal_count > 0) return;
  for (size_t i = 1; i < count; i++) {
    const cla_alignment *one = alignments[i];
    if (i == FURTHER_LINES && count > FURTHER_LINES + 1) {
      fprintf(out, "  and %zu more\n", count - i);
      break;
    }
    cla_score_text(score, one->score, &one->scoring);
    fprintf(out,
            "  no. %-4zu score %s, query %" PRId64 " to %" PRId64 "%s, target %" PRId64 " to %" PRId64 "\n",
            i + 1, score, one->query.start + 1, one->query.stop,
            one->strand == CLA_STRAND_REVERSE ? " reverse" : "", one->target.start + 1, one->target.stop);
  }
}

/* Prints the total time of all alignments, if it is known. */
static void print_sum(FILE *out, const cla_alignment *const *alignments, size_t count) {
  double seconds = 0;
  for (size_t i = 0; i < count; i++) seconds += alignments[i]->metrics.seconds;
  if (count > 1 && seconds > alignments[0]->metrics.seconds && !alignments[0]->has_split)
    fprintf(out, "  in all   %.2f s for %zu alignments\n", seconds, count);
}

/* Prints lines as wide as the terminal, or unbroken if stderr is no terminal. */
static void show(const char *text) {
  wrapped_lines(stderr, text, terminal_columns(STDERR_FILENO, INT_MAX), LABEL_COLUMNS);
}

cla_status align_summary_print(const cla_results *found, bool advise, cla_error *error) {
  const cla_alignment *const *alignments = found->alignments;
  cla_statistics counts = {0};
  char *text = NULL, advice[ADVICE_SIZE] = "";
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the summary; free some memory");
  cla_status status = print_best(out, &counts, found, error);
  if (status == CLA_OK && advise) status = align_advice(advice, found, &counts, error);
  if (status == CLA_OK && alignments[0]->has_path) print_unlike(out, &counts, alignments[0], !advice[0]);
  if (status == CLA_OK) print_pieces(out, alignments, found->count);
  if (status == CLA_OK) print_further(out, found);
  if (status == CLA_OK && advice[0]) fprintf(out, "%s\n", advice);
  if (status == CLA_OK) print_engine(out, alignments[0]);
  if (status == CLA_OK) print_sum(out, alignments, found->count);
  const bool written = fclose(out) == 0;
  if (status == CLA_OK && written) show(text);
  free(text);
  if (status != CLA_OK || written) return status;
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the summary; free some memory");
}

void align_summary_print_none(const cla_align_options *how) {
  char least[CLA_SCORE_TEXT_SIZE];
  if (how->several.split) {
    fprintf(stderr, "  score    too low everywhere (%s): no piece is reported\n", cla_mode_name(how->mode));
    return;
  }
  cla_score_text(least, how->min_score, &how->scoring);
  fprintf(stderr, "  score    below %s (%s): no alignment is reported\n", least, cla_mode_name(how->mode));
}
