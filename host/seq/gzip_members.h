#ifndef HOST_SEQ_GZIP_MEMBERS_H
#define HOST_SEQ_GZIP_MEMBERS_H

#include <htslib/hfile.h>
#include <stdbool.h>
#include <sys/types.h>

#include "clalign/status.h"

/* The text of a gzip file that is none of bgzf, member by member (RFC 1952). */
typedef struct gzip_members gzip_members;

/* Reads `bytes`, which stay the caller's and must outlive it, from where they are. CLA_ERROR_MEMORY. */
cla_status gzip_members_open(gzip_members **out, hFILE *bytes, cla_error *error);

/* NULL is allowed. */
void gzip_members_close(gzip_members *members);

/* Up to `count` bytes of text; 0: the end. -1: a member is cut short or damaged, or bytes cannot be read. */
ssize_t gzip_members_read(gzip_members *members, unsigned char *text, size_t count);

/* Whether something other than zeros stands behind the last member, which was passed over. */
bool gzip_members_others_follow(const gzip_members *members);

/* What the bytes from here to the end are: padding of zeros, or others. False: one of them begins a member of
 * gzip behind zeros, or they cannot be read. */
bool gzip_padding_read(bool *others, hFILE *bytes);

#endif
