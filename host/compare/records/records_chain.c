/* Reads records in UCSC's chain format. */

#include <string.h>

#include "base/error.h"
#include "compare/records/chain_text.h"
#include "compare/records/records_internal.h"

/* Reads the blocks after a head. *fits: the blocks end where the head says. */
static cla_status read_blocks(cla_aligned_records *file, bool *fits, const chain_head *head,
                              cla_error *error) {
  path_operations *operations = &file->operations;
  int64_t number[3];
  cla_status status = CLA_OK;
  path_operations_clear(operations);
  *fits = true;
  for (bool last = false; !last && *fits && status == CLA_OK;) {
    char *line = NULL;
    status = records_next_line(&line, file, error);
    *fits = status == CLA_OK && line && chain_block_read(number, &last, line);
    if (*fits) status = records_add(operations, fits, 'M', number[0], error);
    if (*fits && status == CLA_OK) status = records_add(operations, fits, 'D', number[1], error);
    if (*fits && status == CLA_OK) status = records_add(operations, fits, 'I', number[2], error);
  }
  *fits = *fits && operations->target_letters == head->target_end - head->target &&
          operations->query_letters == head->query_end - head->query;
  return status;
}

/* Reads up to the next head. *line is NULL at the end. Lines before the head belong to a damaged record. */
static cla_status next_head(char **line, cla_aligned_records *file, cla_error *error) {
  cla_status status;
  do {
    status = records_next_line(line, file, error);
  } while (status == CLA_OK && *line && strncmp(*line, "chain", 5) != 0);
  return status;
}

cla_status records_next_chain(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                              cla_error *error) {
  char *line = NULL;
  chain_head head;
  bool fits = true;
  cla_status status = next_head(&line, file, error);
  *found = status == CLA_OK && line;
  file->number = file->line;
  if (!*found) return status;
  if (!chain_head_read(&head, line))
    return records_damaged(
        "its head has no name, size, strand, begin and end of the target (strand +) and the query", error);
  status = records_set_names(record, head.query_name, head.target_name, error);
  record->length[0] = head.query_length;
  record->length[1] = head.target_length;
  record->path.strand = head.reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  record->path.query_start = head.query;
  record->path.target_start = head.target;
  if (status == CLA_OK) status = read_blocks(file, &fits, &head, error);
  if (status != CLA_OK) return status;
  if (!fits)
    return error_set(error, CLA_ERROR_INPUT,
                     "its blocks do not lead from its begin to its end, up to line %lld; make the file again",
                     (long long)file->line);
  return records_take_path(record, file, error);
}
