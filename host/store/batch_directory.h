#ifndef HOST_STORE_BATCH_DIRECTORY_H
#define HOST_STORE_BATCH_DIRECTORY_H

#include "clalign/batch_directory.h"

/* By what processes on other hosts find the folder of a batch. */
typedef struct batch_place {
  uint8_t key[16];
  uint64_t manifest; /* the number of batch.json on its disk, for hosts that share it the same */
} batch_place;

batch_place batch_directory_place(const cla_batch_directory *directory);

/* The absolute path; the directory's. */
const char *batch_directory_folder(const cla_batch_directory *directory);

/* Opens the folder, in which another process works, to keep units in a journal of its own. *out is NULL, and
 * no error, where the folder of that path is not the same one: hosts with disks of their own. As
 * cla_batch_directory_begin. */
cla_status batch_directory_join(cla_batch_directory **out, const char *folder, const batch_place *place,
                                cla_error *error);

#endif
