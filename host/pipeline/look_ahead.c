/* The plan of a run that is not made: printed, or as a prediction. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "pipeline/circular.h"
#include "pipeline/predict.h"
#include "pipeline/strand_run.h"
#include "plan/explain.h"

/* All that is known before anything is computed; ends with strand_run_free, also after an error. */
static cla_status look_ahead(strand_run *r, const cla_device *device, const cla_sequence *query,
                             const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  const cla_sequence *strand = NULL;
  cla_status status = strand_run_check(r, &strand, query, target, options, error);
  if (status == CLA_OK) status = circular_plan_check(strand, target, options, error);
  if (status == CLA_OK) status = strand_run_plan(r, cla_device_describe(device), strand, target, error);
  return status == CLA_OK ? strand_run_bound(r, error) : status;
}

cla_status strand_run_explain(char **out, const strand_run *r, cla_error *error) {
  char *whole = NULL, *team = NULL;
  *out = NULL;
  cla_status status = plan_explain(&whole, &r->plan, &r->input, error);
  if (status == CLA_OK) status = device_team_explain(&team, &r->team, error);
  if (status == CLA_OK && asprintf(out, "%s%s", whole, team) < 0) {
    *out = NULL;
    status = error_set(error, CLA_ERROR_MEMORY, "cannot allocate the text of a plan; free some memory");
  }
  free(whole);
  free(team);
  return status;
}

cla_status cla_explain(char **out, const cla_device *device, const cla_sequence *query,
                       const cla_sequence *target, const cla_align_options *options, cla_error *error) {
  strand_run r = {0};
  *out = NULL;
  cla_status status = look_ahead(&r, device, query, target, options, error);
  /* The call's own device comes first, and is only looked at. */
  if (status == CLA_OK)
    status = device_team_plan(&r.team, (cla_device *)device, &r.input, &r.plan, options, NULL, error);
  device_team_predict(&r.plan, &r.team);
  if (status == CLA_OK) status = strand_run_explain(out, &r, error);
  strand_run_free(&r);
  return status;
}

cla_status pipeline_predict_strand(cla_prediction *out, strand_rival *rival, const cla_device *device,
                                   const cla_sequence *query, const cla_sequence *target,
                                   const cla_align_options *options, cla_error *error) {
  strand_run r = {.rival = rival};
  cla_align_options alone = *options;
  memset(out, 0, sizeof *out);
  alone.partner_count = 0;
  cla_status status = look_ahead(&r, device, query, target, &alone, error);
  if (status == CLA_OK) status = prediction_make(out, &r.plan, &r.input, error);
  out->bound_seconds = r.bound.seconds;
  const bool known = r.bound.source != LOWER_BOUND_NONE;
  if (known && (!rival->given || r.bound.score >= rival->least))
    *rival = (strand_rival){.given = true, .least = r.bound.score + 1};
  strand_run_free(&r);
  return status;
}
