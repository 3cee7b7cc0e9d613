/* cla_writer of blocks of arrays: the text of pairs whose records depend on nothing else is made by any
 * thread. */

#include <errno.h>
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
  *text = (cla_block_text){0};
}

/* Where the text of pairs is collected: in memory, and of formats that need a stream through one. */
typedef struct text_collector {
  text_memory memory;
  FILE *stream; /* NULL: the format needs none */
  char *streamed;
  size_t streamed_bytes;
} text_collector;

static cla_status collector_open(text_collector *out, const cla_writer *writer, cla_block_text *text,
                                 cla_error *error) {
  *out = (text_collector){.memory = {.bytes = text->bytes, .capacity = (size_t)text->bytes_capacity}};
  if (writer->entry->in_memory) return CLA_OK;
  out->stream = open_memstream(&out->streamed, &out->streamed_bytes);
  return out->stream ? CLA_OK
                     : error_set(error, CLA_ERROR_MEMORY, "out of memory for a text; free some memory");
}

/* How many bytes there are. */
static int64_t collector_tell(text_collector *collector) {
  return collector->stream ? (int64_t)ftello(collector->stream) : (int64_t)collector->memory.used;
}

/* Leaves all in the text. */
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

static cla_status make_room(cla_block_text *text, int64_t pairs, bool keyed, cla_error *error) {
  void *ends = text->ends;
  cla_status status =
      allocate_grow(&ends, &text->pair_capacity, pairs, sizeof *text->ends, "a block's text", error);
  text->ends = ends;
  if (status == CLA_OK && keyed)
    status =
        allocate_grow(&text->keys, &text->key_capacity, pairs, sizeof(target_key), "names of targets", error);
  return status;
}

/* Writes the chosen pair. */
static cla_status make_pair(const cla_writer *writer, const block_view *view, int64_t pair, write_job *job,
                            cla_error *error) {
  write_input input;
  job->count = view->results.count;
  if (writer->entry->from_runs) {
    job->runs = view->results.count > 0 ? block_view_runs(view, pair) : NULL;
    return writer->entry->write(job, error);
  }
  job->query = view->results.query; /* preparing may have put others in their place */
  job->target = view->results.target;
  cla_status status = write_job_prepare(job, &input, writer->entry, error);
  if (status == CLA_OK) status = writer->entry->write(job, error);
  write_input_free(&input);
  return status;
}

cla_status cla_writer_make_block(cla_block_text *text, const cla_writer *writer,
                                 const cla_aligned_block *block, cla_error *error) {
  const format_entry *entry = writer->entry;
  block_view view;
  text_collector collector;
  text->made = entry->by_pair;
  if (!text->made) return CLA_OK;
  if (entry->facts.needs_path && !block->runs)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the format %s needs aligned paths; use the format tsv or json, or align without score-only",
        entry->facts.name);
  cla_status status = make_room(text, block->count, writer->names != NULL, error);
  if (status == CLA_OK) status = collector_open(&collector, writer, text, error);
  if (status != CLA_OK) return status;
  status = block_view_open(&view, block, entry->from_runs, !entry->from_runs, error);
  view.keyed = writer->names != NULL;
  write_job job = writer_pair_job(writer, collector.stream, &view.results);
  job.memory = collector.stream ? NULL : &collector.memory;
  job.names = entry->names;
  memcpy(job.plain_names, view.plain_names, sizeof job.plain_names);
  for (int64_t pair = 0; pair < block->count && status == CLA_OK; pair++) {
    if (block_view_has(&view, pair)) {
      status = block_view_set(&view, pair, error);
      if (status == CLA_OK) status = make_pair(writer, &view, pair, &job, error);
      if (status == CLA_OK && writer->names)
        status = target_key_make((target_key *)text->keys + pair, &view.results, view.plain_names[1],
                                 entry->names.target, error);
    }
    text->ends[pair] = collector_tell(&collector);
  }
  block_view_close(&view);
  cla_error later;
  const cla_status closed = collector_close(&collector, text, status == CLA_OK ? error : &later);
  return status == CLA_OK ? closed : status;
}

/* Pairs of a format whose records depend on others. */
static cla_status put_block(cla_writer *writer, const cla_aligned_block *block, int64_t *next,
                            cla_error *error) {
  block_view view;
  const bool dna = block->common->alphabet == CLA_ALPHABET_DNA; /* else it is refused pair by pair */
  const bool from_runs = writer->entry->from_runs && block->runs && dna;
  cla_status status = block_view_open(&view, block, from_runs, true, error);
  write_job job = writer_pair_job(writer, NULL, &view.results);
  job.names = writer->entry->names;
  for (; *next < block->count && status == CLA_OK; ++*next) {
    if (!block_view_has(&view, *next)) continue;
    status = block_view_set(&view, *next, error);
    job.count = view.results.count;
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

/* Names of targets are asked for so many pairs ahead. */
#define KEYS_AHEAD 8

/* Whether an earlier target of the pair's target's name has other letters. */
static cla_status check_target(cla_writer *writer, const cla_aligned_block *block, const cla_block_text *text,
                               int64_t pair, cla_error *error) {
  block_view view;
  int64_t other = 0;
  if (!writer->names || (block->none && block->none[pair])) return CLA_OK;
  cla_status status = target_names_find(&other, writer->names, (const target_key *)text->keys + pair,
                                        writer->pairs + 1, error);
  if (status != CLA_OK || other == 0) return status;
  status = block_view_open(&view, block, false, true, error);
  if (status == CLA_OK) status = block_view_set(&view, pair, error);
  if (status == CLA_OK)
    status = target_names_clash(&view.results, writer->entry->names.target, writer->entry->facts.name, other,
                                error);
  block_view_close(&view);
  return status;
}

cla_status cla_writer_add_block(cla_writer *writer, const cla_aligned_block *block,
                                const cla_block_text *text, int64_t *next, cla_error *error) {
  if (!text->made) return put_block(writer, block, next, error);
  const int64_t from = *next > 0 ? text->ends[*next - 1] : 0;
  cla_status status = CLA_OK;
  for (; *next < block->count; ++*next) {
    if (writer->names && *next + KEYS_AHEAD < block->count)
      target_names_ask(writer->names, (const target_key *)text->keys + *next + KEYS_AHEAD);
    if (block->status && block->status[*next] != CLA_OK) continue;
    status = check_target(writer, block, text, *next, error);
    if (status != CLA_OK) break;
    writer->pairs++;
  }
  const int64_t to = *next > 0 ? text->ends[*next - 1] : 0;
  errno = 0;
  if (to > from) fwrite(text->bytes + from, 1, (size_t)(to - from), writer->stream);
  if (!ferror(writer->stream)) return status;
  return writer_check_stream(writer, error);
}
