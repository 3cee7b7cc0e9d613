#ifndef HOST_CLI_REPORT_COMPARE_OUTPUTS_H
#define HOST_CLI_REPORT_COMPARE_OUTPUTS_H

#include "clalign/events.h"
#include "clalign/prove.h"
#include "cli/report/outputs.h"

/* Everything that `clalign compare` writes. */
typedef struct compare_outputs {
  cli_outputs outputs; /* --format, --output, --plot */
  const char *folder;  /* --folder; NULL: none */
  bool made_folder;    /* the folder is new */
  const char *tracks;  /* --tracks: file with features of the target; NULL: none */
  bool prove;          /* --prove: read the VCF again and check it */
  const char *proven;  /* --prove-vcf: the VCF that is checked; NULL: the one that this run writes */
  bool copies;         /* alignments of further copies are also written */
  bool quiet;          /* no summary on stderr */
  int64_t least;       /* minimum number of letters of an event; 0: the library's default */
} compare_outputs;

/* Makes the folder, adds its files, and prepares all outputs (outputs_prepare). CLA_ERROR_OPTION if --prove
 * is given without a VCF file. CLA_ERROR_OUTPUT. */
cla_status compare_outputs_prepare(compare_outputs *out, const char *const *inputs, int input_count,
                                   cla_error *error);

/* Removes the folder after an error, if it is new and nothing is in it. */
void compare_outputs_abandon(const compare_outputs *out);

/* Writes all outputs and the summary. With --prove, reads the VCF again, and fails with
 * CLA_ERROR_VERIFICATION if a block differs. Other errors come from the writers. */
cla_status compare_outputs_write(const compare_outputs *out, const cla_comparison *found,
                                 const char *command_line, cla_error *error);

/* Adds features of a file of BED, or genes of GFF, plain or gzip, to a picture that has the targets. If
 * `plot` is NULL, only checks the file's lines. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status feature_tracks_add(cla_records_plot *plot, const char *path, cla_error *error);

#endif
