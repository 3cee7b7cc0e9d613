/* cla_records_plot: collects what is drawn of many pairs. */

#include "write/plots/records_plot.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"
#include "result/alignment.h"
#include "write/plots/plot_internal.h"

/* A gap is drawn if it has at least 1 / GAP_PART of the letters of both records; a shorter gap is less than a
 * point wide. */
#define GAP_PART 4000

cla_status cla_records_plot_begin(cla_records_plot **out, cla_error *error) {
  return ALLOCATE_ZEROS(out, 1, "a plot", error);
}

static void nothing(void *item) {
  (void)item;
}

static void free_records(plot_records *records) {
  tdestroy(records->tree, nothing);
  for (int64_t i = 0; i < records->count; i++) {
    free(records->items[i]->name);
    free(records->items[i]->head);
    free(records->items[i]->bins);
    free(records->items[i]->letters);
    free(records->items[i]);
  }
  free(records->items);
}

void cla_records_plot_free(cla_records_plot *plot) {
  if (!plot) return;
  free_records(&plot->queries);
  free_records(&plot->targets);
  for (int64_t i = 0; i < plot->count; i++) free(plot->hits[i].path);
  free(plot->features);
  free(plot->hits);
  free(plot->points);
  free(plot);
}

size_t cla_records_plot_alignments(const cla_records_plot *plot) {
  return (size_t)plot->count;
}

static int compare_records(const void *left, const void *right) {
  const plot_record *one = left, *other = right;
  const int order = memcmp(one->checksum, other->checksum, sizeof one->checksum);
  return order != 0 ? order : strcmp(one->name, other->name);
}

static cla_status no_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "no memory for a plot's records; free some");
}

/* Sets *out to the list's record that equals `record`. If there is none, adds `record`, which the list then
 * owns. */
static cla_status keep_record(plot_record **out, plot_records *records, plot_record *record,
                              cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&records->items, &records->capacity, records->count + 1, "a plot's records", error);
  if (status != CLA_OK) return status;
  plot_record **place = tsearch(record, &records->tree, compare_records);
  if (!place) return no_memory(error);
  *out = *place;
  if (*out != record) return CLA_OK;
  record->number = records->count;
  records->items[records->count++] = record;
  return CLA_OK;
}

static cla_status find_record(plot_record **out, plot_records *records, const cla_sequence *sequence,
                              cla_error *error) {
  plot_record *record = NULL;
  cla_status status = ALLOCATE_ZEROS(&record, 1, "a plot's record", error);
  if (status != CLA_OK) return status;
  *out = NULL;
  record->length = cla_sequence_length(sequence);
  cla_sequence_checksum(sequence, record->checksum);
  status = plot_name_clean(&record->name, cla_sequence_name(sequence), error);
  if (status == CLA_OK) status = plot_head_make(&record->head, sequence, record->name, error);
  if (status == CLA_OK) status = keep_record(out, records, record, error);
  if (*out == record) return CLA_OK;
  free(record->name);
  free(record->head);
  free(record);
  return status;
}

static cla_status add_point(cla_records_plot *plot, double query, double target, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&plot->points, &plot->point_capacity, plot->point_count + 1, "a plot's paths", error);
  if (status == CLA_OK) plot->points[plot->point_count++] = (path_point){(int64_t)query, (int64_t)target};
  return status;
}

/* Adds the ends of the path, and the ends of its long gaps. */
static cla_status add_points(cla_records_plot *plot, const cla_alignment *alignment, cla_error *error) {
  const double long_gap = (double)(alignment->query.length + alignment->target.length) / GAP_PART;
  plot_walk walk;
  plot_piece piece = {0};
  plot_walk_begin(&walk, alignment);
  cla_status status = add_point(plot, (double)walk.query, (double)walk.target, error);
  while (status == CLA_OK && plot_walk_next(&walk, &piece)) {
    const int64_t length = alignment->runs[walk.run - 1].length;
    if (piece.kind == CLA_RUN_PAIR || (double)length < long_gap) continue;
    status = add_point(plot, piece.query, piece.target, error);
    if (status == CLA_OK) status = add_point(plot, piece.to_query, piece.to_target, error);
  }
  return status == CLA_OK ? add_point(plot, (double)walk.query, (double)walk.target, error) : status;
}

static cla_status add_hit(cla_records_plot *plot, const cla_alignment *alignment, plot_record *query,
                          plot_record *target, cla_error *error) {
  const int64_t first = plot->point_count;
  if (!alignment->has_path || alignment->run_count == 0) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&plot->hits, &plot->capacity, plot->count + 1, "a plot's paths", error);
  if (status == CLA_OK) status = add_points(plot, alignment, error);
  if (status != CLA_OK) return status;
  plot->alphabet = alignment->alphabet;
  plot->hits[plot->count++] = (plot_hit){.query = query,
                                         .target = target,
                                         .first = first,
                                         .count = plot->point_count - first,
                                         .reverse = alignment->strand == CLA_STRAND_REVERSE,
                                         .score = alignment->score};
  return CLA_OK;
}

cla_status cla_records_plot_add(cla_records_plot *plot, const cla_alignment *const *alignments, size_t count,
                                const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  plot_record *row = NULL, *column = NULL;
  cla_status status = find_record(&row, &plot->queries, query, error);
  if (status == CLA_OK) status = find_record(&column, &plot->targets, target, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = add_hit(plot, alignments[i], row, column, error);
  return status;
}

/* Sets [*from, *to) to the range of a hit's letters on one side. */
static void hit_range(int64_t *from, int64_t *to, const cla_records_plot *plot, const plot_hit *hit,
                      bool query) {
  const path_point *first = &plot->points[hit->first], *last = first + hit->count - 1;
  const int64_t one = query ? first->query : first->target, other = query ? last->query : last->target;
  *from = smaller(one, other);
  *to = larger(one, other);
}

static void place_records(plot_records *records) {
  records->drawn = records->letters = 0;
  for (int64_t i = 0; i < records->count; i++) {
    plot_record *record = records->items[i];
    if (!record->drawn) continue;
    record->offset = records->letters;
    records->letters += record->length;
    records->drawn++;
  }
}

static int compare_places(const void *left, const void *right) {
  const plot_record *one = *(plot_record *const *)left, *other = *(plot_record *const *)right;
  if (one->place != other->place) return one->place < other->place ? -1 : 1;
  return one->number < other->number ? -1 : 1;
}

static query_hit *rank_hits(const cla_records_plot *plot, cla_error *error) {
  query_hit *ranked = NULL;
  if (ALLOCATE_ZEROS(&ranked, plot->count, "a plot's paths", error) != CLA_OK) return NULL;
  for (int64_t i = 0; i < plot->count; i++) {
    ranked[i] = (query_hit){
        .query = {{(uint64_t)plot->hits[i].query->number}}, .score = plot->hits[i].score, .order = i};
    hit_range(&ranked[i].from, &ranked[i].to, plot, &plot->hits[i], true);
  }
  query_hits_rank(ranked, plot->count);
  return ranked;
}

/* Orders the queries by their place on the targets, which is the middle of the query's best alignment. */
static void place_queries(cla_records_plot *plot, const query_hit *ranked) {
  for (int64_t i = 0; i < plot->count; i++) {
    plot_hit *hit = &plot->hits[ranked[i].order];
    int64_t from, to;
    hit->secondary = ranked[i].role == HIT_SECONDARY;
    if (ranked[i].role != HIT_PRIMARY) continue;
    hit_range(&from, &to, plot, hit, false);
    hit->query->drawn = true;
    hit->query->place = (double)hit->target->offset + ((double)from + (double)to) / 2;
  }
  qsort(plot->queries.items, (size_t)plot->queries.count, sizeof(plot_record *), compare_places);
  place_records(&plot->queries);
}

typedef struct letter_range {
  int64_t from, to;
} letter_range;

static int compare_ranges(const void *left, const void *right) {
  const letter_range *one = left, *other = right;
  return one->from < other->from ? -1 : one->from > other->from;
}

/* Returns the number of letters of an axis that are in any alignment. */
static int64_t count_covered(letter_range *ranges, const cla_records_plot *plot, bool query) {
  int64_t covered = 0, end = 0;
  for (int64_t i = 0; i < plot->count; i++) {
    const plot_hit *hit = &plot->hits[i];
    const int64_t offset = (query ? hit->query : hit->target)->offset;
    hit_range(&ranges[i].from, &ranges[i].to, plot, hit, query);
    ranges[i].from += offset;
    ranges[i].to += offset;
  }
  qsort(ranges, (size_t)plot->count, sizeof *ranges, compare_ranges);
  for (int64_t i = 0; i < plot->count; i++) {
    covered += larger(ranges[i].to - larger(ranges[i].from, end), 0);
    end = larger(end, ranges[i].to);
  }
  return covered;
}

/* Chooses the drawn records and their order, counts the covered letters, and finds the secondary alignments.
 * CLA_ERROR_MEMORY. */
static cla_status records_plot_arrange(cla_records_plot *plot, cla_error *error) {
  letter_range *ranges = NULL;
  query_hit *ranked = rank_hits(plot, error);
  if (!ranked) return CLA_ERROR_MEMORY;
  cla_status status = ALLOCATE_ARRAY(&ranges, plot->count, "a plot's paths", error);
  if (status == CLA_OK) {
    for (int64_t i = 0; i < plot->targets.count; i++) plot->targets.items[i]->drawn = true;
    place_records(&plot->targets);
    place_queries(plot, ranked);
    plot->queries.covered = count_covered(ranges, plot, true);
    plot->targets.covered = count_covered(ranges, plot, false);
  }
  free(ranges);
  free(ranked);
  return status;
}

static cla_status draw_to(FILE *file, const char *path, const cla_records_plot *plot,
                          const records_layout *layout, const cla_plot_options *options, cla_error *error) {
  plot_canvas *canvas = NULL;
  const plot_paper paper = {.width = layout->width, .height = layout->height};
  cla_status status = plot_canvas_open(&canvas, file, path, &paper, options, error);
  if (status != CLA_OK) return status;
  records_plot_draw(canvas, plot, layout, options);
  return plot_canvas_finish(canvas, error);
}

static cla_status write_page(FILE *file, const char *path, const cla_records_plot *plot,
                             const records_layout *layout, const cla_plot_options *options,
                             cla_error *error) {
  char *svg = NULL;
  size_t bytes = 0;
  FILE *memory = open_memstream(&svg, &bytes);
  if (!memory) return no_memory(error);
  cla_status status = draw_to(memory, path, plot, layout, options, error);
  const bool failed = ferror(memory) != 0;
  if ((fclose(memory) != 0 || failed) && status == CLA_OK) status = no_memory(error);
  if (status == CLA_OK) status = records_page_write(file, svg, plot, layout, error);
  free(svg);
  return status;
}

cla_status cla_records_plot_write(const char *path, cla_records_plot *plot, const cla_plot_options *options,
                                  cla_error *error) {
  records_layout layout;
  atomic_file *file = NULL;
  cla_status status = cla_plot_check(path, options, NULL, NULL, error);
  if (status == CLA_OK && plot->count == 0)
    status = error_set(error, CLA_ERROR_OPTION, "without an alignment there is nothing to plot");
  if (status == CLA_OK) status = records_plot_arrange(plot, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  records_plot_layout(&layout, plot, options);
  status = (plot_is_page(path) ? write_page : draw_to)(atomic_file_stream(file), path, plot, &layout, options,
                                                       error);
  if (status == CLA_OK) return atomic_file_commit(file, error);
  atomic_file_discard(file);
  return status;
}
