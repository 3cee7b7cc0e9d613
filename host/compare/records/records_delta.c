/* Reads records of nucmer's delta files. They have a head with two names, and for each alignment a line of
 * positions and lines with the distances to the next gap. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text_number.h"
#include "compare/records/chain_text.h"
#include "compare/records/records_internal.h"

#define POSITIONS 7 /* numbers of a line: start and end in target and query, three counts of errors */

/* Reads the head line ">TARGET QUERY TARGET_LENGTH QUERY_LENGTH". */
static cla_status take_head(cla_aligned_records *file, char *line, cla_error *error) {
  char *column[4];
  const int count = text_columns(column, 4, line + 1);
  for (int side = 0; side < 2; side++) {
    free(file->delta_name[side]);
    file->delta_name[side] = NULL;
    file->delta_length[side] = count == 4 ? text_number(column[3 - side]) : -1;
  }
  if (count < 4) return CLA_OK; /* the records of this head are reported as damaged */
  cla_status status = allocate_text(&file->delta_name[0], column[1], error);
  return status == CLA_OK ? allocate_text(&file->delta_name[1], column[0], error) : status;
}

/* Adds the pairs up to the next gap, and the gap. At a distance of 0, adds all remaining pairs. */
static cla_status add_distance(path_operations *operations, bool *fits, int64_t distance, int64_t rest,
                               cla_error *error) {
  const int64_t steps = distance < 0 ? -distance : distance;
  cla_status status = records_add(operations, fits, 'M', distance == 0 ? rest : steps - 1, error);
  if (distance == 0 || status != CLA_OK) return status;
  return records_add(operations, fits, distance > 0 ? 'D' : 'I', 1, error);
}

/* Reads the distances, up to a line with 0. `letters`: the alignment's letters of query and target. */
static cla_status read_distances(cla_aligned_records *file, bool *fits, const int64_t letters[2],
                                 cla_error *error) {
  path_operations *operations = &file->operations;
  cla_status status = CLA_OK;
  path_operations_clear(operations);
  *fits = true;
  for (int64_t distance = 1; distance != 0 && status == CLA_OK;) {
    char *line = NULL;
    status = records_next_line(&line, file, error);
    if (status != CLA_OK || !line) break;
    const bool negative = *line == '-';
    distance = text_number(line + negative);
    *fits = *fits && distance >= 0 && distance <= letters[0] + letters[1];
    if (distance < 0) break;
    if (negative) distance = -distance;
    if (*fits)
      status = add_distance(operations, fits, distance, letters[1] - operations->target_letters, error);
  }
  *fits = *fits && operations->query_letters == letters[0] && operations->target_letters == letters[1];
  return status;
}

/* Sets the region from "tbegin tend qbegin qend ...", counted from 1, ends included. Returns false if the
 * line is not such a region. */
static bool take_region(cla_aligned_record *record, int64_t letters[2], char *line) {
  char *column[POSITIONS];
  int64_t at[4];
  if (text_columns(column, POSITIONS, line) < POSITIONS) return false;
  for (int i = 0; i < 4; i++) at[i] = text_number(column[i]);
  const bool reverse = at[2] > at[3];
  const int64_t begin = reverse ? at[3] : at[2], end = reverse ? at[2] : at[3];
  letters[0] = end - begin + 1;
  letters[1] = at[1] - at[0] + 1;
  record->path.strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  record->path.query_start = reverse ? record->length[0] - end : begin - 1;
  record->path.target_start = at[0] - 1;
  return begin >= 1 && at[0] >= 1 && at[0] <= at[1] && end <= record->length[0] && at[1] <= record->length[1];
}

static cla_status take_record(cla_aligned_record *record, cla_aligned_records *file, char *line,
                              cla_error *error) {
  int64_t letters[2] = {0, 0};
  bool fits = true;
  cla_status status = CLA_OK;
  for (int side = 0; side < 2; side++) record->length[side] = file->delta_length[side];
  if (file->delta_name[1])
    status = records_set_names(record, file->delta_name[0], file->delta_name[1], error);
  const bool head = take_region(record, letters, line) && file->delta_name[1];
  if (status == CLA_OK) status = read_distances(file, &fits, letters, error);
  if (status != CLA_OK) return status;
  if (!head) return records_damaged("its region is not within its records", error);
  if (!fits) return records_damaged("its distances do not lead from its begin to its end", error);
  return records_take_path(record, file, error);
}

cla_status records_next_delta(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                              cla_error *error) {
  char *line = NULL;
  cla_status status = records_next_line(&line, file, error);
  while (status == CLA_OK && line && *line == '>') {
    status = take_head(file, line, error);
    if (status == CLA_OK) status = records_next_line(&line, file, error);
  }
  *found = status == CLA_OK && line;
  file->number = file->line;
  return *found ? take_record(record, file, line, error) : status;
}
