#ifndef HOST_WRITE_SPOOLED_BODY_H
#define HOST_WRITE_SPOOLED_BODY_H

#include "write/formats/sam_record.h"
#include "write/hit_roles.h"
#include "write/writer.h"

/* The records of SAM, BAM and VCF for many pairs. The head lists all targets, so the records wait in an
 * unnamed file until the last pair has been added. Waiting records of SAM and BAM are complete, except for
 * the flags and qualities of queries with several records. */
typedef struct spooled_body {
  cla_format format;
  int threads;    /* number of threads that compress BAM */
  bool certified; /* the head of VCF has the fields of certificates */
  FILE *spool;
  int64_t bytes;        /* number of bytes in `spool` */
  FILE *hits;           /* a query_hit for each record; NULL: VCF */
  head_targets targets; /* targets of the pairs so far */
  sam_records records;  /* used to make the records of one pair */
  text_memory line;     /* used to make one record */
} spooled_body;

/* True if the format is SAM, BAM or VCF. */
bool spooled_body_wanted(cla_format format);

/* Opens a body. `beside` is the output's path, on whose disk the records wait; NULL: the output is no file.
 * Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_open(spooled_body **out, cla_format format, const char *beside, cla_error *error);

/* Adds the records of a job with body_only; sets job->file. `target` is the job's target. Errors:
 * CLA_ERROR_MEMORY, CLA_ERROR_OPTION (alignments that the format cannot hold), CLA_ERROR_OUTPUT. */
cla_status spooled_body_put(spooled_body *body, write_job *job, named_target *target, cla_error *error);

/* Returns the hit of the record that sam_records_next has made last. The caller sets its `order`. */
query_hit spooled_hit(const sam_records *records);

/* Lists a target of `length` letters in the head, unless it is already listed or has no letters. The name
 * must be clean. CLA_ERROR_MEMORY. */
cla_status spooled_body_list(spooled_body *body, named_target *target, const char *name, int64_t length,
                             cla_error *error);

/* Adds the bytes of records made elsewhere. CLA_ERROR_OUTPUT. */
cla_status spooled_body_add(spooled_body *body, const char *bytes, size_t count, cla_error *error);

/* Adds the hits of added records; hits of order NO_RECORD have no record and are ignored. CLA_ERROR_OUTPUT.
 */
cla_status spooled_body_add_hits(spooled_body *body, const query_hit *hits, size_t count, cla_error *error);
#define NO_RECORD (-1)

/* Writes the head and all records to `file`. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error);

/* Sets and returns the error of the output, or of the file in which records wait. Sets errno, too. */
cla_status spooled_cannot_write(const spooled_body *body, int error_number, cla_error *error);

/* Frees the body; NULL is allowed. */
void spooled_body_free(spooled_body *body);

#endif
