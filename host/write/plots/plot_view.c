#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"
#include "result/cigar_reader.h"
#include "write/plots/plot_internal.h"

/* Divisor of the drawn part's length: if only the other sequence's range is given, this margin is added on
 * either side. */
#define MARGIN_SHARE 20

static bool is_given(const cla_plot_range *range) {
  return range->from != 0 || range->to != 0;
}

cla_status plot_range_check(const cla_plot_range *range, const char *role, int64_t length, int64_t begin,
                            int64_t end, cla_error *error) {
  if (!is_given(range)) return CLA_OK;
  if (range->from < 0 || range->from >= range->to || range->to > length)
    return error_set(error, CLA_ERROR_OPTION,
                     "the part %lld-%lld to be drawn is none of the %s, which has %lld letters; give one "
                     "within 1-%lld",
                     (long long)range->from + 1, (long long)range->to, role, (long long)length,
                     (long long)length);
  if (range->from < end && range->to > begin) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "of the part %lld-%lld of the %s nothing was aligned; give one within %lld-%lld",
                   (long long)range->from + 1, (long long)range->to, role, (long long)begin + 1,
                   (long long)end);
}

/* Converts the range to positions in the rotated record. */
static cla_status rotate(cla_plot_range *range, const cla_side *side, const char *role, cla_error *error) {
  if (!is_given(range) || side->rotation == 0) return CLA_OK;
  const cla_plot_range given = *range;
  range->from = (given.from - side->rotation + side->length) % side->length;
  range->to = range->from + given.to - given.from;
  if (range->to <= side->length) return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "the part %lld-%lld of the circular %s holds its letter %lld, at which the alignment cuts it "
      "open; give a part on one side of that",
      (long long)given.from + 1, (long long)given.to, role, (long long)side->rotation + 1);
}

void plot_walk_begin(plot_walk *walk, const cla_alignment *alignment) {
  const cla_side *query = &alignment->query;
  *walk = (plot_walk){.alignment = alignment,
                      .query = alignment->strand == CLA_STRAND_REVERSE ? query->stop : query->start,
                      .target = alignment->target.start};
}

bool plot_walk_next(plot_walk *walk, plot_piece *piece) {
  if (walk->run == walk->alignment->run_count) return false;
  const cla_run *run = &walk->alignment->runs[walk->run++];
  const int64_t step = walk->alignment->strand == CLA_STRAND_REVERSE ? -1 : 1;
  piece->kind = run->kind;
  piece->query = (double)walk->query;
  piece->target = (double)walk->target;
  if (run->kind != CLA_RUN_TARGET) walk->query += step * run->length;
  if (run->kind != CLA_RUN_QUERY) walk->target += run->length;
  piece->to_query = (double)walk->query;
  piece->to_target = (double)walk->target;
  return true;
}

/* Reduces [*first, *last], the visible part of a piece that runs from `from` to `to`, to the part within the
 * axis. Both numbers are fractions of the piece, 0 to 1. */
static void narrow(double *first, double *last, double from, double to, const plot_axis *axis) {
  const double low = (double)axis->from, high = (double)axis->to;
  if (from == to) {
    if (from < low || from > high) *last = -1;
    return;
  }
  double enter = (low - from) / (to - from), leave = (high - from) / (to - from);
  if (enter > leave) {
    const double swapped = enter;
    enter = leave;
    leave = swapped;
  }
  if (enter > *first) *first = enter;
  if (leave < *last) *last = leave;
}

bool plot_piece_clip(plot_piece *piece, const plot_view *view) {
  double first = 0, last = 1;
  narrow(&first, &last, piece->query, piece->to_query, &view->query);
  narrow(&first, &last, piece->target, piece->to_target, &view->target);
  if (first > last) return false;
  const double down = piece->to_query - piece->query, across = piece->to_target - piece->target;
  if (last < 1) {
    piece->to_query = piece->query + last * down;
    piece->to_target = piece->target + last * across;
  }
  if (first > 0) {
    piece->query += first * down;
    piece->target += first * across;
  }
  return true;
}

/* Sets the range of one axis to the part that the paths cross within the other axis' range, plus a margin. If
 * no path crosses that range, the axis is unchanged. */
static void follow_paths(plot_view *view, bool query, const cla_alignment *const *alignments, size_t count) {
  plot_axis *axis = query ? &view->query : &view->target;
  double low = (double)axis->to, high = (double)axis->from;
  for (size_t i = 0; i < count; i++) {
    plot_walk walk;
    plot_piece piece;
    if (!alignments[i]->has_path) continue;
    plot_walk_begin(&walk, alignments[i]);
    while (plot_walk_next(&walk, &piece)) {
      if (!plot_piece_clip(&piece, view)) continue;
      const double from = query ? piece.query : piece.target, to = query ? piece.to_query : piece.to_target;
      if (from < low) low = from;
      if (to < low) low = to;
      if (from > high) high = from;
      if (to > high) high = to;
    }
  }
  if (low > high) return;
  const double margin = (high - low) / MARGIN_SHARE + 1;
  axis->from = larger(axis->from, (int64_t)(low - margin));
  axis->to = smaller(axis->to, (int64_t)(high + margin));
}

cla_status plot_view_choose(plot_view *out, const cla_alignment *const *alignments, size_t count,
                            const cla_plot_options *options, cla_error *error) {
  const cla_side *query = &alignments[0]->query, *target = &alignments[0]->target;
  cla_plot_range rows = options ? options->query : (cla_plot_range){0};
  cla_plot_range columns = options ? options->target : (cla_plot_range){0};
  *out = (plot_view){.query = {.from = query->begin, .to = query->end},
                     .target = {.from = target->begin, .to = target->end}};
  cla_status status = plot_range_check(&rows, "query", query->length, query->begin, query->end, error);
  if (status == CLA_OK)
    status = plot_range_check(&columns, "target", target->length, target->begin, target->end, error);
  if (status == CLA_OK) status = rotate(&rows, query, "query", error);
  if (status == CLA_OK) status = rotate(&columns, target, "target", error);
  if (status != CLA_OK) return status;
  if (is_given(&rows)) {
    out->query.from = larger(rows.from, query->begin);
    out->query.to = smaller(rows.to, query->end);
  }
  if (is_given(&columns)) {
    out->target.from = larger(columns.from, target->begin);
    out->target.to = smaller(columns.to, target->end);
  }
  if (is_given(&rows) != is_given(&columns)) follow_paths(out, is_given(&columns), alignments, count);
  return CLA_OK;
}

static void insert(plot_gaps *gaps, const plot_gap *gap) {
  int at = gaps->count;
  while (at > 0 && gaps->items[at - 1].length < gap->length) at--;
  if (at == PLOT_GAPS_MOST) return;
  if (gaps->count < PLOT_GAPS_MOST) gaps->count++;
  memmove(gaps->items + at + 1, gaps->items + at, (size_t)(gaps->count - 1 - at) * sizeof *gaps->items);
  gaps->items[at] = *gap;
}

static void find_gaps(plot_gaps *out, const plot_view *view, const cla_alignment *alignment) {
  plot_walk walk;
  plot_piece piece;
  plot_walk_begin(&walk, alignment);
  while (plot_walk_next(&walk, &piece)) {
    if (piece.kind == CLA_RUN_PAIR) continue;
    plot_gap gap = {.length = alignment->runs[walk.run - 1].length, .piece = piece};
    gap.query = (int64_t)(piece.query < piece.to_query ? piece.query : piece.to_query);
    gap.target = (int64_t)piece.target;
    if (!plot_piece_clip(&gap.piece, view)) continue;
    out->all++;
    out->large += gap.length >= PLOT_GAP_LEAST;
    insert(out, &gap);
  }
}

void plot_gaps_find(plot_gaps *out, const plot_view *view, const plot_paths *paths) {
  out->all = out->large = 0;
  out->count = 0;
  for (size_t i = 0; i < paths->count; i++) find_gaps(out, view, paths->alignments[i]);
  out->count = (int)smaller(out->count, out->large > 0 ? out->large : PLOT_GAPS_SHORT);
}

void plot_gaps_head(char text[PLOT_GAPS_HEAD_SIZE], const plot_gaps *gaps) {
  char all[PLOT_NUMBER_SIZE], large[PLOT_NUMBER_SIZE];
  plot_number_text(all, gaps->all);
  plot_number_text(large, gaps->large);
  if (gaps->all == 0)
    snprintf(text, PLOT_GAPS_HEAD_SIZE, "No gaps");
  else if (gaps->count == gaps->all)
    snprintf(text, PLOT_GAPS_HEAD_SIZE, "Gaps");
  else if (gaps->large == 0)
    snprintf(text, PLOT_GAPS_HEAD_SIZE, "The %d largest of %s gaps", gaps->count, all);
  else if (gaps->count < gaps->large)
    snprintf(text, PLOT_GAPS_HEAD_SIZE, "%d of %s gaps of %d letters or more", gaps->count, large,
             PLOT_GAP_LEAST);
  else
    snprintf(text, PLOT_GAPS_HEAD_SIZE, "Gaps of %d letters or more (%s of %s)", PLOT_GAP_LEAST, large, all);
}

/* Minimum number of letters of a window, because the identity of fewer letters means little. But a short
 * target has at least WINDOWS_LEAST windows. */
#define LETTERS_LEAST 20
#define WINDOWS_LEAST 10

static void prepare(plot_identity *out, const plot_axis *target) {
  const int64_t letters = larger(target->to - target->from, 1);
  const double narrow = (double)letters / PLOT_WINDOWS_MOST;
  const double least = (double)letters / WINDOWS_LEAST;
  out->letters = plot_round_number(narrow > LETTERS_LEAST  ? narrow
                                   : least < LETTERS_LEAST ? least
                                                           : LETTERS_LEAST);
  out->count = (letters + out->letters - 1) / out->letters;
  for (int64_t i = 0; i < out->count; i++)
    out->windows[i] = (plot_window){.target = target->from + i * out->letters};
}

const int plot_class_percents[PLOT_CLASSES] = {99, 95, 80, 60, 0};

int plot_identity_class(const plot_identity *identity, double target) {
  const double from = (double)identity->windows[0].target;
  const int64_t place = (int64_t)((target - from) / (double)identity->letters);
  const plot_window *window = &identity->windows[smaller(larger(place, 0), identity->count - 1)];
  int found = 0;
  while (found < PLOT_CLASSES - 1 &&
         (window->columns == 0 ||
          (double)window->matches * 100 < (double)window->columns * plot_class_percents[found]))
    found++;
  return found;
}

/* Adds `length` columns, starting before letter `at` of the target. If `consumed`, each column has a target
 * letter; otherwise none has. */
static void add(plot_identity *out, const plot_axis *target, int64_t at, int64_t length, bool consumed,
                bool match) {
  if (!consumed) {
    if (at == target->to && at > target->from) at--; /* after the last letter */
    out->windows[(at - target->from) / out->letters].columns += length;
    return;
  }
  while (length > 0) {
    plot_window *window = &out->windows[(at - target->from) / out->letters];
    const int64_t part = smaller(length, window->target + out->letters - at);
    window->columns += part;
    if (match) window->matches += part;
    at += part;
    length -= part;
  }
}

static void count_identity(plot_identity *out, const plot_view *view, const cla_alignment *alignment,
                           const cla_sequence *query, const cla_sequence *target) {
  cigar_reader reader;
  cigar_step step;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  /* The range of the view's rows on the strand that the reader follows. */
  const int64_t length = alignment->query.length;
  const int64_t query_from = reverse ? length - view->query.to : view->query.from;
  const int64_t query_to = reverse ? length - view->query.from : view->query.to;
  cigar_reader_begin(&reader, alignment, query, target);
  while (cigar_reader_next(&reader, &step)) {
    const bool down = step.operation != 'D', across = step.operation != 'I';
    int64_t first = 0, last = step.length;
    if (down) {
      first = larger(first, query_from - step.query);
      last = smaller(last, query_to - step.query);
    } else if (step.query < query_from || step.query > query_to) {
      continue;
    }
    if (across) {
      first = larger(first, view->target.from - step.target);
      last = smaller(last, view->target.to - step.target);
    } else if (step.target < view->target.from || step.target > view->target.to) {
      continue;
    }
    if (first < last)
      add(out, &view->target, step.target + (across ? first : 0), last - first, across,
          step.operation == '=');
  }
}

void plot_identity_count(plot_identity *out, const plot_view *view, const plot_paths *paths,
                         const cla_sequence *query, const cla_sequence *target) {
  prepare(out, &view->target);
  for (size_t i = 0; i < paths->count; i++) count_identity(out, view, paths->alignments[i], query, target);
}
