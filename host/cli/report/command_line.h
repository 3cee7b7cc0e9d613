#ifndef HOST_CLI_REPORT_COMMAND_LINE_H
#define HOST_CLI_REPORT_COMMAND_LINE_H

#include "clalign/status.h"

/* The command line as one text for the headers of output files: "clalign align ...", arguments with other
 * than plain letters in single quotes, tabs and line ends as blanks. The caller frees *out. */
cla_status command_line_text(char **out, const char *command, int count, char **arguments, cla_error *error);

#endif
