#include <stdatomic.h>
#include <stdlib.h>

#include "cli/batch/batch_reader.h"

struct batch_survey {
  batch_reader *reader;
  pthread_t thread;
  atomic_bool stopping, done; /* done: `sizes` are those of all pairs */
  cla_batch_sizes sizes;
};

static void *pass_all(void *user) {
  batch_survey *survey = user;
  batch_reader *reader = survey->reader;
  cla_error unused;
  bool found = true;
  cla_status status = CLA_OK;
  while (status == CLA_OK && found && !survey->stopping)
    status = reader->pass(reader, &survey->sizes, &found, &unused);
  survey->done = status == CLA_OK && !found;
  return NULL;
}

batch_survey *batch_survey_begin(batch_open *open, const batch_inputs *inputs) {
  cla_error unused;
  batch_survey *survey = calloc(1, sizeof *survey);
  if (!survey) return NULL;
  if (open(&survey->reader, inputs, &unused) == CLA_OK &&
      batch_thread_start(&survey->thread, pass_all, survey))
    return survey;
  if (survey->reader) survey->reader->close(survey->reader);
  free(survey);
  return NULL;
}

bool batch_survey_sizes(cla_batch_sizes *out, const batch_survey *survey) {
  if (!survey || !survey->done) return false;
  *out = survey->sizes;
  return true;
}

void batch_survey_end(batch_survey *survey) {
  if (!survey) return;
  survey->stopping = true;
  pthread_join(survey->thread, NULL);
  survey->reader->close(survey->reader);
  free(survey);
}
