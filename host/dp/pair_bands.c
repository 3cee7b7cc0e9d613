/* Bands of the pair_solver: which band suffices for a loss, and which is tried first. */

#include <stdlib.h>

#include "base/extremes.h"
#include "dp/pair_solver_internal.h"

/* Width of the band before a band is learned from solved pairs: FIRST_BAND + rows / ROWS_OF_BAND
 * diagonals. */
#define FIRST_BAND 8
#define ROWS_OF_BAND 24
/* Number of pairs after which all counts of a class are halved. */
#define SEEN_MOST 4096
/* A group that is solved again costs this many times as much: such groups have more idle lanes, and some of
 * their bands are too narrow again. */
#define AGAIN_DEARER 1.5
/* Cost of a group's letters and results, expressed in columns. */
#define COLUMNS_OF_GROUP 16

/* Returns the cost g(letters) that dp/pair_solver.h defines. */
static int64_t gap_two_sided(const lanes_scheme *scheme, int64_t letters) {
  return 2 * gap_cost(scheme->scheme->scoring, letters) + scheme->match * letters;
}

/* Returns the least cost of a path that leaves the band. */
static int64_t leaving_cost(const lanes_scheme *scheme, int64_t band, int64_t apart) {
  return gap_two_sided(scheme, band + 1) + gap_two_sided(scheme, band + 1 - apart);
}

/* Returns the narrowest band, at most `most`, that contains every path of cost `cost`. */
static int64_t search_band(const lanes_scheme *scheme, int64_t cost, int64_t apart, int64_t most) {
  int64_t low = apart, high = most;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (leaving_cost(scheme, middle, apart) > cost)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool solver_is_banded(const pair_solver *s) {
  return s->scheme.end == LANES_END_CORNER && !s->scheme.scheme->ends.query_start &&
         !s->scheme.scheme->ends.target_start;
}

int32_t solver_band_for(const lanes_scheme *scheme, int64_t loss, int32_t rows, int32_t columns) {
  const cla_scoring *scoring = scheme->scheme->scoring;
  const int64_t cost = 2 * loss - (int64_t)scheme->match * (rows - columns);
  const int64_t apart = abs(rows - columns), most = larger(rows, columns);
  const int64_t open = 2 * ((int64_t)scoring->gap[0].first - scoring->gap[0].ext);
  const int64_t letter = 2 * (int64_t)scoring->gap[0].ext + scheme->match;
  if (scheme->pieces > 1 || letter == 0) return (int32_t)search_band(scheme, cost, apart, most);
  /* 2 open + letter (2 W + 2 - apart) > cost */
  if (cost < 2 * open) return (int32_t)apart;
  const int64_t band = ((cost - 2 * open) / letter + apart) / 2;
  return (int32_t)larger(apart, smaller(band, most));
}

void solver_note_band(seen_class *seen, int class, int32_t band) {
  if (seen->step == 0) seen->step = class > 6 ? 1 << (class - 6) : 1;
  if (seen->seen >= SEEN_MOST) {
    seen->tried8 /= 2;
    seen->capped8 /= 2;
    seen->seen = 0;
    for (int i = 0; i < WIDTHS; i++) seen->seen += seen->needed[i] /= 2;
  }
  seen->needed[smaller(band / seen->step, WIDTHS - 1)]++;
  seen->seen++;
}

int32_t solver_choose_band(const seen_class *seen, int32_t rows) {
  int64_t best = INT64_MAX, wider = 0;
  int32_t chosen = FIRST_BAND + rows / ROWS_OF_BAND;
  for (int place = WIDTHS - 1; place >= 0 && seen->seen > 0; place--) {
    const int64_t columns = 2 * (int64_t)(place + 1) * seen->step - 1 + COLUMNS_OF_GROUP;
    const int64_t all = 2 * columns * seen->seen + (int64_t)(2 * AGAIN_DEARER) * wider;
    if (all <= best) {
      best = all;
      chosen = (place + 1) * seen->step - 1;
    }
    wider += seen->needed[place] * columns;
  }
  return chosen;
}
