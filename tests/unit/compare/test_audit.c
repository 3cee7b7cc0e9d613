/* Losses of paths, against columns that are written out and compared one by one, and against the oracle. */

#include "clalign/align.h"
#include "clalign/audit.h"
#include "reference/reference.h"
#include "scoring/score_table.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "support/random_pairs.h"
#include "support/test.h"

#define LETTERS 120
#define CASES 400

/* Both sequences, the optimal path and another one. */
typedef struct audit_case {
  random_pair pair;
  cla_sequence *query, *target;
  uint8_t *letters; /* of the query on its strand */
  cla_alignment *optimal;
  cla_aligned_record record;
} audit_case;

/* A path written out: a column each of 'M', 'I' or 'D'. */
typedef struct columns {
  char at[2 * LETTERS + 1];
  int count;
} columns;

static void add_run(cla_aligned_record *record, cla_run_kind kind, int64_t length) {
  cla_path *path = &record->path;
  if (length == 0) return;
  if (path->run_count > 0 && path->runs[path->run_count - 1].kind == kind)
    path->runs[path->run_count - 1].length += length;
  else
    path->runs[path->run_count++] = (cla_run){length, kind};
}

/* A path with detours: some of its pairs become two gaps. */
static void make_record(audit_case *x, const cla_alignment *from, random_stream *stream) {
  cla_aligned_record *record = &x->record;
  const bool gap_first = random_stream_below(stream, 2);
  *record = (cla_aligned_record){.number = 1,
                                 .length = {x->pair.query_length, x->pair.target_length},
                                 .end = {x->pair.query_length, x->pair.target_length},
                                 .path = {.strand = x->optimal->strand}};
  record->path.runs = calloc(4 * LETTERS, sizeof *record->path.runs);
  for (size_t i = 0; i < from->run_count; i++) {
    const cla_run run = from->runs[i];
    for (int64_t k = 0; k < run.length; k++) {
      const bool turn = random_stream_below(stream, 15) == 0;
      if (run.kind != CLA_RUN_PAIR || !turn) {
        add_run(record, run.kind, 1);
        continue;
      }
      add_run(record, gap_first ? CLA_RUN_QUERY : CLA_RUN_TARGET, 1);
      add_run(record, gap_first ? CLA_RUN_TARGET : CLA_RUN_QUERY, 1);
    }
  }
}

/* False for a scheme that needs a device. */
static bool make_case(audit_case *x, uint64_t seed) {
  cla_alignment *other = NULL;
  random_stream stream;
  cla_align_options options;
  random_stream_init(&stream, seed, 1);
  random_pair_make(&x->pair, seed, LETTERS);
  x->query = random_pair_sequence("query", x->pair.query, x->pair.query_length);
  x->target = random_pair_sequence("target", x->pair.target, x->pair.target_length);
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  options.scoring = x->pair.scoring;
  options.strand = seed % 3 == 0 ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  options.host_cells = INT64_MAX;
  if (cla_align_needs_device(x->query, x->target, &options)) return false;
  assert_ok_for(cla_align(&x->optimal, NULL, x->query, x->target, &options, &why), "seed %d", (int)seed);
  x->letters = malloc((size_t)x->pair.query_length);
  memcpy(x->letters, x->pair.query, (size_t)x->pair.query_length);
  if (options.strand == CLA_STRAND_REVERSE)
    reverse_complement_codes(x->letters, x->pair.query, x->pair.query_length);
  options.scoring = default_scoring();
  if (seed % 2 == 0) options.scoring.gap_first = options.scoring.gap_ext;
  assert_ok(cla_align(&other, NULL, x->query, x->target, &options, &why));
  make_record(x, seed % 4 < 2 ? x->optimal : other, &stream);
  cla_alignment_free(other);
  return true;
}

static void end_case(audit_case *x) {
  cla_path_free(&x->record.path);
  cla_alignment_free(x->optimal);
  cla_sequence_free(x->query);
  cla_sequence_free(x->target);
  free(x->letters);
  random_pair_free(&x->pair);
}

static void write_out(columns *out, const cla_run *runs, size_t count) {
  out->count = 0;
  for (size_t i = 0; i < count; i++)
    for (int64_t k = 0; k < runs[i].length; k++) out->at[out->count++] = "MID"[runs[i].kind];
}

static int64_t gap_of(const cla_scoring *scoring, int64_t letters) {
  const int64_t one = scoring->gap_first + (letters - 1) * (int64_t)scoring->gap_ext;
  const int64_t two = scoring->gap_first2 + (letters - 1) * (int64_t)scoring->gap_ext2;
  return scoring->gap_first2 > 0 && two < one ? two : one;
}

/* The score of columns [from, to), which begin at these letters. */
static int64_t score_of(const audit_case *x, const score_table *table, const columns *c, int from, int to,
                        int i, int j) {
  int64_t score = 0;
  for (int at = from, next; at < to; at = next) {
    for (next = at; next < to && c->at[next] == c->at[at]; next++) {
      if (c->at[at] == 'M') score += table->score[x->letters[i] * CLA_MATRIX_STRIDE + x->pair.target[j]];
      i += c->at[at] != 'D';
      j += c->at[at] != 'I';
    }
    if (c->at[at] != 'M') score -= gap_of(&x->pair.scoring, next - at);
  }
  return score;
}

/* For each query letter the target letter with which it makes a pair, or -1, and the pair's column. */
static void find_pairs(const columns *c, int partner[LETTERS], int column[LETTERS], int rows) {
  int i = 0, j = 0;
  for (int row = 0; row < rows; row++) partner[row] = -1;
  for (int at = 0; at < c->count; at++) {
    if (c->at[at] == 'M') {
      partner[i] = j;
      column[i] = at;
    }
    i += c->at[at] != 'D';
    j += c->at[at] != 'I';
  }
}

/* The oracle's score of a stretch. */
static int64_t best_of(const audit_case *x, const score_table *table, int64_t query, int64_t rows,
                       int64_t target, int64_t count) {
  reference_alignment best;
  const pair_problem problem = {.query = x->letters + query,
                                .target = x->pair.target + target,
                                .rows = rows,
                                .columns = count,
                                .scheme = {&x->pair.scoring, table, path_ends_make(CLA_MODE_GLOBAL, 0)}};
  assert_ok(reference_score(&best, &problem, &why));
  return best.score;
}

/* Compares the loss with what the columns from the pair `before` (-1: the begin) to the pair `after` say.
 * Returns whether they lose. */
static bool check_stretch(const audit_case *x, const score_table *table, const columns paths[2],
                          int column[2][LETTERS], const int partner[LETTERS], int before, int after,
                          const cla_loss *loss) {
  const int rows = (int)x->pair.query_length;
  const int i = before < 0 ? 0 : before, j = before < 0 ? 0 : partner[before];
  const int past_i = after < rows ? after + 1 : rows;
  const int past_j = after < rows ? partner[after] + 1 : (int)x->pair.target_length;
  int64_t score[2];
  for (int k = 0; k < 2; k++)
    score[k] = score_of(x, table, &paths[k], before < 0 ? 0 : column[k][before],
                        after < rows ? column[k][after] + 1 : paths[k].count, i, j);
  cr_assert_leq(score[0], score[1], "seed %d", (int)x->pair.seed);
  if (score[0] == score[1]) return false;
  const bool reverse = x->optimal->strand == CLA_STRAND_REVERSE;
  cr_assert(loss, "seed %d: the stretch at %d is missing", (int)x->pair.seed, i);
  cr_expect_eq(loss->score, score[0]);
  cr_expect_eq(loss->optimal_score, score[1]);
  cr_expect_eq(loss->begin[0], reverse ? rows - past_i : i);
  cr_expect_eq(loss->end[0], reverse ? rows - i : past_i);
  cr_expect_eq(loss->begin[1], j);
  cr_expect_eq(loss->end[1], past_j);
  cr_expect_eq(best_of(x, table, i, past_i - i, j, past_j - j), score[1], "seed %d", (int)x->pair.seed);
  return true;
}

static int64_t check_case(const audit_case *x, const cla_audit *audit) {
  columns paths[2];
  int partner[2][LETTERS], column[2][LETTERS], before = -1;
  const int rows = (int)x->pair.query_length;
  score_table table;
  int64_t found = 0, lost = 0;
  /* For all letters: those of the other strand may not be in the query. */
  const letter_set *letters = sequence_alphabet(x->query);
  score_table_build(&table, &x->pair.scoring, letters->letters, letters->unambiguous);
  write_out(&paths[0], x->record.path.runs, x->record.path.run_count);
  write_out(&paths[1], x->optimal->runs, x->optimal->run_count);
  for (int k = 0; k < 2; k++) find_pairs(&paths[k], partner[k], column[k], rows);
  for (int row = 0; row <= rows; row++) {
    if (row < rows && (partner[0][row] < 0 || partner[0][row] != partner[1][row])) continue;
    found += check_stretch(x, &table, paths, column, partner[0], before, row,
                           found < audit->loss_count ? &audit->losses[found] : NULL);
    before = row;
  }
  cr_expect_eq(found, audit->loss_count, "seed %d", (int)x->pair.seed);
  for (int64_t i = 0; i < audit->loss_count; i++)
    lost += audit->losses[i].optimal_score - audit->losses[i].score;
  cr_expect_eq(lost, audit->optimal_score - audit->score, "seed %d", (int)x->pair.seed);
  return found;
}

Test(audit, finds_each_stretch_that_loses_points_and_no_other) {
  int64_t found = 0;
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    audit_case x = {.query = NULL};
    cla_audit *audit = NULL;
    if (!make_case(&x, seed)) {
      end_case(&x);
      continue;
    }
    assert_ok_for(cla_audit_make(&audit, &x.record, x.optimal, x.query, x.target, &why), "seed %d",
                  (int)seed);
    found += check_case(&x, audit);
    cla_audit_free(audit);
    end_case(&x);
  }
  cr_expect_gt(found, CASES);
}

Test(audit, of_the_optimal_path_finds_nothing) {
  audit_case x = {.query = NULL};
  cla_audit *audit = NULL;
  cr_assert(make_case(&x, 5));
  free(x.record.path.runs);
  x.record.path.runs = calloc(x.optimal->run_count, sizeof *x.record.path.runs);
  memcpy(x.record.path.runs, x.optimal->runs, x.optimal->run_count * sizeof *x.record.path.runs);
  x.record.path.run_count = x.optimal->run_count;
  assert_ok(cla_audit_make(&audit, &x.record, x.optimal, x.query, x.target, &why));
  cr_expect_eq(audit->loss_count, 0);
  cr_expect_eq(audit->score, audit->optimal_score);
  cla_audit_free(audit);
  end_case(&x);
}

Test(audit, of_another_region_is_refused) {
  audit_case x = {.query = NULL};
  cla_audit *audit = NULL;
  cr_assert(make_case(&x, 7));
  x.optimal->target.stop--;
  assert_error(cla_audit_make(&audit, &x.record, x.optimal, x.query, x.target, &why), CLA_ERROR_OPTION,
               "region");
  x.optimal->target.stop++;
  end_case(&x);
}
