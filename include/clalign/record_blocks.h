#ifndef CLALIGN_RECORD_BLOCKS_H
#define CLALIGN_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The records of a FASTA or FASTQ file in blocks of arrays, for many short records: to make a sequence
 * object of a record takes longer than to align it. One thread at a time cuts blocks off the file, in order;
 * cutting only finds where records end. Any thread then parses a block, while others are cut.
 * Records, their letters and all errors are those of cla_sequence_file_next. */

/* A file that is cut. */
typedef struct cla_record_blocks cla_record_blocks;

/* Opens `path`, "-" being the standard input. With `qualities` the qualities of FASTQ are kept, and an
 * invalid one is an error. Errors: CLA_ERROR_INPUT (missing, a directory, not a sequence file),
 * CLA_ERROR_MEMORY. */
cla_status cla_record_blocks_open(cla_record_blocks **out, const char *path, bool qualities,
                                  cla_error *error);

/* NULL is allowed. No block of the file may be parsed or read from afterwards; its arrays stay. */
void cla_record_blocks_close(cla_record_blocks *file);

/* Where a record comes from that was added to a block: a record of another block, or a sequence. */
typedef struct cla_record_source {
  const struct cla_record_block *block; /* parsed, and there as long as the record is used */
  int64_t index;                        /* of the record in `block` */
  cla_sequence *sequence;               /* in place of both: its range is the record; NULL: none */
} cla_record_source;

/* Records that follow each other. A program may also fill the arrays with records of its own, for what takes
 * blocks, without the calls below. Zero-initialise it, use it for block after block, and end with
 * cla_record_block_free. The arrays are the block's, from cla_record_block_parse to the next cut. */
typedef struct cla_record_block {
  int64_t first;         /* number of the first record, from 0; set by the cut */
  int64_t count;         /* how many records there are; set by the cut */
  uint8_t *codes;        /* of all letters, as cla_alphabet orders them */
  int64_t *offsets;      /* where each record's letters begin, and where the last one's end: count + 1 */
  uint8_t *qualities;    /* of each letter, from 0; NULL: none */
  uint8_t *lower;        /* what keep_case keeps: 0x20 for a letter in lower case, else 0; NULL: not kept */
  char *names;           /* first words of headers, each with a zero behind it */
  int64_t *name_offsets; /* where each name begins, and where the last one's zero ends: count + 1 */
  uint8_t *status;       /* a cla_status each; a record with an error has no letters */
  uint32_t letters_met;  /* codes that occur, a bit each */
  const char *path;      /* of the file; NULL: a program filled the arrays, and owns them */
  /* By record, where names, ranges, qualities and letters beside the range are; NULL: in this block */
  cla_record_source *sources;

  const cla_record_blocks *file; /* the file of the block; this field and all below are the library's own */
  unsigned char *bytes;          /* the records as in the file, decompressed */
  int64_t *places;               /* where each record's bytes begin, and where the last one's end */
  cla_error *failure;            /* the last record's error, if `failed` */
  bool failed;                   /* the last record ends the file by an error */
  bool is_fastq;                 /* the file is FASTQ; else FASTA */
  int64_t byte_count;            /* how many `bytes` are in use */
  int64_t byte_capacity;         /* room in `bytes` */
  int64_t place_capacity;        /* room in `places` */
  int64_t code_capacity;         /* room in `codes` */
  int64_t quality_capacity;      /* room in `qualities` */
  int64_t lower_capacity;        /* room in `lower` */
  int64_t name_capacity;         /* room in `names` */
  int64_t record_capacity;       /* room for records in offsets, name_offsets, status and sources */
} cla_record_block;

/* NULL is allowed. */
void cla_record_block_free(cla_record_block *block);

/* Cuts the next records off the file: at most `most_records`, and of no more than `most_bytes` with their
 * headers, but at least one. block->count is 0 at the end of the file. What cannot be read, or is no record,
 * is the last record, with an error (cla_record_block_read). One call at a time for a file. Errors of the
 * call itself: CLA_ERROR_MEMORY, after which the file is to be closed. */
cla_status cla_record_block_cut(cla_record_block *block, cla_record_blocks *file, int64_t most_records,
                                int64_t most_bytes, cla_error *error);

/* Turns the block's bytes into its arrays. options->qualities is ignored: the file's setting holds.
 * options->known must be set, except for proteins: without it a record whose letters alone do not show a
 * protein has the status CLA_ERROR_INPUT. Errors: CLA_ERROR_OPTION (no known alphabet, own letters that
 * cannot be, range_alone), CLA_ERROR_MEMORY; errors of records are in block->status. */
cla_status cla_record_block_parse(cla_record_block *block, const cla_sequence_options *options,
                                  cla_error *error);

/* Reads one record of a block, parsed or not, as cla_sequence_file_next does. Use it for the message of a
 * record with an error, for the alphabet of the first record, or for a sequence object. The record may be of
 * any alphabet, `known` or not. 0 <= index < count. The caller frees *out. */
cla_status cla_record_block_read(cla_sequence **out, const cla_record_block *block, int64_t index,
                                 const cla_sequence_options *options, cla_error *error);

/* Adds a record to a block that cla_record_block_add alone fills, and takes source->sequence over, also after
 * an error. NULL: a record without letters that has the status `read`, which is not CLA_OK then. All records
 * of a block have one alphabet. CLA_ERROR_MEMORY. */
cla_status cla_record_block_add(cla_record_block *block, const cla_record_source *source, cla_status read,
                                cla_error *error);

/* A checksum of a record that was parsed or added: of its name, its letters, and their place in a longer
 * record. */
uint64_t cla_record_block_mark(const cla_record_block *block, int64_t index);

/* Removes all records that were added. */
void cla_record_block_clear(cla_record_block *block);

#ifdef __cplusplus
}
#endif

#endif
