#ifndef CLALIGN_CLALIGN_H
#define CLALIGN_CLALIGN_H

/* The whole public interface of libclalign. */

#include "clalign/align.h"
#include "clalign/aligned_records.h"
#include "clalign/alignment.h"
#include "clalign/allocator.h"
#include "clalign/alphabet.h"
#include "clalign/arrays.h"
#include "clalign/audit.h"
#include "clalign/batch.h"
#include "clalign/batch_directory.h"
#include "clalign/cluster.h"
#include "clalign/compare.h"
#include "clalign/device.h"
#include "clalign/events.h"
#include "clalign/kernel.h"
#include "clalign/lift.h"
#include "clalign/lines.h"
#include "clalign/lower_bound.h"
#include "clalign/mode.h"
#include "clalign/plot.h"
#include "clalign/ranks.h"
#include "clalign/record_blocks.h"
#include "clalign/run_directory.h"
#include "clalign/scoring.h"
#include "clalign/sequence.h"
#include "clalign/sequence_file.h"
#include "clalign/simulate.h"
#include "clalign/status.h"
#include "clalign/tune.h"
#include "clalign/tuner.h"
#include "clalign/version.h"
#include "clalign/work.h"
#include "clalign/write.h"

#endif
