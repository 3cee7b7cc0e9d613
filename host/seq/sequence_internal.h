#ifndef HOST_SEQ_SEQUENCE_INTERNAL_H
#define HOST_SEQ_SEQUENCE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/sequence_file.h"
#include "clalign/status.h"
#include "seq/letter_store.h"
#include "seq/record_index.h"
#include "seq/sequence.h"
#include "seq/sequence_input.h"

/* Bytes of a file's name or a location in a message, including the terminating zero. */
#define SHOWN_LOCATION_SIZE 320
#define SHOWN_NAME_SIZE 96 /* bytes of a record's name in a message, including the terminating zero */
#define SHOWN_LETTER_SIZE 16

/* Copies `text` into buffer[size], size >= 16, for a one-line error message. Replaces control characters by
 * '?', and the middle of a long text by "...", to leave room for the remedy. Returns `buffer`. */
const char *shown_text(char *buffer, size_t size, const char *text);

/* Writes a letter as 'x', or as "byte 0x00" if it cannot be printed. Returns `buffer`. */
const char *shown_letter(char buffer[SHOWN_LETTER_SIZE], int letter);

/* A location FILE, FILE:SELECTION, - or -:SELECTION, split at the colon after the file's name. Whether a
 * selection is a record, a range, or both depends on the records' names. */
typedef struct sequence_location {
  char *file;            /* owned; "-" is the standard input */
  const char *selection; /* text after the colon, a part of the caller's location; NULL: none */
} sequence_location;

/* Splits the location at a colon such that the file's name is the longest one that exists. Fails with
 * CLA_ERROR_INPUT if no file exists, or with CLA_ERROR_MEMORY. `location` must outlive *out. */
cla_status sequence_location_split(sequence_location *out, const char *location, cla_error *error);
void sequence_location_free(sequence_location *location);

/* True if `text` has the form FROM-TO or FROM-. The numbers may have commas as thousands separators. */
bool sequence_range_form(const char *text);

/* Parses FROM-TO or FROM- (1-based, inclusive), a range of a record of `length` >= 1 letters, into a 0-based
 * half-open range. `record`: description of the record for messages. Fails with CLA_ERROR_INPUT if the range
 * is malformed or outside the record. */
cla_status sequence_range_parse(int64_t *begin, int64_t *end, const char *text, int64_t length,
                                const char *record, cla_error *error);

/* The name of a sequence, and the range of the record's letters that is aligned. */
typedef struct sequence_label {
  const char *name, *location;
  const char *description; /* NULL: no description */
  int64_t begin, end;      /* 0 <= begin < end <= length, or both 0 */
  int64_t number;          /* 1-based number of the record in its file; 0: not from a file */
} sequence_label;

/* Makes a sequence of finished letters, and takes ownership of their arrays. On success, `letters` is empty
 * afterwards; after a failure, it may be empty or not. Copies the label's texts. Fails with
 * CLA_ERROR_MEMORY. */
cla_status sequence_create(cla_sequence **out, const sequence_label *label, letter_store *letters,
                           cla_error *error);

/* Makes a sequence with another location and range that shares the letters of `whole`, which may be freed
 * first. Fails with CLA_ERROR_MEMORY. */
cla_status sequence_view(cla_sequence **out, cla_sequence *whole, const char *location, int64_t begin,
                         int64_t end, cla_error *error);

/* Finds the record that the choice selects, and sets *number to its number, counted from 0. The first call
 * reads the whole file. Fails like record_choice_verdict and cla_sequence_file_next, or with CLA_ERROR_OUTPUT
 * or CLA_ERROR_MEMORY. */
cla_status sequence_file_choose(int64_t *number, record_choice *choice, cla_sequence_file *file,
                                cla_error *error);

/* Opens a file that reads the records of `input`. Takes ownership of `input` on success. `first`: number of
 * the first record, counted from 0. Fails with CLA_ERROR_MEMORY. */
cla_status sequence_file_open_input(cla_sequence_file **out, const char *path, sequence_input *input,
                                    int64_t first, cla_error *error);

/* Returns the file's name for messages. */
const char *sequence_file_shown(const cla_sequence_file *file);

#endif
