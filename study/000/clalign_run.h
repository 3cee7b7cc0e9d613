#ifndef TOOLS_STUDY_000_CLALIGN_RUN_H
#define TOOLS_STUDY_000_CLALIGN_RUN_H

#include "study.h"

/* clalign itself as a system: the library with options that switch off what came later, and its own times of
 * its stages. */

/* Whose time and cells are told. */
typedef enum clalign_part {
  CLALIGN_SWEEP, /* the lower bound and the sweep: stage 1 of CUDAlign 2.1 */
  CLALIGN_TRACE, /* start search, blocks and bands: its stages 2 to 5 */
  CLALIGN_ALL
} clalign_part;

typedef struct clalign_choice {
  clalign_part part;
  bool score_only;
  bool bound;    /* a lower bound is looked for, and tiles are passed over */
  int lane_bits; /* of the sweep's values: its fastest kernel with so many; 0: as clalign chooses */
} clalign_choice;

cla_status clalign_run(study_result *out, const study_task *task, const clalign_choice *choice,
                       cla_error *error);

#endif
