#ifndef HOST_CLI_OPTIONS_OPTIONS_H
#define HOST_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"

/* A command's options as a table, which is used for parsing and for the help. */

typedef struct cli_option cli_option;

/* Stores `value` (NULL for a flag) in the option's destination. The message of CLA_ERROR_OPTION names the
 * option and its allowed values. */
typedef cla_status (*cli_parse)(const cli_option *option, const char *value, cla_error *error);

struct cli_option {
  const char *name;         /* without the dashes; NULL ends the table */
  const char *letters;      /* short names, one letter each; NULL: none */
  const char *argument;     /* name of the value in the help; NULL: a flag */
  const char *alone;        /* value of the option without "=value"; NULL: the next argument is the value */
  const char *description;  /* a phrase; if it starts with a semicolon, it is printed after the hints */
  const char *default_text; /* default value in the help; NULL: none */
  const char *heading;      /* heading of the option group that starts with this option, or NULL */
  const char *const *words; /* all allowed values, ended by NULL; NULL: other values are allowed */
  const char *const *(*hints)(void); /* returns some allowed values, for completions; or NULL */
  cli_parse parse;
  void *destination;        /* a variable of the type that `parse` needs */
  int64_t minimum, maximum; /* range of numbers, inclusive */
  bool repeatable;
  bool given; /* the option was given; set by cli_parse_arguments */
};

typedef struct cli_example {
  const char *line; /* the command line to type */
  const char *text; /* effect of the command line */
} cli_example;

typedef struct cli_syntax {
  const char *command;         /* "align" */
  const char *positionals;     /* "QUERY TARGET" */
  const char *purpose;         /* purpose of the command in one sentence */
  const char *notes;           /* text after the options: paragraphs separated by empty lines, or NULL */
  const cli_example *examples; /* ended by an entry without a line; or NULL */
  cli_option *options;
  int least_positionals, most_positionals; /* most <= CLI_POSITIONALS */
} cli_syntax;

#define CLI_POSITIONALS 34

typedef struct cli_arguments {
  const char *positionals[CLI_POSITIONALS];
  int count;
  bool help; /* --help was given, so nothing else was checked */
} cli_arguments;

/* Parses the arguments after the command's name. Options may come before and after positional arguments, as
 * "--name value", "--name=value", "-n value", "-nvalue" or "-n=value". After "--", all arguments are
 * positional. "-" (standard input) and "-:..." (a record of standard input) are always positional.
 * CLA_ERROR_OPTION if an option is unknown, lacks its value or is given twice, or if there are too few or too
 * many positional arguments. The message about an unknown option names the most similar one. */
cla_status cli_parse_arguments(cli_arguments *out, const cli_syntax *syntax, int count, char **arguments,
                               cla_error *error);

/* True if an argument is an option or "--". False for "-" and "-:...", which mean standard input. */
bool cli_is_option(const char *argument);

/* Finds the option that is named by an argument such as "--name=value" or "-n"; NULL if the table has no such
 * option. Sets *value to the value in the argument, or to NULL. */
cli_option *cli_option_find(const cli_syntax *syntax, const char *argument, const char **value);

/* Writes the description as the help prints it. */
#define CLI_DESCRIPTION_SIZE 512
void cli_option_describe(char text[CLI_DESCRIPTION_SIZE], const cli_option *option);

/* Size of a text with all names of an option. */
#define CLI_NAMES_SIZE 64

/* Writes the names, such as "-o, --output". */
void cli_option_names(char text[CLI_NAMES_SIZE], const cli_option *option);

/* The last fields of a table entry whose option takes a text, or is a flag. */
#define CLI_TEXT(variable) .parse = cli_parse_text, .destination = (void *)&(variable)
#define CLI_FLAG(variable) .parse = cli_parse_flag, .destination = &(variable)

/* True if the option with that name was given; false also if the table has no such option. */
bool cli_option_given(const cli_option *options, const char *name);

/* Returns the entry of `names` (which ends with NULL) that is most similar to `word`; NULL if none is
 * similar. */
const char *cli_nearest(const char *word, const char *const *names);

/* Finds the value among the option's words and sets *place to its index. The message of CLA_ERROR_OPTION
 * lists all words, and names the one that the user probably meant. */
cla_status cli_find_word(int *place, const cli_option *option, const char *value, cla_error *error);

/* The entry --format of a command that prints text or JSON. `variable` is a bool; true means JSON. */
#define CLI_JSON_OPTION(variable)                                                             \
  {                                                                                           \
    .name = "format", .argument = "FORMAT", .parse = cli_parse_json, .words = cli_json_words, \
    .destination = &(variable), .description = "text, or json with one object a line",        \
    .default_text = "text"                                                                    \
  }
extern const char *const cli_json_words[];
cla_status cli_parse_json(const cli_option *option, const char *value, cla_error *error); /* (bool) */

/* Parse functions. The type of each function's destination is in parentheses. */
cla_status cli_parse_flag(const cli_option *option, const char *value, cla_error *error); /* (bool) */
cla_status cli_parse_text(const cli_option *option, const char *value, cla_error *error); /* (const char *) */
/* Parses one of the option's words. The destination, an enum without negative values, gets the word's index
 * plus `minimum`. */
cla_status cli_parse_word(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_int32(const cli_option *option, const char *value, cla_error *error); /* (int32_t) */
cla_status cli_parse_int64(const cli_option *option, const char *value, cla_error *error); /* (int64_t) */
/* Parses a decimal number between `minimum` and `maximum`, which are at most INT64_MAX / 1000 in absolute
 * value. The destination is an int64_t, in thousandths. */
cla_status cli_parse_thousandths(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_size(const cli_option *option, const char *value,
                          cla_error *error); /* (int64_t) bytes */
cla_status cli_parse_real(const cli_option *option, const char *value, cla_error *error); /* (double) */

/* A part of a record, given as query:FROM-TO or target:FROM-TO. Positions are counted from 1, and both ends
 * are included. Without TO, the part extends to the end of the record. */
typedef struct cli_region {
  const char *text; /* text of the option; NULL: not given */
  cla_side_kind side;
  int64_t begin, end; /* counted from 0, half-open; end is -1 for the end of the record */
} cli_region;

/* Parse function whose destination is a cli_region. */
cla_status cli_parse_region(const cli_option *option, const char *value, cla_error *error);

/* Numbers of letters in short form: 500, 10k, 1M. */

/* Reads a number of letters, from 1 to `most`, at the start of `text`: digits, and then k, K, M or nothing.
 * Returns the text after the number; NULL: no such number. */
const char *cli_read_letters(int64_t *out, const char *text, int64_t most);

/* Parses a number of letters, which may be 0, into an int64_t. */
cla_status cli_parse_letters(const cli_option *option, const char *value, cla_error *error);

/* Writes a number of letters, such as 10k, 1M or 12345. */
void cli_letters_text(char *text, size_t size, int64_t letters);

/* Parses a command's arguments. Returns true if the command can start. Otherwise the help or an error was
 * printed, and *code is the exit code. */
bool cli_begin(cli_arguments *parsed, const cli_syntax *syntax, int count, char **arguments, int *code);

/* Prints the command's help on stdout, as wide as the terminal. */
void cli_print_help(const cli_syntax *syntax);

/* Prints the list of commands. */
void cli_print_commands(void);

/* The exit codes, such as "0" and "a result"; an entry without a code ends them. */
extern const cli_example cli_exit_codes[];

/* The environment variables that the program reads; an entry whose `line` is NULL ends them. */
extern const cli_example cli_environment[];

#endif
