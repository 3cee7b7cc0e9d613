/* clalign verify: checks a saved alignment against its sequences. */

#include <inttypes.h>
#include <stdio.h>

#include "cli/commands/command.h"
#include "cli/commands/saved_alignment.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

static cli_option options[] = {{.name = NULL}};

static const cli_example examples[] = {
    {"clalign verify ab.cla a.fa b.fa", "OK and the score, or exit code 5 and what does not fit"},
    {NULL, NULL},
};

const cli_syntax verify_syntax = {
    .command = "verify",
    .positionals = "FILE.cla QUERY TARGET",
    .purpose = "Re-scores a saved alignment letter by letter and compares lengths and checksums.",
    .notes = "Exit code 5 says that the alignment does not fit.",
    .examples = examples,
    .options = options,
    .least_positionals = 3,
    .most_positionals = 3,
};

static void print_side(const cla_side *side, bool has_path) {
  int64_t start, stop;
  cli_print_name(stdout, side->name);
  cla_side_positions(side, &start, &stop);
  if (has_path) printf(":%" PRId64 "-%" PRId64, start, stop);
}

static void print_verified(const cla_alignment *alignment) {
  char score[CLA_SCORE_TEXT_SIZE];
  cla_score_text(score, alignment->score, &alignment->scoring);
  printf("OK score %s, ", score);
  print_side(&alignment->query, alignment->has_path);
  fputs(alignment->has_path && alignment->strand == CLA_STRAND_REVERSE ? " reverse x " : " x ", stdout);
  print_side(&alignment->target, alignment->has_path);
  puts(alignment->has_path ? "" : ", checksums only: it was saved without its path");
}

static cla_status verify(const cli_arguments *arguments, cla_error *error) {
  saved_alignment saved = {0};
  cla_status status = saved_alignment_load(&saved, arguments->positionals[0], error);
  if (status != CLA_OK) goto done;
  status = saved_alignment_read(&saved, arguments->positionals[1], arguments->positionals[2], false, error);
  if (status == CLA_OK) status = saved_alignment_verify(&saved, error);
  if (status != CLA_OK) goto done;
  for (size_t i = 0; i < saved.count; i++) print_verified(saved.items[i]);
  status = cli_flush_stdout(error);
done:
  saved_alignment_free(&saved);
  return status;
}

int cmd_verify(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cli_arguments parsed;
  int code;
  if (!cli_begin(&parsed, &verify_syntax, count, arguments, &code)) return code;
  return cli_finish(verify(&parsed, &error), &error);
}
