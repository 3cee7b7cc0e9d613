#ifndef CLALIGN_SEQUENCE_H
#define CLALIGN_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One sequence: a whole record, of which a range takes part in the alignment.
 *
 * Its letters are those of one alphabet (clalign/alphabet.h); anything else is an error. Immutable after
 * creation, so it may be shared between threads. Positions are 0-based and half-open. */
typedef struct cla_sequence cla_sequence;

/* Reads a sequence from `location`:
 *   FILE                  a FASTA or FASTQ file (plain, gzip or bgzf) that holds exactly one record
 *   FILE:RECORD           one record of many, by the first word of its header
 *   FILE:#3               one by its number, from 1; a record of that name wins
 *   FILE:RECORD:FROM-TO   a range of it, 1-based inclusive as in samtools ("FROM-" runs to the end)
 *   FILE:FROM-TO          a range of the only record
 *   -                     standard input, likewise -:RECORD and so on
 * An existing file's name wins over a split at a colon, a whole record's name over a range.
 * Errors: CLA_ERROR_INPUT (missing, a directory, empty, not a sequence file, truncated, no such record,
 * several records without a choice, a record without letters, a letter outside the alphabet, a range
 * outside the record), CLA_ERROR_MEMORY. The caller frees *out with cla_sequence_free.
 *
 * The alphabet is detected, by all letters of the record but X, which may mask either: only nucleotide
 * letters, at least half of them A C G T U or N, and no X are DNA; with other letters of amino acids it is a
 * protein if fewer than three quarters are. What is in between is an error: it could be either, or has a
 * letter by mistake. */
cla_status cla_sequence_read(cla_sequence **out, const char *location, cla_error *error);

/* How to read; zero: as cla_sequence_read. */
typedef struct cla_sequence_options {
  bool known; /* the alphabet, or else it is detected; a record without letters then counts as DNA */
  cla_alphabet alphabet; /* that is known */
  const char *own;       /* the letters of CLA_ALPHABET_OWN */
  bool allow_empty;      /* a record without letters is a sequence, and no error */
  bool qualities;        /* those of FASTQ are kept, for SAM and BAM: a byte more a letter */
  bool keep_case;        /* of letters, for the formats pair, srspair, maf and fasta: likewise */
  bool range_alone;      /* of a record of FASTA only the letters of the range that takes part are kept, and
                          * memory is that of the range; what all letters tell, as the checksum, stays.
                          * CLA_ERROR_OPTION from what takes others: the other strand, circles, plots, paths as
                          * lower bounds, and SAM of the query. cla_sequence_letter must not ask for them. */
} cla_sequence_options;

/* The same with options. Further errors: CLA_ERROR_OPTION (own letters that cannot be). */
cla_status cla_sequence_read_with(cla_sequence **out, const char *location,
                                  const cla_sequence_options *options, cla_error *error);

/* Makes a sequence from `length` letters in memory, which are copied; the range is the whole. The alphabet is
 * detected.
 * Errors: CLA_ERROR_INPUT (no letters, a letter outside the alphabet), CLA_ERROR_MEMORY, and as above. */
cla_status cla_sequence_from_letters(cla_sequence **out, const char *name, const char *letters,
                                     int64_t length, cla_error *error);

/* The same with options, as cla_sequence_read_with. */
cla_status cla_sequence_from_letters_with(cla_sequence **out, const char *name, const char *letters,
                                          int64_t length, const cla_sequence_options *options,
                                          cla_error *error);

/* Makes a sequence of the same record, whose letters the two share, with letters begin .. end - 1 as the
 * range that takes part and with that location. `whole` may be freed first; threads may do this at the same
 * time. Errors: CLA_ERROR_OPTION (a range without letters of a record that has some, or outside of it),
 * CLA_ERROR_MEMORY. The caller frees *out with cla_sequence_free. */
cla_status cla_sequence_part(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                             int64_t end, cla_error *error);

/* NULL is allowed. Nothing else that the library makes needs a sequence after the call that took it. */
void cla_sequence_free(cla_sequence *sequence);

const char *cla_sequence_name(const cla_sequence *sequence);      /* first word of the header */
const char *cla_sequence_location(const cla_sequence *sequence);  /* as given to read; "" from memory */
cla_alphabet cla_sequence_alphabet(const cla_sequence *sequence); /* known or detected */
int64_t cla_sequence_length(const cla_sequence *sequence);        /* letters of the whole record */
int64_t cla_sequence_begin(const cla_sequence *sequence);         /* the range that takes part */
int64_t cla_sequence_end(const cla_sequence *sequence);           /* likewise, behind its last letter */

/* The upper-case letter at `position` of the record, 0 <= position < length. */
char cla_sequence_letter(const cla_sequence *sequence, int64_t position);

/* Writes the upper-case letters at positions from .. to - 1 of the record, 0 <= from <= to <= length, without
 * a zero behind them. */
void cla_sequence_letters(char *letters, const cla_sequence *sequence, int64_t from, int64_t to);

/* XXH3-128 of the whole record's upper-case letters (a nucleotide U as T), in canonical big-endian form. */
void cla_sequence_checksum(const cla_sequence *sequence, uint8_t checksum[16]);

#ifdef __cplusplus
}
#endif

#endif
