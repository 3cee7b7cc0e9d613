#ifndef CLALIGN_RECORD_BLOCKS_H
#define CLALIGN_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the records of a FASTA or FASTQ file in blocks of arrays. This is for many short records, because
 * making a sequence object for a short record takes longer than aligning it. One thread at a time cuts blocks
 * off the file, in order; cutting only finds where records end. Any thread can then parse a block while other
 * blocks are cut. Records, letters and errors are the same as with cla_sequence_file_next. */

/* A file from which blocks are cut. */
typedef struct cla_record_blocks cla_record_blocks;

/* Opens `path`; "-" is the standard input. With `qualities`, the qualities of FASTQ are kept, and an invalid
 * quality is an error. Errors: CLA_ERROR_INPUT if the file is missing, a directory or not a sequence file;
 * CLA_ERROR_MEMORY. */
cla_status cla_record_blocks_open(cla_record_blocks **out, const char *path, bool qualities,
                                  cla_error *error);

/* Closes the file; NULL is allowed. Blocks of the file must not be parsed or read afterwards; their arrays
 * remain valid. */
void cla_record_blocks_close(cla_record_blocks *file);

/* The source of a record that was added to a block: a record of another block, or a sequence. */
typedef struct cla_record_source {
  const struct cla_record_block *block; /* a parsed block that outlives every use of the record */
  int64_t index;                        /* index of the record in `block` */
  cla_sequence *sequence; /* used instead of `block`: the sequence's range is the record; NULL: none */
} cla_record_source;

/* Consecutive records of a file. A program may also fill the arrays itself, without the functions below, and
 * pass the block to other functions. The caller initialises a block with zeros, may use it for any number of
 * cuts, and frees it with cla_record_block_free. The block owns the arrays, which are valid from
 * cla_record_block_parse to the next cut. */
typedef struct cla_record_block {
  int64_t first;         /* 0-based number in the file of the first record; set by the cut */
  int64_t count;         /* number of records; set by the cut */
  uint8_t *codes;        /* codes of all letters, in the order of cla_alphabet */
  int64_t *offsets;      /* start of each record's letters, and end of the last record: count + 1 elements */
  uint8_t *qualities;    /* quality of each letter, >= 0; NULL: none */
  uint8_t *lower;        /* by letter, with keep_case: 0x20 for lower case, else 0; NULL: not kept */
  char *names;           /* first words of headers, each with a terminating zero */
  int64_t *name_offsets; /* start of each name, and end of the last name's zero: count + 1 elements */
  uint8_t *status;       /* by record: a cla_status; a record with an error has no letters */
  uint32_t letters_met;  /* one bit for each code that occurs */
  const char *path;      /* path of the file; NULL: a program filled the arrays, and owns them */
  /* by record: the source of its name, range, qualities and letters outside the range; NULL: this block */
  cla_record_source *sources;

  const cla_record_blocks
      *file;                /* the file of the block; this field and all below are private to the library */
  unsigned char *bytes;     /* the records as in the file, decompressed */
  int64_t *places;          /* start of each record's bytes, and end of the last record's bytes */
  cla_error *failure;       /* the last record's error, if `failed` */
  bool failed;              /* the last record is an error, after which nothing more can be read */
  bool is_fastq;            /* the file is FASTQ; else FASTA */
  int64_t byte_count;       /* number of `bytes` in use */
  int64_t byte_capacity;    /* allocated size of `bytes` */
  int64_t place_capacity;   /* allocated size of `places` */
  int64_t code_capacity;    /* allocated size of `codes` */
  int64_t quality_capacity; /* allocated size of `qualities` */
  int64_t lower_capacity;   /* allocated size of `lower` */
  int64_t name_capacity;    /* allocated size of `names` */
  int64_t record_capacity;  /* allocated records in offsets, name_offsets, status and sources */
} cla_record_block;

/* Frees the block's arrays; NULL is allowed. */
void cla_record_block_free(cla_record_block *block);

/* Cuts the next records off the file: at most `most_records`, with at most `most_bytes` bytes including
 * headers, but at least one record. block->count is 0 at the end of the file. A part of the file that cannot
 * be read, or is no record, becomes the last record, with an error (cla_record_block_read). Only one thread
 * at a time may call the function for a file. Errors of the call itself: CLA_ERROR_MEMORY; the file must then
 * be closed. */
cla_status cla_record_block_cut(cla_record_block *block, cla_record_blocks *file, int64_t most_records,
                                int64_t most_bytes, cla_error *error);

/* Converts the block's bytes to its arrays. options->qualities is ignored, because cla_record_blocks_open has
 * set it. options->known must be set, except for proteins: if it is not set, a record whose letters do not
 * prove a protein has the status CLA_ERROR_INPUT. Errors: CLA_ERROR_OPTION if the alphabet is not known,
 * user-defined letters are invalid, or range_alone is set; CLA_ERROR_MEMORY. Errors of records are in
 * block->status. */
cla_status cla_record_block_parse(cla_record_block *block, const cla_sequence_options *options,
                                  cla_error *error);

/* Reads one record of a block, parsed or not, like cla_sequence_file_next. Use this function for the message
 * of a record with an error, for the alphabet of the first record, or for a sequence object. The record may
 * be of any alphabet, and options->known need not be set. 0 <= index < count. The caller frees *out. */
cla_status cla_record_block_read(cla_sequence **out, const cla_record_block *block, int64_t index,
                                 const cla_sequence_options *options, cla_error *error);

/* Adds a record to a block that is filled only by this function, and takes ownership of source->sequence,
 * even after an error. If `source` is NULL, adds a record without letters that has the status `read`, which
 * must not be CLA_OK. All records of a block must have the same alphabet. CLA_ERROR_MEMORY. */
cla_status cla_record_block_add(cla_record_block *block, const cla_record_source *source, cla_status read,
                                cla_error *error);

/* Returns a checksum of the name, the letters, and the letters' place in a longer record, for a parsed or
 * added record. */
uint64_t cla_record_block_mark(const cla_record_block *block, int64_t index);

/* Removes all records that were added. */
void cla_record_block_clear(cla_record_block *block);

#ifdef __cplusplus
}
#endif

#endif
