/* Writes the comparison as one JSON object (docs/compare.md). Positions are 0-based half-open. */

#include <jansson.h>
#include <stdlib.h>

#include "base/error.h"
#include "clalign/version.h"
#include "compare/compare_texts.h"
#include "compare/events/events_internal.h"

/* Returns a name as JSON, which is UTF-8; null if there is no record. */
static json_t *name_json(const compare_job *job, bool query, size_t record) {
  char *clean = NULL;
  if (record == CLA_NO_RECORD) return json_null();
  if (clean_utf8(&clean, compare_name(job, query, record), NULL) != CLA_OK) return NULL;
  json_t *out = json_string(clean);
  free(clean);
  return out;
}

static json_t *interval_json(const compare_job *job, bool query, size_t record, int64_t begin, int64_t end) {
  if (record == CLA_NO_RECORD) return json_null();
  return json_pack("{s:o, s:I, s:I}", "record", name_json(job, query, record), "begin", (json_int_t)begin,
                   "end", (json_int_t)end);
}

static const char *sign(cla_strand strand) {
  return strand == CLA_STRAND_REVERSE ? "-" : "+";
}

static json_t *counterpart_json(const compare_job *job, size_t record) {
  const cla_homology *it = &job->events->homologies[record];
  if (it->target == CLA_NO_RECORD) return json_null();
  json_t *out = json_pack("{s:o, s:s, s:I}", "record", name_json(job, false, it->target), "strand",
                          sign(it->strand), "letters", (json_int_t)it->letters);
  json_object_set_new(out, "rotation", it->rotated ? json_integer(it->rotation) : json_null());
  return out;
}

static json_t *records_json(const compare_job *job, bool query) {
  const cla_genome *genome = query ? &job->comparison->query : &job->comparison->target;
  json_t *out = json_array();
  for (size_t i = 0; i < genome->count; i++) {
    json_t *record =
        json_pack("{s:o, s:I, s:b}", "name", name_json(job, query, i), "letters",
                  (json_int_t)genome_letters(genome, i), "circular", genome_is_circular(genome, i));
    if (query) json_object_set_new(record, "counterpart", counterpart_json(job, i));
    json_array_append_new(out, record);
  }
  return out;
}

static json_t *rests_json(const compare_job *job, bool query) {
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  json_t *out = json_array();
  for (size_t i = 0; i < side->rest_count; i++)
    json_array_append_new(
        out, interval_json(job, query, side->rests[i].record, side->rests[i].begin, side->rests[i].end));
  return out;
}

static json_t *side_json(const compare_job *job, bool query) {
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  const cla_interval *longest = side->longest < 0 ? NULL : &side->intervals[side->longest];
  json_t *out =
      json_pack("{s:I, s:I, s:f, s:I, s:I, s:I, s:I}", "letters", (json_int_t)side->letters, "shared",
                (json_int_t)side->shared, "shared_percent", compare_percent(side->shared, side->letters),
                "in_gaps", (json_int_t)side->in_gaps, "in_events", (json_int_t)side->in_events, "rest",
                (json_int_t)side->rest, "unaligned", (json_int_t)side->unaligned);
  json_object_set_new(
      out, "longest_unaligned",
      longest ? interval_json(job, query, longest->record, longest->begin, longest->end) : json_null());
  json_object_set_new(out, "rest_intervals", rests_json(job, query));
  json_object_set_new(out, "records", records_json(job, query));
  return out;
}

static json_t *classes_json(const int64_t counts[CLA_INDEL_CLASSES]) {
  json_t *out = json_object();
  for (int i = 0; i < CLA_INDEL_CLASSES; i++)
    json_object_set_new(out, indel_class_names[i], json_integer(counts[i]));
  return out;
}

static json_t *variants_json(const cla_variant_counts *it) {
  return json_pack("{s:I, s:I, s:f, s:I, s:o, s:o}", "pairs", (json_int_t)(it->matches + it->mismatches),
                   "matches", (json_int_t)it->matches, "identity_percent",
                   compare_percent(it->matches, it->matches + it->mismatches), "snps",
                   (json_int_t)it->mismatches, "insertions", classes_json(it->insertions), "deletions",
                   classes_json(it->deletions));
}

static json_t *certainty_json(const compare_job *job, const certainty_counts *it) {
  const int64_t units = it->units > 1 ? it->units : 1;
  return json_pack("{s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "delta",
                   (double)it->delta / (double)units, "columns", (json_int_t)it->columns, "ambiguous_columns",
                   (json_int_t)it->ambiguous_columns, "gaps", (json_int_t)it->gaps, "moving_gaps",
                   (json_int_t)it->moving_gaps, "ambiguous_gaps", (json_int_t)it->ambiguous_gaps,
                   "ambiguous_snps", (json_int_t)it->ambiguous_snps, "shifts", (json_int_t)it->shifts,
                   "alternatives", (json_int_t)it->alternatives, "longest_alternative",
                   interval_json(job, false, it->longest.record, it->longest.begin, it->longest.end));
}

static json_t *kinds_json(const cla_events *events) {
  json_t *out = json_object();
  for (int kind = 0; kind < CLA_EVENT_KINDS; kind++)
    json_object_set_new(out, cla_event_kind_name((cla_event_kind)kind),
                        json_pack("{s:I, s:I}", "count", (json_int_t)events->counts[kind], "letters",
                                  (json_int_t)events->letters[kind]));
  return out;
}

static json_t *event_json(const compare_job *job, const cla_event *it) {
  json_t *out =
      json_pack("{s:s, s:o, s:o, s:s, s:I, s:b}", "kind", cla_event_kind_name(it->kind), "target",
                interval_json(job, false, it->target, it->target_begin, it->target_end), "query",
                interval_json(job, true, it->query, it->query_begin, it->query_end), "strand",
                sign(it->strand), "letters", (json_int_t)it->letters, "within_piece", it->within_piece);
  if (it->place_target != CLA_NO_RECORD)
    json_object_set_new(out, "place",
                        json_pack("{s:o, s:I}", "record", name_json(job, false, it->place_target), "position",
                                  (json_int_t)it->place));
  return out;
}

static cla_status add_block(json_t *list, const compare_job *job, size_t number, cla_error *error) {
  const cla_block *block = &job->comparison->blocks[number];
  const cla_interval query = block_interval(block, true), target = block_interval(block, false);
  block_counts counts;
  cla_status status = block_count(&counts, job->comparison, block, error);
  if (status != CLA_OK) return status;
  json_t *out = json_pack("{s:I, s:s, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I}", "block",
                          (json_int_t)number + 1, "role", block_role_name(block->role), "target",
                          interval_json(job, false, block->target, target.begin, target.end), "query",
                          interval_json(job, true, block->query, query.begin, query.end), "strand",
                          sign(block->strand), "pieces", (json_int_t)block->piece_count, "matches",
                          (json_int_t)counts.matches, "mismatches", (json_int_t)counts.mismatches, "gaps",
                          (json_int_t)counts.gaps, "gap_letters", (json_int_t)counts.gap_letters);
  int64_t ambiguous = 0;
  for (size_t p = 0; block->certificates && p < block->piece_count; p++)
    ambiguous += block->certificates[p]->ambiguous;
  if (block->certificates) json_object_set_new(out, "ambiguous_columns", json_integer(ambiguous));
  json_array_append_new(list, out);
  return CLA_OK;
}

static cla_status fill(json_t *out, const compare_job *job, cla_error *error) {
  const cla_comparison *comparison = job->comparison;
  const cla_events *events = job->events;
  json_t *list = json_array(), *blocks = json_array();
  certainty_counts certain;
  cla_status status = CLA_OK;
  json_object_set_new(out, "clalign", json_string(CLA_VERSION_STRING));
  json_object_set_new(out, "query", side_json(job, true));
  json_object_set_new(out, "target", side_json(job, false));
  json_object_set_new(out, "variants", variants_json(&events->variants));
  if (certainty_count(&certain, comparison))
    json_object_set_new(out, "certainty", certainty_json(job, &certain));
  json_object_set_new(out, "least_event", json_integer(events->least));
  json_object_set_new(out, "kinds", kinds_json(events));
  for (size_t i = 0; i < events->count; i++) json_array_append_new(list, event_json(job, &events->items[i]));
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++)
    status = add_block(blocks, job, b, error);
  json_object_set_new(out, "events", list);
  json_object_set_new(out, "blocks", blocks);
  json_object_set_new(out, "engine",
                      json_pack("{s:i, s:[f, f, f]}", "word_letters", comparison->word_letters, "seconds",
                                comparison->seconds[0], comparison->seconds[1], comparison->seconds[2]));
  return status;
}

cla_status write_compare_json(const compare_job *job, cla_error *error) {
  json_t *out = json_object();
  char *text = NULL;
  cla_status status = fill(out, job, error);
  if (status == CLA_OK) text = json_dumps(out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
  json_decref(out);
  if (status != CLA_OK) return status;
  if (!text) return error_set(error, CLA_ERROR_MEMORY, "no memory for the JSON of a comparison; free some");
  fputs(text, job->file);
  fputc('\n', job->file);
  free(text);
  return CLA_OK;
}
