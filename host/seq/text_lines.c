/* cla_lines reads lines of text by a sequence_input. */

#include "clalign/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_input.h"

struct cla_lines {
  sequence_input *input;
  char *line;
  int64_t capacity;
};

cla_status cla_lines_open(cla_lines **out, const char *path, cla_error *error) {
  cla_lines *lines = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&lines, 1, "lines of text", error);
  if (status != CLA_OK) return status;
  status = sequence_input_open_text(&lines->input, path, error);
  if (status == CLA_OK)
    *out = lines;
  else
    free(lines);
  return status;
}

void cla_lines_close(cla_lines *lines) {
  if (!lines) return;
  sequence_input_close(lines->input);
  free(lines->line);
  free(lines);
}

cla_status cla_lines_next(char **line, size_t *length, cla_lines *lines, cla_error *error) {
  int64_t letters = 0;
  bool any = false;
  *line = NULL;
  for (bool whole = false; !whole;) {
    const unsigned char *bytes;
    int64_t count;
    void *memory = lines->line;
    cla_status status = sequence_input_peek(lines->input, &bytes, &count, error);
    if (status != CLA_OK) return status;
    const unsigned char *end = memchr(bytes, '\n', (size_t)count);
    const int64_t part = end ? end - bytes : count;
    any |= count > 0;
    whole = end || count == 0;
    status = allocate_grow(&memory, &lines->capacity, letters + part + 1, 1, "a line of text", error);
    lines->line = memory;
    if (status != CLA_OK) return status;
    memcpy(lines->line + letters, bytes, (size_t)part);
    letters += part;
    sequence_input_skip(lines->input, part + (end != NULL));
  }
  lines->line[letters] = '\0';
  *length = (size_t)letters;
  if (any) *line = lines->line;
  return CLA_OK;
}
