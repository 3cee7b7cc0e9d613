/* cla_comparison_write: prepares names, opens streams and files, and calls the writers. */

#include "clalign/compare_write.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/files.h"
#include "compare/compare_texts.h"
#include "write/writer.h"

static cla_status write_text(const compare_job *job, cla_comparison_text what, cla_error *error) {
  switch (what) {
    case CLA_COMPARISON_SUMMARY: return write_compare_summary(job, error);
    case CLA_COMPARISON_JSON: return write_compare_json(job, error);
    case CLA_COMPARISON_BLOCKS: return write_compare_blocks(job, error);
    case CLA_COMPARISON_EVENTS: return write_compare_events(job, error);
    case CLA_COMPARISON_UNALIGNED_QUERY: return write_compare_unaligned(job, true);
    case CLA_COMPARISON_UNALIGNED_TARGET: return write_compare_unaligned(job, false);
    case CLA_COMPARISON_VCF: return write_compare_vcf(job, error);
    case CLA_COMPARISON_CALLABLE: return write_compare_callable(job, error);
  }
  return error_set(error, CLA_ERROR_OPTION, "unknown text of a comparison; use one of cla_comparison_text");
}

static cla_status write_named(compare_job *job, cla_comparison_text what, const cla_write_options *options,
                              cla_error *error) {
  char *command = NULL;
  cla_status status =
      compare_names_make(&job->names[0], &job->comparison->query, CLEAN_FIRST_COLUMN, "query", error);
  if (status == CLA_OK)
    status =
        compare_names_make(&job->names[1], &job->comparison->target, CLEAN_FIRST_COLUMN, "target", error);
  if (options) job->mask_below = options->mask_below;
  if (status == CLA_OK && options && options->command)
    status = clean_name(&command, options->command, CLEAN_LINE, " ", error);
  job->command = command;
  if (status == CLA_OK) status = write_text(job, what, error);
  free(command);
  compare_names_free(job->names[0], job->comparison->query.count);
  compare_names_free(job->names[1], job->comparison->target.count);
  return status;
}

static cla_status finish(FILE *stream, FILE *packed, cla_status status, cla_error *error) {
  static const char what[] = "the output of the comparison";
  if (packed && status == CLA_OK && !ferror(packed)) {
    status = compressed_stream_close(packed, what, error);
  } else if (packed) {
    const int error_number = errno;
    const bool failed = ferror(packed) != 0;
    fclose(packed);
    if (status == CLA_OK && failed) return output_failed(what, NULL, error_number, error);
  }
  if (status != CLA_OK) return status;
  fflush(stream);
  return ferror(stream) ? output_failed(what, NULL, errno, error) : CLA_OK;
}

cla_status cla_comparison_write(FILE *file, cla_comparison_text what, const cla_comparison *comparison,
                                const cla_events *events, const cla_write_options *options,
                                cla_error *error) {
  FILE *packed = NULL;
  cla_status status = CLA_OK;
  errno = 0;
  if (options && options->compressed) status = compressed_stream_open(&packed, file, options->threads, error);
  if (status != CLA_OK) return status;
  compare_job job = {.file = packed ? packed : file, .comparison = comparison, .events = events};
  status = write_named(&job, what, options, error);
  return finish(file, packed, status, error);
}

cla_status cla_comparison_write_file(const char *path, cla_comparison_text what,
                                     const cla_comparison *comparison, const cla_events *events,
                                     const cla_write_options *options, cla_error *error) {
  atomic_file *file = NULL;
  cla_status status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  status = cla_comparison_write(atomic_file_stream(file), what, comparison, events, options, error);
  if (status == CLA_OK) return atomic_file_commit(file, error);
  atomic_file_discard(file);
  return status;
}
