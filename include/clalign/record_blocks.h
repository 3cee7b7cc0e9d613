#ifndef CLALIGN_RECORD_BLOCKS_H
#define CLALIGN_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The records of a FASTA or FASTQ file in blocks of arrays, for many short records: making a sequence object
 * for such a record takes longer than aligning it. One thread at a time cuts blocks off the file, in order;
 * cutting only finds where records end. Any thread then parses a block while other blocks are cut.
 * Records, their letters and all errors are those of cla_sequence_file_next. */

/* A file from which blocks are cut. */
typedef struct cla_record_blocks cla_record_blocks;

/* Opens `path`, "-" being the standard input. With `qualities` the qualities of FASTQ are kept, and an
 * invalid quality is an error. Errors: CLA_ERROR_INPUT (missing, a directory, not a sequence file),
 * CLA_ERROR_MEMORY. */
cla_status cla_record_blocks_open(cla_record_blocks **out, const char *path, bool qualities,
                                  cla_error *error);

/* Closes the file; NULL is allowed. Blocks of the file must not be parsed or read afterwards; their arrays
 * stay valid. */
void cla_record_blocks_close(cla_record_blocks *file);

/* The source of a record that was added to a block: a record of another block, or a sequence. */
typedef struct cla_record_source {
  const struct cla_record_block *block; /* a parsed block that outlives every use of the record */
  int64_t index;                        /* index of the record in `block` */
  cla_sequence *sequence;               /* used instead of `block`: its range is the record; NULL: none */
} cla_record_source;

/* Consecutive records of a file. A program may also fill the arrays with records of its own, without the
 * functions below, and pass them to functions that take blocks. Zero-initialise a block, use it for one cut
 * after another, and free it with cla_record_block_free. The block owns the arrays; they are valid from
 * cla_record_block_parse to the next cut. */
typedef struct cla_record_block {
  int64_t first;         /* number of the first record in the file, from 0; set by the cut */
  int64_t count;         /* number of records; set by the cut */
  uint8_t *codes;        /* codes of all letters, in the order of cla_alphabet */
  int64_t *offsets;      /* start of each record's letters, and end of the last record's: count + 1 */
  uint8_t *qualities;    /* quality of each letter, from 0; NULL: none */
  uint8_t *lower;        /* by letter, with keep_case: 0x20 for lower case, else 0; NULL: not kept */
  char *names;           /* first words of headers, each with a terminating zero */
  int64_t *name_offsets; /* start of each name, and end of the last name's zero: count + 1 */
  uint8_t *status;       /* by record: a cla_status; a record with an error has no letters */
  uint32_t letters_met;  /* one bit for each code that occurs */
  const char *path;      /* path of the file; NULL: a program filled the arrays, and owns them */
  /* by record: where its name, range, qualities and the letters outside the range are; NULL: in this block */
  cla_record_source *sources;

  const cla_record_blocks
      *file;                /* the file of the block; this field and all below are private to the library */
  unsigned char *bytes;     /* the records as in the file, decompressed */
  int64_t *places;          /* start of each record's bytes, and end of the last record's */
  cla_error *failure;       /* the last record's error, if `failed` */
  bool failed;              /* the last record is an error, which ends the file */
  bool is_fastq;            /* the file is FASTQ; else FASTA */
  int64_t byte_count;       /* number of `bytes` in use */
  int64_t byte_capacity;    /* room in `bytes` */
  int64_t place_capacity;   /* room in `places` */
  int64_t code_capacity;    /* room in `codes` */
  int64_t quality_capacity; /* room in `qualities` */
  int64_t lower_capacity;   /* room in `lower` */
  int64_t name_capacity;    /* room in `names` */
  int64_t record_capacity;  /* room for records in offsets, name_offsets, status and sources */
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

/* Turns the block's bytes into its arrays. options->qualities is ignored: the file's setting holds.
 * options->known must be set, except for proteins: if it is not set, a record whose letters do not prove a
 * protein has the status CLA_ERROR_INPUT. Errors: CLA_ERROR_OPTION (no known alphabet, invalid own letters,
 * range_alone), CLA_ERROR_MEMORY; errors of records are in block->status. */
cla_status cla_record_block_parse(cla_record_block *block, const cla_sequence_options *options,
                                  cla_error *error);

/* Reads one record of a block, parsed or not, as cla_sequence_file_next does. Use this function for the
 * message of a record with an error, for the alphabet of the first record, or for a sequence object. The
 * record may be of any alphabet, and options->known need not be set. 0 <= index < count. The caller frees
 * *out. */
cla_status cla_record_block_read(cla_sequence **out, const cla_record_block *block, int64_t index,
                                 const cla_sequence_options *options, cla_error *error);

/* Adds a record to a block that is filled only by this function, and takes over source->sequence, also after
 * an error. `source` NULL: adds a record without letters that has the status `read`, which must not be
 * CLA_OK. All records of a block have one alphabet. CLA_ERROR_MEMORY. */
cla_status cla_record_block_add(cla_record_block *block, const cla_record_source *source, cla_status read,
                                cla_error *error);

/* Returns a checksum of a parsed or added record: of its name, its letters, and their place in a longer
 * record. */
uint64_t cla_record_block_mark(const cla_record_block *block, int64_t index);

/* Removes all records that were added. */
void cla_record_block_clear(cla_record_block *block);

#ifdef __cplusplus
}
#endif

#endif
