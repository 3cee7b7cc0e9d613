/* Writes the tables and BED files of a comparison. Positions are 0-based half-open. */

#include <inttypes.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_texts.h"
#include "compare/events/events_internal.h"

static char strand_sign(cla_strand strand) {
  return strand == CLA_STRAND_REVERSE ? '-' : '+';
}

static void print_interval(const compare_job *job, bool query, size_t record, int64_t begin, int64_t end) {
  if (record == CLA_NO_RECORD)
    fputs("\t.\t.\t.", job->file);
  else
    fprintf(job->file, "\t%s\t%" PRId64 "\t%" PRId64, compare_name(job, query, record), begin, end);
}

cla_status write_compare_events(const compare_job *job, cla_error *error) {
  (void)error;
  fputs(
      "kind\ttarget\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tletters"
      "\tplace_target\tplace\n",
      job->file);
  for (size_t i = 0; i < job->events->count && !ferror(job->file); i++) {
    const cla_event *it = &job->events->items[i];
    fputs(cla_event_kind_name(it->kind), job->file);
    print_interval(job, false, it->target, it->target_begin, it->target_end);
    print_interval(job, true, it->query, it->query_begin, it->query_end);
    fprintf(job->file, "\t%c\t%" PRId64, strand_sign(it->strand), it->letters);
    if (it->place_target == CLA_NO_RECORD)
      fputs("\t.\t.\n", job->file);
    else
      fprintf(job->file, "\t%s\t%" PRId64 "\n", compare_name(job, false, it->place_target), it->place);
  }
  return CLA_OK;
}

cla_status write_compare_blocks(const compare_job *job, cla_error *error) {
  cla_status status = CLA_OK;
  fputs(
      "block\trole\ttarget\ttarget_begin\ttarget_end\tquery\tquery_begin\tquery_end\tstrand\tpieces\tmatches"
      "\tmismatches\tgaps\tgap_letters\tidentity\n",
      job->file);
  for (size_t b = 0; b < job->comparison->block_count && status == CLA_OK && !ferror(job->file); b++) {
    const cla_block *it = &job->comparison->blocks[b];
    const cla_interval query = block_interval(it, true), target = block_interval(it, false);
    block_counts counts;
    status = block_count(&counts, job->comparison, it, error);
    if (status != CLA_OK) break;
    const int64_t pairs = counts.matches + counts.mismatches;
    fprintf(job->file, "%zu\t%s", b + 1, block_role_name(it->role));
    print_interval(job, false, it->target, target.begin, target.end);
    print_interval(job, true, it->query, query.begin, query.end);
    fprintf(job->file, "\t%c\t%zu\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.6f\n",
            strand_sign(it->strand), it->piece_count, counts.matches, counts.mismatches, counts.gaps,
            counts.gap_letters, pairs > 0 ? (double)counts.matches / (double)pairs : 0);
  }
  return status;
}

static void print_unaligned(const char *name, int64_t begin, int64_t end, const char *word, FILE *file) {
  if (begin < end) fprintf(file, "%s\t%" PRId64 "\t%" PRId64 "\t%s\n", name, begin, end, word);
}

/* Writes the unaligned letters, those of events and the rest apart. */
cla_status write_compare_unaligned(const compare_job *job, bool query) {
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  size_t rest = 0;
  for (size_t i = 0; i < side->interval_count && !ferror(job->file); i++) {
    const cla_interval *it = &side->intervals[i];
    const char *name = compare_name(job, query, it->record);
    int64_t at = it->begin;
    for (; rest < side->rest_count && side->rests[rest].record == it->record &&
           side->rests[rest].begin < it->end;
         rest++) {
      print_unaligned(name, at, side->rests[rest].begin, "event", job->file);
      at = side->rests[rest].end;
      print_unaligned(name, side->rests[rest].begin, at, "rest", job->file);
    }
    print_unaligned(name, at, it->end, "event", job->file);
  }
  return CLA_OK;
}

static int compare_intervals(const void *left, const void *right) {
  const cla_interval *one = left, *other = right;
  if (one->record != other->record) return one->record < other->record ? -1 : 1;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

/* The target's letters that are listed. */
typedef struct letter_list {
  cla_interval *parts; /* owned */
  int64_t count, capacity;
} letter_list;

/* Adds letters, unless there are none. */
static cla_status add_letters(letter_list *list, size_t record, int64_t begin, int64_t end,
                              cla_error *error) {
  if (begin == end) return CLA_OK;
  cla_status status =
      ALLOCATE_GROW(&list->parts, &list->capacity, list->count + 1, "callable letters", error);
  if (status == CLA_OK) list->parts[list->count++] = (cla_interval){record, begin, end};
  return status;
}

/* Adds the letters of a piece with margins of at least mask_below. */
static cla_status add_certain(letter_list *list, const compare_job *job, const cla_block *block, size_t piece,
                              cla_error *error) {
  const cla_alignment *alignment = block->pieces[piece];
  const int64_t *margin = block->certificates[piece]->margins;
  const int64_t units = larger(alignment->scoring.units, 1);
  int64_t at = alignment->target.start, begin = at;
  cla_status status = CLA_OK;
  for (size_t r = 0; r < alignment->run_count; r++) {
    const cla_run *run = &alignment->runs[r];
    for (int64_t i = 0; i < run->length && status == CLA_OK; i++, margin++) {
      if (run->kind == CLA_RUN_QUERY) continue;
      if (*margin * CLA_UNITS_LIMIT < job->mask_below * units) {
        status = add_letters(list, block->target, begin, at, error);
        begin = at + 1;
      }
      at++;
    }
  }
  return status == CLA_OK ? add_letters(list, block->target, begin, at, error) : status;
}

/* Writes the target's letters from the first to the last pair of each primary piece. The letters in its
 * gaps are included, because a gap is a known difference. With mask_below, uncertain letters are left out. */
cla_status write_compare_callable(const compare_job *job, cla_error *error) {
  const cla_comparison *comparison = job->comparison;
  letter_list list = {.parts = NULL};
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count; b++) {
    const cla_block *block = &comparison->blocks[b];
    for (size_t p = 0; block->role == CLA_BLOCK_PRIMARY && p < block->piece_count && status == CLA_OK; p++) {
      const cla_side *target = &block->pieces[p]->target;
      status = job->mask_below > 0 && block->certificates
                   ? add_certain(&list, job, block, p, error)
                   : add_letters(&list, block->target, target->start, target->stop, error);
    }
  }
  cla_interval *parts = list.parts;
  const int64_t count = list.count;
  if (status == CLA_OK && count > 0) qsort(parts, (size_t)count, sizeof *parts, compare_intervals);
  for (int64_t i = 0, after; i < count && status == CLA_OK; i = after) {
    int64_t end = parts[i].end;
    for (after = i + 1; after < count && parts[after].record == parts[i].record && parts[after].begin <= end;
         after++)
      if (parts[after].end > end) end = parts[after].end;
    fprintf(job->file, "%s\t%" PRId64 "\t%" PRId64 "\n", compare_name(job, false, parts[i].record),
            parts[i].begin, end);
  }
  free(parts);
  return status;
}
