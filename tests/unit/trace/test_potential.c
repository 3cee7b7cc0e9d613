/* Potentials and their bands against the oracle. Excluded nodes and gap states of small pairs lie on no path
 * of the bound's score, and the band's path is the canonical one. */

#include "base/allocate.h"
#include "base/extremes.h"
#include "bounds/potential_internal.h"
#include "dp/edits.h"
#include "seq/sequence.h"
#include "support/cases/potential_case.h"
#include "support/reference_difference.h"
#include "support/test.h"
#include "trace/whole_band_internal.h"

#define OUT_OF_REACH (REFERENCE_MINUS_INFINITY / 2)

/* What was seen in all cases. */
typedef struct counts {
  long long made, looked_up, nodes, excluded, on_paths, tight, above_starts, bands, parts, levels;
  long long beside; /* pairs whose bound's path is not optimal */
} counts;

/* The matrix of the letters in reverse: what a path from each node on gains. */
static void fill_back(reference_matrix *out, const potential_case *x) {
  uint8_t letters[2][2 * POTENTIAL_CASE_LETTERS];
  const pair_problem *p = &x->problem;
  const path_ends *ends = &p->scheme.ends;
  reference_borders borders;
  pair_problem back = *p;
  for (int64_t i = 0; i < p->rows; i++) letters[0][i] = p->query[p->rows - 1 - i];
  for (int64_t j = 0; j < p->columns; j++) letters[1][j] = p->target[p->columns - 1 - j];
  back.query = letters[0];
  back.target = letters[1];
  back.scheme.ends = (path_ends){.query_start = ends->anywhere || ends->query_end,
                                 .target_start = ends->anywhere || ends->target_end,
                                 .floor = ends->anywhere,
                                 .anywhere = ends->floor};
  assert_ok(reference_borders_make(&borders, p->rows, p->columns, &x->scoring, back.scheme.ends, &why));
  assert_ok(reference_fill(out, &back, &borders, &why));
  reference_borders_free(&borders);
}

static void forward(reference_matrix *out, const potential_case *x) {
  const pair_problem *p = &x->problem;
  reference_borders borders;
  assert_ok(reference_borders_make(&borders, p->rows, p->columns, &x->scoring, p->scheme.ends, &why));
  assert_ok(reference_fill(out, p, &borders, &why));
  reference_borders_free(&borders);
}

static int64_t joined(int64_t before, int64_t behind, int64_t opening) {
  return before < OUT_OF_REACH || behind < OUT_OF_REACH ? INT64_MIN : before + behind + opening;
}

/* The least value with which a path from a node on would reach the bound, in one of the states, where some
 * path does. */
static void lower_to(int64_t *least, int64_t before, int64_t behind, int64_t opening, int64_t bound) {
  if (joined(before, behind, opening) >= bound) *least = smaller(*least, bound - behind - opening);
}

static int64_t least_value(const potential_case *x, const reference_matrix *to, const reference_matrix *from,
                           int64_t i, int64_t j) {
  const cla_scoring *s = &x->scoring;
  const int64_t a = i * (to->columns + 1) + j, bound = x->want.score - x->behind;
  const int64_t b = (x->problem.rows - i) * (to->columns + 1) + x->problem.columns - j;
  int64_t least = INT64_MAX;
  lower_to(&least, to->h[a], from->h[b], 0, bound);
  for (int k = 0; k < gap_pieces(s); k++) {
    lower_to(&least, to->f[k][a], from->f[k][b], s->gap[k].first - s->gap[k].ext, bound);
    lower_to(&least, to->e[k][a], from->e[k][b], s->gap[k].first - s->gap[k].ext, bound);
  }
  return least;
}

/* Above a node in which a path that matters starts, nothing on its diagonal is excluded that is as good as a
 * start: the band comes down there. */
static void expect_open_starts(counts *seen, const potential_case *x, const reference_matrix *from) {
  const int64_t rows = x->problem.rows, columns = x->problem.columns, bound = x->want.score - x->behind;
  for (int64_t diagonal = -rows; diagonal <= columns; diagonal++) {
    bool starts = false;
    for (int64_t i = smaller(rows, columns - diagonal); i >= 0 && i + diagonal >= 0; i--) {
      const int64_t j = i + diagonal;
      starts |= reference_at(from, from->h, rows - i, columns - j) >= bound;
      if (!starts) continue;
      seen->above_starts++;
      cr_assert_not(potential_excludes(x->potential, i, j, 0),
                    "seed %llu: node (%lld, %lld) above a start or at one", (unsigned long long)x->seed,
                    (long long)i, (long long)j);
    }
  }
}

static void expect_admissible(counts *seen, const potential_case *x) {
  OWNED(reference_matrix_free) reference_matrix to, from;
  forward(&to, x);
  fill_back(&from, x);
  for (int64_t i = 0; i <= x->problem.rows; i++)
    for (int64_t j = 0; j <= x->problem.columns; j++) {
      const int64_t least = least_value(x, &to, &from, i, j);
      seen->nodes++;
      seen->excluded += potential_excludes(x->potential, i, j, reference_at(&to, to.h, i, j));
      if (least == INT64_MAX) continue;
      seen->on_paths++;
      cr_assert_not(potential_excludes(x->potential, i, j, least),
                    "seed %llu: node (%lld, %lld) with %lld on a path of the bound's score",
                    (unsigned long long)x->seed, (long long)i, (long long)j, (long long)least);
      seen->tight += potential_excludes(x->potential, i, j, least - 1);
      if (!x->shape.plain) continue; /* costs are those of the bound's path and beside it */
      const int64_t gains = x->want.score - x->behind - least, letters = to.rows + to.columns - i - j;
      cr_assert_leq(potential_cost(x->potential, i, j - i, j - i),
                    potential_case_match(x) * letters - 2 * gains, "seed %llu: node (%lld, %lld) costs less",
                    (unsigned long long)x->seed, (long long)i, (long long)j);
    }
  if (x->problem.scheme.ends.floor) expect_open_starts(seen, x, &from);
}

/* All levels are told of: those that ran leave the rows of the optimum's pairs, and the last one what the
 * potential does. */
static void expect_levels(counts *seen, const potential_case *x) {
  const potential_levels *levels = &x->levels;
  int64_t cells = 0;
  int last = -1;
  cr_assert(levels->count >= 2 && levels->count <= CLA_LEVELS_MOST);
  for (int i = 0; i < levels->count; i++) {
    const cla_bound_level *said = &levels->at[i];
    cells += said->cells;
    cr_assert(said->exact_cells <= said->cells && said->seconds >= 0);
    seen->levels++;
    cr_assert_eq(x->parts_end[i], said->end == CLA_LEVEL_RAN ? x->problem.rows : 0);
    if (said->end != CLA_LEVEL_RAN) continue;
    cr_assert(said->left > 0 && said->left <= 1);
    last = i;
    int64_t row = x->want.query_start, column = x->want.target_start;
    for (size_t k = 0; k < x->want.run_count; k++) {
      const cla_run *run = &x->want.runs[k];
      for (int64_t n = 0; n < run->length && run->kind == CLA_RUN_PAIR; n++)
        cr_assert(x->left[i][row + n][0] <= column - row && column - row <= x->left[i][row + n][1]);
      row += run->kind != CLA_RUN_TARGET ? run->length : 0;
      column += run->kind != CLA_RUN_QUERY ? run->length : 0;
    }
  }
  cr_assert_eq(cells, levels->cells);
  for (int64_t row = 1; row <= x->problem.rows; row++) {
    int64_t left_first, left_last;
    potential_row(x->potential, row, &left_first, &left_last);
    cr_assert_eq(left_first, larger(row + x->left[last][row - 1][0], 0));
    cr_assert_eq(left_last, smaller(row + x->left[last][row - 1][1], x->problem.columns));
  }
}

static void expect_band(counts *seen, potential_case *x, const lower_bound *bound, int64_t parts) {
  row_worth worth;
  whole_band *band = NULL;
  live_band_outcome outcome;
  path_end end;
  path steps = {0};
  cla_run *runs = NULL;
  size_t count = 0;
  int64_t row, column;
  const whole_band_input whole = {.problem = &x->problem,
                                  .potential = x->potential,
                                  .worth = &worth,
                                  .bound = bound,
                                  .threads = 1 + (int)(x->seed % 3),
                                  .bytes_limit = 1 << 26,
                                  .parts = parts,
                                  .line_interval = 8};
  assert_ok(row_worth_make(&worth, x->problem.query, x->problem.rows, &x->table, &why));
  assert_ok_for(whole_band_sweep(&band, &outcome, &end, &whole, &why), "seed %llu",
                (unsigned long long)x->seed);
  cr_assert_eq(outcome, LIVE_BAND_READY, "seed %llu: outcome %d", (unsigned long long)x->seed, (int)outcome);
  cr_assert(end.score == x->want.score && end.row == x->want.query_end && end.column == x->want.target_end,
            "seed %llu: %lld in (%lld, %lld), not %lld in (%lld, %lld)", (unsigned long long)x->seed,
            (long long)end.score, (long long)end.row, (long long)end.column, (long long)x->want.score,
            (long long)x->want.query_end, (long long)x->want.target_end);
  assert_ok_for(whole_band_trace(&row, &column, &steps, &outcome, band, &why), "seed %llu",
                (unsigned long long)x->seed);
  cr_assert_eq(outcome, LIVE_BAND_READY);
  path_finish(&steps, &runs, &count);
  cr_assert(same_runs(runs, count, x->want.runs, x->want.run_count), "seed %llu: another path",
            (unsigned long long)x->seed);
  cr_assert(row == x->want.query_start && column == x->want.target_start, "seed %llu: start",
            (unsigned long long)x->seed);
  seen->bands++;
  seen->parts += band->count - 1;
  free(runs);
  path_free(&steps);
  whole_band_free(band);
  row_worth_free(&worth);
}

/* The finest level's regions once more. */
static void find_regions(level_work *w, potential *p, const bound_pair *pair) {
  const int64_t chunks = p->fine.chunks;
  bool useless = false;
  p->pair = pair;
  p->work_most = INT64_MAX;
  *w = (level_work){.p = p, .l = &p->fine};
  assert_ok(allocate_zeros((void **)&w->known, chunks + 1, sizeof *w->known, "chunks", &why));
  assert_ok(level_regions(w, 0, chunks, &useless, &why));
  cr_assert_not(useless);
}

static void free_regions(level_work *w) {
  word_index_free(&w->p->index);
  free(w->known);
  free(w->regions);
  free(w->seeds);
  free(w->ends);
}

static bool in_strong_region(const level_work *w, int64_t chunk, int64_t bucket) {
  for (int64_t i = w->known[chunk].begin; i < w->known[chunk + 1].begin; i++)
    if (w->regions[i].strong && bucket >= w->regions[i].first && bucket <= w->regions[i].last) return true;
  return false;
}

static bool word_matches(const potential_case *x, int64_t row, int64_t column, int word) {
  for (int64_t i = 0; i < word; i++)
    if (column + i < 0 || column + i >= x->problem.columns ||
        x->letters[0][row + i] >= SEQUENCE_UNAMBIGUOUS || x->letters[0][row + i] != x->letters[1][column + i])
      return false;
  return true;
}

/* The last diagonal up to `diagonal` on which the seed in `row` matches outside of strong regions, from what
 * it was up to the one before. */
static int64_t last_match(int64_t before, const potential_case *x, const level_work *w, int64_t chunk,
                          int64_t row, int64_t diagonal) {
  const bool matches = word_matches(x, row, row + diagonal, w->l->word) &&
                       !in_strong_region(w, chunk, bucket_of(w->p, w->l, diagonal));
  return matches ? diagonal : before;
}

/* Seeds of the chunk that a path breaks outside of strong regions which reaches so many diagonals: all less
 * those that match in the best window. */
static int64_t fewest_broken(const potential_case *x, const level_work *w, int64_t chunk, int64_t reach) {
  const level *l = w->l;
  int64_t last[POTENTIAL_CASE_LETTERS], most = 0, seeds = 0;
  const int64_t first = first_diagonal(w->p, l, l->first[chunk]),
                end = first_diagonal(w->p, l, l->last[chunk] + 1);
  for (int64_t i = 0; i < POTENTIAL_CASE_LETTERS; i++) last[i] = INT64_MIN;
  for (int64_t diagonal = first; diagonal < end; diagonal++) {
    int64_t met = 0;
    seeds = 0;
    for (int64_t row = chunk_row(w->p, l, chunk); row + l->word <= chunk_row(w->p, l, chunk + 1);
         row += l->word, seeds++) {
      last[seeds] = last_match(last[seeds], x, w, chunk, row, diagonal);
      met += last[seeds] >= diagonal - reach;
    }
    most = larger(most, met);
  }
  return seeds - most;
}

static uint64_t cases(uint64_t fewest) {
  const char *wanted = getenv("CLALIGN_TEST_CASES");
  return wanted ? strtoull(wanted, NULL, 10) : fewest;
}

static void report(const counts *seen) {
  cr_log_info(
      "%lld potentials, %lld looked up, %lld nodes, %lld excluded, %lld on paths, %lld tight, "
      "%lld above starts, %lld bands, %lld joined parts\n",
      seen->made, seen->looked_up, seen->nodes, seen->excluded, seen->on_paths, seen->tight,
      seen->above_starts, seen->bands, seen->parts);
  cr_expect_gt(seen->excluded, seen->nodes / 4);
  cr_expect_gt(seen->tight, 0);
}

Test(potential, excludes_no_node_of_a_path_that_reaches_the_bound) {
  static potential_case x;
  static cla_run runs[POTENTIAL_CASE_RUNS];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(2400); seed++) {
    if (potential_case_set_up(&x, seed, seed % 3 ? potential_case_cores : potential_case_letters)) {
      seen.made++;
      seen.looked_up += x.table.needs_lookup;
      expect_admissible(&seen, &x);
      expect_levels(&seen, &x);
      const lower_bound bound = potential_case_worse_bound(&x, runs);
      if (x.spare == 0 && !x.table.needs_lookup) expect_band(&seen, &x, &bound, 1);
    }
    potential_case_tear_down(&x);
  }
  cr_expect_gt(seen.looked_up, seen.made / 8);
  report(&seen);
  cr_expect_gt(seen.levels, 2 * seen.made);
}

Test(potential, leaves_bands_whose_parts_agree) {
  static potential_case x;
  static cla_run runs[POTENTIAL_CASE_RUNS];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(1000); seed++) {
    const bool made =
        potential_case_set_up(&x, seed, potential_case_pieces) && x.spare == 0 && !x.table.needs_lookup;
    for (int64_t parts = 1; made && parts <= 5; parts++) {
      const lower_bound bound = potential_case_worse_bound(&x, runs);
      expect_band(&seen, &x, &bound, parts);
    }
    potential_case_tear_down(&x);
  }
  cr_log_info("%lld bands, %lld joined parts\n", seen.bands, seen.parts);
  cr_expect_gt(seen.parts, seen.bands / 8);
}

/* The bound's path with pairs before its start and behind its end, and what it scores. */
static lower_bound longer_bound(potential_case *x, cla_run *runs) {
  lower_bound bound = x->bound;
  for (size_t i = 0; i < bound.run_count; i++) runs[i] = x->want.runs[i];
  bound.runs = runs;
  bound.path_score = x->want.score;
  for (int end = 0; end < 2; end++) {
    cla_run *run = &runs[end ? bound.run_count - 1 : 0];
    for (int64_t pairs = below(x, 20); pairs > 0; pairs--) {
      const int64_t row = end ? bound.query_stop : bound.query_start - 1,
                    column = end ? bound.target_stop : bound.target_start - 1;
      if (row < 0 || column < 0 || row == x->problem.rows || column == x->problem.columns) break;
      const int64_t score =
          x->table.score[x->problem.query[row] * CLA_MATRIX_STRIDE + x->problem.target[column]];
      if (bound.path_score + score <= 0) break;
      bound.path_score += score;
      run->length++;
      if (end) {
        bound.query_stop++;
        bound.target_stop++;
      } else {
        bound.query_start--;
        bound.target_start--;
      }
    }
  }
  return bound;
}

/* A pair whose bound's path may not be optimal, and a potential that knows what that costs. */
static bool set_up_beside(potential_case *x, cla_run *runs, uint64_t seed) {
  static void (*const made[])(potential_case *) = {potential_case_pieces, potential_case_flanked,
                                                   potential_case_letters, potential_case_cores};
  if (!potential_case_set_up_pair(x, seed, made[seed % 4])) return false;
  x->spare = 0;
  x->shape.plain = false;
  if (below(x, 2)) x->shape.chunk_rows = 1 + below(x, 8);
  if (x->local && x->want.score > 0) {
    x->bound = longer_bound(x, runs);
    if (below(x, 4) == 0) x->bound.path_score = x->want.score;
  } else {
    x->bound = potential_case_worse_bound(x, runs);
    x->bound.path_score = x->want.score - (below(x, 4) ? x->budget : below(x, x->budget + 1));
  }
  potential_case_make(x);
  return x->potential != NULL;
}

Test(potential, excludes_no_node_of_an_optimal_path) {
  static potential_case x;
  static cla_run runs[POTENTIAL_CASE_RUNS];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(1700); seed++) {
    if (set_up_beside(&x, runs, seed)) {
      seen.made++;
      seen.looked_up += x.table.needs_lookup;
      seen.beside += !same_runs(x.bound.runs, x.bound.run_count, x.want.runs, x.want.run_count);
      expect_admissible(&seen, &x);
      expect_levels(&seen, &x);
      for (int64_t parts = 1; !x.table.needs_lookup && parts <= 3; parts++)
        expect_band(&seen, &x, &x.bound, parts);
    }
    potential_case_tear_down(&x);
  }
  report(&seen);
  cr_log_info("%lld beside\n", seen.beside);
  cr_expect_gt(seen.beside, seen.made / 4);
  cr_expect_gt(seen.looked_up, seen.made / 16);
}

Test(potential, counts_no_seed_that_a_path_does_not_break) {
  static potential_case x;
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(2000); seed++) {
    if (potential_case_set_up(&x, seed, potential_case_broken)) expect_admissible(&seen, &x);
    potential_case_tear_down(&x);
  }
  report(&seen);
}

Test(potential, knows_the_fewest_seeds_that_a_path_breaks_off_strong_regions) {
  static potential_case x;
  level_work w;
  long long chunks = 0, right = 0;
  for (uint64_t seed = 1; seed <= cases(1000); seed++) {
    if (potential_case_set_up(&x, seed, potential_case_broken)) {
      const bound_pair pair = {.problem = x.problem};
      find_regions(&w, x.potential, &pair);
      for (int64_t c = 0; c < w.l->chunks; c++)
        for (int far = 0; far < 2; far++) {
          if (w.known[c].broken[far] == 0) continue;
          const int64_t fewest = fewest_broken(&x, &w, c, level_reach(&w, c, far));
          cr_assert_leq(w.known[c].broken[far], fewest, "seed %llu: chunk %lld", (unsigned long long)seed,
                        (long long)c);
          chunks++;
          right += w.known[c].broken[far] == fewest;
        }
      free_regions(&w);
    }
    potential_case_tear_down(&x);
  }
  cr_log_info("%lld of %lld right\n", right, chunks);
  cr_expect_gt(right, chunks / 4);
}

/* A potential of a pair of six chunks with more rows than edits can take: what it leaves. */
static int64_t area_of_large_chunks(potential_case *x, bool edits) {
  static uint8_t letters[2][6 * EDIT_ROWS_MOST];
  const int64_t rows = 6 * EDIT_ROWS_MOST;
  memset(x, 0, sizeof *x);
  x->seed = 1; /* with each level */
  x->bound = (lower_bound){.has_path = true, .query_stop = rows, .target_stop = rows};
  random_stream_init(&x->stream, 1, 11);
  for (int64_t i = 0; i < rows; i++) {
    letters[0][i] = (uint8_t)below(x, 4);
    letters[1][i] = below(x, 20) ? letters[0][i] : (uint8_t)below(x, 4);
    x->bound.path_score += letters[0][i] == letters[1][i] ? 1 : -3;
  }
  x->problem = (pair_problem){.query = letters[0], .target = letters[1], .rows = rows, .columns = rows};
  const cla_scoring scoring = potential_case_scoring((const int32_t[]){1, -3, 5, 2, 0, 0});
  potential_case_scheme(x, &scoring, path_ends_make(CLA_MODE_GLOBAL, 0));
  x->shape = (potential_shape){.chunk_rows = EDIT_ROWS_MOST + 1,
                               .bucket = 16,
                               .word_least = 5,
                               .word_most = 11,
                               .turns = 1,
                               .edits = edits};
  potential_case_make(x);
  cr_assert_not_null(x->potential);
  const int64_t area = potential_area(x->potential);
  potential_free(x->potential);
  return area;
}

Test(potential, looks_at_chunks_by_seeds_that_are_too_large_for_edits) {
  static potential_case x;
  const int64_t by_edits = area_of_large_chunks(&x, true), by_seeds = area_of_large_chunks(&x, false);
  cr_expect_leq(by_edits, by_seeds, "%lld and %lld", (long long)by_edits, (long long)by_seeds);
}
