#include "differential/shapes.h"

#include <stdlib.h>
#include <string.h>

/* One sequence in the making. */
typedef struct line {
  char *text;
  int64_t length, room;
} line;

static void put(line *out, char letter) {
  if (out->length + 1 >= out->room) {
    out->room = 2 * out->room + 64;
    out->text = realloc(out->text, (size_t)out->room);
    if (!out->text) abort();
  }
  out->text[out->length++] = letter;
  out->text[out->length] = '\0';
}

static void put_line(line *out, const line *from, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++) put(out, from->text[i]);
}

static char draw_letter(random_stream *stream, const shape_wish *wish) {
  return wish->letters[random_stream_below(stream, (uint64_t)wish->plain)];
}

static void put_random(line *out, random_stream *stream, const shape_wish *wish, int64_t count) {
  for (int64_t i = 0; i < count; i++) put(out, draw_letter(stream, wish));
}

/* Copies with changes in so many of 1000 letters, a fifth of them gaps. */
static line changed(const line *from, random_stream *stream, const shape_wish *wish, int64_t rate) {
  line out = {0};
  for (int64_t i = 0; i < from->length; i++) {
    if ((int64_t)random_stream_below(stream, 1000) >= rate) {
      put(&out, from->text[i]);
    } else if (!draw_chance(stream, 5)) {
      put(&out, draw_letter(stream, wish));
    } else {
      const int64_t length =
          draw_chance(stream, 8) ? draw_between(stream, 1, 60) : draw_between(stream, 1, 4);
      if (draw_chance(stream, 2))
        i += length - 1;
      else
        put_random(&out, stream, wish, length);
    }
  }
  return out;
}

static int64_t draw_rate(random_stream *stream) {
  static const int64_t rates[] = {1, 5, 10, 30, 30, 60, 100, 200, 300};
  return rates[random_stream_below(stream, sizeof rates / sizeof rates[0])];
}

static void set(line *out, line with) {
  free(out->text);
  *out = with;
}

static void alike(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  set(t, changed(q, stream, wish, draw_rate(stream)));
}

static void identical(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  put_line(t, q, 0, q->length);
}

static void unrelated(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  put_random(t, stream, wish, wish->columns);
}

/* The query's end is the target's begin, or the other way round, with tails that are not alike. */
static void overlapping(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  const int64_t shorter = wish->rows < wish->columns ? wish->rows : wish->columns;
  line shared = {0}, copy;
  put_random(&shared, stream, wish, draw_between(stream, shorter / 3, shorter));
  copy = changed(&shared, stream, wish, draw_rate(stream));
  const bool turned = draw_chance(stream, 4);
  line *left = turned ? t : q, *right = turned ? q : t;
  const int64_t before = (turned ? wish->columns : wish->rows) - shared.length;
  const int64_t behind = (turned ? wish->rows : wish->columns) - copy.length;
  put_random(left, stream, wish, before);
  put_line(left, &shared, 0, shared.length);
  put_line(right, &copy, 0, copy.length);
  put_random(right, stream, wish, behind);
  free(shared.text);
  free(copy.text);
}

static void contained(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  line part;
  put_random(t, stream, wish, wish->columns);
  const int64_t length = wish->rows < t->length ? wish->rows : t->length;
  const int64_t begin = draw_between(stream, 0, t->length - length);
  line exact = {0};
  put_line(&exact, t, begin, begin + length);
  part = changed(&exact, stream, wish, draw_rate(stream));
  put_line(q, &part, 0, part.length);
  put_random(q, stream, wish, wish->rows - part.length);
  free(part.text);
  free(exact.text);
}

static void repeat_unit(line *out, const line *unit, int64_t phase, int64_t length) {
  for (int64_t i = 0; i < length; i++) put(out, unit->text[(i + phase) % unit->length]);
}

static void tandem(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  line unit = {0};
  put_random(&unit, stream, wish, draw_between(stream, 1, draw_chance(stream, 3) ? 60 : 9));
  repeat_unit(q, &unit, 0, wish->rows);
  repeat_unit(t, &unit, 0, wish->columns);
  free(unit.text);
  if (draw_chance(stream, 2)) set(t, changed(t, stream, wish, draw_between(stream, 1, 20)));
}

/* The same unit, begun elsewhere, between unlike ends. */
static void shifted_repeat(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  line unit = {0};
  put_random(&unit, stream, wish, draw_between(stream, 2, 40));
  put_random(q, stream, wish, wish->rows / 4);
  repeat_unit(q, &unit, 0, wish->rows - q->length);
  repeat_unit(t, &unit, draw_between(stream, 1, unit.length), wish->columns * 3 / 4);
  put_random(t, stream, wish, wish->columns - t->length);
  free(unit.text);
}

static void homopolymer(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  const char letter = draw_letter(stream, wish);
  for (int64_t i = 0; i < wish->rows; i++) put(q, letter);
  for (int64_t i = 0; i < wish->columns; i++) put(t, letter);
  if (draw_chance(stream, 2)) q->text[q->length / 2] = draw_letter(stream, wish);
  if (draw_chance(stream, 2)) t->text[t->length / 3] = draw_letter(stream, wish);
}

static void rotated(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  const int64_t cut = draw_between(stream, 0, q->length - 1);
  put_line(t, q, cut, q->length);
  put_line(t, q, 0, cut);
  set(t, changed(t, stream, wish, draw_rate(stream) / 3));
}

static void translocated(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  const int64_t a = draw_between(stream, 0, q->length), b = draw_between(stream, a, q->length);
  const int64_t c = draw_between(stream, b, q->length);
  put_line(t, q, 0, a);
  put_line(t, q, b, c);
  put_line(t, q, a, b);
  put_line(t, q, c, q->length);
  if (draw_chance(stream, 2)) set(t, changed(t, stream, wish, draw_rate(stream) / 2));
}

static char complement(char letter) {
  static const char from[] = "ACGTRYSWKMBDHVN", to[] = "TGCAYRSWMKVHDBN";
  const char *place = strchr(from, letter);
  return place && *place ? to[place - from] : letter;
}

/* All of the target, or a part of it, is the query's other strand. */
static void inverted(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  int64_t a = draw_between(stream, 0, q->length / 2), b = draw_between(stream, q->length / 2, q->length);
  if (draw_chance(stream, 2)) a = 0, b = q->length;
  put_line(t, q, 0, a);
  for (int64_t i = b - 1; i >= a; i--) put(t, complement(q->text[i]));
  put_line(t, q, b, q->length);
  set(t, changed(t, stream, wish, draw_rate(stream) / 2));
}

static void long_gap(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  const int64_t at = draw_between(stream, 0, q->length), longer = wish->columns - wish->rows;
  put_line(t, q, 0, at);
  if (longer >= 0) {
    put_random(t, stream, wish, longer);
    put_line(t, q, at, q->length);
  } else {
    put_line(t, q, at - longer < q->length ? at - longer : q->length, q->length);
  }
  if (draw_chance(stream, 2)) set(t, changed(t, stream, wish, 10));
}

static void one_letter(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, draw_chance(stream, 2) ? 1 : wish->rows);
  put_random(t, stream, wish, q->length == 1 && !draw_chance(stream, 8) ? wish->columns : 1);
}

/* Two copies of the query's parts, so that several alignments are good. */
static void duplicated(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  put_random(q, stream, wish, wish->rows);
  while (t->length < wish->columns) {
    const int64_t a = draw_between(stream, 0, q->length - 1), b = draw_between(stream, a, q->length);
    put_line(t, q, a, b);
    put_random(t, stream, wish, draw_between(stream, 1, 20));
  }
  set(t, changed(t, stream, wish, draw_rate(stream) / 3));
}

/* Alike in the middle, or at one end, and unlike elsewhere in both. */
static void unlike_ends(line *q, line *t, random_stream *stream, const shape_wish *wish) {
  alike(q, t, stream, wish);
  const int64_t head = draw_chance(stream, 2) ? 0 : q->length / draw_between(stream, 2, 6);
  const int64_t tail = head > 0 && draw_chance(stream, 2) ? 0 : t->length / draw_between(stream, 2, 6);
  for (int64_t i = 0; i < head; i++) q->text[i] = draw_letter(stream, wish);
  for (int64_t i = t->length - tail; i < t->length; i++) t->text[i] = draw_letter(stream, wish);
}

typedef void (*shape_maker)(line *q, line *t, random_stream *stream, const shape_wish *wish);

static const struct {
  const char *name;
  shape_maker make;
  int weight;
} shapes[] = {
    {"overlapping", overlapping, 8}, {"alike", alike, 6},           {"unlike ends", unlike_ends, 5},
    {"contained", contained, 4},     {"tandem", tandem, 3},         {"shifted repeat", shifted_repeat, 3},
    {"long gap", long_gap, 3},       {"unrelated", unrelated, 3},   {"homopolymer", homopolymer, 2},
    {"rotated", rotated, 2},         {"duplicated", duplicated, 2}, {"translocated", translocated, 2},
    {"inverted", inverted, 2},       {"identical", identical, 1},   {"one letter", one_letter, 1}};

#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

/* Runs of ambiguous letters, and single ones. */
static void sprinkle(line *out, random_stream *stream, const shape_wish *wish) {
  const int others = (int)strlen(wish->letters) - wish->plain;
  if (others < 1 || out->length == 0) return;
  for (int64_t n = draw_between(stream, 0, 3); n >= 0; n--) {
    const int64_t at = draw_between(stream, 0, out->length - 1);
    const int64_t length = draw_chance(stream, 2) ? 1 : draw_between(stream, 1, out->length / 4 + 1);
    const char letter = wish->letters[wish->plain + (int)random_stream_below(stream, (uint64_t)others)];
    for (int64_t i = at; i < at + length && i < out->length; i++) out->text[i] = letter;
  }
}

/* To the length that was wished, where the shape does not depend on it. */
static void trim(line *out, random_stream *stream, const shape_wish *wish, int64_t length) {
  if (length < 1) length = 1;
  if (out->length > length) {
    out->length = length;
    out->text[length] = '\0';
  }
  put_random(out, stream, wish, length - out->length);
}

const char *shape_draw(case_pair *pair, random_stream *stream, const shape_wish *wish) {
  line q = {0}, t = {0};
  int sum = 0, shape = 0;
  for (int i = 0; i < SHAPES; i++) sum += shapes[i].weight;
  int drawn = (int)random_stream_below(stream, (uint64_t)sum);
  while (drawn >= shapes[shape].weight) drawn -= shapes[shape++].weight;
  shapes[shape].make(&q, &t, stream, wish);
  if (wish->exact && shapes[shape].make != one_letter) {
    trim(&q, stream, wish, wish->rows);
    trim(&t, stream, wish, wish->columns);
  }
  if (q.length == 0) put_random(&q, stream, wish, 1);
  if (t.length == 0) put_random(&t, stream, wish, 1);
  if (wish->ambiguous) {
    if (!draw_chance(stream, 4)) sprinkle(&q, stream, wish);
    if (draw_chance(stream, 2)) sprinkle(&t, stream, wish);
  }
  *pair = (case_pair){.query = q.text, .target = t.text, .rows = q.length, .columns = t.length};
  return shapes[shape].name;
}
