#include "clalign/write.h"

#include <errno.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "result/path_check.h"
#include "result/rotated_pair.h"
#include "write/writer.h"

typedef struct format_entry {
  cla_format format;
  const char *name;
  cla_status (*write)(const write_job *job, cla_error *error);
} format_entry;

static const format_entry formats[] = {
    {CLA_FORMAT_JSON, "json", write_json},    {CLA_FORMAT_PAIR, "pair", write_pair},
    {CLA_FORMAT_PAF, "paf", write_paf},       {CLA_FORMAT_SAM, "sam", write_sam},
    {CLA_FORMAT_CIGAR, "cigar", write_cigar},
};

#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error) {
  for (size_t index = 0; index < FORMAT_COUNT; index++)
    if (strcmp(formats[index].name, name) == 0) {
      *out = formats[index].format;
      return CLA_OK;
    }
  return error_set(error, CLA_ERROR_OPTION,
                   "unknown output format '%.256s'; the formats are json, pair, paf, sam and cigar", name);
}

static const format_entry *find_format(cla_format format) {
  for (size_t index = 0; index < FORMAT_COUNT; index++)
    if (formats[index].format == format) return &formats[index];
  return NULL;
}

/* Everything that can be refused is refused here or by the writer before its first byte. */
static cla_status check_job(const write_job *job, const format_entry *entry, cla_error *error) {
  if (!entry) return error_set(error, CLA_ERROR_OPTION, "unknown output format; use one of cla_format's");
  for (size_t index = 0; index < job->count; index++) {
    const cla_alignment *alignment = job->alignments[index];
    if (!alignment->has_path && entry->format == CLA_FORMAT_JSON) continue;
    if (!alignment->has_path)
      return error_set(
          error, CLA_ERROR_OPTION,
          "the format %s needs an aligned path, which alignment %zu does not have; use the format "
          "json, or align without score-only",
          entry->name, index + 1);
    cla_status status = path_check_fit(alignment, job->query, job->target, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* What positions along a line cannot hold is refused, so that no reader takes them for those of the record.
 */
static cla_status check_rotation(const write_job *job, const format_entry *entry, cla_error *error) {
  for (size_t index = 0; index < job->count; index++) {
    const cla_alignment *first = job->alignments[0], *alignment = job->alignments[index];
    const bool rotated = alignment->query.rotation > 0 || alignment->target.rotation > 0;
    if (alignment->query.rotation != first->query.rotation ||
        alignment->target.rotation != first->target.rotation)
      return error_set(error, CLA_ERROR_OPTION,
                       "alignments %d and %zu are of different rotations; write each by itself", 1,
                       index + 1);
    if (rotated && (entry->format == CLA_FORMAT_PAF || entry->format == CLA_FORMAT_SAM))
      return error_set(
          error, CLA_ERROR_OPTION,
          "the format %s cannot hold an alignment across the origin of a circular %s; use json, pair or "
          "cigar, or rotate the record by %lld letters and align it as a linear one",
          entry->name, alignment->query.rotation > 0 ? "query" : "target",
          (long long)(alignment->query.rotation + alignment->target.rotation));
  }
  return CLA_OK;
}

/* check_job, and the sequences as the alignments' positions have them; ends with rotated_pair_free. */
static cla_status prepare_job(write_job *job, rotated_pair *pair, const format_entry *entry,
                              cla_error *error) {
  *pair = (rotated_pair){0};
  cla_status status = check_job(job, entry, error);
  if (status == CLA_OK) status = check_rotation(job, entry, error);
  if (status != CLA_OK || job->count == 0) return status;
  status = rotated_pair_make(pair, job->alignments[0], job->query, job->target, error);
  job->query = pair->query;
  job->target = pair->target;
  return status;
}

static write_job make_job(FILE *file, const cla_alignment *const *alignments, size_t count,
                          const cla_sequence *query, const cla_sequence *target,
                          const cla_write_options *options) {
  return (write_job){.file = file,
                     .alignments = alignments,
                     .count = count,
                     .query = query,
                     .target = target,
                     .command = options ? options->command : NULL};
}

cla_status cla_write(FILE *file, cla_format format, const cla_alignment *const *alignments, size_t count,
                     const cla_sequence *query, const cla_sequence *target, const cla_write_options *options,
                     cla_error *error) {
  write_job job = make_job(file, alignments, count, query, target, options);
  const format_entry *entry = find_format(format);
  rotated_pair pair;
  cla_status status = prepare_job(&job, &pair, entry, error);
  if (status != CLA_OK) goto done;
  errno = 0;
  status = entry->write(&job, error);
  if (fflush(file) == 0 && !ferror(file)) goto done;
  int error_number = errno ? errno : EIO;
  status = error_set(error, CLA_ERROR_OUTPUT, "cannot write the %s output: %s; %s", entry->name,
                     strerror(error_number), output_remedy(error_number));
  rotated_pair_free(&pair);
  errno = error_number; /* a caller may want to end quietly on EPIPE */
  return status;
done:
  rotated_pair_free(&pair);
  return status;
}

cla_status cla_write_file(const char *path, cla_format format, const cla_alignment *const *alignments,
                          size_t count, const cla_sequence *query, const cla_sequence *target,
                          const cla_write_options *options, cla_error *error) {
  atomic_file *file = NULL;
  write_job job = make_job(NULL, alignments, count, query, target, options);
  const format_entry *entry = find_format(format);
  rotated_pair pair;
  cla_status status = prepare_job(&job, &pair, entry, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) goto done;
  job.file = atomic_file_stream(file);
  status = entry->write(&job, error);
  if (status == CLA_OK)
    status = atomic_file_commit(file, error);
  else
    atomic_file_discard(file);
done:
  rotated_pair_free(&pair);
  return status;
}
