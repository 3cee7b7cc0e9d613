#include "path/path_read_internal.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/sequence_internal.h"

#define LETTERS_LIMIT (INT64_C(1) << 40) /* maximum letters of a path; every sequence has fewer */

void path_operations_clear(path_operations *operations) {
  const path_operations old = *operations;
  *operations = (path_operations){.path = {.runs = old.path.runs}, .capacity = old.capacity};
}

static bool is_clip(char operation) {
  return operation == 'S' || operation == 'H';
}

static cla_status add_run(path_operations *o, cla_run_kind kind, int64_t length, cla_error *error) {
  cla_path *path = &o->path;
  if (kind != CLA_RUN_TARGET) o->query_letters += length;
  if (kind != CLA_RUN_QUERY) o->target_letters += length;
  if (kind == CLA_RUN_PAIR) o->pairs += length;
  if (path->run_count > 0 && path->runs[path->run_count - 1].kind == kind) {
    path->runs[path->run_count - 1].length += length;
    return CLA_OK;
  }
  cla_status status = ALLOCATE_GROW(&path->runs, &o->capacity, (int64_t)path->run_count + 1, "a path", error);
  if (status == CLA_OK) path->runs[path->run_count++] = (cla_run){.length = length, .kind = kind};
  return status;
}

cla_status path_operations_add(path_operations *operations, bool *fits, char operation, int64_t length,
                               cla_error *error) {
  const int64_t used = operations->query_letters + operations->target_letters + operations->clipped_before +
                       operations->clipped_after;
  *fits = length >= 1 && length <= LETTERS_LIMIT && used <= LETTERS_LIMIT &&
          (operations->clipped_after == 0 || is_clip(operation));
  if (!*fits) return CLA_OK;
  switch (operation) {
    case 'M':
    case '=':
    case 'X': return add_run(operations, CLA_RUN_PAIR, length, error);
    case 'I': return add_run(operations, CLA_RUN_QUERY, length, error);
    case 'D':
    case 'N': return add_run(operations, CLA_RUN_TARGET, length, error);
    case 'S':
    case 'H':
      *(operations->path.run_count > 0 ? &operations->clipped_after : &operations->clipped_before) += length;
      return CLA_OK;
    case 'P': return CLA_OK;
    default: *fits = false; return CLA_OK;
  }
}

cla_status path_operations_read(path_operations *operations, bool *fits, const char *text, cla_error *error) {
  cla_status status = CLA_OK;
  *fits = true;
  path_operations_clear(operations);
  while (*text && *fits && status == CLA_OK) {
    char *end;
    *fits = isdigit((unsigned char)*text) != 0;
    /* LLONG_MAX if the number is too large, and then refused */
    const long long length = strtoll(text, &end, 10);
    if (*fits) status = path_operations_add(operations, fits, *end, length, error);
    text = *end ? end + 1 : end;
  }
  *fits = *fits && operations->clipped_before == 0 && operations->clipped_after == 0;
  return status;
}

void path_operations_keep(path_operations *best, path_operations *now) {
  if (now->pairs <= best->pairs) return;
  const path_operations swap = *best;
  *best = *now;
  *now = swap;
}

bool path_name_agrees(const char *in_file, const cla_sequence *sequence) {
  const char *name = cla_sequence_name(sequence);
  for (; *in_file && *name; in_file++, name++)
    if (*in_file != *name && *in_file != '_') return false;
  return *in_file == *name;
}

bool path_strand_wanted(cla_strand wanted, bool reverse) {
  return wanted == CLA_STRAND_BOTH || reverse == (wanted == CLA_STRAND_REVERSE);
}

cla_status path_report_none(const path_wanted *wanted, bool other, cla_error *error) {
  char query_name[SHOWN_NAME_SIZE], target_name[SHOWN_NAME_SIZE];
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s holds no alignment of query '%s' with target '%s'%s; give one of this pair, query first",
      wanted->shown, shown_text(query_name, sizeof query_name, cla_sequence_name(wanted->query)),
      shown_text(target_name, sizeof target_name, cla_sequence_name(wanted->target)),
      !other                                 ? ""
      : wanted->strand == CLA_STRAND_REVERSE ? " on the reverse strand"
                                             : " on the forward strand");
}
