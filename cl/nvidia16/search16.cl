/* Computes the scores of a query with many targets, only for local alignments, on NVIDIA GPUs (sm_90 and later).
 *
 * The targets are joined to a stream of letters, with a separator after each target. A warp processes two parts of the stream at
 * the same time: one in the low halves of its registers, one in the high halves. It has 32 lanes of ALPHA rows of the query. The
 * lanes never wait between targets.
 *
 *   low half    A C G T | C C A T G | A A ...        step k: lane l works on letter k - l of both parts
 *   high half   T T G | A C C G T A T A | C ...      |: a separator
 *
 * The recurrence is that of nvidia16 (nvidia16_step.clh), with a profile (nvidia16_profile.clh). Both halves have the same rows,
 * so both use the same words of a lane. Values need no base: the caller ensures that all scores are below SCORE_MOST.
 *
 * In the column of a separator, a lane's values are set to those of a left border. In that step, the lane passes a score to the
 * next lane: the larger of its own best score and the score from the lane above. So the last lane outputs a target's score 31
 * steps after the target's separator entered the first lane. Steps with separators are computed one by one, all others in groups
 * of four.
 *
 * With STRIPS a query has several strips of 32 x ALPHA rows, which a warp computes one after the other. The last lane's X and F
 * are written to a bus that only this warp uses. Each strip raises the targets' scores if it finds better ones.
 *
 * Launch: groups of one warp, which get parts of the stream by ticket. Local memory: 33 x 32 x ALPHA bytes for the profile, ALPHA
 * rounded up to a multiple of four, and 800 bytes.
 *
 * Options: those of common.clh, with LANES 32, LOCAL 1, BEST 1, GAPS 2 and PAIRS 1; and STRIPS 0 or 1. */

#define PROFILE 1
#define SEARCH 1
#include "nvidia16_choices.clh"
#include "nvidia16_strip.clh"
#include "nvidia16_step.clh"

/* The struct must equal that of the same name in host/packs/stream.c. */
typedef struct stream_part {
  long query_at, strips; /* index of the query's first letter; number of the query's strips, all of full height */
  long at[2], end[2];   /* start and end of each half's letters, with a separator after each target */
  long found_at[2];     /* index of the score of each half's first target */
} stream_part;

#define BUS_ITEMS (STRIPS ? ITEMS : 1)

/* A warp's local memory. All items but the last write to places that nobody reads, so that no branch splits the warp. */
typedef struct stream_memory {
  uint letters[2 * ITEMS + GROUP]; /* places of the letters of both halves, of the previous block and of this block */
  uint ended[ITEMS], ended_others[ITEMS]; /* best scores output by the last lane, by step */
  uint bus[BUS_LINES][BUS_ITEMS];         /* X and F from the strip above */
  uint below[BUS_LINES * BUS_ITEMS], below_others[BUS_LINES * BUS_ITEMS]; /* X and F for the strip below */
  ulong profiled; /* address of the query rows for which the profile was made; 0: no profile */
  uint profile[PROFILE_WORDS] __attribute__((aligned(16)));
} stream_memory;

typedef struct stream_work {
  region_work region;
  const global stream_part *part;
  global ushort *found; /* scores of all targets */
  global uint *bus;     /* two lines, X and F of the strip's last row, from column 0 on */
  long bus_stride;
  ulong ends[2];        /* separators of each half as bits: the previous block in the low 32 bits, this block in the high 32 */
  long count[2];        /* number of each half's targets whose scores have been stored */
  uint handed;          /* best scores that this lane passes to the next */
  uint best;
  uint next;            /* this item's letters of the next block */
  uint next_bus[BUS_LINES]; /* this item's bus values of the next block */
  local stream_memory *memory;
  local uint *ended, *below; /* where this item writes in the arrays with the same names in stream_memory */
} stream_work;

#define SEPARATOR 32 /* the code of a separator in the stream */
#define SEPARATOR_PLACE (CODES * LINE_BYTES)
#define SEPARATORS (SEPARATOR_PLACE * 0x10001u)

/* Returns the place of the line of a half's letter, or of a separator outside the part. */
INLINE uint stream_letter(const stream_work *m, int side, long column) {
  const long at = m->part->at[side] + column;
  return (column >= 0 && at < m->part->end[side] ? m->region.target[at] : SEPARATOR) * LINE_BYTES;
}

INLINE void fetch_block(stream_work *m, long column) {
  const long at = column + (int)get_local_id(0);
  m->next = letter_pair(stream_letter(m, 0, at), stream_letter(m, 1, at));
#pragma unroll
  for (int line = 0; STRIPS && line < BUS_LINES; line++) m->next_bus[line] = m->bus[line * m->bus_stride + at];
}

/* Returns all ones in the halves of `letters` that are separators. */
INLINE uint separated(uint letters) {
  return ((letters & 0xffffu) == SEPARATOR_PLACE ? 0xffffu : 0) | (letters >> 16 == SEPARATOR_PLACE ? 0xffff0000u : 0);
}

/* Records the separators of the block at `column`, except those outside the parts. */
INLINE void note_ends(stream_work *m, int side, long column) {
  const long at = column + (int)get_local_id(0);
  const uint letter = side ? m->next >> 16 : m->next & 0xffffu;
  const bool is_end = letter == SEPARATOR_PLACE && m->part->at[side] + at < m->part->end[side];
  m->ends[side] = m->ends[side] >> 32 | (ulong)items_that(is_end) << 32;
}

/* Stores the fetched letters of the block in local memory, and fetches the letters of the next block. */
INLINE void open_stream_block(strip2 *v, stream_work *m, long column) {
  local uint *letters = m->memory->letters;
  const uint before = letters[ITEMS + v->item];
  note_ends(m, 0, column);
  note_ends(m, 1, column);
  warp_barrier();
  letters[v->item] = before;
  letters[ITEMS + v->item] = m->next;
#pragma unroll
  for (int line = 0; STRIPS && line < BUS_LINES; line++)
    m->memory->bus[line][v->item] = v->strip > 0 ? m->next_bus[line] : v->border.x;
  warp_barrier();
  fetch_block(m, column + ITEMS);
}

INLINE handed stream_bus(const strip2 *v, const stream_work *m, int k) {
  handed bus;
#pragma unroll
  for (int line = 0; line < BUS_LINES; line++) bus.word[line] = STRIPS ? m->memory->bus[line][k] : v->border.x;
  return bus;
}

INLINE void put_stream_below(const lanes2 *s, const stream_work *m, int k) {
  if (!STRIPS) return;
  m->below[k] = s->x[ALPHA - 1];
  m->below[ITEMS + k] = s->f[0];
}

/* Computes a step in which a lane meets a separator. */
INLINE void end_step(lanes2 *s, const strip2 *v, stream_work *m, int k, uint letters) {
  const uint here = separated(letters);
  step_scores scores;
  fetch_scores(&scores, v, letters);
  step(s, v, stream_bus(v, m, k), &scores, false, 0, 0, &m->best, false);
#pragma unroll
  for (int a = 0; a < ALPHA; a++) {
    enter(&s->x[a], v->border.x, here);
    enter(&s->e[0][a], v->border.x, here);
  }
  enter(&s->f[0], v->border.x, here);
  const uint above = from_item(m->handed, v->before), best = max2(v->item > 0 ? above : 0, m->best);
  enter(&m->handed, best, here);
  m->best &= ~here;
  m->ended[k] = m->handed;
  put_stream_below(s, m, k);
}

/* Computes four steps in which no lane meets a separator. Each step fetches the scores for the next step. */
INLINE void plain_steps(lanes2 *s, const strip2 *v, stream_work *m, int k) {
  local const uint *at = m->memory->letters + ITEMS - v->item + k;
  uint letters[GROUP];
  step_scores scores[GROUP];
#pragma unroll
  for (int i = 0; i < GROUP; i++) letters[i] = at[i];
  fetch_scores(&scores[0], v, letters[0]);
#pragma unroll
  for (int i = 0; i < GROUP; i++) {
    if (i < GROUP - 1) fetch_scores(&scores[i + 1], v, letters[i + 1]);
    step(s, v, stream_bus(v, m, k + i), &scores[i], false, 0, 0, &m->best, i % 2 != 0);
    put_stream_below(s, m, k + i);
  }
}

/* Stores the scores that the last lane output in the block. At step i the last lane was at column i - 31 of the block. */
INLINE void store_ended(const strip2 *v, stream_work *m, int side) {
  const ulong left = m->ends[side] >> 1; /* bit i: a target ends at step i */
  const uint steps = (uint)left;
  const uint score = half_of(m->memory->ended[v->item], side) + (int)v->p->gap.first - BIAS;
  if (steps >> v->item & 1u) {
    global ushort *found =
        m->found + m->part->found_at[side] + m->count[side] + popcount(steps & ((1u << v->item) - 1u));
    *found = STRIPS && v->strip > 0 ? max(*found, (ushort)score) : (ushort)score;
  }
  m->count[side] += popcount(steps);
}

INLINE void close_stream_block(const strip2 *v, stream_work *m, long column) {
  warp_barrier();
  if ((uint)((m->ends[0] | m->ends[1]) >> 1)) {
    store_ended(v, m, 0);
    store_ended(v, m, 1);
  }
  const long at = column - (ITEMS - 1) + v->item;
  if (STRIPS && at >= 0)
    for (int line = 0; line < BUS_LINES; line++) m->bus[line * m->bus_stride + at] = m->memory->below[line * ITEMS + v->item];
}

INLINE void stream_block(lanes2 *s, strip2 *v, stream_work *m, long column) {
  local const uint *letters = m->memory->letters + ITEMS - v->item;
  open_stream_block(v, m, column);
  const ulong ends = (m->ends[0] | m->ends[1]) >> 1; /* bits k to k + 34 are the separators that lanes meet at steps k to k + 3 */
#pragma unroll 1
  for (int k = 0; k < ITEMS; k += GROUP) {
    if (ends >> k & 0x7ffffffffUL) {
#pragma unroll 1
      for (int i = k; i < k + GROUP; i++) end_step(s, v, m, i, letters[i]);
    } else {
      plain_steps(s, v, m, k);
    }
  }
  close_stream_block(v, m, column);
}

/* Prepares the strip's rows, and the lanes before the first letters of the parts. */
INLINE void open_stream(lanes2 *s, strip2 *v, stream_work *m, long strip, local stream_memory *memory) {
  constant region_params *p = m->region.p;
  v->w = &m->region;
  v->p = p;
  v->item = (int)get_local_id(0);
  v->strip = strip;
  v->strip_row = strip * STRIP_ROWS;
  m->memory = memory;
  m->ended = v->item == ITEMS - 1 ? memory->ended : memory->ended_others;
  m->below = v->item == ITEMS - 1 ? memory->below : memory->below_others;
  v->less_first = from_item(0u - pair_of(p->gap.first), 0);
  v->floor = pair_of(BIAS);
  v->border.x = pair_of(BIAS - p->gap.first);
  v->before = (uint)(v->item + ITEMS - 1) % ITEMS;
  v->take_half = v->item ? 0x3210u : 0x7654u;
  v->profile = memory->profile;
  const ulong rows = (ulong)(m->region.query + v->strip_row);
  const bool profiled = any_item(memory->profiled == rows);
  warp_barrier();
  memory->profiled = rows;
  if (!profiled) make_scores(v);
#pragma unroll
  for (int a = 0; a < ALPHA; a++) s->x[a] = s->e[0][a] = v->border.x;
  s->diagonal = s->f[0] = v->border.x;
  m->ends[0] = m->ends[1] = 0;
  m->count[0] = m->count[1] = 0;
  m->handed = m->best = 0;
  m->memory->letters[ITEMS + v->item] = SEPARATORS;
  warp_barrier();
}

INLINE void stream_strip(stream_work *m, long strip, local stream_memory *memory) {
  const global stream_part *part = m->part;
  const long letters = max(part->end[0] - part->at[0], part->end[1] - part->at[1]);
  const int steps = (int)warp_largest((uint)letters + ITEMS - 1);
  lanes2 s;
  strip2 v;
  open_stream(&s, &v, m, strip, memory);
  fetch_block(m, 0);
#pragma unroll 1
  for (int column = 0; column < steps; column += ITEMS) stream_block(&s, &v, m, column);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void search16(
    constant region_params *p, constant long *launch, constant int *scores, global const stream_part *parts,
    global const uchar *queries, global const uchar *targets, global uint *bus, global ushort *found, global int *ticket) {
  local stream_memory memory;
  const int count = (int)warp_largest((uint)launch[0]);
  memory.profiled = 0;
  for (;;) {
    int mine = 0;
    if (get_local_id(0) == 0) mine = atomic_inc(ticket);
    const int taken = (int)warp_largest((uint)mine);
    if (taken >= count) break;
    const global stream_part *part = parts + taken;
    stream_work m = {.region = {.p = p, .scores = scores, .query = queries + part->query_at, .target = targets},
                     .part = part,
                     .found = found,
                     .bus = bus + get_group_id(0) * BUS_LINES * launch[1],
                     .bus_stride = launch[1]};
    const int strips = STRIPS ? (int)warp_largest((uint)part->strips) : 1;
#pragma unroll 1
    for (int strip = 0; strip < strips; strip++) stream_strip(&m, strip, &memory);
  }
}
