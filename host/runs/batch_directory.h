#ifndef HOST_RUNS_BATCH_DIRECTORY_H
#define HOST_RUNS_BATCH_DIRECTORY_H

#include "clalign/batch_directory.h"

/* The facts by which processes on other hosts find the folder of a batch. */
typedef struct batch_place {
  uint8_t key[16];
  uint64_t manifest; /* inode number of batch.json, the same for all hosts that share the disk */
} batch_place;

batch_place batch_directory_place(const cla_batch_directory *directory);

/* The absolute path; the directory's. */
const char *batch_directory_folder(const cla_batch_directory *directory);

/* Opens the folder, in which another process works, to keep units in a separate journal. *out is NULL without
 * an error if that path is another folder here, as on hosts with their own disks. Errors as
 * cla_batch_directory_begin. */
cla_status batch_directory_join(cla_batch_directory **out, const char *folder, const batch_place *place,
                                cla_error *error);

#endif
