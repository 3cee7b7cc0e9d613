/* Encodes and decodes pairs and results for messages. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "ranks/ranks_batch.h"
#include "result/alignment.h"
#include "result/alignment_codec.h"
#include "seq/sequence_internal.h"

/* The head of a side of a pair. Only the letters of its range follow. */
typedef struct side_head {
  rank_origin origin;
  int64_t letters, name_bytes, location_bytes;
  int32_t alphabet;
  char own[ALPHABET_LETTERS_MOST + 1]; /* the letters of a user's alphabet */
} side_head;

typedef struct job_head {
  int32_t place;
  bool has_strand, only_score;
  cla_strand strand;
  score_gate needed;
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
    status = ALLOCATE_ARRAY(&store.codes, head.letters, "the letters of a pair", error);
  if (status != CLA_OK) return status;
  if (head.letters > 0) memcpy(store.codes, codes, (size_t)head.letters);
  store.length = store.capacity = head.letters;
  return sequence_create(out, &(sequence_label){name, location, .end = head.letters}, &store, error);
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
  cla_status status = ALLOCATE_ZEROS(&job, 1, "a pair", error);
  if (status != CLA_OK) return status;
  status = read_side(&query, &out->origins[0], from, error);
  if (status == CLA_OK) status = read_side(&target, &out->origins[1], from, error);
  job->pair = (cla_batch_pair){
      .query = query, .target = target, .has_strand = head.has_strand, .strand = head.strand};
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
  int64_t alignments, error_bytes;
} result_head;

/* Writes the alignment's metrics, which are not stored in files, and then its bytes as in a file. */
static cla_status write_alignment(rank_writer *into, const cla_alignment *alignment, cla_error *error) {
  byte_sink sink = {.error = error};
  alignment_encode(&sink, alignment, ALIGNMENT_CODEC_VERSION, true);
  cla_status status = sink.status;
  if (status == CLA_OK) status = rank_write(into, &alignment->metrics, sizeof alignment->metrics, error);
  if (status == CLA_OK) status = rank_write(into, sink.bytes, sink.length, error);
  free(sink.bytes);
  return status;
}

cla_status rank_result_write(rank_writer *into, const batch_job *job, int32_t place, cla_error *error) {
  result_head head;
  memset(&head, 0, sizeof head);
  head.place = place;
  head.status = job->status;
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

/* Converts a side's positions from the range to the whole record. */
static void place_side(cla_side *side, const rank_origin *origin, bool nowhere) {
  const int64_t begin = nowhere ? 0 : origin->begin;
  side->begin = origin->begin;
  side->end += origin->begin;
  side->length = origin->length;
  memcpy(side->checksum, origin->checksum, sizeof side->checksum);
  if (side->start >= 0) side->start += begin;
  if (side->stop >= 0) side->stop += begin;
}

void rank_job_place(const rank_job *job) {
  for (size_t i = 0; i < job->job->count; i++) {
    cla_alignment *found = job->job->alignments[i];
    const bool nowhere = path_is_nowhere(found);
    place_side(&found->query, &job->origins[0], nowhere);
    place_side(&found->target, &job->origins[1], nowhere);
  }
}

static cla_status read_alignment(cla_alignment **out, rank_reader *from, cla_error *error) {
  cla_metrics metrics;
  char fault[CODEC_FAULT_SIZE];
  if (!rank_copy(&metrics, from, sizeof metrics)) return damaged(error);
  byte_source source = {.at = from->at, .end = from->at + from->left};
  cla_status status = alignment_decode(out, &source, ALIGNMENT_CODEC_VERSION, fault, error);
  if (status == CLA_ERROR_INPUT)
    return error_set(error, CLA_ERROR_DEVICE,
                     "a result of a batch is damaged: %.400s; run one version of clalign-mpi on all hosts",
                     fault);
  if (status != CLA_OK) return status;
  (*out)->metrics = metrics;
  (void)rank_skip(from, from->left - byte_source_left(&source));
  return CLA_OK;
}

cla_status rank_result_read(batch_job *job, rank_reader *from, cla_error *error) {
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
  if (head.alignments == 0) return CLA_OK;
  cla_status status = ALLOCATE_ZEROS(&job->alignments, head.alignments, "alignments", error);
  for (int64_t i = 0; i < head.alignments && status == CLA_OK; i++) {
    status = read_alignment(&job->alignments[i], from, error);
    job->count += job->alignments[i] != NULL;
  }
  return status;
}
