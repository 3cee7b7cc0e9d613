#ifndef HOST_WRITE_BLAST_COLUMNS_H
#define HOST_WRITE_BLAST_COLUMNS_H

#include "write/writer.h"

/* The columns of BLAST's tables, by the names of BLAST+ (`-outfmt "6 NAME NAME ..."`). */

/* What a line is about. */
typedef struct blast_line {
  const write_job *job;
  const cla_alignment *alignment; /* of which letters are paired */
  const name_pair *names;
  cla_statistics counts;
} blast_line;

/* The line, with its end. */
void blast_columns_print(const column_list *columns, const blast_line *line);

/* BLAST's titles of the columns, with ", " between. */
void blast_columns_print_titles(const column_list *columns, FILE *file);

#endif
