#ifndef HOST_CLI_REPORT_OUTPUTS_H
#define HOST_CLI_REPORT_OUTPUTS_H

#include "clalign/plot.h"
#include "clalign/write.h"
#include "cli/options/options.h"

/* Parts of initialisers, and no expressions: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
/* Entries --format and --output of a command's option table; `outputs` is its cli_outputs. */
#define CLI_OUTPUT_OPTIONS(outputs, title, names, formats, format_text, output_text) \
  {.name = "format", .heading = title, .argument = "FORMAT", .parse = outputs_parse_format, .hints = names, \
   .destination = &(outputs), .repeatable = true, .description = formats, .default_text = format_text}, \
  {.name = "output", .letters = "o", .argument = "FILE", .parse = outputs_parse_output, .destination = &(outputs), .repeatable = true, \
   .description = "where the --format beside it goes; without one, the name tells the format, as in ab.bam or ab.vcf.gz", \
   .default_text = output_text}
/* Entries for the form of results. */
#define CLI_WRITE_OPTIONS(outputs) \
  {.name = "cigar", .argument = "WORD", .parse = cli_parse_word, .words = output_cigar_words, .destination = &(outputs).how.cigar, \
   .description = "letters of pairs in the CIGARs of paf, sam, bam and cigar: =X, or M for both, as older readers need", .default_text = "=X"}, \
  {.name = "keep-case", CLI_FLAG((outputs).keep_case), \
   .description = "letters as in the input, lower case too, in pair, srspair, maf and fasta"}, \
  {.name = "show-ends", CLI_FLAG((outputs).how.free_ends), \
   .description = "pair and srspair show free ends as gaps and count them, as EMBOSS' needle does", .default_text = "with --preset needle"}, \
  {.name = "columns", .argument = "LIST", .parse = outputs_parse_columns, .destination = &(outputs).how.columns, \
   .description = "of blast and blast7, by BLAST+'s names with commas between, as in std,qlen,slen,qcovs; or of tsv", .default_text = "std"}, \
  {.name = "query-prefix", .argument = "TEXT", CLI_TEXT((outputs).how.query_prefix), \
   .description = "in maf the query's name is TEXT.NAME, as in species.chromosome"}, \
  {.name = "target-prefix", .argument = "TEXT", CLI_TEXT((outputs).how.target_prefix), .description = "likewise the target's"}
#define CLI_SAVE_OPTIONS(outputs) \
  {.name = "save", .argument = "FILE.cla", CLI_TEXT((outputs).save), \
   .description = "also save the alignment for 'clalign show' and 'verify'"}, \
  {.name = "save-work", CLI_FLAG((outputs).save_work), \
   .description = "save with it how the matrix was computed, which 'clalign show --plot' draws; such files differ between devices"}
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

#define OUTPUT_LIMIT 16 /* --output or --format, and --plot */

/* Pictures of the matrix: --plot and the options --plot-... */

typedef struct cli_plot {
  const char *paths[OUTPUT_LIMIT]; /* files of the same picture, each in the format of its ending */
  int count;
  cla_plot_options options; /* of each */
} cli_plot;

/* Parts of initialisers, and no expressions: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define CLI_PLOT_OPTIONS(plot)                                                                               \
  {.name = "plot", .argument = "FILE", .parse = cli_parse_plot, .destination = &(plot), .repeatable = true,  \
   .description = "also draw the matrix, to a .png, .svg, .pdf or .html (a page that zooms): path by strand and identity, repeats, " \
                  "the largest gaps; may be repeated"},                                                          \
  {.name = "plot-region", .argument = "REGION", .parse = cli_parse_plot_region,                              \
   .destination = &(plot).options, .repeatable = true, .default_text = "all",                                \
   .description = "the part of the matrix to draw: query:FROM-TO or target:FROM-TO (1-based, inclusive), or " \
                  "both, one option each"},                                                                  \
  {.name = "plot-work", CLI_FLAG((plot).options.work),                                                        \
   .description = "also draw what of the matrix was computed, special rows and crosspoints"},                \
  CLI_PLOT_LOOK_OPTIONS(plot)
/* Entries for the look of a plot. */
#define CLI_PLOT_LOOK_OPTIONS(plot)                                                                          \
  {.name = "plot-title", .argument = "TEXT", CLI_TEXT((plot).options.title),                                 \
   .default_text = "the names of the sequences", .description = "what stands above"},                        \
  {.name = "plot-size", .argument = "N", .parse = cli_parse_int64, .minimum = CLA_PLOT_SIZE_LEAST,           \
   .maximum = CLA_PLOT_SIZE_MOST, .destination = &(plot).options.size, .default_text = "600",                \
   .description = "points of the matrix' longer side"},                                                      \
  {.name = "plot-dpi", .argument = "N", .parse = cli_parse_int64, .minimum = CLA_PLOT_DPI_LEAST,             \
   .maximum = CLA_PLOT_DPI_MOST, .destination = &(plot).options.dpi,                                         \
   .default_text = "96, a pixel a point", .description = "dots an inch of a PNG"},                           \
  {.name = "plot-dark", CLI_FLAG((plot).options.dark), .description = "draw on a dark ground"}
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* A parse function whose destination is a cli_plot. */
cla_status cli_parse_plot(const cli_option *option, const char *value, cla_error *error);

/* Warns for each file that there is nothing to draw. */
void cli_plot_warn_empty(const cli_plot *plot);

/* A parse function whose destination is a cla_plot_options. */
cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error);

/* The outputs of results: any number of --format and --output, side by side or alone, --save and --plot. */

extern const char *const output_cigar_words[];

/* The names of the library's formats, NULL-ended: all, or without those of many pairs. */
const char *const *output_format_names(void);
const char *const *output_pair_format_names(void);

typedef struct cli_output {
  cla_format format;
  const char *path; /* NULL: standard output */
  bool given;       /* the format, by --format */
  bool compressed;  /* by the name */
  char *owned;      /* the path, where it is made; kept until the process ends */
} cli_output;

typedef struct cli_outputs {
  cli_output items[OUTPUT_LIMIT];
  int count;
  const char *save;      /* a binary alignment, or NULL */
  bool save_work;        /* with how its matrix was computed */
  const char *rotated;   /* a circle's record, turned (turned_record_write), or NULL */
  bool callable;         /* beside each file of VCF a BED of the letters whose differences are known */
  bool quiet;            /* no summary is printed in place of results */
  bool summary_alone;    /* without --format and --output there is a summary and no result */
  bool tables;           /* formats of many pairs may be among them */
  bool keep_case;        /* sequences are read with the case of their letters */
  cla_write_options how; /* options of each output, without command and compressed */
  cli_plot plot;
} cli_outputs;

/* A parse function whose destination is a text. */
cla_status outputs_parse_columns(const cli_option *option, const char *value, cla_error *error);

/* Whether an output has expected numbers. */
bool outputs_want_expect(const cli_outputs *outputs);

/* Parse functions whose destination is a cli_outputs. */
cla_status outputs_parse_format(const cli_option *option, const char *value, cla_error *error);
cla_status outputs_parse_output(const cli_option *option, const char *value, cla_error *error);

/* True if nothing long is printed: neither --format nor --output is given, and either --plot asks for a
 * picture or the standard output is a terminal that shows the summary. */
bool outputs_unasked(const cli_outputs *outputs);

/* Whether an output has FASTQ's qualities. */
bool outputs_want_qualities(const cli_outputs *outputs);

/* Prints a hint behind the summary how to see or keep the results, if none were printed. */
void outputs_print_hint(const cli_outputs *outputs);

/* Adds a BED for each file of VCF. CLA_ERROR_OPTION: too many outputs; CLA_ERROR_MEMORY. */
cla_status outputs_add_callable(cli_outputs *outputs, cla_error *error);

/* The first part of outputs_prepare. */
cla_status outputs_name_formats(cli_outputs *outputs, cla_format default_format, cla_error *error);

/* CLA_ERROR_OPTION if the name of --save's file tells another format than .cla, or an unknown one. */
cla_status outputs_check_save(const char *path, cla_error *error);

/* Completes the list after parsing, with a BED for each VCF if asked for: beside x.vcf or x.vcf.gz it is
 * x.callable.bed. Formats come from --format or from the names. Without any the list is
 * empty where outputs_unasked, and else `default_format` on the standard output. Then it checks
 * the paths before hours of computing. CLA_ERROR_OPTION: a name tells another format than --format or none,
 * two results have one name, one would replace an input, or a binary one goes to a terminal.
 * CLA_ERROR_OUTPUT: a path cannot be written. `inputs` are the `input_count` locations that will be read. */
cla_status outputs_prepare(cli_outputs *outputs, cla_format default_format, const char *const *inputs,
                           int input_count, cla_error *error);

/* Whether an output will replace a file that is there now. */
bool outputs_replace_files(const cli_outputs *outputs);

/* CLA_ERROR_OPTION if an output is the file of the matrix, or in the run directory; either may be NULL. */
cla_status outputs_check_files(const cli_outputs *outputs, const char *matrix, const char *run_dir,
                               cla_error *error);

/* CLA_ERROR_OPTION if an output is the file of the location, which will be read. */
cla_status outputs_check_input(const cli_outputs *outputs, const char *location, cla_error *error);

/* CLA_ERROR_OPTION if a format needs the path that a score alone does not have. */
cla_status outputs_check_score_only(const cli_outputs *outputs, cla_error *error);

/* CLA_ERROR_OPTION if a --plot-region lies outside its sequence. */
cla_status outputs_check_region(const cli_outputs *outputs, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error);

/* CLA_ERROR_OPTION if a format cannot hold sequences of that alphabet. */
cla_status outputs_check_alphabet(const cli_outputs *outputs, cla_alphabet alphabet, cla_error *error);

/* CLA_ERROR_OPTION if a format cannot hold one of these records. Call it before they are aligned for days. */
cla_status outputs_check_letters(const cli_outputs *outputs, const cla_sequence *query,
                                 const cla_sequence *target, cla_error *error);

/* Checks one path as outputs_prepare does; for files of other commands. */
cla_status output_path_check(const char *path, cla_error *error);

/* Whether two paths lead to the same file, or would once it exists. */
bool output_same_file(const char *a, const char *b);

/* Writes all outputs, files before standard output: a reader that goes away then costs no file. If one fails,
 * the others are still written; the first error is returned, and further ones are printed as warnings. Stops
 * with CLA_ERROR_INTERRUPTED between two outputs. */
cla_status outputs_write(const cli_outputs *outputs, const cla_results *found,
                         const cla_write_options *options, cla_error *error);

#endif
