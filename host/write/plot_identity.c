#include "write/plot_identity.h"

#include "base/extremes.h"
#include "result/cigar_reader.h"
#include "write/plot_scale.h"

/* A window of fewer letters says little, but a short target still gets several. */
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

/* Adds columns that begin in front of letter `at` of the target and consume `consumed` letters of it: all or
 * none. */
static void add(plot_identity *out, const plot_axis *target, int64_t at, int64_t length, bool consumed,
                bool match) {
  if (!consumed) {
    if (at == target->to && at > target->from) at--; /* behind the last letter */
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

void plot_identity_count(plot_identity *out, const plot_view *view, const cla_alignment *alignment,
                         const cla_sequence *query, const cla_sequence *target) {
  cigar_reader reader;
  cigar_step step;
  prepare(out, &view->target);
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  /* The view's rows on the strand along which the reader goes. */
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
