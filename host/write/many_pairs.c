/* cla_writer: writes the alignments of many pairs to one output. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "write/writer_internal.h"

#define STREAM_BYTES (1 << 18) /* bytes of a file's buffer */

static void print_head(const cla_writer *writer) {
  switch (writer->format) {
    case CLA_FORMAT_MAF: write_maf_head(writer->stream, writer->command); break;
    case CLA_FORMAT_PAIR: write_pair_head(writer->stream, writer->command); break;
    case CLA_FORMAT_SRSPAIR: write_srspair_head(writer->stream, writer->command); break;
    case CLA_FORMAT_TSV: write_tsv_head(writer->stream, &writer->columns); break;
    default: break;
  }
}

static void print_tail(const cla_writer *writer) {
  switch (writer->format) {
    case CLA_FORMAT_PAIR:
    case CLA_FORMAT_SRSPAIR: write_pair_tail(writer->stream, writer->pairs); break;
    case CLA_FORMAT_BLAST7: write_blast7_tail(writer->stream, writer->pairs); break;
    default: break;
  }
}

cla_status writer_check_stream(const cla_writer *writer, cla_error *error) {
  return ferror(writer->stream) ? output_failed(NULL, writer->entry->facts.name, errno, error) : CLA_OK;
}

static cla_status open_writer(cla_writer *writer, const char *path, const cla_write_options *options,
                              cla_error *error) {
  cla_status status = CLA_OK;
  if (options && options->command)
    status = clean_name(&writer->command, options->command, CLEAN_LINE, " ", error);
  if (status == CLA_OK && writer->format == CLA_FORMAT_TSV)
    status = tsv_columns_choose(&writer->columns, &writer->how, true, error);
  else if (status == CLA_OK && writer->entry->columns)
    status = column_list_parse(&writer->columns, writer->entry->columns, writer->how.columns, error);
  if (status == CLA_OK && path) {
    status = atomic_file_open(&writer->file, path, error);
    if (status == CLA_OK) writer->stream = atomic_file_stream(writer->file);
    /* The C library's own buffer would have only 4 kB, the block size of the file system. */
    if (status == CLA_OK) status = ALLOCATE_ARRAY(&writer->buffer, STREAM_BYTES, "an output", error);
    if (status == CLA_OK) (void)setvbuf(writer->stream, writer->buffer, _IOFBF, STREAM_BYTES);
  }
  if (status == CLA_OK && options && options->compressed) {
    status = compressed_stream_open(&writer->packed, writer->stream, options->threads, error);
    if (status == CLA_OK) writer->stream = writer->packed;
  }
  if (status == CLA_OK && !writer->entry->names.free) status = target_names_open(&writer->names, error);
  if (status == CLA_OK && pair_table_wanted(writer->format))
    status = pair_table_open(&writer->table, writer->format, &writer->how, &writer->columns, error);
  if (status == CLA_OK && spooled_body_wanted(writer->format))
    status = spooled_body_open(&writer->spool, writer->format, path, error);
  if (writer->spool) writer->spool->threads = writer->how.threads;
  if (writer->spool) writer->spool->certified = writer->how.certified;
  if (status != CLA_OK) return status;
  errno = 0;
  print_head(writer);
  return writer_check_stream(writer, error);
}

cla_status cla_writer_open(cla_writer **out, cla_format format, const char *path, FILE *file,
                           const cla_write_options *options, cla_error *error) {
  cla_writer *writer = NULL;
  const format_entry *entry = format_entry_find(format);
  *out = NULL;
  if (!entry) return error_set(error, CLA_ERROR_OPTION, "unknown output format; use one of cla_format's");
  if (format == CLA_FORMAT_CLA)
    return error_set(error, CLA_ERROR_OPTION,
                     "the format cla holds one pair; save each pair to a file of its own, or use another "
                     "format");
  cla_status status = write_check_compressed(entry, options && options->compressed, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&writer, 1, "an output", error);
  if (status != CLA_OK) return status;
  *writer = (cla_writer){.format = format, .entry = entry, .stream = file};
  if (options) writer->how = *options;
  status = open_writer(writer, path, options, error);
  if (status == CLA_OK)
    *out = writer;
  else
    cla_writer_discard(writer);
  return status;
}

write_job writer_pair_job(const cla_writer *writer, FILE *file, const cla_results *results) {
  return (write_job){.file = file,
                     .how = &writer->how,
                     .columns = writer->entry->columns ? &writer->columns : NULL,
                     .alignments = results->alignments,
                     .certificates = results->certificates,
                     .count = results->count,
                     .query = results->query,
                     .target = results->target,
                     .body_only = true};
}

target_use writer_target_use(const cla_writer *writer) {
  return (target_use){writer->entry->names.target, writer->entry->facts.name, writer->pairs + 1};
}

/* Adds the pair's target to the names. The heads of spooled formats also list targets without an alignment.
 */
static cla_status check_target(named_target **known, cla_writer *writer, const cla_results *results,
                               cla_error *error) {
  const target_use use = writer_target_use(writer);
  *known = NULL;
  if (!writer->names || (results->count == 0 && !writer->spool && !writer->table)) return CLA_OK;
  return target_names_add(known, writer->names, results, &use, error);
}

cla_status writer_put_spooled(cla_writer *writer, write_job *job, const cla_results *results,
                              cla_error *error) {
  named_target *target;
  cla_status status = check_target(&target, writer, results, error);
  if (status == CLA_OK) status = spooled_body_put(writer->spool, job, target, error);
  writer->pairs += status == CLA_OK;
  return status;
}

cla_status cla_writer_put(cla_writer *writer, const cla_results *results, cla_error *error) {
  write_job job = writer_pair_job(writer, writer->stream, results);
  job.numbered = &writer->numbered;
  named_target *target;
  write_input input;
  cla_status status = write_job_prepare(&job, &input, writer->entry, error);
  if (status == CLA_OK) status = check_target(&target, writer, results, error);
  errno = 0;
  if (status == CLA_OK && writer->spool)
    status = spooled_body_put(writer->spool, &job, target, error);
  else if (status == CLA_OK && writer->table)
    status = pair_table_put(writer->table, &job, error);
  else if (status == CLA_OK)
    status = writer->entry->write(&job, error);
  const int error_number = errno;
  write_input_free(&input);
  errno = error_number;
  if (status != CLA_OK) return status;
  writer->pairs++;
  return writer_check_stream(writer, error);
}

cla_status cla_writer_make(bool *made, const cla_writer *writer, FILE *file, const cla_results *results,
                           cla_error *error) {
  write_job job = writer_pair_job(writer, file, results);
  write_input input;
  *made = writer->entry->by_pair;
  if (!*made) return CLA_OK;
  cla_status status = write_job_prepare(&job, &input, writer->entry, error);
  if (status == CLA_OK) status = writer->entry->write(&job, error);
  write_input_free(&input);
  return status;
}

cla_status cla_writer_add(cla_writer *writer, const cla_results *results, const char *made, size_t bytes,
                          cla_error *error) {
  named_target *target;
  cla_status status = check_target(&target, writer, results, error);
  if (status != CLA_OK) return status;
  errno = 0;
  fwrite(made, 1, bytes, writer->stream);
  writer->pairs++;
  return writer_check_stream(writer, error);
}

cla_status cla_writer_finish(cla_writer *writer, cla_error *error) {
  cla_status status = CLA_OK;
  errno = 0;
  if (writer->spool) status = spooled_body_write(writer->spool, writer->stream, writer->command, error);
  if (writer->table) status = pair_table_write(writer->table, writer->stream, error);
  if (status == CLA_OK) {
    print_tail(writer);
    fflush(writer->stream);
    status = writer_check_stream(writer, error);
  }
  if (status == CLA_OK && writer->packed) {
    status = compressed_stream_close(writer->packed, NULL, error);
    writer->packed = NULL;
  }
  const int error_number = errno;
  if (status == CLA_OK && writer->file) {
    status = atomic_file_commit(writer->file, error);
    writer->file = NULL;
  }
  cla_writer_discard(writer);
  if (status != CLA_OK) errno = error_number;
  return status;
}

void cla_writer_discard(cla_writer *writer) {
  if (!writer) return;
  spooled_body_free(writer->spool);
  pair_table_free(writer->table);
  target_names_close(writer->names);
  if (writer->packed) fclose(writer->packed);
  atomic_file_discard(writer->file);
  free(writer->buffer);
  free(writer->command);
  free(writer);
}
