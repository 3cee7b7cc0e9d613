#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "clalign/alignment.h"
#include "path/path_read_internal.h"
#include "result/alignment.h"
#include "seq/sequence_input.h"
#include "seq/sequence_internal.h"

#define MAGIC_BYTES 4

void cla_path_free(cla_path *path) {
  if (!path) return;
  free(path->runs);
  memset(path, 0, sizeof *path);
}

typedef enum path_format { FORMAT_CLA, FORMAT_SAM, FORMAT_PAF } path_format;

static cla_status detect(path_format *format, const char *file, const char *shown, cla_error *error) {
  static const char cla[MAGIC_BYTES] = {'\x89', 'C', 'L', 'A'}; /* docs/internals/format-cla.md */
  char begin[MAGIC_BYTES] = {0};
  struct stat state;
  FILE *stream = stat(file, &state) == 0 ? fopen(file, "rb") : NULL;
  if (!stream)
    return error_set(error, CLA_ERROR_INPUT, "cannot read %s: %s; give a PAF, SAM, BAM or .cla file", shown,
                     strerror(errno));
  const size_t got = S_ISDIR(state.st_mode) ? 0 : fread(begin, 1, sizeof begin, stream);
  fclose(stream);
  if (got == 0)
    return error_set(error, CLA_ERROR_INPUT, "%s is %s; give a PAF, SAM, BAM or .cla file", shown,
                     S_ISDIR(state.st_mode) ? "a directory" : "empty");

  if (memcmp(begin, cla, sizeof cla) == 0) {
    *format = FORMAT_CLA;
    return CLA_OK;
  }
  if (path_is_sam(file)) *format = FORMAT_SAM;
  return CLA_OK;
}

static bool is_of(const cla_side *side, const cla_sequence *sequence) {
  uint8_t checksum[16];
  cla_sequence_checksum(sequence, checksum);
  return side->length == cla_sequence_length(sequence) &&
         memcmp(side->checksum, checksum, sizeof checksum) == 0;
}

/* Reads the first alignment that has a path and whose sequences have the wanted letters. Does not compare
 * names. */
static cla_status read_cla(cla_path *out, const path_wanted *wanted, cla_error *error) {
  cla_alignment **alignments = NULL;
  size_t count = 0, found = 0;
  cla_status status = cla_alignment_load(&alignments, &count, wanted->file, error);
  if (status != CLA_OK) return status;
  bool other = false; /* an alignment on an unwanted strand was found */
  for (; found < count; found++) {
    const cla_alignment *one = alignments[found];
    if (!one->has_path || !is_of(&one->query, wanted->query) || !is_of(&one->target, wanted->target))
      continue;
    if (path_strand_wanted(wanted->strand, one->strand == CLA_STRAND_REVERSE)) break;
    other = true;
  }
  if (found < count) {
    cla_alignment *from = alignments[found];
    *out = (cla_path){.strand = from->strand,
                      .query_start = strand_query_start(from),
                      .target_start = from->target.start,
                      .runs = from->runs,
                      .run_count = from->run_count};
    from->runs = NULL;
    from->run_count = 0;
  } else if (other) {
    status = path_report_none(wanted, other, error);
  } else {
    status =
        error_set(error, CLA_ERROR_INPUT,
                  "%s holds no alignment with a path of exactly these letters (their checksums differ); give "
                  "one of this pair, query first",
                  wanted->shown);
  }
  cla_alignments_free(alignments, count);
  return status;
}

cla_status cla_path_read(cla_path *out, const char *file, const cla_sequence *query,
                         const cla_sequence *target, cla_strand strand, cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  path_format format = FORMAT_PAF;
  const path_wanted wanted = {
      .file = file, .shown = shown, .query = query, .target = target, .strand = strand};
  memset(out, 0, sizeof *out);
  shown_text(shown, sizeof shown, file);
  quiet_htslib_begin();
  cla_status status = detect(&format, file, shown, error);
  if (status == CLA_OK && format == FORMAT_CLA) status = read_cla(out, &wanted, error);
  if (status == CLA_OK && format == FORMAT_SAM) status = path_read_sam(out, &wanted, error);
  if (status == CLA_OK && format == FORMAT_PAF) status = path_read_paf(out, &wanted, error);
  quiet_htslib_end();
  return status;
}
