#ifndef TESTS_SUPPORT_ALIGNMENT_FILES_H
#define TESTS_SUPPORT_ALIGNMENT_FILES_H

#include "result/alignment_codec.h"
#include "support/made_alignment.h"
#include "write/formats/alignment_file.h"

/* Valid and invalid files of binary alignments, in own_path (support/made_alignment.h). */

/* For a suite's .init; own_file_end is for its .fini. */
void alignment_file_begin(void);

/* Makes a local alignment of 15 x 15 letters with a gap in each sequence. */
made_alignment alignment_file_example(void);

void alignment_file_save(const cla_alignment *alignment);

/* Writes and reads the alignments, and expects the same ones back, apart from their metrics. `what` is for
 * messages. */
void alignment_file_expect_same(const cla_alignment *const *alignments, size_t count, const char *what);

/* Expects that the file is refused with a one-line message that holds its path and `part`. */
void alignment_file_expect_rejected(const char *part);

/* Writes a file around any stored payload of `length` bytes, with correct sizes and digest. */
void alignment_file_wrap(const void *payload, size_t length, size_t payload_bytes, uint32_t count,
                         alignment_file_coding coding);

/* Writes a file around one alignment's payload, without compression. */
void alignment_file_wrap_one(const byte_sink *payload);

#endif
