#ifndef HOST_CLI_OPTIONS_OPTIONS_H
#define HOST_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"

/* A command's options as a table that is both parsed and printed as help. */

typedef struct cli_option cli_option;

/* Stores `value` (NULL for a flag) in the option's destination. CLA_ERROR_OPTION names the option and its
 * allowed values. */
typedef cla_status (*cli_parse)(const cli_option *option, const char *value, cla_error *error);

struct cli_option {
  const char *name;                  /* without the dashes; NULL ends the table */
  const char *letters;               /* short names, a letter each; NULL: none */
  const char *argument;              /* name of the value in the help; NULL: a flag */
  const char *description;           /* a phrase; one that begins with a semicolon stands behind the hints */
  const char *default_text;          /* NULL: no default worth telling */
  const char *heading;               /* heading of the group that begins with this option, or NULL */
  const char *const *words;          /* all values that it takes, NULL ends them; NULL: not only words */
  const char *const *(*hints)(void); /* some values that it takes, for completions; or NULL */
  cli_parse parse;
  void *destination;        /* of the parse function's type */
  int64_t minimum, maximum; /* range of numbers, inclusive */
  bool repeatable;
  bool given; /* set by cli_parse_arguments */
};

typedef struct cli_example {
  const char *line; /* the command line to type */
  const char *text; /* effect of the command line */
} cli_example;

typedef struct cli_syntax {
  const char *command;         /* "align" */
  const char *positionals;     /* "QUERY TARGET" */
  const char *purpose;         /* one sentence */
  const char *notes;           /* after the options: paragraphs with an empty line between, or NULL */
  const cli_example *examples; /* an entry without a line ends them; or NULL */
  cli_option *options;
  int least_positionals, most_positionals; /* most <= CLI_POSITIONALS */
} cli_syntax;

#define CLI_POSITIONALS 34

typedef struct cli_arguments {
  const char *positionals[CLI_POSITIONALS];
  int count;
  bool help; /* --help was met; nothing else is checked */
} cli_arguments;

/* Parses the arguments after the command's name. Options may stand before and after positionals, as
 * "--name value" or "--name=value", and as "-n value", "-nvalue" or "-n=value"; after "--" everything is
 * positional; "-" and "-:..." (standard input, a record of it) always are. Errors: CLA_ERROR_OPTION (unknown
 * option with the nearest name, missing value, an option given twice, too few or too many positionals). */
cla_status cli_parse_arguments(cli_arguments *out, const cli_syntax *syntax, int count, char **arguments,
                               cla_error *error);

/* Whether an argument is an option, or "--": "-" and "-:..." are standard input. */
bool cli_is_option(const char *argument);

/* The option that an argument such as "--name=value" or "-n" names, and its value (NULL: none stands in the
 * argument). NULL: the table has none. */
cli_option *cli_option_find(const cli_syntax *syntax, const char *argument, const char **value);

/* The description as printed. */
#define CLI_DESCRIPTION_SIZE 512
void cli_option_describe(char text[CLI_DESCRIPTION_SIZE], const cli_option *option);

/* Room for all names of an option. */
#define CLI_NAMES_SIZE 64

/* "-o, --output" */
void cli_option_names(char text[CLI_NAMES_SIZE], const cli_option *option);

/* How a table's entry says that it takes a text, or is a flag. */
#define CLI_TEXT(variable) .parse = cli_parse_text, .destination = (void *)&(variable)
#define CLI_FLAG(variable) .parse = cli_parse_flag, .destination = &(variable)

/* Whether the option of that name was given; false for a name that the table does not have. */
bool cli_option_given(const cli_option *options, const char *name);

/* The entry of `names` (NULL ends it) nearest to `word`, or NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *names);

/* Finds the value among the option's words and sets *place to where it stands; CLA_ERROR_OPTION names them
 * all, and the one that was probably meant. */
cla_status cli_find_word(int *place, const cli_option *option, const char *value, cla_error *error);

/* The entry --format of a command that prints text or JSON; `variable` is a bool. */
#define CLI_JSON_OPTION(variable)                                                             \
  {                                                                                           \
    .name = "format", .argument = "FORMAT", .parse = cli_parse_json, .words = cli_json_words, \
    .destination = &(variable), .description = "text, or json with one object a line",        \
    .default_text = "text"                                                                    \
  }
extern const char *const cli_json_words[];
cla_status cli_parse_json(const cli_option *option, const char *value, cla_error *error); /* (bool) */

/* Parse functions. The destination of each is in parentheses. */
cla_status cli_parse_flag(const cli_option *option, const char *value, cla_error *error); /* (bool) */
cla_status cli_parse_text(const cli_option *option, const char *value, cla_error *error); /* (const char *) */
/* Takes one of the option's words. The destination, an enum without negative values, gets the word's index
 * plus the minimum. */
cla_status cli_parse_word(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_int32(const cli_option *option, const char *value, cla_error *error); /* (int32_t) */
cla_status cli_parse_int64(const cli_option *option, const char *value, cla_error *error); /* (int64_t) */
/* A decimal number within minimum and maximum, neither above INT64_MAX / 1000 in size; (int64_t) in
 * thousandths. */
cla_status cli_parse_thousandths(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_size(const cli_option *option, const char *value,
                          cla_error *error); /* (int64_t) bytes */
cla_status cli_parse_real(const cli_option *option, const char *value, cla_error *error); /* (double) */

/* A part of one of the two records: query:FROM-TO or target:FROM-TO, from 1, both ends included; without TO
 * up to the record's end. */
typedef struct cli_region {
  const char *text; /* as given; NULL: not given */
  cla_side_kind side;
  int64_t begin, end; /* from 0, half-open; end -1: the record's end */
} cli_region;

/* The destination is a cli_region. */
cla_status cli_parse_region(const cli_option *option, const char *value, cla_error *error);

/* Numbers of letters as people write them: 500, 10k, 1M. */

/* Reads a number of letters, 1 to `most`, at the start of `text`: digits and k, K or M. Returns the text
 * behind it; NULL: no such number. */
const char *cli_read_letters(int64_t *out, const char *text, int64_t most);

/* The parse function of an option whose destination is an int64_t; 0 is a number of letters, too. */
cla_status cli_parse_letters(const cli_option *option, const char *value, cla_error *error);

/* 10k, 1M, 12345 */
void cli_letters_text(char *text, size_t size, int64_t letters);

/* Parses a command's arguments; true: it can begin. Else its help or an error was printed, and *code is the
 * exit code. */
bool cli_begin(cli_arguments *parsed, const cli_syntax *syntax, int count, char **arguments, int *code);

/* Prints the command's help on stdout, as wide as the terminal. */
void cli_print_help(const cli_syntax *syntax);

/* Prints the list of commands. */
void cli_print_commands(void);

/* The exit codes, a line each: "0" and "a result"; an entry without a code ends them. */
extern const cli_example cli_exit_codes[];

/* The environment variables that the program reads; line NULL ends them. */
extern const cli_example cli_environment[];

#endif
