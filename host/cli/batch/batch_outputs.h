#ifndef HOST_CLI_BATCH_BATCH_OUTPUTS_H
#define HOST_CLI_BATCH_BATCH_OUTPUTS_H

#include <stdatomic.h>

#include "cli/report/outputs.h"

/* The outputs of `clalign batch`, which are written while pairs are aligned. */
typedef struct batch_outputs {
  const cli_outputs *outputs;
  const char *save; /* folder for a binary alignment of each pair, or NULL */
  cla_writer *writers[OUTPUT_LIMIT];
  bool to_stdout;
  int lost;          /* errno of a batch_outputs_flush that failed */
  int64_t made_most; /* bytes of records that are made ahead; */
  atomic_llong made; /* those that batch_outputs_made has counted */
} batch_outputs;

/* Begins all outputs, and makes the folder. CLA_ERROR_OUTPUT, CLA_ERROR_OPTION, CLA_ERROR_MEMORY. End with
 * batch_outputs_finish or batch_outputs_discard. */
cla_status batch_outputs_open(batch_outputs *out, const cli_outputs *outputs, const char *save,
                              const char *command_line, cla_error *error);

/* What outputs get of a pair, made ahead: one after the other, as far as they can be. */
typedef struct batch_records {
  size_t bytes; /* of `text` */
  struct {
    bool made;
    size_t begin, end; /* in `text` */
  } of[OUTPUT_LIMIT];
  char text[];
} batch_records;

/* Makes the records of a pair, on any thread. NULL where one cannot be made, which is told when it is put, or
 * where too many are there: then they are made when the pair is put; to be freed. */
batch_records *batch_outputs_make(const batch_outputs *out, const cla_alignment *const *alignments,
                                  size_t count, const cla_sequence *query, const cla_sequence *target);

/* Counts `records`, or none where NULL, as what is there of a pair, in place of *counted bytes, which are
 * those of an earlier call for it, of a pair that is aligned again, or 0. On any thread. */
void batch_outputs_made(batch_outputs *out, size_t *counted, const batch_records *records);

/* Adds the alignments of a pair, the `number`-th, to all outputs; `records`, which may be NULL, are those of
 * the pair. Errors as cla_writer_put: after CLA_ERROR_OUTPUT the outputs are to be discarded, others are the
 * pair's. */
cla_status batch_outputs_put(batch_outputs *out, int64_t number, const batch_records *records,
                             const cla_alignment *const *alignments, size_t count, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);

/* Hands on what standard output has so far; what cannot be is told by the next of the other calls. */
void batch_outputs_flush(batch_outputs *out);

/* Completes all outputs, files before standard output, and frees them in every case. Ends the process if the
 * reader of standard output has gone. */
cla_status batch_outputs_finish(batch_outputs *out, cla_error *error);

/* Removes what is not complete. */
void batch_outputs_discard(batch_outputs *out);

#endif
