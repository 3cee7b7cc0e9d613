#ifndef CLALIGN_SEQUENCE_FILE_H
#define CLALIGN_SEQUENCE_FILE_H

#include <stddef.h>

#include "clalign/record_blocks.h"
#include "clalign/sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Letters per line of a written FASTA file. */
#define CLA_FASTA_LINE_LETTERS 60

/* A record to be written as a FASTA file. */
typedef struct cla_fasta_record {
  const char *path;    /* path of the file, which will contain only this record */
  const char *name;    /* text of the header line, without '>' */
  const char *letters; /* letters, written unchanged */
  int64_t length;      /* number of letters */
} cla_fasta_record;

/* Writes each record to its file. The files appear under their names only when all files are complete. Pipes
 * and other special files are written directly. `interrupted` is called from time to time; it may be NULL.
 * Errors: CLA_ERROR_OUTPUT, whose message names the file; CLA_ERROR_OPTION for a control character in a name;
 * CLA_ERROR_MEMORY; CLA_ERROR_INTERRUPTED. */
cla_status cla_fasta_write(const cla_fasta_record *records, size_t count, bool (*interrupted)(void),
                           cla_error *error);

/* Sets the function that receives notes about ignored bytes in sequence files: bytes other than zero after
 * the last member of gzip. A note is one line. If `note` is NULL, the default, notes are dropped. Call this
 * function before other threads read files, because any of these threads may call `note`. */
void cla_sequence_notes(void (*note)(const char *text, void *user), void *user);

/* The functions below read many records of few files, without reading the whole file for each record. Threads
 * must not share a cla_sequence_file or a cla_sequence_store, but may share the sequences read from them. */

/* A FASTA or FASTQ file (plain, gzip or bgzf), whose records are read in order or by number. */
typedef struct cla_sequence_file cla_sequence_file;

/* Opens `path`; "-" is the standard input. Errors: CLA_ERROR_INPUT if the file is missing, a directory or not
 * a sequence file; CLA_ERROR_MEMORY. */
cla_status cla_sequence_file_open(cla_sequence_file **out, const char *path, cla_error *error);

/* Closes the file; sequences read from it remain valid. NULL is allowed. */
void cla_sequence_file_close(cla_sequence_file *file);

/* Reads the next record, whose location is PATH:RECORD. *out is NULL at the end of the file; otherwise the
 * caller frees *out. `options` may be NULL. Errors are those of cla_sequence_read_with, also for a record
 * without a name. After CLA_ERROR_INPUT, the next call reads the record after the bad one. If the rest of the
 * file cannot be read, the next call reports the end of the file. */
cla_status cla_sequence_file_next(cla_sequence **out, cla_sequence_file *file,
                                  const cla_sequence_options *options, cla_error *error);

/* Reads the record with the 0-based number `number`; *out is NULL if the file has fewer records. The next
 * call of cla_sequence_file_next reads the record after it. Standard input, and gzip other than bgzf, is
 * unpacked to a temporary file before the first record is read. For such a file the first call of this
 * function must come before any call of cla_sequence_file_next (else CLA_ERROR_INPUT). Other errors are those
 * of cla_sequence_file_next, and CLA_ERROR_OUTPUT. */
cla_status cla_sequence_file_read(cla_sequence **out, cla_sequence_file *file, int64_t number,
                                  const cla_sequence_options *options, cla_error *error);

/* Counts the file's records, by reading the whole file. Standard input and gzip are unpacked as in
 * cla_sequence_file_read. Errors are those of cla_sequence_file_read. */
cla_status cla_sequence_file_count(int64_t *count, cla_sequence_file *file, cla_error *error);

/* A store of sequences, which are found by their locations. The store keeps files open and remembers the
 * places of their records. It also keeps the sequences that were read, as long as there is room. */
typedef struct cla_sequence_store cla_sequence_store;

/* Opens a store that keeps at most `bytes` bytes of letters. CLA_ERROR_MEMORY. */
cla_status cla_sequence_store_open(cla_sequence_store **out, int64_t bytes, cla_error *error);

/* Closes the store; sequences read from it remain valid. NULL is allowed. */
void cla_sequence_store_close(cla_sequence_store *store);

/* Like cla_sequence_read_with, but through a store. The store reads a file once to find its records, and then
 * only the requested records. If a file is altered while the store is open, the result is its old letters or
 * an error. The standard input is kept in a temporary file. Additional error: CLA_ERROR_OUTPUT if there is no
 * disk space for that file. The caller frees *out. */
cla_status cla_sequence_store_read(cla_sequence **out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error);

/* Like cla_sequence_store_read, but returns a source for cla_record_block_add, without making a sequence
 * object for each record. A file from which whole records are requested is read into memory as a whole, in up
 * to half of the store's bytes. The source is valid until the store is closed; the caller owns the source's
 * sequence, if any. */
cla_status cla_sequence_store_find(cla_record_source *out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
