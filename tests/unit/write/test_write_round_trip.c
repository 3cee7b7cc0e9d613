/* What writers wrote of random paths, optimal or not, is read back here, and is the same path. */

#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define SEEDS 2000
#define LETTERS 48

/* A letter as VCF has it. */
static char plain(const cla_sequence *sequence, int64_t position) {
  const char letter = cla_sequence_letter(sequence, position);
  return strchr("ACGT", letter) ? letter : 'N';
}

/* Whether VCF knows no difference: of the target's letter, or an ALT's, and the query's as VCF has it. */
static bool is_alike(char found, char wanted) {
  static const char *const bases[] = {"RAG", "YCT",  "SCG",  "WAT",  "KGT",
                                      "MAC", "BCGT", "DAGT", "HACT", "VACG"};
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
    if (bases[i][0] == found) return wanted == 'N' || strchr(bases[i] + 1, wanted);
  return found == wanted;
}

static void append(char *text, char letter) {
  const size_t length = strlen(text);
  text[length] = letter;
  text[length + 1] = 0;
}

static char *skip_head(char *text) {
  while (*text == '#') text = strchr(text, '\n') + 1;
  return text;
}

/* Whether no letter can be left out, nor a gap be moved further left. */
static bool is_shortest(const char *reference, const char *other, int64_t start, bool outside) {
  const size_t letters = strlen(reference), others = strlen(other),
               least = letters < others ? letters : others;
  const bool last_is_equal = reference[letters - 1] == other[others - 1];
  /* Beside a gap, ALT has the base for an IUPAC letter: that letter keeps the gap where it is. */
  if (least == 1 && strchr("RYSWKMBDHV", reference[0])) return true;
  if (last_is_equal && (least > 1 || (start > 0 && !outside))) return false;
  return least == 1 || reference[0] != other[0];
}

/* Applies the records to the target, from `at` on, whose letters then are those of `made`. */
static void apply_records(char *made, char *records, const cla_sequence *target, int64_t at, int64_t stop,
                          int seed) {
  char *rest = NULL;
  for (char *line = strtok_r(records, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char reference[200], other[200];
    long long position;
    cr_assert_eq(sscanf(line, "t\t%lld\t.\t%199[ACGTNRYSWKMBDHV]\t%199[ACGTNRYSWKMBDHV]\t.\t.\t.\tGT\t1",
                        &position, reference, other),
                 3, "seed %d: %s", seed, line);
    const int64_t start = position - 1;
    const bool outside = start < at; /* a gap at the path's start has the letter before it */
    cr_expect(!outside || (made[0] == 0 && start == at - 1), "seed %d: records overlap: %s", seed, line);
    cr_expect(strcmp(reference, other) != 0);
    cr_expect(is_shortest(reference, other, start, outside), "seed %d: %s", seed, line);
    for (size_t letter = 0; reference[letter]; letter++)
      cr_expect_eq(reference[letter], cla_sequence_letter(target, start + (int64_t)letter), "seed %d: %s",
                   seed, line);
    while (at < start) append(made, cla_sequence_letter(target, at++));
    strcat(made, outside ? other + 1 : other);
    at = start + (int64_t)strlen(reference);
  }
  if (at == stop + 1) { /* the letter after a target without pairs */
    made[strlen(made) - 1] = 0;
    return;
  }
  while (at < stop) append(made, cla_sequence_letter(target, at++));
}

static bool target_is_one_gap(const cla_alignment *alignment) {
  return alignment->run_count == 1 && alignment->runs[0].kind == CLA_RUN_TARGET &&
         alignment->runs[0].length == alignment->target.length;
}

Test(write_round_trip, differences_make_the_query_of_the_target) {
  int refused = 0;
  for (int seed = 0; seed < SEEDS; seed++) {
    OWNED_MADE made = made_alignment_random((uint64_t)seed, LETTERS);
    const cla_alignment *alignment = made.alignment;
    char found[4 * LETTERS] = "", wanted[4 * LETTERS] = "";
    OWNED(free_memory) char *text = NULL;
    const cla_status status = made_alignment_write(&text, &made, CLA_FORMAT_VCF, 1, NULL, NULL);
    cr_assert_eq(status, target_is_one_gap(alignment) ? CLA_ERROR_OPTION : CLA_OK, "seed %d", seed);
    if (status == CLA_OK) {
      apply_records(found, skip_head(text), made.target, alignment->target.start, alignment->target.stop,
                    seed);
      for (int64_t letter = alignment->query.start; letter < alignment->query.stop; letter++)
        append(wanted, plain(made.query, letter));
      cr_assert_eq(strlen(found), strlen(wanted), "seed %d: %s and %s", seed, found, wanted);
      for (size_t letter = 0; found[letter]; letter++)
        cr_expect(is_alike(found[letter], wanted[letter]), "seed %d: %s and %s", seed, found, wanted);
    } else {
      refused++;
    }
  }
  cr_expect_lt(refused, SEEDS / 10);
}

/* The letters of a record, without line ends. */
static char *take_record(char **text, char *row) {
  char *line = strchr(*text, '\n') + 1;
  row[0] = 0;
  for (; *line && *line != '>'; line++)
    if (*line != '\n') append(row, *line);
  *text = line;
  return row;
}

Test(write_round_trip, rows_have_the_runs) {
  for (int seed = 0; seed < SEEDS; seed++) {
    OWNED_MADE made = made_alignment_random((uint64_t)seed, LETTERS);
    const cla_alignment *alignment = made.alignment;
    char *text = made_alignment_written(&made, CLA_FORMAT_FASTA), *at = text, query[4 * LETTERS],
         target[4 * LETTERS];
    take_record(&at, query);
    take_record(&at, target);
    cr_expect_eq(*at, 0);
    cr_assert_eq(strlen(query), strlen(target), "seed %d", seed);
    int64_t i = alignment->query.start, j = alignment->target.start;
    size_t column = 0;
    for (size_t index = 0; index < alignment->run_count; index++)
      for (int64_t letter = 0; letter < alignment->runs[index].length; letter++, column++) {
        const cla_run_kind kind = alignment->runs[index].kind;
        cr_assert_lt(column, strlen(query));
        cr_expect_eq(query[column], kind == CLA_RUN_TARGET ? '-' : cla_sequence_letter(made.query, i++));
        cr_expect_eq(target[column], kind == CLA_RUN_QUERY ? '-' : cla_sequence_letter(made.target, j++));
      }
    cr_expect_eq(column, strlen(query), "seed %d", seed);
    free(text);
  }
}

/* The pairs of a path or of a chain: the query's position by the target's, -1 for none. */
typedef struct pair_map {
  int64_t query[LETTERS];
} pair_map;

static void put_pairs(pair_map *map, int64_t query, int64_t target, int64_t length) {
  for (int64_t letter = 0; letter < length; letter++) map->query[target + letter] = query + letter;
}

static pair_map pairs_of_path(const cla_alignment *alignment) {
  pair_map map;
  int64_t query = alignment->query.start, target = alignment->target.start;
  memset(&map, 0xff, sizeof map);
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_PAIR) put_pairs(&map, query, target, run->length);
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
  }
  return map;
}

static pair_map pairs_of_chain(const char *text, const cla_alignment *alignment) {
  pair_map map;
  long long score, sizes[2], begin[2], end[2], size, gaps[2];
  memset(&map, 0xff, sizeof map);
  if (!*text) return map;
  cr_assert_eq(sscanf(text, "chain %lld t %lld + %lld %lld q %lld + %lld %lld 1\n", &score, &sizes[0],
                      &begin[0], &end[0], &sizes[1], &begin[1], &end[1]),
               7, "%s", text);
  cr_expect_eq(score, alignment->score);
  cr_expect_eq(sizes[0], alignment->target.length);
  cr_expect_eq(sizes[1], alignment->query.length);
  int fields = 3;
  for (text = strchr(text, '\n') + 1; fields == 3; text = strchr(text, '\n') + 1) {
    fields = sscanf(text, "%lld\t%lld\t%lld\n", &size, &gaps[0], &gaps[1]);
    if (strchr(text, '\n') < strchr(text, '\t') || !strchr(text, '\t')) fields = 1;
    cr_expect_gt(size, 0);
    put_pairs(&map, begin[1], begin[0], size);
    begin[0] += size + (fields == 3 ? gaps[0] : 0);
    begin[1] += size + (fields == 3 ? gaps[1] : 0);
  }
  cr_expect_eq(begin[0], end[0]);
  cr_expect_eq(begin[1], end[1]);
  return map;
}

Test(write_round_trip, a_chain_has_the_pairs) {
  for (int seed = 0; seed < SEEDS; seed++) {
    OWNED_MADE made = made_alignment_random((uint64_t)seed, LETTERS);
    OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_CHAIN);
    const pair_map wanted = pairs_of_path(made.alignment), found = pairs_of_chain(text, made.alignment);
    cr_expect_arr_eq(found.query, wanted.query, sizeof found.query, "seed %d: %s", seed, text);
  }
}

Test(write_round_trip, a_part_has_the_pairs_of_its_region) {
  for (int seed = 0; seed < SEEDS; seed++) {
    OWNED_MADE made = made_alignment_random((uint64_t)seed, LETTERS);
    const bool of_query = seed % 2 == 0;
    const int64_t length = of_query ? made.alignment->query.length : made.alignment->target.length;
    const int64_t begin = seed * 7 % length, end = begin + 1 + seed * 5 % (length - begin);
    pair_map wanted = pairs_of_path(made.alignment), found;
    OWNED(free_alignment) cla_alignment *part = NULL;
    bool any = false;
    for (int64_t target = 0; target < LETTERS; target++) {
      const int64_t letter = of_query ? wanted.query[target] : target;
      if (letter < begin || letter >= end) wanted.query[target] = -1;
      any |= wanted.query[target] >= 0;
    }
    const cla_side_range range = {of_query ? CLA_SIDE_QUERY : CLA_SIDE_TARGET, begin, end};
    assert_ok(cla_alignment_part(&part, made.alignment, &range, made.query, made.target, &why));
    cr_assert_eq(part != NULL, any, "seed %d", seed);
    if (part) {
      found = pairs_of_path(part);
      cr_expect_arr_eq(found.query, wanted.query, sizeof found.query, "seed %d", seed);
      assert_ok_for(cla_alignment_verify(part, made.query, made.target, &why), "seed %d", seed);
      cr_expect_eq(part->runs[0].kind, CLA_RUN_PAIR);
      cr_expect_eq(part->runs[part->run_count - 1].kind, CLA_RUN_PAIR);
    }
  }
}
