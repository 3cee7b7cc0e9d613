/* What a plot shows, against counts letter by letter. */

#include <math.h>

#include "result/alignment.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/made_alignment.h"
#include "support/test.h"
#include "write/plots/plot_internal.h"

/* A column of an alignment: its kind, whether its letters are equal, and the nodes on either side, in
 * positions of the records. */
typedef struct column {
  cla_run_kind kind;
  bool match;
  int64_t query, target, to_query, to_target;
  int64_t gap; /* letters of its run, if that is a gap */
} column;

typedef struct columns {
  column *items;
  int64_t count;
} columns;

/* Every column of the alignment, from its runs and letters alone. */
static columns list_columns(const made_alignment *made) {
  const cla_alignment *alignment = made->alignment;
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  const uint8_t *query = sequence_codes(made->query), *target = sequence_codes(made->target);
  columns out = {.items = calloc(4096, sizeof(column))};
  int64_t i = reverse ? alignment->query.stop : alignment->query.start, j = alignment->target.start;
  for (size_t run = 0; run < alignment->run_count; run++)
    for (int64_t letter = 0; letter < alignment->runs[run].length; letter++) {
      column *c = &out.items[out.count++];
      cr_assert_lt(out.count, 4096);
      *c = (column){.kind = alignment->runs[run].kind, .query = i, .target = j};
      c->gap = c->kind == CLA_RUN_PAIR ? 0 : alignment->runs[run].length;
      if (c->kind == CLA_RUN_PAIR) {
        const uint8_t a = reverse ? query[i - 1] : query[i], b = target[j];
        c->match = a < 4 && b < 4 && (reverse ? 3 - a : a) == b;
      }
      if (c->kind != CLA_RUN_TARGET) i += reverse ? -1 : 1;
      if (c->kind != CLA_RUN_QUERY) j++;
      c->to_query = i;
      c->to_target = j;
    }
  return out;
}

static bool inside(const plot_axis *axis, int64_t a, int64_t b) {
  return a >= axis->from && b >= axis->from && a <= axis->to && b <= axis->to;
}

static bool column_is_inside(const plot_view *view, const column *c) {
  return inside(&view->query, c->query, c->to_query) && inside(&view->target, c->target, c->to_target);
}

/* A random alignment, every other one of the reverse strand, and a part of its matrix. */
static made_alignment begin(uint64_t seed, plot_view *view, random_stream *random) {
  random_stream_init(random, seed, 0);
  made_alignment made = made_alignment_random(seed, 120);
  cla_alignment *alignment = made.alignment;
  if (random_stream_below(random, 2)) {
    side_turn(&alignment->query, alignment->mode == CLA_MODE_LOCAL && alignment->score == 0);
    alignment->strand = CLA_STRAND_REVERSE;
  }
  *view = (plot_view){.query = {.from = alignment->query.begin, .to = alignment->query.end},
                      .target = {.from = alignment->target.begin, .to = alignment->target.end}};
  plot_axis *axes[] = {&view->query, &view->target};
  for (int i = 0; i < 2; i++) {
    if (random_stream_below(random, 2)) continue;
    const int64_t letters = axes[i]->to - axes[i]->from;
    const int64_t part = 1 + (int64_t)random_stream_below(random, (uint64_t)letters);
    axes[i]->from += (int64_t)random_stream_below(random, (uint64_t)(letters - part + 1));
    axes[i]->to = axes[i]->from + part;
  }
  return made;
}

#define CASES 2000

Test(plot_parts, windows_count_what_lies_within_the_view) {
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    plot_view view;
    random_stream random;
    static plot_identity got, want;
    OWNED_MADE made = begin(seed, &view, &random);
    columns all = list_columns(&made);
    const cla_alignment *const alignments[] = {made.alignment};
    const plot_paths paths = {alignments, 1};
    plot_identity_count(&got, &view, &paths, made.query, made.target);
    cr_assert_leq(got.count, PLOT_WINDOWS_MOST);
    cr_assert_geq(got.count * got.letters, view.target.to - view.target.from);
    cr_assert_lt((got.count - 1) * got.letters, view.target.to - view.target.from);
    memset(&want, 0, sizeof want);
    for (int64_t i = 0; i < all.count; i++) {
      const column *c = &all.items[i];
      if (!column_is_inside(&view, c)) continue;
      int64_t at = c->target;
      if (at == view.target.to) at--; /* query letters behind the last one of the target */
      plot_window *window = &want.windows[(at - view.target.from) / got.letters];
      window->columns++;
      window->matches += c->match;
    }
    for (int64_t i = 0; i < got.count; i++) {
      cr_assert_eq(got.windows[i].target, view.target.from + i * got.letters);
      cr_assert_eq(got.windows[i].columns, want.windows[i].columns, "seed %llu, window %lld",
                   (unsigned long long)seed, (long long)i);
      cr_assert_eq(got.windows[i].matches, want.windows[i].matches, "seed %llu, window %lld",
                   (unsigned long long)seed, (long long)i);
    }
    free(all.items);
  }
}

Test(plot_parts, pieces_cover_the_path_within_the_view_and_no_more) {
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    plot_view view;
    random_stream random;
    plot_walk walk;
    plot_piece piece;
    double got[3] = {0}, want[3] = {0};
    OWNED_MADE made = begin(seed, &view, &random);
    columns all = list_columns(&made);
    plot_walk_begin(&walk, made.alignment);
    while (plot_walk_next(&walk, &piece)) {
      if (!plot_piece_clip(&piece, &view)) continue;
      const double ends[] = {piece.query, piece.to_query, piece.target, piece.to_target};
      for (int i = 0; i < 4; i++) {
        const plot_axis *axis = i < 2 ? &view.query : &view.target;
        cr_assert(ends[i] > (double)axis->from - 1e-6 && ends[i] < (double)axis->to + 1e-6);
      }
      got[piece.kind] += fmax(fabs(piece.to_query - piece.query), piece.to_target - piece.target);
    }
    for (int64_t i = 0; i < all.count; i++) want[all.items[i].kind] += column_is_inside(&view, &all.items[i]);
    for (int kind = 0; kind < 3; kind++)
      cr_assert_float_eq(got[kind], want[kind], 1e-6, "seed %llu, kind %d", (unsigned long long)seed, kind);
    free(all.items);
  }
}

/* Gaps that touch the view, the largest first. */
Test(plot_parts, the_largest_gaps_are_listed_in_order) {
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    plot_view view;
    random_stream random;
    plot_gaps gaps;
    OWNED_MADE made = begin(seed, &view, &random);
    columns all = list_columns(&made);
    int64_t lengths[4096], count = 0;
    for (int64_t i = 0; i < all.count; i++) {
      const column *c = &all.items[i];
      if (c->gap == 0) continue;
      const column *last = &all.items[i + c->gap - 1];
      const int64_t low = c->query < last->to_query ? c->query : last->to_query;
      const int64_t high = c->query < last->to_query ? last->to_query : c->query;
      if (low <= view.query.to && high >= view.query.from && c->target <= view.target.to &&
          last->to_target >= view.target.from)
        lengths[count++] = c->gap;
      i += c->gap - 1;
    }
    const cla_alignment *const alignments[] = {made.alignment};
    const plot_paths paths = {alignments, 1};
    plot_gaps_find(&gaps, &view, &paths);
    cr_assert_eq(gaps.all, count, "seed %llu", (unsigned long long)seed);
    int64_t large = 0;
    for (int64_t k = 0; k < count; k++) large += lengths[k] >= PLOT_GAP_LEAST;
    const int64_t most = large == 0 ? PLOT_GAPS_SHORT : large < PLOT_GAPS_MOST ? large : PLOT_GAPS_MOST;
    cr_assert_eq(gaps.large, large);
    cr_assert_eq(gaps.count, count < most ? count : most);
    for (int i = 0; i < gaps.count; i++) {
      int64_t longer = 0, as_long = 0;
      for (int64_t k = 0; k < count; k++) {
        longer += lengths[k] > gaps.items[i].length;
        as_long += lengths[k] == gaps.items[i].length;
      }
      cr_assert(longer <= i && i < longer + as_long, "seed %llu, gap %d", (unsigned long long)seed, i);
    }
    free(all.items);
  }
}

/* Whether the letters of a match are equal, and whether it could be longer at either end. */
static bool is_maximal(const plot_dot *dot, const plot_view *view, const uint8_t *query,
                       const uint8_t *target) {
  for (int64_t i = -1; i <= dot->length; i++) {
    const int64_t row = dot->reverse ? dot->query + dot->length - 1 - i : dot->query + i;
    const int64_t place = dot->target + i;
    const bool inside = row >= view->query.from && row < view->query.to && place >= view->target.from &&
                        place < view->target.to;
    const bool equal =
        inside && query[row] < 4 && (dot->reverse ? 3 - query[row] : query[row]) == target[place];
    if (equal != (i >= 0 && i < dot->length)) return false;
  }
  return true;
}

/* Matches of so many letters on one strand, counted cell by cell. */
static int64_t count_matches(const plot_view *view, const uint8_t *query, const uint8_t *target,
                             int64_t least, bool reverse) {
  int64_t count = 0;
  const int64_t rows = view->query.to - view->query.from, across = view->target.to - view->target.from;
  for (int64_t shift = -rows; shift <= across; shift++)
    for (int64_t row = 0, length = 0; row <= rows; row++) {
      const int64_t place = row + shift;
      const int64_t at = view->query.from + (reverse ? rows - 1 - row : row);
      const bool equal = row < rows && place >= 0 && place < across && query[at] < 4 &&
                         (reverse ? 3 - query[at] : query[at]) == target[view->target.from + place];
      if (equal) length++;
      if (equal) continue;
      count += length >= least;
      length = 0;
    }
  return count;
}

#define DOT_LETTERS 240

static cla_sequence *sequence_of(const char *name, const char *letters) {
  cla_sequence *made = NULL;
  const int64_t count = (int64_t)strlen(letters);
  assert_ok(cla_sequence_from_letters_with(
      &made, name, letters, count, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
      &why));
  return made;
}

/* A query of parts of the target, of its other strand, and of random letters, with some N. */
static void make_repeats(cla_sequence *pair[2], random_stream *random) {
  char target[DOT_LETTERS + 1] = "", query[DOT_LETTERS + 1] = "";
  for (int i = 0; i < DOT_LETTERS; i++) target[i] = "ACGT"[random_stream_below(random, 4)];
  for (int i = 0; i < DOT_LETTERS;) {
    const int kind = (int)random_stream_below(random, 3),
              from = (int)random_stream_below(random, DOT_LETTERS);
    for (int k = 5 + (int)random_stream_below(random, 40); k > 0 && i < DOT_LETTERS; k--, i++) {
      const char copied = target[(from + (kind == 1 ? k : DOT_LETTERS - k)) % DOT_LETTERS];
      const char turned = "TGCA"[strchr("ACGT", copied) - "ACGT"];
      query[i] = kind == 0 ? "ACGT"[random_stream_below(random, 4)] : kind == 1 ? turned : copied;
    }
  }
  for (int i = 0; i < 3; i++) query[random_stream_below(random, DOT_LETTERS)] = 'N';
  pair[0] = sequence_of("q", query);
  pair[1] = sequence_of("t", target);
}

Test(plot_parts, exact_matches_are_all_found_and_no_longer_than_they_are) {
  int64_t met[2] = {0};
  for (uint64_t seed = 1; seed <= CASES / 4; seed++) {
    plot_dots dots = {0};
    random_stream random;
    cla_sequence *pair[2];
    random_stream_init(&random, seed, 3);
    make_repeats(pair, &random);
    const int64_t from = (int64_t)random_stream_below(&random, 100);
    const plot_view view = {.query = {.from = from, .to = DOT_LETTERS - from / 2},
                            .target = {.from = 50 - from / 2, .to = DOT_LETTERS}};
    assert_ok(plot_dots_find(&dots, &view, pair[0], pair[1], &why));
    int64_t count[2] = {0};
    for (int64_t i = 0; i < dots.count; i++) {
      cr_assert_geq(dots.items[i].length, dots.least);
      cr_assert(i == 0 || dots.items[i].length <= dots.items[i - 1].length);
      cr_assert(is_maximal(&dots.items[i], &view, sequence_codes(pair[0]), sequence_codes(pair[1])),
                "seed %llu", (unsigned long long)seed);
      count[dots.items[i].reverse]++;
    }
    for (int reverse = 0; reverse < 2; reverse++) {
      met[reverse] += count[reverse];
      cr_assert_eq(
          count[reverse],
          count_matches(&view, sequence_codes(pair[0]), sequence_codes(pair[1]), dots.least, reverse),
          "seed %llu", (unsigned long long)seed);
    }
    cla_sequence_free(pair[0]);
    cla_sequence_free(pair[1]);
    plot_dots_free(&dots);
  }
  cr_assert(met[0] > 500 && met[1] > 500, "%lld, %lld", (long long)met[0], (long long)met[1]);
}

Test(plot_parts, classes_follow_the_window_of_a_position) {
  plot_identity identity = {.letters = 10, .count = 4};
  const int64_t matches[] = {99, 95, 59, 0};
  for (int i = 0; i < 4; i++)
    identity.windows[i] =
        (plot_window){.target = 100 + 10 * i, .matches = matches[i], .columns = i < 3 ? 100 : 0};
  static const struct {
    double at;
    int want;
  } cases[] = {{100, 0}, {109.9, 0}, {110, 1}, {125, 4}, {131, 4}, {140, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(plot_identity_class(&identity, cases[i].at), cases[i].want, "%g", cases[i].at);
}

Test(plot_parts, marks_are_round_and_apart) {
  random_stream random;
  random_stream_init(&random, 1, 0);
  for (int i = 0; i < 20000; i++) {
    const int64_t letters =
        1 + (int64_t)random_stream_below(&random, UINT64_C(1) << random_stream_below(&random, 40));
    const int64_t from =
        (int64_t)random_stream_below(&random, UINT64_C(1) << random_stream_below(&random, 40));
    const double points = 300 + (double)random_stream_below(&random, 301);
    const cla_alphabet alphabet = random_stream_below(&random, 2) ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN;
    const plot_scale scale = plot_scale_choose(from, from + letters, points, 44, alphabet);
    const double distance = (double)scale.step / (double)letters * points;
    cr_assert(distance >= 43.999, "%lld letters", (long long)letters);
    cr_assert(scale.step == 1 || distance < 44 * 2.6);
    int64_t power = 1;
    while (power * 10 <= scale.step) power *= 10;
    cr_assert(scale.step == power || scale.step == 2 * power || scale.step == 5 * power);
    /* A mark's text says exactly where it is. */
    const int64_t mark = (from + scale.step - 1) / scale.step * scale.step;
    char text[PLOT_NUMBER_SIZE], plain[PLOT_NUMBER_SIZE];
    plot_scale_text(text, &scale, mark);
    int64_t digits = 0, decimals = -1;
    size_t length = 0;
    for (const char *at = text; *at; at++) {
      if (*at == '.') decimals = 0;
      if (*at == ',' || *at == '.') continue;
      plain[length++] = *at;
      if (decimals >= 0) decimals++;
    }
    plain[length] = 0;
    digits = strtoll(plain, NULL, 10);
    int64_t unit = scale.unit;
    for (int64_t k = 0; k < decimals; k++) unit /= 10;
    cr_assert_eq(digits * unit, mark, "%s for %lld", text, (long long)mark);
    cr_assert_leq(decimals, 2);
  }
}

static void expect_text(const char *got, const char *want) {
  cr_expect_str_eq(got, want);
}

Test(plot_parts, numbers_are_written_as_people_do) {
  char text[PLOT_NUMBER_SIZE];
  plot_number_text(text, 0);
  expect_text(text, "0");
  plot_number_text(text, 999);
  expect_text(text, "999");
  plot_number_text(text, -1234567);
  expect_text(text, "-1,234,567");
  plot_number_text(text, INT64_MAX);
  expect_text(text, "9,223,372,036,854,775,807");
  plot_percent_text(text, 1, 1);
  expect_text(text, "100");
  plot_percent_text(text, 0, 7);
  expect_text(text, "0.00");
  plot_percent_text(text, 2, 3);
  expect_text(text, "66.67");
  plot_percent_text(text, 49999999, 50000000); /* never a whole where it is none */
  expect_text(text, "99.999998");
  plot_percent_text(text, 11, 50000000);
  expect_text(text, "0.00002");
  plot_percent_text(text, 1, INT64_MAX);
  expect_text(text, "0.00000001");
  plot_percent_text(text, 0, 0);
  expect_text(text, "0");
}

Test(plot_parts, texts_are_cut_at_whole_characters) {
  static const char *const parts[] = {"A", "\xc3\xbc", "\xe2\x98\x83", "\xf0\x9f\xa7\xac", "i", " "};
  random_stream random;
  random_stream_init(&random, 2, 0);
  for (int i = 0; i < 5000; i++) {
    char text[512] = "", whole[512];
    const int count = (int)random_stream_below(&random, 60);
    for (int k = 0; k < count; k++) strcat(text, parts[random_stream_below(&random, 6)]);
    strcpy(whole, text);
    const double width = 20 + (double)random_stream_below(&random, 400);
    plot_text_fit(text, 12, false, width);
    cr_assert_leq(plot_text_width(text, 12, false), width + 1e-9);
    if (strcmp(text, whole) == 0) continue;
    cr_assert_gt(plot_text_width(whole, 12, false), width);
    const size_t kept = strlen(text) - 3;
    cr_assert_str_eq(text + kept, "\xe2\x80\xa6");
    cr_assert_eq(memcmp(text, whole, kept), 0);
    cr_assert_neq((unsigned char)whole[kept] & 0xc0, 0x80); /* what was cut off begins a character */
  }
}
