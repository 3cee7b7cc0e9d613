#include "clalign/compare_write.h"

#include <jansson.h>

#include "support/made_comparison.h"
#include "support/test.h"

#define COUNT(parts) (sizeof(parts) / sizeof *(parts))

static char *written(const made_comparison *made, cla_comparison_text what) {
  OWNED(cla_events_free) cla_events events;
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  assert_ok(cla_events_find(&events, &made->comparison, 0, &why));
  assert_ok(cla_comparison_write(file, what, &made->comparison, &events, NULL, &why));
  fclose(file);
  return text;
}

static void expect_line(const char *text, const char *line) {
  cr_expect_not_null(strstr(text, line), "no '%s' in:\n%s", line, text);
}

/* An inversion, substitutions, a loss at a break between pieces, and a translocation from t2. */
static void make_many(made_comparison *made) {
  const made_part first[] = {
      {.to = 2000, .changed = true}, {.from = 2000, .to = 3000, .reverse = true, .changed = true},
      {.from = 3000, .to = 5000},    {.record = 1, .from = 1000, .to = 2000, .reverse = true},
      {.from = 5000, .to = 7000},    {.from = 7100, .to = 10000}};
  const made_part second[] = {{.record = 1, .to = 1000}, {.record = 1, .from = 2000, .to = 6000}};
  *made = (made_comparison){.seed = 11};
  made_comparison_target(made, 10000, false);
  made_comparison_target(made, 6000, false);
  made_comparison_query(made, first, COUNT(first), false, false);
  made_comparison_query(made, second, COUNT(second), false, false);
}

/* The letter of VCF at a position from 1. */
static char letter(const made_comparison *made, size_t record, int64_t position) {
  return made->target_letters[record][position - 1];
}

Test(compare_write, vcf_has_symbols_and_breakends_with_their_mates) {
  OWNED_COMPARISON made;
  make_many(&made);
  OWNED(free_memory) char *text = written(&made, CLA_COMPARISON_VCF);
  expect_line(
      text,
      test_text(
          "\nt1\t2000\t.\t%c\t<INV>\t.\t.\tSVTYPE=INV;END=3000;SVLEN=1000;QNAME=q1;QFROM=2001;QTO=3000\t",
          letter(&made, 0, 2000)));
  /* The query goes from t1:5000 to t2:2000, down to t2:1001, and on to t1:5001. */
  expect_line(text, test_text("\nt1\t5000\tbnd1_1\t%c\t%c]t2:2000]\t", letter(&made, 0, 5000),
                              letter(&made, 0, 5000)));
  expect_line(text, test_text("\nt2\t2000\tbnd1_2\t%c\t%c]t1:5000]\t", letter(&made, 1, 2000),
                              letter(&made, 1, 2000)));
  expect_line(text, test_text("\nt2\t1001\tbnd2_1\t%c\t[t1:5001[%c\t", letter(&made, 1, 1001),
                              letter(&made, 1, 1001)));
  expect_line(text, test_text("\nt1\t5001\tbnd2_2\t%c\t[t2:1001[%c\t", letter(&made, 0, 5001),
                              letter(&made, 0, 5001)));
  expect_line(text, "MATEID=bnd2_1;QNAME=q1\t");
  /* The other query record leaves them out. */
  expect_line(text, test_text("\nt2\t1000\tbnd3_1\t%c\t%c[t2:2001[\t", letter(&made, 1, 1000),
                              letter(&made, 1, 1000)));
}

Test(compare_write, vcf_is_in_the_order_of_the_target_and_has_letters_of_losses) {
  OWNED_COMPARISON made;
  make_many(&made);
  OWNED(free_memory) char *text = written(&made, CLA_COMPARISON_VCF);
  long last = 0;
  int contig = 0, lines = 0, blocks = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (*line == '#') continue;
    const long position = strtol(line + 3, NULL, 10);
    cr_expect(line[1] - '0' >= contig);
    if (line[1] - '0' > contig) last = 0;
    cr_expect_geq(position, last, "%s", line);
    contig = line[1] - '0';
    last = position;
    lines++;
    blocks += strstr(line, ";BLOCK=") != NULL;
    if (position == 7000 && contig == 1) {
      const char *ref = strchr(strstr(line, "\t.\t"), '\t') + 3;
      cr_expect_eq(strcspn(ref, "\t"), 101);
      cr_expect_eq(strncmp(ref, made.target_letters[0] + 6999, 101), 0);
    }
  }
  cr_expect_eq(blocks, 30); /* substitutions */
  cr_expect_eq(lines, 30 + 1 + 1 + 6);
}

Test(compare_write, tables_have_a_line_each) {
  OWNED_COMPARISON made;
  make_many(&made);
  OWNED(free_memory) char *events = written(&made, CLA_COMPARISON_EVENTS);
  expect_line(events, "\ninversion\tt1\t2000\t3000\tq1\t2000\t3000\t-\t1000\t.\t.\n");
  expect_line(events, "\ndeletion\tt1\t7000\t7100\tq1\t8000\t8000\t+\t100\t.\t.\n");
  expect_line(events, "\ninverted-translocation\tt2\t1000\t2000\tq1\t5000\t6000\t-\t1000\tt1\t5000\n");
  OWNED(free_memory) char *blocks = written(&made, CLA_COMPARISON_BLOCKS);
  expect_line(blocks, "\n2\tprimary\tt1\t2000\t3000\tq1\t2000\t3000\t-\t1\t990\t10\t0\t0\t0.990000\n");
  OWNED(free_memory) char *target = written(&made, CLA_COMPARISON_UNALIGNED_TARGET);
  cr_expect_str_eq(target, "t1\t7000\t7100\tevent\n");
  OWNED(free_memory) char *query = written(&made, CLA_COMPARISON_UNALIGNED_QUERY);
  cr_expect_str_eq(query, "");
  OWNED(free_memory) char *callable = written(&made, CLA_COMPARISON_CALLABLE);
  cr_expect_str_eq(callable, "t1\t0\t7000\nt1\t7100\t10000\nt2\t0\t6000\n");
}

Test(compare_write, json_has_what_the_summary_says) {
  OWNED_COMPARISON made;
  make_many(&made);
  OWNED(free_memory) char *text = written(&made, CLA_COMPARISON_JSON);
  json_error_t problem;
  json_t *root = json_loads(text, 0, &problem);
  cr_assert_not_null(root, "%s", problem.text);
  json_int_t shared, snps, inversions, rotation = -1;
  double percent;
  cr_assert_eq(json_unpack_ex(root, &problem, 0, "{s:{s:I, s:f}, s:{s:I}, s:{s:{s:I}}}", "target", "shared",
                              &shared, "shared_percent", &percent, "variants", "snps", &snps, "kinds",
                              "inversion", "count", &inversions),
               0, "%s", problem.text);
  cr_expect_eq(shared, 15900);
  cr_expect_eq(snps, 30);
  cr_expect_eq(inversions, 1);
  cr_expect_eq(percent, 99.38);
  cr_expect_eq(rotation, -1);
  cr_expect_eq(json_array_size(json_object_get(root, "events")), 3);
  cr_expect_eq(json_array_size(json_object_get(root, "blocks")), 8);
  json_decref(root);
  OWNED(free_memory) char *summary = written(&made, CLA_COMPARISON_SUMMARY);
  expect_line(
      summary,
      "\nshared target   99.38 %, 15,900 letters; 100 unaligned, at most 100 in one place (t1:7001-7100)\n");
  expect_line(summary, "\ntranslocations  1 (1 inverted), 1,000 letters\n");
  expect_line(summary, "t1:7001-7100 | q1:8000^8001 +\n");
}

Test(compare_write, a_rotated_circle_is_told) {
  const made_part parts[] = {{.from = 7000, .to = 10000}, {.to = 7000}};
  OWNED_COMPARISON made = {.seed = 5};
  made_comparison_target(&made, 10000, true);
  made_comparison_query(&made, parts, COUNT(parts), true, false);
  OWNED(free_memory) char *summary = written(&made, CLA_COMPARISON_SUMMARY);
  expect_line(summary, "q1 is t1, forward strand, 10,000 letters; its letter 3,001 is at the target's begin");
  OWNED(free_memory) char *json = written(&made, CLA_COMPARISON_JSON);
  expect_line(json, "\"rotation\": 3000");
}

Test(compare_write, vcf_refuses_two_targets_of_one_name) {
  OWNED_COMPARISON made = {.seed = 5};
  OWNED(cla_events_free) cla_events events;
  made_comparison_target(&made, 1000, false);
  made_comparison_target(&made, 1000, false);
  made_comparison_query(&made, (const made_part[]){{.to = 1000}}, 1, false, false);
  cla_sequence *const records[] = {made.targets[0], made.targets[0]};
  made.comparison.target.records = records;
  assert_ok(cla_events_find(&events, &made.comparison, 0, &why));
  assert_error(cla_comparison_write(stdout, CLA_COMPARISON_VCF, &made.comparison, &events, NULL, &why),
               CLA_ERROR_INPUT, "called t1");
}

Test(compare_write, a_loss_between_pieces_is_as_far_left_as_it_goes) {
  for (int turned = 0; turned < 2; turned++) {
    OWNED_COMPARISON made = {.seed = 5};
    made_comparison_target(&made, 1000, false);
    memcpy(made.target_letters[0] + 400, "TACACACACACG", 12);
    made.target_letters[0][399] = 'G';
    for (int i = 0; i < 60; i++) made.target_letters[0][405 + i] = "AC"[i % 2];
    cla_sequence_free(made.targets[0]);
    assert_ok(cla_sequence_from_letters(&made.targets[0], "t1", made.target_letters[0], 1000, &why));
    made_comparison_query(&made, (const made_part[]){{.to = 407}, {.from = 463, .to = 1000}}, 2, false,
                          turned);
    OWNED(free_memory) char *text = written(&made, CLA_COMPARISON_VCF);
    expect_line(text, "\nt1\t401\t.\tTACACAC");
    expect_line(text, "\tT\t.\t.\tSVTYPE=DEL;SVLEN=-56;QNAME=q1\t");
  }
}
