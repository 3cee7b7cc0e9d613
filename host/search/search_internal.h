#ifndef HOST_SEARCH_SEARCH_INTERNAL_H
#define HOST_SEARCH_SEARCH_INTERNAL_H

#include "clalign/tuner.h"
#include "search/candidate_check.h"
#include "search/candidates.h"
#include "search/measurement.h"
#include "tuning/tuning_record.h"

/* The state of a call of the tuner. */

#define SEARCH_VARIANTS_MOST 32

/* How hard to search. */
typedef struct search_effort {
  const int64_t *lengths; /* the size classes */
  int length_count;
  double limit_seconds;   /* limit of the whole run; negative: none */
  double class_seconds;   /* seconds of a class with the values below */
  int reach;              /* steps along an axis from the best config so far */
  int rounds;             /* over all axes */
  double try_seconds;     /* approximate seconds of a look at a config */
  double final_seconds;   /* seconds of a look at a finalist */
  int finalists;          /* of each variant */
  int confirmations;      /* turns of the winner against the default */
  int samples;            /* of the time model */
  double sample_seconds;  /* approximate most seconds of a sample */
  bool every_variant;     /* kernels for GPUs on CPUs too */
  double worth_searching; /* multiple of the fastest variant's time up to which a variant is searched */
} search_effort;

/* A config that has been tried, with its results in a mode. */
typedef struct search_known {
  bool local;
  kernel_config config;
  measurement_outcome outcome;
} search_known;

/* A solved problem and its result. */
typedef struct search_result {
  bool local;
  int64_t length, rows, columns;
  uint64_t result;
} search_result;

/* How long the tuning goes on, by how the size classes so far have kept to their shares of the time. Zero
 * before the first. */
typedef struct class_times {
  double began; /* the class in work, which has */
  double share; /* seconds of the class in work; 0: none is in work */
  int left;     /* classes, with it */
  double used;  /* the largest part of its share that a class has used; 0: none has ended */
  double least; /* seconds that the last one has taken, if more than its share; else 0 */
} class_times;

/* A class begins that may take `share` seconds, as each of the `left` that are left, itself included. */
void class_times_begin(class_times *times, double now, double share, int left);
void class_times_end(class_times *times, double now);

/* Seconds until the last class ends, about. */
double class_times_left(const class_times *times, double now);

typedef struct search {
  const cla_tune_options *options;
  search_effort effort; /* effort for the size class in work */
  const cla_device_info *device;
  cla_tune_summary *summary;
  tuned_scheme scheme;
  double began_seconds, limit_seconds; /* limit 0: none */
  cla_tune_progress progress;
  class_times times;
  double rate[2][SEARCH_VARIANTS_MOST]; /* [local], cells a second, as last seen; 0: unknown */
  int hopeless[SEARCH_VARIANTS_MOST];   /* hangs and crashes */
  search_known *known;
  int64_t known_count, known_capacity;
  search_result *results;
  int64_t result_count, result_capacity;
} search;

/* Asks a worker for a time. A config that has failed before in this mode is not asked for again. Counts what
 * happens in the summary, once for each config and mode. A right answer on the small pair is not enough: the
 * config's result on the timed problem must equal that of other configs. The status is that of the tuning as
 * a whole. out->outcome is the config's. */
cla_status search_measure(measurement *out, search *s, const measurement_request *request, cla_error *error);

/* Whether a variant has hung or crashed so often that it is not tried any more: each time costs a wait. */
bool search_gives_up(const search *s, const kernel_variant *variant);

/* The variant's place in kernel_variants. */
int search_variant_index(const kernel_variant *variant);

/* Tells the caller the present activity. `finished` and `notice` may be NULL. */
void search_tell(search *s, const char *activity, const char *finished, const char *notice);

void search_free(search *s);

/* The search for one variant's best config in one size class and mode; private to this room.
 *
 * All combinations of lanes, rows a lane, tile widths, launches and groups are hundreds to thousands, and
 * each must be compiled, checked and timed. The effects of tile and launch are nearly independent, and the
 * time has one hump along each axis. So the search walks. From the best of the known starts it goes along one
 * axis after the other, each time to the best member, until a round changes nothing. Each look is short, on a
 * part of the problem. Then the few best of all members are measured on a larger part, and the best of these
 * is taken. The default is always among the starts and the finalists, so a walk can get stuck, but not lose.
 *
 * Large classes take hours on a CPU. They are measured on a slab: all columns, but fewer rows, with several
 * strips for every compute unit. A slab has the true tiles of a strip, length of the bus and share of tiles
 * on the alignment's diagonal. So a strip has its true memory traffic. A diagonal has fewer strips than in
 * the whole matrix. So launches and the sweep's begin and end weigh more, and the working set between two
 * uses of a bus line is smaller. */

/* A size class and mode in which variants are searched. */
typedef struct class_scope {
  search *s;
  candidate_space space;
  double deadline_seconds; /* end of walks, by machine_seconds */
} class_scope;

/* A request for `config` on a part of the class's problem that takes about `seconds`. The variant's rate must
 * be known. */
measurement_request scope_request(const class_scope *scope, const kernel_config *config, double seconds);

/* Measures the variant's rate in this class with growing problems. The first one has the size that its rate
 * in the class before suggests. *works is false if the config fails. */
cla_status scope_calibrate(bool *works, const class_scope *scope, const kernel_config *config,
                           double try_seconds, cla_error *error);

#define VARIANT_STARTS_MOST 8

/* The best config from `starts`, of one calibrated variant, on; *rate is its cells a second, 0 if none
 * works. */
cla_status variant_search(kernel_config *out, double *rate, const class_scope *scope,
                          const kernel_config *starts, int start_count, cla_error *error);

/* The results for a size class and mode: entries from the fastest on, one for each variant that a scheme may
 * need. */
typedef struct class_result {
  tuning_entry entries[SEARCH_VARIANTS_MOST];
  int count;
  char text[256]; /* a line for the user */
} class_result;

/* A size class and mode to be searched. */
typedef struct class_task {
  bool local;
  int64_t length;
  double deadline_seconds; /* machine_seconds; the search is done some time after it */
} class_task;

/* Searches one size class. `earlier` are entries that may be good to start from, those of the class below and
 * of the other mode. CLA_ERROR_DEVICE if no config works at all. */
cla_status class_search(class_result *out, search *s, const class_task *task, const tuning_record *earlier,
                        cla_error *error);

#endif
