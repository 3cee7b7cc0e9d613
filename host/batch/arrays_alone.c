/* Aligns single pairs of cla_align_arrays. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "batch/arrays_internal.h"
#include "result/alignment.h"

/* Makes two sequences of the pair; the caller frees them. */
static cla_status make_sequences(cla_sequence *out[2], const arrays_call *c, int64_t pair, cla_error *error) {
  const cla_pair_arrays *p = c->pairs;
  const cla_sequence_options how = {
      .known = true, .alphabet = p->alphabet, .own = c->options.scoring.letters, .allow_empty = true};
  static const char *const names[] = {"query", "target"};
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    const uint8_t *letters = p->letters[side] + p->offsets[side][sequence_of(p, side, pair)];
    const int64_t count = pair_letters(p, side, pair);
    char *text = NULL;
    status = ALLOCATE_ARRAY(&text, count, "a sequence", error);
    if (status == CLA_OK && p->coded)
      letter_codes_spell(text, c->letters, letters, count);
    else if (status == CLA_OK && count > 0)
      memcpy(text, letters, (size_t)count);
    if (status == CLA_OK)
      status = cla_sequence_from_letters_with(&out[side], names[side], text, count, &how, error);
    free(text);
  }
  return status;
}

/* Returns false once the call has ended, so that a long pair stops too. */
static bool alone_goes_on(const cla_progress *progress, void *user) {
  const arrays_worker *w = user;
  (void)progress;
  return first_error_status(&w->c->stop) == CLA_OK && (w->index > 0 || arrays_go_on(w->c));
}

/* Aligns one pair with cla_align. */
cla_status arrays_align_alone(cla_alignment **out, arrays_call *c, arrays_worker *w, int64_t pair,
                              cla_error *error) {
  cla_sequence *sides[2] = {NULL, NULL};
  cla_align_options options = c->options;
  options.strand = strand_of(c, pair);
  options.score_only = !c->paths;
  options.budgets.threads = 1;
  options.partners = NULL;
  options.partner_count = 0;
  options.callbacks.progress = w ? alone_goes_on : NULL;
  options.callbacks.progress_user = w;
  options.callbacks.note = NULL; /* only the caller's thread reports notes */
  if (!c->device && !options.callbacks.device) options.host_cells = INT64_MAX;
  cla_status status = make_sequences(sides, c, pair, error);
  if (status == CLA_OK) status = cla_align(out, c->device, sides[0], sides[1], &options, error);
  if (status == CLA_ERROR_DEVICE && !c->device && arrays_for_device(c, pair)) { /* no device can be opened */
    options.callbacks.device = NULL;
    options.host_cells = INT64_MAX;
    status = cla_align(out, NULL, sides[0], sides[1], &options, error);
  }
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  return status;
}

cla_status arrays_grow_runs(arrays_worker *w, int64_t more, cla_error *error) {
  return ALLOCATE_GROW(&w->runs, &w->run_room, w->run_count + more, "the runs of paths", error);
}

/* Adds a run of letter pairs, split into matches and mismatches. */
static void add_pairs(arrays_worker *w, const strand_letters *query, const uint8_t *target, int64_t at,
                      int64_t length) {
  const uint32_t *matches = w->c->matches;
  for (int64_t done = 0, from; done < length;) {
    const uint32_t match = matches[strand_code(query, at + done)] >> target[done] & 1;
    for (from = done++; done < length; done++)
      if ((matches[strand_code(query, at + done)] >> target[done] & 1) != match) break;
    w->runs[w->run_count++] =
        (cla_packed_run)(done - from) << 4 | (match ? CLA_PACKED_MATCH : CLA_PACKED_OTHER);
  }
}

void arrays_add_path(arrays_worker *w, const gapped_path *path) {
  int64_t row = path->start[0], column = path->start[1];
  for (size_t k = 0; k < path->run_count; k++) {
    const cla_run *run = &path->runs[k];
    if (run->kind == CLA_RUN_PAIR)
      add_pairs(w, &path->query, path->target.codes + column, row, run->length);
    else
      w->runs[w->run_count++] = (cla_packed_run)run->length << 4 |
                                (run->kind == CLA_RUN_QUERY ? CLA_PACKED_QUERY : CLA_PACKED_TARGET);
    if (run->kind != CLA_RUN_TARGET) row += run->length;
    if (run->kind != CLA_RUN_QUERY) column += run->length;
  }
}

/* Appends the runs of an alignment to the worker's. */
static cla_status pack_runs(arrays_worker *w, const cla_alignment *found, int64_t pair, cla_error *error) {
  cla_sequence *sides[2] = {NULL, NULL};
  const int64_t most = found->query.stop - found->query.start + found->target.stop - found->target.start;
  cla_status status = make_sequences(sides, w->c, pair, error);
  if (status == CLA_OK) status = arrays_grow_runs(w, most, error);
  if (status == CLA_OK) {
    const gapped_path path = {.query = strand_query(found, sides[0]),
                              .target.codes = sequence_codes(sides[1]),
                              .start = {strand_query_start(found), found->target.start},
                              .runs = found->runs,
                              .run_count = found->run_count};
    arrays_add_path(w, &path);
  }
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  return status;
}

/* Stores a pair's result, given in coordinates of the forward strands. */
static void put_found(const arrays_call *c, int64_t pair, const found_pair *found) {
  const cla_pair_results *r = c->results;
  if (r->score) r->score[pair] = found->score;
  if (r->strand) r->strand[pair] = (uint8_t)found->strand;
  for (int side = 0; side < 2; side++) {
    if (r->start[side]) r->start[side][pair] = found->start[side];
    if (r->end[side]) r->end[side][pair] = found->end[side];
  }
}

void arrays_put_on_strand(const arrays_call *c, int64_t pair, found_pair found) {
  const int64_t rows = pair_letters(c->pairs, 0, pair), end = found.end[0];
  const bool empty = c->scheme.ends.floor && found.score == 0; /* lies at 0 on both strands */
  if (!c->paths) found.start[0] = found.start[1] = -1;
  if (found.strand == CLA_STRAND_REVERSE && !empty) {
    found.end[0] = c->paths ? rows - found.start[0] : -1;
    found.start[0] = rows - end;
  }
  put_found(c, pair, &found);
}

static void put_failed(arrays_call *c, int64_t pair, cla_status status) {
  put_found(c, pair, &(found_pair){0});
  c->results->status[pair] = (uint8_t)status;
  atomic_fetch_add(&c->failed, 1);
}

/* Aligns a pair that the lanes cannot take. */
cla_status arrays_solve_alone(arrays_worker *w, const arrays_chunk *of, int64_t pair, cla_error *error) {
  arrays_call *c = w->c;
  cla_alignment *found = NULL;
  cla_error why = {.status = CLA_OK};
  const int64_t before = w->run_count;
  c->results->status[pair] = CLA_OK;
  w->run_begins[pair - of->first] = before;
  cla_status status = arrays_align_alone(&found, c, w, pair, &why);
  if (status == CLA_OK) {
    put_found(c, pair,
              &(found_pair){found->score,
                            {found->query.start, found->target.start},
                            {found->query.stop, found->target.stop},
                            found->strand});
    atomic_fetch_add(&c->cells, found->metrics.cells_computed);
    if (c->paths) status = pack_runs(w, found, pair, error);
    if (c->paths) c->run_counts[pair] = w->run_count - before;
  } else {
    put_failed(c, pair, status);
    status = status == CLA_ERROR_INTERRUPTED ? status : CLA_OK;
  }
  cla_alignment_free(found);
  return status;
}
