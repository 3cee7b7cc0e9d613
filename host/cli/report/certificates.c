#include "cli/report/certificates.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/align_options.h"
#include "cli/report/report.h"

/* Numbers of alignments up to this logarithm are printed in full. */
#define FULL_LOG10 6

cla_status cli_parse_certify(const cli_option *option, const char *value, cla_error *error) {
  cli_certify *certify = option->destination;
  cli_option number = *option;
  number.destination = &certify->delta;
  number.maximum = 1 << 28;
  certify->wanted = true;
  certify->delta = -1;
  return strcmp(value, option->alone) == 0 ? CLA_OK : cli_parse_thousandths(&number, value, error);
}

cla_status cli_parse_displacements(const cli_option *option, const char *value, cla_error *error) {
  cli_certify *certify = option->destination;
  for (const char *at = value; certify->displacement_count < DISPLACEMENTS_MOST; at++) {
    char *end;
    const long long number = strtoll(at, &end, 10);
    if (end == at || (*end && *end != ',') || number < 1 || number > INT64_MAX / 4 || *at == '+') break;
    certify->displacements[certify->displacement_count++] = number;
    if (!*end) return CLA_OK;
    at = end;
  }
  return cli_error(error, CLA_ERROR_OPTION,
                   "--%s takes 1 to %d numbers of diagonals from 1 on, with commas between, not '%s'",
                   option->name, DISPLACEMENTS_MOST, value);
}

cla_status cli_parse_graph(const cli_option *option, const char *value, cla_error *error) {
  cli_certify *certify = option->destination;
  const char *colon = strrchr(value, ':');
  const bool numbered = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
  const size_t length = numbered ? (size_t)(colon - value) : strlen(value);
  if (length == 0 || length >= sizeof certify->graph || (numbered && strlen(colon + 1) > 18))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s takes the name of a file, and :BLOCK behind it, not '%.256s'", option->name,
                     value);
  memcpy(certify->graph, value, length);
  certify->graph[length] = '\0';
  certify->graph_block = numbered ? strtoll(colon + 1, NULL, 10) : 1;
  return CLA_OK;
}

/* Returns the error that margins are not known up to --mask-below. `most` is the largest known one, in the
 * scheme's units. */
static cla_status mask_unknown(int64_t mask_below, int64_t most, const cla_scoring *scoring,
                               cla_error *error) {
  char asked[CLA_SCORE_TEXT_SIZE], known[CLA_SCORE_TEXT_SIZE];
  cla_score_text(asked, mask_below, scoring);
  cla_score_text(known, most, scoring);
  return cli_error(error, CLA_ERROR_OPTION,
                   "--mask-below %s is above the margins that --certify finds, which are at most %s; give "
                   "--certify=%s",
                   asked, known, asked);
}

cla_status cli_certify_check(const cli_certify *certify, cla_error *error) {
  static const cla_scoring thousandths = {.units = CLA_UNITS_LIMIT};
  const char *without = certify->displacement_count > 0 ? "displacement"
                        : certify->mask_below > 0       ? "mask-below"
                        : certify->optimal_most > 0     ? "optimal"
                        : certify->stable               ? "stable"
                        : certify->plane.path_count > 0 ? "stable-plot"
                        : certify->graph[0]             ? "graph"
                                                        : NULL;
  if (certify->wanted && certify->graph[0]) {
    const cla_status checked = output_path_check(certify->graph, error);
    if (checked != CLA_OK) return checked;
  }
  if (without && !certify->wanted)
    return cli_error(error, CLA_ERROR_OPTION, "--%s is a part of --certify; give both", without);
  cla_status status = cli_plane_check(&certify->plane, error);
  if (status != CLA_OK) return status;
  const bool known = certify->delta < 0 || certify->mask_below <= certify->delta + CLA_UNITS_LIMIT;
  return known ? CLA_OK : mask_unknown(certify->mask_below, certify->delta, &thousandths, error);
}

void cli_certify_set_outputs(cli_outputs *outputs, const cli_certify *certify) {
  outputs->how.certified = certify->wanted;
  outputs->how.mask_below = certify->mask_below;
  outputs->graph = certify->graph;
  memcpy(outputs->planes, certify->plane.paths, sizeof outputs->planes);
  outputs->plane_count = certify->plane.path_count;
  outputs->listed = certify->optimal_most > 0;
}

static bool may_go_on(const cla_progress *progress, void *user) {
  (void)progress;
  (void)user;
  return !interrupt_requested();
}

cla_status cli_certify_check_mask(const cli_certify *certify, const cla_certificate *certificate,
                                  const cla_alignment *alignment, cla_error *error) {
  int64_t mask_below = 0;
  const int64_t most = certificate->delta + 1;
  cla_status status =
      cli_scoring_units(&mask_below, certify->mask_below, &alignment->scoring, "mask-below", error);
  /* A local alignment loses at most its score, because the empty one scores 0. */
  if (status != CLA_OK || most >= mask_below || most == alignment->score) return status;
  return mask_unknown(mask_below, certificate->delta, &alignment->scoring, error);
}

/* Returns the largest score of a pair of letters, at least 0. */
static int32_t largest_score(const cla_scoring *scoring) {
  int32_t most = scoring->matrix_size > 0 ? 0 : scoring->match;
  for (int i = 0; i < scoring->matrix_size; i++)
    for (int j = 0; j < scoring->matrix_size; j++) {
      const int32_t score = scoring->matrix[i * CLA_MATRIX_STRIDE + j];
      if (score > most) most = score;
    }
  return most;
}

cla_status cli_certify_check_scheme(const cli_certify *certify, const cla_scoring *scoring,
                                    cla_error *error) {
  const int64_t most = largest_score(scoring) + 2 * (int64_t)scoring->gap_first;
  int64_t mask_below = 0;
  if (!certify->wanted || certify->delta >= 0) return CLA_OK;
  cla_status status = cli_scoring_units(&mask_below, certify->mask_below, scoring, "mask-below", error);
  return status != CLA_OK || mask_below <= most + 1 ? status : mask_unknown(mask_below, most, scoring, error);
}

cla_status cli_certify_options(cla_certify_options *out, const cli_certify *certify,
                               const cla_budgets *budgets, const cla_scoring *scoring, progress_bar *bar,
                               cla_error *error) {
  cla_certify_options_init(out);
  out->displacements = certify->displacements;
  out->displacement_count = certify->displacement_count;
  out->optimal_most = certify->optimal_most;
  out->threads = budgets->threads;
  out->memory_bytes = budgets->memory_bytes;
  out->progress = bar ? progress_bar_update : may_go_on;
  out->progress_user = bar;
  return certify->delta < 0 ? CLA_OK
                            : cli_scoring_units(&out->delta, certify->delta, scoring, "certify", error);
}

static cla_status find_stability(cla_certificate *to, const cla_results *found, size_t index,
                                 const certify_means *means, cla_error *error) {
  to->stability = malloc(sizeof *to->stability);
  if (!to->stability)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for ranges of scores; free some memory");
  const cla_results pair = {
      .alignments = &found->alignments[index], .count = 1, .query = found->query, .target = found->target};
  return cla_stability_find(to->stability, means->device, &pair, means->align, error);
}

cla_status cli_certify_results(cla_results *found, const cli_certify *certify, const certify_means *means,
                               cla_error *error) {
  progress_bar *bar = means->bar;
  cla_certify_options options;
  cla_status status = CLA_OK;
  if (!certify->wanted || found->count == 0) return CLA_OK;
  if (certify->optimal_most > 0 && found->count > 1)
    return cli_error(
        error, CLA_ERROR_OPTION,
        "--optimal lists what is as good as one alignment, and there are %zu; leave it out, or save "
        "one alone",
        found->count);
  if (certify->graph[0] && found->count > 1)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--graph draws a block of one alignment, and there are %zu; save one alone",
                     found->count);
  /* The listed alignments behind the first have no certificates. */
  cla_certificate **made = calloc(found->count + (size_t)certify->optimal_most, sizeof *made);
  if (!made) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for certificates; free some memory");
  found->certificates = (const cla_certificate *const *)made;
  for (size_t i = 0; i < found->count && status == CLA_OK; i++) {
    const cla_alignment *alignment = found->alignments[i];
    if (alignment->has_path && alignment->run_count == 0) continue;
    status = cli_certify_options(&options, certify, &means->budgets, &alignment->scoring, bar, error);
    if (certify->graph[0]) options.graph = certify->graph;
    options.graph_block = certify->graph_block - 1;
    if (status == CLA_OK)
      status = cla_certify(&made[i], alignment, found->query, found->target, &options, error);
    if (status == CLA_OK) status = cli_certify_check_mask(certify, made[i], alignment, error);
    if (status == CLA_OK && certify->stable) status = find_stability(made[i], found, i, means, error);
  }
  if (bar) progress_bar_clear(bar);
  return status;
}

void cli_certificates_free(cla_results *found) {
  cla_certificate **made = (cla_certificate **)found->certificates;
  for (size_t i = 0; made && i < found->count; i++) cla_certificate_free(made[i]);
  free(made);
  found->certificates = NULL;
}

cla_results cli_certify_listed(const cla_results *found, const cli_certify *certify) {
  cla_results listed = *found;
  if (certify->optimal_most == 0 || found->count == 0) return listed;
  listed.alignments = (const cla_alignment *const *)found->certificates[0]->optimal;
  listed.count = (size_t)found->certificates[0]->optimal_count;
  return listed;
}

static void print_number(FILE *out, double log10_number) {
  if (log10_number < FULL_LOG10)
    fprintf(out, "%.0f", pow(10, log10_number));
  else
    fprintf(out, "10^%.1f", log10_number);
}

static void print_blocks(FILE *out, const cla_certificate *certificate) {
  int64_t shifts = 0, longest = 0, at = 0;
  for (int64_t i = 0; i < certificate->block_count; i++) {
    const cla_ambiguous_block *block = &certificate->blocks[i];
    const int64_t query = block->query_stop - block->query_start,
                  target = block->target_stop - block->target_start;
    const int64_t letters = query > target ? query : target;
    shifts += block->kind == CLA_AMBIGUITY_SHIFT;
    if (letters <= longest) continue;
    longest = letters;
    at = i;
  }
  fprintf(out,
          "  elsewhere %" PRId64 " gaps can move over equal letters, %" PRId64
          " parts have other alignments; the longest part is at target letters %" PRId64 " to %" PRId64 "\n",
          shifts, certificate->block_count - shifts, certificate->blocks[at].target_start + 1,
          certificate->blocks[at].target_stop);
}

static void print_displacement(FILE *out, const cla_certificate *certificate,
                               const cla_displacement *displacement, const cla_scoring *scoring) {
  int64_t least = INT64_MAX, close = 0;
  char text[CLA_SCORE_TEXT_SIZE];
  for (int64_t i = 0; i < certificate->column_count; i++) {
    const int64_t margin = displacement->margins[i];
    if (margin < least) least = margin;
    close += margin <= certificate->delta;
  }
  cla_score_text(text, least < certificate->delta ? least : certificate->delta, scoring);
  fprintf(out, "  beyond   %" PRId64 " diagonals: ", displacement->diagonals);
  if (close == 0)
    fprintf(out, "more than %s points are lost everywhere\n", text);
  else
    fprintf(out, "for %.3g %% of the columns no more than %" PRId64 " are lost, at the least %s\n",
            100.0 * (double)close / (double)certificate->column_count, certificate->delta, text);
}

/* Prints a value in points, exactly. */
static void print_value(FILE *out, const cla_stable_end *end, const cla_scoring *scoring) {
  cla_scoring parts = {0};
  char text[CLA_SCORE_TEXT_SIZE];
  const int64_t one = end->one * (scoring->units > 0 ? scoring->units : 1);
  if (!end->exact) fprintf(out, "about ");
  if (CLA_UNITS_LIMIT % one == 0) {
    parts.units = (int32_t)one;
    cla_score_text(text, end->number, &parts);
    fprintf(out, "%s", text);
  } else {
    int64_t a = end->number < 0 ? -end->number : end->number, b = one;
    while (b != 0) {
      const int64_t rest = a % b;
      a = b;
      b = rest;
    }
    fprintf(out, "%" PRId64 "/%" PRId64, end->number / a, one / a);
  }
}

static void print_range(FILE *out, const cla_stable_range *range, const cla_scoring *scoring) {
  const bool is_one = range->low.number == range->high.number && range->low.one == range->high.one;
  if (range->low.limit && range->high.limit) {
    fprintf(out, "any");
    return;
  }
  fprintf(out, "%s", range->low.limit ? "up to " : range->high.limit ? "from " : "");
  if (!range->low.limit) print_value(out, &range->low, scoring);
  fprintf(out, "%s", range->high.limit ? " on" : range->low.limit ? "" : is_one ? " only" : " to ");
  if (!range->high.limit && !is_one) print_value(out, &range->high, scoring);
}

static void print_stability(FILE *out, const cla_stability *stability, const cla_scoring *scoring) {
  const char *before = "  stable   the best, too, with";
  for (int cost = 0; cost < CLA_COST_COUNT; cost++) {
    if (!stability->ranges[cost].varies) continue;
    fprintf(out, "%s %s ", before, cla_cost_name((cla_cost)cost));
    print_range(out, &stability->ranges[cost], scoring);
    before = "; or";
  }
  fputc('\n', out);
}

void cli_certificate_print(FILE *out, const cla_certificate *certificate, const cla_alignment *alignment) {
  const double share = 100.0 * (double)(certificate->column_count - certificate->ambiguous) /
                       (double)certificate->column_count;
  if (certificate->unique) {
    fprintf(out, "  certain  all columns: this is the only alignment with this score\n");
  } else {
    fprintf(out, "  certain  %.5g %% of the columns are in all of the ", share);
    print_number(out, certificate->log10_alignments);
    fprintf(out, " alignments with this score, %" PRId64 " columns are not\n", certificate->ambiguous);
    print_blocks(out, certificate);
  }
  if (certificate->optimal_count > 0)
    fprintf(out, "  written  %" PRId64 " alignments with this score%s\n", certificate->optimal_count,
            certificate->optimal_all ? ", which are all" : "; there are more");
  if (certificate->stability) print_stability(out, certificate->stability, &alignment->scoring);
  for (int64_t i = 0; i < certificate->displacement_count; i++)
    print_displacement(out, certificate, &certificate->displacements[i], &alignment->scoring);
}
