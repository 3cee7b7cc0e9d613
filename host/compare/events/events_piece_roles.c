/* Finds the roles of whole pieces, for pictures. */

#include <stdlib.h>

#include "base/allocate.h"
#include "compare/events/events_internal.h"

static cla_piece_role role_of(const segment *it) {
  if (it->role == SEGMENT_SYNTENIC) return CLA_PIECE_SYNTENIC;
  if (it->role == SEGMENT_INVERTED) return CLA_PIECE_INVERTED;
  return it->homologous ? CLA_PIECE_RELOCATED : CLA_PIECE_TRANSLOCATED;
}

/* Gives each piece of a primary block the role of its largest segment. */
static cla_status set_roles(event_finder *finder, size_t pieces, cla_error *error) {
  int64_t *most = NULL;
  cla_status status = ALLOCATE_ZEROS(&most, (int64_t)pieces, "the roles of alignments", error);
  for (size_t i = 0; i < finder->all.count && status == CLA_OK; i++) {
    const segment *it = &finder->all.items[i];
    const size_t piece = finder->out->first_pieces[it->block] + it->piece;
    if (it->letters <= most[piece]) continue;
    most[piece] = it->letters;
    finder->out->piece_roles[piece] = role_of(it);
  }
  free(most);
  return status;
}

cla_status events_list_piece_roles(event_finder *finder, cla_error *error) {
  const cla_comparison *comparison = finder->comparison;
  cla_events *out = finder->out;
  static const char what[] = "the roles of alignments";
  size_t pieces = 0;
  for (size_t b = 0; b < comparison->block_count; b++) pieces += comparison->blocks[b].piece_count;
  cla_status status = ALLOCATE_ARRAY(&out->piece_roles, (int64_t)pieces, what, error);
  if (status == CLA_OK)
    status = ALLOCATE_ARRAY(&out->first_pieces, (int64_t)comparison->block_count, what, error);
  if (status != CLA_OK) return status;
  pieces = 0;
  for (size_t b = 0; b < comparison->block_count; b++) {
    out->first_pieces[b] = pieces;
    for (size_t p = 0; p < comparison->blocks[b].piece_count; p++)
      out->piece_roles[pieces++] = CLA_PIECE_COPY;
  }
  return set_roles(finder, pieces, error);
}
