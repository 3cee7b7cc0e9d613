/* Sums the points that are lost in each window of the targets. */

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"
#include "compare/records/audit_internal.h"

const char *const track_bin_names[TRACK_BINS] = {"nothing", "to 0.01 %", "to 0.1 %",
                                                 "to 1 %",  "to 10 %",   "more"};

cla_status cla_audit_track_begin(cla_audit_track **out, int64_t window_letters, cla_error *error) {
  *out = NULL;
  if (window_letters < 1)
    return error_set(error, CLA_ERROR_OPTION, "a window has at least one letter, not %lld",
                     (long long)window_letters);
  cla_status status = ALLOCATE_ZEROS(out, 1, "a track", error);
  if (status == CLA_OK) (*out)->window_letters = window_letters;
  return status;
}

static void free_target(track_target *target) {
  if (!target) return;
  free(target->name);
  free(target->lost);
  free(target);
}

static void keep(void *node) {
  (void)node;
}

void cla_audit_track_free(cla_audit_track *track) {
  if (!track) return;
  tdestroy(track->tree, keep);
  for (int64_t i = 0; i < track->count; i++) free_target(track->targets[i]);
  free(track->targets);
  free(track);
}

static int compare_targets(const void *left, const void *right) {
  return strcmp(((const track_target *)left)->name, ((const track_target *)right)->name);
}

static cla_status make_target(track_target **out, const cla_audit_track *track, const char *name,
                              int64_t length, cla_error *error) {
  cla_status status = ALLOCATE_ZEROS(out, 1, "a track", error);
  if (status != CLA_OK) return status;
  track_target *target = *out;
  target->length = length;
  target->windows = (length + track->window_letters - 1) / track->window_letters;
  status = allocate_text(&target->name, name, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&target->lost, target->windows, "a track", error);
  return status;
}

/* Finds the target of that name, or adds it if it is new. */
static cla_status find_target(track_target **out, cla_audit_track *track, const char *name, int64_t length,
                              cla_error *error) {
  const track_target key = {.name = (char *)name};
  track_target **found = tfind(&key, &track->tree, compare_targets);
  if (found) {
    *out = *found;
    return CLA_OK;
  }
  cla_status status = make_target(out, track, name, length, error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&track->targets, &track->capacity, track->count + 1, "a track", error);
  if (status == CLA_OK && !tsearch(*out, &track->tree, compare_targets))
    status = allocate_failed("a track", error);
  if (status == CLA_OK)
    track->targets[track->count++] = *out;
  else
    free_target(*out);
  return status;
}

/* Returns the bin of a record. */
static int bin_of(const cla_audit *audit) {
  const double lost = (double)(audit->optimal_score - audit->score);
  const double part = lost / (double)larger(audit->optimal_score, 1);
  double most = 1e-4;
  int bin = 1;
  if (lost == 0) return 0;
  for (; bin < TRACK_BINS - 1 && part > most; bin++) most *= 10;
  return bin;
}

static void share_out(track_target *target, int64_t window_letters, const cla_loss *loss) {
  const int64_t begin = loss->begin[1], end = smaller(loss->end[1], target->length);
  const double each = (double)(loss->optimal_score - loss->score) / (double)(end - begin);
  for (int64_t at = begin, next; at < end; at = next) {
    next = smaller((at / window_letters + 1) * window_letters, end);
    target->lost[at / window_letters] += each * (double)(next - at);
  }
}

cla_status cla_audit_track_add(cla_audit_track *track, const char *target, int64_t length,
                               const cla_audit *audit, cla_error *error) {
  track_target *found = NULL;
  cla_status status = find_target(&found, track, target, length, error);
  if (status != CLA_OK) return status;
  track->bins[bin_of(audit)]++;
  for (int64_t i = 0; i < audit->loss_count; i++) share_out(found, track->window_letters, &audit->losses[i]);
  return CLA_OK;
}

static void write_target(FILE *file, const track_target *target, int64_t window_letters, int32_t units) {
  for (int64_t i = 0; i < target->windows; i++) {
    const long long from = i * window_letters;
    if (target->lost[i] > 0)
      fprintf(file, "%s\t%lld\t%lld\t%.6g\n", target->name, from,
              (long long)smaller(from + window_letters, target->length),
              target->lost[i] / (units > 0 ? units : 1));
  }
}

cla_status cla_audit_track_write(const char *path, const cla_audit_track *track, int32_t units,
                                 cla_error *error) {
  atomic_file *file = NULL;
  cla_status status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  fprintf(atomic_file_stream(file),
          "track type=bedGraph name=\"lost points\" description=\"points lost by %lld letters\"\n",
          (long long)track->window_letters);
  for (int64_t i = 0; i < track->count; i++)
    write_target(atomic_file_stream(file), track->targets[i], track->window_letters, units);
  return atomic_file_commit(file, error);
}
