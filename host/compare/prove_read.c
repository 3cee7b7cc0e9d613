/* Reads the records of a comparison's VCF with htslib. */

#include <htslib/vcf.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/prove_internal.h"
#include "seq/sequence_input.h"
#include "write/writer.h"

void proof_edits_free(proof_edits *edits) {
  free(edits->items);
  free(edits->text);
  *edits = (proof_edits){0};
}

static cla_status keep_text(size_t *at, proof_edits *out, const char *letters, cla_error *error) {
  const int64_t count = (int64_t)strlen(letters);
  cla_status status =
      ALLOCATE_GROW(&out->text, &out->text_capacity, out->text_used + count + 1, "the records of VCF", error);
  if (status != CLA_OK) return status;
  *at = (size_t)out->text_used;
  memcpy(out->text + out->text_used, letters, (size_t)count + 1);
  out->text_used += count + 1;
  return CLA_OK;
}

typedef struct vcf_reader {
  htsFile *file;
  bcf_hdr_t *head;
  bcf1_t *record;
  int32_t *number; /* htslib's memory for one number of INFO */
  int numbers;
  char *own; /* memory in which htslib returns a text of INFO */
  int own_bytes;
} vcf_reader;

/* Keeps an allele: the sequences' own letters, which are in INFO if the allele has others. */
static cla_status keep_allele(size_t *at, int64_t *letters, proof_edits *out, vcf_reader *reader, int allele,
                              cla_error *error) {
  const char *key = allele == 0 ? VCF_OWN_REF : VCF_OWN_ALT, *text = reader->record->d.allele[allele];
  const int count = bcf_get_info_string(reader->head, reader->record, key, &reader->own, &reader->own_bytes);
  if (count > 0 && strlen(reader->own) == strlen(text)) text = reader->own;
  *letters = (int64_t)strlen(text);
  return keep_text(at, out, text, error);
}

/* Reads a number of INFO and subtracts 1. Returns false if the record does not have it. */
static bool read_number(size_t *out, vcf_reader *reader, const char *key) {
  const int count = bcf_get_info_int32(reader->head, reader->record, key, &reader->number, &reader->numbers);
  if (count != 1 || reader->number[0] < 1) return false;
  *out = (size_t)reader->number[0] - 1;
  return true;
}

static cla_status take_record(proof_edits *out, vcf_reader *reader, const cla_comparison *comparison,
                              const char *path, cla_error *error) {
  bcf1_t *record = reader->record;
  proof_edit edit = {0};
  if (bcf_unpack(record, BCF_UN_INFO) != 0 || !read_number(&edit.block, reader, "BLOCK")) return CLA_OK;
  const bool known = read_number(&edit.piece, reader, "PIECE") && edit.block < comparison->block_count &&
                     edit.piece < comparison->blocks[edit.block].piece_count && record->n_allele == 2;
  if (!known)
    return error_set(
        error, CLA_ERROR_INPUT,
        "the record at %s:%lld of %.1024s is of no block of this comparison; prove the file that "
        "the comparison has written",
        bcf_seqname_safe(reader->head, record), (long long)record->pos + 1, path);
  cla_status status = ALLOCATE_GROW(&out->items, &out->capacity, out->count + 1, "the records of VCF", error);
  if (status == CLA_OK) status = keep_allele(&edit.ref, &edit.deleted, out, reader, 0, error);
  if (status == CLA_OK) status = keep_allele(&edit.alt, &edit.inserted, out, reader, 1, error);
  if (status != CLA_OK) return status;
  edit.position = record->pos;
  out->items[out->count++] = edit;
  return CLA_OK;
}

static int compare_edits(const void *left, const void *right) {
  const proof_edit *one = left, *other = right;
  if (one->block != other->block) return one->block < other->block ? -1 : 1;
  if (one->piece != other->piece) return one->piece < other->piece ? -1 : 1;
  return one->position < other->position ? -1 : one->position > other->position;
}

static cla_status cannot_read(const char *path, cla_error *error) {
  return error_set(
      error, CLA_ERROR_INPUT,
      "%.1024s cannot be read as VCF, so nothing is proven; write it again, and look whether the "
      "disk is full",
      path);
}

static cla_status read_all(proof_edits *out, vcf_reader *reader, const cla_comparison *comparison,
                           const char *path, cla_error *error) {
  cla_status status = CLA_OK;
  int more = 0;
  reader->file = bcf_open(path, "r");
  if (reader->file) reader->head = bcf_hdr_read(reader->file);
  reader->record = bcf_init();
  if (!reader->head || !reader->record) return cannot_read(path, error);
  while (status == CLA_OK && (more = bcf_read(reader->file, reader->head, reader->record)) == 0) {
    if (reader->record->errcode != 0) return cannot_read(path, error);
    status = take_record(out, reader, comparison, path, error);
  }
  return status == CLA_OK && more < -1 ? cannot_read(path, error) : status;
}

cla_status proof_edits_read(proof_edits *out, const cla_comparison *comparison, const char *path,
                            cla_error *error) {
  vcf_reader reader = {0};
  *out = (proof_edits){0};
  quiet_htslib_begin();
  cla_status status = read_all(out, &reader, comparison, path, error);
  if (reader.record) bcf_destroy(reader.record);
  if (reader.head) bcf_hdr_destroy(reader.head);
  if (reader.file) bcf_close(reader.file);
  free(reader.number);
  free(reader.own);
  quiet_htslib_end();
  if (status == CLA_OK && out->count > 0)
    qsort(out->items, (size_t)out->count, sizeof *out->items, compare_edits);
  return status;
}
