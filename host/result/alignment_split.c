/* Splits an alignment at stretches of its path that lower the score too much.
 *
 * The score along the path starts at 0, rises and falls. Of all ways to choose parts of the path, the
 * pieces have the largest sum of (score - `drop`). A piece is a part of the path in which the score rises
 * by more than `drop`. Between two pieces, the score falls by more than `drop`. So one pass finds all
 * pieces. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/alignment.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

/* A place between two columns of the path, and the score of all columns before it. */
typedef struct path_place {
  size_t run;
  int64_t in_run; /* number of columns of run `run` before the place, 0 .. the run's length */
  int64_t query, target;
  int64_t score;
} path_place;

typedef struct piece {
  path_place from, to;
} piece;

typedef struct splitter {
  int64_t drop;
  bool rising;          /* true within a piece, which starts at `low` */
  path_place at;        /* the current place of the walk along the path */
  path_place low, high; /* the lowest place since the last piece, and the highest place after `low` */
  piece *pieces;        /* owned */
  int64_t count, capacity;
} splitter;

static cla_status add_piece(splitter *s, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&s->pieces, &s->capacity, s->count + 1, "the pieces of an alignment", error);
  if (status == CLA_OK) s->pieces[s->count++] = (piece){.from = s->low, .to = s->high};
  return status;
}

/* Updates `low`, `high` and the list of pieces for the current place. */
static cla_status look(splitter *s, cla_error *error) {
  const int64_t score = s->at.score;
  cla_status status = CLA_OK;
  if (s->rising) {
    if (score > s->high.score) s->high = s->at;
    if (s->high.score - score <= s->drop) return CLA_OK;
    status = add_piece(s, error);
    s->rising = false;
    s->low = s->at;
  } else if (score <= s->low.score) {
    s->low = s->at;
  } else if (score - s->low.score > s->drop) {
    s->rising = true;
    s->high = s->at;
  }
  return status;
}

static cla_status too_large(const splitter *s, cla_error *error) {
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "the path's score passes 2^62 at query position %lld; use smaller scores",
                   (long long)s->at.query);
}

/* True if the score is so small that the difference of two such scores fits into 64 bits. */
static bool score_fits(int64_t score) {
  return score > INT64_MIN / 2 && score < INT64_MAX / 2;
}

static cla_status walk_pairs(splitter *s, const cla_run *run, const strand_letters sides[2],
                             const score_table *table, cla_error *error) {
  cla_status status = CLA_OK;
  for (s->at.in_run = 1; s->at.in_run <= run->length && status == CLA_OK; s->at.in_run++) {
    const int row = strand_code(&sides[0], s->at.query++) * CLA_MATRIX_STRIDE;
    s->at.score += table->score[row + strand_code(&sides[1], s->at.target++)];
    status = score_fits(s->at.score) ? look(s, error) : too_large(s, error);
  }
  return status;
}

/* Walks along a whole gap, because no piece starts or ends within a gap. */
static cla_status walk_gap(splitter *s, const cla_run *run, const cla_scoring *scoring, cla_error *error) {
  int64_t cost = 0;
  if (!gap_cost_fits(&cost, scoring, run->length) || !score_fits(cost) || !score_fits(s->at.score - cost))
    return too_large(s, error);
  s->at.score -= cost;
  s->at.in_run = run->length;
  *(run->kind == CLA_RUN_QUERY ? &s->at.query : &s->at.target) += run->length;
  return look(s, error);
}

static cla_status walk(splitter *s, const cla_alignment *alignment, const strand_letters sides[2],
                       const score_table *table, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < alignment->run_count && status == CLA_OK; index++) {
    const cla_run *run = &alignment->runs[index];
    s->at.run = index;
    status = run->kind == CLA_RUN_PAIR ? walk_pairs(s, run, sides, table, error)
                                       : walk_gap(s, run, &alignment->scoring, error);
  }
  return status == CLA_OK && s->rising ? add_piece(s, error) : status;
}

/* Returns the part of the path that a piece covers. The piece starts with the pair just after its lowest
 * place. */
static path_part part_of(const piece *it, const cla_alignment *alignment) {
  const path_place *from = &it->from, *to = &it->to;
  const bool next = alignment->run_count > 0 && from->in_run == alignment->runs[from->run].length;
  path_part part = {.first = from->run + next,
                    .last = to->run,
                    .query = from->query,
                    .target = from->target,
                    .query_end = to->query,
                    .target_end = to->target};
  const int64_t before = next ? 0 : from->in_run;
  part.first_length =
      part.first == part.last ? to->in_run - before : alignment->runs[part.first].length - before;
  part.last_length = part.first == part.last ? part.first_length : to->in_run;
  return part;
}

static cla_status make_piece(cla_alignment **out, const piece *it, const cla_alignment *alignment,
                             int64_t drop, cla_error *error) {
  const path_part part = part_of(it, alignment);
  cla_status status = path_part_copy(out, alignment, &part, error);
  if (status != CLA_OK) return status;
  cla_alignment *made = *out;
  made->mode = alignment->mode;
  made->free_ends = alignment->free_ends;
  made->query.begin = alignment->query.begin;
  made->query.end = alignment->query.end;
  made->target.begin = alignment->target.begin;
  made->target.end = alignment->target.end;
  made->score = it->to.score - it->from.score;
  made->has_split = true;
  made->split_drop = drop;
  return CLA_OK;
}

static cla_status make_pieces(cla_alignment ***out, size_t *count, const splitter *s,
                              const cla_alignment *alignment, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, s->count, "the pieces of an alignment", error);
  while (status == CLA_OK && *count < (size_t)s->count) {
    status = make_piece(&(*out)[*count], &s->pieces[*count], alignment, s->drop, error);
    if (status == CLA_OK) ++*count;
  }
  if (status == CLA_OK) {
    alignments_sort(*out, *count);
    return CLA_OK;
  }
  cla_alignments_free(*out, *count);
  *out = NULL;
  *count = 0;
  return status;
}

int alignments_compare(const cla_alignment *first, const cla_alignment *second) {
  if (first->score != second->score) return first->score > second->score ? -1 : 1;
  return (first->target.start > second->target.start) - (first->target.start < second->target.start);
}

static int compare(const void *a, const void *b) {
  return alignments_compare(*(cla_alignment *const *)a, *(cla_alignment *const *)b);
}

void alignments_sort(cla_alignment **alignments, size_t count) {
  if (count > 1) qsort(alignments, count, sizeof *alignments, compare);
}

static cla_status check_split(const cla_alignment *alignment, int64_t drop, cla_error *error) {
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_OPTION,
                     "a score without an alignment cannot be cut; align again without score-only");
  if (drop < 0)
    return error_set(error, CLA_ERROR_OPTION, "an alignment cannot be cut at a drop of %lld; give 0 or more",
                     (long long)drop);
  return CLA_OK;
}

cla_status alignment_pieces(cla_alignment ***out, size_t *count, const cla_results *whole, int64_t drop,
                            cla_error *error) {
  const cla_alignment *alignment = whole->alignments[0];
  rotated_pair pair = {0};
  splitter s = {.drop = drop};
  score_table table;
  *out = NULL;
  *count = 0;
  cla_status status = check_split(alignment, drop, error);
  if (status == CLA_OK) status = path_check_fit(alignment, whole->query, whole->target, error);
  if (status == CLA_OK) status = rotated_pair_make(&pair, alignment, whole->query, whole->target, error);
  if (status != CLA_OK) return status;
  const cla_sequence *query = pair.query, *target = pair.target;
  const letter_set *letters = sequence_alphabet(query);
  const strand_letters sides[2] = {strand_query(alignment, query),
                                   {.codes = sequence_codes(target), .length = cla_sequence_length(target)}};
  score_table_build(&table, &alignment->scoring, letters->letters, letters->unambiguous);
  s.at.query = strand_query_start(alignment);
  s.at.target = alignment->target.start;
  s.low = s.at;
  status = walk(&s, alignment, sides, &table, error);
  if (status == CLA_OK) status = make_pieces(out, count, &s, alignment, error);
  free(s.pieces);
  rotated_pair_free(&pair);
  return status;
}

cla_status cla_alignment_split(cla_results *out, const cla_alignment *alignment, int64_t drop,
                               const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  const cla_results whole = {.alignments = &alignment, .count = 1, .query = query, .target = target};
  cla_alignment **pieces = NULL;
  size_t count = 0;
  cla_status status = alignment_pieces(&pieces, &count, &whole, drop, error);
  *out = (cla_results){
      .alignments = (const cla_alignment *const *)pieces, .count = count, .query = query, .target = target};
  return status;
}

/* Returns the score of CLA_SPLIT_MATCHES pairs of equal letters. */
static int64_t matches_score(const cla_scoring *scoring) {
  int64_t sum = 0, count = 0;
  for (int letter = 0; letter < scoring->matrix_size; letter++) {
    const int32_t score = scoring->matrix[letter * CLA_MATRIX_STRIDE + letter];
    if (score <= 0) continue;
    sum += score;
    count++;
  }
  if (count == 0) return CLA_SPLIT_MATCHES * (int64_t)scoring->match;
  return (CLA_SPLIT_MATCHES * sum + count / 2) / count;
}

int64_t cla_split_drop(const cla_scoring *scoring) {
  const int64_t matches = matches_score(scoring);
  if (gap_pieces(scoring) == 1) return matches;
  return larger(gap_most_first(scoring) * 3 / 2, matches * 2 / 3);
}
