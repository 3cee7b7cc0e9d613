#include "dp/edits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/loops.h"
#include "base/machine.h"
#include "seq/sequence.h"

#define HALF 4 /* number of lanes of a vector; a group has two vectors */
#define LANES (2 * HALF)
#define WORD_ROWS 64
#define WORDS_MOST (EDIT_ROWS_MOST / WORD_ROWS)
#define UNKNOWN SEQUENCE_UNAMBIGUOUS /* code of a letter that matches nothing */
#define PART_LEAST 4096              /* least number of diagonals of a full part */
/* minimum number of diagonals of a full part, per column that is computed before the part */
#define PART_TIMES 32

typedef uint64_t words __attribute__((vector_size(8 * HALF)));
typedef int64_t counts __attribute__((vector_size(8 * HALF)));

/* The letters of 64 rows, one word per lane: both bits of the codes, and a bit that is set for letters that
 * match nothing. For a column's letter, all 64 bits are equal. */
typedef struct word_letters {
  words bit0, bit1, unknown;
} word_letters;

/* One bit per row. plus: the row has more edits than the row above; minus: it has fewer. */
typedef struct row_steps {
  words plus, minus;
} row_steps;

/* One bit per row. rises: the row has more edits than in the column before; falls: it has fewer. */
typedef struct row_change {
  words rises, falls;
} row_change;

/* A part of a chunk's diagonals. */
typedef struct edit_part {
  const edit_chunk *chunk;
  int64_t diagonal, buckets;
} edit_part;

/* Parts that are computed together, one in each lane. Their chunks have the same number of rows. A lane
 * whose part has fewer buckets than the largest part is idle at the end. */
typedef struct edit_group {
  const edits_input *in;
  const edit_part *parts;
  int64_t count, rows;
  int64_t before;   /* columns computed before the first bucket: paths that end in the bucket cross them */
  int64_t buckets;  /* buckets of the largest part */
  bool unknown;     /* at least one letter of the group matches nothing */
  uint8_t *columns; /* the target's letters, by lane and step */
  int64_t room;     /* number of steps in `columns` for which a lane has room */
  word_letters query[WORDS_MOST][2];
  row_steps steps[WORDS_MOST][2];
} edit_group;

/* Spreads the letters of HALF lanes over words. The letters of neighbouring lanes are `steps` bytes apart. */
ALWAYS_INLINE void spread_letters(word_letters *out, const uint8_t *column, int64_t steps) {
  const words codes = {column[0], column[steps], column[2 * steps], column[3 * steps]};
  out->bit0 = -(codes & 1);
  out->bit1 = -((codes >> 1) & 1);
  out->unknown = -(codes >> 2);
}

/* Computes the 64 rows of a word for one column. On entry, *change is the change in the row above the word;
 * on return, it is the change in the word's last row. *bits is set to the changes in all rows. */
ALWAYS_INLINE void pass_word(row_steps *at, row_change *change, row_change *bits, const word_letters *query,
                             const word_letters *column, bool unknown) {
  words other = (query->bit0 ^ column->bit0) | (query->bit1 ^ column->bit1);
  if (unknown) other |= query->unknown | column->unknown;
  const words plus = at->plus, minus = at->minus;
  const words vertical = ~other | minus, same = ~other | change->falls;
  const words across = (((same & plus) + plus) ^ plus) | same;
  const words rise = minus | ~(across | plus), fall = plus & across;
  const words below = rise << 1 | change->rises, fallen = fall << 1 | change->falls;
  at->plus = fallen | ~(vertical | below);
  at->minus = below & vertical;
  bits->rises = rise;
  bits->falls = fall;
  change->rises = rise >> 63;
  change->falls = fall >> 63;
}

/* Computes one column. edits[] contains the number of edits in the last row, by lane. */
ALWAYS_INLINE void pass_column(counts edits[2], edit_group *g, const uint8_t *column, bool unknown) {
  const int64_t last = (g->rows - 1) / WORD_ROWS;
  const int shift = (int)((g->rows - 1) % WORD_ROWS);
  row_change change[2] = {{{0}, {0}}, {{0}, {0}}}, bits[2] = {{{0}, {0}}, {{0}, {0}}};
  word_letters low, high;
  spread_letters(&low, column, g->room);
  spread_letters(&high, column + HALF * g->room, g->room);
  for (int64_t w = 0; w <= last; w++) {
    pass_word(&g->steps[w][0], &change[0], &bits[0], &g->query[w][0], &low, unknown);
    pass_word(&g->steps[w][1], &change[1], &bits[1], &g->query[w][1], &high, unknown);
  }
  for (int half = 0; half < 2; half++)
    edits[half] += (counts)((bits[half].rises >> shift) & 1) - (counts)((bits[half].falls >> shift) & 1);
}

ALWAYS_INLINE void pass_columns(edit_group *g, bool unknown) {
  const uint8_t *column = g->columns;
  counts edits[2] = {{0}, {0}};
  for (int half = 0; half < 2; half++) edits[half] += g->rows;
  for (int64_t k = 0; k < g->before; k++, column++) pass_column(edits, g, column, unknown);
  for (int64_t b = 0; b < g->buckets; b++) {
    counts least[2] = {edits[0] + g->rows,
                       edits[1] + g->rows}; /* more edits than any column of a bucket has */
    for (int64_t k = 0; k < g->in->bucket; k++, column++) {
      pass_column(edits, g, column, unknown);
      for (int half = 0; half < 2; half++) {
        const counts less = edits[half] < least[half];
        least[half] = (edits[half] & less) | (least[half] & ~less);
      }
    }
    for (int lane = 0; lane < g->count; lane++) {
      const edit_part *part = &g->parts[lane];
      const int64_t at = (part->diagonal - part->chunk->diagonal) / g->in->bucket + b;
      if (b < part->buckets) part->chunk->least[at] = (uint16_t)least[lane / HALF][lane % HALF];
    }
  }
}

ALWAYS_INLINE void pass_either(edit_group *g) {
  if (g->unknown)
    pass_columns(g, true);
  else
    pass_columns(g, false);
}

BY_PROCESSOR(static, void, pass, pass_either, (edit_group * g), (g))

static void load_rows(edit_group *g) {
  memset(g->query, 0, sizeof g->query);
  for (int lane = 0; lane < g->count; lane++) {
    const uint8_t *query = g->in->query + g->parts[lane].chunk->row;
    for (int64_t i = 0; i < g->rows; i++) {
      word_letters *of = &g->query[i / WORD_ROWS][lane / HALF];
      const uint64_t code = query[i];
      const bool unknown = code >= SEQUENCE_UNAMBIGUOUS;
      of->bit0[lane % HALF] |= (code & 1) << i % WORD_ROWS;
      of->bit1[lane % HALF] |= (code >> 1 & 1) << i % WORD_ROWS;
      of->unknown[lane % HALF] |= (uint64_t)unknown << i % WORD_ROWS;
      g->unknown |= unknown;
    }
  }
}

/* Loads each lane's target letters: g->before columns, then the columns of the lane's buckets. */
static void load_columns(edit_group *g) {
  const edits_input *in = g->in;
  const int64_t steps = g->before + g->buckets * in->bucket;
  for (int lane = 0; lane < LANES; lane++) {
    const edit_part *part = lane < g->count ? &g->parts[lane] : NULL;
    const int64_t first = part ? part->chunk->row + g->rows + part->diagonal - 1 - g->before : 0;
    const int64_t known = smaller(larger(part ? in->columns - first : 0, 0), steps);
    const int64_t outside = part ? smaller(larger(-first, 0), steps) : steps;
    uint8_t *restrict column = g->columns + lane * g->room;
    uint8_t most = 0;
    memset(column, UNKNOWN, (size_t)steps);
    for (int64_t k = outside; k < known; k++) {
      const uint8_t code = in->target[first + k], letter = code < UNKNOWN ? code : UNKNOWN;
      column[k] = letter;
      most = letter > most ? letter : most;
    }
    g->unknown |= most == UNKNOWN || (part && (outside > 0 || known < steps));
  }
}

static void begin(edit_group *g) {
  for (int64_t w = 0; w <= (g->rows - 1) / WORD_ROWS; w++)
    for (int half = 0; half < 2; half++) g->steps[w][half] = (row_steps){.plus = ~(words){0}};
}

/* The parts of all chunks, from which threads take groups of LANES parts. */
typedef struct shared_edits {
  const edits_input *in;
  edit_part *parts;
  int64_t count; /* number of parts */
  int64_t steps; /* columns of the longest part */
  atomic_llong next, cells;
  atomic_bool failed;
} shared_edits;

static bool is_stopped(const shared_edits *s, int thread) {
  return s->in->stopped && s->in->stopped(s->in->stopped_by, thread);
}

static int64_t columns_before(const edits_input *in, int64_t rows) {
  return rows + smaller(in->most, rows) - 1;
}

static void take_groups(void *user, int thread) {
  shared_edits *s = user;
  void *memory = NULL, *room = NULL;
  if (posix_memalign(&memory, 64, sizeof(edit_group)) != 0 ||
      posix_memalign(&room, 64, (size_t)(s->steps * LANES)) != 0) {
    free(memory);
    atomic_store(&s->failed, true);
    return;
  }
  edit_group *g = memory;
  for (;;) {
    const int64_t from = atomic_fetch_add(&s->next, LANES);
    if (from >= s->count || atomic_load(&s->failed) || is_stopped(s, thread)) break;
    *g = (edit_group){.in = s->in, .parts = s->parts + from, .columns = room, .room = s->steps};
    g->rows = g->parts[0].chunk->rows;
    g->before = columns_before(s->in, g->rows);
    for (; g->count < smaller(LANES, s->count - from) && g->parts[g->count].chunk; g->count++)
      g->buckets = larger(g->buckets, g->parts[g->count].buckets);
    load_rows(g);
    load_columns(g);
    begin(g);
    pass(g);
    atomic_fetch_add(&s->cells, g->rows * (g->before + g->buckets * s->in->bucket) * LANES);
  }
  free(memory);
  free(room);
}

static int64_t parts_of(const edits_input *in, const edit_chunk *chunk) {
  const int64_t room = larger(PART_LEAST, PART_TIMES * columns_before(in, chunk->rows));
  return (chunk->count + room - 1) / room;
}

/* Cuts the chunks into parts. Where the number of rows changes, empty parts fill up the group. */
static cla_status make_parts(shared_edits *s, cla_error *error) {
  const edits_input *in = s->in;
  int64_t most = 0;
  for (int64_t c = 0; c < in->count; c++) most += parts_of(in, &in->chunks[c]) + LANES;
  cla_status status = ALLOCATE_ZEROS(&s->parts, most, "a potential", error);
  for (int64_t c = 0; c < in->count && status == CLA_OK; c++) {
    const edit_chunk *chunk = &in->chunks[c];
    if (c > 0 && chunk->rows != in->chunks[c - 1].rows) s->count = (s->count + LANES - 1) / LANES * LANES;
    const int64_t parts = parts_of(in, chunk), buckets = chunk->count / in->bucket;
    for (int64_t i = 0; i < parts; i++) {
      const int64_t first = buckets * i / parts, end = buckets * (i + 1) / parts;
      s->parts[s->count++] = (edit_part){
          .chunk = chunk, .diagonal = chunk->diagonal + first * in->bucket, .buckets = end - first};
      s->steps = larger(s->steps, columns_before(in, chunk->rows) + (end - first) * in->bucket);
    }
  }
  return status;
}

cla_status edits_compute(int64_t *cells, const edits_input *input, cla_error *error) {
  shared_edits s = {.in = input};
  cla_status status = make_parts(&s, error);
  if (status == CLA_OK) parallel_run((int)smaller(input->threads, s.count / LANES + 1), take_groups, &s);
  *cells = atomic_load(&s.cells);
  if (atomic_load(&s.failed)) status = allocate_failed("the potential", error);
  free(s.parts);
  return status;
}
