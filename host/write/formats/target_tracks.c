/* Tracks along the target: the format bed with the callable letters, or without uncertain ones, and the
 * format bedgraph with margins. */

#include <inttypes.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "write/certain_runs.h"
#include "write/writer.h"

/* The reader of an alignment's margins, with the run that it has read last. */
typedef struct margin_reader {
  certain_runs runs;
  certain_run at;
  bool more;
} margin_reader;

/* A stretch of target letters with the same value, which waits to be printed. */
typedef struct track_stretch {
  int64_t from, to, value;
} track_stretch;

typedef struct margin_track {
  const write_job *job;
  const char *target;
  int64_t mask_below; /* 0: print margins */
  track_stretch waiting;
} margin_track;

static void print_waiting(margin_track *track) {
  const track_stretch *it = &track->waiting;
  char points[CLA_SCORE_TEXT_SIZE];
  FILE *file = track->job->file;
  const bool left_out = track->mask_below > 0 && it->value == 0;
  if (it->from < it->to && !left_out) {
    fprintf(file, "%s\t%" PRId64 "\t%" PRId64, track->target, it->from, it->to);
    cla_score_text(points, it->value, &track->job->alignments[0]->scoring);
    if (track->mask_below == 0) fprintf(file, "\t%s", points);
    fputc('\n', file);
  }
  track->waiting = (track_stretch){0};
}

static void add_stretch(margin_track *track, int64_t from, int64_t to, int64_t margin) {
  const int64_t value = track->mask_below > 0 ? margin >= track->mask_below : margin;
  if (from >= to) return;
  if (track->waiting.to == from && track->waiting.value == value && track->waiting.from < from) {
    track->waiting.to = to;
    return;
  }
  print_waiting(track);
  track->waiting = (track_stretch){from, to, value};
}

/* Adds the letters of a part. The parts of an alignment come in the order of the target. */
static void add_part(margin_track *track, margin_reader *reader, const callable_part *part) {
  const int64_t start = track->job->alignments[part->alignment]->target.start;
  while (reader->more) {
    const certain_run *run = &reader->at;
    const int64_t from = start + run->target;
    const int64_t to = run->kind == CLA_RUN_QUERY ? from : from + run->columns;
    add_stretch(track, larger(from, part->from), smaller(to, part->to), run->margin);
    if (to > part->to) break;
    reader->more = certain_runs_next(&reader->runs, &reader->at);
  }
  print_waiting(track);
}

static void begin_reader(margin_reader *reader, const write_job *job, size_t index) {
  if (!job_certificate(job, index)) return; /* there are no columns */
  certain_runs_begin(&reader->runs, job_certificate(job, index), job->alignments[index]);
  reader->more = certain_runs_next(&reader->runs, &reader->at);
}

static void print_parts(margin_track *track, margin_reader *readers, const callable_part *parts,
                        size_t count) {
  for (size_t i = 0; i < track->job->count; i++) begin_reader(&readers[i], track->job, i);
  for (size_t i = 0; i < count && !ferror(track->job->file); i++)
    add_part(track, &readers[parts[i].alignment], &parts[i]);
}

/* Prints the callable letters of the target with their margins, as bedgraph. With `mask_below` above 0,
 * prints only the letters whose margin is at least that, as BED. CLA_ERROR_MEMORY. */
static cla_status margin_track_write(const write_job *job, int64_t mask_below, cla_error *error) {
  callable_part *parts = NULL;
  margin_reader *readers = NULL;
  size_t count = 0;
  name_pair names = {0};
  cla_status status = callable_parts_list(&parts, &count, job, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&readers, (int64_t)job->count, "margins", error);
  if (status == CLA_OK) status = name_pair_make(&names, job, error);
  margin_track track = {.job = job, .target = names.target, .mask_below = mask_below};
  if (status == CLA_OK) print_parts(&track, readers, parts, count);
  free(readers);
  free(parts);
  name_pair_free(&names);
  return status;
}

/* Returns mask_below in the scheme's units, rounded up. */
static int64_t mask_in_units(const write_job *job) {
  const int64_t units = larger(job->alignments[0]->scoring.units, 1);
  return (job->how->mask_below * units + CLA_UNITS_LIMIT - 1) / CLA_UNITS_LIMIT;
}

cla_status write_bedgraph(const write_job *job, cla_error *error) {
  return margin_track_write(job, 0, error);
}

cla_status write_bed(const write_job *job, cla_error *error) {
  callable_part *parts = NULL;
  size_t count = 0;
  name_pair names = {0};
  if (job->how->mask_below > 0 && job->count > 0) return margin_track_write(job, mask_in_units(job), error);
  cla_status status = callable_parts_list(&parts, &count, job, error);
  if (status == CLA_OK) status = name_pair_make(&names, job, error);
  for (size_t index = 0; index < count && status == CLA_OK && !ferror(job->file); index++)
    if (parts[index].from < parts[index].to)
      fprintf(job->file, "%s\t%" PRId64 "\t%" PRId64 "\n", names.target, parts[index].from, parts[index].to);
  free(parts);
  name_pair_free(&names);
  return status;
}
