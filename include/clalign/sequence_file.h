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

/* A record that becomes a FASTA file. */
typedef struct cla_fasta_record {
  const char *path;    /* path of the file, which gets only this record */
  const char *name;    /* text of the header line, without '>' */
  const char *letters; /* letters, which are written unchanged */
  int64_t length;      /* number of letters */
} cla_fasta_record;

/* Writes each record to its file. Files get their names only when all of them are complete. Pipes and other
 * special files are written directly. `interrupted` is called now and then; it may be NULL. Errors:
 * CLA_ERROR_OUTPUT (names the file), CLA_ERROR_OPTION (a control character in a name), CLA_ERROR_MEMORY,
 * CLA_ERROR_INTERRUPTED. */
cla_status cla_fasta_write(const cla_fasta_record *records, size_t count, bool (*interrupted)(void),
                           cla_error *error);

/* Sets the receiver of notes about ignored bytes in sequence files: bytes other than zero behind the last
 * member of gzip. A note is a line. `note` NULL, the default: notes are dropped. Call this function before
 * other threads read files, because any of them may call `note`. */
void cla_sequence_notes(void (*note)(const char *text, void *user), void *user);

/* Reading many records of few files, without a pass over the file for each record. Threads must not share a
 * cla_sequence_file or a cla_sequence_store, but may share the sequences read from them. */

/* A FASTA or FASTQ file (plain, gzip or bgzf), whose records are read in order or by number. */
typedef struct cla_sequence_file cla_sequence_file;

/* Opens `path`, "-" being the standard input. Errors: CLA_ERROR_INPUT (missing, a directory, not a sequence
 * file), CLA_ERROR_MEMORY. */
cla_status cla_sequence_file_open(cla_sequence_file **out, const char *path, cla_error *error);

/* Closes the file; its sequences stay valid. NULL is allowed. */
void cla_sequence_file_close(cla_sequence_file *file);

/* Reads the next record, whose location is PATH:RECORD. *out is NULL at the end of the file; the caller frees
 * it. `options` may be NULL. Errors as cla_sequence_read_with, also for a record without a name. After
 * CLA_ERROR_INPUT the next call reads the record after the bad one. If the rest of the file cannot be read,
 * the next call finds the end of the file. */
cla_status cla_sequence_file_next(cla_sequence **out, cla_sequence_file *file,
                                  const cla_sequence_options *options, cla_error *error);

/* Reads record `number`, from 0; *out is NULL if the file has fewer records. The next call of
 * cla_sequence_file_next reads the record after that one. Standard input, and gzip other than bgzf, is
 * unpacked to a temporary file before the first record is read. For such a file the first call of this
 * function must come before any call of cla_sequence_file_next (else CLA_ERROR_INPUT). Other errors as
 * cla_sequence_file_next, and CLA_ERROR_OUTPUT. */
cla_status cla_sequence_file_read(cla_sequence **out, cla_sequence_file *file, int64_t number,
                                  const cla_sequence_options *options, cla_error *error);

/* Counts the file's records, by reading the whole file. Standard input and gzip are unpacked as by
 * cla_sequence_file_read. Errors as that function. */
cla_status cla_sequence_file_count(int64_t *count, cla_sequence_file *file, cla_error *error);

/* A store of sequences by their locations. The store keeps files open, with the places of their records. The
 * store also keeps sequences that were read, as long as there is room. */
typedef struct cla_sequence_store cla_sequence_store;

/* Opens a store that keeps letters of at most `bytes` bytes. CLA_ERROR_MEMORY. */
cla_status cla_sequence_store_open(cla_sequence_store **out, int64_t bytes, cla_error *error);

/* Closes the store; its sequences stay valid. NULL is allowed. */
void cla_sequence_store_close(cla_sequence_store *store);

/* Reads a sequence as cla_sequence_read_with does, but through a store. The store reads a file once to find
 * its records, and then only the requested records. A file that is altered while the store is open gives its
 * old letters or errors. The standard input is kept in a temporary file. Further errors: CLA_ERROR_OUTPUT (no
 * disk space for that file). The caller frees *out. */
cla_status cla_sequence_store_read(cla_sequence **out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error);

/* cla_sequence_store_read for cla_record_block_add, without a sequence object for each record. Files of which
 * whole records are wanted are read into memory at once, in up to half of the store's bytes. The source is
 * valid until the store is closed; the caller owns a sequence in the source. */
cla_status cla_sequence_store_find(cla_record_source *out, cla_sequence_store *store, const char *location,
                                   const cla_sequence_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
