#include "support/cases/potential_case.h"

#include <math.h>

#include "base/extremes.h"
#include "scoring/gap_costs.h"
#include "seq/sequence.h"
#include "support/look_ups.h"
#include "support/reference_path.h"
#include "support/test.h"

/* Makes a query of random letters, tandem repeats or both, and a target with most of it. The target has
 * substitutions, short and long gaps, unlike ends, and unknown letters. */
void potential_case_letters(potential_case *x) {
  const int64_t rows = 20 + below(x, POTENTIAL_CASE_LETTERS / 2), period = 1 + below(x, 9),
                kind = below(x, 3);
  const int64_t rate = 2 + below(x, 40), gaps = 20 + below(x, 200);
  int64_t columns = 0;
  for (int64_t i = 0; i < rows; i++)
    x->letters[0][i] = kind == 0 && i >= period ? x->letters[0][i - period] : (uint8_t)below(x, 4);
  for (int64_t i = 0; kind == 2 && i < rows; i++)
    if (i >= rows / 3 && i < rows / 2 && i >= period) x->letters[0][i] = x->letters[0][i - period];
  for (int64_t i = below(x, 4) ? 0 : below(x, rows); i < rows && columns < POTENTIAL_CASE_LETTERS; i++) {
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

/* Adds random letters, or a repeat with a short period. */
static void add_letters(potential_case *x, int which, int64_t count) {
  const int64_t period = below(x, 4) ? 0 : 1 + below(x, 7), from = x->counts[which];
  const int64_t end = smaller(from + count, x->most);
  uint8_t *to = x->letters[which];
  for (int64_t i = from; i < end; i++)
    to[i] = period && i - from >= period ? to[i - period] : (uint8_t)below(x, x->kinds);
  x->counts[which] = end;
}

/* Adds a copy of letters of the query, with substitutions and gaps. */
static void add_copy(potential_case *x, int which, int64_t begin, int64_t end) {
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

/* Makes cores that both sequences share, some of them twice. The flanks between them are unlike, or only in
 * one sequence. */
void potential_case_cores(potential_case *x) {
  const int64_t cores = 1 + below(x, below(x, 2) ? 1 : 5), side = below(x, 3);
  x->most = 20 + below(x, below(x, 2) ? POTENTIAL_CASE_LETTERS - 20 : POTENTIAL_CASE_LETTERS / 4);
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

/* Makes a query and a copy of it in pieces, with unlike letters between some pieces, so that parts of a band
 * agree. */
void potential_case_pieces(potential_case *x) {
  x->most = 5 * POTENTIAL_CASE_LETTERS / 4;
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

/* Makes a query and its copy between unlike letters, so that local paths begin and end in known rows. */
void potential_case_flanked(potential_case *x) {
  x->most = POTENTIAL_CASE_LETTERS;
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

static void add_letter(potential_case *x, int which, uint8_t letter) {
  if (x->counts[which] < x->most) x->letters[which][x->counts[which]++] = letter;
}

/* How a row of the query is changed in the target. */
typedef struct row_change {
  bool left_out, other;
  int64_t before; /* number of letters inserted before it */
} row_change;

/* Breaks most seeds at a low cost, with one substitution, deletion or insertion each. */
static void break_seeds(potential_case *x, row_change *changes) {
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

static void leave_out(potential_case *x, row_change *changes, int64_t row, int64_t end) {
  for (int64_t i = larger(row, 0); i < smaller(end, x->counts[0]); i++) changes[i].left_out = true;
}

/* Adds gaps across borders of chunks, insertions anywhere, and detours to other diagonals and back within a
 * chunk. */
static void add_gaps(potential_case *x, row_change *changes) {
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

/* Makes a target in which few seeds of the query are unbroken, and often a second copy of the query before
 * or behind it. */
void potential_case_broken(potential_case *x) {
  row_change changes[2 * POTENTIAL_CASE_LETTERS] = {{0}};
  const int64_t place = below(x, 4);
  x->most = POTENTIAL_CASE_LETTERS;
  x->kinds = below(x, 8) ? 4 : 2;
  x->shape.word_least = x->shape.word_most = 1 + (int)below(x, 5);
  x->shape.chunk_rows = x->shape.word_least * (2 + below(x, 60 / x->shape.word_least)) + below(x, 2);
  add_letters(x, 0,
              smaller(x->shape.chunk_rows * (1 + below(x, 4)) + below(x, x->shape.chunk_rows),
                      POTENTIAL_CASE_LETTERS / 3));
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

void potential_case_scheme(potential_case *x, const cla_scoring *scoring, path_ends ends) {
  x->scoring = *scoring;
  score_table_build(&x->table, &x->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  score_table_keep(&x->table, letters_met(x->problem.query, x->problem.rows),
                   letters_met(x->problem.target, x->problem.columns));
  x->problem.scheme = (path_scheme){.scoring = &x->scoring, .table = &x->table, .ends = ends};
}

cla_scoring potential_case_scoring(const int32_t of[6]) {
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

static void make_scheme(potential_case *x) {
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
  cla_scoring scoring = potential_case_scoring(of);
  if (below(x, 3) == 0) {
    look_ups_letters(x->letters[0], x->problem.rows, &x->stream);
    look_ups_letters(x->letters[1], x->problem.columns, &x->stream);
    look_ups_scores(&scoring, &x->stream);
  }
  potential_case_scheme(x, &scoring, ends);
}

static bool corner(const path_ends *ends) {
  return !ends->anywhere && !ends->query_end && !ends->target_end;
}

static bool free_start(const path_ends *ends) {
  return ends->floor || ends->query_start || ends->target_start;
}

/* Draws chunks and buckets of a few rows and diagonals, and the parameters for finding regions. */
static void make_shape(potential_case *x) {
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

/* Draws how far paths that matter may score below the optimum: nothing, little, or so much that they cover
 * many nodes. */
static int64_t choose_budget(potential_case *x) {
  const int64_t kind = below(x, 4), most = x->problem.rows * x->scoring.gap_first;
  return kind == 0 ? 0
                   : below(x, kind == 1                         ? 12
                              : corner(&x->problem.scheme.ends) ? most
                                                                : larger(x->want.score, 1));
}

int64_t potential_case_match(const potential_case *x) {
  int64_t most = 0;
  for (int a = 0; a < SEQUENCE_UNAMBIGUOUS; a++)
    most = larger(most, x->table.score[a * CLA_MATRIX_STRIDE + a]);
  return most;
}

/* How far a path that may start anywhere can score below the bound, because buckets are coarse. It is half
 * of the budget's surplus (docs/internals/bounds.md). */
static int64_t spare(const potential_case *x) {
  const cla_scoring *s = &x->scoring;
  const int64_t match = potential_case_match(x), ext = 2 * gap_least_ext(s) + match;
  return free_start(&x->problem.scheme.ends) ? (2 * match + ext) * x->shape.bucket / 2 : 0;
}

/* Notes what a level leaves. Expects that parts come from the top, without rows between them. */
static void note_left(void *user, const potential_part *part) {
  potential_case *x = user;
  cr_assert_eq(part->row, x->parts_end[part->number]);
  cr_assert_eq(part->level, &x->levels.at[part->number]);
  x->parts_end[part->number] += part->rows;
  if (x->problem.rows >= 2 * POTENTIAL_CASE_LETTERS) return;
  for (int64_t row = part->row; row < part->row + part->rows; row++) {
    x->left[part->number][row][0] = part->first;
    x->left[part->number][row][1] = part->last;
  }
}

/* A left_work function: what is left takes one unit of work for each cell. */
static double a_cell_each(const void *user, const potential *p, double area, double expected) {
  (void)user;
  (void)p;
  (void)expected;
  return area;
}

void potential_case_make(potential_case *x) {
  const bound_pair pair = {.problem = x->problem};
  const potential_input input = {.pair = &pair,
                                 .bound = &x->bound,
                                 .threads = 1 + (int)(x->seed % 3),
                                 .work_most = INT64_MAX / 2,
                                 .bytes_most = INT64_MAX,
                                 .left_work = x->seed % 4 ? NULL : a_cell_each,
                                 .left = note_left,
                                 .user = x,
                                 .shape = x->shape};
  assert_ok(potential_make(&x->potential, &x->levels, &input, &why));
}

bool potential_case_set_up_pair(potential_case *x, uint64_t seed, void (*make)(potential_case *x)) {
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
  x->bound = (lower_bound){.path_score = x->want.score - x->budget + x->spare,
                           .has_path = true,
                           .query_start = x->want.query_start,
                           .target_start = x->want.target_start,
                           .query_stop = x->want.query_end,
                           .target_stop = x->want.target_end,
                           .runs = x->want.runs,
                           .run_count = x->want.run_count};
  return true;
}

/* Moves the start of a local path up by pairs whose cost is at most what is left. */
static void begin_earlier(lower_bound *bound, int64_t *left, potential_case *x) {
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

lower_bound potential_case_worse_bound(potential_case *x, cla_run *runs) {
  const int64_t costs = 2 * gap_cost(&x->scoring, 1) + potential_case_match(x), often = 1 + below(x, 4);
  int64_t left = x->budget;
  lower_bound bound = x->bound;
  if (below(x, 2)) begin_earlier(&bound, &left, x);
  bound.run_count = 0;
  bound.runs = runs;
  for (size_t i = 0; i < x->want.run_count; i++) {
    cla_run run = x->want.runs[i];
    if (i == 0) run.length += x->bound.query_start - bound.query_start; /* local paths begin with pairs */
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

bool potential_case_set_up(potential_case *x, uint64_t seed, void (*make)(potential_case *x)) {
  if (!potential_case_set_up_pair(x, seed, make)) return false;
  x->behind = x->budget;
  potential_case_make(x);
  return x->potential != NULL;
}

void potential_case_tear_down(potential_case *x) {
  reference_alignment_free(&x->want);
  potential_free(x->potential);
}
