#ifndef HOST_WRITE_SPOOLED_BODY_H
#define HOST_WRITE_SPOOLED_BODY_H

#include "write/writer.h"

/* SAM, BAM and VCF of many pairs: the head lists all targets, which are known when the last pair is there.
 * Until then the records wait in a file without a name. */
typedef struct spooled_body spooled_body;

/* Whether the format is one of these. */
bool spooled_body_wanted(cla_format format);

/* `beside` is the output's path, on whose disk the records wait; NULL: the output is no file. Errors:
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_open(spooled_body **out, cla_format format, const char *beside, cla_error *error);

/* Adds the records of a job with body_only, whose file is set here. Errors: CLA_ERROR_MEMORY,
 * CLA_ERROR_OPTION (what the format cannot hold), CLA_ERROR_OUTPUT. */
cla_status spooled_body_put(spooled_body *body, write_job *job, cla_error *error);

/* Writes the head and all records to `file`. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error);

/* NULL is allowed. */
void spooled_body_free(spooled_body *body);

#endif
