#ifndef TESTS_SUPPORT_ALIGNMENT_FILES_H
#define TESTS_SUPPORT_ALIGNMENT_FILES_H

#include "result/alignment_codec.h"
#include "support/made_alignment.h"
#include "write/formats/alignment_file.h"

/* Binary alignments, sound and not, in own_path (support/made_alignment.h). */

/* A suite's .init; own_file_end is its .fini. */
void alignment_file_begin(void);

/* A local alignment of 15 x 15 letters with a gap in each. */
made_alignment alignment_file_example(void);

void alignment_file_save(const cla_alignment *alignment);

/* The alignments come back from a file as they are, but for their metrics. `what` is for messages. */
void alignment_file_expect_same(const cla_alignment *const *alignments, size_t count, const char *what);

/* The file is refused with a message of one line that holds its path and `part`. */
void alignment_file_expect_rejected(const char *part);

/* A file around any payload, stored in `length` bytes, with right sizes and digest. */
void alignment_file_wrap(const void *payload, size_t length, size_t payload_bytes, uint32_t count,
                         alignment_file_coding coding);

/* One alignment's payload, as it is. */
void alignment_file_wrap_one(const byte_sink *payload);

#endif
