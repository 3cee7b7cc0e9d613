/* The plan and the lower bound of a run. */

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "pipeline/kept_matrix.h"
#include "pipeline/pipeline_internal.h"
#include "pipeline/strand_internal.h"
#include "result/alignment.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

cla_status strand_work_turn(strand_work *r, cla_error *error) {
  const cla_align_options *options = r->job->options;
  r->sweep.options = r->sweep.progress.options = options;
  r->aligned = *r->job;
  if (options->strand == CLA_STRAND_FORWARD) return CLA_OK;
  cla_status status = sequence_reverse_complement(&r->turned, r->job->query, error);
  r->aligned.query = r->turned;
  return status == CLA_OK ? pair_letters_check(&options->scoring, r->turned, r->job->target, error) : status;
}

cla_status strand_work_plan(strand_work *r, const cla_device_info *device, cla_error *error) {
  const cla_align_options *options = r->job->options;
  const cla_sequence *strand = r->aligned.query, *target = r->aligned.target;
  sweep_work *s = &r->sweep;
  s->on_disk = options->run.directory != NULL;
  r->query_begin = cla_sequence_begin(strand);
  r->target_begin = cla_sequence_begin(target);
  const int64_t letters[] = {sequence_range_letters(strand), sequence_range_letters(target)};
  cla_status status = align_input_make(&s->input, &s->table, device, letters, options, error);
  if (r->job->late) s->input.tuning = r->job->late->tuning;
  s->input.alphabet = cla_sequence_alphabet(strand);
  s->input.reverse = options->strand == CLA_STRAND_REVERSE;
  s->problem = pair_problem_of(strand, target, (path_scheme){&options->scoring, &s->table, s->input.ends});
  if (status == CLA_OK) pair_letters_table(&s->table, &options->scoring, strand, target);
  if (status == CLA_OK && r->job->rest && r->job->rest->used)
    score_table_use(&s->table, &options->scoring, r->job->rest->used);
  return status == CLA_OK ? plan_make(&s->plan, &s->input, error) : status;
}

cla_status strand_work_team(strand_work *r, cla_error *error) {
  sweep_work *s = &r->sweep;
  const sweep_peers *peers = align_peers(s->options)->sweep;
  const char *why;
  const int processes = peers->share(&why, s->options, s->input.rows, s->input.columns, &s->plan);
  const team_request wanted = {.input = &s->input,
                               .first = &s->plan,
                               .options = s->options,
                               .adjust = r->job->adjust,
                               .shared = processes > 1};
  cla_status status = device_team_plan(&s->team, align_job_device(r->job), &wanted, error);
  if (status == CLA_OK) device_team_predict(&s->plan, &s->team);
  s->team.alone = why;
  return status;
}

/* Prints the use of the bounds, or why no bounds are made. */
static void explain_use(FILE *text, const strand_work *r) {
  const char *hindrance = strand_band_hindrance(r);
  fprintf(text, "bounds     ");
  if (r->potential)
    fprintf(text, "leave at most %.3g %% of the cells, for a band on the host%s\n",
            100.0 * (double)potential_area(r->potential) / (double)r->sweep.input.rows /
                (double)r->sweep.input.columns,
            align_job_device(r->job) ? ": no device sweeps, and the lines above are of a sweep without them"
                                     : "");
  else if (r->sweep.windows.count > 0)
    fprintf(text, "windows of the sweep, %.3g %% of the cells\n", 100.0 * r->sweep.input.windows.share);
  else if (r->levels.count > 0)
    fprintf(text, "of no use: a sweep without them is expected to take less time\n");
  else if (hindrance)
    fprintf(text, "none: %s\n", hindrance);
  else
    fprintf(text, "are made as the pair is aligned: the time above is of a sweep without them\n");
}

/* Prints a level's line: what remained after the level and how long it took, or why it was skipped. */
static void explain_level(FILE *text, const cla_bound_level *level) {
  static const char *const ends[] = {[CLA_LEVEL_UNLIKE] = "the sequences are too unlike for it",
                                     [CLA_LEVEL_TIME] = "it takes longer than it spares",
                                     [CLA_LEVEL_MEMORY] = "it takes too much memory",
                                     [CLA_LEVEL_ENOUGH] = "it would leave hardly less"};
  fprintf(text, "  %-8s by %s", work_level_size_name(level->size), level->edits ? "edits" : "seeds");
  if (level->end == CLA_LEVEL_RAN)
    fprintf(text, ": leaves %.3g %% of the matrix", 100 * level->left);
  else
    fprintf(text, ": left out, %s", ends[level->end]);
  if (level->seconds > 0) fprintf(text, "; %.3g cells in %.3g s", (double)level->cells, level->seconds);
  if (level->exact_cells > 0)
    fprintf(text, ", of these %.3g exactly in unlike stretches", (double)level->exact_cells);
  fputc('\n', text);
}

/* Prints the predicted time of each way, the choice and its reason, and the rates used for the choice. */
static void explain_ways(FILE *text, const strand_work *r) {
  const ways_input in = strand_band_ways(r);
  const way_seconds *ways = &r->ways;
  tuning_rates rates;
  char from[1280], chosen[128];
  fprintf(text, "  expected to take: a band %.2g s%s, windows %.2g s, a sweep without bounds %.2g s\n",
          ways->band, ways->parts != 1 || in.threads == 1 ? "" : " on one thread", ways->windows,
          ways->sweep);
  tuning_rates_find(&rates, from, sizeof from, r->sweep.input.tuning, r->sweep.input.device->kind);
  ways_describe(chosen, ways, &in);
  fprintf(text, "  chosen: %s\n  rates: %s%s\n", chosen, from,
          align_job_device(r->job) ? "" : ", as no record is read before a device is open");
}

/* Returns a text about the bounds, which the caller frees; NULL: out of memory. */
static char *explain_bounds(const strand_work *r) {
  size_t size = 0;
  char *buffer = NULL;
  FILE *text = open_memstream(&buffer, &size);
  if (!text) return NULL;
  explain_use(text, r);
  for (int i = 0; i < r->levels.count; i++) explain_level(text, &r->levels.at[i]);
  if (r->ways.known) explain_ways(text, r);
  if (fclose(text) == 0) return buffer;
  free(buffer);
  return NULL;
}

cla_status strand_work_explain(char **out, const strand_work *r, cla_error *error) {
  const plan_input *input = &r->sweep.input;
  const bool device = align_job_device(r->job) != NULL;
  char *whole = NULL, *team = NULL, *bounds = explain_bounds(r);
  const char *alone = r->sweep.team.alone ? r->sweep.team.alone : "";
  *out = NULL;
  cla_status status =
      device ? plan_explain(&whole, &r->sweep.plan, input, error)
             : plan_explain_host(&whole, input,
                                 "the host computes what bounds leave sooner than a driver opens", error);
  if (status == CLA_OK && device) status = device_team_explain(&team, &r->sweep.team, error);
  if (status == CLA_OK &&
      (!bounds || asprintf(out, "%s%s%s%s", whole, team ? team : "", alone, bounds) < 0)) {
    *out = NULL;
    status = error_set(error, CLA_ERROR_MEMORY, "cannot allocate the text of a plan; free some memory");
  }
  free(whole);
  free(team);
  free(bounds);
  return status;
}

void strand_work_free(strand_work *r) {
  if (r->sweep.team.count > 0)
    device_team_free(&r->sweep.team); /* also frees all engines */
  else
    wavefront_free(r->sweep.engine);
  if (!r->keeps || r->sweep.kept != r->job->rest->matrix->rows) special_rows_free(r->sweep.kept);
  work_notes_free(r->sweep.notes);
  path_claims_free(&r->claims);
  lower_bound_free(&r->bound);
  strand_band_free(r);
  cla_sequence_free(r->turned);
}
