#ifndef CLALIGN_COMPARE_WRITE_H
#define CLALIGN_COMPARE_WRITE_H

#include <stdio.h>

#include "clalign/events.h"
#include "clalign/write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The texts about two compared genomes (docs/compare.md). */
typedef enum cla_comparison_text {
  CLA_COMPARISON_SUMMARY,          /* a summary for readers */
  CLA_COMPARISON_JSON,             /* the summary's facts, the blocks and the events, as one JSON object */
  CLA_COMPARISON_BLOCKS,           /* a table with one line per block */
  CLA_COMPARISON_EVENTS,           /* a table with one line per event */
  CLA_COMPARISON_UNALIGNED_QUERY,  /* a BED of the query's letters without a counterpart */
  CLA_COMPARISON_UNALIGNED_TARGET, /* a BED of the target's letters without a counterpart */
  CLA_COMPARISON_VCF,      /* small variants of primary blocks, and events, in the order of the target */
  CLA_COMPARISON_CALLABLE, /* a BED of the target's letters in primary pieces */
} cla_comparison_text;

/* Writes a text to `file`, which is flushed but not closed. Only command, compressed, threads and mask_below
 * of `options` are used; `options` may be NULL. If there are certificates (cla_comparison_certify), VCF has
 * their fields, and summary and JSON say how much is certain. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. For VCF
 * also CLA_ERROR_OPTION if a record has 2^31 letters or more, and CLA_ERROR_INPUT if two target records have
 * the same name. */
cla_status cla_comparison_write(FILE *file, cla_comparison_text what, const cla_comparison *comparison,
                                const cla_events *events, const cla_write_options *options, cla_error *error);

/* Like cla_comparison_write, but writes to the file `path`, which appears when it is complete. */
cla_status cla_comparison_write_file(const char *path, cla_comparison_text what,
                                     const cla_comparison *comparison, const cla_events *events,
                                     const cla_write_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
