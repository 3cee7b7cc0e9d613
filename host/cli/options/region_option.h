#ifndef HOST_CLI_OPTIONS_REGION_OPTION_H
#define HOST_CLI_OPTIONS_REGION_OPTION_H

#include "clalign/alignment.h"
#include "cli/options/options.h"

/* A part of one of the two records: query:FROM-TO or target:FROM-TO, from 1, both ends included; without TO
 * up to the record's end. */
typedef struct cli_region {
  const char *text; /* as given; NULL: none was */
  cla_side_kind side;
  int64_t begin, end; /* from 0, half-open; end is -1 for the record's */
} cli_region;

/* The destination is a cli_region. */
cla_status cli_parse_region(const cli_option *option, const char *value, cla_error *error);

#endif
