#ifndef HOST_WRITE_SPOOLED_BODY_H
#define HOST_WRITE_SPOOLED_BODY_H

#include "write/formats/sam_record.h"
#include "write/hit_roles.h"
#include "write/writer.h"

/* SAM, BAM and VCF of many pairs: the head lists all targets, so the records wait in an unnamed file until
 * the last pair is there. Waiting records of SAM and BAM are complete, but if a query has several records
 * their flags and qualities are not. */
typedef struct spooled_body {
  cla_format format;
  int threads; /* threads that compress BAM */
  FILE *spool;
  int64_t bytes;        /* bytes in `spool` */
  FILE *hits;           /* a query_hit for each record; NULL: VCF */
  head_targets targets; /* targets of the pairs so far */
  sam_records records;  /* used to make the records of one pair */
  text_memory line;     /* used to make one record */
} spooled_body;

/* Whether the format is SAM, BAM or VCF. */
bool spooled_body_wanted(cla_format format);

/* `beside` is the output's path, on whose disk the records wait; NULL: the output is no file. Errors:
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_open(spooled_body **out, cla_format format, const char *beside, cla_error *error);

/* Adds the records of a job with body_only, whose file is set here, and whose target is `target`. Errors:
 * CLA_ERROR_MEMORY, CLA_ERROR_OPTION (what the format cannot hold), CLA_ERROR_OUTPUT. */
cla_status spooled_body_put(spooled_body *body, write_job *job, named_target *target, cla_error *error);

/* A record's hit, which lacks a place, once sam_records_next has made the record. */
query_hit spooled_hit(const sam_records *records);

/* Lists a target of so many letters in the head, unless it has none or is there. The name is clean.
 * CLA_ERROR_MEMORY. */
cla_status spooled_body_list(spooled_body *body, named_target *target, const char *name, int64_t length,
                             cla_error *error);

/* Adds records that were made before. CLA_ERROR_OUTPUT. */
cla_status spooled_body_add(spooled_body *body, const char *bytes, size_t count, cla_error *error);

/* Adds the hits of added records, without hits of the order NO_RECORD. CLA_ERROR_OUTPUT. */
cla_status spooled_body_add_hits(spooled_body *body, const query_hit *hits, size_t count, cla_error *error);
#define NO_RECORD (-1)

/* Writes the head and all records to `file`. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error);

/* An error of the output or of the file in which records wait. Sets errno, too. */
cla_status spooled_cannot_write(const spooled_body *body, int error_number, cla_error *error);

/* NULL is allowed. */
void spooled_body_free(spooled_body *body);

#endif
