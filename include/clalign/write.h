#ifndef CLALIGN_WRITE_H
#define CLALIGN_WRITE_H

#include <stdio.h>

#include "clalign/alignment.h"

typedef enum cla_format {
  CLA_FORMAT_JSON, /* one object a line, one per alignment: docs/formats.md */
  CLA_FORMAT_PAIR, /* text in blocks, as EMBOSS' pair */
  CLA_FORMAT_PAF,
  CLA_FORMAT_SAM,
  CLA_FORMAT_CIGAR, /* =XID, one line per alignment */
} cla_format;

/* Finds a format by its name ("json", "pair", "paf", "sam", "cigar"); CLA_ERROR_OPTION lists the names. */
cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error);

typedef struct cla_write_options {
  const char *command; /* command line for headers that carry one (SAM's @PG, pair's head); NULL: none */
} cla_write_options;

/* Writes `count` alignments of the same two sequences to `file` (flushed, not closed). `options` may be
 * NULL. Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, CLA_ERROR_OPTION (a format that needs a path, for an
 * alignment without one: all but JSON). */
cla_status cla_write(FILE *file, cla_format format, const cla_alignment *const *alignments, size_t count,
                     const cla_sequence *query, const cla_sequence *target, const cla_write_options *options,
                     cla_error *error);

/* The same to a file: a temporary one beside it, renamed when complete, so that nothing partial ever
 * stands under `path`. */
cla_status cla_write_file(const char *path, cla_format format, const cla_alignment *const *alignments,
                          size_t count, const cla_sequence *query, const cla_sequence *target,
                          const cla_write_options *options, cla_error *error);

#endif
