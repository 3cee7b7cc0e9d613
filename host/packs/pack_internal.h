#ifndef HOST_PACKS_PACK_INTERNAL_H
#define HOST_PACKS_PACK_INTERNAL_H

#include "device/device.h"
#include "packs/packs.h"

/* Common parts of both ways to solve pairs: a kernel's buffers, the nodes that a device finds, the self-test.
 */

/* Codes that match nothing, behind a sequence's end (common.clh). */
#define PACK_QUERY_NEVER 32
#define PACK_TARGET_NEVER 33

/* A buffer that stays allocated between launches and grows as needed. */
typedef struct pack_buffer {
  cl_mem memory;
  int64_t bytes;
  int64_t number; /* from 1, different for each allocation, so that a new buffer is recognised */
  bool kept;      /* the content is kept until the buffer is allocated again */
  void *mapped;   /* address for the host while the buffer is mapped, else NULL */
} pack_buffer;

/* The content of a buffer. */
typedef struct pack_buffer_kind {
  poison_kind kind;
  const char *what; /* for messages */
} pack_buffer_kind;

#define PACK_BUFFERS_MOST 11
#define PACK_NO_SCORES (-1)

/* All buffers of a kernel, in the order of its arguments. pack_buffers_begin sets them up,
 * pack_buffers_free frees them. In the functions below, `needed` has the bytes of each buffer; its element
 * for the score table is not used. */
typedef struct pack_buffers {
  cla_device *device;
  const pack_buffer_kind *kinds;
  int count;
  int scores;         /* index of the score table, or PACK_NO_SCORES */
  int64_t bytes_most; /* limit for all buffers together */
  int64_t made;       /* number of buffers allocated so far */
  pack_buffer list[PACK_BUFFERS_MOST];
} pack_buffers;

/* Sets up buffers without memory; their limit is all of the device's memory. `kinds` must outlive them. */
void pack_buffers_begin(pack_buffers *all, cla_device *device, const pack_buffer_kind *kinds, int count,
                        int scores);

/* Sets the limit for all buffers together; 0: all of the device's memory. */
void pack_buffers_limit(pack_buffers *all, int64_t bytes);

int64_t pack_buffers_bytes(const int64_t *needed, int count);

/* True if all buffers fit into bytes_most, and each buffer into one allocation of the device. */
bool pack_buffers_fit(const pack_buffers *all, const int64_t *needed);

/* Makes the buffers large enough; their content is lost unless `kept` is set. Buffers of earlier launches are
 * freed first if the total would exceed bytes_most. On a GPU, where an allocation waits for other kernels,
 * small buffers are made larger than needed. Fails with CLA_ERROR_MEMORY or CLA_ERROR_DEVICE. */
cla_status pack_buffers_meet(pack_buffers *all, const int64_t *needed, cla_error *error);

void pack_buffers_free(pack_buffers *all);

/* Copy bytes to or from a buffer, and return when the copy is complete. `at` is the first byte in the buffer.
 */
cla_status pack_buffers_write(pack_buffers *all, int index, const void *data, int64_t bytes,
                              cla_error *error);
cla_status pack_buffers_write_at(pack_buffers *all, int index, int64_t at, const void *data, int64_t bytes,
                                 cla_error *error);
cla_status pack_buffers_read(pack_buffers *all, int index, void *into, int64_t bytes, cla_error *error);

/* Maps a buffer's first `bytes` bytes for the host, which must write all of them. Unmapping a buffer that is
 * not mapped is no error. */
cla_status pack_buffers_map(pack_buffers *all, int index, int64_t bytes, cla_error *error);
cla_status pack_buffers_unmap(pack_buffers *all, int index, cla_error *error);

/* Fills the score table in the form that packed_scores.clh and common.clh read. Scores are clamped; the codes
 * behind sequences' ends get the lowest score. The target code `padding` also gets the lowest score; -1: no
 * such code. */
cla_status pack_buffers_load_scores(pack_buffers *all, const path_scheme *scheme, int padding,
                                    cla_error *error);

/* Builds the kernel `name` of the file `name`.cl. */
cla_status pack_kernel_build(cl_kernel *out, cla_device *device, const char *name, const char *options,
                             cla_error *error);

/* Launches the kernel with all buffers as arguments. */
cla_status pack_buffers_launch(const pack_buffers *all, cl_kernel kernel, int64_t groups, int64_t items,
                               cla_error *error);

/* Asks the question. Returns CLA_ERROR_INTERRUPTED if the answer is no. `question` may be NULL. */
cla_status pack_question_ask(const pack_question *question, cla_error *error);

/* The nodes that a device finds in a pair's matrix. Only nodes in which the scheme's paths may end are set.
 */
typedef struct pack_ends {
  int64_t score, row, column;       /* the best node of the matrix, for paths that end anywhere */
  int64_t row_score, row_column;    /* the best node of the last row, without the row's first node */
  int64_t column_score, column_row; /* the best node of the last column, without the column's first node */
} pack_ends;

/* Sets a pair's score and end from the canonical best node, among `ends` and the border nodes. */
void pack_take_ends(pack_pair *pair, const path_scheme *scheme, const pack_ends *ends);

/* A way to solve pairs, for a test. */
typedef struct pack_tested {
  const char *kernel; /* name for the error message */
  path_scheme scheme;
  bool one_query;   /* all pairs have the same query, and no target has the code `padding` */
  bool score_alone; /* the kernel finds no ends */
  uint8_t padding;
  int64_t rows, columns; /* largest rows and columns of a pair, >= 2 */
  int pairs;             /* number of pairs */
  cla_status (*solve)(void *user, pack_pair *pairs, int64_t count, cla_error *error);
  void *user;
} pack_tested;

/* The properties on which a kernel's self-test depends, besides the scheme. Properties that the kernel lacks
 * are 0. */
typedef struct pack_geometry {
  int64_t alpha, launch, lanes, segment, one_query, padding;
} pack_geometry;

/* Compares a few pairs' scores and ends with the reference's, unless the kernel has passed this test on the
 * device before. Fails with CLA_ERROR_DEVICE, whose message contains the first difference, or with
 * CLA_ERROR_MEMORY. */
cla_status pack_test_once(cla_device *device, const pack_tested *tested, const pack_geometry *geometry,
                          cla_error *error);

#endif
