#ifndef CLALIGN_ALIGNED_RECORDS_H
#define CLALIGN_ALIGNED_RECORDS_H

#include "clalign/alignment.h"
#include "clalign/lower_bound.h"
#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the alignments in a file that another aligner has written, one after the other, in constant
 * memory. */

/* An alignment as it is in its file. */
typedef struct cla_aligned_record {
  int64_t number;    /* 1-based number of the record in the file; in a text file, the number of the line */
  char *name[2];     /* names of the query and of the target; owned */
  int64_t length[2]; /* numbers of letters of the whole records, according to the file; -1: not in the file */
  int64_t start[2], end[2]; /* the aligned parts, 0-based half-open, on the records' forward strands */
  bool secondary;   /* the file says that a better record has the query letters (tp:A:S; flag 256 of SAM) */
  cla_path path;    /* owned */
  char *cigar;      /* a CIGAR with = or X, whose operations are to be checked; NULL: none; owned */
  char *difference; /* the text of the tag cs, to be checked; NULL: none; owned */
  char *letters;    /* query letters on the strand of the path, from path.query_start on, to be
                       checked; NULL: none; owned */
} cla_aligned_record;

/* An open file. Only one thread at a time may use it. */
typedef struct cla_aligned_records cla_aligned_records;

/* Opens a file with alignments of queries with targets:
 *
 *   SAM or BAM  the CIGAR has every letter of the query, clips included
 *   PAF         plain or gzip, with the tag cg or cs (minimap2 -c)
 *   chain       of UCSC, plain or gzip; the format's target is the target
 *   MAF         blocks of two lines, the target's first (LAST, lastz)
 *   delta       of nucmer; the format's reference is the target
 *
 * "-" is the standard input, in one of the text formats. Errors: CLA_ERROR_INPUT if the file is missing, a
 * directory or unreadable; CLA_ERROR_MEMORY. */
cla_status cla_aligned_records_open(cla_aligned_records **out, const char *path, cla_error *error);

/* Reads the next alignment, which the caller frees with cla_aligned_record_free. Records without a position
 * are skipped. *out is NULL at the end of the file, or if the rest of the file cannot be read.
 *
 * If there is an error and *out is not NULL, the error concerns only this record. *out then contains the
 * record's number and, if known, its names. The next call reads the next record. Errors: CLA_ERROR_INPUT,
 * CLA_ERROR_MEMORY. */
cla_status cla_aligned_records_next(cla_aligned_record **out, cla_aligned_records *file, cla_error *error);

/* Returns the number of records without a position that have been skipped so far. */
int64_t cla_aligned_records_passed(const cla_aligned_records *file);

/* Returns the number of comment lines of PAF that have been skipped so far. PAF has no comments by its
 * specification. So only a line that starts with # and has fewer than 12 columns is one; all others are
 * records. */
int64_t cla_aligned_records_comments(const cla_aligned_records *file);

/* True if the file is SAM or BAM. */
bool cla_aligned_records_are_sam(const cla_aligned_records *file);

/* Closes the file; NULL is allowed. Records remain valid. */
void cla_aligned_records_close(cla_aligned_records *file);

/* Frees the record; NULL is allowed. */
void cla_aligned_record_free(cla_aligned_record *record);

/* Compares a record with its sequences: lengths, strand, and all letters that the file contains. The
 * sequences may be parts of the records that contain the aligned letters. The message of CLA_ERROR_INPUT
 * describes the first difference. */
cla_status cla_aligned_record_check(const cla_aligned_record *record, const cla_sequence *query,
                                    const cla_sequence *target, cla_error *error);

/* Makes a global alignment with score from the record's path; the sequences' ranges must be the aligned
 * parts. The path is not improved. The caller frees *out with cla_alignment_free. CLA_ERROR_VERIFICATION if
 * the path does not fit the sequences; CLA_ERROR_MEMORY. */
cla_status cla_aligned_record_alignment(cla_alignment **out, const cla_aligned_record *record,
                                        const cla_sequence *query, const cla_sequence *target,
                                        const cla_scoring *scoring, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
