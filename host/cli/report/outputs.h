#ifndef HOST_CLI_REPORT_OUTPUTS_H
#define HOST_CLI_REPORT_OUTPUTS_H

#include "clalign/plot.h"
#include "clalign/write.h"
#include "cli/options/options.h"

/* Macros that are parts of initialisers: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
/* Entries --format and --output of a command's option table; `outputs` is its cli_outputs. */
#define CLI_OUTPUT_OPTIONS(outputs, title, names, formats, format_text, output_text) \
  {.name = "format", .heading = title, .argument = "FORMAT", .parse = outputs_parse_format, .hints = names, \
   .destination = &(outputs), .repeatable = true, .description = formats, .default_text = format_text}, \
  {.name = "output", .letters = "o", .argument = "FILE", .parse = outputs_parse_output, .destination = &(outputs), .repeatable = true, \
   .description = "where the --format beside it goes; without one, the name tells the format, as in ab.bam or ab.vcf.gz", \
   .default_text = output_text}
/* Entries for the details of output formats. */
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

#define OUTPUT_LIMIT 16 /* maximum number of outputs, and of plots */

/* Plots of the matrix: --plot and the options --plot-... */

typedef struct cli_plot {
  const char *paths[OUTPUT_LIMIT]; /* files of the plot, each in the format of its ending */
  int count;
  cla_plot_options options; /* options that apply to all these files */
} cli_plot;

/* Macros that are parts of initialisers: NOLINTBEGIN(bugprone-macro-parentheses) */
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
/* Entries for the appearance of a plot. */
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

/* Warns, for each file of the plot, that there is nothing to draw. */
void cli_plot_warn_empty(const cli_plot *plot);

/* A parse function whose destination is a cla_plot_options. */
cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error);

/* The outputs of results: --format and --output, any number and together or alone, --save and --plot. */

extern const char *const output_cigar_words[];

/* Return the names of formats, ended by NULL: those of a single pair, of a pair that may have a certificate,
 * and of many pairs. */
const char *const *output_pair_format_names(void);
const char *const *output_certified_format_names(void);
const char *const *output_many_format_names(void);

typedef struct cli_output {
  cla_format format;
  const char *path; /* NULL: standard output */
  bool given;       /* true: --format gave the format */
  bool compressed;  /* true: compressed, judged by the name */
  char *owned;      /* equal to `path` if the program itself made the path; never freed */
} cli_output;

#define PLANE_FILES_MOST 4 /* largest number of files of --stable-plot */

typedef struct cli_outputs {
  cli_output items[OUTPUT_LIMIT];
  int count;
  const char *save;    /* file for a binary alignment, or NULL */
  bool save_work;      /* true: the file also records how the matrix was computed */
  const char *rotated; /* file for the rotated circular record (turned_record_write), or NULL */
  const char *graph;   /* file of --graph; NULL or "": none */
  const char *planes[PLANE_FILES_MOST]; /* files of --stable-plot */
  int plane_count;
  bool callable;         /* true: for each VCF, a BED lists the regions whose differences are known */
  bool quiet;            /* true: no summary is printed instead of results */
  bool summary_alone;    /* true: without --format and --output, only the summary is printed */
  bool tables;           /* true: formats for many pairs are allowed */
  bool listed;           /* true: only the first alignment has a certificate; the others are as good */
  bool keep_case;        /* true: sequences keep the case of their letters */
  cla_write_options how; /* options of all outputs, without `command` and `compressed` */
  cli_plot plot;
} cli_outputs;

/* A parse function whose destination is a const char *. */
cla_status outputs_parse_columns(const cli_option *option, const char *value, cla_error *error);

/* True if an output contains E-values. */
bool outputs_want_expect(const cli_outputs *outputs);

/* Parse functions whose destination is a cli_outputs. */
cla_status outputs_parse_format(const cli_option *option, const char *value, cla_error *error);
cla_status outputs_parse_output(const cli_option *option, const char *value, cla_error *error);

/* True if no result is printed: neither --format nor --output is given, and either there is a --plot, or
 * standard output is a terminal, on which the summary is printed. */
bool outputs_unasked(const cli_outputs *outputs);

/* True if an output contains the qualities of FASTQ. */
bool outputs_want_qualities(const cli_outputs *outputs);

/* If no result was printed, prints a hint after the summary about how to print or save results. */
void outputs_print_hint(const cli_outputs *outputs);

/* Adds a BED output for each VCF file. CLA_ERROR_OPTION for too many outputs; CLA_ERROR_MEMORY. */
cla_status outputs_add_callable(cli_outputs *outputs, cla_error *error);

/* Sets the formats: the first step of outputs_prepare. */
cla_status outputs_name_formats(cli_outputs *outputs, cla_format default_format, cla_error *error);

/* CLA_ERROR_OPTION if the ending of --save's file is unknown or means another format than .cla. */
cla_status outputs_check_save(const char *path, cla_error *error);

/* Completes the list after parsing. Formats come from --format or from the names. If callable BEDs are
 * wanted, x.vcf or x.vcf.gz gets x.callable.bed. Without outputs, `default_format` is written to standard
 * output, unless outputs_unasked is true. Then checks the paths, because the alignment may take hours.
 * `inputs` are the `input_count` locations that will be read. CLA_ERROR_OPTION if a name means no format or
 * another one than --format, or if a binary format would go to a terminal. CLA_ERROR_OPTION also if two
 * outputs have the same name, or an output would replace an input. CLA_ERROR_OUTPUT if a path cannot be
 * written. */
cla_status outputs_prepare(cli_outputs *outputs, cla_format default_format, const char *const *inputs,
                           int input_count, cla_error *error);

/* True if an output will replace an existing file. */
bool outputs_replace_files(const cli_outputs *outputs);

/* CLA_ERROR_OPTION if an output is the file of the matrix, or is in the run directory. `matrix` and `run_dir`
 * may be NULL. */
cla_status outputs_check_files(const cli_outputs *outputs, const char *matrix, const char *run_dir,
                               cla_error *error);

/* CLA_ERROR_OPTION if an output is the file of an input location. */
cla_status outputs_check_input(const cli_outputs *outputs, const char *location, cla_error *error);

/* CLA_ERROR_OPTION if an output's format needs a path. Called for --score-only. */
cla_status outputs_check_score_only(const cli_outputs *outputs, cla_error *error);

/* CLA_ERROR_OPTION if a --plot-region lies outside its sequence. */
cla_status outputs_check_region(const cli_outputs *outputs, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error);

/* CLA_ERROR_OPTION if an output's format cannot contain sequences of that alphabet. */
cla_status outputs_check_alphabet(const cli_outputs *outputs, cla_alphabet alphabet, cla_error *error);

/* CLA_ERROR_OPTION if an output's format cannot contain one of these records. Must be called before they are
 * aligned. */
cla_status outputs_check_letters(const cli_outputs *outputs, const cla_sequence *query,
                                 const cla_sequence *target, cla_error *error);

/* Checks one path as outputs_prepare does. For files of other commands. */
cla_status output_path_check(const char *path, cla_error *error);

/* True if two paths lead to the same file, or would if the file existed. */
bool output_same_file(const char *a, const char *b);

/* Writes all outputs. Files are written before standard output, so that they are complete even if the reader
 * of standard output ends. If an output fails, the others are still written; the first error is returned, and
 * further errors are printed as warnings. May stop between two outputs with CLA_ERROR_INTERRUPTED. */
cla_status outputs_write(const cli_outputs *outputs, const cla_results *found,
                         const cla_write_options *options, cla_error *error);

#endif
