/* The loop of dp/band_line.c for values of BITS bits. The file is included once for each width. */

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VALUE PASTE(int, BITS, _t)
#define LOOP PASTE(loop_, BITS, )
/* Cells beyond the last one may have any values, so their sums may wrap around. */
#define UNSIGNED PASTE(uint, BITS, _t)
#define SUM(a, b) ((VALUE)((UNSIGNED)(a) + (UNSIGNED)(b)))
#define DIFFERENCE(a, b) ((VALUE)((UNSIGNED)(a) - (UNSIGNED)(b)))

/* Computes a line. Callers pass constants for `pairs_by`, `pieces` (the number of pieces of gap costs) and
 * `directed`. */
ALWAYS_INLINE void LOOP(const band_line *line, const band_costs *costs, band_pairs pairs_by, int pieces,
                        bool directed) {
  VALUE *h = line->h, *e[CLA_GAP_PIECES], *f[CLA_GAP_PIECES];
  const VALUE *left = line->before, *pairs = line->before_2, *f_before[CLA_GAP_PIECES];
  const VALUE *floor = line->floor, *query = line->query, *target = line->target;
  const int32_t *scores = line->scores;
  const int8_t *line_scores = line->line_scores;
  cell_direction *directions = line->directions;
  VALUE first[CLA_GAP_PIECES], ext[CLA_GAP_PIECES], down_first[CLA_GAP_PIECES], down_ext[CLA_GAP_PIECES];
  UNROLLED
  for (int k = 0; k < pieces; k++) {
    e[k] = line->e[k];
    f[k] = line->f[k];
    f_before[k] = line->f_before[k];
    first[k] = (VALUE)costs->across[k].first;
    ext[k] = (VALUE)costs->across[k].ext;
    down_first[k] = (VALUE)costs->down[k].first;
    down_ext[k] = (VALUE)costs->down[k].ext;
  }
  const VALUE equal = (VALUE)costs->equal, other = (VALUE)costs->other;
  const int64_t count = (line->count + GROUP - 1) / GROUP * GROUP;
  INDEPENDENT
  for (int64_t i = 0; i < count; i++) {
    /* The node before a pair is on the line before the last. */
    const VALUE score = pairs_by == BAND_PAIRS_LINE    ? (VALUE)line_scores[i]
                        : pairs_by == BAND_PAIRS_TABLE ? (VALUE)scores[query[i] + target[i]]
                                                       : (VALUE)(query[i] == target[i] ? equal : other);
    const VALUE pair = SUM(pairs[i - 1], score);
    VALUE here = LARGEST(pair, floor[i]);
    VALUE e_here[CLA_GAP_PIECES], f_here[CLA_GAP_PIECES];
    int opened = 0;
    /* E is a gap along the row, F a gap down the rows. H is the largest of all values. */
    UNROLLED
    for (int k = 0; k < pieces; k++) {
      const VALUE e_opened = DIFFERENCE(left[i], first[k]), e_further = DIFFERENCE(e[k][i], ext[k]);
      const VALUE f_opened = DIFFERENCE(left[i - 1], down_first[k]);
      const VALUE f_further = DIFFERENCE(f_before[k][i - 1], down_ext[k]);
      const VALUE e_new = LARGEST(e_opened, e_further), f_new = LARGEST(f_opened, f_further);
      const VALUE gap = LARGEST(e_new, f_new);
      here = LARGEST(here, gap);
      e[k][i] = e_new;
      f[k][i] = f_new;
      e_here[k] = e_new;
      f_here[k] = f_new;
      if (directed)
        opened |= direction_opened(e_new, e_opened, OPENED(FROM_E - k)) |
                  direction_opened(f_new, f_opened, OPENED(FROM_F - k));
    }
    h[i] = here;
    if (directed)
      directions[i] = (cell_direction)(direction_of(here, floor[i], pair,
                                                    DIRECTION_OF_GAP(here, e_here, f_here, pieces)) |
                                       opened);
  }
}

#undef PASTE_
#undef PASTE
#undef DIFFERENCE
#undef SUM
#undef UNSIGNED
#undef VALUE
#undef LOOP
#undef BITS
