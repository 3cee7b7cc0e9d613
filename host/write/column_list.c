#include "write/column_list.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/extremes.h"

#define BETWEEN ", \t"

static const char *column_name(const column_table *table, int column) {
  const char *name;
  memcpy(&name, (const char *)table->entries + (size_t)column * table->entry_bytes, sizeof name);
  return name;
}

static cla_status unknown_column(const column_table *table, const char *name, size_t length,
                                 cla_error *error) {
  char names[512] = "std";
  for (int index = 0; index < table->count; index++)
    error_list_add(names, sizeof names, column_name(table, index), index + 1 < table->count ? ", " : " and ");
  return error_set(error, CLA_ERROR_OPTION, "'%.*s' is no column of %s; there are %s",
                   (int)smaller((int64_t)length, 64), name, table->what, names);
}

static cla_status add_column(column_list *out, const column_table *table, const char *name, size_t length,
                             cla_error *error) {
  for (int index = 0; index < table->count; index++) {
    const char *known = column_name(table, index);
    if (strlen(known) != length || memcmp(known, name, length) != 0) continue;
    if (out->count == COLUMNS_MOST)
      return error_set(error, CLA_ERROR_OPTION, "more than %d columns; leave some out", COLUMNS_MOST);
    out->of[out->count++] = index;
    return CLA_OK;
  }
  return unknown_column(table, name, length, error);
}

static cla_status add_columns(column_list *out, const column_table *table, const char *names,
                              cla_error *error) {
  cla_status status = CLA_OK;
  names += strspn(names, BETWEEN);
  while (*names && status == CLA_OK) {
    const size_t length = strcspn(names, BETWEEN);
    const bool usual = length == strlen("std") && memcmp(names, "std", length) == 0;
    status =
        usual ? add_columns(out, table, table->usual, error) : add_column(out, table, names, length, error);
    names += length;
    names += strspn(names, BETWEEN);
  }
  return status;
}

cla_status column_list_parse(column_list *out, const column_table *table, const char *names,
                             cla_error *error) {
  out->count = 0;
  cla_status status = add_columns(out, table, names ? names : "std", error);
  if (status == CLA_OK && out->count == 0) return unknown_column(table, "", 0, error);
  return status;
}
