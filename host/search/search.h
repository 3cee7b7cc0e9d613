#ifndef HOST_SEARCH_SEARCH_H
#define HOST_SEARCH_SEARCH_H

#include "clalign/tuner.h"
#include "search/candidates.h"
#include "search/measurement.h"
#include "search/tuned_scheme.h"

/* What one run of the tuner knows; private to this room. */

#define SEARCH_VARIANTS_MOST 32

/* How hard to search. */
typedef struct search_effort {
  const int64_t *lengths; /* the size classes */
  int length_count;
  double limit_seconds;   /* of the whole run; negative: none */
  double class_seconds;   /* for which the values below are meant */
  int reach;              /* steps along an axis from the best config so far */
  int rounds;             /* over all axes */
  double try_seconds;     /* of one look at a config, about */
  double final_seconds;   /* of one look at a finalist */
  int finalists;          /* of each variant */
  int confirmations;      /* turns of the winner against the default */
  int samples;            /* of the time model */
  double sample_seconds;  /* of each, at most, about */
  bool every_variant;     /* kernels for GPUs on CPUs too */
  double worth_searching; /* variants up to so many times slower than the fastest */
} search_effort;

/* A config that has been tried: what is known of it in one mode. */
typedef struct search_known {
  bool local;
  kernel_config config;
  measurement_outcome outcome;
} search_known;

/* A problem that has been solved, and what comes out of it. */
typedef struct search_result {
  bool local;
  int64_t length, rows, columns;
  uint64_t result;
} search_result;

typedef struct search {
  const cla_tune_options *options;
  search_effort effort; /* of the size class that is being searched */
  const cla_device_info *device;
  cla_tune_summary *summary;
  tuned_scheme scheme;
  double began_seconds, limit_seconds; /* limit 0: none */
  cla_tune_progress progress;
  double rate[2][SEARCH_VARIANTS_MOST]; /* [local], cells a second, as last seen; 0: unknown */
  int hopeless[SEARCH_VARIANTS_MOST];   /* hangs and crashes */
  search_known *known;
  int64_t known_count, known_capacity;
  search_result *results;
  int64_t result_count, result_capacity;
} search;

/* Asks a worker for a time. A config that has failed before in this mode is not asked for again. Counts what
 * happens in the summary, once for each config and mode. A right answer on the small pair is not enough: what
 * the config computes on the problem that it is timed on must be what others have computed there. The status
 * is about the tuning as a whole; what became of the config is in out->outcome. */
cla_status search_measure(measurement *out, search *s, const measurement_request *request, cla_error *error);

/* Whether a variant has hung or crashed so often that it is not tried any more: each time costs a wait. */
bool search_gives_up(const search *s, const kernel_variant *variant);

/* The variant's place in kernel_variants. */
int search_variant_index(const kernel_variant *variant);

/* Tells the caller what is being done; `finished` and `notice` may be NULL. */
void search_tell(search *s, const char *activity, const char *finished, const char *notice);

void search_free(search *s);

#endif
