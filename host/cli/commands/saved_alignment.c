#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/saved_alignment.h"
#include "cli/report/report.h"

void saved_alignment_free(saved_alignment *saved) {
  cla_sequence_free(saved->query);
  cla_sequence_free(saved->target);
  cla_alignments_free(saved->items, saved->count);
  memset(saved, 0, sizeof *saved);
}

static bool same_sequence(const cla_side *a, const cla_side *b) {
  return strcmp(a->name, b->name) == 0 && memcmp(a->checksum, b->checksum, sizeof a->checksum) == 0;
}

cla_status saved_alignment_load(saved_alignment *saved, const char *path, cla_error *error) {
  saved->path = path;
  cla_status status = cla_alignment_load(&saved->items, &saved->count, path, error);
  if (status != CLA_OK) return status;
  const cla_alignment *first = saved->items[0];
  for (size_t i = 1; i < saved->count; i++)
    if (first->alphabet != saved->items[i]->alphabet ||
        strcmp(first->scoring.letters, saved->items[i]->scoring.letters) != 0 ||
        !same_sequence(&first->query, &saved->items[i]->query) ||
        !same_sequence(&first->target, &saved->items[i]->target))
      return cli_error(error, CLA_ERROR_INPUT,
                       "%s holds alignments of different pairs; this version reads files of one pair", path);
  return CLA_OK;
}

bool saved_alignment_has_path(const saved_alignment *saved) {
  for (size_t i = 0; i < saved->count; i++)
    if (!saved->items[i]->has_path) return false;
  return true;
}

static cla_status read_one(cla_sequence **out, const saved_alignment *saved, const char *location,
                           bool from_file, cla_error *error) {
  bool was_stdin = location[0] == '-' && (location[1] == '\0' || location[1] == ':');
  if (from_file && (!location[0] || was_stdin))
    return cli_error(error, CLA_ERROR_INPUT,
                     "%s does not say in which file its sequences are; give QUERY and TARGET", saved->path);
  const cla_alignment *first = saved->items[0];
  const cla_sequence_options how = {.known = true,
                                    .alphabet = first->alphabet,
                                    .own = first->scoring.letters,
                                    .qualities = true,
                                    .keep_case = saved->keep_case,
                                    .allow_empty = first->query.length == 0 || first->target.length == 0};
  cla_status status = cla_sequence_read_with(out, location, &how, error);
  if (status == CLA_ERROR_INPUT && from_file)
    cli_error_append(error, "; or give QUERY and TARGET after the .cla file");
  return status;
}

cla_status saved_alignment_read(saved_alignment *saved, const char *query, const char *target, bool from_file,
                                cla_error *error) {
  cla_status status = read_one(&saved->query, saved, query, from_file, error);
  if (status == CLA_OK) status = read_one(&saved->target, saved, target, from_file, error);
  return status;
}

cla_status saved_alignment_verify(const saved_alignment *saved, cla_error *error) {
  for (size_t i = 0; i < saved->count; i++) {
    cla_error reason = {.status = CLA_OK};
    cla_status status = cla_alignment_verify(saved->items[i], saved->query, saved->target, &reason);
    if (status != CLA_OK) return cli_error(error, status, "%s: %.1900s", saved->path, reason.message);
  }
  return CLA_OK;
}

cla_status saved_alignment_place_gaps(saved_alignment *saved, cla_gap_placement placement, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; i < saved->count && status == CLA_OK; i++)
    status = cla_alignment_place_gaps(saved->items[i], placement, saved->query, saved->target, error);
  return status;
}

/* Appends the pieces, if any, to `all` and takes them over. */
static cla_status add_pieces(saved_alignment *all, cla_results *pieces, cla_error *error) {
  void *memory = realloc(all->items, (all->count + pieces->count + 1) * sizeof *all->items);
  if (!memory) {
    cla_results_free(pieces);
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the pieces; free some memory");
  }
  all->items = memory;
  for (size_t i = 0; i < pieces->count; i++)
    all->items[all->count++] = (cla_alignment *)pieces->alignments[i];
  free((void *)pieces->alignments);
  return CLA_OK;
}

static int by_score(const void *a, const void *b) {
  const cla_alignment *first = *(cla_alignment *const *)a, *second = *(cla_alignment *const *)b;
  if (first->score != second->score) return first->score > second->score ? -1 : 1;
  return (first->target.start > second->target.start) - (first->target.start < second->target.start);
}

cla_status saved_alignment_split(saved_alignment *saved, int64_t drop, cla_error *error) {
  saved_alignment all = {0};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < saved->count && status == CLA_OK; i++) {
    cla_results pieces;
    status = cla_alignment_split(&pieces, saved->items[i], drop, saved->query, saved->target, error);
    if (status == CLA_OK) status = add_pieces(&all, &pieces, error);
  }
  if (status == CLA_OK && all.count == 0)
    status =
        cli_error(error, CLA_ERROR_INPUT,
                  "no part of %s scores more than where it is cut; give a smaller --split-drop", saved->path);
  if (status != CLA_OK) {
    cla_alignments_free(all.items, all.count);
    return status;
  }
  if (all.items) qsort(all.items, all.count, sizeof *all.items, by_score);
  cla_alignments_free(saved->items, saved->count);
  saved->items = all.items;
  saved->count = all.count;
  return CLA_OK;
}

cla_status saved_alignment_cut(saved_alignment *saved, const cli_region *region, cla_error *error) {
  const cla_alignment *first = saved->items[0];
  const cla_side *side = region->side == CLA_SIDE_QUERY ? &first->query : &first->target;
  const cla_side_range range = {region->side, region->begin, region->end < 0 ? side->length : region->end};
  const int64_t start = side->start, stop = side->stop;
  size_t kept = 0;
  for (size_t i = 0; i < saved->count; i++) {
    cla_alignment *part = NULL;
    cla_status status =
        cla_alignment_part(&part, saved->items[i], &range, saved->query, saved->target, error);
    if (status != CLA_OK) return status;
    cla_alignment_free(saved->items[i]);
    saved->items[i] = NULL;
    if (part) saved->items[kept++] = part;
  }
  saved->count = kept;
  if (kept > 0) return CLA_OK;
  return cli_error(error, CLA_ERROR_INPUT,
                   "%s pairs no letter of %s; its first alignment has %" PRId64 "-%" PRId64 " there",
                   saved->path, region->text, start + 1, stop);
}

const cla_alignment *const *saved_alignment_list(const saved_alignment *saved) {
  return (const cla_alignment *const *)saved->items;
}
