/* BED: the target's letters of which VCF tells the differences. */

#include <inttypes.h>
#include <stdlib.h>

#include "write/writer.h"

cla_status write_bed(const write_job *job, cla_error *error) {
  callable_part *parts = NULL;
  size_t count = 0;
  name_pair names = {0};
  cla_status status = callable_parts_list(&parts, &count, job, error);
  if (status == CLA_OK) status = name_pair_make(&names, job, error);
  for (size_t index = 0; index < count && status == CLA_OK && !ferror(job->file); index++)
    if (parts[index].from < parts[index].to)
      fprintf(job->file, "%s\t%" PRId64 "\t%" PRId64 "\n", names.target, parts[index].from, parts[index].to);
  free(parts);
  name_pair_free(&names);
  return status;
}
