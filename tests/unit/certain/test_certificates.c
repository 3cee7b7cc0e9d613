/* Certificates of tiny pairs, beside all alignments that there are. */

#include <math.h>
#include <unistd.h>

#include "clalign/certain.h"
#include "seq/sequence.h"
#include "support/all_alignments.h"
#include "support/random_pairs.h"
#include "support/test.h"
#include "support/tiny_cases.h"

#define CASES_OF_ONE_RUN 3000

static void free_certificate(cla_certificate **certificate) {
  cla_certificate_free(*certificate);
}

static int64_t capped(int64_t margin, int64_t delta) {
  return margin > delta ? delta + 1 : margin;
}

#define expect(condition, ...)                                                                         \
  cr_assert(condition, "case %llu delta %lld: %s", (unsigned long long)c->seed, (long long)got->delta, \
            test_text(__VA_ARGS__))

static void compare_columns(const tiny_case *c, const cla_certificate *got, const true_certainty *truth) {
  for (int64_t i = 0; i < got->column_count; i++) {
    expect(got->margins[i] == capped(truth->margins[i], got->delta),
           "margin of column %lld is %lld, not %lld", (long long)i, (long long)got->margins[i],
           (long long)truth->margins[i]);
    expect(fabs(got->supports[i] - truth->supports[i]) < 1e-5, "support of column %lld is %g, not %g",
           (long long)i, got->supports[i], truth->supports[i]);
    expect(truth->margins[i] == NO_OTHER || got->ceilings[i] >= truth->margins[i],
           "ceiling of column %lld is %lld below the margin %lld", (long long)i, (long long)got->ceilings[i],
           (long long)truth->margins[i]);
    expect(got->displacements[0].margins[i] == capped(truth->far[i], got->delta),
           "displacement margin of column %lld is %lld, not %lld", (long long)i,
           (long long)got->displacements[0].margins[i], (long long)truth->far[i]);
  }
}

static void compare_blocks(const tiny_case *c, const cla_certificate *got, const true_certainty *truth) {
  expect(got->block_count == truth->blocks, "%lld blocks, not %d", (long long)got->block_count,
         truth->blocks);
  for (int64_t i = 0; i < got->block_count; i++) {
    const cla_ambiguous_block *b = &got->blocks[i];
    expect(b->query_start == truth->block[i].row && b->query_stop == truth->block[i].row_end &&
               b->target_start == truth->block[i].column && b->target_stop == truth->block[i].column_end,
           "block %lld is at %lld-%lld %lld-%lld, not %d-%d %d-%d", (long long)i, (long long)b->query_start,
           (long long)b->query_stop, (long long)b->target_start, (long long)b->target_stop,
           truth->block[i].row, truth->block[i].row_end, truth->block[i].column, truth->block[i].column_end);
    expect(fabs(b->log10_alignments - log10(truth->block[i].number)) < 1e-6, "block %lld has %g, not %g",
           (long long)i, pow(10, b->log10_alignments), truth->block[i].number);
    expect(b->margin == capped(truth->block[i].margin, got->delta), "block %lld has margin %lld, not %lld",
           (long long)i, (long long)b->margin, (long long)truth->block[i].margin);
    expect((b->kind == CLA_AMBIGUITY_SHIFT) == truth->block[i].shift, "block %lld has class %d", (long long)i,
           (int)b->kind);
  }
}

/* True if `a` has the columns of the listed alignment, from the same place on. */
static bool same_alignment(const cla_alignment *a, const listed_alignment *listed) {
  int column = 0;
  if (a->query.start != listed->row || a->target.start != listed->column) return false;
  for (size_t i = 0; i < a->run_count; i++)
    for (int64_t k = 0; k < a->runs[i].length; k++)
      if (column == listed->count || listed->kinds[column++] != a->runs[i].kind) return false;
  return column == listed->count;
}

/* The listed alignments must be different optimal ones, which verify, as many as there are up to `most`. */
static void compare_listed(const tiny_case *c, const cla_certificate *got, const alignment_list *list,
                           int64_t of, int64_t most) {
  int64_t number = 0, found = 0;
  for (int64_t i = 0; i < list->count; i++) {
    if (list->all[i].score < list->optimum) continue;
    int64_t times = 0;
    for (int64_t k = 0; k < got->optimal_count; k++) times += same_alignment(got->optimal[k], &list->all[i]);
    expect(times <= 1, "an alignment is listed %lld times", (long long)times);
    number++;
    found += times;
  }
  expect(got->optimal_count == (number < most ? number : most) && found == got->optimal_count,
         "%lld alignments are listed, %lld of them optimal; there are %lld", (long long)got->optimal_count,
         (long long)found, (long long)number);
  expect(got->optimal_all == (number <= most), "all: %d of %lld", got->optimal_all, (long long)number);
  expect(same_alignment(got->optimal[0], &list->all[of]), "the first is another one");
}

/* The first alignments are the same, however many are listed. */
static void compare_fewer(const cla_certificate *got, const cla_certificate *fewer) {
  for (int64_t k = 0; k < fewer->optimal_count; k++) {
    const cla_alignment *a = got->optimal[k], *b = fewer->optimal[k];
    cr_assert_eq(a->run_count, b->run_count);
    for (size_t i = 0; i < a->run_count; i++)
      cr_assert(a->runs[i].kind == b->runs[i].kind && a->runs[i].length == b->runs[i].length);
  }
}

/* The edges of near-optimal alignments, by the node to which they lead and by kind: the least loss. */
typedef int64_t edge_losses[TINY_LETTERS + 1][TINY_LETTERS + 1][3];

/* Sets the losses of edges between two lines, from all alignments. Returns the number of edges. */
static int true_edges(edge_losses losses, const alignment_list *list, int64_t delta, const int64_t lines[2]) {
  int edges = 0;
  memset(losses, -1, sizeof(edge_losses));
  for (int64_t i = 0; i < list->count; i++) {
    const listed_alignment *a = &list->all[i];
    const int64_t loss = list->optimum - a->score;
    int row = a->row, column = a->column;
    for (int k = 0; k < a->count && loss <= delta; k++) {
      const bool inside = row + column >= lines[0];
      row += a->kinds[k] != CLA_RUN_TARGET;
      column += a->kinds[k] != CLA_RUN_QUERY;
      int64_t *least = &losses[row][column][a->kinds[k]];
      if (!inside || row + column > lines[1] || (*least >= 0 && *least <= loss)) continue;
      edges += *least < 0;
      *least = loss;
    }
  }
  return edges;
}

/* The edges in the text of a block's graph must be those of all alignments that lose at most delta. */
static void compare_graph(const tiny_case *c, const cla_certificate *got, const alignment_list *list,
                          const cla_results *pair) {
  char name[256], line[256];
  const cla_ambiguous_block *block = &got->blocks[c->seed % (uint64_t)got->block_count];
  const int64_t lines[2] = {block->query_start + block->target_start, block->query_stop + block->target_stop};
  const char *folder = getenv("TMPDIR");
  edge_losses losses;
  cla_certify_options options;
  cla_certify_options_init(&options);
  snprintf(name, sizeof name, "%s/clalign-graph-%ld.dot", folder ? folder : "/tmp", (long)getpid());
  options.delta = got->delta;
  options.graph = name;
  options.graph_block = block - got->blocks;
  cla_certificate *again = NULL;
  assert_ok(cla_certify(&again, pair->alignments[0], pair->query, pair->target, &options, &why));
  cla_certificate_free(again);
  int edges = true_edges(losses, list, got->delta, lines);
  FILE *file = fopen(name, "r");
  expect(file != NULL, "no file");
  while (fgets(line, sizeof line, file)) {
    int from[2], to[2];
    char letters[2];
    if (sscanf(line, " \"%d,%d\" -> \"%d,%d\" [label=\"%c/%c", &from[0], &from[1], &to[0], &to[1],
               &letters[0], &letters[1]) != 6)
      continue;
    const int kind = letters[0] == '-' ? CLA_RUN_TARGET : letters[1] == '-' ? CLA_RUN_QUERY : CLA_RUN_PAIR;
    const int64_t loss = strtoll(strstr(line, "loss=") + strlen("loss="), NULL, 10);
    expect(to[0] - from[0] == (kind != CLA_RUN_TARGET) && to[1] - from[1] == (kind != CLA_RUN_QUERY), "%s",
           line);
    expect(losses[to[0]][to[1]][kind] == loss, "loss %lld, not %lld: %s", (long long)loss,
           (long long)losses[to[0]][to[1]][kind], line);
    edges--;
  }
  fclose(file);
  remove(name);
  expect(edges == 0, "%d edges are missing in block %lld", edges, (long long)(block - got->blocks));
}

/* Returns false for a case without an alignment that has columns. */
static bool check_case(uint64_t seed) {
  tiny_case made;
  const tiny_case *c = &made;
  tiny_case_make(&made, seed);
  tiny_problem tiny;
  tiny_problem_make(&tiny, c, &c->scoring);
  alignment_list list;
  alignment_list_make(&list, &tiny.problem);
  const int64_t of = alignment_list_draw(&list, seed / 7);
  if (of < 0 || (c->mode == CLA_MODE_LOCAL && list.optimum <= 0)) {
    alignment_list_free(&list);
    return false;
  }
  OWNED(free_sequence) cla_sequence *query = random_pair_sequence("q", c->query, c->rows);
  OWNED(free_sequence) cla_sequence *target = random_pair_sequence("t", c->target, c->columns);
  OWNED(free_alignment) cla_alignment *alignment = tiny_case_alignment(c, &list.all[of], query, target);
  const int64_t diagonals = 1 + (int64_t)(seed % 3);
  cla_certify_options options;
  cla_certify_options_init(&options);
  options.delta = seed % 11 == 0 ? -1 : seed % 11 == 1 ? 1000 : (int64_t)(seed % 8);
  options.displacements = &diagonals;
  options.displacement_count = 1;
  options.optimal_most = 1 << 20;
  cla_certificate *got, *fewer;
  assert_ok_for(cla_certify(&got, alignment, query, target, &options, &why), "case %llu",
                (unsigned long long)seed);
  true_certainty truth;
  true_certainty_find(&truth, &list, of, diagonals);
  expect(got->unique == (truth.number < 2), "unique: %d of %g", got->unique, truth.number);
  expect(fabs(got->log10_alignments - log10(truth.number)) < 1e-6, "%g alignments, not %g",
         pow(10, got->log10_alignments), truth.number);
  compare_columns(c, got, &truth);
  compare_blocks(c, got, &truth);
  compare_listed(c, got, &list, of, options.optimal_most);
  for (int64_t i = 0; i < got->optimal_count; i++)
    assert_ok_for(cla_alignment_verify(got->optimal[i], query, target, &why), "case %llu: no. %lld",
                  (unsigned long long)seed, (long long)i);
  const cla_results pair = {
      .alignments = (const cla_alignment *const *)&alignment, .count = 1, .query = query, .target = target};
  if (seed % 3 == 0 && got->block_count > 0) compare_graph(c, got, &list, &pair);
  options.optimal_most = 1 + (int64_t)(seed % 9);
  assert_ok(cla_certify(&fewer, alignment, query, target, &options, &why));
  expect(fewer->optimal_all == (truth.number <= (double)options.optimal_most), "all of %g", truth.number);
  compare_fewer(got, fewer);
  cla_certificate_free(fewer);
  cla_certificate_free(got);
  alignment_list_free(&list);
  return true;
}

Test(certificates, equal_what_all_alignments_say) {
  tiny_cases_check(check_case, CASES_OF_ONE_RUN, 2);
}

/* The first T of TT moves by a mismatch, a pair becomes letters of two gaps, or makes the gap longer. */
Test(certificates, ceilings_are_what_the_cheapest_detours_lose) {
  static const char query_letters[] = "ACGAGCTA", target_letters[] = "ACGATTGCAA";
  static const int64_t ceilings[] = {11, 11, 11, 8, 4, 4, 8, 11, 7, 11};
  OWNED(free_sequence) cla_sequence *query = NULL, *target = NULL;
  OWNED(free_alignment) cla_alignment *alignment = NULL;
  OWNED(free_certificate) cla_certificate *got = NULL;
  cla_align_options options;
  cla_certify_options how;
  assert_ok(cla_sequence_from_letters(&query, "q", query_letters, (int64_t)strlen(query_letters), &why));
  assert_ok(cla_sequence_from_letters(&target, "t", target_letters, (int64_t)strlen(target_letters), &why));
  cla_align_options_init(&options);
  options.scoring = default_scoring();
  options.mode = CLA_MODE_GLOBAL;
  options.host_cells = 1 << 20;
  assert_ok(cla_align(&alignment, NULL, query, target, &options, &why));
  cla_certify_options_init(&how);
  assert_ok(cla_certify(&got, alignment, query, target, &how, &why));
  cr_assert_eq(got->column_count, (int64_t)(sizeof ceilings / sizeof *ceilings));
  cr_assert_arr_eq(got->ceilings, ceilings, sizeof ceilings);
}
