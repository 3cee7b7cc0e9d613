#include "search/measurement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const outcome_words[] = {"done", "build-failed", "refused", "wrong", "bad-request"};
#define OUTCOME_WORDS ((int)(sizeof outcome_words / sizeof outcome_words[0]))

void measurement_print_request(char line[MEASUREMENT_LINE_SIZE], const measurement_request *request) {
  const kernel_config *config = &request->config;
  snprintf(line, MEASUREMENT_LINE_SIZE,
           "measure %s %" PRId64 " %" PRId64 " %" PRId64 " %d %.17g %s %d %d %" PRId64 " %s %d",
           request->local ? "local" : "global", request->length, request->rows, request->columns,
           request->repeats, request->seconds, config->variant->name, config->lanes, config->alpha,
           config->tile_columns, config->launch == KERNEL_PERSISTENT ? "persistent" : "diagonals",
           config->groups);
}

/* The lines were written by the tuner or its worker, so no number in them is out of range.
 * NOLINTBEGIN(cert-err34-c) */
bool measurement_parse_request(measurement_request *out, const char *line) {
  char mode[16], variant[64], launch[16];
  memset(out, 0, sizeof *out);
  kernel_config *config = &out->config;
  const int found =
      sscanf(line, "measure %15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %lf %63s %d %d %" SCNd64 " %15s %d",
             mode, &out->length, &out->rows, &out->columns, &out->repeats, &out->seconds, variant,
             &config->lanes, &config->alpha, &config->tile_columns, launch, &config->groups);
  if (found != 12) return false;
  config->variant = kernel_find(variant);
  config->launch = strcmp(launch, "persistent") == 0 ? KERNEL_PERSISTENT : KERNEL_DIAGONALS;
  out->local = strcmp(mode, "local") == 0;
  return config->variant && out->rows >= 1 && out->columns >= 1 && out->repeats >= 1 && config->lanes >= 1 &&
         config->alpha >= 1 && config->tile_columns >= 1 && (out->local || strcmp(mode, "global") == 0) &&
         (config->launch == KERNEL_PERSISTENT || strcmp(launch, "diagonals") == 0);
}

void measurement_print(char *line, size_t size, const measurement *answer) {
  const char *word = outcome_words[answer->outcome < OUTCOME_WORDS ? answer->outcome : MEASUREMENT_REFUSED];
  snprintf(line, size, "%s %.17g %016" PRIx64 " %s", word, answer->seconds, answer->result, answer->message);
  for (char *letter = line; *letter; letter++) /* a build log has several lines */
    if ((unsigned char)*letter < ' ') *letter = ' ';
}

bool measurement_parse(measurement *out, const char *line) {
  char word[32];
  int used = 0;
  memset(out, 0, sizeof *out);
  if (sscanf(line, "%31s %lf %" SCNx64 " %n", word, &out->seconds, &out->result, &used) != 3) return false;
  snprintf(out->message, sizeof out->message, "%s", line + used);
  for (int i = 0; i < OUTCOME_WORDS; i++)
    if (strcmp(word, outcome_words[i]) == 0) {
      out->outcome = (measurement_outcome)i;
      return out->outcome != MEASUREMENT_DONE || out->seconds > 0;
    }
  return false;
}
/* NOLINTEND(cert-err34-c) */
