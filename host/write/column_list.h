#ifndef HOST_WRITE_COLUMN_LIST_H
#define HOST_WRITE_COLUMN_LIST_H

#include <stddef.h>

#include "clalign/status.h"

/* The columns of a table to be written, and their order. */

/* All columns of a kind of table. */
typedef struct column_table {
  const char *what;    /* name for messages: "BLAST's tables" */
  const char *usual;   /* names of the columns that "std" means */
  const void *entries; /* array of structs whose first field is the column's name */
  size_t entry_bytes;
  int count;
} column_table;

extern const column_table blast_table, tsv_table, matrix_table;

#define COLUMNS_MOST 64

typedef struct column_list {
  int count;
  int of[COLUMNS_MOST]; /* indices of the table's entries */
} column_list;

/* Reads names separated by commas or blanks; "std", or NULL, means the usual columns. If a name is unknown,
 * the message of CLA_ERROR_OPTION contains that name and lists all columns. */
cla_status column_list_parse(column_list *out, const column_table *table, const char *names,
                             cla_error *error);

#endif
