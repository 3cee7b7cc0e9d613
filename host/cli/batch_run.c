#include "cli/batch_run.h"

#include <stdlib.h>

#include "cli/cli_interrupt.h"
#include "cli/cli_report.h"

/* A pair on its way. */
typedef struct batch_item {
  batch_pair pair;
  batch_pair_name name; /* of a pair that cannot be read */
  cla_status status;    /* of reading it */
  cla_error error;
  struct batch_item *next, *previous; /* among the run's */
} batch_item;

static void free_item(batch_run *run, batch_item *item) {
  if (item->next) item->next->previous = item->previous;
  *(item->previous ? &item->previous->next : &run->items) = item->next;
  batch_sequence_leave(item->pair.query);
  batch_sequence_leave(item->pair.target);
  free(item);
}

static batch_item *make_item(batch_run *run) {
  batch_item *item = calloc(1, sizeof *item);
  if (!item) return NULL;
  item->next = run->items;
  if (item->next) item->next->previous = item;
  run->items = item;
  return item;
}

static const char *alphabet_word(cla_alphabet alphabet) {
  return alphabet == CLA_ALPHABET_DNA ? "DNA" : "a protein";
}

/* All sequences of a batch have one alphabet, because they have one score scheme. */
static cla_status check_alphabet(batch_run *run, const batch_pair *pair, cla_error *error) {
  const cla_sequence *sides[] = {pair->query->sequence, pair->target->sequence};
  for (int i = 0; i < 2; i++) {
    const cla_alphabet alphabet = cla_sequence_alphabet(sides[i]);
    const bool known = run->alphabet_known || i == 1;
    const cla_alphabet wanted = run->alphabet_known ? run->alphabet : cla_sequence_alphabet(sides[0]);
    if (known && alphabet != wanted && cla_sequence_length(sides[i]) > 0)
      return cli_error(error, CLA_ERROR_INPUT,
                       "%.512s is %s by its letters, %s is %s; batch those of a kind, or say --type dna or "
                       "--type protein",
                       cla_sequence_location(sides[i]), alphabet_word(alphabet),
                       run->alphabet_known ? "the batch's first pair" : "its partner", alphabet_word(wanted));
  }
  return CLA_OK;
}

/* Reads a pair, or takes the one that is held; *out is NULL at the end. */
static cla_status take_item(batch_item **out, batch_run *run, cla_error *error) {
  bool found = false;
  *out = run->held;
  run->held = NULL;
  if (*out || run->ended) return CLA_OK;
  batch_item *item = make_item(run);
  if (!item) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a pair; free some memory");
  item->status = run->reader->next(run->reader, &item->pair, &found, &item->name, &item->error);
  if (!found) {
    run->ended = true;
    run->read_status = item->status;
    run->read_error = item->error;
    free_item(run, item);
    return CLA_OK;
  }
  if (item->status == CLA_OK) {
    item->status = check_alphabet(run, &item->pair, &item->error);
    if (item->status != CLA_OK) batch_pair_describe(&item->name, run->reader, &item->pair);
  }
  *out = item;
  return CLA_OK;
}

cla_status batch_run_begin(batch_run *run, bool *found, cla_error *error) {
  *found = false;
  for (;;) {
    batch_item *item = NULL;
    cla_status status = take_item(&item, run, error);
    if (status != CLA_OK || !item) return status;
    if (item->status == CLA_OK) {
      run->held = item;
      *found = true;
      if (run->alphabet_known) return CLA_OK;
      run->alphabet_known = true;
      run->alphabet = cla_sequence_alphabet(item->pair.query->sequence);
      /* Known letters are read faster; those of DNA could all be a protein's, so that proteins are not. */
      if (run->alphabet == CLA_ALPHABET_DNA) run->reader->how.known = true;
      return CLA_OK;
    }
    batch_report_failure(&run->report, &item->name, item->status, &item->error);
    status = run->how.fail_fast ? item->status : CLA_OK;
    *error = item->error;
    free_item(run, item);
    if (status != CLA_OK) return status;
  }
}

static bool next_pair(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  batch_run *run = user;
  batch_item *item = NULL;
  *status = take_item(&item, run, error);
  if (*status != CLA_OK || !item) return false;
  pair->user = item;
  pair->group = item->pair.group;
  *status = item->status;
  *error = item->error;
  if (item->status != CLA_OK) return true;
  pair->query = item->pair.query->sequence;
  pair->target = item->pair.target->sequence;
  return true;
}

static void release_pair(const cla_batch_pair *pair, void *user) {
  free_item(user, pair->user);
}

/* Writes a result. False ends the batch. */
static bool write_result(batch_run *run, const batch_item *item, const cla_batch_result *result) {
  const cla_alignment *const *alignments = (const cla_alignment *const *)result->alignments;
  cla_error error = {.status = CLA_OK};
  cla_status status = batch_outputs_put(&run->outputs, item->pair.number, alignments, result->count,
                                        item->pair.query->sequence, item->pair.target->sequence, &error);
  if (status == CLA_OK) {
    run->report.written++;
    run->report.without += result->count == 0;
    return true;
  }
  if (status != CLA_ERROR_OUTPUT && status != CLA_ERROR_MEMORY) {
    batch_pair_name name;
    batch_pair_describe(&name, run->reader, &item->pair);
    batch_report_failure(&run->report, &name, status, &error);
    if (!run->how.fail_fast) return true;
  }
  run->stopped = status;
  run->why = error;
  return false;
}

static bool take_result(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  batch_item *item = result->pair.user;
  if (result->status == CLA_OK) return write_result(run, item, result);
  if (item->status == CLA_OK) batch_pair_describe(&item->name, run->reader, &item->pair);
  batch_report_failure(&run->report, &item->name, result->status, result->error);
  if (item->status != CLA_OK) free_item(run, item); /* it is not released */
  return true;
}

static bool show_progress(const cla_batch_progress *progress, void *user) {
  batch_run *run = user;
  batch_report_progress(&run->report, progress);
  batch_outputs_flush(&run->outputs);
  return !interrupt_requested();
}

static void show_note(const char *text, void *user) {
  batch_report_warn(&((batch_run *)user)->report, text);
}

cla_status batch_run_all(batch_run *run, cla_error *error) {
  const cla_batch_source source = {.next = next_pair, .release = release_pair, .user = run};
  cla_batch_progress done = {0};
  run->how.tunings = (const cla_tuning *const *)run->devices->tunings;
  run->how.progress = show_progress;
  run->how.progress_user = run;
  run->how.align.note = show_note;
  run->how.align.note_user = run;
  cla_status status =
      cla_batch(&done, run->devices->items, run->devices->count, &source, take_result, run, &run->how, error);
  batch_report_add(&run->report, &done);
  if (run->stopped != CLA_OK) {
    *error = run->why;
    return run->stopped;
  }
  if (status == CLA_OK && run->read_status != CLA_OK) {
    *error = run->read_error;
    return run->read_status;
  }
  return status;
}

void batch_run_end(batch_run *run) {
  while (run->items) free_item(run, run->items);
}
