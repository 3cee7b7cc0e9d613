/* Reads files of annotations, and writes the results. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "clalign/lines.h"
#include "compare/lift/lift_lines.h"
#include "seq/sequence_internal.h"
#include "write/writer.h"

#define LINES_BETWEEN_LOOKS 65536
#define LISTED 5 /* maximum number of names in a message */

typedef struct annotation_ending {
  const char *ending;
  cla_annotation format;
} annotation_ending;

static const annotation_ending endings[] = {
    {".bed", CLA_ANNOTATION_BED},       {".bed.gz", CLA_ANNOTATION_BED},   {".gff3", CLA_ANNOTATION_GFF3},
    {".gff", CLA_ANNOTATION_GFF3},      {".gff3.gz", CLA_ANNOTATION_GFF3}, {".gff.gz", CLA_ANNOTATION_GFF3},
    {".gtf", CLA_ANNOTATION_GTF},       {".gtf.gz", CLA_ANNOTATION_GTF},   {".bed.bgz", CLA_ANNOTATION_BED},
    {".gff3.bgz", CLA_ANNOTATION_GFF3}, {".gff.bgz", CLA_ANNOTATION_GFF3}, {".gtf.bgz", CLA_ANNOTATION_GTF},
};

cla_status cla_annotation_of_file(cla_annotation *out, const char *path, cla_error *error) {
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (path_ends_in(path, endings[i].ending)) {
      *out = endings[i].format;
      return CLA_OK;
    }
  return error_set(error, CLA_ERROR_OPTION,
                   "the name %.1024s tells no format of annotations; say --format bed, gff3 or gtf", path);
}

/* A text output, which is compressed if its name ends in .gz. */
typedef struct text_output {
  const char *path;
  atomic_file *file; /* NULL: the caller's stream, or no output */
  FILE *stream, *packed;
} text_output;

static cla_status output_open(text_output *output, const char *path, cla_error *error) {
  output->path = path;
  cla_status status = atomic_file_open(&output->file, path, error);
  if (status != CLA_OK) return status;
  output->stream = atomic_file_stream(output->file);
  if (!path_ends_in(path, ".gz") && !path_ends_in(path, ".bgz")) return CLA_OK;
  status = compressed_stream_open(&output->packed, output->stream, 1, error);
  if (output->packed) output->stream = output->packed;
  return status;
}

static void output_discard(text_output *output) {
  if (output->packed) (void)compressed_stream_close(output->packed, output->path, NULL);
  atomic_file_discard(output->file);
  *output = (text_output){.path = NULL};
}

static cla_status output_commit(text_output *output, cla_error *error) {
  cla_status status = CLA_OK;
  if (output->packed) status = compressed_stream_close(output->packed, output->path, error);
  output->packed = NULL;
  if (status != CLA_OK || !output->file) return status;
  status = atomic_file_commit(output->file, error);
  output->file = NULL; /* freed in every case */
  return status;
}

/* Processes a line. *end: the remaining lines are not read. */
static cla_status take_line(bool *end, lift_work *work, lift_features *features, char *line, size_t length,
                            cla_error *error) {
  if (ferror(work->lifted)) {
    *end = true; /* the reason is reported when the output is finished */
    return CLA_OK;
  }
  if (work->number % LINES_BETWEEN_LOOKS == 0 && work->job->interrupted && work->job->interrupted())
    return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted");
  return features ? lift_features_add(end, features, line, length, error) : lift_bed_line(work, line, error);
}

static cla_status lift_lines(lift_work *work, lift_features *features, cla_lines *lines, cla_error *error) {
  char *line = NULL;
  size_t length = 0;
  bool end = false;
  cla_status status = cla_lines_next(&line, &length, lines, error);
  while (status == CLA_OK && line && !end) {
    work->number++;
    if (length > 0 && line[length - 1] == '\r') line[--length] = '\0';
    status = take_line(&end, work, features, line, length, error);
    if (status == CLA_OK && !end) status = cla_lines_next(&line, &length, lines, error);
  }
  if (status == CLA_OK && features) status = lift_features_flush(features, error);
  return status;
}

/* Returns true if some chain of the map leads to a record of that name. */
static bool leads_to(const cla_lift *map, const char *name) {
  for (int64_t i = 0; i < map->chain_count; i++)
    if (strcmp(map->names + map->chains[i].to.name, name) == 0) return true;
  return false;
}

/* Sets the error that the map has no record of any feature. Either the names differ, or the direction is
 * wrong. */
static cla_status report_unknown(const lift_work *work, cla_error *error) {
  char name[SHOWN_NAME_SIZE], one[SHOWN_NAME_SIZE], list[LISTED * (SHOWN_NAME_SIZE + 4)] = "";
  const char *from = work->map->swapped ? "query" : "target", *to = work->map->swapped ? "target" : "query";
  shown_text(name, sizeof name, work->lost_name);
  if (leads_to(work->map, work->lost_name))
    return error_set(error, CLA_ERROR_INPUT, "'%s' of %s is a %s of the alignment, not a %s; %s --reverse",
                     name, work->shown, to, from, work->map->swapped ? "leave out" : "add");
  for (int64_t i = 0; i < work->map->record_count && i < LISTED; i++)
    error_list_add(list, sizeof list, shown_text(one, sizeof one, work->map->records[i].name), ", ");
  return error_set(
      error, CLA_ERROR_INPUT,
      "no feature of %s lies on a %s of the alignment: '%s' is none, %s%s %s; use the same names",
      work->shown, from, name, list, work->map->record_count > LISTED ? " and others" : "",
      work->map->record_count > 1 ? "are" : "is");
}

static cla_status lift_all(lift_work *work, cla_error *error) {
  lift_features *features = NULL;
  cla_lines *lines = NULL;
  cla_status status = cla_lines_open(&lines, work->job->path, error);
  if (status == CLA_OK && work->job->format != CLA_ANNOTATION_BED)
    status = lift_features_open(&features, work, error);
  if (status == CLA_OK) status = lift_lines(work, features, lines, error);
  if (status == CLA_OK && work->lost_name && work->counts->unknown == work->counts->features)
    status = report_unknown(work, error);
  lift_features_close(features);
  cla_lines_close(lines);
  return status;
}

cla_status cla_lift_file(cla_lift_counts *counts, const cla_lift *lift, const cla_lift_job *job,
                         cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  text_output lifted = {.stream = job->file}, unlifted = {.path = NULL};
  *counts = (cla_lift_counts){0};
  lift_work work = {.map = lift, .job = job, .counts = counts};
  work.shown = shown_text(shown, sizeof shown, job->path);
  cla_status status = job->output ? output_open(&lifted, job->output, error) : CLA_OK;
  if (status == CLA_OK && job->unlifted) status = output_open(&unlifted, job->unlifted, error);
  work.lifted = lifted.stream;
  work.unlifted = unlifted.stream;
  if (status == CLA_OK) status = lift_all(&work, error);
  if (status == CLA_OK && !job->output && (fflush(job->file) != 0 || ferror(job->file)))
    status = output_failed(NULL, "lifted", errno, error);
  if (status == CLA_OK) status = output_commit(&lifted, error);
  if (status == CLA_OK) status = output_commit(&unlifted, error);
  output_discard(&unlifted);
  output_discard(&lifted);
  free(work.lost_name);
  return status;
}
