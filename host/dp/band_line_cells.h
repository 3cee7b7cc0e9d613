/* The loop of dp/band_line.c for one type of value. Included once for each type: BAND_VALUE is the type,
 * BAND_LINE_CELLS the function's name. Callers pass constants for `pairs_by`, `two` and `directed`. */

ALWAYS_INLINE void BAND_LINE_CELLS(const band_line *line, const band_costs *costs, band_pairs pairs_by,
                                   bool two, bool directed) {
  BAND_VALUE *h = line->h, *e = line->e, *f = line->f;
  const BAND_VALUE *left = line->before, *pairs = line->before_2, *f_before = line->f_before;
  const BAND_VALUE *floor = line->floor, *query = line->query, *target = line->target;
  const int32_t *scores = line->scores;
  const int8_t *line_scores = line->line_scores;
  uint8_t *directions = line->directions;
  const BAND_VALUE first = (BAND_VALUE)costs->first, ext = (BAND_VALUE)costs->ext;
  const BAND_VALUE down_first = (BAND_VALUE)costs->down_first, down_ext = (BAND_VALUE)costs->down_ext;
  BAND_VALUE *e2 = line->e2, *f2 = line->f2;
  const BAND_VALUE *f2_before = line->f2_before;
  const BAND_VALUE first2 = (BAND_VALUE)costs->first2, ext2 = (BAND_VALUE)costs->ext2;
  const BAND_VALUE down_first2 = (BAND_VALUE)costs->down_first2, down_ext2 = (BAND_VALUE)costs->down_ext2;
  const BAND_VALUE equal = (BAND_VALUE)costs->equal, other = (BAND_VALUE)costs->other;
  const int64_t count = (line->count + GROUP - 1) / GROUP * GROUP;
  INDEPENDENT
  for (int64_t i = 0; i < count; i++) {
    /* The pair comes from two lines before. */
    const BAND_VALUE score = pairs_by == BAND_PAIRS_LINE ? (BAND_VALUE)line_scores[i]
                             : pairs_by == BAND_PAIRS_TABLE
                                 ? (BAND_VALUE)scores[query[i] + target[i]]
                                 : (BAND_VALUE)(query[i] == target[i] ? equal : other);
    const BAND_VALUE pair = (BAND_VALUE)(pairs[i - 1] + score);
    /* Gaps of the first piece: E along the row, F down the rows. */
    const BAND_VALUE e_opened = (BAND_VALUE)(left[i] - first), e_further = (BAND_VALUE)(e[i] - ext);
    const BAND_VALUE f_opened = (BAND_VALUE)(left[i - 1] - down_first);
    const BAND_VALUE f_further = (BAND_VALUE)(f_before[i - 1] - down_ext);
    const BAND_VALUE e_here = LARGEST(e_opened, e_further), f_here = LARGEST(f_opened, f_further);
    /* H is the largest of all. */
    const BAND_VALUE straight = LARGEST(pair, floor[i]), gap = LARGEST(e_here, f_here);
    BAND_VALUE here = LARGEST(straight, gap), e2_opened = 0, e2_here = 0, f2_opened = 0, f2_here = 0;
    /* Gaps of the second piece. */
    if (two) {
      const BAND_VALUE e2_further = (BAND_VALUE)(e2[i] - ext2);
      const BAND_VALUE f2_further = (BAND_VALUE)(f2_before[i - 1] - down_ext2);
      e2_opened = (BAND_VALUE)(left[i] - first2);
      f2_opened = (BAND_VALUE)(left[i - 1] - down_first2);
      e2_here = LARGEST(e2_opened, e2_further);
      f2_here = LARGEST(f2_opened, f2_further);
      const BAND_VALUE gap2 = LARGEST(e2_here, f2_here);
      here = LARGEST(here, gap2);
      e2[i] = e2_here;
      f2[i] = f2_here;
    }
    e[i] = e_here;
    f[i] = f_here;
    h[i] = here;
    /* The direction byte. */
    if (directed) {
      const int gap_from = direction_of_gap(here, e_here, f_here, e2_here, two);
      const int opened =
          direction_opened(e_here, e_opened, E_OPENED) | direction_opened(f_here, f_opened, F_OPENED);
      const int opened2 = two ? direction_opened(e2_here, e2_opened, E2_OPENED) |
                                    direction_opened(f2_here, f2_opened, F2_OPENED)
                              : 0;
      directions[i] = (uint8_t)(direction_of(here, floor[i], pair, gap_from) | opened | opened2);
    }
  }
}

#undef BAND_VALUE
#undef BAND_LINE_CELLS
