#include <stdlib.h>

#include "cli/batch/batch_run.h"
#include "cli/report/report.h"

/* The error of a pair that cannot be read. */
typedef struct read_failure {
  batch_pair_name name;
  cla_error error;
} read_failure;

/* A pair between reading and writing. */
typedef struct batch_item {
  batch_pair pair;
  batch_unit *unit;
  bool begins_unit;
  cla_status status;                  /* status of reading the pair */
  read_failure *failure;              /* the error, if status is not CLA_OK */
  size_t made_bytes;                  /* bytes of the pair's records that were made in advance */
  cla_results certified;              /* the pair's certificates, if they are kept for writing */
  cla_error *refused;                 /* why the pair has no certificates; NULL: no error */
  struct batch_item *next, *previous; /* neighbours in the run's list */
} batch_item;

static void free_item(batch_run *run, batch_item *item) {
  if (item->next) item->next->previous = item->previous;
  *(item->previous ? &item->previous->next : &run->items) = item->next;
  batch_sequence_leave(item->pair.query);
  batch_sequence_leave(item->pair.target);
  batch_outputs_made(&run->outputs, &item->made_bytes, NULL);
  cli_certificates_free(&item->certified);
  free(item->refused);
  free(item->failure);
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

cla_status batch_run_check_alphabet(const batch_run *run, const cla_sequence *sequence, cla_alphabet wanted,
                                    cla_error *error) {
  const cla_alphabet alphabet = cla_sequence_alphabet(sequence);
  if (alphabet == wanted || cla_sequence_length(sequence) == 0) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT,
                   "%.512s is %s by its letters, %s is %s; batch those of a kind, or say --type dna or "
                   "--type protein",
                   cla_sequence_location(sequence), alphabet_word(alphabet),
                   run->alphabet_known ? "the batch's first pair" : "its partner", alphabet_word(wanted));
}

/* Checks that both sequences have the batch's alphabet, because all pairs use one scoring scheme. */
static cla_status check_alphabet(const batch_run *run, const batch_pair *pair, cla_error *error) {
  const cla_alphabet query = cla_sequence_alphabet(pair->query->sequence);
  const cla_alphabet wanted = run->alphabet_known ? run->alphabet : query;
  cla_status status = batch_run_check_alphabet(run, pair->query->sequence, wanted, error);
  return status == CLA_OK ? batch_run_check_alphabet(run, pair->target->sequence, wanted, error) : status;
}

/* Stores the error with the pair, and frees the pair's sequences. */
static cla_status note_failure(batch_item *item, const read_failure *failure, cla_error *error) {
  batch_sequence_leave(item->pair.query);
  batch_sequence_leave(item->pair.target);
  item->pair.query = item->pair.target = NULL;
  item->failure = malloc(sizeof *item->failure);
  if (!item->failure) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a pair; free some memory");
  *item->failure = *failure;
  return CLA_OK;
}

/* Reads the next pair, or takes the held one. *out is NULL at the end. */
static cla_status take_item(batch_item **out, batch_run *run, cla_error *error) {
  read_failure failure = {.error.status = CLA_OK};
  bool found = false;
  *out = run->held;
  run->held = NULL;
  if (*out || run->ended) return CLA_OK;
  batch_item *item = make_item(run);
  if (!item) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a pair; free some memory");
  item->status = run->reader->next(run->reader, &item->pair, &found, &failure.name, &failure.error);
  if (!found) {
    const cla_status status = item->status;
    run->ended = true;
    free_item(run, item);
    *error = run->read_error = failure.error;
    if (status == CLA_ERROR_OPTION) return status;
    run->read_status = status;
    return CLA_OK;
  }
  cla_status status = CLA_OK;
  if (item->status == CLA_OK) {
    item->status = check_alphabet(run, &item->pair, &failure.error);
    if (item->status != CLA_OK) batch_pair_describe(&failure.name, run->reader, &item->pair);
  }
  if (item->status != CLA_OK) status = note_failure(item, &failure, error);
  if (status == CLA_OK) status = batch_units_add(&item->unit, &run->units, &item->pair, error);
  if (status != CLA_OK) return status;
  item->begins_unit = item->unit->first == item->pair.index;
  *out = item;
  return CLA_OK;
}

static void report_failed(batch_run *run, const batch_item *item, cla_status status, const cla_error *error) {
  batch_pair_name name;
  if (item->failure)
    name = item->failure->name;
  else
    batch_pair_describe(&name, run->reader, &item->pair);
  batch_report_failure(&run->report, &name, status, error);
  batch_units_fail(&run->units, item->unit);
}

cla_status batch_run_begin(batch_run *run, bool *found, cla_error *error) {
  *found = false;
  for (;;) {
    batch_item *item = NULL;
    cla_status status = interrupt_requested() ? CLA_ERROR_INTERRUPTED : take_item(&item, run, error);
    if (status != CLA_OK || !item) return status;
    if (item->status == CLA_OK) {
      run->held = item;
      *found = true;
      if (run->alphabet_known) return CLA_OK;
      run->alphabet_known = true;
      run->alphabet = cla_sequence_alphabet(item->pair.query->sequence);
      /* Reading is faster if the alphabet is known. It is set for DNA only, because any DNA letters could
       * also be a protein. */
      if (run->alphabet == CLA_ALPHABET_DNA) run->reader->how.known = true;
      return CLA_OK;
    }
    report_failed(run, item, item->status, &item->failure->error);
    status = run->how.fail_fast ? item->status : CLA_OK;
    *error = item->failure->error;
    free_item(run, item);
    if (status != CLA_OK) return status;
  }
}

batch_pair *batch_run_held(const batch_run *run) {
  return run->held ? &run->held->pair : NULL;
}

/* Reads the next pair and holds it, and loads an earlier run's result of its unit. At the end, no pair is
 * held. */
static cla_status look_ahead(batch_run *run, cla_error *error) {
  batch_item *item = run->held;
  cla_status status = item ? CLA_OK : take_item(&item, run, error);
  run->held = item;
  if (status != CLA_OK || !item || !item->begins_unit || !run->units.directory || run->finished)
    return status;
  return cla_batch_directory_load(&run->finished, run->units.directory, item->pair.index, error);
}

static cla_status not_the_same(const batch_run *run, int64_t number, cla_error *error) {
  return cli_error(error, CLA_ERROR_INPUT,
                   "%s %lld is not what it was when the batch began: restore the files that were altered, or "
                   "begin again in another --run-dir",
                   run->reader->unit, (long long)number);
}

static bool is_unit(const batch_unit *read, const cla_finished_unit *unit) {
  return read->first == unit->first && read->past == unit->past &&
         read->mark.value[0] == unit->mark.value[0] && read->mark.value[1] == unit->mark.value[1];
}

/* Gives the pair its result of an earlier run, if there is one. */
static cla_status give_finished(cla_batch_pair *pair, batch_run *run, const batch_item *item,
                                cla_error *error) {
  if (!run->finished) return CLA_OK;
  if (item->failure || run->finished->count != 1 || !is_unit(item->unit, run->finished))
    return not_the_same(run, item->pair.number, error);
  pair->finished = run->finished;
  run->finished = NULL;
  run->report.replayed++;
  return CLA_OK;
}

/* Returns the next pair for cla_batch. Also returns false before a group that an earlier run finished. Then
 * cla_batch first hands out all earlier pairs' results; the group's results come next. */
static bool next_pair(cla_batch_pair *pair, cla_status *status, cla_error *error, void *user) {
  batch_run *run = user;
  *status = look_ahead(run, error);
  batch_item *item = run->held;
  if (*status != CLA_OK || !item || (run->finished && run->units.of_groups)) return false;
  *status = give_finished(pair, run, item, error);
  if (*status != CLA_OK) return false;
  run->held = NULL;
  pair->user = item;
  pair->group = item->pair.group;
  pair->has_strand = item->pair.has_strand;
  pair->strand = item->pair.strand;
  pair->kept_as = item->pair.index;
  pair->mark = item->unit->mark;
  *status = item->status;
  if (item->failure) *error = item->failure->error;
  if (!item->pair.query || !item->pair.target) return true; /* one of the sequences is not readable */
  pair->query = item->pair.query->sequence;
  pair->target = item->pair.target->sequence;
  return true;
}

static void release_pair(const cla_batch_pair *pair, void *user) {
  free_item(user, pair->user);
}

/* Returns those alignments of a pair that are reported. */
static cla_results results_of(const batch_run *run, const batch_item *item,
                              const cla_alignment *const *alignments, size_t count) {
  return (cla_results){.alignments = alignments,
                       .count = batch_cutoff_count(&run->cutoff, alignments, count),
                       .query = item->pair.query->sequence,
                       .target = item->pair.target->sequence};
}

/* Adds the certificates to a pair's results, and makes them if that is not yet done. */
static cla_status add_certificates(cla_results *found, batch_run *run, batch_item *item, cla_error *error) {
  if (item->refused) *error = *item->refused;
  if (item->refused) return error->status;
  cla_status status = CLA_OK;
  if (!item->certified.certificates) {
    item->certified = *found;
    status = batch_certify_pair(&item->certified, &run->certify, error);
  }
  found->certificates = item->certified.certificates;
  return status;
}

/* Writes a pair's alignments to all outputs. If the pair has no certificate, or an output's format cannot
 * contain the alignments, only this pair fails. */
static cla_status write_pair(batch_run *run, batch_item *item, const batch_records *records,
                             const cla_alignment *const *alignments, size_t count, cla_error *error) {
  cla_results found = results_of(run, item, alignments, count);
  cla_status status =
      batch_records_complete(&run->outputs, records) ? CLA_OK : add_certificates(&found, run, item, error);
  const bool certified = status == CLA_OK;
  if (certified) status = batch_outputs_put(&run->outputs, item->pair.number, records, &found, error);
  if (status == CLA_OK) {
    run->report.written++;
    run->report.without += found.count == 0;
    return CLA_OK;
  }
  const bool ends_all = status == CLA_ERROR_OUTPUT || status == CLA_ERROR_MEMORY;
  if (status == CLA_ERROR_INTERRUPTED || (certified && ends_all)) return status;
  batch_pair_name name;
  batch_pair_describe(&name, run->reader, &item->pair);
  batch_report_failure(&run->report, &name, status, error);
  return run->how.fail_fast ? status : CLA_OK;
}

/* Clears the metrics, which a run directory does not store, so that all runs write the same. */
static void forget_metrics(cla_alignment *const *alignments, size_t count) {
  for (size_t i = 0; i < count; i++) alignments[i]->metrics = (cla_metrics){.cells = 0};
}

/* Makes the pair's certificates, and keeps them or the error for write_pair. Returns false after an error. */
static bool certify_item(cla_results *found, batch_run *run, batch_item *item) {
  cla_error error = {.status = CLA_OK};
  cli_certificates_free(&item->certified); /* a device has failed, and the pair is aligned again */
  free(item->refused);
  item->refused = NULL;
  const cla_status status = add_certificates(found, run, item, &error);
  if (status == CLA_OK) return true;
  cli_certificates_free(&item->certified);
  if (status == CLA_ERROR_INTERRUPTED) return false;
  item->refused = malloc(sizeof error);
  if (item->refused) *item->refused = error;
  return false;
}

/* Makes the certificates and the records of a result. May run on any thread. */
static void *prepare_result(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  batch_item *item = result->pair.user;
  if (run->units.directory) forget_metrics(result->alignments, result->count);
  cla_results found = results_of(run, item, (const cla_alignment *const *)result->alignments, result->count);
  batch_records *records = certify_item(&found, run, item) ? batch_outputs_make(&run->outputs, &found) : NULL;
  if (batch_records_complete(&run->outputs, records)) cli_certificates_free(&item->certified);
  batch_outputs_made(&run->outputs, &item->made_bytes, records);
  return records;
}

static bool take_result(const cla_batch_result *result, void *user) {
  batch_run *run = user;
  batch_item *item = result->pair.user;
  const cla_alignment *const *alignments = (const cla_alignment *const *)result->alignments;
  cla_error error = {.status = CLA_OK};
  if (result->status != CLA_OK) {
    report_failed(run, item, result->status, result->error);
    if (item->failure) free_item(run, item); /* cla_batch does not release pairs that could not be read */
    return true;
  }
  if (run->units.directory) forget_metrics(result->alignments, result->count);
  cla_status status =
      batch_units_take(&run->units, item->unit, item->pair.index, alignments, result->count, &error);
  if (status == CLA_OK) status = write_pair(run, item, result->prepared, alignments, result->count, &error);
  if (status == CLA_OK) return true;
  run->stopped = status;
  run->why = error;
  return false;
}

/* Sets *part to the unread fraction of the pairs. Returns false if it is unknown. */
static bool find_left(double *part, void *user) {
  const batch_run *run = user;
  const double read = run->reader->part ? run->reader->part(run->reader) : -1;
  *part = 1 - read;
  return read >= 0;
}

static bool show_progress(const cla_batch_progress *progress, void *user) {
  batch_run *run = user;
  if (run->reader->total > 0) run->report.total = run->reader->total;
  batch_report_progress(&run->report, progress);
  batch_outputs_flush(&run->outputs);
  return !interrupt_requested();
}

static void show_note(const char *text, void *user) {
  batch_report_warn(&((batch_run *)user)->report, text);
}

/* Returns the place of a pair in a finished unit; unit->count if it is not there. */
static size_t find_finished(const cla_finished_unit *unit, int64_t index) {
  size_t place = 0;
  while (place < unit->count && unit->pairs[place].index != index) place++;
  return place;
}

/* Reads the pairs of the finished unit; its first pair is held. Pairs with results are stored in `items`, in
 * the order of the results. Then holds the pair after the unit. */
static cla_status read_finished(batch_item **items, batch_run *run, cla_error *error) {
  const cla_finished_unit *unit = run->finished;
  batch_item *item = run->held, *last = NULL;
  batch_unit *read = item->unit;
  cla_status status = CLA_OK;
  int64_t number = 0; /* number of the pair that was read last */
  while (status == CLA_OK && item && item->pair.index < unit->past) {
    const size_t place = find_finished(unit, item->pair.index);
    run->held = NULL;
    number = item->pair.number;
    if (item->failure) return not_the_same(run, number, error);
    if (last) free_item(run, last);
    last = place < unit->count ? NULL : item;
    if (!last) items[place] = item;
    status = take_item(&item, run, error);
  }
  run->held = item;
  if (status != CLA_OK) return status;
  const bool same = is_unit(read, unit);
  for (size_t i = 0; same && i < unit->count; i++)
    if (!items[i])
      return cli_error(error, CLA_ERROR_INPUT, "the run directory names a pair that is not there");
  if (same) {
    if (last) free_item(run, last);
    batch_units_remove(&run->units, read);
    return CLA_OK;
  }
  return not_the_same(run, number, error);
}

/* Writes an earlier run's results of the unit whose first pair is held. */
static cla_status replay(batch_run *run, cla_error *error) {
  cla_finished_unit *unit = run->finished;
  batch_item **items = calloc(unit->count + 1, sizeof *items);
  if (interrupt_requested()) {
    free(items);
    return CLA_ERROR_INTERRUPTED;
  }
  if (!items) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a pair; free some memory");
  cla_status status = read_finished(items, run, error);
  for (size_t i = 0; status == CLA_OK && items[i]; i++) { /* the last item is NULL */
    const cla_finished_pair *pair = &unit->pairs[i];
    run->report.replayed++;
    status =
        write_pair(run, items[i], NULL, (const cla_alignment *const *)pair->alignments, pair->count, error);
    free_item(run, items[i]);
  }
  free(items);
  cla_finished_unit_free(unit);
  run->finished = NULL;
  return status;
}

/* Calls cla_batch for the pairs up to the next unit that an earlier run finished. */
static cla_status align_some(batch_run *run, cla_error *error) {
  const cla_batch_source source = {
      .next = next_pair, .release = release_pair, .left = find_left, .user = run};
  cla_batch_progress done = {0};
  run->how.sink = take_result;
  run->how.sink_user = run;
  cla_status status = cla_batch(&done, run->devices->items, run->devices->count, &source, &run->how, error);
  batch_report_add(&run->report, &done);
  run->how.align.callbacks.explain = NULL; /* the plan is printed only once */
  if (run->stopped != CLA_OK) {
    *error = run->why;
    return run->stopped;
  }
  const batch_unit *next = run->held ? run->held->unit : NULL;
  return status == CLA_OK ? batch_units_finish_before(&run->units, next, error) : status;
}

cla_status batch_run_all(batch_run *run, cla_error *error) {
  run->how.tunings = (const cla_tuning *const *)run->devices->tunings;
  if (!run->units.of_groups) run->how.directory = run->units.directory;
  run->how.prepare = prepare_result;
  run->how.prepare_user = run;
  run->how.progress = show_progress;
  run->how.progress_user = run;
  run->how.align.callbacks.note = show_note;
  run->how.align.callbacks.note_user = run;
  cla_status status = CLA_OK;
  while (status == CLA_OK) {
    status = look_ahead(run, error);
    if (status != CLA_OK || !run->held) break;
    status = run->finished ? replay(run, error) : align_some(run, error);
  }
  return status;
}

cla_status batch_run_verdict(const batch_run *run, cla_error *error) {
  if (run->read_status == CLA_OK) return batch_report_verdict(&run->report, error);
  *error = run->read_error;
  return batch_report_worse(&run->report, run->read_status);
}

void batch_run_end(batch_run *run) {
  cla_finished_unit_free(run->finished);
  run->finished = NULL;
  batch_units_clear(&run->units);
  /* free_item removes the item from the list. The analyser does not see that, because it does not know that
   * the first item has no predecessor. */
  while (run->items) free_item(run, run->items); /* NOLINT(clang-analyzer-unix.Malloc) */
}

#define KEPT_MOST (INT64_C(1) << 30)
#define TEXT_MOST (INT64_C(1) << 28)
/* The kept sequences get 1 / KEPT_SHARE of the budget, the waiting records 1 / TEXT_SHARE, and certificates 1
 * / CERTIFY_SHARE. */
#define KEPT_SHARE 4
#define CERTIFY_SHARE 4
#define TEXT_SHARE 16

static int64_t part(int64_t bytes, int64_t share, int64_t most) {
  return bytes > 0 && bytes / share < most ? bytes / share : most;
}

batch_budget batch_budget_share(int64_t memory_bytes, bool pairwise, bool certified) {
  batch_budget out = {.kept_bytes = pairwise ? 0 : part(memory_bytes, KEPT_SHARE, KEPT_MOST),
                      .text_bytes = part(memory_bytes, TEXT_SHARE, TEXT_MOST)};
  if (certified) out.certify_bytes = memory_bytes / CERTIFY_SHARE;
  if (memory_bytes > 0) out.memory_bytes = memory_bytes - out.kept_bytes - out.text_bytes - out.certify_bytes;
  if (memory_bytes > 0 && out.memory_bytes < 1) out.memory_bytes = 1;
  return out;
}
