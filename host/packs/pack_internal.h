#ifndef HOST_PACKS_PACK_INTERNAL_H
#define HOST_PACKS_PACK_INTERNAL_H

#include "device/device.h"
#include "packs/packs.h"

/* What both ways of solving pairs share: a kernel's buffers, the nodes that a device finds, the self-test. */

/* Letters that match nothing, behind a sequence's end (common.clh). */
#define PACK_QUERY_NEVER 32
#define PACK_TARGET_NEVER 33

/* A buffer that stays allocated between launches and grows as needed. */
typedef struct pack_buffer {
  cl_mem memory;
  int64_t bytes;
  int64_t number; /* of all that were made, from 1: tells whether it is still the same one */
  bool kept;      /* its content stays while it is the same one */
  void *mapped;   /* where the host writes it now, or NULL */
} pack_buffer;

/* What a buffer holds. */
typedef struct pack_buffer_kind {
  poison_kind kind;
  const char *what; /* for messages */
} pack_buffer_kind;

#define PACK_BUFFERS_MOST 11
#define PACK_NO_SCORES (-1)

/* All buffers of a kernel, in the order of its arguments. Begins with the first five fields set and ends with
 * pack_buffers_free. `needed` below is the bytes of each buffer; that of the score table is not counted. */
typedef struct pack_buffers {
  cla_device *device;
  const pack_buffer_kind *kinds;
  int count;
  int scores;         /* index of the score table, or PACK_NO_SCORES */
  int64_t bytes_most; /* of all buffers together */
  int64_t made;       /* how many buffers there were */
  pack_buffer list[PACK_BUFFERS_MOST];
} pack_buffers;

int64_t pack_buffers_bytes(const int64_t *needed, int count);

/* Whether all of them fit into bytes_most, and each into an allocation of the device. */
bool pack_buffers_fit(const pack_buffers *all, const int64_t *needed);

/* Makes the buffers large enough; their content is lost unless it is kept. Larger ones of earlier launches
 * are freed first if all together would pass bytes_most. On a GPU, where an allocation waits for other
 * kernels, they grow ahead of need while they are a small part of bytes_most. CLA_ERROR_MEMORY,
 * CLA_ERROR_DEVICE. */
cla_status pack_buffers_meet(pack_buffers *all, const int64_t *needed, cla_error *error);

/* Frees all but the score table; all. */
void pack_buffers_release(pack_buffers *all);
void pack_buffers_free(pack_buffers *all);

/* Each waits until it is done; `at`: from that byte of the buffer on. */
cla_status pack_buffers_write(pack_buffers *all, int index, const void *data, int64_t bytes,
                              cla_error *error);
cla_status pack_buffers_write_at(pack_buffers *all, int index, int64_t at, const void *data, int64_t bytes,
                                 cla_error *error);
cla_status pack_buffers_read(pack_buffers *all, int index, void *into, int64_t bytes, cla_error *error);

/* The first `bytes` as host memory, to be written as a whole. Unmapping what is not mapped is no error. */
cla_status pack_buffers_map(pack_buffers *all, int index, int64_t bytes, cla_error *error);
cla_status pack_buffers_unmap(pack_buffers *all, int index, cla_error *error);

/* Fills the score table as packed_scores.clh and common.clh read it: clamped, with the lowest score
 * behind sequences' ends. `padding` is a target's code that means such an end, too; -1: none. */
cla_status pack_buffers_load_scores(pack_buffers *all, const path_scheme *scheme, int padding,
                                    cla_error *error);

/* Makes the kernel NAME of the file NAME.cl. */
cla_status pack_kernel_build(cl_kernel *out, cla_device *device, const char *name, const char *options,
                             cla_error *error);

/* Launches it with all buffers as arguments. */
cla_status pack_buffers_launch(const pack_buffers *all, cl_kernel kernel, int64_t groups, int64_t items,
                               cla_error *error);

/* CLA_ERROR_INTERRUPTED if the answer is no. `question` may be NULL. */
cla_status pack_question_ask(const pack_question *question, cla_error *error);

/* The nodes that a device finds in a pair's matrix. Only those that the ends call for are defined. */
typedef struct pack_ends {
  int64_t score, row, column;       /* the best one of all; of paths that end anywhere */
  int64_t row_score, row_column;    /* the best one of the last row, but for its first node */
  int64_t column_score, column_row; /* and of the last column */
} pack_ends;

/* Sets a pair's score and end: the canonical best of these nodes and the borders'. */
void pack_take_ends(pack_pair *pair, const path_scheme *scheme, const pack_ends *ends);

/* A way to solve pairs, to be tested. */
typedef struct pack_tested {
  const char *kernel; /* for the error */
  path_scheme scheme;
  bool one_query; /* all pairs have one query, and no target has the code `padding` */
  uint8_t padding;
  int64_t rows, columns; /* at the most of a pair, >= 2 */
  int pairs;             /* how many */
  cla_status (*solve)(void *user, pack_pair *pairs, int64_t count, cla_error *error);
  void *user;
} pack_tested;

/* Compares a few pairs' scores and ends with the reference's. CLA_ERROR_DEVICE names the difference;
 * CLA_ERROR_MEMORY. */
cla_status pack_test(const pack_tested *tested, cla_error *error);

#endif
