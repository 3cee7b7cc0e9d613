#ifndef HOST_SEQ_SEQUENCE_H
#define HOST_SEQ_SEQUENCE_H

#include "clalign/record_blocks.h"
#include "clalign/sequence.h"
#include "seq/alphabet.h"

/* Letter codes of nucleotides: A C G T are 0..3, then the IUPAC letters; U has T's code. */
#define SEQUENCE_LETTERS "ACGTRYSWKMBDHVN"
#define SEQUENCE_LETTER_COUNT 15
#define SEQUENCE_UNAMBIGUOUS 4 /* codes below it are unambiguous */

/* The codes of the whole record, one byte a letter; owned by the sequence. With range_alone only those of the
 * range and some beside it may be read. */
const uint8_t *sequence_codes(const cla_sequence *sequence);

/* FASTQ's quality of each letter, from 0; NULL: there are none, or they were not kept. */
const uint8_t *sequence_qualities(const cla_sequence *sequence);

/* The number of the record in its file, from 1; 0: it is of no file. */
int64_t sequence_number(const cla_sequence *sequence);

/* By letter, the number that turns the code's letter into its case in the input: LOWER_CASE or 0. NULL: case
 * was not kept. */
const uint8_t *sequence_lower(const cla_sequence *sequence);

/* The alphabet of the codes; owned by the sequence or static. */
const letter_set *sequence_alphabet(const cla_sequence *sequence);

/* The codes that occur in the whole record, a bit each. */
uint32_t sequence_letters_met(const cla_sequence *sequence);

/* CLA_ERROR_OPTION where only a range's letters were kept (range_alone); `use` takes them all. */
cla_status sequence_whole_check(const cla_sequence *sequence, const char *use, cla_error *error);

/* The first position of a code in the record, or -1. */
int64_t sequence_find(const cla_sequence *sequence, uint8_t code);

/* Letters of its range. */
static inline int64_t sequence_range_letters(const cla_sequence *sequence) {
  return cla_sequence_end(sequence) - cla_sequence_begin(sequence);
}

/* Makes a sequence of `count` >= 1 letters of a circular record, from letter `first` on, 0 <= first < length.
 * It has the record's name and location, and its range is all of it. With the record's number of letters, it
 * is the rotated record. CLA_ERROR_MEMORY. The caller frees *out. */
cla_status sequence_circle_part(cla_sequence **out, const cla_sequence *sequence, int64_t first,
                                int64_t count, cla_error *error);

/* A sequence that points into a block of records, for one after the other. CLA_ERROR_MEMORY. */
cla_status record_view_open(cla_sequence **out, const letter_set *letters, cla_error *error);

/* Makes `view` the record of that number in the block. Neither the record nor `location` is copied. summed:
 * the view has a checksum and its own letters_met, not the block's. CLA_ERROR_MEMORY. */
cla_status record_view_set(cla_sequence *view, const cla_record_block *block, int64_t index, char *location,
                           bool summed, cla_error *error);

/* NULL is allowed. */
void record_view_close(cla_sequence *view);

/* By code of a nucleotide: the bases that it stands for, a bit for the code of each. */
extern const uint8_t nucleotide_bases[SEQUENCE_LETTER_COUNT];

/* The other strand of DNA: the complements of the letters, from the last to the first. */

/* The complement's code by a nucleotide's code. An IUPAC letter becomes the letter for the complements of its
 * meanings. So R (A or G) and Y (C or T) change places, and S, W and N stay. */
extern const uint8_t nucleotide_complement[SEQUENCE_LETTER_COUNT];

/* `length` codes of nucleotides; the two do not overlap. */
void reverse_complement_codes(uint8_t *out, const uint8_t *codes, int64_t length);

/* CLA_ERROR_INPUT unless it is DNA. */
cla_status sequence_strand_check(const cla_sequence *sequence, cla_error *error);

/* Makes a sequence of the other strand with the same name and location. Its range holds the same letters.
 * CLA_ERROR_INPUT unless it is DNA, CLA_ERROR_MEMORY. The caller frees *out. */
cla_status sequence_reverse_complement(cla_sequence **out, const cla_sequence *sequence, cla_error *error);

/* One strand of a record, without a copy. Positions count from the strand's first letter. */
typedef struct strand_letters {
  const uint8_t *codes; /* of the forward strand */
  const uint8_t *lower; /* sequence_lower; NULL: all are in upper case */
  int64_t length;
  bool reverse; /* only for DNA */
} strand_letters;

static inline uint8_t strand_code(const strand_letters *letters, int64_t position) {
  if (!letters->reverse) return letters->codes[position];
  return nucleotide_complement[letters->codes[letters->length - 1 - position]];
}

/* The letter in its case; `alphabet` has letters by their codes. */
static inline char strand_letter(const strand_letters *letters, const char *alphabet, int64_t position) {
  const int64_t at = letters->reverse ? letters->length - 1 - position : position;
  return (char)(alphabet[strand_code(letters, position)] | (letters->lower ? letters->lower[at] : 0));
}

#endif
