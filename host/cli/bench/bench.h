#ifndef HOST_CLI_BENCH_BENCH_H
#define HOST_CLI_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/align.h"
#include "clalign/alignment.h"
#include "clalign/batch.h"
#include "clalign/device.h"
#include "clalign/energy.h"
#include "cli/options/align_options.h"
#include "cli/options/device_options.h"
#include "cli/options/options.h"
#include "cli/report/progress_bar.h"

/* The durations of repeated runs, in seconds. */

#define BENCH_RUNS_LIMIT 99
#define BENCH_LIST_LIMIT 32

typedef struct bench_samples {
  double seconds[BENCH_RUNS_LIMIT];
  int count;
} bench_samples;

void bench_samples_add(bench_samples *samples, double seconds);

/* Returns the median of the samples; for an even number, the mean of the middle two; 0 without samples. */
double bench_median(const bench_samples *samples);
double bench_least(const bench_samples *samples);

/* The energy of the devices (bench_energy.c). */
typedef struct bench_energy {
  cla_energy_meter *meters[BENCH_LIST_LIMIT]; /* one for each counter; owned */
  int count;                                  /* 0: energy cannot be read */
  char source[128];                           /* the counters' name; empty: energy cannot be read */
  char missing[512];                          /* why energy cannot be read; else empty */
  double seconds_least;                       /* shorter computations have no energy */
} bench_energy;

/* Opens the meters of all devices. If one cannot be opened, there is none, and `missing` says why. The caller
 * calls bench_energy_close. */
void bench_energy_open(bench_energy *out, const cli_devices *devices);
void bench_energy_close(bench_energy *energy);

/* Returns the joules of all devices since the meters were opened; negative if they cannot be read. */
double bench_energy_joules(const bench_energy *energy);

/* clalign bench: its settings and its results. */

#define BENCH_NAME_SIZE 64
#define BENCH_SEED 1

typedef struct bench_size {
  int64_t query, target; /* letters, >= 1 */
} bench_size;

typedef struct bench_settings {
  bench_size sizes[BENCH_LIST_LIMIT];
  int size_count;
  cla_mode modes[2];
  int mode_count;
  bool relations[2]; /* true: related pairs; false: unrelated pairs */
  int relation_count;
  char kernels[BENCH_LIST_LIMIT][BENCH_NAME_SIZE]; /* names; "default" is the kernel that the plan chooses */
  int kernel_count;
  bool all_kernels; /* true: kernels that cannot run on the device are skipped, not refused */
  int32_t runs;     /* 1 .. BENCH_RUNS_LIMIT */
  bool full, json, quiet;
  int64_t batch; /* number of pairs of --batch; 0: no --batch, so kernels are measured */
  cla_device_options device;
  cli_scoring given;        /* scores given as options */
  cla_scoring scoring;      /* the complete scheme */
  bool protein;             /* pairs are proteins; false: DNA */
  cli_kernel_settings set;  /* all --set options, for every kernel; empty: none */
  const cla_tuning *tuning; /* records of the device, as 'clalign align' uses them */
  const bench_energy *energy;
} bench_settings;

/* The results of a kernel on a pair. */
typedef struct bench_row {
  const char *asked;   /* the entry of the settings' `kernels` */
  cla_metrics metrics; /* metrics of the last run without traceback */
  int64_t score;
  bench_samples sweep;       /* forward sweep, without traceback */
  bench_samples whole;       /* all stages; with traceback if --full is given */
  bench_samples whole_sweep; /* the forward sweep within `whole` */
  bench_samples joules;      /* energy of a call that `whole` times; empty: not known */
} bench_row;

/* The results of a pair in one mode, with every kernel. */
typedef struct bench_case {
  bench_size size;
  cla_mode mode;
  bool related;
  bench_row rows[BENCH_LIST_LIMIT];
  int row_count;
} bench_case;

/* bench_lists.c: parse functions whose destination is a bench_settings. */
cla_status bench_parse_sizes(const cli_option *option, const char *value, cla_error *error);
cla_status bench_parse_modes(const cli_option *option, const char *value, cla_error *error);
extern const char *const bench_relation_words[]; /* NULL ends them */
cla_status bench_parse_relation(const cli_option *option, const char *value, cla_error *error);
cla_status bench_parse_kernels(const cli_option *option, const char *value, cla_error *error);
/* Writes a size: "10k" if both lengths are equal, otherwise such as "20kx1M". */
void bench_size_text(char *text, size_t size, const bench_size *letters);

/* Measures `out`, whose size, mode and relation the caller has set (bench_case.c). The progress line starts
 * with `label`. CLA_ERROR_INTERRUPTED after a signal; CLA_ERROR_VERIFICATION if two runs have different
 * scores. */
cla_status bench_case_measure(bench_case *out, const bench_settings *settings, cla_device *device,
                              const char *label, cla_error *error);

/* Return rates in 10^9 cells per second. bench_raw_gcups: computed cells per second of the sweep.
 * bench_gcups: cells of the whole matrix per second of all stages. */
double bench_raw_gcups(const bench_row *row);
double bench_gcups(const bench_row *row);

/* Returns 10^9 cells of the whole matrix per joule, which are GCUPS per watt; 0 if the energy is not known.
 */
double bench_gcups_per_watt(const bench_row *row);

/* Print the results (bench_print.c): the head with device and settings, the title of related or unrelated
 * pairs, and a line per row; or a JSON object per row. */
void bench_table_head(const bench_settings *settings, const cla_device_info *device);
void bench_table_title(const bench_settings *settings, bool related);
void bench_table_print(const bench_settings *settings, const bench_case *what);
cla_status bench_json_print(const bench_settings *settings, const cla_device_info *device,
                            const bench_case *what, cla_error *error);

/* Prints a line that names the counters of energy, or says why there are none. */
void bench_energy_print(const bench_energy *energy);

/* Returns the keys about energy as a JSON object; NULL if memory is short. Numbers of 0 are not known. */
struct json_t *bench_energy_object(const bench_energy *energy, double joules, double gcups_per_watt);

/* Simulated pairs whose lengths are distributed as in a database. */

typedef struct bench_pairs {
  cla_sequence **queries, **targets; /* owned */
  int64_t count;
  double cells; /* sum of m x n over all pairs */
} bench_pairs;

/* The measurements of clalign bench --batch. */

/* The work of one device in all runs. */
typedef struct bench_work {
  bench_samples seconds; /* busy time of each run: the sum of its pieces' times, each times the piece's share
                            of the device */
  bench_samples share;   /* the device's share of all cells */
} bench_work;

/* The measurements of --batch. */
typedef struct bench_batch {
  bench_samples seconds; /* duration of each run */
  bench_samples joules;  /* energy of each run; empty: not known */
  bench_work *devices;   /* one per device; owned */
} bench_batch;

/* Makes and measures `pairs` pairs, and prints a table or a JSON object. */
cla_status bench_batch_run(const bench_settings *settings, const cli_devices *devices, int64_t pairs,
                           cla_error *error);

/* Print the results as a table or as a JSON object (bench_batch_print.c). */
void bench_batch_table(const bench_settings *settings, const cli_devices *devices, const bench_pairs *pairs,
                       const bench_batch *found);
cla_status bench_batch_json(const bench_settings *settings, const cli_devices *devices,
                            const bench_pairs *pairs, const bench_batch *found, cla_error *error);

#endif
