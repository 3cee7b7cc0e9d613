/* clalign lift: converts annotations of one genome to the positions of another. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clalign/lift.h"
#include "cli/commands/command.h"
#include "cli/options/options.h"
#include "cli/report/outputs.h"
#include "cli/report/report.h"

static const char *const format_words[] = {"bed", "gff3", "gtf", NULL};

static cla_lift_job job = {.min_match = CLA_LIFT_MIN_MATCH};
static int32_t bed_columns;
static bool reverse, quiet;

/* clang-format off */
static cli_option options[] = {
    {.name = "output", .letters = "o", .argument = "FILE", CLI_TEXT(job.output),
     .description = "where lifted features go, in the format of X; a name ending in .gz is compressed", .default_text = "standard output"},
    {.name = "unlifted", .argument = "FILE", CLI_TEXT(job.unlifted),
     .description = "where the other features go, each behind a line '# WHY'"},
    {.name = "reverse", CLI_FLAG(reverse),
     .description = "X is of the query, and is lifted to the target"},
    {.name = "min-match", .argument = "PART", .parse = cli_parse_real, .destination = &job.min_match, .maximum = 1,
     .description = "part of a feature's letters that one alignment must pair", .default_text = "0.95, as liftOver's"},
    {.name = "format", .argument = "FORMAT", .parse = cli_parse_word, .words = format_words, .destination = &job.format,
     .description = "format of X: bed, gff3 or gtf", .default_text = "by its name"},
    {.name = "bed-columns", .argument = "N", .parse = cli_parse_int32, .destination = &bed_columns, .minimum = 3, .maximum = 12,
     .description = "the first N columns are those of BED, others stay as they are", .default_text = "as many as fit"},
    {.name = "quiet", .letters = "q", CLI_FLAG(quiet), .description = "no summary on stderr"},
    {.name = NULL},
};
/* clang-format on */

static const cli_example examples[] = {
    {"clalign lift -o new.gff3 --unlifted lost.gff3 old.gff3 new-old.cla",
     "genes of old.fa, after 'clalign align --preset genome --save new-old.cla new.fa old.fa'"},
    {"clalign lift --reverse -o old.bed new.bed new-old.cla", "the other way: from new.fa to old.fa"},
    {"clalign lift -o hg38.bed.gz hg19.bed.gz hg19ToHg38.over.chain.gz", "UCSC's chains"},
    {NULL, NULL},
};

static const cli_syntax lift_syntax = {
    .command = "lift",
    .positionals = "X ALIGNMENT",
    .purpose = "Lifts annotations along an alignment, from its target to its query.",
    .notes =
        "X is BED, GFF3 or GTF. ALIGNMENT is a .cla file, a chain file, PAF with the tag cg or cs, SAM, BAM, "
        "MAF of two lines a block, or nucmer's delta. As with liftOver, X has positions "
        "of the alignment's target, which is the second sequence of 'clalign align QUERY TARGET', and the "
        "result "
        "has those of its query.\n\n"
        "Children of GFF3 and GTF go where their parents go, or are not lifted.",
    .examples = examples,
    .options = options,
    .least_positionals = 2,
    .most_positionals = 2,
};

static cla_status check_output(const char *option, const char *path, const cli_arguments *arguments,
                               cla_error *error) {
  if (!path) return CLA_OK;
  for (int i = 0; i < arguments->count; i++)
    if (output_same_file(path, arguments->positionals[i]))
      return cli_error(error, CLA_ERROR_OPTION, "--%s would replace %s, which is read; give another name",
                       option, path);
  return output_path_check(path, error);
}

static cla_status settle(const cli_arguments *arguments, cla_error *error) {
  cla_status status = CLA_OK;
  job.path = arguments->positionals[0];
  job.file = stdout;
  job.bed_columns = bed_columns;
  if (strcmp(job.path, "-") == 0 && strcmp(arguments->positionals[1], "-") == 0)
    return cli_error(error, CLA_ERROR_OPTION, "the standard input is either X or ALIGNMENT; give one a file");
  if (!cli_option_given(options, "format")) status = cla_annotation_of_file(&job.format, job.path, error);
  if (status == CLA_OK && bed_columns > 0 && job.format != CLA_ANNOTATION_BED)
    status = cli_error(error, CLA_ERROR_OPTION, "--bed-columns is of BED; leave it out");
  if (status == CLA_OK) status = check_output("output", job.output, arguments, error);
  if (status == CLA_OK) status = check_output("unlifted", job.unlifted, arguments, error);
  if (status == CLA_OK && job.output && job.unlifted && output_same_file(job.output, job.unlifted))
    status =
        cli_error(error, CLA_ERROR_OPTION, "--output and --unlifted are both %s; give two files", job.output);
  return status;
}

/* Prints the number of features that were lost, by reason: "3 deleted, 2 split". */
static void print_fates(const cla_lift_counts *counts) {
  const char *comma = "  lost     ";
  for (int fate = CLA_LIFT_NOWHERE; fate < CLA_LIFT_FATES; fate++) {
    if (counts->fates[fate] == 0) continue;
    fprintf(stderr, "%s%" PRId64 " %s", comma, counts->fates[fate], cla_lift_fate_name((cla_lift_fate)fate));
    comma = ", ";
  }
  if (counts->features > counts->fates[CLA_LIFT_DONE]) fputc('\n', stderr);
}

static void print_summary(const cla_lift_counts *counts) {
  fprintf(stderr, "  lifted   %" PRId64 " of %" PRId64 " features, from %s\n", counts->fates[CLA_LIFT_DONE],
          counts->features, reverse ? "the query to the target" : "the target to the query");
  print_fates(counts);
  if (counts->incomplete > 0)
    fprintf(stderr, "  children %" PRId64 " lifted features miss some of theirs\n", counts->incomplete);
  if (counts->letters) fputs("  letters  left out: ##FASTA has those of the other genome\n", stderr);
}

static cla_status lift(command_call *call, cla_error *error) {
  cla_lift *map = NULL;
  cla_lift_counts counts;
  cla_status status = settle(call->parsed, error);
  if (status == CLA_OK) status = cla_lift_open(&map, call->parsed->positionals[1], reverse, error);
  if (status == CLA_OK) {
    if (job.output || job.unlifted) {
      interrupt_defer(); /* output files are either finished or removed */
      job.interrupted = interrupt_requested;
    }
    status = cla_lift_file(&counts, map, &job, error);
  }
  if (status == CLA_ERROR_OUTPUT && !job.output) cli_end_if_reader_gone();
  if (status == CLA_OK && !quiet) print_summary(&counts);
  cla_lift_close(map);
  return status;
}

const command lift_command = {
    .syntax = &lift_syntax, .purpose = "lift annotations from one sequence to the other", .run = lift};
