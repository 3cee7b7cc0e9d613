#ifndef CLALIGN_COMPARE_WRITE_H
#define CLALIGN_COMPARE_WRITE_H

#include <stdio.h>

#include "clalign/events.h"
#include "clalign/write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is written of two compared genomes (docs/compare.md). */
typedef enum cla_comparison_text {
  CLA_COMPARISON_SUMMARY,          /* a page to be read */
  CLA_COMPARISON_JSON,             /* the summary's facts, blocks and events as one object */
  CLA_COMPARISON_BLOCKS,           /* a table with a line for each block */
  CLA_COMPARISON_EVENTS,           /* a table with a line for each event */
  CLA_COMPARISON_UNALIGNED_QUERY,  /* BED of the query's letters without a counterpart */
  CLA_COMPARISON_UNALIGNED_TARGET, /* BED of the target's letters without a counterpart */
  CLA_COMPARISON_VCF,              /* small variants of primary blocks, and events, in the target's order */
  CLA_COMPARISON_CALLABLE,         /* BED of the target's letters in primary pieces */
} cla_comparison_text;

/* Writes one of them to `file` (flushed, not closed). Of `options`, which may be NULL, command, compressed
 * and threads hold. Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY; of VCF also CLA_ERROR_OPTION (a record of
 * 2^31 letters or more) and CLA_ERROR_INPUT (two target records of one name). */
cla_status cla_comparison_write(FILE *file, cla_comparison_text what, const cla_comparison *comparison,
                                const cla_events *events, const cla_write_options *options, cla_error *error);

/* cla_comparison_write to a file, which appears under its name when it is complete. */
cla_status cla_comparison_write_file(const char *path, cla_comparison_text what,
                                     const cla_comparison *comparison, const cla_events *events,
                                     const cla_write_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
