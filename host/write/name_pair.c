#include "write/name_pair.h"

#include <stdlib.h>

cla_status name_pair_make(name_pair *out, const write_job *job, clean_rule query_rule, clean_rule target_rule,
                          cla_error *error) {
  const cla_alignment *first =
      job->count > 0 ? job->alignments[0] : NULL; /* the others have the same names */
  const char *query = first ? first->query.name : cla_sequence_name(job->query);
  const char *target = first ? first->target.name : cla_sequence_name(job->target);
  *out = (name_pair){0};
  cla_status status = clean_name(&out->query, query, query_rule, "query", error);
  if (status == CLA_OK) status = clean_name(&out->target, target, target_rule, "target", error);
  if (status == CLA_OK && job->command)
    status = clean_name(&out->command, job->command, CLEAN_LINE, " ", error);
  return status;
}

void name_pair_free(name_pair *names) {
  free(names->query);
  free(names->target);
  free(names->command);
}
