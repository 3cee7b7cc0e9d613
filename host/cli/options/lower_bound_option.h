#ifndef HOST_CLI_OPTIONS_LOWER_BOUND_OPTION_H
#define HOST_CLI_OPTIONS_LOWER_BOUND_OPTION_H

#include "clalign/align.h"
#include "cli/options/options.h"

/* --lower-bound SCORE|auto|off|FILE. Begins as zero, which is auto, and ends with cla_path_free(&path). */
typedef struct cli_lower_bound {
  cla_lower_bound bound; /* for the library, once it is settled */
  int64_t thousandths;   /* of a point: the score that was given */
  const char *file;      /* NULL: none was given */
  cla_path path;
} cli_lower_bound;

/* The parse function of an option whose destination is a cli_lower_bound. The name of a file that is there
 * wins over words and numbers. */
cla_status cli_parse_lower_bound(const cli_option *option, const char *value, cla_error *error);

/* Completes the bound once the sequences are read and `how` has strand and scoring: reads the file, if one
 * was given, or puts the score into the scheme's units. CLA_ERROR_OPTION, and as cla_path_read. */
cla_status cli_lower_bound_settle(cli_lower_bound *given, const cla_sequence *query,
                                  const cla_sequence *target, const cla_align_options *how, cla_error *error);

#endif
