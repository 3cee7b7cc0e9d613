/* Adds the alignments of two compared genomes to the picture of many records. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"
#include "write/plots/plot_internal.h"
#include "write/plots/records_plot.h"

/* Largest number of letters of all records in a page. */
#define RECORDS_LETTERS_MOST (INT64_C(16) << 20)

/* Stores a record's letters if there is room in the page. */
static cla_status keep_letters(cla_records_plot *plot, plot_record *record, const cla_sequence *sequence,
                               cla_error *error) {
  if (record->letters || record->length + plot->kept_letters > RECORDS_LETTERS_MOST) return CLA_OK;
  cla_status status = ALLOCATE_ARRAY(&record->letters, record->length + 1, "a plot's letters", error);
  if (status != CLA_OK) return status;
  cla_sequence_letters(record->letters, sequence, 0, record->length);
  record->letters[record->length] = 0;
  plot->kept_letters += record->length;
  return CLA_OK;
}

/* Stores the path as an extended CIGAR. */
static cla_status keep_path(plot_hit *hit, const cla_alignment *alignment, const cla_sequence *query,
                            const cla_sequence *target, cla_error *error) {
  size_t bytes = 0;
  cigar_reader reader;
  cigar_step step;
  FILE *file = open_memstream(&hit->path, &bytes);
  if (file) {
    cigar_reader_begin(&reader, alignment, query, target);
    while (cigar_reader_next(&reader, &step)) fprintf(file, "%lld%c", (long long)step.length, step.operation);
    if (fclose(file) == 0) return CLA_OK;
  }
  return error_set(error, CLA_ERROR_MEMORY, "no memory for a plot's paths; free some");
}

void cla_records_plot_keep_letters(cla_records_plot *plot) {
  plot->keep_letters = true;
}

cla_status cla_records_plot_add_as(cla_records_plot *plot, const cla_alignment *alignment, cla_plot_kind kind,
                                   const cla_sequence *query, const cla_sequence *target, cla_error *error) {
  const int64_t before = plot->count;
  cla_status status = path_check_fit(alignment, query, target, error);
  if (status == CLA_OK) status = cla_records_plot_add(plot, &alignment, 1, query, target, error);
  if (status != CLA_OK || plot->count == before || kind == CLA_PLOT_BY_STRAND) return status;
  plot_hit *hit = &plot->hits[before];
  hit->kind = kind;
  plot->strip = true;
  if (kind != CLA_PLOT_COPY) status = records_strip_add(hit->target, alignment, query, target, error);
  if (status != CLA_OK || !plot->keep_letters) return status;
  status = keep_letters(plot, hit->query, query, error);
  if (status == CLA_OK) status = keep_letters(plot, hit->target, target, error);
  return status == CLA_OK ? keep_path(hit, alignment, query, target, error) : status;
}

/* Returns the target of that name; NULL: none. The target of the last feature is tried first. */
static plot_record *find_target(const cla_records_plot *plot, const char *name) {
  plot_record *last = plot->feature_count > 0 ? plot->features[plot->feature_count - 1].target : NULL;
  if (last && strcmp(last->name, name) == 0) return last;
  for (int64_t i = 0; i < plot->targets.count; i++)
    if (strcmp(plot->targets.items[i]->name, name) == 0) return plot->targets.items[i];
  return NULL;
}

cla_status cla_records_plot_add_feature(bool *known, cla_records_plot *plot, const char *target,
                                        int64_t begin, int64_t end, bool reverse, cla_error *error) {
  plot_record *record = find_target(plot, target);
  *known = record != NULL;
  if (!record || begin < 0 || begin >= end || begin >= record->length) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&plot->features, &plot->feature_capacity, plot->feature_count + 1,
                                    "a plot's features", error);
  if (status == CLA_OK)
    plot->features[plot->feature_count++] =
        (plot_feature){record, begin, end < record->length ? end : record->length, reverse};
  return status;
}
