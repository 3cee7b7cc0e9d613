#ifndef HOST_CLI_COMMANDS_SAVED_ALIGNMENT_H
#define HOST_CLI_COMMANDS_SAVED_ALIGNMENT_H

#include <stdbool.h>

#include "clalign/alignment.h"
#include "cli/options/options.h"

/* A .cla file together with the two sequences that its alignments are about. */
typedef struct saved_alignment {
  const char *path; /* the file's path, not owned */
  cla_alignment **items;
  size_t count;
  cla_sequence *query, *target;
  bool keep_case; /* of their letters */
} saved_alignment;

/* Frees a zeroed or loaded saved_alignment. */
void saved_alignment_free(saved_alignment *saved);

/* Loads the file into a zeroed `saved`. CLA_ERROR_INPUT also if its alignments are of different pairs. */
cla_status saved_alignment_load(saved_alignment *saved, const char *path, cla_error *error);

/* Whether every alignment has a path. */
bool saved_alignment_has_path(const saved_alignment *saved);

/* Reads both sequences. `from_file` says that the locations are the file's own, which may be gone or never
 * were files: the error then says how to give others. */
cla_status saved_alignment_read(saved_alignment *saved, const char *query, const char *target, bool from_file,
                                cla_error *error);

/* cla_alignment_verify of each; the message names the file. */
cla_status saved_alignment_verify(const saved_alignment *saved, cla_error *error);

/* Replaces all alignments, which must have a path, by their pieces (cla_alignment_split), the best first.
 * CLA_ERROR_INPUT if there are none. */
cla_status saved_alignment_split(saved_alignment *saved, int64_t drop, cla_error *error);

/* cla_alignment_place_gaps of each; all have a path. */
cla_status saved_alignment_place_gaps(saved_alignment *saved, cla_gap_placement placement, cla_error *error);

/* Puts cla_alignment_part of each in its place, of those that have one; all have a path. CLA_ERROR_INPUT if
 * none has. */
cla_status saved_alignment_cut(saved_alignment *saved, const cli_region *region, cla_error *error);

/* The alignments as the writers take them; owned by `saved`. */
const cla_alignment *const *saved_alignment_list(const saved_alignment *saved);

#endif
