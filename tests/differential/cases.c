#include "differential/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/modes.h"
#include "differential/schemes.h"
#include "differential/shapes.h"
#include "scoring/lane_width.h"

#define SCHEMES 6      /* of a family: each has self-tests, and some have builds */
#define CASES_AHEAD 25 /* cases drawn before the next family */
#define CELLS_MOST (INT64_C(4) << 20)
#define FAMILY_STREAMS 1000 /* beyond these are those of the cases */
#define CASE_STREAMS (INT64_C(1) << 32)

static void draw_entry(drawn_case *one, random_stream *stream, const case_source *source,
                       const build_family *family) {
  const uint64_t drawn = random_stream_below(stream, 100);
  one->entry = ENTRY_ALIGN;
  if (drawn < 1)
    one->entry = ENTRY_PROGRAM;
  else if (drawn < 2)
    one->entry = ENTRY_PROGRAM_BATCH;
  else if (drawn < 8)
    one->entry = ENTRY_PARTNERS;
  else if (drawn < 12)
    one->entry = ENTRY_RANKS;
  else if (drawn < 14)
    one->entry = ENTRY_RANKS_BATCH;
  else if (source->may_run_ranks && drawn < 15 && draw_chance(stream, 4)) /* each takes a second or two */
    one->entry = draw_chance(stream, 3) ? ENTRY_MPI : ENTRY_MPI_BATCH;
  else if (family->batch && drawn < 27)
    one->entry = ENTRY_BATCH;
  else if (family->blocks && drawn < 60)
    one->entry = ENTRY_SMALL_PLAN;
  if (!source->may_run_program && case_is_of_program(one)) one->entry = ENTRY_ALIGN;
}

/* What is asked beside a plain alignment. */
static void draw_asked(drawn_case *one, random_stream *stream, const build_family *family, bool dna) {
  one->most = 1;
  one->score_only = draw_chance(stream, one->variant == &kernel_vector8 ? 2 : 4);
  if (dna && draw_chance(stream, 6))
    one->strand = draw_chance(stream, 2) ? CLA_STRAND_REVERSE : CLA_STRAND_BOTH;
  if (family->several && draw_chance(stream, 3)) {
    one->most = draw_between(stream, 2, 5);
    one->score_only = false;
  } else if (family->circle && draw_chance(stream, 4) && one->entry == ENTRY_ALIGN) {
    one->circular = draw_chance(stream, 2) ? CLA_CIRCULAR_QUERY : CLA_CIRCULAR_TARGET;
    if (one->mode != CLA_MODE_LOCAL) one->mode = CLA_MODE_GLOBAL;
    one->free_ends = 0;
  } else if (!case_is_batch(one) && one->entry == ENTRY_ALIGN && draw_chance(stream, 30)) {
    one->has_band = true;
    one->band = draw_chance(stream, 3) ? draw_between(stream, 0, 3) : draw_between(stream, 0, 200);
  }
  const bool may_split = one->entry == ENTRY_ALIGN || one->entry == ENTRY_RANKS || case_is_by_mpirun(one);
  one->split = may_split && one->most == 1 && !one->score_only && !one->circular && !one->has_band &&
               draw_chance(stream, one->entry == ENTRY_ALIGN ? 6 : 3);
  if (one->split && dna && draw_chance(stream, 3)) one->strand = CLA_STRAND_BOTH;
  if (one->split) one->split_drop = draw_between(stream, 0, 40 * scheme_largest(&one->scoring));
  if (!one->split && !one->score_only && one->most == 1 && one->entry != ENTRY_SMALL_PLAN &&
      draw_chance(stream, 6))
    one->placement = draw_chance(stream, 2) ? CLA_GAPS_LEFT : CLA_GAPS_RIGHT;
}

static void draw_bounds(drawn_case *one, random_stream *stream) {
  static const bound_word words[] = {BOUND_OPTIMUM, BOUND_OPTIMUM, BOUND_OPTIMUM, BOUND_OPTIMUM, BOUND_AUTO,
                                     BOUND_AUTO,    BOUND_AUTO,    BOUND_BELOW,   BOUND_BELOW,   BOUND_OFF,
                                     BOUND_OFF,     BOUND_PATH,    BOUND_ABOVE};
  one->bound = words[random_stream_below(stream, sizeof words / sizeof words[0])];
  one->bound_by = draw_chance(stream, 2) ? 1 : draw_between(stream, 1, 50);
  if (case_is_batch(one) || one->circular) one->bound = BOUND_AUTO;
  if (!case_is_batch(one) && !one->circular && !one->has_band && draw_chance(stream, 4)) {
    one->bounds = (bounds_word)draw_between(stream, BOUNDS_BAND, BOUNDS_SWEEP);
    one->bound = BOUND_PATH; /* a potential needs a path, and short pairs get no other one */
  }
  if (one->has_band) one->bound = BOUND_OFF;
  if (!one->split && draw_chance(stream, 8) && one->bound != BOUND_ABOVE) {
    one->least = (least_word)draw_between(stream, LEAST_OPTIMUM, LEAST_ABOVE);
    one->least_by = one->bound_by;
  }
}

static void draw_kernel(drawn_case *one, random_stream *stream, const case_source *source,
                        const build_family *family) {
  one->variant = family->variant;
  one->lanes = family->lanes;
  one->alpha = family->alpha;
  one->launch = -1;
  if (!one->variant) return;
  const kernel_config config = {.variant = one->variant, .lanes = one->lanes, .alpha = one->alpha};
  const score_table table = {.maximum = scheme_largest(&one->scoring)};
  const bool shared = one->entry == ENTRY_RANKS || one->entry == ENTRY_MPI;
  const int64_t limit = kernel_tile_limit(&config, &one->scoring, &table, shared ? LANE_WIDTH_BELOW_ROW : 0);
  if (limit < one->lanes) { /* no lanes of the family hold the scheme */
    one->variant = NULL;
    one->lanes = one->alpha = 0;
    return;
  }
  if (source->device->counters != CLA_COUNTERS_NONE && !draw_chance(stream, 3))
    one->launch = draw_chance(stream, 2) ? KERNEL_DIAGONALS : KERNEL_PERSISTENT;
  if (one->launch == KERNEL_PERSISTENT) one->groups = (int)draw_between(stream, 1, 8);
  one->tile = one->lanes * (draw_chance(stream, 3) ? draw_between(stream, 1, 8) : draw_between(stream, 1, 2));
  if (one->tile > limit) one->tile = limit;
}

static int64_t at_edge(random_stream *stream, int64_t unit, int64_t count) {
  const int64_t edge = unit * count + draw_between(stream, -1, 1);
  return edge < 1 ? 1 : edge;
}

/* Rows and columns: several strips and tiles, more often at their edges than not. */
static void draw_size(shape_wish *wish, random_stream *stream, const drawn_case *one, int64_t cells) {
  const int64_t strip = one->variant ? (int64_t)one->lanes * one->alpha : 128;
  const int64_t tile = one->tile > 0 ? one->tile : 64;
  int64_t limit = cells;
  for (int64_t half = draw_between(stream, 0, 5); half > 0; half--) limit /= 2;
  if (limit < 4096) limit = cells < 4096 ? cells : 4096;
  const int64_t side = limit / (strip > 8 ? strip : 8);
  wish->exact = draw_chance(stream, 2);
  if (draw_chance(stream, 12)) { /* skewed */
    const int64_t narrow = draw_chance(stream, 2) ? draw_between(stream, 1, 60)
                                                  : at_edge(stream, one->lanes > 0 ? one->lanes : 16, 1);
    const int64_t wide = draw_between(stream, 1, limit / narrow < 5000 ? limit / narrow : 5000);
    const bool tall = draw_chance(stream, 2);
    wish->rows = tall ? wide : narrow;
    wish->columns = tall ? narrow : wide;
    wish->exact = true;
    return;
  }
  wish->rows = draw_chance(stream, 2)
                   ? at_edge(stream, strip, draw_between(stream, 1, side / tile > 1 ? 4 : 2))
                   : draw_between(stream, 1, 3 * strip + 20);
  if (wish->rows * 8 > limit) wish->rows = draw_between(stream, 1, limit / 8);
  const int64_t columns = limit / wish->rows < 20000 ? limit / wish->rows : 20000;
  const int64_t like = draw_chance(stream, 2) ? columns : wish->rows;
  wish->columns = draw_between(stream, like / 2, like < columns ? like + like / 4 : columns);
  if (draw_chance(stream, 2)) wish->columns = at_edge(stream, tile, wish->columns / tile);
  if (wish->columns < 1) wish->columns = 1;
  if (wish->columns > columns) wish->columns = columns;
}

/* No more letters than the cells allow. */
static void cut(case_pair *pair, int64_t cells, bool target_only) {
  while (pair->rows * pair->columns > cells && (!target_only || pair->columns > 1)) {
    int64_t *longer = pair->rows > pair->columns && !target_only ? &pair->rows : &pair->columns;
    *longer = *longer * 3 / 4;
  }
  pair->query[pair->rows] = '\0';
  pair->target[pair->columns] = '\0';
}

/* The first pair's query also is this one's. */
static void share_query(drawn_case *one, int pair) {
  free(one->pairs[pair].query);
  one->pairs[pair].query = strdup(one->pairs[0].query);
  if (!one->pairs[pair].query) abort();
  one->pairs[pair].rows = one->pairs[0].rows;
}

static void draw_pairs(drawn_case *one, random_stream *stream, const drawn_scheme *scheme) {
  int64_t cells = draw_chance(stream, 30) ? CELLS_MOST : CELLS_MOST / 4;
  one->pair_count = case_is_batch(one) ? (int)draw_between(stream, 2, CASE_PAIRS_MOST) : 1;
  if (case_is_batch(one)) cells = CELLS_MOST / 4 / one->pair_count;
  if (one->most > 1) cells /= 8;
  if (one->circular) cells = 12000;
  if (one->strand == CLA_STRAND_BOTH) cells /= 2;
  for (int i = 0; i < one->pair_count; i++) {
    shape_wish wish = {.letters = scheme->letters, .plain = scheme->plain, .ambiguous = scheme->ambiguous};
    draw_size(&wish, stream, one, cells);
    one->shape = shape_draw(&one->pairs[i], stream, &wish);
    if (one->all_vs_all && i > 0) share_query(one, i);
    cut(&one->pairs[i], cells, one->all_vs_all && i > 0);
  }
  if (case_is_batch(one)) one->shape = "many pairs";
}

/* How many, and what a program on them writes: formats without times. */
static void draw_ranks(drawn_case *one, random_stream *stream) {
  static const char *const formats[] = {"paf",    "paf", "sam",   "sam",   "pair", "cigar", "blast",
                                        "blast7", "maf", "fasta", "chain", "vcf",  "bed"};
  if (one->entry < ENTRY_RANKS) return;
  /* Each has builds of its own, so most have as many as partners have. */
  one->ranks =
      (int)(draw_chance(stream, 4) ? draw_between(stream, 4, RANKS_MOST) : draw_between(stream, 1, 3));
  if (!case_is_by_mpirun(one)) return;
  one->small_alone = draw_chance(stream, 4);
  one->format =
      one->score_only ? "json" : formats[random_stream_below(stream, sizeof formats / sizeof formats[0])];
  if (one->alphabet == CLA_ALPHABET_OWN || !draw_chance(stream, 3)) return;
  int count = 0, number = 0;
  for (const cla_preset *p; (p = cla_preset_describe(number)); number++)
    count += one->alphabet == CLA_ALPHABET_DNA ? p->dna : p->protein;
  if (count == 0) return;
  int64_t left = draw_between(stream, 0, count - 1);
  for (number = 0; !one->preset; number++) {
    const cla_preset *p = cla_preset_describe(number);
    if ((one->alphabet == CLA_ALPHABET_DNA ? p->dna : p->protein) && left-- == 0) one->preset = p->name;
  }
}

static void draw_batch(drawn_case *one, random_stream *stream) {
  one->devices = 1;
  if (one->entry == ENTRY_PARTNERS) one->devices = (int)draw_between(stream, 2, 3);
  draw_ranks(one, stream);
  if (!case_is_batch(one)) return;
  if (one->ranks == 0) one->devices = (int)draw_between(stream, 1, 3);
  one->by_lanes = draw_chance(stream, 2);
  /* Chains are numbered as they come. */
  one->as_finished = draw_chance(stream, 4) && !(one->format && strcmp(one->format, "chain") == 0);
  one->top = draw_chance(stream, 4) ? draw_between(stream, 1, 3) : 0;
  if (one->top > 0) {
    one->most = 1;
    one->least = LEAST_NONE;
  }
  one->all_vs_all = one->top > 0 || draw_chance(stream, 4);
  one->pairs_ahead = draw_chance(stream, 4) ? draw_between(stream, 1, 9) : 0;
  if (draw_chance(stream, 2)) one->variant = NULL;
  if (!one->variant) one->lanes = one->alpha = 0;
}

void case_draw(drawn_case *one, const case_source *source, int64_t index) {
  random_stream stream, of_scheme;
  drawn_scheme scheme;
  memset(one, 0, sizeof *one);
  one->seed = source->seed;
  one->index = index;
  random_stream_init(&stream, source->seed, (uint64_t)(CASE_STREAMS + index));
  /* One family after the other comes in, so that the first cases need not wait for all builds. */
  const int64_t ready = 1 + index / CASES_AHEAD;
  const int64_t families = ready < source->family_count ? ready : source->family_count;
  const int number = (int)random_stream_below(&stream, (uint64_t)families);
  const build_family *family = &source->families[number];
  one->family = number;
  random_stream_init(&of_scheme, source->seed,
                     (uint64_t)(FAMILY_STREAMS + SCHEMES * number) + random_stream_below(&stream, SCHEMES));
  scheme_draw(&scheme, &of_scheme, family);
  one->scoring = scheme.scoring;
  one->alphabet = scheme.alphabet;
  one->scheme = scheme.kind;
  mode_draw(&one->mode, &one->free_ends, &stream, family->ends);
  draw_entry(one, &stream, source, family);
  /* The program reads scores in the fewest units, in which expected scores are rounded. */
  if (case_is_of_program(one)) cla_scoring_set_units(&one->scoring, 0, NULL);
  draw_kernel(one, &stream, source, family);
  draw_asked(one, &stream, family, scheme.alphabet == CLA_ALPHABET_DNA);
  draw_bounds(one, &stream);
  draw_batch(one, &stream);
  draw_pairs(one, &stream, &scheme);
  one->special_rows =
      draw_chance(&stream, 2) ? -1 : draw_between(&stream, 0, draw_chance(&stream, 2) ? 2 : 40);
  one->memory_bytes = draw_chance(&stream, 10) ? draw_between(&stream, 8, 256) << 20 : 0;
  one->threads = (int)draw_between(&stream, 1, 2);
}

void case_free(drawn_case *one) {
  for (int i = 0; i < one->pair_count; i++) {
    free(one->pairs[i].query);
    free(one->pairs[i].target);
  }
  one->pair_count = 0;
}

void case_copy(drawn_case *out, const drawn_case *one) {
  *out = *one;
  for (int i = 0; i < one->pair_count; i++) {
    out->pairs[i].query = strdup(one->pairs[i].query);
    out->pairs[i].target = strdup(one->pairs[i].target);
    if (!out->pairs[i].query || !out->pairs[i].target) abort();
  }
}
