/* Rows that are passed exactly, against the textbook's recurrence. */

#include "base/extremes.h"
#include "dp/stretch.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/test.h"

#define LETTERS 900
#define BUCKETS 40
#define NODES 800
#define NONE (INT64_MAX / 4)

/* A pair, what is passed of it, and what that gives by the textbook. */
typedef struct fixture {
  random_stream stream;
  uint8_t letters[2][LETTERS];
  cost_scheme costs;
  stretch s;
  int64_t row, rows;
  int32_t h[NODES], f[NODES], ends[BUCKETS], least[BUCKETS];
  int64_t want_h[NODES], want_f[NODES], want_least[BUCKETS];
} fixture;

static int64_t below(fixture *x, int64_t limit) {
  return (int64_t)random_stream_below(&x->stream, (uint64_t)limit);
}

static void make_letters(fixture *x) {
  const int64_t alike = below(x, 30), kinds = below(x, 3) ? 4 : 2;
  for (int64_t i = 0; i < LETTERS; i++) x->letters[0][i] = (uint8_t)below(x, kinds);
  for (int64_t i = 0; i < LETTERS; i++)
    x->letters[1][i] = below(x, 30) < alike ? x->letters[0][i] : (uint8_t)below(x, kinds);
  for (int64_t n = below(x, 3) ? 0 : below(x, 60); n > 0; n--)
    x->letters[below(x, 2)][below(x, LETTERS)] = SEQUENCE_UNAMBIGUOUS + 10;
}

/* Small ones, whose differences 8 bits hold, some that they just do or do not hold, and large ones. */
static void make_costs(fixture *x) {
  const int64_t most = below(x, 2) ? 8 : below(x, 2) ? 40 : 3000;
  const int32_t ext = 1 + (int32_t)below(x, most), match = (int32_t)below(x, ext + 1);
  x->costs = (cost_scheme){.match = match,
                           .other = 1 + (int32_t)below(x, below(x, 2) ? 30 : 4 * most),
                           .first = ext + (int32_t)below(x, below(x, 2) ? 20 : 2 * most),
                           .ext = ext};
}

/* From one diagonal to the next no more than a gap's letter, and no more than beside the diagonals on theirs.
 */
static void spread_border(fixture *x) {
  const int64_t last = x->s.count - 1;
  int32_t *h = x->h;
  h[0] = (int32_t)smaller(h[0], x->s.beside[0]);
  h[last] = (int32_t)smaller(h[last], x->s.beside[1]);
  for (int64_t k = 1; k <= last; k++) h[k] = (int32_t)smaller(h[k], h[k - 1] + x->costs.ext);
  for (int64_t k = last - 1; k >= 0; k--) h[k] = (int32_t)smaller(h[k], h[k + 1] + x->costs.ext);
}

/* Costs on the border, that of a chain. */
static void make_border(fixture *x) {
  const int64_t far = below(x, 4) ? 100 : 100000;
  int64_t cost = 1000000 + below(x, far);
  for (int64_t k = 0; k < x->s.count; k++) {
    x->h[k] = (int32_t)cost;
    cost += below(x, 2 * x->costs.ext + 1) - x->costs.ext;
  }
  for (int64_t b = 0; b < BUCKETS; b++) {
    x->ends[b] = below(x, 3) ? COST_NEVER : 1000000 + (int32_t)below(x, far + 1000);
    x->least[b] = COST_NEVER;
  }
  for (int i = 0; i < 2; i++)
    x->s.beside[i] = below(x, 3) ? COST_NEVER
                                 : x->h[i ? x->s.count - 1 : 0] +
                                       (int32_t)(below(x, 2) ? below(x, 50) : below(x, 60000) - 40000);
  spread_border(x);
  for (int64_t k = 0; k < x->s.count; k++)
    x->f[k] = x->h[k] + (int32_t)(below(x, 2) ? below(x, x->costs.first - x->costs.ext + 1) : 0);
}

static bool equal(const fixture *x, int64_t row, int64_t column) {
  return column >= 0 && column < x->s.columns && x->letters[0][row] == x->letters[1][column] &&
         x->letters[0][row] < SEQUENCE_UNAMBIGUOUS;
}

/* Costs of a row of nodes by place, in the order in which they are come to. */
typedef struct plain_row {
  int64_t h[NODES + LETTERS], e[NODES + LETTERS], f[NODES + LETTERS];
} plain_row;

/* A row of nodes further, the i-th of a strip. */
static void pass_row(plain_row *here, const plain_row *above, const fixture *x, const stretch_strip *strip,
                     int64_t i) {
  const cost_scheme *c = &x->costs;
  const int64_t count = x->s.count, letter = strip->row - i;
  for (int64_t j = 0; j < count + strip->rows; j++) {
    const int64_t at = count - 1 - j, column = strip->row + x->s.diagonal + at;
    here->f[j] = smaller(above->h[j] + c->first, above->f[j] + c->ext);
    here->e[j] = j > 0 ? smaller(here->h[j - 1] + c->first, here->e[j - 1] + c->ext) : NONE;
    here->h[j] = smaller(here->e[j], here->f[j]);
    if (j > 0) here->h[j] = smaller(here->h[j], above->h[j - 1] + (equal(x, letter, column) ? 0 : c->other));
    if (j == i) here->h[j] = smaller(here->h[j], x->s.beside[1]);
    if (j == i + count - 1) here->h[j] = smaller(here->h[j], x->s.beside[0]);
  }
}

/* What a strip makes of want_h and want_f; nodes beside its diagonals are forgotten then. */
static void pass_strip(fixture *x, const stretch_strip *strip, bool ends) {
  static plain_row rows[2];
  const int64_t count = x->s.count, width = count + strip->rows;
  const plain_row *last = &rows[strip->rows % 2];
  for (int64_t j = 0; j < width; j++) {
    const int64_t at = count - 1 - j;
    rows[0].h[j] = j < count ? x->want_h[at] : rows[0].h[j - 1] + x->costs.ext;
    rows[0].f[j] = j < count ? x->want_f[at] : rows[0].h[j] + cost_open_gap(&x->costs);
    rows[0].e[j] = NONE;
  }
  for (int64_t i = 1; i <= strip->rows; i++) pass_row(&rows[i % 2], &rows[(i - 1) % 2], x, strip, i);
  for (int64_t k = 0; k < count; k++) {
    const int64_t at = count - 1 - k, bucket = at / x->s.bucket, j = k + strip->rows;
    const int64_t gap = smaller(last->e[j], last->f[j]) - cost_open_gap(&x->costs);
    x->want_h[at] = ends ? smaller(last->h[j], x->ends[bucket]) : last->h[j];
    x->want_f[at] = smaller(last->f[j], last->h[j] + cost_open_gap(&x->costs));
    x->want_least[bucket] =
        ends ? smaller(x->want_least[bucket], smaller(x->want_h[at], gap)) : x->want_least[bucket];
  }
}

static void pass_plainly(fixture *x, const stretch_strip *strips, int64_t count) {
  for (int64_t b = 0; b < BUCKETS; b++) x->want_least[b] = COST_NEVER;
  for (int64_t k = 0; k < x->s.count; k++) {
    x->want_h[k] = x->h[k];
    x->want_f[k] = x->f[k];
  }
  for (int64_t i = 0; i < count; i++) pass_strip(x, &strips[i], i == count - 1);
}

static int64_t cut(fixture *x, stretch_strip *strips, int64_t most) {
  int64_t count = 0;
  for (int64_t done = 0, rows; done < x->rows; done += rows) {
    rows = 1 + below(x, smaller(most, x->rows - done));
    strips[count++] = (stretch_strip){.row = x->row - done, .rows = rows};
  }
  return count;
}

static void set_up(fixture *x) {
  make_letters(x);
  make_costs(x);
  x->rows = 1 + below(x, below(x, 2) ? 300 : 40);
  x->row = x->rows + below(x, LETTERS - x->rows);
  const int64_t bucket = 1 + below(x, 20);
  x->s = (stretch){.query = x->letters[0],
                   .target = x->letters[1],
                   .columns = 1 + below(x, LETTERS),
                   .costs = &x->costs,
                   .threads = 1 + (int)below(x, 3),
                   .bucket = bucket,
                   .count = bucket * (1 + below(x, BUCKETS)),
                   .h = x->h,
                   .f = x->f,
                   .ends = x->ends,
                   .least = x->least};
  x->s.diagonal = below(x, 600) - 300 - x->s.count / 2;
  make_border(x);
}

static void expect_cost(int64_t cost, int64_t want, const char *what, int turn) {
  cr_assert_eq(cost, want, "turn %d: %s is %lld, not %lld", turn, what, (long long)cost, (long long)want);
}

Test(stretch, passes_rows_as_the_recurrence_does) {
  static fixture x;
  static stretch_strip strips[LETTERS];
  random_stream_init(&x.stream, 3, 17);
  for (int turn = 0; turn < 1200; turn++) {
    set_up(&x);
    const int64_t count = cut(&x, strips, stretch_rows_most(&x.costs));
    pass_plainly(&x, strips, count);
    assert_ok(stretch_pass(&x.s, strips, count, &why));
    for (int64_t k = 0; k < x.s.count; k++) {
      expect_cost(x.h[k], x.want_h[k], "h", turn);
      expect_cost(x.f[k], x.want_f[k], "f", turn);
    }
    for (int64_t b = 0; b < x.s.count / x.s.bucket; b++)
      expect_cost(x.least[b], x.want_least[b], "a bucket", turn);
  }
}

Test(stretch, refuses_costs_whose_differences_16_bits_do_not_hold) {
  cost_scheme costs = {.other = 8, .first = 10000, .ext = 5};
  cr_expect_eq(stretch_rows_most(&costs), 512);
  costs.first = 10001;
  cr_expect_eq(stretch_rows_most(&costs), 0);
}
