#ifndef HOST_RESULT_WORK_RECORD_H
#define HOST_RESULT_WORK_RECORD_H

#include "clalign/status.h"
#include "clalign/work.h"

/* A record with room for so many bands, special rows and crosspoints, and none in it: one piece of memory,
 * which ends with free(). CLA_ERROR_MEMORY. */
cla_status work_record_create(cla_work **out, int64_t bands, int64_t special_rows, int64_t crosspoints,
                              cla_error *error);

/* The bytes that a copy takes, and the copy in memory of so many. */
int64_t work_record_bytes(const cla_work *work);
cla_work *work_record_copy(void *memory, const cla_work *work);

/* The band in which row `row` of cells lies, or NULL: it is not known, or nothing was computed there. */
const cla_work_band *work_record_band(const cla_work *work, int64_t row);

#endif
