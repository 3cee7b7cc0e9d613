/* Reads records of SAM and BAM with htslib. */

#include <htslib/sam.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/records/records_internal.h"
#include "seq/sequence_input.h"

/* Keeps the CIGAR as text, if it distinguishes equal from unequal letters. */
static cla_status keep_cigar(char **out, const bam1_t *record, cla_error *error) {
  const uint32_t *cigar = bam_get_cigar(record);
  size_t bytes = 0;
  bool tells = false;
  for (uint32_t i = 0; i < record->core.n_cigar; i++)
    tells |= bam_cigar_opchr(cigar[i]) == '=' || bam_cigar_opchr(cigar[i]) == 'X';
  if (!tells) return CLA_OK;
  FILE *text = open_memstream(out, &bytes);
  for (uint32_t i = 0; text && i < record->core.n_cigar; i++)
    if (!strchr("SHP", bam_cigar_opchr(cigar[i])))
      fprintf(text, "%u%c", bam_cigar_oplen(cigar[i]), bam_cigar_opchr(cigar[i]));
  return text && fclose(text) == 0 ? CLA_OK : allocate_failed("a CIGAR", error);
}

/* Keeps the aligned query letters, if the record contains letters. */
static cla_status keep_letters(char **out, const bam1_t *record, const path_operations *path,
                               cla_error *error) {
  const uint32_t *cigar = bam_get_cigar(record);
  const int64_t letters = path->query_letters;
  int64_t skip = 0;
  if (record->core.l_qseq == 0) return CLA_OK;
  for (uint32_t i = 0; i < record->core.n_cigar; i++) {
    const char operation = bam_cigar_opchr(cigar[i]);
    if (operation == 'S') skip += bam_cigar_oplen(cigar[i]);
    if (operation != 'S' && operation != 'H') break;
  }
  if (skip + letters > record->core.l_qseq)
    return error_set(error, CLA_ERROR_INPUT,
                     "its SEQ has %lld letters, and its CIGAR takes more; make the file again",
                     (long long)record->core.l_qseq);
  cla_status status = ALLOCATE_ARRAY(out, letters + 1, "query letters", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < letters; i++) (*out)[i] = seq_nt16_str[bam_seqi(bam_get_seq(record), skip + i)];
  (*out)[letters] = '\0';
  return CLA_OK;
}

static cla_status take_record(cla_aligned_record *out, cla_aligned_records *file, cla_error *error) {
  const bam1_t *record = file->sam.record;
  const bam1_core_t *core = &record->core;
  path_operations *operations = &file->operations;
  bool fits = true;
  cla_status status = allocate_text(&out->name[0], bam_get_qname(record), error);
  if (status == CLA_OK)
    status = allocate_text(&out->name[1], sam_hdr_tid2name(file->sam.header, core->tid), error);
  if (status == CLA_OK) status = path_sam_operations(operations, &fits, &file->sam, error);
  if (status != CLA_OK) return status;
  if (!fits || operations->path.run_count == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     core->n_cigar == 0 ? "it has no CIGAR; align again with one"
                                        : "its CIGAR is impossible; make the file again");
  out->length[0] = operations->clipped_before + operations->query_letters + operations->clipped_after;
  out->length[1] = (int64_t)sam_hdr_tid2len(file->sam.header, core->tid);
  out->path.strand = core->flag & BAM_FREVERSE ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  out->path.query_start = operations->clipped_before;
  out->path.target_start = core->pos;
  out->secondary = (core->flag & BAM_FSECONDARY) != 0;
  if (core->pos < 0 || core->pos + operations->target_letters > out->length[1])
    return error_set(error, CLA_ERROR_INPUT,
                     "it ends at the target's letter %lld, and the target has %lld; make the file again",
                     (long long)core->pos + operations->target_letters, (long long)out->length[1]);
  if (operations->query_letters == 0 || operations->target_letters == 0)
    return error_set(error, CLA_ERROR_INPUT, "its CIGAR has no pair of letters; leave it out");
  status = keep_cigar(&out->cigar, record, error);
  if (status == CLA_OK) status = keep_letters(&out->letters, record, operations, error);
  return status == CLA_OK ? records_take_path(out, file, error) : status;
}

cla_status records_next_sam(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error) {
  int got = -1;
  *found = false;
  quiet_htslib_begin();
  while (!*found && (got = sam_read1(file->sam.file, file->sam.header, file->sam.record)) >= 0) {
    file->number++;
    *found = !(file->sam.record->core.flag & BAM_FUNMAP) && file->sam.record->core.tid >= 0;
    file->passed += !*found;
  }
  quiet_htslib_end();
  if (*found) return take_record(record, file, error);
  if (got >= -1) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT, "%s is damaged or cut off after record %lld; make it again",
                   file->shown, (long long)file->number);
}
