#ifndef HOST_CLI_CLI_LOWER_BOUND_H
#define HOST_CLI_CLI_LOWER_BOUND_H

#include "clalign/lower_bound.h"
#include "cli/cli_options.h"

/* --lower-bound SCORE|auto|off|FILE. Begins as zero, which is auto, and ends with cla_path_free(&path). */
typedef struct cli_lower_bound {
  cla_lower_bound bound; /* for the library, once the file is read */
  const char *file;      /* NULL: none was given */
  cla_path path;
} cli_lower_bound;

/* The parse function of an option whose destination is a cli_lower_bound. The name of a file that is there
 * wins over words and numbers. */
cla_status cli_parse_lower_bound(const cli_option *option, const char *value, cla_error *error);

/* Reads the file, if one was given. Errors as cla_path_read. */
cla_status cli_lower_bound_read(cli_lower_bound *given, const cla_sequence *query, const cla_sequence *target,
                                cla_strand strand, cla_error *error);

#endif
