#ifndef CLALIGN_ALIGNED_RECORDS_H
#define CLALIGN_ALIGNED_RECORDS_H

#include "clalign/alignment.h"
#include "clalign/lower_bound.h"
#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The alignments in a file that another aligner has written, one after the other in constant memory. */

/* An alignment as its file has it. */
typedef struct cla_aligned_record {
  int64_t number;           /* of the record in the file, from 1; in a text file the number of the line */
  char *name[2];            /* of the query and of the target; owned */
  int64_t length[2];        /* letters of the whole records by the file; -1: the file does not tell */
  int64_t start[2], end[2]; /* aligned parts, 0-based half-open on the records' forward strands */
  cla_path path;            /* owned */
  char *cigar;              /* a CIGAR with = or X, whose words are to be checked; NULL: none; owned */
  char *difference;         /* the text of the tag cs, to be checked; NULL: none; owned */
  char *letters;            /* query letters on the strand of the path, from path.query_start on, to be
                               checked; NULL: none; owned */
} cla_aligned_record;

/* A file that is read. Not for several threads at once. */
typedef struct cla_aligned_records cla_aligned_records;

/* Opens a file with alignments of queries with targets:
 *
 *   SAM or BAM  the CIGAR has every letter of the query, clips included
 *   PAF         plain or gzip, with the tag cg or cs (minimap2 -c)
 *   chain       of UCSC, plain or gzip; its target is the target here
 *   MAF         blocks of two lines, the target's first (LAST, lastz)
 *   delta       of nucmer; its reference is the target
 *
 * "-" is a text from the standard input. Errors: CLA_ERROR_INPUT (missing, a directory, unreadable),
 * CLA_ERROR_MEMORY. */
cla_status cla_aligned_records_open(cla_aligned_records **out, const char *path, cla_error *error);

/* Reads the next alignment, which the caller frees with cla_aligned_record_free. Records without a place are
 * passed over. *out is NULL at the end, or if nothing more can be read.
 *
 * An error with *out set is of this record alone: it names what is wrong, and *out has the number and, as far
 * as they are known, names. The next call reads the record after it. Errors: CLA_ERROR_INPUT,
 * CLA_ERROR_MEMORY. */
cla_status cla_aligned_records_next(cla_aligned_record **out, cla_aligned_records *file, cla_error *error);

/* Records without a place that were passed over so far. */
int64_t cla_aligned_records_passed(const cla_aligned_records *file);

/* True if the file is SAM or BAM. */
bool cla_aligned_records_are_sam(const cla_aligned_records *file);

/* NULL is allowed. The records stay. */
void cla_aligned_records_close(cla_aligned_records *file);

/* NULL is allowed. */
void cla_aligned_record_free(cla_aligned_record *record);

/* Compares a record with its sequences: lengths, strand, and all letters that the file tells. The sequences
 * may be parts of the records that have the aligned letters. CLA_ERROR_INPUT names the first difference. */
cla_status cla_aligned_record_check(const cla_aligned_record *record, const cla_sequence *query,
                                    const cla_sequence *target, cla_error *error);

/* Makes the record's path a global alignment of sequences whose ranges it aligns, with its score. It is as
 * good as its program made it. The caller frees *out with cla_alignment_free. CLA_ERROR_VERIFICATION (it does
 * not fit), CLA_ERROR_MEMORY. */
cla_status cla_aligned_record_alignment(cla_alignment **out, const cla_aligned_record *record,
                                        const cla_sequence *query, const cla_sequence *target,
                                        const cla_scoring *scoring, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
