#ifndef CLALIGN_BATCH_DIRECTORY_H
#define CLALIGN_BATCH_DIRECTORY_H

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A folder with the finished units of a batch, so that another run can go on with it
 * (docs/internals/format-run-dir.md). A unit is a pair with its alignments, or a group of pairs with those of
 * the best pairs. It is a range of the pairs' indices. Not for several threads at once. */
typedef struct cla_batch_directory cla_batch_directory;

/* A mark by which the pairs of a unit are recognised: of their letters, ranges and names. Zero before the
 * first pair. */
typedef struct cla_pairs_mark {
  uint64_t value[2]; /* a checksum */
} cla_pairs_mark;

/* Adds a pair of the unit; the order matters. */
void cla_pairs_mark_add(cla_pairs_mark *mark, const cla_sequence *query, const cla_sequence *target);

/* Begins a batch in `folder`, which must be empty or missing, and is made then. text: kept for the caller.
 * Errors: CLA_ERROR_OPTION (the folder is not empty), CLA_ERROR_OUTPUT (it cannot be written, or another
 * process works in it), CLA_ERROR_MEMORY. End with cla_batch_directory_close. */
cla_status cla_batch_directory_begin(cla_batch_directory **out, const char *folder, const char *text,
                                     cla_error *error);

/* Goes on with the batch in `folder`. An unfinished or damaged unit is cut off, with all later units:
 * *lost_bytes bytes in all.
 * Errors as cla_batch_directory_create, and CLA_ERROR_INPUT (no batch in the folder, an altered one, or
 * another version). */
cla_status cla_batch_directory_resume(cla_batch_directory **out, const char *folder, int64_t *lost_bytes,
                                      cla_error *error);

/* Whether the folder holds a batch, and not the run of one pair. */
bool cla_batch_directory_exists(const char *folder);

/* The text that the caller of cla_batch_directory_begin left; *out is freed with free(). CLA_ERROR_INPUT,
 * CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_text(char **out, const char *folder, cla_error *error);

/* The number of units when the batch was resumed. */
int64_t cla_batch_directory_units(const cla_batch_directory *directory);

/* A pair that is finished. */
typedef struct cla_finished_pair {
  int64_t index;              /* among all pairs */
  cla_alignment **alignments; /* owned */
  size_t count;               /* number of alignments; 0: none scored enough */
} cla_finished_pair;

/* A unit that is finished. */
typedef struct cla_finished_unit {
  int64_t first, past;      /* indices of the unit's pairs, half-open */
  cla_pairs_mark mark;      /* mark of all pairs of the unit */
  cla_finished_pair *pairs; /* pairs with a result, in the order in which they were put; owned */
  size_t count;             /* number of pairs with a result */
} cla_finished_unit;

/* Loads the unit that begins with the pair of index `first` if an earlier run finished it; *out is NULL if
 * none did. CLA_ERROR_INPUT (the file was altered since it was opened), CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_load(cla_finished_unit **out, cla_batch_directory *directory, int64_t first,
                                    cla_error *error);

/* NULL is allowed. */
void cla_finished_unit_free(cla_finished_unit *unit);

/* Notes the alignments of a pair, perhaps none, for the unit that is finished next. CLA_ERROR_MEMORY, and the
 * errors of cla_alignments_pack. */
cla_status cla_batch_directory_put(cla_batch_directory *directory, int64_t index,
                                   const cla_alignment *const *alignments, size_t count, cla_error *error);

/* Forgets the pairs that were put since the last unit. */
void cla_batch_directory_drop(cla_batch_directory *directory);

/* Keeps the pairs that were put as the unit of indices `first` to past - 1. The unit outlives the process. A
 * failure of the machine loses the units of a second at most. CLA_ERROR_OUTPUT. */
cla_status cla_batch_directory_finish_unit(cla_batch_directory *directory, int64_t first, int64_t past,
                                           const cla_pairs_mark *mark, cla_error *error);

/* A batch in blocks keeps each block as bytes of the caller's own, with a mark of each of its pairs. A folder
 * has units of pairs or blocks, not both. */

/* Whether blocks are kept in the folder. */
bool cla_batch_directory_of_blocks(const cla_batch_directory *directory);

/* The first kept unit or block whose first pair is `first` or a later one: sets the pairs from *out_first to
 * *out_past - 1. False: there is none. */
bool cla_batch_directory_next(int64_t *out_first, int64_t *out_past, const cla_batch_directory *directory,
                              int64_t first);

/* Keeps the pairs of indices `first` to past - 1 as a block, in place of an earlier one of the same pairs.
 * The block outlives the process; a failure of the machine loses those of a second at most. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_keep(cla_batch_directory *directory, int64_t first, int64_t past,
                                    const void *bytes, int64_t length, cla_error *error);

/* Loads the block that begins with pair `first`; the caller frees *bytes, which is NULL if there is none.
 * CLA_ERROR_INPUT (the file was altered since it was opened), CLA_ERROR_MEMORY. */
cla_status cla_batch_directory_find(uint8_t **bytes, int64_t *length, cla_batch_directory *directory,
                                    int64_t first, cla_error *error);

/* Closes the folder and frees `directory` in every case; NULL is allowed. CLA_ERROR_OUTPUT. */
cla_status cla_batch_directory_close(cla_batch_directory *directory, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
