#include "result/path_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "result/alignment.h"
#include "scoring/pair_problem.h"
#include "seq/sequence.h"

__attribute__((format(printf, 2, 3))) static bool fail(char *fault, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault, PATH_FAULT_SIZE, format, arguments);
  va_end(arguments);
  return false;
}

bool path_is_empty(const cla_alignment *alignment) {
  return path_is_nowhere(alignment) || (alignment->has_path && alignment->run_count == 0);
}

bool path_has_pairs(const cla_alignment *alignment) {
  for (size_t index = 0; index < alignment->run_count; index++)
    if (alignment->runs[index].kind == CLA_RUN_PAIR) return true;
  return false;
}

static bool range_is_valid(const cla_side *side, const char *role, char *fault) {
  const bool whole = side->begin == 0 && side->end == side->length;
  if (side->rotation < 0 || (side->rotation > 0 && (side->rotation >= side->length || !whole)))
    return fail(fault, "the %s's rotation %lld is outside its %lld letters, or of a range", role,
                (long long)side->rotation, (long long)side->length);
  if (side->length == 0 && side->begin == 0 && side->end == 0) return true;
  if (side->length < 1) return fail(fault, "the %s's length %lld is below 1", role, (long long)side->length);
  if (side->begin < 0 || side->begin >= side->end || side->end > side->length)
    return fail(fault, "the %s's range %lld to %lld is empty or outside its %lld letters", role,
                (long long)side->begin, (long long)side->end, (long long)side->length);
  return true;
}

static bool side_is_empty(const cla_side *side, const char *role, bool has_path, char *fault) {
  bool start_is_right = side->start == 0 || (side->start == -1 && !has_path);
  if (start_is_right && side->stop == 0) return true;
  return fail(fault, "a local score of 0 has no aligned part, but the %s's runs from %lld to %lld", role,
              (long long)side->start, (long long)side->stop);
}

static bool side_without_path_is_valid(const cla_alignment *alignment, const cla_side *side, const char *role,
                                       char *fault) {
  if (side->start != -1)
    return fail(fault, "there is no path, but the %s has the start %lld", role, (long long)side->start);
  const bool may_be_empty =
      side->length == 0 || (alignment->mode != CLA_MODE_LOCAL && alignment->mode != CLA_MODE_GLOBAL);
  if (side->stop < side->begin + !may_be_empty || side->stop > side->end)
    return fail(fault, "the %s's stop %lld is outside its range %lld to %lld", role, (long long)side->stop,
                (long long)side->begin, (long long)side->end);
  if (alignment->mode == CLA_MODE_GLOBAL && side->stop != side->end)
    return fail(fault, "a global alignment must stop at the %s's end %lld, not at %lld", role,
                (long long)side->end, (long long)side->stop);
  return true;
}

static bool side_with_path_is_valid(const cla_alignment *alignment, const cla_side *side, const char *role,
                                    char *fault) {
  if (side->start < side->begin || side->start > side->stop || side->stop > side->end)
    return fail(fault, "the %s's aligned part %lld to %lld is outside its range %lld to %lld", role,
                (long long)side->start, (long long)side->stop, (long long)side->begin, (long long)side->end);
  if (alignment->mode == CLA_MODE_GLOBAL && !alignment->has_split &&
      (side->start != side->begin || side->stop != side->end))
    return fail(fault, "a global alignment must span the %s's range %lld to %lld, not %lld to %lld", role,
                (long long)side->begin, (long long)side->end, (long long)side->start, (long long)side->stop);
  return true;
}

static bool side_is_valid(const cla_alignment *alignment, const cla_side *side, const char *role,
                          char *fault) {
  if (!range_is_valid(side, role, fault)) return false;
  if (path_is_nowhere(alignment)) return side_is_empty(side, role, alignment->has_path, fault);
  return alignment->has_path ? side_with_path_is_valid(alignment, side, role, fault)
                             : side_without_path_is_valid(alignment, side, role, fault);
}

/* True if a path with the free ends `ends` may start in node (i,j) of the ranges' matrix. */
static bool is_start(path_ends ends, int64_t i, int64_t j) {
  return (i == 0 && j == 0) || (ends.query_start && j == 0) || (ends.target_start && i == 0);
}

static bool is_end(path_ends ends, int64_t i, int64_t j, int64_t rows, int64_t columns) {
  if (ends.anywhere || (i == rows && j == columns)) return true;
  return (ends.query_end && j == columns) || (ends.target_end && i == rows);
}

/* Checks that each end of a path is an end of the ranges, or is free in the mode. Local paths and pieces
 * always pass. */
static bool ends_are_the_modes(const cla_alignment *alignment, char *fault) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const path_ends ends = path_ends_make(alignment->mode, alignment->free_ends);
  const char *name = cla_mode_name(alignment->mode);
  if (ends.floor || alignment->has_split) return true;
  if (!is_end(ends, query->stop - query->begin, target->stop - target->begin, query->end - query->begin,
              target->end - target->begin))
    return fail(fault, "an alignment of the mode %s cannot stop at query position %lld, target position %lld",
                name, (long long)query->stop, (long long)target->stop);
  if (alignment->has_path && !is_start(ends, query->start - query->begin, target->start - target->begin))
    return fail(fault,
                "an alignment of the mode %s cannot start at query position %lld, target position %lld", name,
                (long long)query->start, (long long)target->start);
  return true;
}

static bool mode_is_valid(const cla_alignment *alignment, char *fault) {
  const int ends = alignment->free_ends;
  if (!cla_mode_name(alignment->mode)) return fail(fault, "the mode %d is unknown", (int)alignment->mode);
  const bool listed = alignment->mode == CLA_MODE_FREE_ENDS;
  const bool fits =
      listed ? ends > 0 && ends <= CLA_FREE_ENDS_ALL && cla_free_ends_mode(ends) == CLA_MODE_FREE_ENDS
             : ends == 0;
  if (!fits)
    return fail(fault, "the free ends %d do not go with the mode %s", ends, cla_mode_name(alignment->mode));
  if ((alignment->mode == CLA_MODE_LOCAL || alignment->mode == CLA_MODE_EXTEND) && alignment->score < 0)
    return fail(fault, "the %s score %lld is below 0", cla_mode_name(alignment->mode),
                (long long)alignment->score);
  return true;
}

/* Checks that the runs lead from the starts to the stops. Each run is compared with the number of remaining
 * letters, so that no sum can overflow. */
static bool runs_lead_to_the_stops(const cla_alignment *alignment, char *fault) {
  int64_t query = alignment->query.start, target = alignment->target.start;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    int kind = (int)run->kind;
    if (kind < CLA_RUN_PAIR || kind > CLA_RUN_TARGET)
      return fail(fault, "run %zu at query position %lld is of the unknown kind %d", index, (long long)query,
                  kind);
    if (run->length < 1)
      return fail(fault, "run %zu at query position %lld has the length %lld", index, (long long)query,
                  (long long)run->length);
    if (index > 0 && run->kind == run[-1].kind)
      return fail(fault, "runs %zu and %zu at query position %lld are of the same kind", index - 1, index,
                  (long long)query);
    if (kind != CLA_RUN_TARGET && run->length > alignment->query.stop - query)
      return fail(fault, "run %zu of %lld letters at query position %lld passes the query's stop %lld", index,
                  (long long)run->length, (long long)query, (long long)alignment->query.stop);
    if (kind != CLA_RUN_QUERY && run->length > alignment->target.stop - target)
      return fail(fault, "run %zu of %lld letters at target position %lld passes the target's stop %lld",
                  index, (long long)run->length, (long long)target, (long long)alignment->target.stop);
    if (kind != CLA_RUN_TARGET) query += run->length;
    if (kind != CLA_RUN_QUERY) target += run->length;
  }
  if (query != alignment->query.stop)
    return fail(fault, "the runs end at query position %lld, not at its stop %lld", (long long)query,
                (long long)alignment->query.stop);
  if (target != alignment->target.stop)
    return fail(fault, "the runs end at target position %lld, not at its stop %lld", (long long)target,
                (long long)alignment->target.stop);
  return true;
}

/* Checks that the path, which is local or a piece, starts and ends with a pair. */
static bool ends_are_pairs(const cla_alignment *alignment, char *fault) {
  const char *what = alignment->has_split ? "piece" : "local path";
  if (alignment->run_count == 0)
    return fail(fault, "a %s of score %lld has no runs", what, (long long)alignment->score);
  if (alignment->runs[0].kind != CLA_RUN_PAIR)
    return fail(fault, "a %s must begin with a pair, not with a gap at query position %lld", what,
                (long long)alignment->query.start);
  if (alignment->runs[alignment->run_count - 1].kind != CLA_RUN_PAIR)
    return fail(fault, "a %s must end with a pair, not with a gap before query position %lld", what,
                (long long)alignment->query.stop);
  return true;
}

static bool view_is_consistent(const cla_alignment *alignment, char *fault) {
  if (!mode_is_valid(alignment, fault)) return false;
  if (alignment->has_split && (!alignment->has_path || alignment->split_drop < 0))
    return fail(fault, "a piece has a path, and is cut at a drop of 0 or more, not of %lld",
                (long long)alignment->split_drop);
  if (!side_is_valid(alignment, &alignment->query, "query", fault) ||
      !side_is_valid(alignment, &alignment->target, "target", fault))
    return false;
  if (alignment->run_count > 0 && !alignment->runs)
    return fail(fault, "%zu runs are announced, but there are none", alignment->run_count);
  if (!path_is_nowhere(alignment) && !ends_are_the_modes(alignment, fault)) return false;
  if (path_is_nowhere(alignment) || !alignment->has_path) {
    if (alignment->run_count == 0) return true;
    return fail(fault, "an alignment without an aligned part or path has %zu runs", alignment->run_count);
  }
  if (!runs_lead_to_the_stops(alignment, fault)) return false;
  return (alignment->mode != CLA_MODE_LOCAL && !alignment->has_split) || ends_are_pairs(alignment, fault);
}

bool path_is_consistent(const cla_alignment *alignment, char fault[PATH_FAULT_SIZE]) {
  cla_alignment view;
  const int strand = (int)alignment->strand;
  if (strand != CLA_STRAND_FORWARD && strand != CLA_STRAND_REVERSE)
    return fail(fault, "the strand %d is unknown", strand);
  if (strand == CLA_STRAND_REVERSE && alignment->alphabet != CLA_ALPHABET_DNA)
    return fail(fault, "sequences of %s have no reverse strand", cla_alphabet_name(alignment->alphabet));
  if (alignment->alphabet != CLA_ALPHABET_DNA && alignment->scoring.ambiguity != CLA_AMBIGUITY_MISMATCH)
    return fail(fault, "scores of ambiguous nucleotides are for DNA, not for %s",
                cla_alphabet_name(alignment->alphabet));
  if (!strand_view(&view, alignment))
    return fail(fault, "a position of the query is outside its %lld letters",
                (long long)alignment->query.length);
  return view_is_consistent(&view, fault);
}

/* Checks the alphabet. The alphabet is checked before the lengths, because the right file may have been read
 * with another alphabet. */
static cla_status check_alphabet(const cla_alignment *alignment, const cla_sequence *sequence,
                                 const char *role, cla_error *error) {
  const letter_set *letters = sequence_alphabet(sequence);
  const bool own = alignment->alphabet == CLA_ALPHABET_OWN;
  if (letters->kind == alignment->alphabet &&
      (!own || strcmp(letters->letters, alignment->scoring.letters) == 0))
    return CLA_OK;
  return error_set(
      error, CLA_ERROR_VERIFICATION,
      "verification failed: the %s is read as %s, the alignment was made with %s; read it as that", role,
      cla_alphabet_name(letters->kind), cla_alphabet_name(alignment->alphabet));
}

static cla_status check_length(const cla_side *side, const cla_sequence *sequence, const char *role,
                               cla_error *error) {
  int64_t length = cla_sequence_length(sequence);
  if (side->length == length) return CLA_OK;
  return error_set(
      error, CLA_ERROR_VERIFICATION,
      "verification failed: the %s has %lld letters, the alignment was made with one of %lld; give the "
      "sequences that were aligned, query first",
      role, (long long)length, (long long)side->length);
}

cla_status path_check_fit(const cla_alignment *alignment, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error) {
  char fault[PATH_FAULT_SIZE];
  cla_status status = check_alphabet(alignment, query, "query", error);
  if (status == CLA_OK) status = check_alphabet(alignment, target, "target", error);
  if (status == CLA_OK) status = check_length(&alignment->query, query, "query", error);
  if (status == CLA_OK) status = check_length(&alignment->target, target, "target", error);
  if (status != CLA_OK || path_is_consistent(alignment, fault)) return status;
  return error_set(error, CLA_ERROR_VERIFICATION, "verification failed: %s; align the sequences again",
                   fault);
}
