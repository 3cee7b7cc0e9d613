#ifndef HOST_CLI_OPTIONS_ALIGN_OPTIONS_H
#define HOST_CLI_OPTIONS_ALIGN_OPTIONS_H

#include "clalign/align.h"
#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"

/* The options of alphabets and scores. Their defaults depend on the sequences, so the given values are stored
 * separately until the sequences have been read. */

/* Scores and costs from options, in thousandths of a point. */
typedef struct cli_costs {
  int64_t match, mismatch, gap_first, gap_ext;
  int64_t gap_open, gap_extend; /* gap costs of the form open plus extend, as NCBI defines them */
  int64_t gap_first2, gap_ext2, gap_open2, gap_extend2; /* gap costs of the second piece */
} cli_costs;

typedef struct cli_scoring {
  cli_costs given;
  cla_ambiguity ambiguity;
  const char *matrix;       /* a file or a name; NULL: none */
  const cla_preset *preset; /* NULL: none */
  bool asymmetric;
  bool allow_empty;      /* true: records without letters are allowed */
  bool qualities;        /* true: FASTQ's qualities are kept */
  bool keep_case;        /* true: the case of letters is kept */
  bool range_alone[2];   /* for query and target: true if only the letters of the range are kept */
  cla_alphabet alphabet; /* the alphabet of --type or the matrix, if `known` */
  bool known;
} cli_scoring;

/* The words of --type and of --ambiguity; NULL ends each list. */
extern const char *const cli_type_words[], *const cli_ambiguity_words[];

/* The names of presets, NULL-ended. */
const char *const *cli_preset_names(void);

/* Returns the preset of that name; NULL: there is none. */
const cla_preset *cli_preset_find(const char *name);

/* Parse functions whose destination is a cli_scoring. */
cla_status cli_parse_preset(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_type(const cli_option *option, const char *value, cla_error *error);

/* Refuses contradicting options and reads the matrix into *out. Without --type and --matrix, *out gets the
 * defaults for DNA. Must be called after parsing `options`, the command's table, and before reading
 * sequences. */
cla_status cli_scoring_begin(cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                             cla_error *error);

/* Completes *out once the alphabet is known. */
cla_status cli_scoring_finish(const cli_scoring *scoring, cla_scoring *out, cla_alphabet alphabet,
                              const cli_option *options, cla_error *error);

/* Prints the preset on stderr for --explain, if one was given. */
void cli_preset_print(const cli_scoring *scoring);

/* True if the preset includes --show-ends. */
bool cli_preset_shows_ends(const cli_scoring *scoring);

/* Prints all presets with their values, and who uses them, on stdout. */
cla_status cli_presets_list(cla_error *error);

/* Converts `thousandths` of a point to the scheme's units, rounded up. Rounding up changes no comparison,
 * because no alignment scores between the two values. CLA_ERROR_OPTION, with the option's name, if the
 * result exceeds 64 bits. */
cla_status cli_scoring_units(int64_t *out, int64_t thousandths, const cla_scoring *scoring,
                             const char *option_name, cla_error *error);

/* Reads query and target, and completes *out. The alphabet is the given one, or else the one detected from
 * both sequences. The caller frees both sequences, also after an error. */
cla_status cli_scoring_read_pair(cla_sequence *pair[2], const char *const locations[2],
                                 const cli_scoring *scoring, cla_scoring *out, const cli_option *options,
                                 cla_error *error);

/* Options for aligning, shared by the commands that align or predict. */

/* The values of all --set options, separated by commas. */
typedef struct cli_kernel_settings {
  char text[256];
} cli_kernel_settings;

typedef struct cli_align_settings {
  cla_align_options align;
  cla_device_options device;
  cli_scoring scoring;
  cli_kernel_settings kernel_settings;
} cli_align_settings;

/* Largest value of --special-rows, more rows than any matrix has. */
#define CLI_SPECIAL_ROWS_LIMIT 1000000000

#define CLI_SCORE(variable, least, most)                                                           \
  .argument = "N", .parse = cli_parse_thousandths, .destination = &(variable), .minimum = (least), \
  .maximum = (most)
#define CLI_SIZE(variable) \
  .argument = "SIZE", .parse = cli_parse_size, .destination = &(variable), .minimum = 1, .maximum = INT64_MAX

/* clang-format off */

/* Entries for mode and scores in a command's option table. In this and the next macros, `s` is the command's
 * cli_align_settings. */
#define CLI_SCORING_OPTIONS(s) CLI_MODE_OPTIONS(s), CLI_COST_OPTIONS(s)
#define CLI_MODE_OPTIONS(s) \
    {.name = "mode", .heading = "mode", .argument = "MODE", .parse = cli_parse_mode, .words = cli_mode_words, .destination = &(s).align.mode, \
     .description = "local: the best-scoring parts; global: both from end to end; semi-global: the query whole, a part of the target; overlap: ends of both may stay free; extend: from the first letters on", .default_text = "local"}, \
    {.name = "free-ends", .argument = "LIST", .parse = cli_parse_free_ends, .hints = cli_free_ends_hints, .destination = &(s).align.free_ends, \
     .description = "which ends may stay uncovered at no cost: query-start, query-end, target-start, target-end, with commas between"}
/* Entries for scores only. */
#define CLI_COST_OPTIONS(s) \
    {.name = "preset", .heading = "scores", .argument = "NAME", .parse = cli_parse_preset, .hints = cli_preset_names, .destination = &(s).scoring, \
     .description = "scores, gap costs and mode as of another program or for a purpose: genome, strain, needle, water, blastn, megablast, blastp and others; " \
                    "'clalign help presets' lists them, single options override them"}, \
    {.name = "type", .argument = "TYPE", .parse = cli_parse_type, .words = cli_type_words, .destination = &(s).scoring, \
     .description = "what the letters are: dna or protein", .default_text = "by the letters, or the matrix'"}, \
    {.name = "matrix", .argument = "FILE|NAME", CLI_TEXT((s).scoring.matrix), .hints = cla_matrix_names, \
     .description = "scores of pairs: a file in NCBI's form, or BLOSUM45, 50, 62, 80 or 90, PAM30, 70 or 250, EDNAFULL", \
     .default_text = "BLOSUM62 for proteins"}, \
    {.name = "asymmetric", CLI_FLAG((s).scoring.asymmetric), \
     .description = "the file's rows are for the query, its columns for the target, and need not be the same"}, \
    {.name = "match", CLI_SCORE((s).scoring.given.match, 0, CLA_SCORE_LIMIT), \
     .description = "score of a pair of equal letters, 0 or more; as all scores and costs with up to three decimals", .default_text = "1"}, \
    {.name = "mismatch", CLI_SCORE((s).scoring.given.mismatch, -CLA_SCORE_LIMIT, 0), \
     .description = "score of every other pair, 0 or less", .default_text = "-3"}, \
    {.name = "ambiguity", .argument = "WORD", .parse = cli_parse_word, .words = cli_ambiguity_words, .destination = &(s).scoring.ambiguity, \
     .description = "pairs with N or another IUPAC letter of DNA score as a mismatch, neutral: 0, or expected: the mean over what they stand for", \
     .default_text = "mismatch"}, \
    {.name = "gap-first", CLI_SCORE((s).scoring.given.gap_first, 0, CLA_SCORE_LIMIT), \
     .description = "cost of a gap's first letter", .default_text = "5, or the matrix'"}, \
    {.name = "gap-ext", CLI_SCORE((s).scoring.given.gap_ext, 0, CLA_SCORE_LIMIT), \
     .description = "cost of each further letter, at most that of the first", .default_text = "2, or the matrix'"}, \
    {.name = "gap-open", CLI_SCORE((s).scoring.given.gap_open, 0, CLA_SCORE_LIMIT), \
     .description = "the NCBI form, with --gap-extend: a gap of k letters costs open + k x extend"}, \
    {.name = "gap-extend", CLI_SCORE((s).scoring.given.gap_extend, 0, CLA_SCORE_LIMIT), .description = "see --gap-open"}, \
    {.name = "gap-first2", CLI_SCORE((s).scoring.given.gap_first2, 0, CLA_SCORE_LIMIT), \
     .description = "a second piece, for long gaps, with --gap-ext2: a gap costs the less of the two; dearer for the first letter than --gap-first"}, \
    {.name = "gap-ext2", CLI_SCORE((s).scoring.given.gap_ext2, 0, CLA_SCORE_LIMIT), \
     .description = "and cheaper than --gap-ext for each further one"}, \
    {.name = "gap-open2", CLI_SCORE((s).scoring.given.gap_open2, 0, CLA_SCORE_LIMIT), \
     .description = "the NCBI form of the second piece, with --gap-extend2, --gap-open and --gap-extend"}, \
    {.name = "gap-extend2", CLI_SCORE((s).scoring.given.gap_extend2, 0, CLA_SCORE_LIMIT), .description = "see --gap-open2"}

/* `variable` is a cla_strand. */
#define CLI_STRAND_OPTION(variable) \
    {.name = "strand", .heading = "which alignment", .argument = "WORD", .parse = cli_parse_word, .words = cli_strand_words, .destination = &(variable), \
     .description = "of a DNA query: forward; reverse: its reverse complement; both: the better one, forward if they are equal", .default_text = "forward"}

/* `variable` is a cla_circular. */
#define CLI_CIRCULAR_OPTION(variable) \
    {.name = "circular", .argument = "WORD", .parse = cli_parse_word, .minimum = CLA_CIRCULAR_QUERY, .words = cli_circular_words, .destination = &(variable), \
     .description = "query or target is a circle, such as a plasmid: the best alignment of all its rotations"}

/* `variable` is a cla_gap_placement. */
#define CLI_GAP_PLACEMENT_OPTION(variable) \
    {.name = "gap-placement", .argument = "WORD", .parse = cli_parse_word, .minimum = CLA_GAPS_LEFT, .words = cli_gap_placement_words, .destination = &(variable), \
     .description = "of gaps that could lie elsewhere with the same letters: left on the " \
                    "target's forward strand, as in VCF, or right, as in HGVS"}

/* `flag` is a bool, `variable` an int64_t. */
#define CLI_SPLIT_OPTIONS(flag, variable, text) \
    {.name = "split", CLI_FLAG(flag), .description = (text)}, \
    {.name = "split-drop", .argument = "N", .parse = cli_parse_thousandths, .destination = &(variable), \
     .maximum = INT64_MAX / CLA_UNITS_LIMIT, \
     .description = "where --split cuts: the score drops by more than N; each piece scores more", .default_text = "60 matches, or 1.5 long gaps"}

/* Entries for one device, the budgets and the kernel. */
#define CLI_RESOURCE_OPTIONS(s) CLI_RESOURCES_ON((s), CLI_DEVICE_OPTIONS((s).device))
/* Entries for several devices, the budgets and the kernel. */
#define CLI_RESOURCES_OPTIONS(s) CLI_RESOURCES_ON((s), CLI_DEVICES_OPTIONS((s).device, NULL))
#define CLI_RESOURCES_ON(s, ...) \
    {.name = "special-rows", .heading = "device, memory and kernel", .argument = "N", .parse = cli_parse_int64, \
     .destination = &(s).align.budgets.special_rows, .maximum = CLI_SPECIAL_ROWS_LIMIT, \
     .description = "rows that the forward sweep keeps for the traceback", .default_text = "as memory allows"}, \
    __VA_ARGS__, \
    CLI_BUDGET_OPTIONS(s)
/* Entries for the budgets, for every command that aligns. */
#define CLI_BUDGET_OPTIONS(s) \
    {.name = "memory", CLI_SIZE((s).align.budgets.memory_bytes), \
     .description = "budget of host memory: bytes, or 400M, 2G", .default_text = "half of what is free"}, \
    {.name = "device-memory", CLI_SIZE((s).align.budgets.device_memory_bytes), \
     .description = "budget of device memory", .default_text = "what the device has"}, \
    {.name = "kernel", .argument = "NAME", CLI_TEXT((s).align.kernel.name), .hints = cli_kernel_hints, \
     .description = "a kernel variant, for experts and tests", .default_text = "as records or the plan say"}, \
    CLI_SETTING_OPTION((s).kernel_settings)

/* `variable` is a cli_kernel_settings. */
#define CLI_SETTING_OPTION(variable) \
    {.name = "set", .argument = "NAME=VALUE", .parse = cli_parse_setting, .destination = &(variable), \
     .repeatable = true, \
     .description = "a parameter of the kernel, for experts; may be repeated: lanes, " \
                    "alpha (rows a lane), tile (columns), launch (diagonals or " \
                    "persistent), groups (of a persistent launch)"}
/* clang-format on */

/* The words of the options in the tables above; NULL ends each list. */
extern const char *const cli_mode_words[], *const cli_strand_words[], *const cli_gap_placement_words[],
                                                                          *const cli_circular_words[];

/* The names of single free ends, for completion; NULL ends them. */
const char *const *cli_free_ends_hints(void);
const char *const *cli_kernel_hints(void);

/* Parse functions of the tables above. */
cla_status cli_parse_mode(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_free_ends(const cli_option *option, const char *value, cla_error *error);
cla_status cli_parse_setting(const cli_option *option, const char *value, cla_error *error);

/* Begins `late`, and makes calls with `align` ask it for a device. If options name the devices or kernels,
 * opens the devices immediately; otherwise, host threads compute what needs no device. Errors are as for
 * cli_late_device_open. The caller calls cli_late_device_end. */
cla_status cli_late_device_serve(cli_late_device *late, const cla_device_options *options,
                                 cla_align_options *align, bool quiet, cla_error *error);

/* Sets the defaults. Must be called before parsing. */
void cli_align_settings_init(cli_align_settings *settings);

/* Refuses contradicting options and reads the score matrix. Must be called after parsing `options`, the
 * command's table, before a sequence is read or a device is opened. cli_scoring_read_pair or
 * cli_scoring_finish completes the scores. */
cla_status cli_align_settings_settle(cli_align_settings *settings, const cli_option *options,
                                     cla_error *error);

/* What a command line asks for. Some demands exclude each other (table in option_conflicts.c). */
typedef enum cli_demand {
  DEMAND_ALL_VS_ALL,
  DEMAND_BAND,
  DEMAND_CERTIFY,
  DEMAND_OPTIMAL,
  DEMAND_STABLE,
  DEMAND_BOUND,
  DEMAND_CIRCULAR,
  DEMAND_DISK,
  DEMAND_EXPLAIN,
  DEMAND_GAP_PLACEMENT,
  DEMAND_KERNEL,
  DEMAND_LIST, /* a list of pairs */
  DEMAND_NO_CIRCULAR,
  DEMAND_NO_RUN_DIR,
  DEMAND_NO_SPLIT,
  DEMAND_ONE_FILE,
  DEMAND_ONLY_STDIN,
  DEMAND_OTHER_MODE, /* a mode other than local */
  DEMAND_PAIRWISE,
  DEMAND_REGIONS,
  DEMAND_ROTATED,
  DEMAND_RUN_DIR,
  DEMAND_SCORE_ONLY,
  DEMAND_SETTING,
  DEMAND_SEVERAL,
  DEMAND_SPLIT,
  DEMAND_SPLIT_DROP,
  DEMAND_STDIN,
  DEMAND_STRAND,
  DEMAND_TOP,
  DEMAND_TOP_AS_FINISHED,
  DEMAND_TWO_FILES,
  DEMAND_COUNT
} cli_demand;

/* The demands of a command line; initialise with zeros. */
typedef struct cli_demands {
  const char *options[DEMAND_COUNT]; /* the option that made each demand, such as "--band"; NULL: not made */
  char mode[64], several[64];        /* buffers for texts of `options` */
} cli_demands;

/* Bits for the steps at which commands check for conflicts. */
typedef enum cli_step { STEP_ALIGN = 1, STEP_BATCH_FILES = 2, STEP_BATCH = 4 } cli_step;

void cli_demand_set(cli_demands *demands, cli_demand demand, bool asked, const char *option);

/* Collect the demands that align and batch share. cli_demands_of reads the options, for at most `most`
 * alignments; cli_demands_of_inputs reads the positional arguments, which may be standard input. */
void cli_demands_of(cli_demands *demands, const cla_align_options *how, int64_t most,
                    const cli_option *options);
void cli_demands_of_inputs(cli_demands *demands, const cli_arguments *parsed);

/* Returns CLA_ERROR_OPTION for the first conflict of the step. */
cla_status cli_demands_check(const cli_demands *demands, cli_step step, cla_error *error);

/* Returns CLA_ERROR_INPUT if the letters are not DNA and the strand is not forward. */
cla_status cli_check_strand(cla_strand strand, cla_alphabet alphabet, cla_error *error);

/* The value of --lower-bound SCORE|auto|off|FILE. A zeroed struct means auto. The caller frees `path` with
 * cla_path_free. */
typedef struct cli_lower_bound {
  cla_lower_bound bound; /* the library's option, set by cli_lower_bound_settle */
  int64_t thousandths;   /* the given score, in thousandths of a point */
  const char *file;      /* NULL: none was given */
  cla_path path;
} cli_lower_bound;

/* The parse function of an option whose destination is a cli_lower_bound. If a file named like the value
 * exists, the value is a file, even if it is a word or number. */
cla_status cli_parse_lower_bound(const cli_option *option, const char *value, cla_error *error);

/* Completes the bound: reads the given file, or converts the score to the scheme's units. The sequences must
 * have been read, and `how` must have the strand and the scoring. CLA_ERROR_OPTION, and the errors of
 * cla_path_read. */
cla_status cli_lower_bound_settle(cli_lower_bound *given, const cla_sequence *query,
                                  const cla_sequence *target, const cla_align_options *how, cla_error *error);

#endif
