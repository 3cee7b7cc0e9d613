#ifndef CLALIGN_LIFT_H
#define CLALIGN_LIFT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converting annotations of one genome to positions of another (docs/lift.md). As UCSC's liftOver reads a
 * chain file, an alignment maps its targets to its queries; the reverse is also possible. */

/* An alignment as a map of positions. It is never changed, so any number of threads may use it. */
typedef struct cla_lift cla_lift;

/* Reads a map from a file: alignments written by cla_alignment_save, or records in one of the formats of
 * cla_aligned_records_open, such as UCSC's chains. Secondary records are skipped. `reverse`: maps queries to
 * targets. The caller frees *out with cla_lift_close. CLA_ERROR_INPUT if the file is missing, damaged, in
 * another format, or without paths; CLA_ERROR_MEMORY. */
cla_status cla_lift_open(cla_lift **out, const char *path, bool reverse, cla_error *error);

/* Frees a map, which may be NULL. */
void cla_lift_close(cla_lift *lift);

/* The outcome of lifting a feature. */
typedef enum cla_lift_fate {
  CLA_LIFT_DONE = 0, /* lifted */
  CLA_LIFT_NOWHERE,  /* no alignment spans the feature */
  CLA_LIFT_DELETED,  /* an alignment spans the feature, but none of the feature's letters is paired */
  CLA_LIFT_PARTLY,   /* too few of its letters are paired, or none of a block of a BED12 */
  CLA_LIFT_SPLIT,    /* several alignments together pair enough of its letters, but no single one does */
  CLA_LIFT_SEVERAL,  /* several alignments each pair enough of its letters */
  CLA_LIFT_PARENT,   /* the parent was not lifted */
  CLA_LIFT_APART,    /* only an alignment other than the parent's could lift the feature */
  CLA_LIFT_BEYOND,   /* the feature ends beyond its record, and too few of its letters are paired */
  CLA_LIFT_FATES
} cla_lift_fate;

/* Letters of a record, 0-based half-open. If `begin` equals `end`, the place before letter `begin`. */
typedef struct cla_lift_range {
  int64_t begin, end; /* 0 <= begin <= end */
} cla_lift_range;

/* The place of an interval, or why it has none. */
typedef struct cla_lifted {
  cla_lift_fate fate;     /* CLA_LIFT_DONE, or the reason */
  double part;            /* largest fraction of its letters that one alignment pairs, 0 to 1 */
  int64_t record_letters; /* letters of the interval's own record, according to the map; 0 or less: unknown */
  const char
      *name; /* name of the record to which the interval was lifted, owned by the map; NULL: not lifted */
  cla_lift_range
      range; /* from the interval's first to its last paired letter, on the forward strand of record `name` */
  bool reverse; /* true: lifted to the other strand */
} cla_lifted;

/* Default of min_match, the same as liftOver's. */
#define CLA_LIFT_MIN_MATCH 0.95

/* Lifts letters of the record `name`. `min_match`: the fraction of these letters that one alignment must
 * pair, 0 (one letter is enough) to 1. */
void cla_lift_interval(cla_lifted *out, const cla_lift *lift, const char *name, const cla_lift_range *range,
                       double min_match);

/* Returns the name of a fate, such as "lifted", "on no alignment" or "deleted"; a static string. */
const char *cla_lift_fate_name(cla_lift_fate fate);

/* Formats of annotations. */
typedef enum cla_annotation {
  CLA_ANNOTATION_BED = 0,  /* BED with 3 to 12 columns, and further columns */
  CLA_ANNOTATION_GFF3 = 1, /* GFF3, whose features have parents */
  CLA_ANNOTATION_GTF = 2,  /* GTF, whose features have a gene_id and a transcript_id */
} cla_annotation;

/* Finds the format from the ending of a file name, which may be followed by .gz. CLA_ERROR_OPTION if the
 * ending is unknown. */
cla_status cla_annotation_of_file(cla_annotation *out, const char *path, cla_error *error);

/* What to lift, and where the results are written. The texts must outlive the call. */
typedef struct cla_lift_job {
  const char *path;          /* the annotations, plain or gzip; "-" means standard input */
  cla_annotation format;     /* format of the input and of the outputs */
  int bed_columns;           /* number of columns that are treated as BED's, 3 to 12; 0: as many as fit */
  double min_match;          /* like that of cla_lift_interval */
  const char *output;        /* file for the lifted features, compressed if it ends in .gz; NULL: `file` */
  FILE *file;                /* flushed but not closed */
  const char *unlifted;      /* file for the other features, each after a line "# WHY"; NULL: none */
  bool (*interrupted)(void); /* called now and then, true: stop; or NULL */
} cla_lift_job;

/* Counts of features by their fates. */
typedef struct cla_lift_counts {
  int64_t features;              /* number of all features */
  int64_t fates[CLA_LIFT_FATES]; /* number of features with each fate */
  int64_t incomplete; /* lifted features, in GFF3 and GTF, with at least one child that was not lifted */
  int64_t unknown;    /* features on records that the map does not contain */
  bool letters;       /* sequences after the features of a GFF3 file were left out */
} cla_lift_counts;

/* Lifts all features of a file, in their order. Output files appear when they are complete.
 *
 * BED is processed line by line. GFF3 is kept in memory up to the next line "###" or the file's end, and GTF
 * up to the file's end, because children may come before their parents. A child is lifted by the alignment
 * that lifted its parent, or not at all.
 *
 * CLA_ERROR_INPUT if a line is not a feature, or if no feature is on a record of the map. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY, CLA_ERROR_INTERRUPTED. */
cla_status cla_lift_file(cla_lift_counts *counts, const cla_lift *lift, const cla_lift_job *job,
                         cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
