#include "cli/compare/audit_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

/* Returns how bad an error is: a wrong value is worse than a lack of memory or devices, which is worse than a
 * wrong record. */
static int badness(cla_status status) {
  return status == CLA_OK ? 0 : status == CLA_ERROR_INPUT ? 1 : status == CLA_ERROR_VERIFICATION ? 3 : 2;
}

static void note_status(audit_run *run, cla_status status) {
  if (badness(status) > badness(run->worst_status)) run->worst_status = status;
}

/* Adds the record to the tables. */
static cla_status put_tables(audit_run *run, const record_pair *pair, const cla_audit *audit,
                             const char *fault, cla_error *error) {
  const cla_audit_entry entry = {
      .file = run->pairs.files[pair->file], .record = pair->record, .audit = audit, .fault = fault};
  cla_status status = CLA_OK;
  for (int i = 0; i < AUDIT_TABLES && status == CLA_OK; i++)
    if (run->tables[i]) status = cla_audit_table_put(run->tables[i], &entry, error);
  return status;
}

/* Reports a wrong record on stderr, and adds it to the tables and counts. */
static cla_status report_wrong(audit_run *run, const record_pair *pair, cla_status status,
                               const cla_error *why, cla_error *error) {
  record_pair_report(&run->pairs, pair, status, why, &run->bar);
  run->counts[pair->file].wrong++;
  note_status(run, status == CLA_ERROR_OPTION ? CLA_ERROR_INPUT : status);
  cla_status put = put_tables(run, pair, NULL, why->message, error);
  if (put != CLA_OK || !run->fail_fast) return put;
  return cli_error(error, status, "the audit ended at the record that is wrong, as --fail-fast asks");
}

/* Adds a record to the list of the worst records if it loses enough. */
static cla_status keep_worst(audit_run *run, const record_pair *pair, const cla_audit *audit,
                             cla_error *error) {
  const int64_t lost = audit->optimal_score - audit->score;
  const cla_aligned_record *record = pair->record;
  int64_t place = run->worst_count;
  while (place > 0 && run->worst[place - 1].lost < lost) place--;
  if (lost == 0 || place >= run->worst_most) return CLA_OK;
  audit_worst added = {
      .file = pair->file, .number = record->number, .lost = lost, .optimal_score = audit->optimal_score};
  cla_status status =
      cla_audit_command_text(&added.command, &run->command, record, record->start, record->end, error);
  if (status != CLA_OK) return status;
  if (asprintf(&added.text, "%s:%lld-%lld, %s:%lld-%lld", record->name[0], (long long)record->start[0] + 1,
               (long long)record->end[0], record->name[1], (long long)record->start[1] + 1,
               (long long)record->end[1]) < 0) {
    free(added.command);
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a record; free some memory");
  }
  if (run->worst_count == run->worst_most) {
    free(run->worst[--run->worst_count].text);
    free(run->worst[run->worst_count].command);
  }
  memmove(&run->worst[place + 1], &run->worst[place], (size_t)(run->worst_count - place) * sizeof added);
  run->worst[place] = added;
  run->worst_count++;
  return CLA_OK;
}

static cla_status take_audit(audit_run *run, const record_pair *pair, const cla_audit *audit,
                             cla_error *error) {
  audit_counts *counts = &run->counts[pair->file];
  counts->records++;
  counts->optimal += audit->loss_count == 0;
  counts->stretches += audit->loss_count;
  counts->pairs += audit->pairs;
  counts->score += (double)audit->optimal_score;
  counts->lost += (double)(audit->optimal_score - audit->score);
  cla_status status = put_tables(run, pair, audit, NULL, error);
  if (status == CLA_OK && run->track)
    status = cla_audit_track_add(run->track, pair->record->name[1], pair->record->length[1], audit, error);
  return status == CLA_OK ? keep_worst(run, pair, audit, error) : status;
}

static void free_audit(void *audit) {
  cla_audit_free(audit);
}

/* Returns NULL on an error, with *status and *error set. */
static cla_audit *make_audit(const record_pair *pair, const cla_batch_result *result, cla_status *status,
                             cla_error *error) {
  cla_audit *audit = NULL;
  *status = result->count == 0 ? cli_error(error, CLA_ERROR_INPUT, "it has no alignment")
                               : cla_audit_make(&audit, pair->record, result->alignments[0], pair->sides[0],
                                                pair->sides[1], error);
  return audit;
}

/* Compares a record with its optimum. May run on any thread. */
static void *prepare_result(const cla_batch_result *result, void *user) {
  record_pair *pair = result->pair.user;
  cla_error error = {.status = CLA_OK};
  cla_status status = CLA_OK;
  (void)user;
  if (pair->made) cla_audit_free(pair->made);
  pair->free_made = free_audit;
  pair->made = make_audit(pair, result, &status, &error); /* take_result reports an error */
  return NULL;
}

static bool take_result(const cla_batch_result *result, void *user) {
  audit_run *run = user;
  record_pair *pair = result->pair.user;
  cla_error why = {.status = CLA_OK};
  cla_status status = result->status;
  pair->free_made = free_audit;
  if (status != CLA_OK)
    why = *result->error;
  else if (!pair->made)
    pair->made = make_audit(pair, result, &status, &why);
  run->stopped = status == CLA_OK && pair->made ? take_audit(run, pair, pair->made, &run->why)
                                                : report_wrong(run, pair, status, &why, &run->why);
  if (pair->error)
    record_pair_free(&run->pairs, pair); /* the batch does not release pairs that could not be read */
  return run->stopped == CLA_OK;
}

static void release_pair(const cla_batch_pair *pair, void *user) {
  record_pair_free(&((audit_run *)user)->pairs, pair->user);
}

static bool next_pair(cla_batch_pair *out, cla_status *status, cla_error *error, void *user) {
  audit_run *run = user;
  record_pair *pair = NULL;
  if (run->held_taken < run->held_count)
    pair = run->held[run->held_taken++];
  else
    *status = record_pairs_next(&pair, &run->pairs, error);
  if (*status != CLA_OK || !pair) return false;
  out->user = pair;
  out->has_strand = true;
  out->strand = pair->record->path.strand;
  out->query = pair->sides[0];
  out->target = pair->sides[1];
  *status = pair->status;
  if (pair->error) *error = *pair->error;
  return true;
}

static bool show_progress(const cla_batch_progress *progress, void *user) {
  audit_run *run = user;
  char text[128];
  if (progress_bar_due(&run->bar, progress->seconds, PROGRESS_LINE_SECONDS)) {
    snprintf(text, sizeof text, "%" PRId64 " records", progress->results);
    progress_bar_show(&run->bar, text, 1);
  }
  return !interrupt_requested();
}

static void show_note(const char *text, void *user) {
  progress_bar_clear(&((audit_run *)user)->bar);
  cli_warn(text);
}

cla_status audit_run_open(audit_run *run, int64_t worst, cla_error *error) {
  run->worst_most = worst;
  run->counts = calloc((size_t)run->pairs.file_count, sizeof *run->counts);
  run->worst = calloc((size_t)worst + 1, sizeof *run->worst);
  return run->counts && run->worst
             ? CLA_OK
             : cli_error(error, CLA_ERROR_MEMORY, "out of memory for an audit; free some memory");
}

cla_status audit_run_begin(audit_run *run, cla_error *error) {
  run->alphabet = CLA_ALPHABET_DNA;
  for (bool found = false; !found && run->held_count < AUDIT_HELD;) {
    record_pair *pair = NULL;
    cla_status status = record_pairs_next(&pair, &run->pairs, error);
    if (status != CLA_OK || !pair) return status;
    run->held[run->held_count++] = pair;
    found = pair->status == CLA_OK;
    if (found) run->alphabet = cla_sequence_alphabet(pair->sides[0]);
  }
  return CLA_OK;
}

cla_status audit_run_all(audit_run *run, cla_error *error) {
  const cla_batch_source source = {.next = next_pair, .release = release_pair, .user = run};
  run->how.tunings = (const cla_tuning *const *)run->late.devices.tunings;
  run->how.sink = take_result;
  run->how.sink_user = run;
  run->how.prepare = prepare_result;
  run->how.prepare_user = run;
  run->how.progress = show_progress;
  run->how.progress_user = run;
  run->how.align.callbacks.note = show_note;
  run->how.align.callbacks.note_user = run;
  cla_status status =
      cla_batch(&run->done, run->late.devices.items, run->late.devices.count, &source, &run->how, error);
  progress_bar_clear(&run->bar);
  if (run->stopped != CLA_OK) {
    *error = run->why;
    return run->stopped;
  }
  return status;
}

/* Writes a score in points, such as "12.3", without trailing zeros. */
static void points_text(char *text, size_t size, double score, int32_t units) {
  snprintf(text, size, "%.10g", score / (units > 1 ? units : 1));
}

#define LINE_SIZE 1024

static void count_text(char line[LINE_SIZE], const audit_run *run, int file) {
  const audit_counts *counts = &run->counts[file];
  const double percent = counts->records > 0 ? 100.0 * (double)counts->optimal / (double)counts->records : 0;
  snprintf(line, LINE_SIZE,
           "%.512s: %" PRId64 " records, %" PRId64 " of them optimal (%.2f %%), %" PRId64 " wrong",
           run->pairs.files[file], counts->records + counts->wrong, counts->optimal, percent, counts->wrong);
}

static void lost_text(char line[LINE_SIZE], const audit_run *run, int file) {
  const audit_counts *counts = &run->counts[file];
  char lost[64], all[64], part[32] = "";
  points_text(lost, sizeof lost, counts->lost, run->how.align.scoring.units);
  points_text(all, sizeof all, counts->score, run->how.align.scoring.units);
  if (counts->score > counts->lost)
    snprintf(part, sizeof part, " (%.3g %%)", 100 * counts->lost / counts->score);
  snprintf(line, LINE_SIZE,
           "lost %s of %s points%s in %" PRId64 " stretches, where %" PRId64 " pairs of letters are others",
           lost, all, part, counts->stretches, counts->pairs);
}

static void worst_text(char line[LINE_SIZE], const audit_run *run, const audit_worst *worst) {
  char lost[CLA_SCORE_TEXT_SIZE], optimal[CLA_SCORE_TEXT_SIZE];
  cla_score_text(lost, worst->lost, &run->how.align.scoring);
  cla_score_text(optimal, worst->optimal_score, &run->how.align.scoring);
  snprintf(line, LINE_SIZE, "%s of %s points: record %" PRId64 " of %.400s, %.400s", lost, optimal,
           worst->number, run->pairs.files[worst->file], worst->text);
}

void audit_run_summary(const audit_run *run) {
  char line[LINE_SIZE];
  for (int i = 0; i < run->pairs.file_count; i++) {
    count_text(line, run, i);
    fprintf(stderr, "  records  %s\n", line);
    lost_text(line, run, i);
    fprintf(stderr, "           %s\n", line);
  }
  record_pairs_print_passed(&run->pairs);
  for (int64_t i = 0; i < run->worst_count; i++) {
    worst_text(line, run, &run->worst[i]);
    fprintf(stderr, "%s%s\n           %s\n", i == 0 ? "  worst    " : "           ", line,
            run->worst[i].command);
  }
  fprintf(stderr, "  time     %.2f s, %.3g cells\n", run->done.seconds, run->done.cells_done);
}

static cla_status add_line(cla_audit_line *lines, size_t *count, const char *text, const char *command,
                           cla_error *error) {
  lines[*count] = (cla_audit_line){.text = strdup(text), .command = command};
  return lines[(*count)++].text
             ? CLA_OK
             : cli_error(error, CLA_ERROR_MEMORY, "out of memory for a page; free some memory");
}

cla_status audit_run_page(const audit_run *run, const char *path, cla_error *error) {
  const size_t most = 2 * (size_t)run->pairs.file_count + (size_t)run->worst_count + 1;
  cla_audit_line *lines = calloc(most, sizeof *lines);
  char line[LINE_SIZE];
  size_t count = 0;
  cla_status status = CLA_OK;
  if (!lines) return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a page; free some memory");
  for (int i = 0; i < run->pairs.file_count && status == CLA_OK; i++) {
    count_text(line, run, i);
    status = add_line(lines, &count, line, NULL, error);
    lost_text(line, run, i);
    if (status == CLA_OK) status = add_line(lines, &count, line, NULL, error);
  }
  const size_t summary = count;
  for (int64_t i = 0; i < run->worst_count && status == CLA_OK; i++) {
    worst_text(line, run, &run->worst[i]);
    status = add_line(lines, &count, line, run->worst[i].command, error);
  }
  const cla_audit_page page = {.title = "Audit",
                               .summary = lines,
                               .summary_count = summary,
                               .worst = lines + summary,
                               .worst_count = count - summary,
                               .units = run->how.align.scoring.units};
  if (status == CLA_OK) status = cla_audit_page_write(path, run->track, &page, error);
  for (size_t i = 0; i < count; i++) free((void *)lines[i].text);
  free(lines);
  return status;
}

cla_status audit_run_verdict(const audit_run *run, cla_error *error) {
  int64_t wrong = 0, fitting = 0;
  for (int i = 0; i < run->pairs.file_count; i++) {
    wrong += run->counts[i].wrong;
    fitting += run->counts[i].records;
  }
  if (wrong == 0) return CLA_OK;
  if (fitting == 0)
    return cli_error(error, run->worst_status,
                     "no record fits, as named above; give the files in this order: alignments, their "
                     "queries, their targets");
  return cli_error(error, run->worst_status,
                   "%" PRId64 " of the records are wrong, which are named above; all others are audited",
                   wrong);
}

void audit_run_end(audit_run *run) {
  record_pairs_close(&run->pairs);
  for (int i = 0; i < AUDIT_TABLES; i++) cla_audit_table_discard(run->tables[i]);
  cla_audit_track_free(run->track);
  for (int64_t i = 0; i < run->worst_count; i++) {
    free(run->worst[i].text);
    free(run->worst[i].command);
  }
  free(run->worst);
  free(run->counts);
  cli_late_device_end(&run->late);
}
