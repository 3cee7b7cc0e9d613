/* The papers, each with a table of its systems. */

#include "study.h"

extern const study_system paper_000[];
extern const study_system paper_001[];
extern const study_system paper_002[];
extern const study_system paper_003[];
extern const study_system paper_003_batches[];
extern const study_system paper_004[];

const study_system *const study_papers[] = {paper_000,         paper_001, paper_002, paper_003,
                                            paper_003_batches, paper_004, NULL};
