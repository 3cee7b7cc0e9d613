/* Rebuilds pieces from the target's letters and a written VCF. */

#include "clalign/prove.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"
#include "compare/prove_internal.h"
#include "seq/sequence.h"
#include "write/record_names.h"

const char *cla_unproven_name(cla_unproven reason) {
  static const char *const names[] = {"no-block", "different", "ambiguous-letter", "proven"};
  return (size_t)reason < 4 ? names[reason] : "unknown";
}

typedef struct prover {
  const cla_comparison *comparison;
  proof_edits edits;
  cla_proof *out;
  uint8_t **states; /* for each query record, a cla_unproven per letter; each array is owned */
  char *built;      /* rebuilt letters of a piece, in the direction of the target; owned */
  bool *vague; /* for each rebuilt letter: true if it comes from an ambiguous letter of the target, and after
                  the comparison only if it is not the query's; owned */
  int64_t length; /* number of rebuilt letters */
  int64_t capacity, vague_capacity;
} prover;

/* The records of one piece. */
typedef struct edit_range {
  const proof_edit *first;
  int64_t count;
} edit_range;

static bool is_base(char letter) {
  return letter != 0 && strchr("ACGT", letter) != NULL;
}

static cla_status build_letter(prover *it, char letter, bool vague, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&it->built, &it->capacity, it->length + 1, "a rebuilt piece", error);
  if (status == CLA_OK)
    status = ALLOCATE_GROW(&it->vague, &it->vague_capacity, it->length + 1, "a rebuilt piece", error);
  if (status != CLA_OK) return status;
  it->built[it->length] = letter;
  it->vague[it->length++] = vague;
  return CLA_OK;
}

static cla_status copy_target(prover *it, const cla_sequence *target, int64_t from, int64_t to,
                              cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t at = from; at < to && status == CLA_OK; at++) {
    const char letter = cla_sequence_letter(target, at);
    status = build_letter(it, letter, !is_base(letter), error);
  }
  return status;
}

/* Stores the difference, if it is the first one. */
static void note(prover *it, size_t block, size_t piece, const char *what, int64_t position) {
  const cla_block *from = &it->comparison->blocks[block];
  if (it->out->first[0]) return;
  snprintf(it->out->first, sizeof it->out->first, "block %zu, alignment %zu: %s at %.200s:%" PRId64,
           block + 1, piece + 1, what, cla_sequence_name(it->comparison->target.records[from->target]),
           position + 1);
}

/* Returns true if REF has the target's letters, and the record is after the previous one and within the
 * piece. */
static bool edit_fits(const prover *it, const proof_edit *edit, const cla_sequence *target, int64_t at,
                      int64_t stop) {
  if (edit->position < at || edit->deleted > stop - edit->position) return false;
  for (int64_t i = 0; i < edit->deleted; i++)
    if (it->edits.text[edit->ref + (size_t)i] != cla_sequence_letter(target, edit->position + i))
      return false;
  return true;
}

/* If the edit is a gap at the start of the piece, returns it without its first letter, which lies before
 * the piece. Any other edit is returned unchanged. */
static proof_edit without_outer_letter(const prover *it, const proof_edit *edit, const cla_sequence *target,
                                       int64_t start) {
  proof_edit own = *edit;
  const char *text = it->edits.text;
  const bool outer = edit->position == start - 1 && edit->deleted > 0 && edit->inserted > 0;
  if (!outer || text[edit->ref] != text[edit->alt] ||
      text[edit->ref] != cla_sequence_letter(target, edit->position))
    return own;
  own.position++;
  own.ref++;
  own.alt++;
  own.deleted--;
  own.inserted--;
  return own;
}

/* Applies the VCF's records to a piece. *fits: false if one of these records contradicts the target. */
static cla_status build_piece(prover *it, bool *fits, const cla_alignment *piece, const cla_sequence *target,
                              const edit_range *edits, cla_error *error) {
  int64_t at = piece->target.start;
  cla_status status = CLA_OK;
  it->length = 0;
  *fits = true;
  for (int64_t i = 0; i < edits->count && status == CLA_OK; i++) {
    const proof_edit own = without_outer_letter(it, &edits->first[i], target, piece->target.start),
                     *edit = &own;
    if (!edit_fits(it, edit, target, at, piece->target.stop)) {
      note(it, edit->block, edit->piece, "a record does not fit the target", edit->position);
      *fits = false;
      return CLA_OK;
    }
    status = copy_target(it, target, at, edit->position, error);
    for (int64_t n = 0; n < edit->inserted && status == CLA_OK; n++) {
      /* the letter before a gap is the target's own */
      const char letter = it->edits.text[edit->alt + (size_t)n];
      const bool same = n < edit->deleted && letter == it->edits.text[edit->ref + (size_t)n];
      status = build_letter(it, letter, same && !is_base(letter), error);
    }
    at = edit->position + edit->deleted;
  }
  return status == CLA_OK ? copy_target(it, target, at, piece->target.stop, error) : status;
}

/* Returns the query's letter at a place of a piece, in the direction of the target. */
static char query_letter(const cla_alignment *piece, const cla_sequence *query, int64_t at) {
  const bool reverse = piece->strand == CLA_STRAND_REVERSE;
  const uint8_t code = sequence_codes(query)[reverse ? piece->query.stop - 1 - at : piece->query.start + at];
  return SEQUENCE_LETTERS[reverse ? nucleotide_complement[code] : code];
}

/* Sets the state of a letter, unless another piece has proven it. */
static void set_state(uint8_t *states, const cla_alignment *piece, int64_t at, cla_unproven state) {
  const bool reverse = piece->strand == CLA_STRAND_REVERSE;
  uint8_t *it = &states[reverse ? piece->query.stop - 1 - at : piece->query.start + at];
  if (*it < (uint8_t)state) *it = (uint8_t)state;
}

/* Finds where the rebuilt letters first differ from the query's; -1: nowhere. Pairs with an ambiguous letter
 * of which the VCF says nothing become vague, and N on both sides. All other letters are compared. */
static cla_status compare_piece(prover *it, int64_t *differs, const cla_alignment *piece,
                                const cla_sequence *query, cla_error *error) {
  const int64_t letters = piece->query.stop - piece->query.start;
  char *expected = NULL;
  *differs = letters == it->length ? -1 : smaller(letters, it->length);
  if (*differs >= 0) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&expected, letters, "a piece of the query", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < letters; i++) {
    expected[i] = query_letter(piece, query, i);
    it->vague[i] =
        it->built[i] != expected[i] && (it->vague[i] || (it->built[i] == 'N' && !is_base(expected[i])));
    if (it->vague[i]) it->built[i] = expected[i] = 'N';
  }
  const XXH128_hash_t one = XXH3_128bits(expected, (size_t)letters);
  const XXH128_hash_t other = XXH3_128bits(it->built, (size_t)letters);
  for (int64_t i = 0; !XXH128_isEqual(one, other) && *differs < 0 && i < letters; i++)
    if (expected[i] != it->built[i]) *differs = i;
  free(expected);
  return CLA_OK;
}

static cla_status prove_piece(prover *it, size_t block, size_t piece, const edit_range *edits,
                              cla_error *error) {
  const cla_comparison *comparison = it->comparison;
  const cla_block *from = &comparison->blocks[block];
  const cla_alignment *alignment = from->pieces[piece];
  const int64_t letters = alignment->query.stop - alignment->query.start;
  bool fits;
  int64_t differs = -1;
  cla_status status =
      build_piece(it, &fits, alignment, comparison->target.records[from->target], edits, error);
  if (status == CLA_OK && fits)
    status = compare_piece(it, &differs, alignment, comparison->query.records[from->query], error);
  if (status != CLA_OK) return status;
  if (fits && differs >= 0) {
    char what[96];
    snprintf(what, sizeof what, "letter %" PRId64 " of the query's piece differs, which begins", differs + 1);
    note(it, block, piece, what, alignment->target.start);
  }
  if (!fits || differs >= 0) it->out->equal[block] = false;
  for (int64_t i = 0; i < letters; i++) {
    const cla_unproven state = !fits || differs >= 0 ? CLA_UNPROVEN_DIFFERENT
                               : it->vague[i]        ? CLA_UNPROVEN_AMBIGUOUS
                                                     : CLA_PROVEN;
    set_state(it->states[from->query], alignment, i, state);
  }
  return CLA_OK;
}

static cla_status prove_blocks(prover *it, cla_error *error) {
  const cla_comparison *comparison = it->comparison;
  const proof_edit *edit = it->edits.items, *end = edit + it->edits.count;
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count && status == CLA_OK; b++) {
    const cla_block *block = &comparison->blocks[b];
    it->out->equal[b] = true;
    if (block->role != CLA_BLOCK_PRIMARY || block->piece_count == 0) continue;
    for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++) {
      edit_range edits = {.first = edit};
      while (edit < end && edit->block == b && edit->piece == p) edit++;
      edits.count = edit - edits.first;
      status = prove_piece(it, b, p, &edits, error);
    }
    it->out->blocks++;
    it->out->different += !it->out->equal[b];
  }
  return status;
}

/* Lists the letters that are not proven, as intervals. */
static cla_status list_unproven(prover *it, cla_error *error) {
  cla_proof *out = it->out;
  int64_t capacity = 0;
  cla_status status = CLA_OK;
  for (size_t q = 0; q < it->comparison->query.count; q++) {
    const int64_t letters = cla_sequence_length(it->comparison->query.records[q]);
    const uint8_t *states = it->states[q];
    out->letters += letters;
    for (int64_t from = 0, to; from < letters && status == CLA_OK; from = to) {
      for (to = from + 1; to < letters && states[to] == states[from];) to++;
      if (states[from] == CLA_PROVEN) {
        out->proven += to - from;
        continue;
      }
      status = ALLOCATE_GROW(&out->unproven, &capacity, (int64_t)out->unproven_count + 1, "unproven letters",
                             error);
      if (status == CLA_OK)
        out->unproven[out->unproven_count++] =
            (cla_unproven_interval){{q, from, to}, (cla_unproven)states[from]};
    }
  }
  return status;
}

static cla_status open_states(prover *it, cla_error *error) {
  const cla_genome *query = &it->comparison->query;
  cla_status status = ALLOCATE_ZEROS(&it->states, (int64_t)query->count, "a proof", error);
  for (size_t q = 0; q < query->count && status == CLA_OK; q++)
    status = ALLOCATE_ZEROS(&it->states[q], cla_sequence_length(query->records[q]), "a proof", error);
  if (status == CLA_OK)
    status = ALLOCATE_ZEROS(&it->out->equal, (int64_t)it->comparison->block_count, "a proof", error);
  return status;
}

cla_status cla_comparison_prove(cla_proof *out, const cla_comparison *comparison, const char *path,
                                cla_error *error) {
  prover it = {.comparison = comparison, .out = out};
  *out = (cla_proof){0};
  cla_status status = proof_edits_read(&it.edits, comparison, path, error);
  out->records = it.edits.count;
  if (status == CLA_OK) status = open_states(&it, error);
  if (status == CLA_OK) status = prove_blocks(&it, error);
  if (status == CLA_OK) status = list_unproven(&it, error);
  for (size_t q = 0; it.states && q < comparison->query.count; q++) free(it.states[q]);
  free(it.states);
  free(it.built);
  free(it.vague);
  proof_edits_free(&it.edits);
  if (status != CLA_OK) cla_proof_free(out);
  return status;
}

void cla_proof_free(cla_proof *proof) {
  free(proof->equal);
  free(proof->unproven);
  *proof = (cla_proof){0};
}

cla_status cla_proof_write_file(const char *path, const cla_proof *proof, const cla_comparison *comparison,
                                cla_error *error) {
  atomic_file *file = NULL;
  char *name = NULL;
  size_t named = CLA_NO_RECORD;
  cla_status status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < proof->unproven_count && status == CLA_OK; i++) {
    const cla_unproven_interval *it = &proof->unproven[i];
    if (it->interval.record != named) {
      free(name);
      name = NULL;
      named = it->interval.record;
      status = clean_name(&name, cla_sequence_name(comparison->query.records[named]), CLEAN_FIRST_COLUMN,
                          "query", error);
    }
    if (status == CLA_OK)
      fprintf(atomic_file_stream(file), "%s\t%" PRId64 "\t%" PRId64 "\t%s\n", name, it->interval.begin,
              it->interval.end, cla_unproven_name(it->reason));
  }
  free(name);
  if (status == CLA_OK) return atomic_file_commit(file, error);
  atomic_file_discard(file);
  return status;
}
