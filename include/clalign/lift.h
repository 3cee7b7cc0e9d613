#ifndef CLALIGN_LIFT_H
#define CLALIGN_LIFT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Annotations of one genome in the positions of another one (docs/lift.md). An alignment leads from its
 * targets to its queries, as UCSC's liftOver reads a chain file, or the other way. */

/* An alignment as a map of positions. It does not change; any number of threads may use it. */
typedef struct cla_lift cla_lift;

/* Reads the map from a file, plain or gzip: UCSC's chains, PAF with the tag cg:Z, or alignments that
 * cla_alignment_save has saved. Secondary alignments of PAF (tp:A:S) are passed over. reverse: from queries
 * to targets. Errors: CLA_ERROR_INPUT (missing, another format, damaged, without a path), CLA_ERROR_MEMORY.
 * End with cla_lift_close. */
cla_status cla_lift_open(cla_lift **out, const char *path, bool reverse, cla_error *error);

/* NULL is allowed. */
void cla_lift_close(cla_lift *lift);

/* How a feature fared. */
typedef enum cla_lift_fate {
  CLA_LIFT_DONE = 0, /* lifted */
  CLA_LIFT_NOWHERE,  /* no alignment passes over it */
  CLA_LIFT_DELETED,  /* an alignment passes over it, but none of its letters is paired */
  CLA_LIFT_PARTLY,   /* too few of its letters are paired, or a block of a BED12 has none that is */
  CLA_LIFT_SPLIT,    /* several alignments have enough of it together, none has it alone */
  CLA_LIFT_SEVERAL,  /* several alignments have enough of it */
  CLA_LIFT_PARENT,   /* the parent was not lifted */
  CLA_LIFT_APART,    /* could be lifted, but the parent lies on another alignment */
  CLA_LIFT_FATES
} cla_lift_fate;

/* Letters of a record, 0-based half-open; begin = end is the place before a letter. */
typedef struct cla_lift_range {
  int64_t begin, end; /* 0 <= begin <= end */
} cla_lift_range;

/* The place of an interval, or why there is none. */
typedef struct cla_lifted {
  cla_lift_fate fate;   /* lifted, or the reason */
  double part;          /* the largest part of its letters that one alignment has, 0 to 1 */
  const char *name;     /* the record that it was lifted to; the map's; NULL unless it was lifted */
  cla_lift_range range; /* from its first to its last paired letter, on the record's forward strand */
  bool reverse;         /* true: on the other strand */
} cla_lifted;

/* The part of an interval's letters that liftOver wants, too. */
#define CLA_LIFT_MIN_MATCH 0.95

/* Lifts letters of the record `name`. min_match: the part of them that one alignment must have, 0 (any letter
 * will do) to 1. */
void cla_lift_interval(cla_lifted *out, const cla_lift *lift, const char *name, const cla_lift_range *range,
                       double min_match);

/* The names of the fates: "lifted", "on no alignment", "deleted" and so on; static. */
const char *cla_lift_fate_name(cla_lift_fate fate);

/* Formats of annotations. */
typedef enum cla_annotation {
  CLA_ANNOTATION_BED = 0,  /* BED3 to BED12, and further columns */
  CLA_ANNOTATION_GFF3 = 1, /* features have parents */
  CLA_ANNOTATION_GTF = 2,  /* of gene_id and transcript_id */
} cla_annotation;

/* The format that the name of a file tells, also before .gz. CLA_ERROR_OPTION: it tells none. */
cla_status cla_annotation_of_file(cla_annotation *out, const char *path, cla_error *error);

/* What to lift and where results go. Texts must outlive the call. */
typedef struct cla_lift_job {
  const char *path;          /* the annotations, plain or gzip; "-" is the standard input */
  cla_annotation format;     /* of both the input and the outputs */
  int bed_columns;           /* so many columns of BED are read as such, 3 to 12; 0: as many as fit */
  double min_match;          /* as for cla_lift_interval */
  const char *output;        /* gets the lifted features; a name ending in .gz is compressed; NULL: `file` */
  FILE *file;                /* flushed, not closed */
  const char *unlifted;      /* gets the other ones, each behind a line "# WHY"; NULL: nothing does */
  bool (*interrupted)(void); /* asked now and then, or NULL */
} cla_lift_job;

/* What became of the features. */
typedef struct cla_lift_counts {
  int64_t features;              /* all that were read */
  int64_t fates[CLA_LIFT_FATES]; /* by fate */
  int64_t incomplete;            /* lifted features of GFF3 and GTF that miss children */
  int64_t unknown;               /* features on records that the map does not begin from */
  bool letters;                  /* letters behind the features of GFF3 were left out */
} cla_lift_counts;

/* Lifts all features of a file, in their order. Output files appear under their names when they are complete.
 *
 * BED is read line by line. GFF3 is kept in memory up to the next line "###", or to its end, and GTF to its
 * end, because children may come before parents. A child is lifted by the alignment of its parent, or not at
 * all.
 *
 * Errors: CLA_ERROR_INPUT (a line that is no feature; no feature lies on a record of the map),
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_lift_file(cla_lift_counts *counts, const cla_lift *lift, const cla_lift_job *job,
                         cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
