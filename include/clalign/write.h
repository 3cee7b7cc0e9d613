#ifndef CLALIGN_WRITE_H
#define CLALIGN_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/alignment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An output format. */
typedef enum cla_format {
  CLA_FORMAT_JSON,    /* one object a line, one per alignment: docs/formats.md */
  CLA_FORMAT_PAIR,    /* text in blocks, as EMBOSS' pair */
  CLA_FORMAT_PAF,     /* with cg, and cs for DNA */
  CLA_FORMAT_SAM,     /* DNA only */
  CLA_FORMAT_CIGAR,   /* =XID, one line per alignment */
  CLA_FORMAT_BAM,     /* SAM, binary and compressed */
  CLA_FORMAT_BLAST,   /* BLAST's table of twelve columns (outfmt 6) */
  CLA_FORMAT_BLAST7,  /* the same with lines of comments (outfmt 7) */
  CLA_FORMAT_MAF,     /* Multiple Alignment Format */
  CLA_FORMAT_SRSPAIR, /* text in blocks, as EMBOSS' srspair */
  CLA_FORMAT_FASTA,   /* two records per alignment, with gaps */
  CLA_FORMAT_CHAIN,   /* UCSC's chain, for liftover from the target to the query */
  CLA_FORMAT_VCF,     /* the differences, with the target as reference; DNA only */
  CLA_FORMAT_CLA,     /* the binary alignment, docs/format-cla.md */
} cla_format;

/* How many formats there are. */
#define CLA_FORMAT_COUNT 14

/* What a format is called and can hold. */
typedef struct cla_format_facts {
  const char *name;   /* static */
  bool needs_path;    /* not for alignments of score_only */
  bool dna_only;      /* not for proteins or own letters */
  bool binary;        /* not for a terminal */
  bool one_only;      /* not for several alignments */
  bool needs_one;     /* not without any alignment */
  bool along_records; /* not for an alignment across the origin of a circular sequence: positions are along
                         the records as they are */
} cla_format_facts;

/* Static; NULL if there is no such format. */
const cla_format_facts *cla_format_describe(cla_format format);

/* Finds a format by its name; CLA_ERROR_OPTION lists the names. */
cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error);

/* What else is written; zero: nothing. */
typedef struct cla_write_options {
  const char *command; /* command line for headers that carry one (SAM's @PG, pair's head); NULL: none */
} cla_write_options;

/* Writes `count` alignments of the same two sequences to `file` (flushed, not closed). `options` may be
 * NULL. Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, CLA_ERROR_OPTION (what the format cannot hold; nothing is
 * written then). */
cla_status cla_write(FILE *file, cla_format format, const cla_alignment *const *alignments, size_t count,
                     const cla_sequence *query, const cla_sequence *target, const cla_write_options *options,
                     cla_error *error);

/* The same to a file: a temporary one beside it, renamed when complete, so that nothing partial ever
 * stands under `path`. */
cla_status cla_write_file(const char *path, cla_format format, const cla_alignment *const *alignments,
                          size_t count, const cla_sequence *query, const cla_sequence *target,
                          const cla_write_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
