/* Pairs and results as bytes. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "batch/ranks_batch.h"
#include "pipeline/pipeline.h"
#include "result/alignment.h"
#include "seq/sequence_internal.h"

/* A side of a pair: its range is all that is sent. */
typedef struct side_head {
  rank_origin origin;
  int64_t letters, name_bytes, location_bytes;
  int32_t alphabet;
  char own[ALPHABET_LETTERS_MOST + 1]; /* letters of an alphabet of the user's */
} side_head;

typedef struct job_head {
  int32_t place;
  bool has_strand, only_score;
  cla_strand strand;
  score_gate needed;
  int64_t kept_as;
  cla_pairs_mark mark;
} job_head;

static cla_status write_side(rank_writer *into, const cla_sequence *sequence, cla_error *error) {
  const letter_set *letters = sequence_alphabet(sequence);
  const char *name = cla_sequence_name(sequence), *location = cla_sequence_location(sequence);
  side_head head;
  memset(&head, 0, sizeof head);
  head.origin.length = cla_sequence_length(sequence);
  head.origin.begin = cla_sequence_begin(sequence);
  cla_sequence_checksum(sequence, head.origin.checksum);
  head.letters = sequence_range_letters(sequence);
  head.name_bytes = (int64_t)strlen(name) + 1;
  head.location_bytes = (int64_t)strlen(location) + 1;
  head.alphabet = (int32_t)letters->kind;
  memcpy(head.own, letters->letters, sizeof head.own);
  cla_status status = rank_write(into, &head, sizeof head, error);
  if (status == CLA_OK) status = rank_write(into, name, head.name_bytes, error);
  if (status == CLA_OK) status = rank_write(into, location, head.location_bytes, error);
  if (status == CLA_OK)
    status = rank_write(into, sequence_codes(sequence) + cla_sequence_begin(sequence), head.letters, error);
  return status;
}

cla_status rank_job_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error) {
  job_head head;
  memset(&head, 0, sizeof head);
  head.place = place;
  head.has_strand = job->pair.has_strand;
  head.strand = job->pair.strand;
  head.only_score = job->only_score;
  head.needed = job->needed;
  head.kept_as = job->pair.kept_as;
  head.mark = job->pair.mark;
  cla_status status = rank_write(into, &head, sizeof head, error);
  if (status == CLA_OK) status = write_side(into, job->pair.query, error);
  return status == CLA_OK ? write_side(into, job->pair.target, error) : status;
}

static cla_status damaged(cla_error *error) {
  return error_set(error, CLA_ERROR_DEVICE,
                   "a message of a batch is damaged; run one version of clalign-mpi on all hosts");
}

static cla_status read_side(cla_sequence **out, rank_origin *origin, rank_reader *from, cla_error *error) {
  side_head head;
  letter_set room;
  letter_store store = {.allow_empty = true};
  if (!rank_copy(&head, from, sizeof head)) return damaged(error);
  const char *name = (const char *)rank_skip(from, head.name_bytes);
  const char *location = (const char *)rank_skip(from, head.location_bytes);
  const uint8_t *codes = rank_skip(from, head.letters);
  if (!name || !location || !codes || head.name_bytes < 1 || head.location_bytes < 1) return damaged(error);
  head.own[ALPHABET_LETTERS_MOST] = '\0';
  *origin = head.origin;
  cla_status status = alphabet_choose(&store.alphabet, &room, (cla_alphabet)head.alphabet, head.own, error);
  if (status == CLA_OK && head.letters > 0)
    status = allocate_array((void **)&store.codes, head.letters, 1, "the letters of a pair", error);
  if (status != CLA_OK) return status;
  if (head.letters > 0) memcpy(store.codes, codes, (size_t)head.letters);
  store.length = store.capacity = head.letters;
  return sequence_create(out, &(sequence_label){name, location, 0, head.letters}, &store, error);
}

void rank_job_free(batch_job *job) {
  if (!job) return;
  cla_sequence *sides[] = {(cla_sequence *)(uintptr_t)job->pair.query,
                           (cla_sequence *)(uintptr_t)job->pair.target};
  batch_job_clear(job);
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  free(job);
}

cla_status rank_job_read(rank_job *out, rank_reader *from, cla_error *error) {
  job_head head;
  batch_job *job = NULL;
  cla_sequence *query = NULL, *target = NULL;
  if (!rank_copy(&head, from, sizeof head)) return damaged(error);
  cla_status status = allocate_zeros((void **)&job, 1, sizeof *job, "a pair", error);
  if (status != CLA_OK) return status;
  status = read_side(&query, &out->origins[0], from, error);
  if (status == CLA_OK) status = read_side(&target, &out->origins[1], from, error);
  job->pair = (cla_batch_pair){.query = query,
                               .target = target,
                               .has_strand = head.has_strand,
                               .strand = head.strand,
                               .kept_as = head.kept_as,
                               .mark = head.mark};
  job->readable = true;
  job->only_score = head.only_score;
  job->needed = head.needed;
  job->gate = head.needed.given ? &job->needed : NULL;
  out->place = head.place;
  out->job = job;
  if (status != CLA_OK) rank_job_free(job);
  return status;
}

typedef struct result_head {
  int32_t place;
  cla_status status;
  bool kept;
  int64_t alignments, error_bytes;
} result_head;

/* An alignment but for what the sequences and the options say. */
typedef struct alignment_head {
  int64_t score;
  int64_t query_start, query_stop, target_start, target_stop; /* in the ranges */
  cla_strand strand;
  cla_gap_placement gap_placement;
  bool has_path, nowhere;
  uint64_t runs;
  cla_metrics metrics;
} alignment_head;

#define RUN_BITS 2 /* of a run's kind */

static cla_status write_alignment(rank_writer *into, const cla_alignment *a, cla_error *error) {
  alignment_head head;
  memset(&head, 0, sizeof head);
  head.score = a->score;
  head.query_start = a->query.start;
  head.query_stop = a->query.stop;
  head.target_start = a->target.start;
  head.target_stop = a->target.stop;
  head.strand = a->strand;
  head.gap_placement = a->gap_placement;
  head.has_path = a->has_path;
  head.nowhere = path_is_nowhere(a);
  head.runs = a->run_count;
  head.metrics = a->metrics;
  cla_status status = rank_write(into, &head, sizeof head, error);
  for (size_t i = 0; i < a->run_count && status == CLA_OK; i++) {
    const int64_t run = a->runs[i].length << RUN_BITS | (int64_t)a->runs[i].kind;
    status = rank_write(into, &run, sizeof run, error);
  }
  return status;
}

cla_status rank_result_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error) {
  result_head head;
  memset(&head, 0, sizeof head);
  head.place = place;
  head.status = job->status;
  head.kept = job->kept;
  head.alignments = (int64_t)job->count;
  head.error_bytes = job->error ? (int64_t)strlen(job->error->message) + 1 : 0;
  cla_status status = rank_write(into, &head, sizeof head, error);
  if (status == CLA_OK && job->error) status = rank_write(into, job->error->message, head.error_bytes, error);
  for (size_t i = 0; i < job->count && status == CLA_OK; i++)
    status = write_alignment(into, job->alignments[i], error);
  return status;
}

cla_status rank_result_place(int32_t *place, rank_reader *from, cla_error *error) {
  rank_reader ahead = *from;
  result_head head;
  if (!rank_copy(&head, &ahead, sizeof head)) return damaged(error);
  *place = head.place;
  return CLA_OK;
}

/* The positions in the record. */
static void place_side(cla_side *side, int64_t start, int64_t stop, bool nowhere) {
  const int64_t begin = nowhere ? 0 : side->begin;
  side->start = start < 0 ? start : start + begin;
  side->stop = stop < 0 ? stop : stop + begin;
}

/* The side, which has a range as its record, in the record. */
static void return_side(cla_side *side, const rank_origin *origin, bool nowhere) {
  side->begin = origin->begin;
  side->end += origin->begin;
  side->length = origin->length;
  memcpy(side->checksum, origin->checksum, sizeof side->checksum);
  place_side(side, side->start, side->stop, nowhere);
}

cla_status rank_job_keep(const rank_job *job, cla_batch_directory *directory, cla_error *error) {
  const int64_t count = (int64_t)job->job->count;
  cla_alignment *copies = NULL; /* which own nothing */
  const cla_alignment **placed = NULL;
  cla_status status = allocate_array((void **)&copies, count, sizeof *copies, "alignments", error);
  if (status == CLA_OK) status = allocate_array((void **)&placed, count, sizeof *placed, "alignments", error);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) {
    copies[i] = *job->job->alignments[i];
    const bool nowhere = path_is_nowhere(&copies[i]);
    return_side(&copies[i].query, &job->origins[0], nowhere);
    return_side(&copies[i].target, &job->origins[1], nowhere);
    placed[i] = &copies[i];
  }
  if (status == CLA_OK) status = batch_job_keep(job->job, directory, placed, error);
  free(placed);
  free(copies);
  return status;
}

static cla_status read_runs(cla_alignment *a, rank_reader *from, uint64_t count, cla_error *error) {
  const uint8_t *bytes = rank_skip(from, (int64_t)(count * sizeof(int64_t)));
  if (!bytes) return damaged(error);
  if (count == 0) return CLA_OK;
  cla_status status =
      allocate_array((void **)&a->runs, (int64_t)count, sizeof *a->runs, "an alignment's runs", error);
  for (uint64_t i = 0; i < count && status == CLA_OK; i++) {
    int64_t run;
    memcpy(&run, bytes + i * sizeof run, sizeof run);
    a->runs[i] = (cla_run){.length = run >> RUN_BITS, .kind = (cla_run_kind)(run & ((1 << RUN_BITS) - 1))};
  }
  if (status == CLA_OK) a->run_count = count;
  return status;
}

static cla_status read_alignment(cla_alignment **out, const batch_job *job, rank_reader *from,
                                 const cla_align_options *align, cla_error *error) {
  alignment_head head;
  if (!rank_copy(&head, from, sizeof head)) return damaged(error);
  cla_status status =
      alignment_create(out, job->pair.query, job->pair.target, align->mode, &align->scoring, error);
  if (status != CLA_OK) return status;
  cla_alignment *a = *out;
  a->free_ends = align->free_ends;
  a->score = head.score;
  a->strand = head.strand;
  a->gap_placement = head.gap_placement;
  a->has_band = align->has_band;
  a->band = align->has_band ? align->band : 0;
  a->has_path = head.has_path;
  a->metrics = head.metrics;
  place_side(&a->query, head.query_start, head.query_stop, head.nowhere);
  place_side(&a->target, head.target_start, head.target_stop, head.nowhere);
  return read_runs(a, from, head.runs, error);
}

cla_status rank_result_read(batch_job *job, rank_reader *from, const cla_align_options *align,
                            cla_error *error) {
  result_head head;
  cla_error why = {.status = CLA_OK};
  if (!rank_copy(&head, from, sizeof head)) return damaged(error);
  const char *message = (const char *)rank_skip(from, head.error_bytes);
  if (!message || head.alignments < 0 || head.alignments > from->left) return damaged(error);
  batch_job_clear(job);
  if (head.status != CLA_OK) {
    error_set(&why, head.status, "%.*s", (int)head.error_bytes, head.error_bytes > 0 ? message : "");
    batch_job_fail(job, head.status, &why);
    return CLA_OK;
  }
  job->kept = head.kept;
  if (head.alignments == 0) return CLA_OK;
  const cla_align_options own = align_options_for(align, job->pair.query, job->pair.target);
  cla_status status = allocate_zeros((void **)&job->alignments, head.alignments, sizeof *job->alignments,
                                     "alignments", error);
  for (int64_t i = 0; i < head.alignments && status == CLA_OK; i++) {
    status = read_alignment(&job->alignments[i], job, from, &own, error);
    job->count += job->alignments[i] != NULL;
  }
  return status;
}
