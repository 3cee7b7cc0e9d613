/* Writes the polygons of a plane of two costs (docs/formats.md). */

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/files.h"
#include "scoring/score_table.h"
#include "write/plots/plot_internal.h"

/* A fraction without a common divisor. */
typedef struct plane_value {
  int64_t number, one; /* one >= 1 */
} plane_value;

/* Returns number / one units of the scheme in points. */
static plane_value plane_value_make(int64_t number, int64_t one, const cla_scoring *scoring) {
  const int64_t units = scoring_units(scoring), shared = common_divisor(units, number);
  const int64_t divisor = common_divisor(one, number / shared);
  return (plane_value){number / shared / divisor, one / divisor * (units / shared)};
}

static json_t *json_value(int64_t number, int64_t one, const cla_scoring *scoring) {
  const plane_value value = plane_value_make(number, one, scoring);
  return json_pack("[I,I]", (json_int_t)value.number, (json_int_t)value.one);
}

static json_t *json_corners(const cla_cost_polygon *polygon, const cla_scoring *scoring) {
  json_t *corners = json_array();
  for (int64_t i = 0; i < polygon->corner_count; i++) {
    const cla_cost_corner *corner = &polygon->corners[i];
    json_array_append_new(
        corners, json_pack("{s:o,s:o,s:b}", "x", json_value(corner->number[0], corner->one, scoring), "y",
                           json_value(corner->number[1], corner->one, scoring), "exact", corner->exact));
  }
  return corners;
}

static json_t *json_polygon(const cla_cost_polygon *polygon, const cla_cost_box *box,
                            const cla_scoring *scoring) {
  return json_pack("{s:b,s:I,s:I,s:I,s:I,s:{s:o,s:I,s:I},s:o}", "own", polygon->own, "matches",
                   (json_int_t)polygon->matches, "mismatches", (json_int_t)polygon->mismatches, "gap_opens",
                   (json_int_t)polygon->gap_opens, "gap_letters", (json_int_t)polygon->gap_letters, "score",
                   "constant", json_value(polygon->base, 1, scoring), cla_cost_name(box->costs[0]),
                   (json_int_t)polygon->slopes[0], cla_cost_name(box->costs[1]),
                   (json_int_t)polygon->slopes[1], "corners", json_corners(polygon, scoring));
}

static json_t *json_axis(const cla_cost_box *box, int axis, const cla_scoring *scoring) {
  return json_pack("{s:s,s:o,s:o}", "cost", cla_cost_name(box->costs[axis]), "from",
                   json_value(box->low[axis], box->one, scoring), "to",
                   json_value(box->high[axis], box->one, scoring));
}

static cla_status plane_json_write(FILE *file, const cla_cost_plane *plane, const cla_alignment *alignment,
                                   cla_error *error) {
  const cla_scoring *scoring = &alignment->scoring;
  char *names[2] = {NULL, NULL};
  json_t *polygons = NULL, *all = NULL;
  cla_status status = plot_name_clean(&names[0], alignment->query.name, error);
  if (status == CLA_OK) status = plot_name_clean(&names[1], alignment->target.name, error);
  if (status != CLA_OK) goto done;
  polygons = json_array();
  for (int64_t i = 0; i < plane->count; i++)
    json_array_append_new(polygons, json_polygon(&plane->polygons[i], &plane->box, scoring));
  all = json_pack("{s:s,s:s,s:o,s:o,s:b,s:f,s:I,s:I,s:o}", "query", names[0], "target", names[1], "x",
                  json_axis(&plane->box, 0, scoring), "y", json_axis(&plane->box, 1, scoring), "exact",
                  plane->exact, "beside", plane->beside / scoring_units(scoring), "alignments",
                  (json_int_t)plane->alignments, "own", (json_int_t)plane->own, "polygons", polygons);
  if (all)
    json_dumpf(all, file, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
  else
    status = error_set(error, CLA_ERROR_MEMORY, "out of memory for polygons as JSON; write .tsv instead");
  fputc('\n', file);
  json_decref(all);
done:
  free(names[0]);
  free(names[1]);
  return status;
}

static void put_value(FILE *file, int64_t number, int64_t one, const cla_scoring *scoring) {
  const plane_value value = plane_value_make(number, one, scoring);
  fprintf(file, "%" PRId64, value.number);
  if (value.one != 1) fprintf(file, "/%" PRId64, value.one);
}

static void plane_tsv_write(FILE *file, const cla_cost_plane *plane, const cla_alignment *alignment) {
  const cla_scoring *scoring = &alignment->scoring;
  const char *x = cla_cost_name(plane->box.costs[0]), *y = cla_cost_name(plane->box.costs[1]);
  fprintf(file,
          "#polygon\town\tmatches\tmismatches\tgap_opens\tgap_letters\tconstant\tper_%s\tper_%s\texact\t"
          "corners:%s,%s\n",
          x, y, x, y);
  for (int64_t i = 0; i < plane->count; i++) {
    const cla_cost_polygon *p = &plane->polygons[i];
    bool exact = true;
    for (int64_t k = 0; k < p->corner_count; k++) exact = exact && p->corners[k].exact;
    fprintf(file, "%" PRId64 "\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t", i + 1, p->own,
            p->matches, p->mismatches, p->gap_opens, p->gap_letters);
    put_value(file, p->base, 1, scoring);
    fprintf(file, "\t%" PRId64 "\t%" PRId64 "\t%d\t", p->slopes[0], p->slopes[1], exact);
    for (int64_t k = 0; k < p->corner_count; k++) {
      if (k > 0) fputc(';', file);
      put_value(file, p->corners[k].number[0], p->corners[k].one, scoring);
      fputc(',', file);
      put_value(file, p->corners[k].number[1], p->corners[k].one, scoring);
    }
    fputc('\n', file);
  }
}

/* The kinds of files. */
typedef enum plane_kind { PLANE_NONE, PLANE_JSON, PLANE_TSV, PLANE_PICTURE } plane_kind;

static plane_kind kind_of(const char *path) {
  if (path_ends_in(path, ".json")) return PLANE_JSON;
  if (path_ends_in(path, ".tsv")) return PLANE_TSV;
  const bool picture = path_ends_in(path, ".svg") || path_ends_in(path, ".png") || path_ends_in(path, ".pdf");
  return picture ? PLANE_PICTURE : PLANE_NONE;
}

cla_status cla_cost_plane_check(const char *path, const cla_plot_options *options, cla_error *error) {
  if (kind_of(path) == PLANE_NONE)
    return error_set(
        error, CLA_ERROR_OPTION,
        "cannot tell from the name %.1024s what kind of file is wanted for a plane of two costs; "
        "end it in .svg, .png, .pdf, .json or .tsv",
        path);
  return options ? plot_sizes_check(options, error) : CLA_OK;
}

cla_status cla_cost_plane_write(const char *path, const cla_cost_plane *plane, const cla_results *pair,
                                const cla_plot_options *options, cla_error *error) {
  atomic_file *file = NULL;
  cla_status status = cla_cost_plane_check(path, options, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  FILE *stream = atomic_file_stream(file);
  switch (kind_of(path)) {
    case PLANE_JSON: status = plane_json_write(stream, plane, pair->alignments[0], error); break;
    case PLANE_TSV: plane_tsv_write(stream, plane, pair->alignments[0]); break;
    default: status = plane_plot_draw(stream, path, plane, pair, options, error);
  }
  if (status == CLA_OK) return atomic_file_commit(file, error);
  atomic_file_discard(file);
  return status;
}
