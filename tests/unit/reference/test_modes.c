/* The modes: their names, what an alignment of each may leave uncovered, and how that is saved and written.
 */

#include "clalign/write.h"
#include "path/source_path.h"
#include "reference/reference.h"
#include "support/bound_pairs.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define QS CLA_FREE_QUERY_START
#define QE CLA_FREE_QUERY_END
#define TS CLA_FREE_TARGET_START
#define TE CLA_FREE_TARGET_END

Test(modes, have_names_and_are_found_by_them) {
  for (int i = 0; i < CLA_MODE_COUNT; i++) {
    cla_mode found = CLA_MODE_COUNT;
    cr_expect(cla_mode_find(&found, cla_mode_name((cla_mode)i)));
    cr_expect_eq((int)found, i);
  }
  cla_mode none;
  cr_expect_not(cla_mode_find(&none, "semiglobal"));
  cr_expect_null(cla_mode_name((cla_mode)CLA_MODE_COUNT));
  cr_expect_str_eq(cla_free_end_name(CLA_FREE_TARGET_START), "target-start");
  cr_expect_null(cla_free_end_name((cla_free_ends)3));
}

Test(modes, with_all_ends_of_the_target_or_of_both_free_have_a_name) {
  cr_expect_eq(cla_free_ends_mode(0), CLA_MODE_GLOBAL);
  cr_expect_eq(cla_free_ends_mode(TS | TE), CLA_MODE_SEMI_GLOBAL);
  cr_expect_eq(cla_free_ends_mode(QS | QE | TS | TE), CLA_MODE_OVERLAP);
  cr_expect_eq(cla_free_ends_mode(QS | QE), CLA_MODE_FREE_ENDS);
  cr_expect_eq(cla_free_ends_mode(TE), CLA_MODE_FREE_ENDS);
}

static cla_status verify(const made_alignment *made, cla_error *error) {
  return cla_alignment_verify(made->alignment, made->query, made->target, error);
}

/* ACGTAC against TTACGTACGG, from the starts along the path. */
typedef struct end_case {
  cla_mode mode;
  int free_ends;
  int64_t query, target;
  const char *path;
  const char *fault; /* NULL: none */
} end_case;

Test(modes, say_where_a_path_may_start_and_stop) {
  static const end_case cases[] = {
      {CLA_MODE_SEMI_GLOBAL, 0, 0, 2, "6P", NULL},
      {CLA_MODE_SEMI_GLOBAL, 0, 1, 3, "5P", "cannot start"}, /* a letter of the query is left out */
      {CLA_MODE_SEMI_GLOBAL, 0, 0, 2, "5P", "cannot stop"},  /* a letter at the query's end is left out */
      {CLA_MODE_SEMI_GLOBAL, 0, 0, 2, "5P1Q", NULL},
      {CLA_MODE_OVERLAP, 0, 0, 2, "6P", NULL},
      {CLA_MODE_OVERLAP, 0, 2, 0, "4P", NULL},
      {CLA_MODE_OVERLAP, 0, 0, 6, "4P", NULL},           /* the target's end */
      {CLA_MODE_OVERLAP, 0, 1, 2, "5P", "cannot start"}, /* starts within both */
      {CLA_MODE_OVERLAP, 0, 0, 2, "4P", "cannot stop"},  /* stops within both */
      {CLA_MODE_EXTEND, 0, 0, 0, "2T4P", NULL},
      {CLA_MODE_EXTEND, 0, 0, 1, "1T4P", "cannot start"},
      {CLA_MODE_EXTEND, 0, 1, 0, "4P", "cannot start"},
      {CLA_MODE_FREE_ENDS, TS, 0, 2, "6P2T", NULL},
      {CLA_MODE_FREE_ENDS, TS, 0, 2, "6P", "cannot stop"},
      {CLA_MODE_FREE_ENDS, QS | TE, 0, 0, "2T6P", NULL},
      {CLA_MODE_FREE_ENDS, QS | TE, 0, 2, "6P", "cannot start"},
      {CLA_MODE_FREE_ENDS, QE, 0, 0, "5P5T", NULL},
      {CLA_MODE_FREE_ENDS, QE, 0, 0, "5P4T", "cannot stop"},
      {CLA_MODE_FREE_ENDS, TS | TE, 0, 2, "6P", "do not go with"}, /* these ends are semi-global mode */
      {CLA_MODE_FREE_ENDS, 16, 0, 0, "6P4T", "do not go with"},
      {CLA_MODE_OVERLAP, QS, 0, 2, "6P", "do not go with"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const end_case *c = cases + i;
    made_alignment made =
        made_alignment_make("ACGTAC", "TTACGTACGG", CLA_MODE_LOCAL, c->query, c->target, c->path);
    made.alignment->mode = c->mode;
    made.alignment->free_ends = c->free_ends;
    if (c->mode == CLA_MODE_EXTEND) { /* with free gaps, because the score is never below 0 */
      cla_scoring *scoring = &made.alignment->scoring;
      scoring->mismatch = scoring->gap_first = scoring->gap_ext = 0;
      made.alignment->score = 4;
    }
    why = (cla_error){0};
    const cla_status status = verify(&made, &why);
    cr_expect(c->fault ? status != CLA_OK && strstr(why.message, c->fault) : status == CLA_OK, "case %zu: %s",
              i, why.message);
    made_alignment_free(&made);
  }
}

Test(modes, check_the_stops_without_a_path) {
  OWNED_MADE made = made_alignment_make("ACGTAC", "TTACGTACGG", CLA_MODE_LOCAL, 0, 2, "6P");
  cla_alignment *alignment = made.alignment;
  alignment->has_path = false;
  alignment->run_count = 0;
  alignment->query.start = alignment->target.start = -1;
  alignment->mode = CLA_MODE_SEMI_GLOBAL;
  assert_ok(verify(&made, &why));
  alignment->query.stop = 5;
  alignment->score = 5;
  cr_expect_eq(verify(&made, &why), CLA_ERROR_VERIFICATION);
  alignment->mode = CLA_MODE_EXTEND;
  assert_ok(verify(&made, &why));
  alignment->query.stop = alignment->target.stop = 0; /* the empty path */
  alignment->score = 0;
  assert_ok(verify(&made, &why));
}

Test(modes, are_in_every_format) {
  OWNED_MADE made = made_alignment_make("GGACGTAC", "ACGTACTT", CLA_MODE_LOCAL, 2, 0, "6P");
  made.alignment->mode = CLA_MODE_OVERLAP;
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"score\":6,\"mode\":\"overlap\",");
  made_alignment_expect(&made, CLA_FORMAT_PAF, "q\t8\t2\t8\t+\tt\t8\t0\t6\t6\t6\t255\t");
  made_alignment_expect(&made, CLA_FORMAT_SAM, "q\t0\tt\t1\t255\t2S6=\t*\t0\t0\tGGACGTAC\t*\t");
  made.alignment->mode = CLA_MODE_FREE_ENDS;
  made.alignment->free_ends = QS | TE;
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"mode\":\"free-ends\",");
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"free_ends\":[\"query-start\",\"target-end\"],");
}

Test(modes, have_empty_alignments_as_local_ones_do) {
  OWNED_MADE made = made_alignment_make("ACGT", "TTTTT", CLA_MODE_LOCAL, 0, 5, "");
  made.alignment->mode = CLA_MODE_OVERLAP;
  assert_ok(verify(&made, &why));
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"start\":5,\"end\":5,");
  made_alignment_expect(&made, CLA_FORMAT_JSON, "\"cigar\":\"\"");
  made_alignment_expect(&made, CLA_FORMAT_SAM, "q\t4\t*\t0\t0\t*\t");
  char *paf = made_alignment_written(&made, CLA_FORMAT_PAF);
  cr_expect_str_empty(paf);
  free(paf);
  made.alignment->score = 1;
  cr_expect_eq(verify(&made, &why), CLA_ERROR_VERIFICATION);
}

Test(modes, are_saved_in_version_4) {
  char *folder = made_folder(), *file = made_path(folder, "a.cla");
  for (int mode = 0; mode < CLA_MODE_COUNT; mode++) {
    OWNED_MADE made = made_alignment_make("ACGTAC", "ACGTAC", CLA_MODE_LOCAL, 0, 0, "6P");
    const cla_alignment *alignments[] = {made.alignment};
    cla_alignment **loaded = NULL;
    size_t count = 0, length = 0;
    made.alignment->mode = (cla_mode)mode;
    made.alignment->free_ends = mode == CLA_MODE_FREE_ENDS ? QS | QE | TE : 0;
    assert_ok(cla_alignment_save(file, alignments, 1, &why));
    assert_ok(cla_alignment_load(&loaded, &count, file, &why));
    cr_expect(made_alignment_same(loaded[0], made.alignment), "mode %d", mode);
    OWNED(free_memory) char *bytes = made_read(file, &length);
    cr_expect_eq(bytes[8], mode > CLA_MODE_GLOBAL ? 4 : 1, "mode %d: version %d", mode, bytes[8]);
    cla_alignments_free(loaded, count);
  }
  free(file);
  made_folder_remove(folder);
}

/* Whether a path of these ends may lead from one node to the other. */
static bool may_lead(const path_ends *ends, const bound_path *path, const bound_pair *pair) {
  const int64_t m = pair->problem.rows, n = pair->problem.columns;
  const bool starts = (path->query == 0 && path->target == 0) || (ends->query_start && path->target == 0) ||
                      (ends->target_start && path->query == 0);
  const int64_t i = path->query_stop, j = path->target_stop;
  return starts && (ends->anywhere || (i == m && j == n) || (ends->query_end && j == n) ||
                    (ends->target_end && i == m));
}

Test(modes, lead_a_local_path_to_their_ends) {
  const path_ends local = path_ends_make(CLA_MODE_LOCAL, 0);
  for (int kind = 0; kind < RELATED_KINDS; kind++)
    for (int ends_bits = 0; ends_bits <= CLA_FREE_ENDS_ALL + 1; ends_bits++) {
      const path_ends ends = ends_bits > CLA_FREE_ENDS_ALL ? path_ends_make(CLA_MODE_EXTEND, 0)
                                                           : path_ends_make(CLA_MODE_FREE_ENDS, ends_bits);
      OWNED(bound_fixture_tear_down) bound_fixture x;
      OWNED(bound_path_free) bound_path path = {0};
      reference_alignment best;
      bound_fixture_set_up(&x, (related_kind)kind, 3, 600, kind % RELATED_SCHEMES);
      const bound_pair *p = &x.pair;
      cr_assert_eq(seed_path_make(&path, p, &local, BOUND_MUCH_WORK, 1, NULL), CLA_OK);
      assert_ok(bound_path_complete(&path, p, &ends, &why));
      const int64_t score = bound_walk(p, path.runs, path.count, path.query, path.target, path.query_stop,
                                       path.target_stop, x.related.name);
      cr_assert(may_lead(&ends, &path, p), "%s, ends %d", x.related.name, ends_bits);
      assert_ok(reference_score(&best,
                                &(pair_problem){p->problem.query,
                                                p->problem.target,
                                                p->problem.rows,
                                                p->problem.columns,
                                                {p->problem.scheme.scoring, p->problem.scheme.table, ends}},
                                &why));
      cr_assert_leq(score, best.score, "%s, ends %d", x.related.name, ends_bits);
      if (kind == RELATED_CONTAINED && ends.target_start && ends.target_end)
        cr_assert_gt(score, best.score / 2, "ends %d", ends_bits);
    }
}
