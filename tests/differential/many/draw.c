#include <stdlib.h>
#include <string.h>

#include "differential/many/many.h"
#include "differential/modes.h"
#include "differential/oracle.h"
#include "differential/schemes.h"
#include "differential/shapes.h"

/* Most letters of a class, most pairs of a call, and how often it is drawn. */
static const struct length_class {
  const char *name;
  int64_t letters, pairs;
  int weight;
} classes[] = {{"to 32", 32, 4000, 12},
               {"to 256", 256, 800, 12},
               {"to 1k", 1024, 150, 6},
               {"to 4k", 4096, 40, 1},
               {"mixed", 1500, 200, 3}};

#define CLASSES ((int)(sizeof classes / sizeof classes[0]))

static void *must_allocate(int64_t count, size_t size) {
  void *memory = calloc((size_t)(count > 0 ? count : 1), size);
  if (!memory) abort();
  return memory;
}

static const struct length_class *draw_class(random_stream *stream) {
  int sum = 0, i = 0;
  for (int k = 0; k < CLASSES; k++) sum += classes[k].weight;
  int drawn = (int)random_stream_below(stream, (uint64_t)sum);
  while (drawn >= classes[i].weight) drawn -= classes[i++].weight;
  return &classes[i];
}

/* The largest score or cost in size. */
static int32_t most_of(const cla_scoring *s) {
  int32_t most = s->gap_first > s->gap_first2 ? s->gap_first : s->gap_first2;
  if (s->match > most) most = s->match;
  if (-s->mismatch > most) most = -s->mismatch;
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++)
    if (abs(s->matrix[i]) > most) most = abs(s->matrix[i]);
  return most;
}

/* Halves all scores and costs until none is above `most`. The scheme stays one that may be had. */
static void make_smaller(cla_scoring *s, int32_t most) {
  while (most_of(s) > most) {
    int32_t *const all[] = {&s->match,   &s->mismatch,   &s->gap_first,
                            &s->gap_ext, &s->gap_first2, &s->gap_ext2};
    for (int i = 0; i < 6; i++) *all[i] /= 2;
    for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++) s->matrix[i] /= 2;
  }
  if (s->gap_first2 > 0 && s->gap_first2 <= s->gap_first) s->gap_first2 = s->gap_first + 1;
  if (s->gap_first2 > 0 && s->gap_ext2 >= s->gap_ext) s->gap_first2 = s->gap_ext2 = 0;
}

/* Edit distance, negative, or with matches that score. */
static void unit_costs(many_case *out, drawn_scheme *scheme, random_stream *stream) {
  *scheme = (drawn_scheme){.kind = "unit costs", .letters = "ACGTN", .plain = 4};
  cla_scoring_init(&scheme->scoring);
  scheme->scoring.match = draw_chance(stream, 2);
  scheme->scoring.mismatch = -1;
  scheme->scoring.gap_first = scheme->scoring.gap_ext = 1;
  scheme->ambiguous = draw_chance(stream, 4);
  out->gaps = scheme->kind;
  out->large = false;
}

static void blosum62(many_case *out, drawn_scheme *scheme) {
  *scheme = (drawn_scheme){.kind = "BLOSUM62 of proteins", .alphabet = CLA_ALPHABET_PROTEIN, .plain = 20};
  strcpy(scheme->letters, "ARNDCQEGHILKMFPSTWYVBZX*JUO");
  cla_scoring_init_for(&scheme->scoring, CLA_ALPHABET_PROTEIN);
  scheme->ambiguous = true;
  out->gaps = scheme_gaps_word(&scheme->scoring);
  out->large = false;
}

/* Any scheme, and more often those that are most in use. */
static void draw_scheme(many_case *out, drawn_scheme *scheme, random_stream *stream) {
  static const kernel_gaps gaps[] = {KERNEL_GAPS_LINEAR, KERNEL_GAPS_AFFINE, KERNEL_GAPS_AFFINE,
                                     KERNEL_GAPS_TWO_PIECES};
  const build_family family = {.gaps = gaps[random_stream_below(stream, 4)],
                               .lookup = draw_chance(stream, 2)};
  scheme_draw(scheme, stream, &family);
  /* Large ones end at the edges of 8 and 16 bits, and beyond. */
  make_smaller(&scheme->scoring, draw_chance(stream, 8) ? CLA_SCORE_LIMIT : 1 << draw_between(stream, 4, 14));
  out->large = most_of(&scheme->scoring) >= MANY_LARGE;
  out->gaps = scheme_gaps_word(&scheme->scoring);
  if (draw_chance(stream, 8)) unit_costs(out, scheme, stream);
  if (draw_chance(stream, 8)) blosum62(out, scheme);
}

static int64_t draw_length(random_stream *stream, int64_t most) {
  if (!draw_chance(stream, 3)) return draw_between(stream, 1, most);
  const int64_t unit =
      INT64_C(1) << draw_between(stream, 2, 9); /* lanes, strips, tiles and bands end there */
  const int64_t edge = unit * draw_between(stream, 1, most / unit + 1) + draw_between(stream, -1, 1);
  return edge < 1 ? 1 : edge > most ? most : edge;
}

static void empty(char *letters, int64_t *length) {
  letters[0] = '\0';
  *length = 0;
}

/* `alike`: all about as long as the first one, as reads are. */
static void draw_sequences(many_case *out, random_stream *stream, const drawn_scheme *scheme, int64_t most) {
  const bool alike = draw_chance(stream, 2), some_empty = draw_chance(stream, 6);
  const int64_t length = draw_length(stream, most);
  for (int64_t i = 0; i < out->sequences; i++) {
    shape_wish wish = {.letters = scheme->letters, .plain = scheme->plain};
    wish.ambiguous = scheme->ambiguous && draw_chance(stream, 4);
    wish.rows = alike ? draw_between(stream, length - length / 8, length) : draw_length(stream, most);
    wish.columns = alike || draw_chance(stream, 2)
                       ? draw_between(stream, wish.rows - wish.rows / 8, wish.rows)
                       : draw_length(stream, most);
    if (wish.columns < 1) wish.columns = 1;
    wish.exact = draw_chance(stream, 2);
    case_pair *pair = &out->drawn[i];
    out->shapes[i] = shape_draw(pair, stream, &wish);
    if (some_empty && draw_chance(stream, 20)) {
      if (!draw_chance(stream, 3)) empty(pair->query, &pair->rows);
      if (!draw_chance(stream, 3)) empty(pair->target, &pair->columns);
    }
  }
}

/* Turns some queries to the other strand, so that the better one is not always the same. */
static void turn_some(many_case *out, random_stream *stream) {
  for (int64_t i = 0; i < out->sequences; i++) {
    if (!draw_chance(stream, 2)) continue;
    char *turned = oracle_reverse(out->drawn[i].query, out->drawn[i].rows);
    free(out->drawn[i].query);
    out->drawn[i].query = turned;
  }
}

static int compare_numbers(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Which sequences the pairs have. A pair of two that were drawn apart is of unrelated letters, mostly. */
static void draw_groups(many_case *out, random_stream *stream) {
  const uint64_t kind = random_stream_below(stream, 4);
  out->groups = "each its own";
  if (kind <= 1) return;
  out->groups = kind == 2 ? "queries in a row" : "any order";
  const int64_t queries = draw_chance(stream, 3) ? 1 : draw_between(stream, 1, out->sequences);
  for (int side = 0; side < 2; side++) out->of[side] = must_allocate(out->pairs, sizeof(int64_t));
  for (int64_t pair = 0; pair < out->pairs; pair++) out->of[0][pair] = draw_between(stream, 0, queries - 1);
  if (kind == 2) qsort(out->of[0], (size_t)out->pairs, sizeof(int64_t), compare_numbers);
  for (int64_t pair = 0; pair < out->pairs; pair++)
    out->of[1][pair] =
        draw_chance(stream, 3) ? out->of[0][pair] : draw_between(stream, 0, out->sequences - 1);
}

void many_draw(many_case *out, uint64_t seed, int64_t index) {
  random_stream stream;
  drawn_scheme scheme;
  random_stream_init(&stream, seed, (uint64_t)index);
  *out = (many_case){0};
  const struct length_class *length = draw_class(&stream);
  out->lengths = length->name;
  draw_scheme(out, &scheme, &stream);
  drawn_case *asked = &out->asked;
  *asked = (drawn_case){.seed = seed, .index = index, .most = 1, .pair_count = 1};
  asked->scheme = scheme.kind;
  asked->alphabet = scheme.alphabet;
  asked->scoring = scheme.scoring;
  mode_draw(&asked->mode, &asked->free_ends, &stream, (int)random_stream_below(&stream, ENDS_GROUPS));
  if (draw_chance(&stream, 4)) {
    asked->mode = CLA_MODE_GLOBAL;
    asked->free_ends = 0;
  }
  if (scheme.alphabet == CLA_ALPHABET_DNA && draw_chance(&stream, 3))
    asked->strand = draw_chance(&stream, 3) ? CLA_STRAND_REVERSE : CLA_STRAND_BOTH;
  asked->score_only = draw_chance(&stream, 3);
  out->threads = (int)draw_between(&stream, 1, 4);
  out->coded = scheme.alphabet != CLA_ALPHABET_PROTEIN && draw_chance(&stream, 2);
  out->lower = scheme.alphabet != CLA_ALPHABET_OWN && draw_chance(&stream, 4);
  out->allow_empty = draw_chance(&stream, 2);
  out->sequences = out->pairs = draw_between(&stream, 1, draw_chance(&stream, 4) ? 70 : length->pairs);
  if (out->pairs > length->pairs) out->sequences = out->pairs = length->pairs;
  out->drawn = must_allocate(out->sequences, sizeof *out->drawn);
  out->shapes = must_allocate(out->sequences, sizeof *out->shapes);
  draw_sequences(out, &stream, &scheme, length->letters);
  if (asked->strand != CLA_STRAND_FORWARD) turn_some(out, &stream);
  draw_groups(out, &stream);
}

void many_free(many_case *one) {
  for (int64_t i = 0; i < one->sequences; i++) {
    free(one->drawn[i].query);
    free(one->drawn[i].target);
  }
  free(one->drawn);
  free(one->shapes);
  for (int side = 0; side < 2; side++) free(one->of[side]);
}

case_pair many_pair(const many_case *one, int64_t pair) {
  const case_pair *query = &one->drawn[one->of[0] ? one->of[0][pair] : pair];
  const case_pair *target = &one->drawn[one->of[1] ? one->of[1][pair] : pair];
  return (case_pair){
      .query = query->query, .rows = query->rows, .target = target->target, .columns = target->columns};
}
