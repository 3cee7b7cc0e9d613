#include "seq/gzip_members.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/allocate.h"
#include "base/error.h"

#define BYTES_AT_ONCE 65536
#define WITH_GZIP_HEAD (15 + 16) /* value of zlib's windowBits for gzip only */

struct gzip_members {
  hFILE *bytes;
  z_stream stream;
  bool within; /* the next byte is inside a member; the member must be complete */
  bool ended;  /* no member follows, so nothing more is read */
  bool input_ended, others_follow;
  unsigned char buffer[BYTES_AT_ONCE];
};

cla_status gzip_members_open(gzip_members **out, hFILE *bytes, cla_error *error) {
  gzip_members *members = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&members, 1, "a compressed file", error);
  if (status != CLA_OK) return status;
  members->bytes = bytes;
  members->within = true;
  if (inflateInit2(&members->stream, WITH_GZIP_HEAD) == Z_OK) {
    *out = members;
    return CLA_OK;
  }
  free(members);
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a compressed file; free some memory");
}

void gzip_members_close(gzip_members *members) {
  if (!members) return;
  inflateEnd(&members->stream);
  free(members);
}

bool gzip_members_others_follow(const gzip_members *members) {
  return members->others_follow;
}

/* Sets *zeros if the bytes after the last member include zeros, and *others if they include other bytes.
 * Returns false if a member of gzip starts after zeros. */
static bool classify(bool *zeros, bool *others, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == 0) {
      *zeros = true;
      continue;
    }
    /* A member after padding contains letters, which must not be dropped silently. */
    if (*zeros && !*others && i + 2 < count && memcmp(bytes + i, "\x1f\x8b\x08", 3) == 0) return false;
    *others = true;
  }
  return true;
}

bool gzip_padding_read(bool *others, hFILE *bytes) {
  unsigned char buffer[BYTES_AT_ONCE];
  bool zeros = false;
  ssize_t got;
  *others = false;
  while ((got = hread(bytes, buffer, sizeof buffer)) > 0)
    if (!classify(&zeros, others, buffer, (size_t)got)) return false;
  return got == 0;
}

/* Makes at least `least` bytes available, unless the file ends before. */
static bool fill(gzip_members *members, unsigned least) {
  z_stream *stream = &members->stream;
  while (stream->avail_in < least && !members->input_ended) {
    if (stream->avail_in > 0) memmove(members->buffer, stream->next_in, stream->avail_in);
    stream->next_in = members->buffer;
    const ssize_t got =
        hread(members->bytes, members->buffer + stream->avail_in, BYTES_AT_ONCE - stream->avail_in);
    if (got < 0) return false;
    members->input_ended = got == 0;
    stream->avail_in += (unsigned)got;
  }
  return true;
}

/* Called at the end of a member. Starts the next member, or records that there is no more text. Returns false
 * after an error. */
static bool begin_next(gzip_members *members) {
  z_stream *stream = &members->stream;
  bool zeros = false, others = false, rest = false;
  members->within = false;
  if (!fill(members, 2)) return false;
  if (stream->avail_in >= 2 && stream->next_in[0] == 0x1f && stream->next_in[1] == 0x8b) {
    members->within = true;
    return inflateReset(stream) == Z_OK;
  }
  members->ended = true;
  if (!classify(&zeros, &others, stream->next_in, stream->avail_in) ||
      !gzip_padding_read(&rest, members->bytes))
    return false;
  members->others_follow = others || rest;
  return true;
}

ssize_t gzip_members_read(gzip_members *members, unsigned char *text, size_t count) {
  z_stream *stream = &members->stream;
  stream->next_out = text;
  stream->avail_out = (unsigned)count;
  while (stream->avail_out == count && !members->ended) {
    if (!fill(members, 1)) return -1;
    const int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      if (!begin_next(members)) return -1;
    } else if (result != Z_OK ||
               (stream->avail_in == 0 && members->input_ended && stream->avail_out == count)) {
      return -1;
    }
  }
  return (ssize_t)(count - stream->avail_out);
}
