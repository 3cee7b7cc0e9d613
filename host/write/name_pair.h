#ifndef HOST_WRITE_NAME_PAIR_H
#define HOST_WRITE_NAME_PAIR_H

#include "write/clean_text.h"
#include "write/writer.h"

/* The names of the two sequences, and the command line, as a format can hold them. */
typedef struct name_pair {
  char *query, *target; /* owned */
  char *command;        /* owned; NULL: none */
} name_pair;

/* The rules are those of clean_name; an empty name becomes "query" or "target". CLA_ERROR_MEMORY. Ends with
 * name_pair_free, also after an error. */
cla_status name_pair_make(name_pair *out, const write_job *job, clean_rule query_rule, clean_rule target_rule,
                          cla_error *error);
void name_pair_free(name_pair *names);

#endif
