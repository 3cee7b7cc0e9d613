#ifndef HOST_WRITE_PAIR_TABLE_H
#define HOST_WRITE_PAIR_TABLE_H

#include "write/writer.h"

/* Tables with a row for each query and a column for each target: matrix and phylip. */
typedef struct pair_table pair_table;

/* Whether the format is matrix or phylip. */
bool pair_table_wanted(cla_format format);

/* `columns` are of matrix_table. CLA_ERROR_OPTION: phylip of two files, several columns. CLA_ERROR_MEMORY. */
cla_status pair_table_open(pair_table **out, cla_format format, const cla_write_options *how,
                           const column_list *columns, cla_error *error);

/* Adds the best of a prepared job's alignments, at the place that the numbers of the records in their files
 * say. CLA_ERROR_MEMORY; CLA_ERROR_OPTION: a record is of no file, or there is no path to tell from. */
cla_status pair_table_put(pair_table *table, const write_job *job, cla_error *error);

/* Writes the table. CLA_ERROR_MEMORY; CLA_ERROR_INPUT: a pair is missing, which phylip cannot say. */
cla_status pair_table_write(pair_table *table, FILE *file, cla_error *error);

/* NULL is allowed. */
void pair_table_free(pair_table *table);

#endif
