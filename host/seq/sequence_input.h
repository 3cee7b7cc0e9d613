#ifndef HOST_SEQ_SEQUENCE_INPUT_H
#define HOST_SEQ_SEQUENCE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* The bytes of a file or of the standard input, decompressed by htslib (plain, gzip or bgzf), with every
 * kind of line end ("\n", "\r\n", "\r") turned into "\n". */
typedef struct sequence_input sequence_input;

/* Opens `file`, "-" being the standard input. CLA_ERROR_INPUT (missing, a directory, no permission, a known
 * format that is no sequence file), CLA_ERROR_MEMORY. Keeps htslib from logging until the close: the
 * library never prints. */
cla_status sequence_input_open(sequence_input **out, const char *file, cla_error *error);

/* sequence_input_open for a file of any text. */
cla_status sequence_input_open_text(sequence_input **out, const char *file, cla_error *error);

/* An input of `count` bytes in memory, which stay the caller's, with `of`'s name in messages and "\n" alone
 * at the ends of lines. Behind the bytes is the end, or where that is not NULL a failure of reading. Nothing
 * but peek, skip, left, shown and close is for it. CLA_ERROR_MEMORY. */
cla_status sequence_input_open_bytes(sequence_input **out, const unsigned char *bytes, int64_t count,
                                     const cla_error *failure, const sequence_input *of, cla_error *error);

void sequence_input_close(sequence_input *input);

/* Shows the next unread bytes, at least one, valid until the next call; *count is 0 at the end. Does not
 * consume them. CLA_ERROR_INPUT if the file is truncated, damaged or cannot be read. */
cla_status sequence_input_peek(sequence_input *input, const unsigned char **bytes, int64_t *count,
                               cla_error *error);

/* Consumes the first `count` of the bytes shown last. */
void sequence_input_skip(sequence_input *input, int64_t count);

/* How many bytes were shown and not consumed; of bytes in memory, how many are left. */
int64_t sequence_input_left(const sequence_input *input);

#define SEQUENCE_INPUT_PIECE 65536

/* Moves the next bytes, at least one and at most SEQUENCE_INPUT_PIECE, to `bytes`; *count is 0 at the end.
 * Errors as peek. An input that was taken from is not gone back in. */
cla_status sequence_input_take(sequence_input *input, unsigned char *bytes, int64_t *count, cla_error *error);

/* Sets *place to that of the next unread byte, for sequence_input_seek. Errors as peek. */
cla_status sequence_input_tell(sequence_input *input, int64_t *place, cla_error *error);

/* Goes to a place that sequence_input_tell gave for this input. For the standard input, a pipe, or gzip
 * without bgzf, sequence_input_keep must have been called. CLA_ERROR_INPUT. */
cla_status sequence_input_seek(sequence_input *input, int64_t place, cla_error *error);

/* Whether sequence_input_keep need not be called. */
bool sequence_input_seeks(const sequence_input *input);

/* Makes an input seekable: unpacks its unread bytes into a file without a name. Call it before anything is
 * skipped. CLA_ERROR_INPUT, CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status sequence_input_keep(sequence_input *input, cla_error *error);

/* The file for messages: shortened, one line, never NULL. */
const char *sequence_input_shown(const sequence_input *input);

/* Silence htslib between begin and end. It writes its errors to stderr, although it returns them, and its log
 * level belongs to the whole process. Calls nest and may come from several threads. The first begin saves the
 * application's level. The last end restores it, unless the application has set another one in between. */
void quiet_htslib_begin(void);
void quiet_htslib_end(void);

#endif
