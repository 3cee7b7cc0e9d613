/* Keeps records and the alignments between them, and makes joined records. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "compare/records/fill_internal.h"
#include "path/bound_path.h"
#include "result/alignment.h"

cla_status cla_fill_begin(cla_fill **out, const cla_fill_options *options, cla_error *error) {
  *out = NULL;
  if (options->interval_letters < 0 || options->end_letters < 0)
    return error_set(error, CLA_ERROR_OPTION, "intervals and ends have 0 letters or more");
  cla_status status = ALLOCATE_ZEROS(out, 1, "records", error);
  if (status == CLA_OK) (*out)->options = *options;
  return status;
}

void cla_fill_free(cla_fill *fill) {
  if (!fill) return;
  for (int64_t i = 0; i < fill->count; i++) {
    fill_anchor *anchor = &fill->anchors[i];
    cla_aligned_record_free(anchor->record);
    cla_aligned_record_free(anchor->overlap);
    cla_aligned_record_free(anchor->other);
    free(anchor->again.runs);
    free(anchor->interval.runs);
  }
  for (int64_t i = 0; i < fill->chain_count && fill->chains; i++)
    for (int side = 0; side < 2; side++) free(fill->chains[i].ends[side].runs);
  for (int kind = 0; kind < CLA_FILL_KINDS; kind++) free(fill->parts[kind]);
  free(fill->anchors);
  free(fill->chains);
  free(fill);
}

cla_status cla_fill_add(cla_fill *fill, cla_aligned_record *record, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&fill->anchors, &fill->capacity, fill->count + 1, "records", error);
  if (status != CLA_OK) return status;
  fill_anchor *anchor = &fill->anchors[fill->count];
  const cla_path *path = &record->path;
  *anchor = (fill_anchor){.record = record, .number = fill->count++, .chain = -1, .before = -1};
  anchor->begin[0] = path->query_start;
  anchor->begin[1] = path->target_start;
  for (int side = 0; side < 2; side++)
    anchor->end[side] = anchor->begin[side] + record->end[side] - record->start[side];
  for (size_t i = 0; i < path->run_count; i++)
    if (path->runs[i].kind == CLA_RUN_PAIR) anchor->pairs += path->runs[i].length;
  return CLA_OK;
}

int64_t cla_fill_parts(const cla_fill *fill, cla_fill_kind kind) {
  return fill->part_counts[kind];
}

int64_t cla_fill_chains(const cla_fill *fill) {
  return fill->chain_count;
}

/* Converts the part's query interval to the forward strand. */
static void put_forward(cla_fill_part *part) {
  const int64_t length = part->record->length[0], begin = part->begin[0];
  if (part->record->path.strand != CLA_STRAND_REVERSE) return;
  part->begin[0] = length - part->end[0];
  part->end[0] = length - begin;
}

static void part_of_end(cla_fill_part *out, const cla_fill *fill, const fill_place *place) {
  const fill_chain *chain = &fill->chains[place->anchor];
  const fill_anchor *first = &fill->anchors[chain->first], *last = first + chain->count - 1;
  out->record = first->record;
  out->mode = CLA_MODE_EXTEND;
  out->backwards = place->side == 0;
  for (int side = 0; side < 2; side++) {
    const int64_t room = chain->room[place->side][side];
    out->begin[side] = place->side == 0 ? first->begin[side] - room : last->end[side];
    out->end[side] = place->side == 0 ? first->begin[side] : last->end[side] + room;
  }
}

void cla_fill_part_of(cla_fill_part *out, const cla_fill *fill, cla_fill_kind kind, int64_t index) {
  const fill_place *place = &fill->parts[kind][index];
  *out = (cla_fill_part){.mode = kind == CLA_FILL_OTHERS ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL};
  if (kind == CLA_FILL_ENDS) {
    part_of_end(out, fill, place);
  } else {
    const fill_anchor *anchor = &fill->anchors[place->anchor];
    const bool own = kind == CLA_FILL_ANCHORS;
    out->record = anchor->record;
    for (int side = 0; side < 2; side++) {
      out->begin[side] = own ? anchor->begin[side] : anchor->end[side];
      out->end[side] = own ? anchor->end[side] : anchor[1].begin[side];
    }
  }
  out->strand = out->record->path.strand;
  put_forward(out);
  if (kind == CLA_FILL_OTHERS)
    out->strand = out->strand == CLA_STRAND_FORWARD ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
}

const cla_aligned_record *cla_fill_overlap(const cla_fill *fill, int64_t index) {
  return fill->anchors[fill->parts[CLA_FILL_ANCHORS][index].anchor].overlap;
}

static cla_status copy_runs(cla_run **out, const cla_run *runs, size_t count, bool backwards,
                            cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(out, (int64_t)count, "a path", error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) (*out)[i] = runs[backwards ? count - 1 - i : i];
  return status;
}

static cla_status take_path(fill_path *out, const cla_alignment *found, bool backwards, cla_error *error) {
  free(out->runs);
  *out = (fill_path){.score = found->score, .run_count = found->run_count, .found = true};
  out->letters[0] = found->query.stop - found->query.start;
  out->letters[1] = found->target.stop - found->target.start;
  return copy_runs(&out->runs, found->runs, found->run_count, backwards, error);
}

cla_status fill_copy_names(cla_aligned_record *out, const cla_aligned_record *from, cla_error *error) {
  cla_status status = CLA_OK;
  out->number = from->number;
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    out->length[side] = from->length[side];
    status = allocate_text(&out->name[side], from->name[side], error);
  }
  return status;
}

/* Makes a record of an interval's alignment on the other strand. */
static cla_status take_other(fill_anchor *anchor, const cla_alignment *found, cla_error *error) {
  cla_aligned_record *record = NULL;
  cla_aligned_record_free(anchor->other);
  anchor->other = NULL;
  anchor->other_score = found->score;
  if (found->run_count == 0) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&record, 1, "a record", error);
  if (status == CLA_OK) status = fill_copy_names(record, anchor->record, error);
  if (status == CLA_OK) status = copy_runs(&record->path.runs, found->runs, found->run_count, false, error);
  if (status != CLA_OK) {
    cla_aligned_record_free(record);
    return status;
  }
  record->path.run_count = found->run_count;
  record->path.strand = found->strand;
  record->path.query_start = strand_query_start(found);
  record->path.target_start = found->target.start;
  record->start[0] = found->query.start;
  record->end[0] = found->query.stop;
  record->start[1] = found->target.start;
  record->end[1] = found->target.stop;
  anchor->other = record;
  return CLA_OK;
}

/* Returns true if mode, lengths and ends of the alignment fit the part. */
static bool is_of_part(const cla_alignment *found, const cla_fill_part *part) {
  const cla_side *const sides[2] = {&found->query, &found->target};
  bool same = found->has_path && found->mode == part->mode;
  for (int side = 0; side < 2; side++) {
    same &= sides[side]->end - sides[side]->begin == part->end[side] - part->begin[side];
    same &= part->backwards || sides[side]->begin == part->begin[side];
  }
  return same && found->strand == (part->backwards ? CLA_STRAND_FORWARD : part->strand);
}

cla_status cla_fill_take(cla_fill *fill, cla_fill_kind kind, int64_t index, const cla_alignment *found,
                         cla_error *error) {
  const fill_place *place = &fill->parts[kind][index];
  cla_fill_part part;
  cla_fill_part_of(&part, fill, kind, index);
  if (!is_of_part(found, &part))
    return error_set(error, CLA_ERROR_OPTION,
                     "the alignment is not of part %lld; align its letters in its mode", (long long)index);
  switch (kind) {
    case CLA_FILL_ANCHORS: return take_path(&fill->anchors[place->anchor].again, found, false, error);
    case CLA_FILL_INTERVALS: return take_path(&fill->anchors[place->anchor].interval, found, false, error);
    case CLA_FILL_OTHERS: return take_other(&fill->anchors[place->anchor], found, error);
    case CLA_FILL_ENDS:
      return take_path(&fill->chains[place->anchor].ends[place->side], found, part.backwards, error);
  }
  return CLA_OK;
}

bool fill_is_turned(const cla_fill *fill, const fill_anchor *anchor) {
  return anchor->linked && anchor->other && anchor->other_score >= fill->options.worth &&
         (!anchor->interval.found || anchor->other_score > anchor->interval.score);
}

bool fill_is_joined(const fill_anchor *anchor, const fill_anchor *next) {
  if (!anchor->linked) return false;
  return anchor->interval.found || anchor->end[0] == next->begin[0] || anchor->end[1] == next->begin[1];
}

/* A path that is being built, and the records built before it. */
typedef struct path_builder {
  cla_aligned_record **records; /* owned until they are returned */
  int64_t count, capacity;
  bound_path path; /* path of the current record; positions are on the path's strand */
} path_builder;

static cla_status add_runs(path_builder *b, const cla_run *runs, size_t count, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = bound_path_add(&b->path, runs[i].kind, runs[i].length, error);
  return status;
}

static cla_status add_record(path_builder *b, cla_aligned_record *record, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&b->records, &b->capacity, b->count + 1, "records", error);
  if (status == CLA_OK)
    b->records[b->count++] = record;
  else
    cla_aligned_record_free(record);
  return status;
}

/* Makes a record of the path so far, with the names of `like`. */
static cla_status end_record(path_builder *b, const cla_aligned_record *like, cla_error *error) {
  cla_aligned_record *record = NULL;
  cla_status status = ALLOCATE_ZEROS(&record, 1, "a record", error);
  if (status == CLA_OK) status = fill_copy_names(record, like, error);
  if (status != CLA_OK) {
    cla_aligned_record_free(record);
    return status;
  }
  const bool reverse = like->path.strand == CLA_STRAND_REVERSE;
  record->path = (cla_path){.strand = like->path.strand,
                            .query_start = b->path.query,
                            .target_start = b->path.target,
                            .runs = b->path.runs,
                            .run_count = (size_t)b->path.count};
  record->start[0] = reverse ? like->length[0] - b->path.query_stop : b->path.query;
  record->end[0] = reverse ? like->length[0] - b->path.query : b->path.query_stop;
  record->start[1] = b->path.target;
  record->end[1] = b->path.target_stop;
  b->path = (bound_path){.runs = NULL};
  return add_record(b, record, error);
}

static void begin_record(path_builder *b, const int64_t begin[2], const fill_path *end) {
  const bool longer = end && end->found;
  bound_path_begin(&b->path, begin[0] - (longer ? end->letters[0] : 0),
                   begin[1] - (longer ? end->letters[1] : 0));
}

/* Adds the letters between two neighbouring anchors. */
static cla_status add_interval(path_builder *b, const fill_anchor *now, const fill_anchor *next,
                               cla_error *error) {
  if (now->interval.found) return add_runs(b, now->interval.runs, now->interval.run_count, error);
  return bound_path_add_gaps(&b->path, next->begin[0], next->begin[1], error);
}

static cla_status copy_other(path_builder *b, const cla_aligned_record *other, cla_error *error) {
  cla_aligned_record *record = NULL;
  cla_status status = ALLOCATE_ZEROS(&record, 1, "a record", error);
  if (status != CLA_OK) return status;
  *record = (cla_aligned_record){.number = other->number,
                                 .start = {other->start[0], other->start[1]},
                                 .end = {other->end[0], other->end[1]},
                                 .path = other->path};
  record->path.runs = NULL;
  status = fill_copy_names(record, other, error);
  if (status == CLA_OK)
    status = copy_runs(&record->path.runs, other->path.runs, other->path.run_count, false, error);
  if (status == CLA_OK) return add_record(b, record, error);
  cla_aligned_record_free(record);
  return status;
}

static cla_status build_chain(path_builder *b, const cla_fill *fill, const fill_chain *chain,
                              cla_error *error) {
  const fill_anchor *anchors = fill->anchors + chain->first;
  cla_status status = CLA_OK;
  begin_record(b, anchors->begin, &chain->ends[0]);
  if (chain->ends[0].found) status = add_runs(b, chain->ends[0].runs, chain->ends[0].run_count, error);
  for (int64_t i = 0; i < chain->count && status == CLA_OK; i++) {
    const fill_anchor *now = &anchors[i];
    const bool again = now->again.found, last = i + 1 == chain->count;
    status = add_runs(b, again ? now->again.runs : now->record->path.runs,
                      again ? now->again.run_count : now->record->path.run_count, error);
    if (last || status != CLA_OK) break;
    const bool turned = fill_is_turned(fill, now);
    if (!turned && fill_is_joined(now, now + 1)) {
      status = add_interval(b, now, now + 1, error);
      continue;
    }
    status = end_record(b, now->record, error);
    if (status == CLA_OK && turned) status = copy_other(b, now->other, error);
    begin_record(b, now[1].begin, NULL);
  }
  if (status == CLA_OK && chain->ends[1].found)
    status = add_runs(b, chain->ends[1].runs, chain->ends[1].run_count, error);
  return status == CLA_OK ? end_record(b, anchors->record, error) : status;
}

cla_status cla_fill_records(cla_aligned_record ***out, int64_t *count, const cla_fill *fill, int64_t chain,
                            cla_error *error) {
  path_builder b = {.records = NULL};
  cla_status status = build_chain(&b, fill, &fill->chains[chain], error);
  bound_path_free(&b.path);
  *out = b.records;
  *count = b.count;
  if (status == CLA_OK) return CLA_OK;
  for (int64_t i = 0; i < b.count; i++) cla_aligned_record_free(b.records[i]);
  free(b.records);
  *out = NULL;
  *count = 0;
  return status;
}

static void count_path(cla_fill_counts *counts, const fill_path *path) {
  if (!path->found || path->run_count == 0) return;
  counts->parts++;
  counts->score += path->score;
  for (int side = 0; side < 2; side++) counts->letters[side] += path->letters[side];
}

static void count_other(cla_fill_counts *counts, const fill_anchor *anchor) {
  counts->parts++;
  counts->score += anchor->other_score;
  for (int side = 0; side < 2; side++)
    counts->letters[side] += anchor->other->end[side] - anchor->other->start[side];
}

cla_fill_counts cla_fill_count(const cla_fill *fill, cla_fill_kind kind) {
  cla_fill_counts counts = {.parts = 0};
  for (int64_t i = 0; i < fill->part_counts[kind]; i++) {
    const fill_place *place = &fill->parts[kind][i];
    const fill_anchor *anchor = kind == CLA_FILL_ENDS ? NULL : &fill->anchors[place->anchor];
    if (kind == CLA_FILL_ENDS)
      count_path(&counts, &fill->chains[place->anchor].ends[place->side]);
    else if (kind == CLA_FILL_ANCHORS)
      count_path(&counts, &anchor->again);
    else if (fill_is_turned(fill, anchor) != (kind == CLA_FILL_OTHERS))
      continue;
    else if (kind == CLA_FILL_OTHERS)
      count_other(&counts, anchor);
    else
      count_path(&counts, &anchor->interval);
  }
  return counts;
}
