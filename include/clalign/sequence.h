#ifndef CLALIGN_SEQUENCE_H
#define CLALIGN_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence: a whole record, and the range of it that takes part in the alignment.
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
 * An existing file's name wins over a split at a colon, a whole record's name over a range. The caller frees
 * *out with cla_sequence_free.
 *
 * Errors: CLA_ERROR_MEMORY and CLA_ERROR_INPUT. The file may be missing, a directory, empty, truncated or no
 * sequence file. The record may not be there, or several are and none is chosen. It may have no letters, or
 * one outside the alphabet, and the range may be outside of it.
 *
 * The alphabet is detected by all letters of the record except X, which may mask either alphabet. DNA has
 * only nucleotide letters, at least half of them in ACGTUN, and never an X among them. A protein has letters
 * that only amino acids have, and less than three quarters of its letters are in ACGTUN. Anything in between
 * is an error: it could be either, or has a letter by mistake. */
cla_status cla_sequence_read(cla_sequence **out, const char *location, cla_error *error);

/* Options of reading. All zero: as cla_sequence_read. */
typedef struct cla_sequence_options {
  bool known; /* `alphabet` is set; else it is detected, and a record without letters counts as DNA */
  cla_alphabet alphabet; /* the known alphabet */
  const char *own;       /* the letters of CLA_ALPHABET_OWN */
  bool allow_empty;      /* a record without letters is a sequence, and no error */
  bool qualities;        /* FASTQ's qualities are kept, for SAM and BAM; a byte more per letter */
  bool keep_case; /* case is kept, for the formats pair, srspair, maf and fasta; a byte more per letter */
  /* Only letters of the range are kept, for FASTA, which saves memory. Facts of all letters, such as the
   * checksum, stay. Calls that need other letters return CLA_ERROR_OPTION: the other strand, circular
   * sequences, plots, paths as lower bounds, SAM of the query. cla_sequence_letter must not ask for other
   * letters. */
  bool range_alone;
} cla_sequence_options;

/* cla_sequence_read with options. Further errors: CLA_ERROR_OPTION (impossible own letters). */
cla_status cla_sequence_read_with(cla_sequence **out, const char *location,
                                  const cla_sequence_options *options, cla_error *error);

/* Makes a sequence from `length` letters in memory, which are copied. The range is the whole, and the
 * alphabet is detected. Errors: CLA_ERROR_INPUT (no letters, a letter outside the alphabet, no certain
 * alphabet), CLA_ERROR_MEMORY. */
cla_status cla_sequence_from_letters(cla_sequence **out, const char *name, const char *letters,
                                     int64_t length, cla_error *error);

/* cla_sequence_from_letters with the options of cla_sequence_read_with. */
cla_status cla_sequence_from_letters_with(cla_sequence **out, const char *name, const char *letters,
                                          int64_t length, const cla_sequence_options *options,
                                          cla_error *error);

/* Makes a sequence of the same record with another location, in which letters begin .. end - 1 take part.
 * Both share the record's letters. `whole` may be freed first. Threads may do this at the same time. Errors:
 * CLA_ERROR_OPTION (a range without letters of a record that has some, or outside of it), CLA_ERROR_MEMORY.
 * The caller frees *out with cla_sequence_free. */
cla_status cla_sequence_part(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                             int64_t end, cla_error *error);

/* NULL is allowed. Nothing else that the library makes needs a sequence after the call that took it. */
void cla_sequence_free(cla_sequence *sequence);

const char *cla_sequence_name(const cla_sequence *sequence); /* first word of the header */
const char *cla_sequence_location(
    const cla_sequence *sequence); /* as given to cla_sequence_read; "" for letters from memory */
cla_alphabet cla_sequence_alphabet(const cla_sequence *sequence); /* known or detected */
int64_t cla_sequence_length(const cla_sequence *sequence);        /* letters of the whole record */
int64_t cla_sequence_begin(const cla_sequence *sequence);         /* the range that takes part */
int64_t cla_sequence_end(const cla_sequence *sequence); /* end of that range, after its last letter */

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
