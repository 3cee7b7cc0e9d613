#ifndef HOST_SEQ_SEQUENCE_FILE_H
#define HOST_SEQ_SEQUENCE_FILE_H

#include "clalign/sequence_file.h"
#include "seq/record_choice.h"

/* Finds the record that the choice's selection means, numbered from 0; reads the file through the first time.
 * CLA_ERROR_INPUT as record_choice_verdict and cla_sequence_file_next, CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status sequence_file_choose(int64_t *number, record_choice *choice, cla_sequence_file *file,
                                cla_error *error);

/* The file for messages. */
const char *sequence_file_shown(const cla_sequence_file *file);

#endif
