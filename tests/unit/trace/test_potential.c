/* Potentials and the band that they leave, against the oracle: in every node and gap state of small pairs,
 * what is excluded lies on no path of the bound's score; and the band's path is the canonical one. */

#include <math.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "bound/edits.h"
#include "bound/potential_internal.h"
#include "reference/reference.h"
#include "scoring/gap_costs.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/look_ups.h"
#include "support/reference_difference.h"
#include "support/test.h"
#include "trace/whole_band.h"

#define LETTERS_MOST 400
#define BOUND_RUNS_MOST (8 * LETTERS_MOST)
#define OUT_OF_REACH (REFERENCE_MINUS_INFINITY / 2)

/* A pair with a scheme, its ends and the optimum. */
typedef struct fixture {
  uint64_t seed;
  random_stream stream;
  uint8_t letters[2][2 * LETTERS_MOST];
  int64_t counts[2], most, kinds; /* letters so far, the most of each sequence, different ones */
  bool local;
  cla_scoring scoring;
  score_table table;
  pair_problem problem;
  reference_alignment want;
  lower_bound bound; /* with the path of `want` */
  potential_shape shape;
  potential *potential;
  potential_levels levels;
  int64_t parts_end[CLA_LEVELS_MOST];                 /* the row behind the last part of each level, */
  int64_t left[CLA_LEVELS_MOST][2 * LETTERS_MOST][2]; /* and by row the diagonals that it left */
  int64_t budget; /* what the bound scores less than the optimum at most */
  int64_t behind; /* what paths that matter do: nothing, unless costs are `plain` */
  int64_t spare;  /* the bound is so much above their least score; a band may miss the path, then */
} fixture;

/* What was seen in all cases. */
typedef struct counts {
  long long made, looked_up, nodes, excluded, on_paths, tight, above_starts, bands, parts, levels;
  long long beside; /* pairs whose bound's path is not optimal */
} counts;

static int64_t below(fixture *x, int64_t limit) {
  return (int64_t)random_stream_below(&x->stream, (uint64_t)limit);
}

/* A query of random letters, tandem repeats or both, and a target that has most of it: with substitutions,
 * short and long gaps, unlike ends, and letters that are not known. */
static void make_letters(fixture *x) {
  const int64_t rows = 20 + below(x, LETTERS_MOST / 2), period = 1 + below(x, 9), kind = below(x, 3);
  const int64_t rate = 2 + below(x, 40), gaps = 20 + below(x, 200);
  int64_t columns = 0;
  for (int64_t i = 0; i < rows; i++)
    x->letters[0][i] = kind == 0 && i >= period ? x->letters[0][i - period] : (uint8_t)below(x, 4);
  for (int64_t i = 0; kind == 2 && i < rows; i++)
    if (i >= rows / 3 && i < rows / 2 && i >= period) x->letters[0][i] = x->letters[0][i - period];
  for (int64_t i = below(x, 4) ? 0 : below(x, rows); i < rows && columns < LETTERS_MOST; i++) {
    if (below(x, gaps) == 0) i += below(x, below(x, 3) ? 4 : rows / 2);
    for (int64_t more = below(x, gaps) ? 0 : below(x, below(x, 3) ? 4 : rows / 2); more > 0; more--)
      x->letters[1][columns++] = (uint8_t)below(x, 4);
    if (i < rows) x->letters[1][columns++] = below(x, rate) ? x->letters[0][i] : (uint8_t)below(x, 4);
  }
  if (columns == 0) x->letters[1][columns++] = 0;
  const int64_t unlike = below(x, 4) ? 0 : below(x, columns);
  for (int64_t j = 0; j < unlike; j++)
    x->letters[1][j < unlike / 2 ? j : columns - 1 - j + unlike / 2] = (uint8_t)below(x, 4);
  if (below(x, 4) == 0)
    for (int which = 0; which < 2; which++)
      x->letters[which][below(x, which ? columns : rows)] = SEQUENCE_UNAMBIGUOUS + 10;
  x->problem =
      (pair_problem){.query = x->letters[0], .target = x->letters[1], .rows = rows, .columns = columns};
}

/* Letters at random, or with a short period. */
static void add_letters(fixture *x, int which, int64_t count) {
  const int64_t period = below(x, 4) ? 0 : 1 + below(x, 7), from = x->counts[which];
  const int64_t end = smaller(from + count, x->most);
  uint8_t *to = x->letters[which];
  for (int64_t i = from; i < end; i++)
    to[i] = period && i - from >= period ? to[i - period] : (uint8_t)below(x, x->kinds);
  x->counts[which] = end;
}

/* Letters of the query once more, with substitutions and gaps. */
static void add_copy(fixture *x, int which, int64_t begin, int64_t end) {
  const int64_t rate = 1 + below(x, 40), gaps = 2 + below(x, 100);
  const int64_t longest = 1 + below(x, below(x, 3) ? 4 : 60);
  uint8_t *to = x->letters[which];
  int64_t at = x->counts[which];
  for (int64_t i = begin; i < end && at < x->most; i++) {
    if (below(x, gaps) == 0) i += 1 + below(x, longest);
    for (int64_t more = below(x, gaps) ? 0 : 1 + below(x, longest); more > 0 && at < x->most; more--)
      to[at++] = (uint8_t)below(x, x->kinds);
    if (i < end && at < x->most) to[at++] = below(x, rate) ? x->letters[0][i] : (uint8_t)below(x, x->kinds);
  }
  x->counts[which] = at;
}

/* Cores that both sequences have, some of them twice, and flanks between them that are unlike or that one
 * sequence has alone. */
static void make_cores(fixture *x) {
  const int64_t cores = 1 + below(x, below(x, 2) ? 1 : 5), side = below(x, 3);
  x->most = 20 + below(x, below(x, 2) ? LETTERS_MOST - 20 : LETTERS_MOST / 4);
  x->kinds = below(x, 3) ? 4 : 2;
  const int64_t core = 4 + below(x, x->most / 3 / cores), flank = 1 + below(x, x->most / (cores + 1));
  for (int64_t c = 0; c <= cores; c++) {
    if (side != 1) add_letters(x, 0, below(x, flank));
    if (side != 2) add_letters(x, 1, below(x, flank));
    if (c == cores) break;
    const int64_t begin = x->counts[0];
    add_letters(x, 0, core);
    const int64_t end = x->counts[0];
    add_copy(x, 1, begin, end);
    if (below(x, 6) == 0) add_copy(x, 1, begin, end);
    if (below(x, 6) == 0) add_copy(x, 0, begin, end);
  }
  for (int which = 0; which < 2; which++)
    if (x->counts[which] == 0) add_letters(x, which, 1);
  for (int64_t n = below(x, 5) ? 0 : below(x, 12), which = 0; n > 0; n--, which ^= 1)
    x->letters[which][below(x, x->counts[which])] = SEQUENCE_UNAMBIGUOUS + 10;
  x->problem = (pair_problem){
      .query = x->letters[0], .target = x->letters[1], .rows = x->counts[0], .columns = x->counts[1]};
}

/* A query and its copy, piece by piece, with unlike letters between some, so that parts of a band agree. */
static void make_pieces(fixture *x) {
  x->most = 5 * LETTERS_MOST / 4;
  x->kinds = 4;
  const int64_t unlike = below(x, 3) ? 0 : below(x, 80);
  for (int which = 0; which < 2; which++) add_letters(x, which, unlike);
  for (int64_t n = below(x, 6); n >= 0; n--) {
    const int64_t begin = x->counts[0];
    add_letters(x, 0, 4 + below(x, 120));
    add_copy(x, 1, begin, x->counts[0]);
    if (below(x, 3) == 0) add_letters(x, (int)below(x, 2), 1 + below(x, 40));
  }
  if (below(x, 2)) add_letters(x, (int)below(x, 2), below(x, 80));
  if (x->counts[1] == 0) add_letters(x, 1, 1);
  x->problem = (pair_problem){
      .query = x->letters[0], .target = x->letters[1], .rows = x->counts[0], .columns = x->counts[1]};
}

/* A query and its copy between unlike letters, so that local paths begin and end in known rows. */
static void make_flanked(fixture *x) {
  x->most = LETTERS_MOST;
  x->kinds = 4;
  x->local = true;
  for (int end = 0; end < 2; end++) {
    for (int which = 0; which < 2; which++) add_letters(x, which, below(x, 30));
    const int64_t begin = x->counts[0];
    if (end == 0) add_letters(x, 0, 40 + below(x, 160));
    if (end == 0) add_copy(x, 1, begin, x->counts[0]);
  }
  x->problem = (pair_problem){
      .query = x->letters[0], .target = x->letters[1], .rows = x->counts[0], .columns = x->counts[1]};
}

static void add_letter(fixture *x, int which, uint8_t letter) {
  if (x->counts[which] < x->most) x->letters[which][x->counts[which]++] = letter;
}

/* What becomes of a row of the query in the target. */
typedef struct row_change {
  bool left_out, other;
  int64_t before; /* letters that come before it */
} row_change;

/* Breaks most seeds once, by a pair, a row or a column, so that it costs little. */
static void break_seeds(fixture *x, row_change *changes) {
  const int64_t word = x->shape.word_least, chunk = x->shape.chunk_rows, ways = below(x, 4);
  const int64_t of = 1 + below(x, 5), kept = below(x, of + 1);
  for (int64_t row = 0; row < x->counts[0]; row += chunk)
    for (int64_t seed = row; seed + word <= row + chunk; seed += word) {
      row_change *change = &changes[seed + below(x, word)];
      const int64_t way = ways < 3 ? ways : below(x, 3);
      if (below(x, of) < kept) continue;
      change->other = way == 0;
      change->left_out = way == 1;
      change->before = way == 2;
    }
}

static void leave_out(fixture *x, row_change *changes, int64_t row, int64_t end) {
  for (int64_t i = larger(row, 0); i < smaller(end, x->counts[0]); i++) changes[i].left_out = true;
}

/* Gaps over borders of chunks, columns anywhere, and ways to other diagonals and back within a chunk. */
static void add_gaps(fixture *x, row_change *changes) {
  const int64_t rows = x->counts[0], chunk = x->shape.chunk_rows;
  for (int64_t n = below(x, 3); n > 0; n--) {
    const int64_t border = (1 + below(x, rows / chunk)) * chunk;
    leave_out(x, changes, border - 1 - below(x, 4), border + 1 + below(x, below(x, 2) ? 4 : chunk));
  }
  for (int64_t n = below(x, 3); n > 0; n--) changes[below(x, rows)].before = below(x, below(x, 2) ? 30 : 8);
  for (int64_t n = below(x, 3); n > 0; n--) {
    const int64_t row = below(x, rows), back = row + below(x, chunk), away = 1 + below(x, 10);
    changes[row].before += away;
    leave_out(x, changes, back, back + away);
  }
}

/* A target in which few seeds of the query are unbroken, and often all of it once more before or behind. */
static void make_broken(fixture *x) {
  row_change changes[2 * LETTERS_MOST] = {{0}};
  const int64_t place = below(x, 4);
  x->most = LETTERS_MOST;
  x->kinds = below(x, 8) ? 4 : 2;
  x->shape.word_least = x->shape.word_most = 1 + (int)below(x, 5);
  x->shape.chunk_rows = x->shape.word_least * (2 + below(x, 60 / x->shape.word_least)) + below(x, 2);
  add_letters(
      x, 0,
      smaller(x->shape.chunk_rows * (1 + below(x, 4)) + below(x, x->shape.chunk_rows), LETTERS_MOST / 3));
  break_seeds(x, changes);
  add_gaps(x, changes);
  if (place < 2) add_copy(x, 1, 0, x->counts[0]);
  if (place < 3) add_letters(x, 1, below(x, 40));
  for (int64_t i = 0; i < x->counts[0]; i++) {
    const uint8_t letter = x->letters[0][i];
    add_letters(x, 1, changes[i].before);
    if (!changes[i].left_out)
      add_letter(x, 1,
                 (uint8_t)(changes[i].other ? (letter + 1 + below(x, x->kinds - 1)) % x->kinds : letter));
  }
  if (place == 2) add_copy(x, 1, 0, x->counts[0]);
  if (x->counts[1] == 0) add_letters(x, 1, 1);
  x->problem = (pair_problem){
      .query = x->letters[0], .target = x->letters[1], .rows = x->counts[0], .columns = x->counts[1]};
}

static uint32_t letters_met(const uint8_t *letters, int64_t count) {
  uint32_t met = 0;
  for (int64_t i = 0; i < count; i++) met |= 1u << letters[i];
  return met;
}

static void set_scheme(fixture *x, const cla_scoring *scoring, path_ends ends) {
  x->scoring = *scoring;
  score_table_build(&x->table, &x->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  score_table_keep(&x->table, letters_met(x->problem.query, x->problem.rows),
                   letters_met(x->problem.target, x->problem.columns));
  x->problem.scheme = (path_scheme){.scoring = &x->scoring, .table = &x->table, .ends = ends};
}

static cla_scoring scoring_of(const int32_t of[6]) {
  cla_scoring s;
  cla_scoring_init(&s);
  s.match = of[0];
  s.mismatch = of[1];
  s.gap_first = of[2];
  s.gap_ext = of[3];
  s.gap_first2 = of[4];
  s.gap_ext2 = of[5];
  return s;
}

static void make_scheme(fixture *x) {
  static const int32_t schemes[][6] = {
      {1, -3, 5, 2, 0, 0}, {2, -3, 5, 2, 0, 0},     {1, -1, 1, 1, 0, 0},   {0, -1, 1, 1, 0, 0},
      {0, -4, 8, 2, 0, 0}, {2, -4, 6, 2, 25, 1},    {5, -4, 10, 1, 0, 0},  {1, -4, 8, 3, 14, 1},
      {1, -1, 2, 1, 0, 0}, {3, -2, 4, 4, 0, 0},     {1, -9, 16, 2, 41, 1}, {0, -3, 7, 3, 9, 1},
      {1, -5, 1, 1, 0, 0}, {1, -1, 2, 0, 0, 0},     {4, 0, 3, 1, 0, 0},    {1, -2, 40, 1, 0, 0},
      {2, -1, 1, 0, 0, 0}, {1, -20, 20, 20, 22, 2}, {10, -9, 9, 9, 0, 0},  {1, 0, 1, 1, 0, 0}};
  static const cla_mode modes[] = {CLA_MODE_GLOBAL, CLA_MODE_LOCAL, CLA_MODE_FREE_ENDS};
  const int32_t *of = schemes[below(x, (int64_t)(sizeof schemes / sizeof schemes[0]))];
  const cla_mode mode = x->local ? CLA_MODE_LOCAL : modes[below(x, 2) ? below(x, 3) : 0];
  path_ends ends = path_ends_make(mode, mode == CLA_MODE_FREE_ENDS ? (int)below(x, 16) : 0);
  if (below(x, 8) == 0) ends = (path_ends){.anywhere = true};
  cla_scoring scoring = scoring_of(of);
  if (below(x, 3) == 0) {
    look_ups_letters(x->letters[0], x->problem.rows, &x->stream);
    look_ups_letters(x->letters[1], x->problem.columns, &x->stream);
    look_ups_scores(&scoring, &x->stream);
  }
  set_scheme(x, &scoring, ends);
}

static bool corner(const path_ends *ends) {
  return !ends->anywhere && !ends->query_end && !ends->target_end;
}

static bool free_start(const path_ends *ends) {
  return ends->floor || ends->query_start || ends->target_start;
}

/* Chunks and buckets of a few rows and diagonals, and what regions are found by. */
static void make_shape(fixture *x) {
  static const double chances[] = {0,    0,    1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-5,
                                   1e-4, 1e-3, 0.01,  0.05,  0.4,   0.9,  0.999};
  x->shape = (potential_shape){.chunk_rows = below(x, 2) ? 4 + below(x, 40) : 1 + below(x, 12),
                               .bucket = 1 + below(x, below(x, 2) ? 8 : 3),
                               .word_least = 1 + (int)below(x, 3),
                               .turns = 1 + (int)below(x, 2),
                               .edits = below(x, 3) == 0,
                               .plain = true,
                               .period = below(x, 6),
                               .chance = chances[below(x, (int64_t)(sizeof chances / sizeof chances[0]))]};
  x->shape.word_most = x->shape.word_least + (int)below(x, 4);
}

/* What a path that matters scores less than the optimum: nothing, little, or much, so that many nodes are on
 * such paths. */
static int64_t choose_budget(fixture *x) {
  const int64_t kind = below(x, 4), most = x->problem.rows * x->scoring.gap_first;
  return kind == 0 ? 0
                   : below(x, kind == 1                         ? 12
                              : corner(&x->problem.scheme.ends) ? most
                                                                : larger(x->want.score, 1));
}

static int64_t match_of(const fixture *x) {
  int64_t most = 0;
  for (int a = 0; a < SEQUENCE_UNAMBIGUOUS; a++)
    most = larger(most, x->table.score[a * CLA_MATRIX_STRIDE + a]);
  return most;
}

/* What a path may score less than the bound says where it may start anywhere, as buckets are coarse: half of
 * what the budget has more (docs/internals/bounds.md). */
static int64_t spare(const fixture *x) {
  const cla_scoring *s = &x->scoring;
  const int64_t match = match_of(x), ext = 2 * gap_least_ext(s) + match;
  return free_start(&x->problem.scheme.ends) ? (2 * match + ext) * x->shape.bucket / 2 : 0;
}

/* Parts come from the top, without a row between them. */
static void note_left(void *user, const potential_part *part) {
  fixture *x = user;
  cr_assert_eq(part->row, x->parts_end[part->number]);
  cr_assert_eq(part->level, &x->levels.at[part->number]);
  x->parts_end[part->number] += part->rows;
  if (x->problem.rows >= 2 * LETTERS_MOST) return;
  for (int64_t row = part->row; row < part->row + part->rows; row++) {
    x->left[part->number][row][0] = part->first;
    x->left[part->number][row][1] = part->last;
  }
}

static void make_potential(fixture *x) {
  const bound_pair pair = {.problem = x->problem};
  const potential_input input = {.pair = &pair,
                                 .bound = &x->bound,
                                 .threads = 1 + (int)(x->seed % 3),
                                 .work_most = INT64_MAX / 2,
                                 .bytes_most = INT64_MAX,
                                 .left_work = x->seed % 4 ? INFINITY : 0,
                                 .cells_most = INT64_MAX,
                                 .left = note_left,
                                 .left_user = x,
                                 .shape = x->shape};
  assert_ok(potential_make(&x->potential, &x->levels, &input, &why));
}

/* A pair, and the optimum as its bound. False where none is possible. */
static bool set_up_pair(fixture *x, uint64_t seed, void (*make)(fixture *x)) {
  memset(x, 0, sizeof *x);
  x->seed = seed;
  random_stream_init(&x->stream, seed, 11);
  make_shape(x);
  make(x);
  make_scheme(x);
  assert_ok(reference_align(&x->want, &x->problem, &why));
  if (!potential_possible(&x->problem) || x->want.run_count == 0) return false;
  x->budget = choose_budget(x);
  x->spare = below(x, 2) ? spare(x) : 0;
  if (!corner(&x->problem.scheme.ends) && x->want.score <= x->budget) return false;
  x->bound = (lower_bound){.score = x->want.score - x->budget + x->spare,
                           .has_path = true,
                           .query_start = x->want.query_start,
                           .target_start = x->want.target_start,
                           .query_stop = x->want.query_end,
                           .target_stop = x->want.target_end,
                           .runs = x->want.runs,
                           .run_count = x->want.run_count};
  return true;
}

/* Lets a local path begin with pairs above its start, if they cost no more than is left. */
static void begin_earlier(lower_bound *bound, int64_t *left, fixture *x) {
  const int64_t pairs = below(x, smaller(bound->query_start, bound->target_start) + 1);
  int64_t costs = 0;
  for (int64_t i = 1; i <= pairs; i++)
    costs -= x->table.score[x->problem.query[bound->query_start - i] * CLA_MATRIX_STRIDE +
                            x->problem.target[bound->target_start - i]];
  if (!x->problem.scheme.ends.floor || costs > *left) return;
  *left -= costs;
  bound->query_start -= pairs;
  bound->target_start -= pairs;
}

/* The path of the bound, or one that begins earlier and leaves the letters of some of its pairs out, if that
 * costs no more than it may. */
static lower_bound worse_bound(fixture *x, cla_run *runs) {
  const int64_t costs = 2 * gap_cost(&x->scoring, 1) + match_of(x), often = 1 + below(x, 4);
  int64_t left = x->budget;
  lower_bound bound = x->bound;
  if (below(x, 2)) begin_earlier(&bound, &left, x);
  bound.run_count = 0;
  bound.runs = runs;
  for (size_t i = 0; i < x->want.run_count; i++) {
    cla_run run = x->want.runs[i];
    if (i == 0) run.length += x->bound.query_start - bound.query_start; /* local paths begin with a pair */
    if (run.kind == CLA_RUN_PAIR && run.length > 2 && costs <= left && below(x, often) == 0) {
      const int64_t before = 1 + below(x, run.length - 2);
      runs[bound.run_count++] = (cla_run){.kind = CLA_RUN_PAIR, .length = before};
      runs[bound.run_count++] = (cla_run){.kind = CLA_RUN_QUERY, .length = 1};
      runs[bound.run_count++] = (cla_run){.kind = CLA_RUN_TARGET, .length = 1};
      run.length -= before + 1;
      left -= costs;
    }
    runs[bound.run_count++] = run;
  }
  return bound;
}

/* False where there is no potential. */
static bool set_up(fixture *x, uint64_t seed, void (*make)(fixture *x)) {
  if (!set_up_pair(x, seed, make)) return false;
  x->behind = x->budget;
  make_potential(x);
  return x->potential != NULL;
}

static void tear_down(fixture *x) {
  reference_alignment_free(&x->want);
  potential_free(x->potential);
}

/* The matrix of the letters in reverse: what a path from each node on gains. */
static void fill_back(reference_matrix *out, const fixture *x) {
  uint8_t letters[2][2 * LETTERS_MOST];
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

static void forward(reference_matrix *out, const fixture *x) {
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

static int64_t least_value(const fixture *x, const reference_matrix *to, const reference_matrix *from,
                           int64_t i, int64_t j) {
  const cla_scoring *s = &x->scoring;
  const int64_t a = i * (to->columns + 1) + j, bound = x->want.score - x->behind;
  const int64_t b = (x->problem.rows - i) * (to->columns + 1) + x->problem.columns - j;
  int64_t least = INT64_MAX;
  lower_to(&least, to->h[a], from->h[b], 0, bound);
  lower_to(&least, to->f[a], from->f[b], s->gap_first - s->gap_ext, bound);
  lower_to(&least, to->e[a], from->e[b], s->gap_first - s->gap_ext, bound);
  if (!to->f2) return least;
  lower_to(&least, to->f2[a], from->f2[b], s->gap_first2 - s->gap_ext2, bound);
  lower_to(&least, to->e2[a], from->e2[b], s->gap_first2 - s->gap_ext2, bound);
  return least;
}

/* Above a node in which a path that matters starts, nothing on its diagonal is excluded that is as good as a
 * start: the band comes down there. */
static void expect_open_starts(counts *seen, const fixture *x, const reference_matrix *from) {
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

static void expect_admissible(counts *seen, const fixture *x) {
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
      cr_assert_leq(potential_cost(x->potential, i, j - i, j - i), match_of(x) * letters - 2 * gains,
                    "seed %llu: node (%lld, %lld) costs less", (unsigned long long)x->seed, (long long)i,
                    (long long)j);
    }
  if (x->problem.scheme.ends.floor) expect_open_starts(seen, x, &from);
}

/* All levels are told of: those that ran leave the rows of the optimum's pairs, and the last one what the
 * potential does. */
static void expect_levels(counts *seen, const fixture *x) {
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

static void expect_band(counts *seen, fixture *x, const lower_bound *bound, int64_t parts) {
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
  seen->parts += whole_band_parts(band) - 1;
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
  *w = (level_work){.p = p, .l = &p->fine};
  assert_ok(allocate_array((void **)&w->dear, chunks, sizeof *w->dear, "dear", &why));
  assert_ok(allocate_array((void **)&w->broken, 2 * chunks, sizeof *w->broken, "broken", &why));
  assert_ok(allocate_zeros((void **)&w->edits, chunks, sizeof *w->edits, "edits", &why));
  assert_ok(allocate_array((void **)&w->begins, chunks + 1, sizeof *w->begins, "begins", &why));
  assert_ok(level_regions(w, 0, chunks, &useless, &why));
  cr_assert_not(useless);
}

static void free_regions(level_work *w) {
  word_index_free(&w->p->index);
  free(w->dear);
  free(w->broken);
  free(w->edits);
  free(w->begins);
  free(w->regions);
  free(w->seeds);
  free(w->ends);
}

static bool in_strong_region(const level_work *w, int64_t chunk, int64_t bucket) {
  for (int64_t i = w->begins[chunk]; i < w->begins[chunk + 1]; i++)
    if (w->regions[i].strong && bucket >= w->regions[i].first && bucket <= w->regions[i].last) return true;
  return false;
}

static bool word_matches(const fixture *x, int64_t row, int64_t column, int word) {
  for (int64_t i = 0; i < word; i++)
    if (column + i < 0 || column + i >= x->problem.columns ||
        x->letters[0][row + i] >= SEQUENCE_UNAMBIGUOUS || x->letters[0][row + i] != x->letters[1][column + i])
      return false;
  return true;
}

/* The last diagonal up to `diagonal` on which the seed in `row` matches outside of strong regions, from what
 * it was up to the one before. */
static int64_t last_match(int64_t before, const fixture *x, const level_work *w, int64_t chunk, int64_t row,
                          int64_t diagonal) {
  const bool matches = word_matches(x, row, row + diagonal, w->l->word) &&
                       !in_strong_region(w, chunk, bucket_of(w->p, w->l, diagonal));
  return matches ? diagonal : before;
}

/* Seeds of the chunk that a path breaks outside of strong regions which reaches so many diagonals: all less
 * those that match in the best window. */
static int64_t fewest_broken(const fixture *x, const level_work *w, int64_t chunk, int64_t reach) {
  const level *l = w->l;
  int64_t last[LETTERS_MOST], most = 0, seeds = 0;
  const int64_t first = first_diagonal(w->p, l, l->first[chunk]),
                end = first_diagonal(w->p, l, l->last[chunk] + 1);
  for (int64_t i = 0; i < LETTERS_MOST; i++) last[i] = INT64_MIN;
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
  static fixture x;
  static cla_run runs[BOUND_RUNS_MOST];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(7000); seed++) {
    if (set_up(&x, seed, seed % 3 ? make_cores : make_letters)) {
      seen.made++;
      seen.looked_up += x.table.needs_lookup;
      expect_admissible(&seen, &x);
      expect_levels(&seen, &x);
      const lower_bound bound = worse_bound(&x, runs);
      if (x.spare == 0 && !x.table.needs_lookup) expect_band(&seen, &x, &bound, 1);
    }
    tear_down(&x);
  }
  cr_expect_gt(seen.looked_up, seen.made / 8);
  report(&seen);
  cr_expect_gt(seen.levels, 2 * seen.made);
}

Test(potential, leaves_bands_whose_parts_agree) {
  static fixture x;
  static cla_run runs[BOUND_RUNS_MOST];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(3000); seed++) {
    const bool made = set_up(&x, seed, make_pieces) && x.spare == 0 && !x.table.needs_lookup;
    for (int64_t parts = 1; made && parts <= 5; parts++) {
      const lower_bound bound = worse_bound(&x, runs);
      expect_band(&seen, &x, &bound, parts);
    }
    tear_down(&x);
  }
  cr_log_info("%lld bands, %lld joined parts\n", seen.bands, seen.parts);
  cr_expect_gt(seen.parts, seen.bands / 8);
}

/* The bound's path with pairs before its start and behind its end, and what it scores. */
static lower_bound longer_bound(fixture *x, cla_run *runs) {
  lower_bound bound = x->bound;
  for (size_t i = 0; i < bound.run_count; i++) runs[i] = x->want.runs[i];
  bound.runs = runs;
  bound.score = x->want.score;
  for (int end = 0; end < 2; end++) {
    cla_run *run = &runs[end ? bound.run_count - 1 : 0];
    for (int64_t pairs = below(x, 20); pairs > 0; pairs--) {
      const int64_t row = end ? bound.query_stop : bound.query_start - 1,
                    column = end ? bound.target_stop : bound.target_start - 1;
      if (row < 0 || column < 0 || row == x->problem.rows || column == x->problem.columns) break;
      const int64_t score =
          x->table.score[x->problem.query[row] * CLA_MATRIX_STRIDE + x->problem.target[column]];
      if (bound.score + score <= 0) break;
      bound.score += score;
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
static bool set_up_beside(fixture *x, cla_run *runs, uint64_t seed) {
  static void (*const made[])(fixture *) = {make_pieces, make_flanked, make_letters, make_cores};
  if (!set_up_pair(x, seed, made[seed % 4])) return false;
  x->spare = 0;
  x->shape.plain = false;
  if (below(x, 2)) x->shape.chunk_rows = 1 + below(x, 8);
  if (x->local && x->want.score > 0) {
    x->bound = longer_bound(x, runs);
    if (below(x, 4) == 0) x->bound.score = x->want.score;
  } else {
    x->bound = worse_bound(x, runs);
    x->bound.score = x->want.score - (below(x, 4) ? x->budget : below(x, x->budget + 1));
  }
  make_potential(x);
  return x->potential != NULL;
}

Test(potential, excludes_no_node_of_an_optimal_path) {
  static fixture x;
  static cla_run runs[BOUND_RUNS_MOST];
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(5000); seed++) {
    if (set_up_beside(&x, runs, seed)) {
      seen.made++;
      seen.looked_up += x.table.needs_lookup;
      seen.beside += !same_runs(x.bound.runs, x.bound.run_count, x.want.runs, x.want.run_count);
      expect_admissible(&seen, &x);
      expect_levels(&seen, &x);
      for (int64_t parts = 1; !x.table.needs_lookup && parts <= 3; parts++)
        expect_band(&seen, &x, &x.bound, parts);
    }
    tear_down(&x);
  }
  report(&seen);
  cr_log_info("%lld beside\n", seen.beside);
  cr_expect_gt(seen.beside, seen.made / 4);
  cr_expect_gt(seen.looked_up, seen.made / 16);
}

Test(potential, counts_no_seed_that_a_path_does_not_break) {
  static fixture x;
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases(6000); seed++) {
    if (set_up(&x, seed, make_broken)) expect_admissible(&seen, &x);
    tear_down(&x);
  }
  report(&seen);
}

Test(potential, knows_the_fewest_seeds_that_a_path_breaks_off_strong_regions) {
  static fixture x;
  level_work w;
  long long chunks = 0, right = 0;
  for (uint64_t seed = 1; seed <= cases(3000); seed++) {
    if (set_up(&x, seed, make_broken)) {
      const bound_pair pair = {.problem = x.problem};
      find_regions(&w, x.potential, &pair);
      for (int64_t c = 0; c < w.l->chunks; c++)
        for (int far = 0; far < 2; far++) {
          if (w.broken[2 * c + far] == 0) continue;
          const int64_t fewest = fewest_broken(&x, &w, c, level_reach(&w, c, far));
          cr_assert_leq(w.broken[2 * c + far], fewest, "seed %llu: chunk %lld", (unsigned long long)seed,
                        (long long)c);
          chunks++;
          right += w.broken[2 * c + far] == fewest;
        }
      free_regions(&w);
    }
    tear_down(&x);
  }
  cr_log_info("%lld of %lld right\n", right, chunks);
  cr_expect_gt(right, chunks / 4);
}

/* A potential of a pair of six chunks with more rows than edits can take: what it leaves. */
static int64_t area_of_large_chunks(fixture *x, bool edits) {
  static uint8_t letters[2][6 * EDIT_ROWS_MOST];
  const int64_t rows = 6 * EDIT_ROWS_MOST;
  memset(x, 0, sizeof *x);
  x->bound = (lower_bound){.has_path = true, .query_stop = rows, .target_stop = rows};
  random_stream_init(&x->stream, 1, 11);
  for (int64_t i = 0; i < rows; i++) {
    letters[0][i] = (uint8_t)below(x, 4);
    letters[1][i] = below(x, 20) ? letters[0][i] : (uint8_t)below(x, 4);
    x->bound.score += letters[0][i] == letters[1][i] ? 1 : -3;
  }
  x->problem = (pair_problem){.query = letters[0], .target = letters[1], .rows = rows, .columns = rows};
  const cla_scoring scoring = scoring_of((const int32_t[]){1, -3, 5, 2, 0, 0});
  set_scheme(x, &scoring, path_ends_make(CLA_MODE_GLOBAL, 0));
  x->shape = (potential_shape){.chunk_rows = EDIT_ROWS_MOST + 1,
                               .bucket = 16,
                               .word_least = 5,
                               .word_most = 11,
                               .turns = 1,
                               .edits = edits};
  make_potential(x);
  cr_assert_not_null(x->potential);
  const int64_t area = potential_area(x->potential);
  potential_free(x->potential);
  return area;
}

Test(potential, looks_at_chunks_by_seeds_that_are_too_large_for_edits) {
  static fixture x;
  const int64_t by_edits = area_of_large_chunks(&x, true), by_seeds = area_of_large_chunks(&x, false);
  cr_expect_leq(by_edits, by_seeds, "%lld and %lld", (long long)by_edits, (long long)by_seeds);
}
