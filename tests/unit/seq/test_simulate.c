/* The generator: fixed letters, rates that are met, bad options that are named. */

#include "clalign/sequence.h"
#include "clalign/simulate.h"
#include "seq/random_stream.h"
#include "support/test.h"

typedef struct simulated {
  char *first, *second;
  int64_t first_length, second_length;
} simulated;

static simulated make(const cla_simulate_options *options) {
  simulated made = {0};
  assert_ok(cla_simulate(&made.first, &made.first_length, &made.second, &made.second_length, options, &why));
  cr_assert_eq(made.first_length, options->length);
  cr_assert_eq(strlen(made.first), (size_t)made.first_length);
  cr_assert_eq(strlen(made.second), (size_t)made.second_length);
  return made;
}

static void release(simulated *made) {
  free(made->first);
  free(made->second);
}

static cla_simulate_options defaults(void) {
  cla_simulate_options options;
  cla_simulate_options_init(&options);
  return options;
}

static int64_t differences(const simulated *made) {
  int64_t count = 0;
  for (int64_t i = 0; i < made->first_length && i < made->second_length; i++)
    count += made->first[i] != made->second[i];
  return count;
}

/* The expected letters are those of a second implementation, written from the description in simulate.c. */
Test(simulate, makes_the_same_letters_for_ever) {
  cla_simulate_options options = defaults();
  options.length = 60;
  options.indel_rate = 0.1;
  options.long_insertions = 1;
  options.long_insertion_length = 7;
  simulated made = make(&options);
  cr_expect_str_eq(made.first, "AAGTTTGCTTCGTCTCAGTCGTAACTGGCGCCGATCTTATGGGATATCCATGAGTCAGTG");
  cr_expect_str_eq(made.second, "AAGTTTGCTTGTCGTAACTGGCCAAATACCGATCTTATGGGATATTCATGGTCAGTG");
  release(&made);
  options.protein = true;
  made = make(&options);
  cr_expect_str_eq(made.first, "PQNEKALLAQSWDEIFKLVQFGDINNNEVWTLTPLNSKESYSIDFNKVLEETMEFTEVAW");
  cr_expect_str_eq(made.second, "PQNEKALLAQLVQFGDINNNEVVWILISLLTPLNSKESYSIDFNKLLEETMEFTEVAW");
  release(&made);
}

Test(simulate, differs_from_seed_to_seed_and_repeats_for_the_same) {
  cla_simulate_options options = defaults();
  OWNED(release) simulated made = make(&options), again = make(&options);
  cr_expect_str_eq(made.first, again.first);
  cr_expect_str_eq(made.second, again.second);
  options.seed = 2;
  OWNED(release) simulated other = make(&options);
  cr_expect_str_neq(made.first, other.first);
}

Test(simulate, copies_without_mutations) {
  cla_simulate_options options = defaults();
  options.substitution_rate = options.indel_rate = 0;
  OWNED(release) simulated made = make(&options);
  cr_expect_str_eq(made.first, made.second);
}

Test(simulate, substitutes_every_letter_by_another_at_rate_1) {
  cla_simulate_options options = defaults();
  options.substitution_rate = 1;
  options.indel_rate = 0;
  OWNED(release) simulated made = make(&options);
  cr_expect_eq(made.second_length, made.first_length);
  cr_expect_eq(differences(&made), made.first_length);
}

/* 100,000 letters at 5 %: 5,000 expected, standard deviation 69. The seed is fixed, so this cannot flake. */
Test(simulate, meets_the_substitution_rate) {
  cla_simulate_options options = defaults();
  options.length = 100000;
  options.indel_rate = 0;
  OWNED(release) simulated made = make(&options);
  cr_expect(differences(&made) > 4650 && differences(&made) < 5350, "%lld", (long long)differences(&made));
}

/* About 5,000 insertions and as many deletions of 4 letters on average: the lengths differ by 0 on average,
 * with a standard deviation of about 530 letters. */
Test(simulate, balances_insertions_and_deletions) {
  cla_simulate_options options = defaults();
  options.length = 100000;
  options.substitution_rate = 0;
  options.indel_rate = 0.1;
  options.indel_mean = 4;
  OWNED(release) simulated made = make(&options);
  cr_expect(llabs(made.second_length - made.first_length) < 3000, "%lld", (long long)made.second_length);
  cr_expect_neq(made.second_length, made.first_length);
}

Test(simulate, makes_indels_of_one_letter_for_mean_1) {
  cla_simulate_options options = defaults();
  options.length = 1;
  options.substitution_rate = 0;
  options.indel_rate = 1;
  options.indel_mean = 1;
  int deleted = 0, inserted = 0;
  for (options.seed = 0; options.seed < 200; options.seed++) {
    OWNED(release) simulated made = make(&options);
    deleted += made.second_length == 0;
    inserted += made.second_length == 2;
  }
  cr_expect_eq(deleted + inserted, 200);
  cr_expect(deleted > 60 && inserted > 60);
}

Test(simulate, puts_long_insertions_at_distinct_places) {
  cla_simulate_options options = defaults();
  options.length = 1000;
  options.substitution_rate = options.indel_rate = 0;
  options.long_insertions = 5;
  options.long_insertion_length = 300;
  simulated made = make(&options);
  cr_expect_eq(made.second_length, 1000 + 5 * 300);
  /* Without the insertions the first sequence remains: greedy removal finds it as a subsequence. */
  int64_t at = 0;
  for (int64_t i = 0; i < made.second_length && at < made.first_length; i++)
    at += made.second[i] == made.first[at];
  cr_expect_eq(at, made.first_length);
  release(&made);
  options.length = 3;
  options.long_insertions = 4; /* every place there is */
  options.long_insertion_length = 2;
  made = make(&options);
  cr_expect_eq(made.second_length, 11);
  for (int64_t i = 0; i < 3; i++) cr_expect_eq(made.second[2 + 3 * i], made.first[i]);
  release(&made);
}

Test(simulate, spreads_the_places_of_long_insertions) {
  cla_simulate_options options = defaults();
  options.length = 4;
  options.substitution_rate = options.indel_rate = 0;
  options.long_insertions = 1;
  options.long_insertion_length = 40;
  int places[5] = {0};
  for (options.seed = 0; options.seed < 500; options.seed++) {
    OWNED(release) simulated made = make(&options);
    int place = 0;
    while (place < 4 && made.second[place] == made.first[place]) place++;
    places[place]++;
  }
  for (int place = 0; place < 5; place++) cr_expect(places[place] > 40, "place %d: %d", place, places[place]);
}

Test(simulate, turns_parts_that_are_evenly_spread) {
  cla_simulate_options options = defaults();
  options.length = 1003;
  options.substitution_rate = options.indel_rate = 0;
  options.inversions = 3;
  options.inversion_length = 101; /* parts of 334 letters: 116 before each, 117 behind */
  OWNED(release) simulated made = make(&options);
  cr_assert_eq(made.second_length, 1003);
  for (int64_t i = 0; i < 1003; i++) {
    const int64_t part = i / 334, in = i % 334 - 116;
    const bool turned = part < 3 && in >= 0 && in < 101;
    const char letter = made.first[turned ? part * 334 + 116 + 100 - in : i];
    cr_expect_eq(made.second[i], turned ? "TGCA"[strchr("ACGT", letter) - "ACGT"] : letter, "letter %d",
                 (int)i);
  }
}

Test(simulate, makes_an_unrelated_second_sequence_of_the_same_length) {
  cla_simulate_options options = defaults();
  options.unrelated = true;
  options.long_insertions = 3;
  options.long_insertion_length = 10;
  OWNED(release) simulated made = make(&options);
  cr_expect_eq(made.second_length, made.first_length);
  cr_expect(differences(&made) > 7000 && differences(&made) < 8000);
}

Test(simulate, makes_proteins_in_natural_frequencies) {
  cla_simulate_options options = defaults();
  options.length = 100000;
  options.protein = true;
  OWNED(release) simulated made = make(&options);
  int64_t leucine = 0, tryptophan = 0;
  cr_expect_eq(strspn(made.first, "ACDEFGHIKLMNPQRSTVWY"), 100000);
  cr_expect_eq(strspn(made.second, "ACDEFGHIKLMNPQRSTVWY"), (size_t)made.second_length);
  for (int64_t i = 0; i < made.first_length; i++) {
    leucine += made.first[i] == 'L';
    tryptophan += made.first[i] == 'W';
  }
  cr_expect(leucine > 9100 && leucine < 10200, "%lld", (long long)leucine);
  cr_expect(tryptophan > 900 && tryptophan < 1300, "%lld", (long long)tryptophan);
}

Test(simulate, makes_empty_sequences_of_length_0) {
  cla_simulate_options options = defaults();
  options.length = 0;
  OWNED(release) simulated made = make(&options);
  cr_expect_str_eq(made.first, "");
  cr_expect_str_eq(made.second, "");
}

#define UNIT 2052 /* 12 monomers of 171 letters */

static int64_t unequal(const char *a, const char *b, int64_t length) {
  int64_t count = 0;
  for (int64_t i = 0; i < length; i++) count += a[i] != b[i];
  return count;
}

/* 300,000 letters: flanks of 15,000 or more, and 131 units between them. */
Test(simulate, grows_satellite_arrays_by_copies_of_units) {
  cla_simulate_options options = defaults();
  options.length = 300000;
  options.satellite = true;
  options.substitution_rate = options.indel_rate = 0;
  OWNED(release) simulated made = make(&options);
  const char *array = made.first + 15000;
  int64_t monomers = 0, units = 0;
  for (int64_t i = 1; i < 12; i++) monomers += unequal(array, array + 171 * i, 171);
  for (int64_t i = 1; i < 131; i++) units += unequal(array + UNIT * (i - 1), array + UNIT * i, UNIT);
  cr_expect(monomers > 11 * 171 / 5 && monomers < 11 * 171 * 3 / 10, "%lld", (long long)monomers);
  cr_expect(units > 130 * UNIT / 500 && units < 130 * UNIT / 30, "%lld", (long long)units);
  cr_expect(unequal(array, array + 171 * 5 + 80, 1000) > 600);
  cr_expect(unequal(array + UNIT * 130, array + UNIT * 131, UNIT) > 1400); /* the flank behind it */
}

/* Flanks are the same, and what is between them differs by whole units. */
Test(simulate, changes_a_haplotype_by_whole_units) {
  cla_simulate_options options = defaults();
  options.length = 300000;
  options.satellite = true;
  options.substitution_rate = options.indel_rate = 0;
  int longer = 0, shorter = 0;
  for (options.seed = 1; options.seed <= 20; options.seed++) {
    OWNED(release) simulated made = make(&options);
    const int64_t more = made.second_length - made.first_length, behind = 300000 - 15000 - 131 * UNIT;
    cr_assert_eq(more % UNIT, 0);
    cr_assert(llabs(more) <= 2 * 20 * UNIT);
    longer += more > 0;
    shorter += more < 0;
    cr_expect_eq(unequal(made.first, made.second, 15000), 0);
    cr_expect_eq(unequal(made.first + 300000 - behind, made.second + made.second_length - behind, behind), 0);
  }
  cr_expect(longer > 3 && shorter > 3, "%d longer, %d shorter", longer, shorter);
}

static void expect_option_refused(cla_simulate_options options, const char *part) {
  simulated made = {0};
  assert_error(
      cla_simulate(&made.first, &made.first_length, &made.second, &made.second_length, &options, &why),
      CLA_ERROR_OPTION, part);
  cr_expect(!made.first && !made.second);
}

Test(simulate, names_the_option_that_is_out_of_range) {
  cla_simulate_options options = defaults();
  options.length = -1;
  expect_option_refused(options, "length -1 is outside 0 to");
  options.length = (INT64_C(1) << 40) + 1;
  expect_option_refused(options, "length 1099511627777 is outside");
  options = defaults();
  options.substitution_rate = 1.5;
  expect_option_refused(options, "substitution rate 1.5");
  options = defaults();
  options.indel_rate = -0.1;
  expect_option_refused(options, "indel rate -0.1");
  options.indel_rate = strtod("nan", NULL);
  expect_option_refused(options, "indel rate");
  options = defaults();
  options.indel_mean = 0.5;
  expect_option_refused(options, "mean length 0.5");
  options.indel_mean = strtod("inf", NULL);
  expect_option_refused(options, "mean length inf");
  options = defaults();
  options.long_insertions = 10002;
  expect_option_refused(options, "10002 long insertions");
  options.long_insertions = -1;
  expect_option_refused(options, "-1 long insertions");
  options.long_insertions = 1000;
  options.long_insertion_length = INT64_C(1) << 40;
  expect_option_refused(options, "in all");
  options.long_insertion_length = -5;
  expect_option_refused(options, "length -5 of a long insertion");
  options = defaults();
  options.inversions = -1;
  expect_option_refused(options, "-1 inversions");
  options.inversions = 5;
  options.inversion_length = 5000;
  expect_option_refused(options, "do not fit");
  options.protein = true;
  expect_option_refused(options, "of DNA");
  options = defaults();
  options.satellite = true;
  options.length = 9999;
  expect_option_refused(options, "10000 letters at least, not 9999");
  options.length = 10000;
  options.unrelated = true;
  expect_option_refused(options, "related to it");
}

/* First outputs of xoshiro256** from the state 1, 2, 3, 4, by hand from its definition: rotl(2 * 5, 7) * 9
 * is 11520; the update leaves state[1] = 0. */
Test(random_stream, is_xoshiro256_starstar) {
  random_stream stream = {.state = {1, 2, 3, 4}};
  const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
  for (int i = 0; i < 4; i++) cr_expect_eq(random_stream_next(&stream), expected[i], "output %d", i);
}

Test(random_stream, stays_below_its_limit_and_reaches_all_values) {
  random_stream stream;
  int seen[7] = {0};
  random_stream_init(&stream, 1, 1);
  for (int i = 0; i < 7000; i++) {
    const uint64_t value = random_stream_below(&stream, 7);
    cr_assert_lt(value, 7);
    seen[value]++;
  }
  for (int i = 0; i < 7; i++) cr_expect(seen[i] > 850 && seen[i] < 1150);
}
