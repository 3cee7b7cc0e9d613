/* Reads paths from SAM and BAM, through htslib. */

#include <fcntl.h>
#include <htslib/hfile.h>
#include <htslib/sam.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "path/path_read_internal.h"

typedef struct sam_reader {
  const path_wanted *wanted;
  path_sam_file sam;
  int64_t number; /* 1-based record number */
  bool other;     /* an alignment of the pair on an unwanted strand was found */
} sam_reader;

/* Opens the file by a descriptor, because htslib could take its name for a URL. */
static hFILE *open_bytes(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  hFILE *bytes = descriptor < 0 ? NULL : hdopen(descriptor, "r");
  if (descriptor >= 0 && !bytes) close(descriptor);
  return bytes;
}

/* Reads only the first bytes. If the file were opened as an alignment, htslib would follow the URLs of an
 * htsget ticket. */
static bool is_sam(hFILE *bytes) {
  htsFormat format;
  return hts_detect_format(bytes, &format) == 0 && (format.format == sam || format.format == bam);
}

bool path_is_sam(const char *file) {
  hFILE *bytes = open_bytes(file);
  const bool found = bytes && is_sam(bytes);
  if (bytes) hclose_abruptly(bytes);
  return found;
}

cla_status path_sam_open(path_sam_file *sam, const char *path, const char *shown, cla_error *error) {
  hFILE *bytes = open_bytes(path);
  if (bytes && is_sam(bytes)) sam->file = hts_hopen(bytes, path, "r");
  if (bytes && !sam->file) hclose_abruptly(bytes);
  if (sam->file) sam->header = sam_hdr_read(sam->file);
  sam->record = bam_init1();
  if (!sam->record)
    return error_set(error, CLA_ERROR_MEMORY, "out of memory for reading %s; free some memory", shown);
  if (sam->header) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT, "%s is no readable SAM or BAM file; make it again", shown);
}

void path_sam_close(path_sam_file *sam) {
  bam_destroy1(sam->record);
  sam_hdr_destroy(sam->header);
  if (sam->file) hts_close(sam->file);
  *sam = (path_sam_file){0};
}

cla_status path_sam_operations(path_operations *operations, bool *fits, const path_sam_file *sam,
                               cla_error *error) {
  const uint32_t *cigar = bam_get_cigar(sam->record);
  cla_status status = CLA_OK;
  *fits = true;
  path_operations_clear(operations);
  for (uint32_t i = 0; i < sam->record->core.n_cigar && *fits && status == CLA_OK; i++)
    status =
        path_operations_add(operations, fits, bam_cigar_opchr(cigar[i]), bam_cigar_oplen(cigar[i]), error);
  return status;
}

static bool is_of_this_pair(sam_reader *reader) {
  const bam1_core_t *core = &reader->sam.record->core;
  if ((core->flag & BAM_FUNMAP) || core->tid < 0 || core->n_cigar == 0) return false;
  if (!path_name_agrees(bam_get_qname(reader->sam.record), reader->wanted->query) ||
      !path_name_agrees(sam_hdr_tid2name(reader->sam.header, core->tid), reader->wanted->target))
    return false;
  const bool wanted = path_strand_wanted(reader->wanted->strand, (core->flag & BAM_FREVERSE) != 0);
  reader->other |= !wanted;
  return wanted;
}

static cla_status report_record(const sam_reader *reader, const char *what, int64_t in_file,
                                int64_t in_sequence, cla_error *error) {
  return error_set(
      error, CLA_ERROR_INPUT,
      "record %lld of %s does not fit: %s %lld, here %lld; give an alignment of these sequences, "
      "whole records, with every letter of the query in its CIGAR",
      (long long)reader->number, reader->wanted->shown, what, (long long)in_file, (long long)in_sequence);
}

/* Reads the record's path, and compares it with the sequences' lengths. */
static cla_status read_record(path_operations *operations, const sam_reader *reader, cla_error *error) {
  const bam1_core_t *core = &reader->sam.record->core;
  const int64_t query_length = cla_sequence_length(reader->wanted->query),
                target_length = cla_sequence_length(reader->wanted->target),
                told = (int64_t)sam_hdr_tid2len(reader->sam.header, core->tid);
  bool fits = true;
  cla_status status = path_sam_operations(operations, &fits, &reader->sam, error);
  if (status != CLA_OK) return status;
  if (!fits)
    return error_set(error, CLA_ERROR_INPUT, "record %lld of %s has an impossible CIGAR; make the file again",
                     (long long)reader->number, reader->wanted->shown);
  const int64_t letters = operations->clipped_before + operations->query_letters + operations->clipped_after;
  operations->path.strand = core->flag & BAM_FREVERSE ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  operations->path.query_start = operations->clipped_before;
  operations->path.target_start = core->pos;
  if (letters != query_length)
    return report_record(reader, "its query has the letters", letters, query_length, error);
  if (told != target_length)
    return report_record(reader, "its target has the letters", told, target_length, error);
  if (core->pos < 0 || core->pos + operations->target_letters > target_length)
    return report_record(reader, "it ends at the target's letter", core->pos + operations->target_letters,
                         target_length, error);
  return CLA_OK;
}

cla_status path_read_sam(cla_path *out, const path_wanted *wanted, cla_error *error) {
  sam_reader reader = {.wanted = wanted};
  path_operations best = {0}, now = {0};
  int got = -1;
  cla_status status = path_sam_open(&reader.sam, wanted->file, wanted->shown, error);
  while (status == CLA_OK && (got = sam_read1(reader.sam.file, reader.sam.header, reader.sam.record)) >= 0) {
    reader.number++;
    if (!is_of_this_pair(&reader)) continue;
    status = read_record(&now, &reader, error);
    if (status == CLA_OK) path_operations_keep(&best, &now);
  }
  if (status == CLA_OK && got < -1)
    status = error_set(error, CLA_ERROR_INPUT, "%s is damaged or cut off after record %lld; make it again",
                       wanted->shown, (long long)reader.number);
  if (status == CLA_OK && best.pairs == 0) status = path_report_none(wanted, reader.other, error);
  path_sam_close(&reader.sam);
  free(now.path.runs);
  if (status == CLA_OK)
    *out = best.path;
  else
    free(best.path.runs);
  return status;
}
