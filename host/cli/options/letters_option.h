#ifndef HOST_CLI_OPTIONS_LETTERS_OPTION_H
#define HOST_CLI_OPTIONS_LETTERS_OPTION_H

#include <stddef.h>
#include <stdint.h>

#include "cli/options/options.h"

/* Numbers of letters as people write them: 500, 10k, 1M. */

/* Reads 1 to `most` letters at the start of `text`: digits and k, K or M. NULL, or what follows. */
const char *cli_read_letters(int64_t *out, const char *text, int64_t most);

/* The parse function of an option whose destination is an int64_t; 0 is a number of letters, too. */
cla_status cli_parse_letters(const cli_option *option, const char *value, cla_error *error);

/* 10k, 1M, 12345 */
void cli_letters_text(char *text, size_t size, int64_t letters);

#endif
