/* Reads maps of positions from files: saved alignments, and records of other programs. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/aligned_records.h"
#include "clalign/alignment.h"
#include "compare/lift/lift_map.h"
#include "result/alignment.h"
#include "seq/sequence_internal.h"
#include "write/formats/alignment_file.h"

/* The path of a pair of records. The path's positions count from letter `rotation` of a circular record, on
 * the aligned strand. */
typedef struct lift_path {
  lift_pair pair;
  int64_t target, query; /* start of the path, in the rotated records */
  int64_t target_rotation, query_rotation;
  const cla_run *runs;
  size_t run_count;
} lift_path;

static int64_t least(int64_t a, int64_t b, int64_t c) {
  const int64_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Adds paired letters. At a circle's origin, the chain ends and a new one starts. `block`: from the target to
 * the query. `last`: the ends of the previous block, both 0 at first. */
static cla_status add_pairs(cla_lift *map, const lift_path *path, const lift_block *block, int64_t last[2],
                            cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t done = 0, steps; done < block->length && status == CLA_OK; done += steps) {
    const int64_t t = (block->from + done + path->target_rotation) % path->pair.target_length,
                  q = (block->to + done + path->query_rotation) % path->pair.query_length;
    steps = least(block->length - done, path->pair.target_length - t, path->pair.query_length - q);
    if (t < last[0] || q < last[1]) {
      lift_map_end(map);
      status = lift_map_begin(map, &path->pair, error);
    }
    if (status == CLA_OK) status = lift_map_add(map, t, q, steps, error);
    last[0] = t + steps;
    last[1] = q + steps;
  }
  return status;
}

static cla_status add_path(cla_lift *map, const lift_path *path, cla_error *error) {
  lift_block at = {.from = path->target, .to = path->query};
  int64_t last[2] = {0};
  cla_status status = lift_map_begin(map, &path->pair, error);
  for (size_t i = 0; i < path->run_count && status == CLA_OK; i++) {
    const cla_run *run = &path->runs[i];
    at.length = run->length;
    if (run->kind == CLA_RUN_PAIR) status = add_pairs(map, path, &at, last, error);
    if (run->kind != CLA_RUN_TARGET) at.to += run->length;
    if (run->kind != CLA_RUN_QUERY) at.from += run->length;
  }
  if (status == CLA_OK) lift_map_end(map);
  return status;
}

static cla_status add_record(cla_lift *map, const cla_aligned_record *record, cla_error *error) {
  const lift_path path = {.pair = {.target_name = record->name[1],
                                   .target_length = record->length[1],
                                   .query_name = record->name[0],
                                   .query_length = record->length[0],
                                   .reverse = record->path.strand == CLA_STRAND_REVERSE},
                          .target = record->path.target_start,
                          .query = record->path.query_start,
                          .runs = record->path.runs,
                          .run_count = record->path.run_count};
  return record->secondary ? CLA_OK : add_path(map, &path, error);
}

/* Reads another aligner's records. A wrong record ends the reading. */
static cla_status read_records(cla_lift *map, const char *path, const char *shown, cla_error *error) {
  cla_aligned_records *file = NULL;
  cla_aligned_record *record = NULL;
  cla_status status = cla_aligned_records_open(&file, path, error);
  while (status == CLA_OK) {
    cla_error why = {.status = CLA_OK};
    status = cla_aligned_records_next(&record, file, &why);
    if (status == CLA_ERROR_INPUT && record)
      status = error_set(error, CLA_ERROR_INPUT, "record %" PRId64 " of %s: %s", record->number, shown,
                         why.message);
    else if (status != CLA_OK)
      *error = why;
    if (!record) break;
    if (status == CLA_OK) status = add_record(map, record, error);
    cla_aligned_record_free(record);
  }
  cla_aligned_records_close(file);
  return status;
}

static cla_status add_alignment(cla_lift *map, const cla_alignment *alignment, const char *shown,
                                cla_error *error) {
  const bool reverse = alignment->strand == CLA_STRAND_REVERSE;
  const cla_side *query = &alignment->query, *target = &alignment->target;
  if (!alignment->has_path)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds a score alone; align again without --score-only, and save that", shown);
  const lift_path path = {.pair = {.target_name = target->name,
                                   .target_length = target->length,
                                   .query_name = query->name,
                                   .query_length = query->length,
                                   .reverse = reverse},
                          .target = target->start,
                          .query = strand_query_start(alignment),
                          .target_rotation = target->rotation,
                          .query_rotation = reverse ? query->length - query->rotation : query->rotation,
                          .runs = alignment->runs,
                          .run_count = alignment->run_count};
  return add_path(map, &path, error);
}

static cla_status read_saved(cla_lift *map, const char *path, const char *shown, cla_error *error) {
  cla_alignment **alignments = NULL;
  size_t count = 0;
  cla_status status = cla_alignment_load(&alignments, &count, path, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = add_alignment(map, alignments[i], shown, error);
  if (alignments) cla_alignments_free(alignments, count);
  return status;
}

/* Returns true if the file is a saved alignment; false also for standard input and for unreadable files. */
static bool is_saved(const char *path) {
  char begin[ALIGNMENT_FILE_MAGIC_BYTES] = {0};
  FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
  if (!file) return false;
  const size_t got = fread(begin, 1, sizeof begin, file);
  fclose(file);
  return got == sizeof begin && memcmp(begin, ALIGNMENT_FILE_MAGIC, sizeof begin) == 0;
}

/* Reads a file as cla_lift_open does, into an empty map. */
static cla_status lift_map_read(cla_lift *map, const char *path, cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  shown_text(shown, sizeof shown, path);
  cla_status status =
      is_saved(path) ? read_saved(map, path, shown, error) : read_records(map, path, shown, error);
  if (status == CLA_OK && map->chain_count == 0)
    status = error_set(error, CLA_ERROR_INPUT,
                       "%s has no alignment; give a .cla file, chain, PAF, SAM, BAM, MAF or delta", shown);
  return status;
}

cla_status cla_lift_open(cla_lift **out, const char *path, bool reverse, cla_error *error) {
  cla_lift *map = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&map, 1, "an alignment", error);
  if (status != CLA_OK) return status;
  map->swapped = reverse;
  status = lift_map_read(map, path, error);
  if (status == CLA_OK) status = lift_map_finish(map, error);
  if (status == CLA_OK)
    *out = map;
  else
    cla_lift_close(map);
  return status;
}
