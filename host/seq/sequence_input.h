#ifndef HOST_SEQ_SEQUENCE_INPUT_H
#define HOST_SEQ_SEQUENCE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* The bytes of a file or of the standard input. htslib decompresses them (plain, gzip or bgzf), and every
 * kind of line end ("\n", "\r\n", "\r") is converted to "\n". */
typedef struct sequence_input sequence_input;

/* Opens `file`; "-" is the standard input. htslib's log is silenced until the input is closed, because this
 * library never prints. Fails with CLA_ERROR_INPUT (missing, a directory, no permission, a known format that
 * is no sequence file) or CLA_ERROR_MEMORY. */
cla_status sequence_input_open(sequence_input **out, const char *file, cla_error *error);

/* Like sequence_input_open, but accepts a file with any text. */
cla_status sequence_input_open_text(sequence_input **out, const char *file, cla_error *error);

/* Makes an input of `count` bytes in memory, which the caller keeps. Lines must end with "\n" alone.
 * Messages contain the name of the input `of`. After the bytes, the input reports `failure` or, if that is
 * NULL, ends. Only the functions peek, skip, left, shown and close may be called with it. Fails with
 * CLA_ERROR_MEMORY. */
cla_status sequence_input_open_bytes(sequence_input **out, const unsigned char *bytes, int64_t count,
                                     const cla_error *failure, const sequence_input *of, cla_error *error);

void sequence_input_close(sequence_input *input);

/* Sets *bytes to the next unread bytes, at least one, which are valid until the next call; *count is 0 at the
 * end. The bytes are not consumed. Fails with CLA_ERROR_INPUT if the file is truncated or damaged, or cannot
 * be read. */
cla_status sequence_input_peek(sequence_input *input, const unsigned char **bytes, int64_t *count,
                               cla_error *error);

/* Consumes the first `count` of the bytes that sequence_input_peek returned last. */
void sequence_input_skip(sequence_input *input, int64_t count);

/* Returns the number of unconsumed bytes in the buffer or, for an input in memory, of all bytes left. */
int64_t sequence_input_left(const sequence_input *input);

#define SEQUENCE_INPUT_PIECE 65536

/* Moves the next bytes, at least one and at most SEQUENCE_INPUT_PIECE, to `bytes`; *count is 0 at the end.
 * Fails like sequence_input_peek. sequence_input_seek must not be used on the input afterwards. */
cla_status sequence_input_take(sequence_input *input, unsigned char *bytes, int64_t *count, cla_error *error);

/* Sets *place to the place of the next unread byte, for sequence_input_seek. Fails like
 * sequence_input_peek. */
cla_status sequence_input_tell(sequence_input *input, int64_t *place, cla_error *error);

/* Goes to a place that sequence_input_tell has returned for this input. For the standard input, a pipe, or
 * gzip other than bgzf, sequence_input_keep must have been called. Fails with CLA_ERROR_INPUT. */
cla_status sequence_input_seek(sequence_input *input, int64_t place, cla_error *error);

/* Makes an input seekable by unpacking its unread bytes into an unnamed file. Must be called before anything
 * is skipped. Fails with CLA_ERROR_INPUT, CLA_ERROR_OUTPUT or CLA_ERROR_MEMORY. */
cla_status sequence_input_keep(sequence_input *input, cla_error *error);

/* Returns the file's name for messages. It is shortened, on one line, and never NULL. */
const char *sequence_input_shown(const sequence_input *input);

/* Silence htslib's log between begin and end, because htslib not only returns errors but also writes them
 * to stderr. The log level belongs to the whole process. Calls nest and may come from several threads. The
 * first begin saves the application's level. The last end restores that level, unless the application has
 * set another one in between. */
void quiet_htslib_begin(void);
void quiet_htslib_end(void);

#endif
