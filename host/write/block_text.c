/* cla_writer for blocks of arrays. If the records of a pair do not depend on other pairs, any thread may make
 * the pair's text. */

#include <errno.h>
#include <htslib/hts_endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "write/block_view.h"
#include "write/writer_internal.h"

void cla_block_text_free(cla_block_text *text) {
  if (!text) return;
  free(text->bytes);
  free(text->ends);
  free(text->keys);
  free(text->hits);
  *text = (cla_block_text){0};
}

/* True if the output has records of SAM or BAM. */
static bool makes_records(const cla_writer *writer) {
  return writer->spool && writer->spool->hits;
}

/* True if any thread may make the text of the block's pairs. False if all pairs will be refused: each
 * pair's error is then reported when the pair is added. */
static bool makes_block(const cla_writer *writer, const cla_aligned_block *block) {
  return writer->entry->by_pair ||
         (writer->spool && block->runs && block->common->alphabet == CLA_ALPHABET_DNA);
}

/* Collects the text of pairs in memory. For some formats, the text passes through a stream. */
typedef struct text_collector {
  text_memory memory;
  FILE *stream; /* NULL: the format needs no stream */
  char *streamed;
  size_t streamed_bytes;
} text_collector;

static cla_status collector_open(text_collector *out, const cla_writer *writer, cla_block_text *text,
                                 cla_error *error) {
  *out = (text_collector){.memory = {.bytes = text->bytes, .capacity = (size_t)text->bytes_capacity}};
  if (writer->entry->in_memory || makes_records(writer)) return CLA_OK;
  out->stream = open_memstream(&out->streamed, &out->streamed_bytes);
  return out->stream ? CLA_OK
                     : error_set(error, CLA_ERROR_MEMORY, "out of memory for a text; free some memory");
}

/* Returns the number of bytes collected. */
static int64_t collector_tell(text_collector *collector) {
  return collector->stream ? (int64_t)ftello(collector->stream) : (int64_t)collector->memory.used;
}

/* Closes the collector and moves its bytes to `text`. */
static cla_status collector_close(text_collector *collector, cla_block_text *text, cla_error *error) {
  bool failed = collector->memory.failed;
  if (collector->stream) {
    failed |= ferror(collector->stream) != 0;
    failed |= fclose(collector->stream) != 0;
    free(collector->memory.bytes);
    collector->memory.bytes = collector->streamed;
    collector->memory.capacity = collector->streamed_bytes;
  }
  text->bytes = collector->memory.bytes;
  text->bytes_capacity = (int64_t)collector->memory.capacity;
  return failed ? error_set(error, CLA_ERROR_MEMORY, "out of memory for a text; free some memory") : CLA_OK;
}

static cla_status make_room(cla_block_text *text, const cla_writer *writer, int64_t pairs, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&text->ends, &text->pair_capacity, pairs, "a block's text", error);
  if (status == CLA_OK && writer->names)
    status = allocate_grow(&text->keys, &text->key_capacity, pairs, sizeof(found_target), "names of targets",
                           error);
  if (status == CLA_OK && makes_records(writer))
    status =
        allocate_grow(&text->hits, &text->hit_capacity, pairs, sizeof(query_hit), "a block's records", error);
  return status;
}

/* State for making the text of a block's pairs. */
typedef struct block_maker {
  const cla_writer *writer;
  cla_block_text *text;
  text_collector collector;
  block_view view;
  write_job job;
  sam_records records;
} block_maker;

/* Makes the record of a pair, if the pair has one. */
static cla_status make_record(block_maker *maker, int64_t pair, cla_error *error) {
  query_hit *hit = (query_hit *)maker->text->hits + pair;
  const int64_t begin = (int64_t)maker->collector.memory.used;
  cla_status status = sam_records_begin(&maker->records, &maker->job, error);
  if (status == CLA_OK && maker->job.count > 0) {
    status = sam_records_next(&maker->collector.memory, &maker->records, error);
    if (status == CLA_OK) *hit = spooled_hit(&maker->records);
    if (status == CLA_OK) hit->order = begin;
  }
  sam_records_end(&maker->records);
  return status;
}

/* Makes the text of the pair that the view shows. */
static cla_status make_pair(block_maker *maker, int64_t pair, cla_error *error) {
  const format_entry *entry = maker->writer->entry;
  const cla_results *results = &maker->view.results;
  write_job *job = &maker->job;
  write_input input;
  job->count = results->count;
  job->certificates = results->certificates;
  job->query = results->query; /* set for each pair, because preparing a job may change the query */
  job->target = results->target;
  if (entry->from_runs) {
    job->runs = results->count > 0 ? block_view_runs(&maker->view, pair) : NULL;
    return makes_records(maker->writer) ? make_record(maker, pair, error) : entry->write(job, error);
  }
  cla_status status = write_job_prepare(job, &input, entry, error);
  if (status == CLA_OK) status = entry->write(job, error);
  write_input_free(&input);
  return status;
}

/* Makes the text of the next pair. If this fails for a pair in a spooled format, the pair's key remains
 * zero. cla_writer_add_block then adds the pair and reports the error. */
static cla_status make_next(block_maker *maker, int64_t pair, cla_error *error) {
  const cla_writer *writer = maker->writer;
  block_view *view = &maker->view;
  if (!block_view_has(view, pair)) return CLA_OK;
  cla_status status = block_view_set(view, pair, error);
  if (status == CLA_OK) status = make_pair(maker, pair, error);
  if (writer->spool && status != CLA_OK && status != CLA_ERROR_MEMORY) return CLA_OK;
  if (status != CLA_OK || !writer->names) return status;
  found_target *target = (found_target *)maker->text->keys + pair;
  return target_key_make(&target->key, &view->results, view->plain_names[1], writer->entry->names.target,
                         error);
}

cla_status cla_writer_make_block(cla_block_text *text, const cla_writer *writer,
                                 const cla_aligned_block *block, cla_error *error) {
  const format_entry *entry = writer->entry;
  block_maker maker = {.writer = writer, .text = text};
  text->made = makes_block(writer, block);
  if (!text->made) return CLA_OK;
  if (entry->facts.needs_path && !block->runs)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the format %s needs aligned paths; use the format tsv or json, or align without score-only",
        entry->facts.name);
  cla_status status = make_room(text, writer, block->count, error);
  if (status == CLA_OK) status = collector_open(&maker.collector, writer, text, error);
  if (status != CLA_OK) return status;
  status = block_view_open(&maker.view, block, entry->from_runs, !entry->from_runs, error);
  maker.view.keyed[0] = makes_records(writer);
  maker.view.keyed[1] = writer->names != NULL;
  maker.job = writer_pair_job(writer, maker.collector.stream, &maker.view.results);
  maker.job.memory = maker.collector.stream ? NULL : &maker.collector.memory;
  maker.job.names = entry->names;
  maker.records.binary = writer->format == CLA_FORMAT_BAM;
  memcpy(maker.job.plain_names, maker.view.plain_names, sizeof maker.job.plain_names);
  for (int64_t pair = 0; pair < block->count && status == CLA_OK; pair++) {
    if (makes_records(writer)) ((query_hit *)text->hits)[pair].order = NO_RECORD;
    if (writer->names) ((found_target *)text->keys)[pair].key = (target_key){{0, 0}, 0};
    status = make_next(&maker, pair, error);
    text->ends[pair] = collector_tell(&maker.collector);
  }
  if (status == CLA_OK && writer->names)
    status = target_names_find(writer->names, text->keys, block->count, error);
  block_view_close(&maker.view);
  sam_records_free(&maker.records);
  cla_error later;
  const cla_status closed = collector_close(&maker.collector, text, status == CLA_OK ? error : &later);
  return status == CLA_OK ? closed : status;
}

/* Adds the pairs up to `end` one by one, as is necessary for formats whose records depend on other pairs. */
static cla_status put_pairs(cla_writer *writer, const cla_aligned_block *block, int64_t *next, int64_t end,
                            cla_error *error) {
  block_view view;
  const bool dna = block->common->alphabet ==
                   CLA_ALPHABET_DNA; /* other alphabets are refused, with an error for each pair */
  const bool from_runs = writer->entry->from_runs && block->runs && dna;
  cla_status status = block_view_open(&view, block, from_runs, true, error);
  write_job job = writer_pair_job(writer, NULL, &view.results);
  job.names = writer->entry->names;
  for (; *next < end && status == CLA_OK; ++*next) {
    if (!block_view_has(&view, *next)) continue;
    status = block_view_set(&view, *next, error);
    job.count = view.results.count;
    job.certificates = view.results.certificates;
    job.query = view.results.query;
    job.target = view.results.target;
    job.runs = job.count > 0 ? block_view_runs(&view, *next) : NULL;
    if (status == CLA_OK && from_runs)
      status = writer_put_spooled(writer, &job, &view.results, error);
    else if (status == CLA_OK)
      status = cla_writer_put(writer, &view.results, error);
    if (status != CLA_OK) break;
  }
  const int error_number = errno;
  block_view_close(&view);
  errno = error_number;
  return status;
}

/* Sets and returns the error for a pair whose target has the same name as an earlier target, but other
 * letters. */
static cla_status tell_clash(const cla_writer *writer, const cla_aligned_block *block, int64_t pair,
                             const named_target *known, cla_error *error) {
  const target_use use = writer_target_use(writer);
  block_view view;
  cla_status status = block_view_open(&view, block, false, true, error);
  if (status == CLA_OK) status = block_view_set(&view, pair, error);
  if (status == CLA_OK) status = target_names_clash(&view.results, &use, known, error);
  block_view_close(&view);
  return status;
}

/* Lists the pair's target in the head, and writes its number into BAM's record. */
static cla_status list_target(cla_writer *writer, const cla_aligned_block *block, const cla_block_text *text,
                              int64_t pair, named_target *known, cla_error *error) {
  char *owned = NULL;
  cla_status status = CLA_OK;
  if (known->number == 0) {
    const char *name = block_view_name(block, 1, pair);
    if (!name_is_clean(name, false, writer->entry->names.target))
      status = clean_name(&owned, name, writer->entry->names.target, "target", error);
    if (status == CLA_OK)
      status = spooled_body_list(writer->spool, known, owned ? owned : name,
                                 block_view_length(block, 1, pair), error);
    free(owned);
  }
  if (status != CLA_OK || writer->format != CLA_FORMAT_BAM) return status;
  const query_hit *hit = (const query_hit *)text->hits + pair;
  if (hit->order != NO_RECORD && !hit->empty)
    u32_to_le((uint32_t)(known->number - 1), (uint8_t *)text->bytes + hit->order + BAM_REFERENCE_AT);
  return CLA_OK;
}

/* Adds the pair's target. */
static cla_status add_target(cla_writer *writer, const cla_aligned_block *block, const cla_block_text *text,
                             int64_t pair, cla_error *error) {
  const found_target *target = (const found_target *)text->keys + pair;
  if (!writer->names || (block->none && block->none[pair] && !writer->spool)) return CLA_OK;
  if (!named_target_claim(target->known, &target->key, writer->pairs + 1))
    return tell_clash(writer, block, pair, target->known, error);
  return writer->spool ? list_target(writer, block, text, pair, target->known, error) : CLA_OK;
}

/* Adds the text of pairs whose targets have been added. */
static cla_status add_text(cla_writer *writer, const cla_block_text *text, int64_t first, int64_t next,
                           cla_error *error) {
  const int64_t from = first > 0 ? text->ends[first - 1] : 0, to = next > 0 ? text->ends[next - 1] : 0;
  if (!writer->spool) {
    errno = 0;
    if (to > from) fwrite(text->bytes + from, 1, (size_t)(to - from), writer->stream);
    return ferror(writer->stream) ? writer_check_stream(writer, error) : CLA_OK;
  }
  query_hit *hits = text->hits;
  for (int64_t pair = first; hits && pair < next; pair++)
    if (hits[pair].order != NO_RECORD) hits[pair].order += writer->spool->bytes - from;
  cla_status status = spooled_body_add(writer->spool, text->bytes + from, (size_t)(to - from), error);
  if (status == CLA_OK && hits)
    status = spooled_body_add_hits(writer->spool, hits + first, (size_t)(next - first), error);
  return status;
}

/* Targets are prefetched this many pairs ahead. Another thread may have found them, so they may not be in
 * this core's cache. */
#define TARGETS_AHEAD 8

/* Adds the pairs before the first pair whose text was not made. */
static cla_status add_made(cla_writer *writer, const cla_aligned_block *block, const cla_block_text *text,
                           int64_t *next, cla_error *error) {
  const found_target *targets = text->keys;
  const int64_t first = *next;
  cla_status status = CLA_OK;
  for (; *next < block->count; ++*next) {
    if (writer->names && *next + TARGETS_AHEAD < block->count)
      __builtin_prefetch(targets[*next + TARGETS_AHEAD].known);
    if (block->status && block->status[*next] != CLA_OK) continue;
    if (writer->spool && !targets[*next].known) break;
    status = add_target(writer, block, text, *next, error);
    if (status != CLA_OK) break;
    writer->pairs++;
  }
  const cla_status added = add_text(writer, text, first, *next, error);
  return added != CLA_OK ? added : status;
}

cla_status cla_writer_add_block(cla_writer *writer, const cla_aligned_block *block,
                                const cla_block_text *text, int64_t *next, cla_error *error) {
  if (!text->made) return put_pairs(writer, block, next, block->count, error);
  for (;;) {
    cla_status status = add_made(writer, block, text, next, error);
    if (status == CLA_OK && *next < block->count) status = put_pairs(writer, block, next, *next + 1, error);
    if (status != CLA_OK || *next == block->count) return status;
  }
}
