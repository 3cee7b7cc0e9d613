#ifndef CLALIGN_SEQUENCE_H
#define CLALIGN_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence: a whole record, and the range of the record that is aligned.
 *
 * All letters belong to one alphabet (clalign/alphabet.h); any other letter is an error. A sequence is
 * immutable after creation, so threads may share it. Positions are 0-based and half-open. */
typedef struct cla_sequence cla_sequence;

/* Reads a sequence from `location`:
 *   FILE                  a FASTA or FASTQ file (plain, gzip or bgzf) that contains exactly one record
 *   FILE:RECORD           one of several records, by the first word of its header
 *   FILE:#3               one record by its 1-based number; a record named "#3" has precedence
 *   FILE:RECORD:FROM-TO   a range of a record, 1-based inclusive as in samtools ("FROM-" runs to the end)
 *   FILE:FROM-TO          a range of the only record
 *   -                     standard input; also -:RECORD and so on
 * The name of an existing file has precedence over a split at a colon, and a record's whole name over a
 * range. The caller frees *out with cla_sequence_free.
 *
 * Errors:
 *
 * - CLA_ERROR_INPUT: a file that is missing, a directory, empty, truncated or not a sequence file
 * - CLA_ERROR_INPUT: no such record, or several records without a choice of one
 * - CLA_ERROR_INPUT: no letters, a letter that is not in the alphabet, or a range outside the record
 * - CLA_ERROR_MEMORY
 *
 * The alphabet is detected from all letters of the record except X, which can be a masked letter of either
 * alphabet. DNA has only nucleotide letters, at least half of them in ACGTUN, and never an X among them. A
 * protein has letters that only amino acids have, and less than three quarters of its letters are in ACGTUN.
 * Any other record is an error: it could be DNA or protein, or contains a wrong letter. */
cla_status cla_sequence_read(cla_sequence **out, const char *location, cla_error *error);

/* Options of reading. All zero: the behaviour of cla_sequence_read. */
typedef struct cla_sequence_options {
  bool known; /* `alphabet` is set; false: the alphabet is detected, and a record without letters counts as
                 DNA */
  cla_alphabet alphabet; /* the known alphabet */
  const char *own;       /* the letters of CLA_ALPHABET_OWN */
  bool allow_empty;      /* accept a record without letters */
  bool qualities;        /* keep FASTQ's qualities, for SAM and BAM; needs an additional byte per letter */
  bool keep_case; /* keep the case, for pair, srspair, maf and fasta; needs an additional byte per letter */
  /* Keep only the letters of the range, which saves memory; FASTA only. Properties of all letters, such as
   * the checksum, are kept. Calls that need letters outside the range return CLA_ERROR_OPTION: for the other
   * strand, circular sequences, plots, paths as lower bounds, SAM of the query. cla_sequence_letter must not
   * be called for such letters. */
  bool range_alone;
} cla_sequence_options;

/* Like cla_sequence_read, with options. Additional error: CLA_ERROR_OPTION for invalid user-defined
 * letters. */
cla_status cla_sequence_read_with(cla_sequence **out, const char *location,
                                  const cla_sequence_options *options, cla_error *error);

/* Makes a sequence from `length` letters in memory, which are copied. The range is the whole record, and the
 * alphabet is detected. Errors: CLA_ERROR_INPUT if there are no letters, a letter is not in the alphabet, or
 * the alphabet cannot be detected; CLA_ERROR_MEMORY. */
cla_status cla_sequence_from_letters(cla_sequence **out, const char *name, const char *letters,
                                     int64_t length, cla_error *error);

/* Like cla_sequence_from_letters, with the options of cla_sequence_read_with. */
cla_status cla_sequence_from_letters_with(cla_sequence **out, const char *name, const char *letters,
                                          int64_t length, const cla_sequence_options *options,
                                          cla_error *error);

/* Makes a sequence of the same record with another location and the range of letters `begin` .. `end` - 1.
 * Both sequences share the record's letters. `whole` may be freed first. Several threads may make parts of
 * `whole` at the same time. Errors: CLA_ERROR_OPTION if the range is outside the record, or is empty and the
 * record has letters; CLA_ERROR_MEMORY. The caller frees *out with cla_sequence_free. */
cla_status cla_sequence_part(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                             int64_t end, cla_error *error);

/* Frees the sequence; NULL is allowed. Objects made from the sequence do not need it: a sequence may be
 * freed after the call to which it was passed. */
void cla_sequence_free(cla_sequence *sequence);

const char *cla_sequence_name(const cla_sequence *sequence); /* first word of the header */
/* The rest of the header, up to 255 bytes; "" if there is none, or if the letters are not from a file. */
const char *cla_sequence_description(const cla_sequence *sequence);
const char *cla_sequence_location(
    const cla_sequence *sequence); /* the location given to cla_sequence_read; "" for letters from memory */
cla_alphabet cla_sequence_alphabet(const cla_sequence *sequence); /* known or detected */
int64_t cla_sequence_length(const cla_sequence *sequence);        /* number of letters of the whole record */
int64_t cla_sequence_begin(const cla_sequence *sequence);         /* start of the range */
int64_t cla_sequence_end(const cla_sequence *sequence); /* end of the range, after its last letter */

/* True if the record's description contains circular=true or topology=circular, as written by assemblers. */
bool cla_sequence_circular(const cla_sequence *sequence);

/* Returns the upper-case letter at `position` of the record, 0 <= position < length. */
char cla_sequence_letter(const cla_sequence *sequence, int64_t position);

/* Writes the upper-case letters at positions `from` .. `to` - 1 of the record, 0 <= from <= to <= length,
 * without a terminating zero. */
void cla_sequence_letters(char *letters, const cla_sequence *sequence, int64_t from, int64_t to);

/* Computes the XXH3-128 of the whole record's letters, in canonical big-endian form. Letters are taken in
 * upper case, and a nucleotide U as T. */
void cla_sequence_checksum(const cla_sequence *sequence, uint8_t checksum[16]);

#ifdef __cplusplus
}
#endif

#endif
