#ifndef HOST_CLI_COMMANDS_SAVED_ALIGNMENT_H
#define HOST_CLI_COMMANDS_SAVED_ALIGNMENT_H

#include <stdbool.h>

#include "clalign/alignment.h"
#include "cli/options/options.h"

/* A .cla file with the two sequences of its alignments. */
typedef struct saved_alignment {
  const char *path; /* the file's path, not owned */
  cla_alignment **items;
  size_t count;
  cla_sequence *query, *target;
  bool keep_case; /* true: the sequences keep the case of their letters */
} saved_alignment;

/* Frees the contents of a zeroed or loaded saved_alignment. */
void saved_alignment_free(saved_alignment *saved);

/* Loads the file into a zeroed `saved`. CLA_ERROR_INPUT also if its alignments belong to different pairs. */
cla_status saved_alignment_load(saved_alignment *saved, const char *path, cla_error *error);

/* True if every alignment has a path. */
bool saved_alignment_has_path(const saved_alignment *saved);

/* Reads both sequences. `from_file`: the locations come from the .cla file, so their files may no longer
 * exist; the error then explains how to give other locations. */
cla_status saved_alignment_read(saved_alignment *saved, const char *query, const char *target, bool from_file,
                                cla_error *error);

/* Calls cla_alignment_verify for each alignment; the message names the file. */
cla_status saved_alignment_verify(const saved_alignment *saved, cla_error *error);

/* Replaces all alignments, which must have paths, by their pieces (cla_alignment_split), best first.
 * CLA_ERROR_INPUT if there are no pieces. */
cla_status saved_alignment_split(saved_alignment *saved, int64_t drop, cla_error *error);

/* Calls cla_alignment_place_gaps for each alignment; all must have paths. */
cla_status saved_alignment_place_gaps(saved_alignment *saved, cla_gap_placement placement, cla_error *error);

/* Replaces each alignment by its cla_alignment_part in the region, and drops those without one; all must have
 * paths. CLA_ERROR_INPUT if none is left. */
cla_status saved_alignment_cut(saved_alignment *saved, const cli_region *region, cla_error *error);

/* Returns the alignments in the form that writers take. They are owned by `saved`. */
const cla_alignment *const *saved_alignment_list(const saved_alignment *saved);

#endif
