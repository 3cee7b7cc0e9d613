#include "cli/compare/fill_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/alphabet.h"
#include "cli/report/report.h"

static cla_status no_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a part; free some memory");
}

static void note_status(fill_run *run, cla_status status) {
  if (run->worst == CLA_OK || status != CLA_ERROR_INPUT) run->worst = status;
}

/* Adds a record to the fill, and its score to the sum. */
static cla_status add_record(fill_run *run, record_pair *pair, cla_error *error) {
  cla_alignment *own = NULL;
  cla_status status = cla_aligned_record_alignment(&own, pair->record, pair->sides[0], pair->sides[1],
                                                   &run->how.align.scoring, error);
  if (status == CLA_OK) run->score_before += own->score;
  cla_alignment_free(own);
  if (status == CLA_OK) status = cla_fill_add(run->fill, pair->record, error);
  if (status == CLA_OK) pair->record = NULL; /* the fill owns the record now */
  return status;
}

cla_status fill_run_read(fill_run *run, cla_error *error) {
  for (record_pair *pair; !interrupt_requested();) {
    cla_status status = record_pairs_next(&pair, &run->pairs, error);
    if (run->pairs.open) run->is_sam = cla_aligned_records_are_sam(run->pairs.open);
    if (status != CLA_OK || !pair) return status;
    run->read++;
    if (pair->status == CLA_OK) {
      status = add_record(run, pair, error);
    } else {
      record_pair_report(&run->pairs, pair, pair->status, pair->error, &run->bar);
      run->wrong++;
      note_status(run, pair->status);
      if (run->fail_fast)
        status = cli_error(error, pair->status,
                           "the filling ended at the record that is wrong, as --fail-fast asks");
    }
    record_pair_free(&run->pairs, pair);
    if (status != CLA_OK) return status;
  }
  return cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
}

/* Replaces letters by those of the strand in reverse order. For the reverse strand, these are the
 * complements in forward order. */
static void turn_letters(char *letters, int64_t count, cla_strand strand) {
  if (strand == CLA_STRAND_REVERSE) {
    for (int64_t i = 0; i < count; i++) letters[i] = cla_nucleotide_complement(letters[i]);
    return;
  }
  for (int64_t i = 0; i < count / 2; i++) {
    const char last = letters[count - 1 - i];
    letters[count - 1 - i] = letters[i];
    letters[i] = last;
  }
}

/* Makes the sequence of one side of a part, with the letters of the part's strand in reverse order. */
static cla_status make_backwards(cla_sequence **out, fill_run *run, const cla_fill_part *part, int side,
                                 cla_error *error) {
  cla_sequence *whole = NULL;
  const int64_t begin = part->begin[side], count = part->end[side] - begin;
  cla_status status = record_pairs_whole(&whole, &run->pairs, side, part->record->name[side], error);
  if (status != CLA_OK) return status;
  char *letters = malloc((size_t)count + 1);
  if (!letters) return no_memory(error);
  cla_sequence_options how = run->pairs.how;
  how.known = true;
  how.alphabet = cla_sequence_alphabet(whole);
  cla_sequence_letters(letters, whole, begin, begin + count);
  turn_letters(letters, count, side == 0 ? part->strand : CLA_STRAND_FORWARD);
  status = cla_sequence_from_letters_with(out, part->record->name[side], letters, count, &how, error);
  free(letters);
  return status;
}

/* A part that is being aligned. */
typedef struct part_item {
  int64_t index;
  cla_sequence *sides[2];
} part_item;

static void free_item(part_item *item) {
  for (int side = 0; side < 2; side++) cla_sequence_free(item->sides[side]);
  free(item);
}

static cla_status find_sides(part_item *item, fill_run *run, const cla_fill_part *part, cla_error *error) {
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = part->backwards
                 ? make_backwards(&item->sides[side], run, part, side, error)
                 : record_pairs_part(&item->sides[side], &run->pairs, side, part->record->name[side],
                                     (const int64_t[]){part->begin[side], part->end[side]}, error);
  return status;
}

/* Gives the part its result of an earlier run, if there is one. */
static cla_status find_finished(cla_batch_pair *out, fill_run *run, cla_error *error) {
  cla_finished_unit *unit = NULL;
  cla_pairs_mark_add(&out->mark, out->query, out->target);
  cla_status status = cla_batch_directory_load(&unit, run->directory, out->kept_as, error);
  if (status != CLA_OK || !unit) return status;
  if (unit->count == 1 && memcmp(&unit->mark, &out->mark, sizeof out->mark) == 0) {
    out->finished = unit;
    run->replayed++;
    return CLA_OK;
  }
  cla_finished_unit_free(unit);
  return cli_error(
      error, CLA_ERROR_INPUT,
      "%.512s with %.512s is not what was aligned when the run began: restore the files that were "
      "altered, or begin again in another --run-dir",
      cla_sequence_location(out->query), cla_sequence_location(out->target));
}

static bool next_part(cla_batch_pair *out, cla_status *status, cla_error *error, void *user) {
  fill_run *run = user;
  cla_fill_part part;
  if (run->next == cla_fill_parts(run->fill, run->kind)) return false;
  part_item *item = calloc(1, sizeof *item);
  *status = item ? CLA_OK : no_memory(error);
  if (!item) return false;
  item->index = run->next++;
  cla_fill_part_of(&part, run->fill, run->kind, item->index);
  *status = find_sides(item, run, &part, error);
  out->user = item;
  out->query = item->sides[0];
  out->target = item->sides[1];
  out->kept_as = run->first_kept + item->index;
  if (*status == CLA_OK && run->directory) *status = find_finished(out, run, error);
  if (*status != CLA_OK) {
    free_item(item);
    return false;
  }
  out->has_strand = true;
  out->strand = part.backwards ? CLA_STRAND_FORWARD : part.strand;
  return true;
}

static void release_part(const cla_batch_pair *pair, void *user) {
  (void)user;
  free_item(pair->user);
}

/* Reports the error of a part. */
static void report_part(fill_run *run, const part_item *item, cla_status status, const cla_error *why) {
  cla_error line = {.status = status};
  progress_bar_clear(&run->bar);
  cli_error(&line, status, "%.512s with %.512s: %.900s", cla_sequence_location(item->sides[0]),
            cla_sequence_location(item->sides[1]), why->message);
  cli_finish(status, &line);
  run->failed++;
  note_status(run, status);
}

/* Adds the score of a part's own record to the sum of those that are aligned again. */
static cla_status count_replaced(fill_run *run, const part_item *item, cla_error *error) {
  cla_alignment *own = NULL;
  cla_fill_part part;
  cla_fill_part_of(&part, run->fill, run->kind, item->index);
  cla_status status = cla_aligned_record_alignment(&own, part.record, item->sides[0], item->sides[1],
                                                   &run->how.align.scoring, error);
  if (status == CLA_OK) run->score_replaced += own->score;
  cla_alignment_free(own);
  return status;
}

static bool take_result(const cla_batch_result *result, void *user) {
  fill_run *run = user;
  const part_item *item = result->pair.user;
  if (result->status != CLA_OK) {
    report_part(run, item, result->status, result->error);
    return true;
  }
  if (result->count == 0) return true;
  run->stopped = cla_fill_take(run->fill, run->kind, item->index, result->alignments[0], &run->why);
  if (run->stopped == CLA_OK && run->kind == CLA_FILL_ANCHORS)
    run->stopped = count_replaced(run, item, &run->why);
  return run->stopped == CLA_OK;
}

static bool show_progress(const cla_batch_progress *progress, void *user) {
  static const char *const names[] = {"records", "intervals", "intervals on the other strand", "ends"};
  fill_run *run = user;
  char text[128];
  if (progress_bar_due(&run->bar, run->seconds + progress->seconds, PROGRESS_LINE_SECONDS)) {
    snprintf(text, sizeof text, "%" PRId64 " of %" PRId64 " %s", progress->results,
             cla_fill_parts(run->fill, run->kind), names[run->kind]);
    progress_bar_show(&run->bar, text, 1);
  }
  return !interrupt_requested();
}

static void show_note(const char *text, void *user) {
  progress_bar_clear(&((fill_run *)user)->bar);
  cli_warn(text);
}

/* Aligns all parts of the given kind. */
static cla_status align_kind(fill_run *run, cla_fill_kind kind, cla_mode mode, cla_error *error) {
  const cla_batch_source source = {.next = next_part, .release = release_part, .user = run};
  cla_batch_progress done = {.seconds = 0};
  if (cla_fill_parts(run->fill, kind) == 0) return CLA_OK;
  run->kind = kind;
  run->next = 0;
  run->first_kept = 0;
  for (int before = 0; before < (int)kind; before++)
    run->first_kept += cla_fill_parts(run->fill, (cla_fill_kind)before);
  run->how.align.mode = mode;
  run->how.tunings = (const cla_tuning *const *)run->late.devices.tunings;
  cla_status status =
      cla_batch(&done, run->late.devices.items, run->late.devices.count, &source, &run->how, error);
  run->seconds += done.seconds;
  run->cells += done.cells_done;
  progress_bar_clear(&run->bar);
  if (run->stopped == CLA_OK) return status;
  *error = run->why;
  return run->stopped;
}

/* Reads a record's sequences and scores its path. The caller frees all three, also after an error. */
static cla_status score_record(cla_alignment **own, cla_sequence *sides[2], fill_run *run,
                               const cla_aligned_record *record, cla_error *error) {
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = record_pairs_part(&sides[side], &run->pairs, side, record->name[side],
                               (const int64_t[]){record->start[side], record->end[side]}, error);
  return status == CLA_OK
             ? cla_aligned_record_alignment(own, record, sides[0], sides[1], &run->how.align.scoring, error)
             : status;
}

/* Counts the starts of records that were cut off. */
static cla_status count_overlaps(fill_run *run, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < cla_fill_parts(run->fill, CLA_FILL_ANCHORS) && status == CLA_OK; i++) {
    const cla_aligned_record *over = cla_fill_overlap(run->fill, i);
    cla_sequence *sides[2] = {NULL, NULL};
    cla_alignment *own = NULL;
    if (!over) continue;
    status = score_record(&own, sides, run, over, error);
    run->overlaps++;
    if (status == CLA_OK) run->score_over += own->score;
    for (int side = 0; side < 2; side++) run->over_letters[side] += over->end[side] - over->start[side];
    cla_alignment_free(own);
    for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
  }
  return status;
}

cla_status fill_run_align(fill_run *run, cla_error *error) {
  run->how.directory = run->directory;
  run->how.sink = take_result;
  run->how.sink_user = run;
  run->how.progress = show_progress;
  run->how.progress_user = run;
  run->how.align.callbacks.note = show_note;
  run->how.align.callbacks.note_user = run;
  cla_status status = cla_fill_chain(run->fill, error);
  if (status == CLA_OK) status = count_overlaps(run, error);
  if (status == CLA_OK && run->realign) status = align_kind(run, CLA_FILL_ANCHORS, CLA_MODE_GLOBAL, error);
  if (status == CLA_OK) status = align_kind(run, CLA_FILL_INTERVALS, CLA_MODE_GLOBAL, error);
  if (status == CLA_OK && !run->one_strand) status = align_kind(run, CLA_FILL_OTHERS, CLA_MODE_LOCAL, error);
  return status == CLA_OK ? align_kind(run, CLA_FILL_ENDS, CLA_MODE_EXTEND, error) : status;
}

static cla_status write_record(fill_run *run, batch_outputs *outputs, const cla_aligned_record *record,
                               cla_error *error) {
  cla_sequence *sides[2] = {NULL, NULL};
  cla_alignment *own = NULL;
  cla_status status = score_record(&own, sides, run, record, error);
  if (status == CLA_OK) {
    const cla_alignment *const all[] = {own};
    run->score_after += own->score;
    status = batch_outputs_put(
        outputs, ++run->written, NULL,
        &(cla_results){.alignments = all, .count = 1, .query = sides[0], .target = sides[1]}, error);
  }
  cla_alignment_free(own);
  for (int side = 0; side < 2; side++) cla_sequence_free(sides[side]);
  return status;
}

cla_status fill_run_write(fill_run *run, batch_outputs *outputs, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t chain = 0; chain < cla_fill_chains(run->fill) && status == CLA_OK; chain++) {
    cla_aligned_record **records = NULL;
    int64_t count = 0;
    status = cla_fill_records(&records, &count, run->fill, chain, error);
    for (int64_t i = 0; i < count; i++) {
      if (status == CLA_OK) status = write_record(run, outputs, records[i], error);
      cla_aligned_record_free(records[i]);
    }
    free(records);
  }
  return status;
}

static const char *score_text(char *text, const fill_run *run, int64_t score) {
  cla_score_text(text, score, &run->how.align.scoring);
  return text;
}

/* Prints the totals of a kind. Returns the points that its parts have gained. */
static int64_t print_counts(const fill_run *run, cla_fill_kind kind, const char *name, const char *what) {
  cla_fill_counts counts = cla_fill_count(run->fill, kind);
  char score[CLA_SCORE_TEXT_SIZE];
  if (kind == CLA_FILL_ANCHORS) counts.score -= run->score_replaced;
  if (cla_fill_parts(run->fill, kind) > 0 && (kind == CLA_FILL_INTERVALS || counts.parts > 0))
    fprintf(stderr,
            "  %-9s%" PRId64 " of %" PRId64 " %s: %" PRId64 " letters of queries, %" PRId64
            " of targets, %s points%s\n",
            name, counts.parts, cla_fill_parts(run->fill, kind), what, counts.letters[0], counts.letters[1],
            score_text(score, run, counts.score), kind == CLA_FILL_ANCHORS ? " more" : "");
  return counts.score;
}

static void print_overlaps(const fill_run *run) {
  char score[CLA_SCORE_TEXT_SIZE];
  if (run->overlaps == 0) return;
  fprintf(stderr,
          "  overlaps %" PRId64 " cut off: %" PRId64 " letters of queries, %" PRId64
          " of targets, %s points\n",
          run->overlaps, run->over_letters[0], run->over_letters[1], score_text(score, run, run->score_over));
}

/* Prints what was gained: the score of what was written less that of what was read without the overlaps. The
 * parts gain all of it but the score of gaps that have no part. */
static void print_gain(const fill_run *run, int64_t parts) {
  char text[CLA_SCORE_TEXT_SIZE], before[CLA_SCORE_TEXT_SIZE];
  const int64_t gain = run->score_after - (run->score_before - run->score_over);
  if (gain != parts)
    fprintf(stderr, "  gaps     %s points: neighbours with letters between them on one sequence only\n",
            score_text(text, run, gain - parts));
  fprintf(stderr, "  written  %" PRId64 " records of %s points; those that were read have %s\n", run->written,
          score_text(text, run, run->score_after), score_text(before, run, run->score_before));
  fprintf(stderr, "  gained   %s points%s\n", score_text(text, run, gain),
          run->overlaps > 0 ? "; overlaps are not counted twice" : "");
}

void fill_run_summary(const fill_run *run) {
  int64_t parts = 0;
  fprintf(stderr, "  records  %" PRId64 " read, %" PRId64 " wrong; in %" PRId64 " chains\n", run->read,
          run->wrong, cla_fill_chains(run->fill));
  record_pairs_print_passed(&run->pairs);
  print_overlaps(run);
  parts += print_counts(run, CLA_FILL_ANCHORS, "again", "records aligned again");
  parts += print_counts(run, CLA_FILL_INTERVALS, "filled", "intervals between neighbours");
  parts += print_counts(run, CLA_FILL_OTHERS, "turned", "intervals are better on the other strand");
  parts += print_counts(run, CLA_FILL_ENDS, "ends", "ends extended");
  print_gain(run, parts);
  if (run->replayed > 0)
    fprintf(stderr, "  resumed  %" PRId64 " parts had been aligned before\n", run->replayed);
  fprintf(stderr, "  time     %.2f s, %.3g cells\n", run->seconds, run->cells);
}

cla_status fill_run_verdict(const fill_run *run, cla_error *error) {
  if (run->wrong == 0 && run->failed == 0) return CLA_OK;
  if (run->wrong == run->read && run->worst == CLA_ERROR_INPUT)
    return cli_error(error, run->worst,
                     "no record fits, as named above; give the files in this order: alignments, their "
                     "queries, their targets");
  return cli_error(error, run->worst,
                   "%" PRId64 " records are wrong and %" PRId64
                   " parts failed, which are named above; all others are filled",
                   run->wrong, run->failed);
}

void fill_run_end(fill_run *run) {
  record_pairs_close(&run->pairs);
  cla_fill_free(run->fill);
  cli_late_device_end(&run->late);
}
