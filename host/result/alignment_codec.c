#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "result/alignment.h"
#include "result/alignment_codec.h"
#include "result/path_check.h"

static void put_text(byte_sink *sink, const char *text) {
  int64_t length = text ? (int64_t)strlen(text) : 0;
  byte_sink_put_unsigned(sink, (uint64_t)length);
  byte_sink_put(sink, text, length);
}

static void put_scoring(byte_sink *sink, const cla_scoring *scoring) {
  byte_sink_put_signed(sink, scoring->match);
  byte_sink_put_signed(sink, scoring->mismatch);
  byte_sink_put_signed(sink, scoring->gap[0].first);
  byte_sink_put_signed(sink, scoring->gap[0].ext);
  byte_sink_put_unsigned(sink, (uint64_t)scoring->matrix_size);
  byte_sink_put(sink, scoring->letters, scoring->matrix_size);
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column < scoring->matrix_size; column++)
      byte_sink_put_signed(sink, scoring->matrix[row * CLA_MATRIX_STRIDE + column]);
}

static void put_side(byte_sink *sink, const cla_side *side) {
  put_text(sink, side->name);
  put_text(sink, side->location);
  byte_sink_put_unsigned(sink, (uint64_t)side->length);
  byte_sink_put_unsigned(sink, (uint64_t)side->begin);
  byte_sink_put_unsigned(sink, (uint64_t)side->end);
  byte_sink_put_signed(sink, side->start);
  byte_sink_put_unsigned(sink, (uint64_t)side->stop);
  byte_sink_put(sink, side->checksum, sizeof side->checksum);
}

/* Appends the list of the gaps of one kind. For each gap, it has the distances, in both sequences, from the
 * previous gap's end (or the path's start) to the gap's start, and the gap's length. */
static void put_gaps(byte_sink *sink, const cla_alignment *alignment, cla_run_kind kind) {
  uint64_t count = 0;
  for (size_t index = 0; index < alignment->run_count; index++) count += alignment->runs[index].kind == kind;
  byte_sink_put_unsigned(sink, count);
  int64_t query = 0, target = 0;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == kind) {
      byte_sink_put_unsigned(sink, (uint64_t)query);
      byte_sink_put_unsigned(sink, (uint64_t)target);
      byte_sink_put_unsigned(sink, (uint64_t)run->length);
      query = target = 0;
      continue;
    }
    if (run->kind != CLA_RUN_TARGET) query += run->length;
    if (run->kind != CLA_RUN_QUERY) target += run->length;
  }
}

int alignment_codec_version(const cla_alignment *alignment, bool with_work) {
  const cla_scoring *scoring = &alignment->scoring;
  if (alignment_facts_any(alignment, with_work) || (int)alignment->mode > CLA_MODE_GLOBAL) return 4;
  if (alignment->query.length == 0 || alignment->target.length == 0) return 4;
  if (alignment->strand != CLA_STRAND_FORWARD) return 3;
  const bool first = alignment->alphabet == CLA_ALPHABET_DNA && scoring->matrix_size == 0 &&
                     scoring->ambiguity == CLA_AMBIGUITY_MISMATCH;
  return first ? 1 : 2;
}

/* Appends the fields that version 2 of the format added. */
static void put_letters(byte_sink *sink, const cla_alignment *alignment) {
  byte_sink_put_fixed(sink, (uint64_t)alignment->alphabet, 1);
  byte_sink_put_fixed(sink, (uint64_t)alignment->scoring.ambiguity, 1);
  put_text(sink, alignment->scoring.matrix_name);
}

void alignment_encode(byte_sink *sink, const cla_alignment *alignment, int version, bool with_work) {
  byte_sink_put_fixed(sink, (uint64_t)alignment->mode, 1);
  byte_sink_put_fixed(sink, alignment->has_path ? 1 : 0, 1);
  byte_sink_put_signed(sink, alignment->score);
  put_scoring(sink, &alignment->scoring);
  if (version >= 2) put_letters(sink, alignment);
  if (version >= 3) byte_sink_put_fixed(sink, (uint64_t)alignment->strand, 1);
  if (version >= 4) alignment_facts_put(sink, alignment, with_work);
  cla_side query = alignment->query;
  if (alignment->strand == CLA_STRAND_REVERSE) side_turn(&query, path_is_nowhere(alignment));
  put_side(sink, &query);
  put_side(sink, &alignment->target);
  if (alignment->has_path) {
    put_gaps(sink, alignment, CLA_RUN_TARGET);
    put_gaps(sink, alignment, CLA_RUN_QUERY);
  }
  if (with_work && alignment->work) work_codec_put(sink, alignment->work);
}

__attribute__((format(printf, 2, 3))) static cla_status reject(char *fault, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault, CODEC_FAULT_SIZE, format, arguments);
  va_end(arguments);
  return CLA_ERROR_INPUT;
}

static cla_status take_text(char **out, byte_source *source, char *fault, cla_error *error) {
  void *memory = NULL;
  uint64_t length = byte_source_take_unsigned(source);
  const uint8_t *bytes = byte_source_take(source, length);
  if (!bytes) return reject(fault, "a name ends too early");
  if (memchr(bytes, 0, (size_t)length)) return reject(fault, "a name holds a zero byte");
  cla_status status = allocate_array(&memory, (int64_t)length + 1, 1, "a name", error);
  if (status != CLA_OK) return status;
  memcpy(memory, bytes, (size_t)length);
  ((char *)memory)[length] = '\0';
  *out = memory;
  return CLA_OK;
}

static int32_t take_score(byte_source *source) {
  int64_t value = byte_source_take_signed(source);
  if (value < INT32_MIN || value > INT32_MAX) source->failed = true;
  return source->failed ? 0 : (int32_t)value;
}

/* Reads the fields of the scoring that version 2 of the format added. */
static cla_status take_letters(cla_alignment *alignment, byte_source *source, char *fault) {
  cla_scoring *scoring = &alignment->scoring;
  const uint64_t kind = byte_source_take_fixed(source, 1), ambiguity = byte_source_take_fixed(source, 1);
  const uint64_t length = byte_source_take_unsigned(source);
  const uint8_t *name = byte_source_take(source, length);
  if (source->failed || kind > CLA_ALPHABET_OWN || ambiguity > CLA_AMBIGUITY_EXPECTED)
    return reject(fault, "its alphabet or ambiguity is unknown");
  if (!name || length >= sizeof scoring->matrix_name || memchr(name, 0, (size_t)length))
    return reject(fault, "a score matrix' name is too long or holds a zero byte");
  alignment->alphabet = (cla_alphabet)kind;
  scoring->ambiguity = (cla_ambiguity)ambiguity;
  memcpy(scoring->matrix_name, name, (size_t)length);
  return CLA_OK;
}

static cla_status take_scoring(cla_alignment *alignment, byte_source *source, int version, char *fault) {
  cla_scoring *scoring = &alignment->scoring;
  scoring->units = 1;
  scoring->match = take_score(source);
  scoring->mismatch = take_score(source);
  scoring->gap[0].first = take_score(source);
  scoring->gap[0].ext = take_score(source);
  int64_t size = byte_source_take_size(source);
  if (size > CLA_MATRIX_STRIDE)
    return reject(fault, "a score matrix has %lld letters, more than %d", (long long)size, CLA_MATRIX_STRIDE);
  const uint8_t *letters = byte_source_take(source, (uint64_t)size);
  if (letters) memcpy(scoring->letters, letters, (size_t)size);
  scoring->matrix_size = (int32_t)size;
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = take_score(source);
  if (source->failed) return reject(fault, "the scoring ends too early");
  cla_status status = version >= 2 ? take_letters(alignment, source, fault) : CLA_OK;
  if (status != CLA_OK) return status;
  if (alignment->alphabet == CLA_ALPHABET_OWN && size == 0)
    return reject(fault, "sequences of own letters need a score matrix");
  return CLA_OK;
}

/* Reads the fields that version 4 of the format added. The scoring is then complete. */
static cla_status take_facts(cla_alignment *alignment, int *work_form, byte_source *source, int version,
                             char *fault) {
  cla_error reason = {.message = ""};
  uint64_t key = 0;
  const bool known = version < 4 || alignment_facts_take(alignment, work_form, source, &key);
  if (source->failed) return reject(fault, "its further facts end too early");
  if (!known)
    return reject(fault, "its further fact %llu is unknown, repeated or without a sensible value",
                  (unsigned long long)key);
  if (cla_scoring_check(&alignment->scoring, &reason) != CLA_OK)
    return reject(fault, "%.400s", reason.message);
  return CLA_OK;
}

static cla_status take_side(cla_side *side, byte_source *source, char *fault, cla_error *error) {
  cla_status status = take_text(&side->name, source, fault, error);
  if (status == CLA_OK) status = take_text(&side->location, source, fault, error);
  if (status != CLA_OK) return status;
  side->length = byte_source_take_size(source);
  side->begin = byte_source_take_size(source);
  side->end = byte_source_take_size(source);
  side->start = byte_source_take_signed(source);
  side->stop = byte_source_take_size(source);
  const uint8_t *checksum = byte_source_take(source, sizeof side->checksum);
  if (!checksum) return reject(fault, "the coordinates end too early");
  memcpy(side->checksum, checksum, sizeof side->checksum);
  return CLA_OK;
}

/* A gap list that is being read. */
typedef struct gap_list {
  cla_run_kind kind;
  byte_source source;
  int64_t count, left; /* number of gaps, and number of gaps not yet read */
  bool has_next;
  int64_t query, target, length; /* position and length of the next gap */
} gap_list;

/* Reads the next gap; its distances are counted from the previous gap's end. */
static void gap_list_next(gap_list *list, int64_t query, int64_t target) {
  list->has_next = list->left > 0;
  if (!list->has_next) return;
  list->left--;
  if (__builtin_add_overflow(query, byte_source_take_size(&list->source), &list->query) ||
      __builtin_add_overflow(target, byte_source_take_size(&list->source), &list->target))
    list->source.failed = true;
  list->length = byte_source_take_size(&list->source);
}

/* Stores the start of a list and moves `source` past the list. A gap has at least three bytes. So a wrong
 * number of gaps cannot make the caller allocate much memory. */
static cla_status take_list(gap_list *list, byte_source *source, const cla_alignment *alignment,
                            cla_run_kind kind, char *fault) {
  const char *role = kind == CLA_RUN_TARGET ? "query" : "target";
  int64_t count = byte_source_take_size(source);
  if (count > byte_source_left(source) / 3) {
    source->failed = true;
    count = 0;
  }
  *list = (gap_list){.kind = kind, .source = *source, .count = count, .left = count};
  for (int64_t number = 0; number < 3 * count && !source->failed; number++)
    (void)byte_source_take_unsigned(source);
  if (source->failed) return reject(fault, "the list of gaps in the %s ends too early", role);
  list->source.end = source->at;
  gap_list_next(list, alignment->query.start, alignment->target.start);
  return CLA_OK;
}

static void add_run(cla_alignment *alignment, cla_run_kind kind, int64_t length) {
  alignment->runs[alignment->run_count++] = (cla_run){.length = length, .kind = kind};
}

/* Adds the pairs between two positions, which are not negative. Returns false if the positions do not lie on
 * one diagonal. */
static bool add_pairs(cla_alignment *alignment, int64_t query, int64_t target, int64_t to_query,
                      int64_t to_target) {
  int64_t length = to_query - query;
  if (length < 0 || length != to_target - target) return false;
  if (length > 0) add_run(alignment, CLA_RUN_PAIR, length);
  return true;
}

/* Returns the list with the next gap along the path. Positions, and so their sums, increase along the
 * path. */
static gap_list *nearest(gap_list *first, gap_list *second) {
  if (!first->has_next) return second;
  if (!second->has_next) return first;
  uint64_t first_distance = (uint64_t)first->query + (uint64_t)first->target;
  return first_distance < (uint64_t)second->query + (uint64_t)second->target ? first : second;
}

/* Merges the two lists into runs, in the order along the path (CUDAlign 2.1, section 4.9). */
static cla_status join_gaps(cla_alignment *alignment, gap_list *in_query, gap_list *in_target, char *fault) {
  int64_t query = alignment->query.start, target = alignment->target.start;
  while (in_query->has_next || in_target->has_next) {
    gap_list *list = nearest(in_query, in_target);
    int64_t *moved = list->kind == CLA_RUN_QUERY ? &query : &target;
    bool fits = !in_query->source.failed && !in_target->source.failed &&
                add_pairs(alignment, query, target, list->query, list->target);
    if (fits) {
      query = list->query;
      target = list->target;
      fits = !__builtin_add_overflow(*moved, list->length, moved);
    }
    if (!fits)
      return reject(fault, "a gap in the %s does not fit the path near query position %lld",
                    list->kind == CLA_RUN_QUERY ? "target" : "query", (long long)query);
    add_run(alignment, list->kind, list->length);
    gap_list_next(list, query, target);
  }
  if (!add_pairs(alignment, query, target, alignment->query.stop, alignment->target.stop))
    return reject(fault, "the gaps do not lead to the alignment's stop at query position %lld",
                  (long long)alignment->query.stop);
  return CLA_OK;
}

static cla_status take_path(cla_alignment *alignment, byte_source *source, char *fault, cla_error *error) {
  gap_list in_query, in_target;
  cla_run *memory = NULL;
  if (alignment->query.start < 0 || alignment->target.start < 0)
    return reject(fault, "the path has a negative start");
  cla_status status = take_list(&in_query, source, alignment, CLA_RUN_TARGET, fault);
  if (status == CLA_OK) status = take_list(&in_target, source, alignment, CLA_RUN_QUERY, fault);
  if (status != CLA_OK) return status;
  int64_t most = 2 * (in_query.count + in_target.count) + 1; /* pairs before every gap and at the end */
  status = ALLOCATE_ARRAY(&memory, most, "an alignment's runs", error);
  if (status != CLA_OK) return status;
  alignment->runs = memory;
  status = join_gaps(alignment, &in_query, &in_target, fault);
  if (alignment->run_count == 0) {
    free(alignment->runs);
    alignment->runs = NULL;
  }
  return status;
}

/* Reads the record of how the matrix of the two ranges was computed. */
static cla_status take_work(cla_alignment *alignment, byte_source *source, int form, char *fault,
                            cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const matrix_size size = {query->end - query->begin, target->end - target->begin};
  cla_status status = work_codec_take(&alignment->work, source, form, &size, error);
  if (status != CLA_OK || alignment->work) return status;
  return reject(fault, "its record of the work is no such record, or leaves the matrix");
}

cla_status alignment_decode(cla_alignment **out, byte_source *source, int version,
                            char fault[CODEC_FAULT_SIZE], cla_error *error) {
  char path_fault[PATH_FAULT_SIZE];
  cla_alignment *alignment = NULL;
  int work_form = 0;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&alignment, 1, "an alignment", error);
  if (status != CLA_OK) return status;
  uint64_t mode = byte_source_take_fixed(source, 1), has_path = byte_source_take_fixed(source, 1);
  alignment->score = byte_source_take_signed(source);
  alignment->mode = (cla_mode)mode;
  alignment->has_path = has_path == 1;
  if (source->failed || mode > (version >= 4 ? CLA_MODE_FREE_ENDS : CLA_MODE_GLOBAL) || has_path > 1)
    status = reject(fault, "its mode, path flag or score is unknown");
  if (status == CLA_OK) status = take_scoring(alignment, source, version, fault);
  const uint64_t strand = status == CLA_OK && version >= 3 ? byte_source_take_fixed(source, 1) : 0;
  if (status == CLA_OK && (source->failed || strand > CLA_STRAND_REVERSE))
    status = reject(fault, "its strand is unknown");
  if (status == CLA_OK) status = take_facts(alignment, &work_form, source, version, fault);
  if (status == CLA_OK) status = take_side(&alignment->query, source, fault, error);
  if (status == CLA_OK) status = take_side(&alignment->target, source, fault, error);
  if (status == CLA_OK && alignment->has_path) status = take_path(alignment, source, fault, error);
  if (status == CLA_OK &&
      !path_is_consistent(alignment, path_fault)) /* positions are still on the aligned strand, as stored */
    status = reject(fault, "%s", path_fault);
  if (status == CLA_OK && work_form > 0)
    status = take_work(alignment, source, work_form, fault, error); /* the ranges are valid */
  if (status == CLA_OK && strand == CLA_STRAND_REVERSE) {
    side_turn(&alignment->query, path_is_nowhere(alignment));
    alignment->strand = CLA_STRAND_REVERSE;
    if (!path_is_consistent(alignment, path_fault)) status = reject(fault, "%s", path_fault);
  }
  if (status == CLA_OK)
    *out = alignment;
  else
    cla_alignment_free(alignment);
  return status;
}
