/* Writes the summary for readers: first what a biologist wants to know, last the facts about the
 * computation. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "compare/compare_texts.h"
#include "compare/events/events_internal.h"

#define LABEL_COLUMNS 16
#define LARGEST 10      /* maximum number of events that are listed */
#define RECORDS_MOST 12 /* maximum number of query records that are listed */
#define NUMBER_SIZE 32

/* Writes a number with commas: 1,234,567. */
static const char *grouped(char text[NUMBER_SIZE], int64_t number) {
  char plain[NUMBER_SIZE];
  const int length = snprintf(plain, sizeof plain, "%" PRId64, number);
  char *to = text;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
    *to++ = plain[i];
  }
  *to = 0;
  return text;
}

static void print_label(const compare_job *job, const char *label) {
  fprintf(job->file, "%-*s", LABEL_COLUMNS, label);
}

static void print_genome(const compare_job *job, bool query) {
  const cla_genome *genome = query ? &job->comparison->query : &job->comparison->target;
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  char letters[NUMBER_SIZE];
  print_label(job, query ? "query" : "target");
  grouped(letters, side->letters);
  if (genome->count == 1)
    fprintf(job->file, "%s, %s letters\n", compare_name(job, query, 0), letters);
  else
    fprintf(job->file, "%zu records, %s letters; the first one is %s\n", genome->count, letters,
            compare_name(job, query, 0));
}

static void print_shared(const compare_job *job, bool query) {
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  char shared[NUMBER_SIZE], unaligned[NUMBER_SIZE], longest[NUMBER_SIZE];
  print_label(job, query ? "shared query" : "shared target");
  fprintf(job->file, "%.2f %%, %s letters; %s unaligned", compare_percent(side->shared, side->letters),
          grouped(shared, side->shared), grouped(unaligned, side->unaligned));
  if (side->longest >= 0) {
    const cla_interval *it = &side->intervals[side->longest];
    fprintf(job->file, ", at most %s in one place (%s:%" PRId64 "-%" PRId64 ")",
            grouped(longest, it->end - it->begin), compare_name(job, query, it->record), it->begin + 1,
            it->end);
  }
  fputc('\n', job->file);
}

/* Prints where the letters are that are not shared. */
static void print_rest(const compare_job *job, bool query) {
  const cla_side_letters *side = query ? &job->events->query : &job->events->target;
  char events[NUMBER_SIZE], gaps[NUMBER_SIZE], rest[NUMBER_SIZE];
  print_label(job, query ? "rest of query" : "rest of target");
  fprintf(job->file, "%s letters in events, %s in short gaps, %s between alignments\n",
          grouped(events, side->in_events), grouped(gaps, side->in_gaps), grouped(rest, side->rest));
}

static void print_variants(const compare_job *job) {
  const cla_variant_counts *it = &job->events->variants;
  char matches[NUMBER_SIZE], pairs[NUMBER_SIZE], number[NUMBER_SIZE];
  print_label(job, "identity");
  fprintf(job->file, "%.2f %%: %s of %s pairs of letters\n",
          compare_percent(it->matches, it->matches + it->mismatches), grouped(matches, it->matches),
          grouped(pairs, it->matches + it->mismatches));
  print_label(job, "SNPs");
  fprintf(job->file, "%s\n", grouped(number, it->mismatches));
  for (int deletions = 0; deletions < 2; deletions++) {
    print_label(job, deletions ? "small losses" : "small inserts");
    for (int i = 0; i < CLA_INDEL_CLASSES; i++)
      fprintf(job->file, "%s%s of %s", i > 0 ? ", " : "",
              grouped(number, deletions ? it->deletions[i] : it->insertions[i]), indel_class_names[i]);
    fputs(" letters\n", job->file);
  }
}

/* Writes how many of the small differences are certain, if that is known. */
static void print_certainty(const compare_job *job) {
  certainty_counts it;
  char number[5][NUMBER_SIZE];
  if (!certainty_count(&it, job->comparison)) return;
  print_label(job, "certain");
  fprintf(job->file,
          "%.2f %% of the columns are in all best alignments; %s of %s SNPs and %s of %s gaps could be "
          "otherwise\n",
          compare_percent(it.columns - it.ambiguous_columns, it.columns),
          grouped(number[0], it.ambiguous_snps), grouped(number[1], job->events->variants.mismatches),
          grouped(number[2], it.ambiguous_gaps), grouped(number[3], it.gaps));
  print_label(job, "");
  fprintf(job->file, "%s more of the gaps can only move over equal letters",
          grouped(number[0], it.moving_gaps));
  if (it.longest_letters > 0)
    fprintf(job->file,
            "; %s parts have other alignments, the longest %s letters (%s:%" PRId64 "-%" PRId64 ")",
            grouped(number[1], it.alternatives), grouped(number[2], it.longest_letters),
            compare_name(job, false, it.longest.record), it.longest.begin + 1, it.longest.end);
  fputc('\n', job->file);
}

static void print_kinds(const compare_job *job, const char *label, cla_event_kind one, cla_event_kind other,
                        const char *other_word) {
  const cla_events *events = job->events;
  char count[NUMBER_SIZE], letters[NUMBER_SIZE], others[NUMBER_SIZE];
  const size_t second = other == one ? 0 : events->counts[other];
  const int64_t all = events->letters[one] + (other == one ? 0 : events->letters[other]);
  print_label(job, label);
  fputs(grouped(count, (int64_t)(events->counts[one] + second)), job->file);
  if (second > 0) fprintf(job->file, " (%s %s)", grouped(others, (int64_t)second), other_word);
  if (events->counts[one] + second > 0) fprintf(job->file, ", %s letters", grouped(letters, all));
  fputc('\n', job->file);
}

/* Prints the ends of contigs, if there are any. */
static void print_contig_ends(const compare_job *job) {
  char count[NUMBER_SIZE], numbers[2][NUMBER_SIZE];
  int64_t letters[2] = {0, 0};
  if (job->events->counts[CLA_EVENT_CONTIG_END] == 0) return;
  for (size_t i = 0; i < job->events->count; i++) {
    const cla_event *it = &job->events->items[i];
    if (it->kind != CLA_EVENT_CONTIG_END) continue;
    letters[0] += it->query_end - it->query_begin;
    letters[1] += it->target_end - it->target_begin;
  }
  print_label(job, "contig ends");
  fprintf(job->file, "%s, no differences: %s letters of the query, %s of the target\n",
          grouped(count, (int64_t)job->events->counts[CLA_EVENT_CONTIG_END]), grouped(numbers[0], letters[0]),
          grouped(numbers[1], letters[1]));
}

static void print_events(const compare_job *job) {
  char label[NUMBER_SIZE];
  print_kinds(job, "inversions", CLA_EVENT_INVERSION, CLA_EVENT_INVERSION, "");
  print_kinds(job, "translocations", CLA_EVENT_TRANSLOCATION, CLA_EVENT_INVERTED_TRANSLOCATION, "inverted");
  print_kinds(job, "relocations", CLA_EVENT_RELOCATION, CLA_EVENT_INVERTED_RELOCATION, "inverted");
  print_kinds(job, "duplications", CLA_EVENT_DUPLICATION, CLA_EVENT_TANDEM_DUPLICATION, "tandem");
  print_kinds(job, "lost copies", CLA_EVENT_LOST_COPY, CLA_EVENT_LOST_TANDEM_COPY, "tandem");
  print_kinds(job, "insertions", CLA_EVENT_INSERTION, CLA_EVENT_INSERTION, "");
  print_kinds(job, "losses", CLA_EVENT_DELETION, CLA_EVENT_DELETION, "");
  print_kinds(job, "replacements", CLA_EVENT_REPLACEMENT, CLA_EVENT_REPLACEMENT, "");
  print_contig_ends(job);
  snprintf(label, sizeof label, "%" PRId64, job->events->least);
  print_label(job, "");
  fprintf(job->file, "all of these of at least %s letters\n", label);
}

/* Prints a place as NAME:FROM-TO, counted from 1, or between two letters as NAME:AFTER^BEFORE. */
static void print_place(const compare_job *job, bool query, const cla_event *it) {
  const size_t record = query ? it->query : it->target;
  const int64_t begin = query ? it->query_begin : it->target_begin;
  const int64_t end = query ? it->query_end : it->target_end;
  if (record == CLA_NO_RECORD)
    fputs("no counterpart", job->file);
  else if (begin == end)
    fprintf(job->file, "%s:%" PRId64 "^%" PRId64, compare_name(job, query, record), begin, begin + 1);
  else
    fprintf(job->file, "%s:%" PRId64 "-%" PRId64, compare_name(job, query, record), begin + 1, end);
}

static int compare_sizes(const void *left, const void *right, void *items) {
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const int64_t one = ((const cla_event *)items)[a].letters, other = ((const cla_event *)items)[b].letters;
  if (one != other) return one > other ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Lists the largest events, without the ends of contigs. */
static cla_status print_largest(const compare_job *job, cla_error *error) {
  const cla_events *events = job->events;
  size_t *order = NULL, count = 0;
  char letters[NUMBER_SIZE];
  cla_status status = ALLOCATE_ARRAY(&order, (int64_t)events->count, "a comparison's events", error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < events->count; i++)
    if (events->items[i].kind != CLA_EVENT_CONTIG_END) order[count++] = i;
  if (count > 0) {
    qsort_r(order, count, sizeof *order, compare_sizes, events->items);
    fprintf(job->file, "\nlargest of %zu events, target | query\n", count);
  }
  for (size_t i = 0; i < count && i < LARGEST; i++) {
    const cla_event *it = &events->items[order[i]];
    fprintf(job->file, "  %10s  %-22s ", grouped(letters, it->letters), cla_event_kind_name(it->kind));
    print_place(job, false, it);
    fputs(" | ", job->file);
    print_place(job, true, it);
    fputs(it->strand == CLA_STRAND_REVERSE ? " -\n" : " +\n", job->file);
  }
  free(order);
  return CLA_OK;
}

static void print_record(const compare_job *job, size_t record) {
  const cla_homology *it = &job->events->homologies[record];
  char letters[NUMBER_SIZE], rotation[NUMBER_SIZE];
  fprintf(job->file, "  %s", compare_name(job, true, record));
  if (it->target == CLA_NO_RECORD) {
    fputs(" has no counterpart\n", job->file);
    return;
  }
  fprintf(job->file, " is %s, %s strand, %s letters", compare_name(job, false, it->target),
          it->strand == CLA_STRAND_REVERSE ? "reverse" : "forward", grouped(letters, it->letters));
  if (it->rotated)
    fprintf(job->file, "; its letter %s is at the target's begin (a rotated circle, no event)",
            grouped(rotation, it->rotation + 1));
  fputc('\n', job->file);
}

static int compare_lengths(const void *left, const void *right, void *genome) {
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const int64_t one = genome_letters(genome, a), other = genome_letters(genome, b);
  if (one != other) return one > other ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Prints how many records have a counterpart, if some have none. */
static void print_placed(const compare_job *job) {
  const size_t count = job->comparison->query.count;
  int64_t placed = 0, letters = 0;
  char numbers[2][NUMBER_SIZE];
  for (size_t i = 0; i < count; i++) {
    if (job->events->homologies[i].target == CLA_NO_RECORD) continue;
    placed++;
    letters += genome_letters(&job->comparison->query, i);
  }
  if (placed < (int64_t)count)
    fprintf(job->file, "  %s of %s have a counterpart, with %.2f %% of all letters\n",
            grouped(numbers[0], placed), grouped(numbers[1], (int64_t)count),
            compare_percent(letters, job->events->query.letters));
}

/* Prints the records of the query: all in their order, or the longest of many. */
static cla_status print_records(const compare_job *job, cla_error *error) {
  const cla_genome *query = &job->comparison->query;
  const bool many = query->count > RECORDS_MOST;
  size_t *order = NULL;
  cla_status status = ALLOCATE_ARRAY(&order, (int64_t)query->count, "the query's records", error);
  if (status != CLA_OK) return status;
  for (size_t i = 0; i < query->count; i++) order[i] = i;
  if (many) qsort_r(order, query->count, sizeof *order, compare_lengths, (void *)query);
  fprintf(job->file, "\nrecords of the query%s\n", many ? ", the longest first" : "");
  print_placed(job);
  for (size_t i = 0; i < query->count && i < RECORDS_MOST; i++) print_record(job, order[i]);
  if (many) fprintf(job->file, "  and %zu more (compare.json)\n", query->count - RECORDS_MOST);
  free(order);
  return CLA_OK;
}

static void print_engine(const compare_job *job) {
  const cla_comparison *it = job->comparison;
  size_t blocks = 0, pieces = 0;
  for (size_t b = 0; b < it->block_count; b++) {
    blocks += it->blocks[b].role == CLA_BLOCK_PRIMARY;
    pieces += it->blocks[b].role == CLA_BLOCK_PRIMARY ? it->blocks[b].piece_count : 0;
  }
  fprintf(
      job->file,
      "\nengine: %zu primary blocks of %zu with %zu exact alignments; words of %d letters; blocks %.2f s, "
      "ends %.2f s, alignments %.2f s\n",
      blocks, it->block_count, pieces, it->word_letters, it->seconds[0], it->seconds[1], it->seconds[2]);
}

cla_status write_compare_summary(const compare_job *job, cla_error *error) {
  print_genome(job, true);
  print_genome(job, false);
  print_shared(job, true);
  print_shared(job, false);
  print_rest(job, true);
  print_rest(job, false);
  print_variants(job);
  print_certainty(job);
  print_events(job);
  cla_status status = print_largest(job, error);
  if (status != CLA_OK) return status;
  if (job->comparison->block_count == 0)
    fputs(
        "\nno block: the genomes have no chain of exact matches with --least-block letters; 'clalign align' "
        "aligns distant relatives\n",
        job->file);
  status = print_records(job, error);
  if (status != CLA_OK) return status;
  print_engine(job);
  return CLA_OK;
}
