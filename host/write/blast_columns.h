#ifndef HOST_WRITE_BLAST_COLUMNS_H
#define HOST_WRITE_BLAST_COLUMNS_H

#include "write/writer.h"

/* The columns of BLAST's tables, by the names of BLAST+ (`-outfmt "6 NAME NAME ..."`). */

#define BLAST_COLUMNS_MOST 64

typedef struct blast_columns {
  int count;
  int of[BLAST_COLUMNS_MOST]; /* places in the list of all columns */
} blast_columns;

/* Reads names with commas or blanks between; "std" stands for the usual twelve, as does NULL.
 * CLA_ERROR_OPTION names what is no column, and all that are. */
cla_status blast_columns_parse(blast_columns *out, const char *names, cla_error *error);

/* What a line is about. */
typedef struct blast_line {
  const write_job *job;
  const cla_alignment *alignment; /* of which letters are paired */
  const name_pair *names;
  cla_statistics counts;
} blast_line;

/* The line, with its end. */
void blast_columns_print(const blast_columns *columns, const blast_line *line);

/* BLAST's titles of the columns, with ", " between. */
void blast_columns_print_titles(const blast_columns *columns, FILE *file);

#endif
