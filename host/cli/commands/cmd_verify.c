/* clalign verify: checks a saved alignment against its sequences. */

#include <inttypes.h>
#include <stdio.h>

#include "cli/commands/command.h"
#include "cli/commands/saved_alignment.h"
#include "cli/options/options.h"
#include "cli/report/certificates.h"
#include "cli/report/report.h"

static cli_certify certify;

static cli_option options[] = {
    CLI_CERTIFY_MARGIN_OPTIONS(certify),
    {.name = NULL},
};

static const cli_example examples[] = {
    {"clalign verify ab.cla a.fa b.fa", "OK and the score, or exit code 5 and what does not fit"},
    {"clalign verify --certify ab.cla a.fa b.fa",
     "also that no alignment is better, and how much of it is certain"},
    {NULL, NULL},
};

static const cli_syntax verify_syntax = {
    .command = "verify",
    .positionals = "FILE.cla QUERY TARGET",
    .purpose = "Re-scores a saved alignment letter by letter and compares lengths and checksums.",
    .notes =
        "Exit code 5 says that the alignment does not fit, or with --certify that it is not the best one.",
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

/* Proves on the host that no alignment is better, if that is asked. The caller frees the certificates. */
static cla_status certify_all(cla_results *found, const saved_alignment *saved, cla_error *error) {
  if (!certify.wanted) return CLA_OK;
  if (!saved_alignment_has_path(saved))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--certify is for an alignment, and %.1024s holds a score alone; leave it out",
                     saved->path);
  interrupt_defer();
  cla_error reason;
  const cla_status status = cli_certify_results(found, &certify, &(certify_means){0}, &reason);
  return status == CLA_OK ? CLA_OK : cli_error(error, status, "%s: %.1900s", saved->path, reason.message);
}

static cla_status verify(command_call *call, cla_error *error) {
  saved_alignment saved = {0};
  cla_results found = {0};
  cla_status status = cli_certify_check(&certify, error);
  if (status == CLA_OK) status = saved_alignment_load(&saved, call->parsed->positionals[0], error);
  if (status == CLA_OK)
    status = saved_alignment_read(&saved, call->parsed->positionals[1], call->parsed->positionals[2], false,
                                  error);
  if (status == CLA_OK) status = saved_alignment_verify(&saved, error);
  if (status == CLA_OK) {
    found = (cla_results){.alignments = saved_alignment_list(&saved),
                          .count = saved.count,
                          .query = saved.query,
                          .target = saved.target};
    status = certify_all(&found, &saved, error);
  }
  for (size_t i = 0; i < saved.count && status == CLA_OK; i++) {
    print_verified(saved.items[i]);
    if (found.certificates && found.certificates[i])
      cli_certificate_print(stdout, found.certificates[i], saved.items[i]);
  }
  if (status == CLA_OK) status = cli_flush_stdout(error);
  cli_certificates_free(&found);
  saved_alignment_free(&saved);
  return status;
}

const command verify_command = {
    .syntax = &verify_syntax, .purpose = "re-score a saved alignment against its sequences", .run = verify};
