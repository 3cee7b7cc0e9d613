/* Chains of records, the parts between them, and what is joined. */

#include "clalign/align.h"
#include "clalign/fill.h"
#include "seq/sequence.h"
#include "support/test.h"

#define LETTERS 1000

/* A record of LETTERS letters on both sides: pairs only. */
static cla_aligned_record *make_record(cla_strand strand, int64_t query, int64_t target, int64_t length) {
  cla_aligned_record *record = calloc(1, sizeof *record);
  cla_run *runs = calloc(3, sizeof *runs);
  cr_assert(record && runs);
  runs[0] = (cla_run){length, CLA_RUN_PAIR};
  *record = (cla_aligned_record){
      .number = 1,
      .name = {strdup("q"), strdup("t")},
      .length = {LETTERS, LETTERS},
      .path = {.strand = strand, .query_start = query, .target_start = target, .runs = runs, .run_count = 1}};
  const bool reverse = strand == CLA_STRAND_REVERSE;
  record->start[0] = reverse ? LETTERS - query - length : query;
  record->end[0] = record->start[0] + length;
  record->start[1] = target;
  record->end[1] = target + length;
  return record;
}

static void free_fill(cla_fill **fill) {
  cla_fill_free(*fill);
}

static cla_fill *make_fill(int64_t interval, int64_t ends) {
  cla_fill *fill = NULL;
  assert_ok(cla_fill_begin(&fill, &(cla_fill_options){interval, ends, 20}, &why));
  return fill;
}

static void add(cla_fill *fill, cla_strand strand, int64_t query, int64_t target, int64_t length) {
  assert_ok(cla_fill_add(fill, make_record(strand, query, target, length), &why));
}

/* The part has these letters, on the forward strands. */
static void expect_part(const cla_fill *fill, cla_fill_kind kind, int64_t index, const int64_t query[2],
                        const int64_t target[2]) {
  cla_fill_part part;
  cr_assert_lt(index, cla_fill_parts(fill, kind));
  cla_fill_part_of(&part, fill, kind, index);
  cr_expect(part.begin[0] == query[0] && part.end[0] == query[1], "query %d to %d", (int)part.begin[0],
            (int)part.end[0]);
  cr_expect(part.begin[1] == target[0] && part.end[1] == target[1], "target %d to %d", (int)part.begin[1],
            (int)part.end[1]);
}

/* A chain's only record. */
static cla_aligned_record *only_record(const cla_fill *fill, int64_t chain) {
  cla_aligned_record **records = NULL;
  int64_t count = 0;
  assert_ok(cla_fill_records(&records, &count, fill, chain, &why));
  cr_assert_eq(count, 1);
  cla_aligned_record *record = records[0];
  free(records);
  return record;
}

Test(fill, intervals_lie_between_neighbours_of_either_strand) {
  OWNED(free_fill) cla_fill *fill = make_fill(200, 0);
  add(fill, CLA_STRAND_REVERSE, 250, 260, 100);
  add(fill, CLA_STRAND_FORWARD, 250, 260, 100);
  add(fill, CLA_STRAND_FORWARD, 100, 105, 100);
  add(fill, CLA_STRAND_REVERSE, 100, 105, 100);
  assert_ok(cla_fill_chain(fill, &why));
  cr_assert_eq(cla_fill_chains(fill), 2);
  cr_assert_eq(cla_fill_parts(fill, CLA_FILL_INTERVALS), 2);
  cr_expect_eq(cla_fill_parts(fill, CLA_FILL_ENDS), 0);
  /* The chain of the first record that was added comes first. */
  expect_part(fill, CLA_FILL_INTERVALS, 0, (const int64_t[]){750, 800}, (const int64_t[]){205, 260});
  expect_part(fill, CLA_FILL_INTERVALS, 1, (const int64_t[]){200, 250}, (const int64_t[]){205, 260});
}

Test(fill, neighbours_are_near_and_in_order) {
  OWNED(free_fill) cla_fill *fill = make_fill(200, 0);
  add(fill, CLA_STRAND_FORWARD, 0, 0, 100);
  add(fill, CLA_STRAND_FORWARD, 301, 250, 100); /* too far */
  add(fill, CLA_STRAND_FORWARD, 150, 700, 50);  /* crosses the one before */
  add(fill, CLA_STRAND_FORWARD, 320, 270, 20);  /* lies within another one */
  assert_ok(cla_fill_chain(fill, &why));
  cr_expect_eq(cla_fill_chains(fill), 4);
  cr_expect_eq(cla_fill_parts(fill, CLA_FILL_INTERVALS), 0);
}

Test(fill, the_longest_chain_is_chosen) {
  OWNED(free_fill) cla_fill *fill = make_fill(500, 0);
  add(fill, CLA_STRAND_FORWARD, 0, 0, 100);
  add(fill, CLA_STRAND_FORWARD, 300, 150, 40); /* on its way the next one could not be a neighbour */
  add(fill, CLA_STRAND_FORWARD, 200, 200, 90);
  add(fill, CLA_STRAND_FORWARD, 400, 400, 100);
  assert_ok(cla_fill_chain(fill, &why));
  cr_assert_eq(cla_fill_chains(fill), 2);
  expect_part(fill, CLA_FILL_INTERVALS, 0, (const int64_t[]){100, 200}, (const int64_t[]){100, 200});
  expect_part(fill, CLA_FILL_INTERVALS, 1, (const int64_t[]){290, 400}, (const int64_t[]){290, 400});
}

Test(fill, an_overlap_is_cut_off_and_a_lone_gap_is_one_run) {
  OWNED(free_fill) cla_fill *fill = make_fill(100, 0);
  add(fill, CLA_STRAND_FORWARD, 100, 100, 100);
  add(fill, CLA_STRAND_FORWARD, 190, 195, 100); /* ten letters of the query again, five of the target */
  assert_ok(cla_fill_chain(fill, &why));
  cr_assert_eq(cla_fill_chains(fill), 1);
  cr_expect_eq(cla_fill_parts(fill, CLA_FILL_INTERVALS), 0);
  cla_aligned_record *record = only_record(fill, 0);
  cr_assert_eq(record->path.run_count, 3);
  cr_expect(record->path.runs[0].length == 100 && record->path.runs[1].length == 5 &&
            record->path.runs[1].kind == CLA_RUN_TARGET && record->path.runs[2].length == 90);
  cr_expect(record->start[0] == 100 && record->end[0] == 290 && record->start[1] == 100 &&
            record->end[1] == 295);
  cla_aligned_record_free(record);
  cr_expect_null(cla_fill_overlap(fill, 0));
}

/* The record's letters are these, on the forward strands. */
static void expect_letters(const cla_aligned_record *record, const int64_t query[2],
                           const int64_t target[2]) {
  cr_assert(record);
  cr_expect(record->start[0] == query[0] && record->end[0] == query[1], "query %d to %d",
            (int)record->start[0], (int)record->end[0]);
  cr_expect(record->start[1] == target[0] && record->end[1] == target[1], "target %d to %d",
            (int)record->start[1], (int)record->end[1]);
}

Test(fill, what_is_cut_off_is_a_record_of_either_strand) {
  for (int reverse = 0; reverse < 2; reverse++) {
    const cla_strand strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
    OWNED(free_fill) cla_fill *fill = make_fill(100, 0);
    cla_fill_part part;
    add(fill, strand, 100, 100, 100);
    add(fill, strand, 190, 195, 100);
    assert_ok(cla_fill_chain(fill, &why));
    const cla_aligned_record *over = cla_fill_overlap(fill, 1);
    expect_letters(over, reverse ? (const int64_t[]){800, 810} : (const int64_t[]){190, 200},
                   (const int64_t[]){195, 205});
    cr_expect(over->path.run_count == 1 && over->path.runs[0].length == 10 && over->path.query_start == 190 &&
              over->path.strand == strand);
    cla_fill_part_of(&part, fill, CLA_FILL_ANCHORS, 1);
    const int64_t left[2] = {reverse ? 710 : 200, reverse ? 800 : 290};
    expect_letters(part.record, left, (const int64_t[]){205, 295});
    expect_part(fill, CLA_FILL_ANCHORS, 1, left, (const int64_t[]){205, 295});
  }
}

Test(fill, ends_reach_to_other_records_of_the_query) {
  OWNED(free_fill) cla_fill *fill = make_fill(0, 300);
  add(fill, CLA_STRAND_FORWARD, 100, 500, 100);
  add(fill, CLA_STRAND_REVERSE, 750, 300, 50); /* letters 200 to 250 of the query */
  assert_ok(cla_fill_chain(fill, &why));
  cr_assert_eq(cla_fill_chains(fill), 2);
  cr_assert_eq(cla_fill_parts(fill, CLA_FILL_ENDS), 2);
  expect_part(fill, CLA_FILL_ENDS, 0, (const int64_t[]){0, 100}, (const int64_t[]){200, 500});
  expect_part(fill, CLA_FILL_ENDS, 1, (const int64_t[]){250, 550}, (const int64_t[]){0, 300});
}

Test(fill, an_alignment_of_other_letters_is_refused) {
  OWNED(free_fill) cla_fill *fill = make_fill(200, 0);
  OWNED(free_sequence) cla_sequence *query = NULL, *target = NULL;
  OWNED(free_alignment) cla_alignment *found = NULL;
  cla_align_options options;
  add(fill, CLA_STRAND_FORWARD, 0, 0, 100);
  add(fill, CLA_STRAND_FORWARD, 110, 110, 100);
  assert_ok(cla_fill_chain(fill, &why));
  assert_ok(cla_sequence_from_letters(&query, "q", "ACGTACGTAC", 10, &why));
  assert_ok(cla_sequence_from_letters(&target, "t", "ACGTTCGTAC", 10, &why));
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  options.host_cells = INT64_MAX;
  assert_ok(cla_align(&found, NULL, query, target, &options, &why));
  assert_error(cla_fill_take(fill, CLA_FILL_INTERVALS, 0, found, &why), CLA_ERROR_OPTION, "part 0");
}
