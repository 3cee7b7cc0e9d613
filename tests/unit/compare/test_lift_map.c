/* Places on the other side of random chains, against a table of every letter. */

#include <inttypes.h>
#include <unistd.h>

#include "clalign/lift.h"
#include "seq/random_stream.h"
#include "support/test.h"

enum { CHAINS = 12, LETTERS = 600 };

/* What each chain makes of each target letter: its place on the query's forward strand, or -1. */
typedef struct letter_table {
  int64_t place[CHAINS][LETTERS];
  bool reverse[CHAINS];
  int64_t begin[CHAINS], end[CHAINS];
} letter_table;

static int64_t below(random_stream *random, uint64_t limit) {
  return (int64_t)random_stream_below(random, limit);
}

static void close_map(cla_lift **map) {
  cla_lift_close(*map);
}

static void put_block(letter_table *table, int chain, int64_t target, int64_t query, int64_t length) {
  for (int64_t i = 0; i < length; i++)
    table->place[chain][target + i] = table->reverse[chain] ? 2 * LETTERS - 1 - (query + i) : query + i;
  table->end[chain] = target + length;
}

/* A chain of blocks of up to 8 letters with gaps of up to 4. */
static void put_chain(FILE *file, letter_table *table, int chain, random_stream *random) {
  char text[4096] = "";
  size_t used = 0;
  int64_t target = below(random, LETTERS / 2), query = below(random, LETTERS / 2);
  const int64_t first = query, blocks = 1 + below(random, 25);
  table->begin[chain] = target;
  table->reverse[chain] = below(random, 2) == 1;
  for (int64_t i = 0; i < blocks; i++) {
    const int64_t length = 1 + below(random, 8), in_target = below(random, 5), in_query = below(random, 5);
    put_block(table, chain, target, query, length);
    target += length;
    query += length;
    used += (size_t)snprintf(text + used, sizeof text - used, "%" PRId64, length);
    if (i + 1 < blocks) {
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "\t%" PRId64 "\t%" PRId64, in_target, in_query);
      target += in_target;
      query += in_query;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "\n");
  }
  fprintf(file, "chain 1 t %d + %" PRId64 " %" PRId64 " q %d %c %" PRId64 " %" PRId64 " %d\n%s\n", LETTERS,
          table->begin[chain], target, 2 * LETTERS, table->reverse[chain] ? '-' : '+', first, query, chain,
          text);
}

static cla_lift *make_map(letter_table *table, random_stream *random) {
  char path[] = "/tmp/clalign-lift-XXXXXX";
  cla_lift *map = NULL;
  FILE *file = fdopen(mkstemp(path), "w");
  cr_assert(file);
  memset(table->place, -1, sizeof table->place);
  for (int chain = 0; chain < CHAINS; chain++) put_chain(file, table, chain, random);
  fclose(file);
  assert_ok(cla_lift_open(&map, path, false, &why));
  unlink(path);
  return map;
}

/* What the table says of a range. */
static cla_lifted look_up(const letter_table *table, const cla_lift_range *range, double min_match) {
  cla_lifted found = {.part = 0};
  const double letters = (double)(range->end - range->begin);
  int over = 0, some = 0, enough = 0;
  int64_t sum = 0;
  for (int chain = 0; chain < CHAINS; chain++) {
    int64_t paired = 0, low = INT64_MAX, high = -1;
    over += table->begin[chain] < range->end && table->end[chain] > range->begin;
    for (int64_t at = range->begin; at < range->end; at++) {
      const int64_t place = table->place[chain][at];
      if (place < 0) continue;
      paired++;
      if (place < low) low = place;
      if (place > high) high = place;
    }
    some += paired > 0;
    sum += paired;
    if ((double)paired / letters > found.part) found.part = (double)paired / letters;
    if (paired == 0 || (double)paired < min_match * letters) continue;
    enough++;
    found.range = (cla_lift_range){low, high + 1};
    found.reverse = table->reverse[chain];
  }
  found.fate = enough == 1                                      ? CLA_LIFT_DONE
               : enough > 1                                     ? CLA_LIFT_SEVERAL
               : over == 0                                      ? CLA_LIFT_NOWHERE
               : some == 0                                      ? CLA_LIFT_DELETED
               : some > 1 && (double)sum >= min_match * letters ? CLA_LIFT_SPLIT
                                                                : CLA_LIFT_PARTLY;
  return found;
}

Test(lift_map, lifts_ranges_as_their_letters_say) {
  random_stream random;
  random_stream_init(&random, 47, 0);
  static const double parts[] = {0, 0.5, 0.95, 1};
  int seen[CLA_LIFT_FATES] = {0};
  for (int round = 0; round < 40; round++) {
    static letter_table table;
    OWNED(close_map) cla_lift *map = make_map(&table, &random);
    for (int i = 0; i < 400; i++) {
      const int64_t begin = below(&random, LETTERS - 40);
      const cla_lift_range range = {begin, begin + 1 + below(&random, 39)};
      const double part = parts[i % 4];
      const cla_lifted want = look_up(&table, &range, part);
      cla_lifted got;
      cla_lift_interval(&got, map, "t", &range, part);
      seen[got.fate]++;
      cr_assert_eq(got.fate, want.fate, "%s, not %s", cla_lift_fate_name(got.fate),
                   cla_lift_fate_name(want.fate));
      cr_assert_float_eq(got.part, want.part, 1e-12);
      if (got.fate != CLA_LIFT_DONE) continue;
      cr_assert_eq(got.range.begin, want.range.begin);
      cr_assert_eq(got.range.end, want.range.end);
      cr_assert_eq(got.reverse, want.reverse);
      cr_assert_str_eq(got.name, "q");
    }
  }
  for (int fate = CLA_LIFT_DONE; fate <= CLA_LIFT_SEVERAL; fate++)
    cr_expect_gt(seen[fate], 0, "fate %d", fate);
}
