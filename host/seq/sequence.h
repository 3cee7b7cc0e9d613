#ifndef HOST_SEQ_SEQUENCE_H
#define HOST_SEQ_SEQUENCE_H

#include "clalign/record_blocks.h"
#include "clalign/sequence.h"
#include "seq/alphabet.h"

/* Letter codes of nucleotides: A C G T are 0..3, then the IUPAC letters follow. U has the code of T. */
#define SEQUENCE_LETTERS "ACGTRYSWKMBDHVN"
#define SEQUENCE_LETTER_COUNT 15
#define SEQUENCE_UNAMBIGUOUS 4 /* codes below this number are unambiguous */

/* Returns the codes of the whole record, one byte per letter, owned by the sequence. With range_alone, only
 * the codes of the range and some on either side may be read. */
const uint8_t *sequence_codes(const cla_sequence *sequence);

/* Returns FASTQ's quality of each letter, starting from 0; NULL: none, or not kept. */
const uint8_t *sequence_qualities(const cla_sequence *sequence);

/* Returns the 1-based number of the record in its file; 0 if it does not come from a file. */
int64_t sequence_number(const cla_sequence *sequence);

/* Returns a number for each letter: LOWER_CASE if the letter is in lower case in the input, otherwise 0. The
 * upper-case letter | this number is the letter of the input. Returns NULL if the case was not kept. */
const uint8_t *sequence_lower(const cla_sequence *sequence);

/* Returns the alphabet of the codes. It is static or owned by the sequence. */
const letter_set *sequence_alphabet(const cla_sequence *sequence);

/* Returns the codes that occur in the whole record, as a bit set: bit i is set if code i occurs. */
uint32_t sequence_letters_met(const cla_sequence *sequence);

/* Fails with CLA_ERROR_OPTION if only a range's letters were kept (range_alone). `use`: the operation that
 * needs all letters, for the message. */
cla_status sequence_whole_check(const cla_sequence *sequence, const char *use, cla_error *error);

/* Returns the first position of a code in the record, or -1. */
int64_t sequence_find(const cla_sequence *sequence, uint8_t code);

/* Returns the number of letters in the sequence's range. */
static inline int64_t sequence_range_letters(const cla_sequence *sequence) {
  return cla_sequence_end(sequence) - cla_sequence_begin(sequence);
}

/* Makes a sequence of `count` >= 1 letters of a circular record, starting with letter `first`, 0 <= first <
 * length. The new sequence has the record's name and location, and its range is all of its letters. If
 * `count` is the record's length, it is the rotated record. Fails with CLA_ERROR_MEMORY. The caller frees
 * *out. */
cla_status sequence_circle_part(cla_sequence **out, const cla_sequence *sequence, int64_t first,
                                int64_t count, cla_error *error);

/* Makes a sequence that can point to one record of a block at a time. Fails with CLA_ERROR_MEMORY. */
cla_status record_view_open(cla_sequence **out, const letter_set *letters, cla_error *error);

/* Makes `view` point to the record with that number in the block. Neither the record nor `location` is
 * copied. If `summed` is true, the view's checksum and letters_met are computed from its letters. Otherwise
 * it has no checksum, and letters_met is that of the block. Fails with CLA_ERROR_MEMORY. */
cla_status record_view_set(cla_sequence *view, const cla_record_block *block, int64_t index, char *location,
                           bool summed, cla_error *error);

/* Frees the view. NULL is allowed. */
void record_view_close(cla_sequence *view);

/* For each nucleotide code, the bases that its letter stands for, as a bit set: bit i is set for the base
 * with code i. */
extern const uint8_t nucleotide_bases[SEQUENCE_LETTER_COUNT];

/* The other strand of DNA: the complements of the letters, in reverse order. */

/* For each nucleotide code, the code of the complement. If a letter stands for several bases, its
 * complement stands for their complements. So R (A or G) and Y (C or T) are exchanged, and S, W and N
 * remain. */
extern const uint8_t nucleotide_complement[SEQUENCE_LETTER_COUNT];

/* Writes the reverse complement of `length` codes of nucleotides to `out`, which must not overlap `codes`. */
void reverse_complement_codes(uint8_t *out, const uint8_t *codes, int64_t length);

/* Fails with CLA_ERROR_INPUT if the sequence is not DNA. */
cla_status sequence_strand_check(const cla_sequence *sequence, cla_error *error);

/* Makes a sequence of the other strand with the same name and location. The new range contains the
 * complements of the old range's letters. Fails with CLA_ERROR_INPUT if the sequence is not DNA, or with
 * CLA_ERROR_MEMORY. The caller frees *out. */
cla_status sequence_reverse_complement(cla_sequence **out, const cla_sequence *sequence, cla_error *error);

/* One strand of a record, without a copy. Positions count from the strand's first letter. */
typedef struct strand_letters {
  const uint8_t *codes; /* codes of the forward strand */
  const uint8_t *lower; /* result of sequence_lower; NULL: all letters are in upper case */
  int64_t length;
  bool reverse; /* true: the reverse strand; only for DNA */
} strand_letters;

static inline uint8_t strand_code(const strand_letters *letters, int64_t position) {
  if (!letters->reverse) return letters->codes[position];
  return nucleotide_complement[letters->codes[letters->length - 1 - position]];
}

/* Returns the letter, with its case, at a position of the strand. `alphabet`: the letters in the order of
 * their codes. */
static inline char strand_letter(const strand_letters *letters, const char *alphabet, int64_t position) {
  const int64_t at = letters->reverse ? letters->length - 1 - position : position;
  return (char)(alphabet[strand_code(letters, position)] | (letters->lower ? letters->lower[at] : 0));
}

#endif
