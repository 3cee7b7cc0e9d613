#ifndef CLALIGN_BATCH_DIRECTORY_H
#define CLALIGN_BATCH_DIRECTORY_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A folder with the finished units of a batch, so that another run can continue the batch
 * (docs/internals/format-run-dir.md). A unit is a pair with its alignments, or a group of pairs with the
 * alignments of the best pairs. The pairs of a unit have consecutive indices. Only one thread at a time may
 * use a folder. */
typedef struct cla_batch_directory cla_batch_directory;

/* A checksum of the letters, ranges and names of a unit's pairs, by which the pairs are recognised. The
 * caller initialises it with zeros. */
typedef struct cla_pairs_mark {
  uint64_t value[2]; /* a checksum */
} cla_pairs_mark;

/* Adds a pair of the unit to the mark; the order of the pairs matters. */
void cla_pairs_mark_add(cla_pairs_mark *mark, const cla_sequence *query, const cla_sequence *target);

/* Starts a batch in `folder`, which must be empty; a missing folder is created. `text` is stored for the
 * caller. Errors: CLA_ERROR_OPTION if the folder is not empty, CLA_ERROR_OUTPUT if it cannot be written or
 * another process uses it, CLA_ERROR_MEMORY. The caller closes *out with cla_batch_directory_close. */
cla_status cla_batch_directory_begin(cla_batch_directory **out, const char *folder, const char *text,
                                     cla_error *error);

/* Continues the batch in `folder`. An unfinished or damaged unit and all later units are removed, and
 * *lost_bytes is set to the number of removed bytes. Errors are those of cla_batch_directory_begin, and
 * CLA_ERROR_INPUT if the folder contains no batch, an altered batch, or a batch of another version. */
cla_status cla_batch_directory_resume(cla_batch_directory **out, const char *folder, int64_t *lost_bytes,
                                      cla_error *error);

/* True if the folder contains a batch, not the run of one pair. */
bool cla_batch_directory_exists(const char *folder);

/* Reads the text that was given to cla_batch_directory_begin. The caller frees *out with free().
 * CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_text(char **out, const char *folder, cla_error *error);

/* Returns the number of finished units at the time when the batch was resumed. */
int64_t cla_batch_directory_units(const cla_batch_directory *directory);

/* A pair that is finished. */
typedef struct cla_finished_pair {
  int64_t index;              /* index among all pairs */
  cla_alignment **alignments; /* owned */
  size_t count;               /* number of alignments; 0: none reached the required score */
} cla_finished_pair;

/* A unit that is finished. */
typedef struct cla_finished_unit {
  int64_t first, past;      /* indices of the unit's pairs, half-open */
  cla_pairs_mark mark;      /* mark of all pairs of the unit */
  cla_finished_pair *pairs; /* pairs with a result, in the order in which they were added; owned */
  size_t count;             /* number of pairs with a result */
} cla_finished_unit;

/* Loads the unit whose first pair has index `first`; *out is NULL if no earlier run finished the unit.
 * CLA_ERROR_INPUT if the file was altered after it was opened; CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_load(cla_finished_unit **out, cla_batch_directory *directory, int64_t first,
                                    cla_error *error);

/* Frees the unit and its alignments; NULL is allowed. */
void cla_finished_unit_free(cla_finished_unit *unit);

/* Adds the alignments of a pair to the unit that will be finished next; `count` may be 0. CLA_ERROR_MEMORY,
 * and the errors of cla_alignments_pack. */
cla_status cla_batch_directory_put(cla_batch_directory *directory, int64_t index,
                                   const cla_alignment *const *alignments, size_t count, cla_error *error);

/* Removes the pairs that were added since the last finished unit. */
void cla_batch_directory_drop(cla_batch_directory *directory);

/* Stores the pairs that were added since the last finished unit as the unit of indices `first` to `past` - 1.
 * The unit remains if the process ends. If the machine fails, at most the units of the last second are lost.
 * CLA_ERROR_OUTPUT. */
cla_status cla_batch_directory_finish_unit(cla_batch_directory *directory, int64_t first, int64_t past,
                                           const cla_pairs_mark *mark, cla_error *error);

/* A batch in blocks stores each block as bytes, in a format that the caller chooses. A folder contains either
 * units of pairs or blocks. */

/* True if the folder contains blocks. */
bool cla_batch_directory_of_blocks(const cla_batch_directory *directory);

/* Finds the first stored unit or block whose first pair has index `first` or more. Sets *out_first and
 * *out_past to the indices of the unit's or block's pairs, half-open. Returns false if there is no such unit
 * or block. */
bool cla_batch_directory_next(int64_t *out_first, int64_t *out_past, const cla_batch_directory *directory,
                              int64_t first);

/* Stores `bytes` as the block of the pairs of indices `first` to `past` - 1, replacing an earlier block of
 * the same pairs. The block remains if the process ends. If the machine fails, at most the blocks of the last
 * second are lost. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_keep(cla_batch_directory *directory, int64_t first, int64_t past,
                                    const void *bytes, int64_t length, cla_error *error);

/* Loads the block whose first pair has index `first`; *bytes is NULL if there is no such block. The caller
 * frees *bytes. CLA_ERROR_INPUT if the file was altered after it was opened; CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_find(uint8_t **bytes, int64_t *length, cla_batch_directory *directory,
                                    int64_t first, cla_error *error);

/* Closes the folder and frees `directory` in every case; NULL is allowed. CLA_ERROR_OUTPUT. */
cla_status cla_batch_directory_close(cla_batch_directory *directory, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
