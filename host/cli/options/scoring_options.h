#ifndef HOST_CLI_OPTIONS_SCORING_OPTIONS_H
#define HOST_CLI_OPTIONS_SCORING_OPTIONS_H

#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "cli/options/options.h"

/* The options of what letters sequences have and what their pairs score. Defaults depend on the sequences, so
 * that what the options say is kept apart until these are read. */

/* In thousandths of a point, where options say so. */
typedef struct cli_costs {
  int64_t match, mismatch, gap_first, gap_ext;
  int64_t gap_open, gap_extend;                         /* the NCBI form of gap costs */
  int64_t gap_first2, gap_ext2, gap_open2, gap_extend2; /* of their second piece */
} cli_costs;

typedef struct cli_scoring {
  cli_costs given;
  cla_ambiguity ambiguity;
  const char *matrix; /* a file or a name; NULL: none */
  bool asymmetric;
  bool allow_empty;      /* records without letters are read */
  cla_alphabet alphabet; /* by --type or the matrix, if `known` */
  bool known;
} cli_scoring;

/* What --type and --ambiguity take; NULL ends each. */
extern const char *const cli_type_words[], *const cli_ambiguity_words[];

/* Parse functions; the destination is a cli_scoring. */
cla_status cli_parse_type(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_ambiguity(const cli_option *option, const char *value, cla_error *error);

/* After parsing `options`, the command's table, and before sequences are read: refuses what contradicts
 * itself and reads the matrix into *out. Without --type and --matrix *out has the defaults for DNA. */
cla_status cli_scoring_begin(cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                             cla_error *error);

/* Once the alphabet is known: all of *out. */
cla_status cli_scoring_finish(const cli_scoring *scoring, cla_scoring *out, cla_alphabet alphabet,
                              const cli_option *options, cla_error *error);

/* The score that stands for `thousandths` of a point in the scheme's units, rounded upwards: no alignment's
 * score lies between the two. CLA_ERROR_OPTION, naming the option, if it passes 64 bits. */
cla_status cli_scoring_units(int64_t *out, int64_t thousandths, const cla_scoring *scoring,
                             const char *option_name, cla_error *error);

/* Reads query and target of the alphabet that is known or, if both have the same, detected, and finishes
 * *out. The caller frees both, also after an error. */
cla_status cli_scoring_read_pair(cla_sequence *pair[2], const char *const locations[2],
                                 const cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                                 cla_error *error);

#endif
