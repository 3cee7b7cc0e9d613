#ifndef HOST_SEQ_FOREIGN_FORMAT_H
#define HOST_SEQ_FOREIGN_FORMAT_H

#include <stdint.h>

#include "clalign/status.h"

/* Recognises, by the first `count` bytes after decompression, files that people give in place of FASTA:
 * CLA_ERROR_INPUT names the format and how to convert it. `shown` is the file for the message. CLA_OK means
 * unknown, not FASTA. */
cla_status foreign_format_check(const unsigned char *bytes, int64_t count, const char *shown,
                                cla_error *error);

#endif
