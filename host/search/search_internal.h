#ifndef HOST_SEARCH_SEARCH_INTERNAL_H
#define HOST_SEARCH_SEARCH_INTERNAL_H

#include "clalign/tuner.h"
#include "search/candidate_check.h"
#include "search/candidates.h"
#include "search/measurement.h"
#include "tuning/tuning_record.h"

/* The state of a call of cla_tune. */

#define SEARCH_VARIANTS_MOST 32

/* CLA_ERROR_OPTION, with a message, if an option is out of its range. */
cla_status tune_options_check(const cla_tune_options *options, cla_error *error);

/* How thoroughly to search. */
typedef struct search_effort {
  const int64_t *lengths; /* the size classes */
  int length_count;
  double limit_seconds;   /* time limit of the whole run; negative: none */
  double class_seconds;   /* time per class, in seconds, that the values below assume */
  int reach;              /* maximum number of steps along an axis from the best config so far */
  int rounds;             /* maximum number of rounds over all axes */
  double try_seconds;     /* approximate seconds of measuring a config in a walk */
  double final_seconds;   /* seconds of measuring a finalist */
  int finalists;          /* number of finalists of each variant */
  int confirmations;      /* measurements of the winner and the default */
  int samples;            /* number of samples of the time model */
  double sample_seconds;  /* approximate largest duration of a sample, in seconds */
  bool every_variant;     /* kernels for GPUs are also tried on CPUs */
  double worth_searching; /* a variant is searched if its time is at most this multiple of the fastest
                             variant's */
} search_effort;

/* A config that has been tried in a mode, and the outcome. */
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

/* What is needed to estimate the time left: which part of their time shares the earlier size classes have
 * used. Zero before the first class. */
typedef struct class_times {
  double began; /* start of the present class, by machine_seconds */
  double share; /* seconds that the present class may take; 0: no class has started */
  int left;     /* number of classes left, including the present one */
  double used;  /* largest fraction of its share that a class has used; 0: no class has ended */
  double least; /* seconds of the last class if it took more than its share; otherwise 0 */
} class_times;

/* Records the start of a class that may take `share` seconds. `left` classes are left, including this one,
 * each with an equal share. */
void class_times_begin(class_times *times, double now, double share, int left);
void class_times_end(class_times *times, double now);

/* Returns an estimate of the seconds until the last class ends. */
double class_times_left(const class_times *times, double now);

typedef struct search {
  const cla_tune_options *options;
  search_effort effort; /* effort for the present size class */
  const cla_device_info *device;
  cla_tune_summary *summary;
  tuned_scheme scheme;
  double began_seconds, limit_seconds; /* limit_seconds 0: no limit */
  cla_tune_progress progress;
  class_times times;
  double rate[2][SEARCH_VARIANTS_MOST]; /* cells per second by `local` and variant, as last measured; 0:
                                           unknown */
  int hopeless[SEARCH_VARIANTS_MOST];   /* number of hangs and crashes for each variant */
  search_known *known;
  int64_t known_count, known_capacity;
  search_result *results;
  int64_t result_count, result_capacity;
} search;

/* Asks a worker to time a config. A config that has failed in this mode is not tried again. Each outcome is
 * counted in the summary, once per config and mode. The result on the timed problem must equal that of
 * other configs: a correct result on the small pair is not enough. If the config fails, returns CLA_OK and
 * sets out->outcome. An error ends the tuning. */
cla_status search_measure(measurement *out, search *s, const measurement_request *request, cla_error *error);

/* True if a variant has hung or crashed so often that it is not tried again, because each time means a long
 * wait. */
bool search_gives_up(const search *s, const kernel_variant *variant);

/* Returns the variant's index in kernel_variants. */
int search_variant_index(const kernel_variant *variant);

/* Reports progress to the tuner's caller: what is being done (`activity`), a finished class, and a notice.
 * Each of the three may be NULL. */
void search_tell(search *s, const char *activity, const char *finished, const char *notice);

void search_free(search *s);

/* The search for one variant's best config in one size class and mode. Private to this room.
 *
 * There are hundreds to thousands of combinations of lanes, rows per lane, tile widths, launches and
 * groups. Each would have to be compiled, checked and timed. The effects of tile and launch are nearly
 * independent, and the speed has a single maximum along each axis. So the search walks: from the best
 * start, it goes along one axis after another, each time to the best config, until a round changes nothing.
 * Each measurement is short, on a part of the problem. Then the few best configs are measured on a larger
 * part, and the fastest one is taken. The default is always among the starts and the finalists. So a walk
 * can get stuck, but its result is never worse than the default.
 *
 * Large classes would take hours on a CPU. They are measured on a slab: all columns, but fewer rows, with
 * several strips for every compute unit. A strip of a slab has the same tiles, bus length and share of
 * tiles on the alignment's diagonal as in the whole matrix, and so the same memory traffic. But a diagonal
 * has fewer strips than in the whole matrix. So launches, and the start and end of the sweep, have more
 * weight. The working set between two uses of a bus line is also smaller. */

/* A size class and mode in which variants are searched. */
typedef struct class_scope {
  search *s;
  candidate_space space;
  double deadline_seconds; /* time at which walks end, by machine_seconds */
} class_scope;

/* Returns a request to time `config` on a part of the class's problem that takes about `seconds`. The
 * variant's rate must be known. */
measurement_request scope_request(const class_scope *scope, const kernel_config *config, double seconds);

/* Measures the variant's rate in this class on problems of growing size. The size of the first one follows
 * from the rate in the previous class. *works: false if the config fails. */
cla_status scope_calibrate(bool *works, const class_scope *scope, const kernel_config *config,
                           double try_seconds, cla_error *error);

#define VARIANT_STARTS_MOST 8

/* Finds the best config of a calibrated variant in a walk that starts at the best of `starts`. *rate: cells
 * per second with the config found; 0 if no config works. */
cla_status variant_search(kernel_config *out, double *rate, const class_scope *scope,
                          const kernel_config *starts, int start_count, cla_error *error);

/* The results for a size class and mode: one entry for each variant that a scheme may need, fastest first. */
typedef struct class_result {
  tuning_entry entries[SEARCH_VARIANTS_MOST];
  int count;
  char text[256]; /* a line for the user */
} class_result;

/* A size class and mode to be searched. */
typedef struct class_task {
  bool local;
  int64_t length;
  double deadline_seconds; /* when to end, by machine_seconds; the search ends somewhat later */
} class_task;

/* Searches one size class. `earlier` contains entries that may be good starts: those of smaller classes and
 * of the other mode. CLA_ERROR_DEVICE if no config works. */
cla_status class_search(class_result *out, search *s, const class_task *task, const tuning_record *earlier,
                        cla_error *error);

#endif
