#ifndef HOST_WRITE_COLUMN_LIST_H
#define HOST_WRITE_COLUMN_LIST_H

#include <stddef.h>

#include "clalign/status.h"

/* Which columns of a table are written, and in which order. */

/* All columns of a kind of tables. */
typedef struct column_table {
  const char *what;    /* for messages: "BLAST's tables" */
  const char *usual;   /* what "std" stands for */
  const void *entries; /* structs that begin with the column's name */
  size_t entry_bytes;
  int count;
} column_table;

extern const column_table blast_table, tsv_table, matrix_table;

#define COLUMNS_MOST 64

typedef struct column_list {
  int count;
  int of[COLUMNS_MOST]; /* places among the table's entries */
} column_list;

/* Reads names with commas or blanks between; "std" stands for the usual ones, as does NULL. CLA_ERROR_OPTION
 * names what is no column, and all that are. */
cla_status column_list_parse(column_list *out, const column_table *table, const char *names,
                             cla_error *error);

#endif
