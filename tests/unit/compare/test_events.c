#include "clalign/events.h"
#include "support/made_comparison.h"
#include "support/test.h"

#define COUNT(parts) (sizeof(parts) / sizeof *(parts))
#define OWNED_EVENTS OWNED(cla_events_free) cla_events

static cla_events find_events(const made_comparison *made) {
  cla_events out;
  assert_ok(cla_events_find(&out, &made->comparison, 0, &why));
  return out;
}

/* An event as a line: kind, target, query. Lines of all events follow each other. */
static char *told(const cla_events *events) {
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  for (size_t i = 0; i < events->count; i++) {
    const cla_event *it = &events->items[i];
    fprintf(file, "%s t%zd:%ld-%ld q%zd:%ld-%ld %c\n", cla_event_kind_name(it->kind),
            (ssize_t)(it->target + 1), (long)it->target_begin, (long)it->target_end, (ssize_t)(it->query + 1),
            (long)it->query_begin, (long)it->query_end, it->strand == CLA_STRAND_REVERSE ? '-' : '+');
  }
  fclose(file);
  return text;
}

#define expect_told(made, expected)                                    \
  do {                                                                 \
    OWNED_EVENTS events_ = find_events(made);                          \
    OWNED(free_memory) char *text_ = told(&events_);                   \
    cr_expect_str_eq(text_, expected, "%s\nnot\n%s", text_, expected); \
  } while (0)

/* One target record of 10,000 letters, and a query of the parts. */
static void make_of(made_comparison *made, const made_part *parts, size_t count, bool turned) {
  *made = (made_comparison){.seed = 7};
  made_comparison_target(made, 10000, false);
  made_comparison_query(made, parts, count, false, turned);
}

Test(events, one_piece_has_none) {
  const made_part parts[] = {{.to = 10000}};
  for (int turned = 0; turned < 2; turned++) {
    OWNED_COMPARISON made;
    make_of(&made, parts, COUNT(parts), turned);
    OWNED_EVENTS events = find_events(&made);
    cr_expect_eq(events.count, 0);
    cr_expect_eq(events.homologies[0].target, 0);
    cr_expect_eq((int)events.homologies[0].strand, turned);
    cr_expect_eq(events.homologies[0].letters, 10000);
    cr_expect_eq(events.query.shared, 10000);
    cr_expect_eq(events.target.unaligned, 0);
    cr_expect_eq(events.target.longest, -1);
    cr_expect_eq(events.variants.matches, 10000);
  }
}

static const made_part gapped[] = {{.to = 3000},
                                   {.from = 120},
                                   {.from = 3000, .to = 5000},
                                   {.from = 5400, .to = 7000},
                                   {.from = 300},
                                   {.from = 7200, .to = 10000}};

Test(events, gaps_between_pieces_are_insertions_deletions_and_replacements) {
  OWNED_COMPARISON made;
  make_of(&made, gapped, COUNT(gapped), false);
  expect_told(&made,
              "insertion t1:3000-3000 q1:3000-3120 +\n"
              "deletion t1:5000-5400 q1:5120-5120 +\n"
              "replacement t1:7000-7200 q1:6720-7020 +\n");
  OWNED_COMPARISON turned;
  make_of(&turned, gapped, COUNT(gapped), true);
  expect_told(&turned,
              "insertion t1:3000-3000 q1:6700-6820 -\n"
              "deletion t1:5000-5400 q1:4700-4700 -\n"
              "replacement t1:7000-7200 q1:2800-3100 -\n");
}

Test(events, unaligned_letters_are_those_of_gaps) {
  OWNED_COMPARISON made;
  make_of(&made, gapped, COUNT(gapped), false);
  OWNED_EVENTS events = find_events(&made);
  cr_expect_eq(events.query.letters, 9820);
  cr_expect_eq(events.query.shared, 9400);
  cr_expect_eq(events.query.unaligned, 420);
  cr_expect_eq(events.target.unaligned, 600);
  cr_expect_eq(events.target.interval_count, 2);
  cr_expect_eq(events.target.longest, 0);
  cr_expect_eq(events.target.intervals[0].begin, 5000);
  cr_expect_eq(events.query.intervals[events.query.longest].end, 7020);
}

Test(events, long_gaps_within_a_piece_count_and_short_ones_are_variants) {
  const made_part parts[] = {{.to = 3000},
                             {.from = 120},
                             {.from = 3000, .to = 5000, .joined = true},
                             {.from = 5049, .to = 7000, .joined = true, .changed = true},
                             {.from = 7001, .to = 10000, .joined = true}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "insertion t1:3000-3000 q1:3000-3120 +\n");
  OWNED_EVENTS events = find_events(&made);
  cr_expect(events.items[0].within_piece);
  cr_expect_eq(events.variants.mismatches, 20);
  cr_expect_eq(events.variants.deletions[0], 1);
  cr_expect_eq(events.variants.deletions[3], 1);
  cr_expect_eq(events.variants.insertions[4], 1);
  cr_expect_eq(events.target.unaligned, 0);
}

Test(events, letters_at_the_ends_count) {
  const made_part parts[] = {{.from = 80}, {.to = 9000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "insertion t1:0-0 q1:0-80 +\n"
              "deletion t1:9000-10000 q1:9080-9080 +\n");
  OWNED_COMPARISON turned;
  make_of(&turned, parts, COUNT(parts), true);
  expect_told(&turned,
              "insertion t1:0-0 q1:9000-9080 -\n"
              "deletion t1:9000-10000 q1:0-0 -\n");
}

Test(events, a_piece_in_place_on_the_other_strand_is_an_inversion) {
  const made_part parts[] = {
      {.to = 4000}, {.from = 4000, .to = 6000, .reverse = true}, {.from = 6000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "inversion t1:4000-6000 q1:4000-6000 -\n");
  OWNED_COMPARISON turned;
  make_of(&turned, parts, COUNT(parts), true);
  expect_told(&turned, "inversion t1:4000-6000 q1:4000-6000 +\n");
}

Test(events, an_inversion_has_pieces_and_a_loss_of_its_own) {
  const made_part parts[] = {{.to = 4000},
                             {.from = 5500, .to = 6000, .reverse = true},
                             {.from = 4000, .to = 5400, .reverse = true},
                             {.from = 6000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "inversion t1:4000-6000 q1:4000-5900 -\n"
              "deletion t1:5400-5500 q1:4500-4500 -\n");
}

Test(events, letters_beside_an_inversion_are_no_part_of_it) {
  const made_part parts[] = {
      {.to = 4000}, {.from = 70}, {.from = 4000, .to = 5900, .reverse = true}, {.from = 6000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "insertion t1:4000-4000 q1:4000-4070 +\n"
              "inversion t1:4000-5900 q1:4070-5970 -\n"
              "deletion t1:5900-6000 q1:5970-5970 +\n");
}

Test(events, neighbours_are_inverted_each_for_itself) {
  const made_part parts[] = {{.to = 4000},
                             {.from = 4000, .to = 5000, .reverse = true},
                             {.from = 5000, .to = 7000, .reverse = true},
                             {.from = 7000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "inversion t1:4000-5000 q1:4000-5000 -\n"
              "inversion t1:5000-7000 q1:5000-7000 -\n");
}

Test(events, an_inversion_within_an_inversion_is_one_more) {
  const made_part parts[] = {{.to = 3000},
                             {.from = 5000, .to = 7000, .reverse = true},
                             {.from = 4500, .to = 5000},
                             {.from = 3000, .to = 4500, .reverse = true},
                             {.from = 7000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "inversion t1:3000-7000 q1:3000-7000 -\n"
              "inversion t1:4500-5000 q1:5000-5500 +\n");
}

static const made_part moved[] = {
    {.to = 2000}, {.from = 3000, .to = 7000}, {.from = 2000, .to = 3000}, {.from = 7000, .to = 10000}};

Test(events, letters_at_another_place_of_their_record_are_a_relocation) {
  OWNED_COMPARISON made;
  make_of(&made, moved, COUNT(moved), false);
  expect_told(&made, "relocation t1:2000-3000 q1:6000-7000 +\n");
  OWNED_EVENTS events = find_events(&made);
  cr_expect_eq(events.items[0].place_target, 0);
  cr_expect_eq(events.items[0].place, 7000);
  OWNED_COMPARISON turned;
  make_of(&turned, moved, COUNT(moved), true);
  expect_told(&turned, "relocation t1:2000-3000 q1:3000-4000 -\n");
}

Test(events, a_relocation_may_be_inverted) {
  made_part parts[COUNT(moved)];
  memcpy(parts, moved, sizeof moved);
  parts[2].reverse = true;
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "inverted-relocation t1:2000-3000 q1:6000-7000 -\n");
}

/* Two records of either side; the first target record's letters 2000 .. 3000 are in the second query. */
static void make_two_records(made_comparison *made, bool reverse) {
  const made_part first[] = {{.to = 2000}, {.from = 3000, .to = 10000}};
  const made_part second[] = {{.record = 1, .to = 4000},
                              {.from = 2000, .to = 3000, .reverse = reverse},
                              {.record = 1, .from = 4000, .to = 8000}};
  *made = (made_comparison){.seed = 3};
  made_comparison_target(made, 10000, false);
  made_comparison_target(made, 8000, false);
  made_comparison_query(made, first, COUNT(first), false, false);
  made_comparison_query(made, second, COUNT(second), false, false);
}

Test(events, letters_in_another_record_are_a_translocation) {
  OWNED_COMPARISON made;
  make_two_records(&made, false);
  expect_told(&made, "translocation t1:2000-3000 q2:4000-5000 +\n");
  OWNED_EVENTS events = find_events(&made);
  cr_expect_eq(events.items[0].place_target, 1);
  cr_expect_eq(events.items[0].place, 4000);
  OWNED_COMPARISON inverted;
  make_two_records(&inverted, true);
  expect_told(&inverted, "inverted-translocation t1:2000-3000 q2:4000-5000 -\n");
}

Test(events, contigs_are_no_translocations_and_records_without_counterpart_are_told) {
  const made_part first[] = {{.to = 6000}}, second[] = {{.from = 6000, .to = 10000}},
                  third[] = {{.from = 700}};
  OWNED_COMPARISON made = {.seed = 3};
  made_comparison_target(&made, 10000, false);
  made_comparison_target(&made, 900, false);
  made_comparison_query(&made, first, 1, false, false);
  made_comparison_query(&made, second, 1, false, true);
  made_comparison_query(&made, third, 1, false, false);
  expect_told(&made,
              "deletion t2:0-900 q0:0-0 +\n"
              "insertion t0:0-0 q3:0-700 +\n");
}

Test(events, a_further_copy_is_a_duplication_and_no_insertion) {
  const made_part parts[] = {
      {.to = 6000}, {.from = 1000, .to = 2000, .role = CLA_BLOCK_QUERY_COPY}, {.from = 6000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "duplication t1:1000-2000 q1:6000-7000 +\n");
  const made_part beside[] = {
      {.to = 6000}, {.from = 5000, .to = 6000, .role = CLA_BLOCK_QUERY_COPY}, {.from = 6000, .to = 10000}};
  OWNED_COMPARISON tandem;
  make_of(&tandem, beside, COUNT(beside), false);
  expect_told(&tandem, "tandem-duplication t1:5000-6000 q1:6000-7000 +\n");
}

Test(events, an_insertion_that_repeats_its_neighbour_is_a_tandem_duplication) {
  const made_part parts[] = {{.to = 6000},
                             {.from = 5400, .to = 6000, .unknown = true, .changed = true},
                             {.from = 6000, .to = 10000, .joined = true}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "tandem-duplication t1:5400-6000 q1:6000-6600 +\n");
  OWNED_COMPARISON turned;
  make_of(&turned, parts, COUNT(parts), true);
  expect_told(&turned, "tandem-duplication t1:5400-6000 q1:4000-4600 -\n");
}

Test(events, a_lost_copy_is_no_deletion) {
  OWNED_COMPARISON made = {.seed = 9};
  made_comparison_target(&made, 10000, false);
  made_comparison_query(&made, (const made_part[]){{.to = 6000}, {.from = 7000, .to = 10000}}, 2, false,
                        false);
  made.blocks[2] = (cla_block){.role = CLA_BLOCK_TARGET_COPY,
                               .query_begin = 1000,
                               .query_end = 2000,
                               .target_begin = 6000,
                               .target_end = 7000};
  made.comparison.block_count = 3;
  expect_told(&made, "lost-copy t1:6000-7000 q1:1000-2000 +\n");
}

/* A circle whose query begins at target letter 7000, perhaps with an inversion. */
static void make_circle(made_comparison *made, bool inverted, bool turned, bool query_circular) {
  const made_part parts[] = {{.from = 7000, .to = 10000},
                             {.to = 2000},
                             {.from = 2000, .to = 4000, .reverse = inverted},
                             {.from = 4000, .to = 7000}};
  *made = (made_comparison){.seed = 5};
  made_comparison_target(made, 10000, true);
  made_comparison_query(made, parts, COUNT(parts), query_circular, turned);
}

Test(events, a_rotated_circle_is_no_event) {
  OWNED_COMPARISON made;
  make_circle(&made, false, false, true);
  OWNED_EVENTS events = find_events(&made);
  cr_expect_eq(events.count, 0);
  cr_expect(events.homologies[0].rotated);
  cr_expect_eq(events.homologies[0].rotation, 3000);
  OWNED_COMPARISON turned;
  make_circle(&turned, false, true, true);
  OWNED_EVENTS turned_events = find_events(&turned);
  cr_expect_eq(turned_events.count, 0);
  cr_expect(turned_events.homologies[0].rotated);
  cr_expect_eq(turned_events.homologies[0].rotation, 10000 - 1 - 3000);
  OWNED_COMPARISON contig;
  make_circle(&contig, false, false, false);
  expect_told(&contig, "");
}

Test(events, an_inversion_of_a_rotated_circle_is_found) {
  OWNED_COMPARISON made;
  make_circle(&made, true, false, true);
  expect_told(&made, "inversion t1:2000-4000 q1:5000-7000 -\n");
  OWNED_COMPARISON turned;
  make_circle(&turned, true, true, true);
  expect_told(&turned, "inversion t1:2000-4000 q1:3000-5000 +\n");
}

Test(events, a_gap_across_a_circles_origin_is_one) {
  const made_part parts[] = {{.from = 200, .to = 9900}};
  OWNED_COMPARISON made = {.seed = 5};
  made_comparison_target(&made, 10000, true);
  made_comparison_query(&made, parts, 1, true, false);
  expect_told(&made, "deletion t1:9900-10200 q1:0-0 +\n");
  OWNED_EVENTS events = find_events(&made);
  cr_expect(events.target.in_events == 300 && events.target.rest == 0);
}

Test(events, a_copy_is_a_part_of_an_insertion_that_is_far_larger) {
  const made_part parts[] = {{.to = 6000},
                             {.from = 900},
                             {.from = 1000, .to = 2000, .role = CLA_BLOCK_QUERY_COPY},
                             {.from = 300},
                             {.from = 6000, .to = 10000}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made, "insertion t1:6000-6000 q1:6000-8200 +\n");
  const made_part few[] = {{.to = 6000},
                           {.from = 90},
                           {.from = 1000, .to = 2000, .role = CLA_BLOCK_QUERY_COPY},
                           {.from = 30},
                           {.from = 6000, .to = 10000}};
  OWNED_COMPARISON other;
  make_of(&other, few, COUNT(few), false);
  expect_told(&other,
              "duplication t1:1000-2000 q1:6090-7090 +\n"
              "insertion t1:6000-6000 q1:6000-6090 +\n");
}

Test(events, letters_add_up_and_those_of_no_event_are_listed) {
  const made_part parts[] = {{.to = 6000},
                             {.from = 90},
                             {.from = 1000, .to = 2000, .role = CLA_BLOCK_QUERY_COPY},
                             {.from = 30},
                             {.from = 6040, .to = 8000, .joined = false},
                             {.from = 8020, .to = 10000, .joined = true}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  OWNED_EVENTS events = find_events(&made);
  const cla_side_letters *query = &events.query, *target = &events.target;
  cr_expect_eq(query->letters, 6000 + 90 + 1000 + 30 + 1960 + 1980);
  cr_expect(query->shared == 9940 && query->in_gaps == 0 && query->in_events == 1090 && query->rest == 30);
  cr_expect(target->shared == 9940 && target->in_gaps == 20 && target->in_events == 40 && target->rest == 0);
  cr_assert(query->rest_count == 1 && target->rest_count == 0);
  cr_expect(query->rests[0].begin == 7090 && query->rests[0].end == 7120);
}

/* Contigs of one record, the second one turned around. */
static void make_contigs(made_comparison *made) {
  const made_part first[] = {{.to = 3000}, {.from = 70}},
                  second[] = {{.from = 80}, {.from = 3400, .to = 6000}},
                  third[] = {{.from = 6010, .to = 9900}};
  *made = (made_comparison){.seed = 3};
  made_comparison_target(made, 10000, false);
  made_comparison_query(made, first, COUNT(first), false, false);
  made_comparison_query(made, second, COUNT(second), false, true);
  made_comparison_query(made, third, COUNT(third), false, false);
}

Test(events, ends_of_contigs_are_no_differences) {
  OWNED_COMPARISON made;
  make_contigs(&made);
  expect_told(&made,
              "contig-end t1:3000-3400 q1:3000-3000 +\n"
              "contig-end t1:3000-3000 q1:3000-3070 +\n"
              "contig-end t1:3400-3400 q2:2600-2680 -\n"
              "contig-end t1:9900-10000 q3:3890-3890 +\n");
  OWNED_EVENTS events = find_events(&made);
  cr_expect_eq(events.letters[CLA_EVENT_CONTIG_END], 70 + 400 + 80 + 100);
  cr_expect(events.query.in_events == 150 && events.target.in_events == 500 && events.target.rest == 10);
}

Test(events, a_target_of_contigs_has_their_ends) {
  const made_part parts[] = {
      {.to = 4900}, {.from = 300}, {.record = 1, .from = 100, .to = 5000}, {.from = 60}};
  OWNED_COMPARISON made = {.seed = 3};
  made_comparison_target(&made, 5000, false);
  made_comparison_target(&made, 5000, false);
  made_comparison_query(&made, parts, COUNT(parts), false, false);
  expect_told(&made,
              "contig-end t1:4900-5000 q1:4900-4900 +\n"
              "contig-end t1:4900-4900 q1:4900-5200 +\n"
              "contig-end t2:0-100 q1:5200-5200 +\n"
              "contig-end t2:5000-5000 q1:10100-10160 +\n");
}

Test(events, a_loss_beside_an_inverted_end_is_a_loss) {
  const made_part parts[] = {{.to = 6000}, {.from = 6100, .to = 10000, .reverse = true}};
  OWNED_COMPARISON made;
  make_of(&made, parts, COUNT(parts), false);
  expect_told(&made,
              "deletion t1:6000-6100 q1:6000-6000 +\n"
              "inversion t1:6100-10000 q1:6000-9900 -\n");
}
