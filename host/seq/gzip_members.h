#ifndef HOST_SEQ_GZIP_MEMBERS_H
#define HOST_SEQ_GZIP_MEMBERS_H

#include <htslib/hfile.h>
#include <stdbool.h>
#include <sys/types.h>

#include "clalign/status.h"

/* Reads the text of a gzip file that is not bgzf, member by member (RFC 1952). */
typedef struct gzip_members gzip_members;

/* Opens a reader that starts at the current position of `bytes`. The caller keeps `bytes`, and closes it
 * after the reader. Fails with CLA_ERROR_MEMORY. */
cla_status gzip_members_open(gzip_members **out, hFILE *bytes, cla_error *error);

/* Frees the reader. NULL is allowed. */
void gzip_members_close(gzip_members *members);

/* Reads up to `count` bytes of text and returns their number. Returns 0 at the end, or -1 if a member is
 * truncated or damaged, or if bytes cannot be read. */
ssize_t gzip_members_read(gzip_members *members, unsigned char *text, size_t count);

/* True if any byte after the last member is not zero. The reader ignores such bytes. */
bool gzip_members_others_follow(const gzip_members *members);

/* Reads the bytes from the current position to the end, and sets *others to true if some are not zero.
 * Returns false if a member of gzip starts after zeros, or if bytes cannot be read. */
bool gzip_padding_read(bool *others, hFILE *bytes);

#endif
