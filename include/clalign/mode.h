#ifndef CLALIGN_MODE_H
#define CLALIGN_MODE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parts of the two ranges that an alignment must cover (docs/modes.md). */
typedef enum cla_mode {
  CLA_MODE_LOCAL = 0,       /* the best parts of both ranges */
  CLA_MODE_GLOBAL = 1,      /* both ranges as a whole */
  CLA_MODE_SEMI_GLOBAL = 2, /* the query whole, a part of the target */
  CLA_MODE_OVERLAP = 3,     /* all ends are free, but each end of the path is an end of a sequence */
  CLA_MODE_EXTEND = 4,      /* from the first letters of both ranges to the cell with the best score */
  CLA_MODE_FREE_ENDS = 5    /* the ends set in cla_free_ends are free; for combinations without a name */
} cla_mode;

/* The number of modes. */
#define CLA_MODE_COUNT 6

/* Bits for ends of sequences. At such an end, letters may be left out at no cost. */
typedef enum cla_free_ends {
  CLA_FREE_QUERY_START = 1,
  CLA_FREE_QUERY_END = 2,
  CLA_FREE_TARGET_START = 4,
  CLA_FREE_TARGET_END = 8
} cla_free_ends;

/* Number of ends. */
#define CLA_FREE_END_COUNT 4
/* The sum of all ends. */
#define CLA_FREE_ENDS_ALL 15

/* Returns the word for a mode, such as "semi-global"; NULL if there is no such mode. */
const char *cla_mode_name(cla_mode mode);

/* Finds the mode with the name `name`. Returns false if there is none. */
bool cla_mode_find(cla_mode *out, const char *name);

/* Returns the word for one end, such as "query-start"; NULL if `end` is not one of cla_free_ends. */
const char *cla_free_end_name(cla_free_ends end);

/* Returns the mode with exactly these free ends: global, semi-global, overlap, or else free-ends. */
cla_mode cla_free_ends_mode(int ends);

#ifdef __cplusplus
}
#endif

#endif
