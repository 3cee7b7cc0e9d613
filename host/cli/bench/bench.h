#ifndef HOST_CLI_BENCH_BENCH_H
#define HOST_CLI_BENCH_BENCH_H

#include "clalign/align.h"
#include "clalign/device.h"
#include "cli/bench/bench_peer.h"
#include "cli/bench/bench_samples.h"
#include "cli/options/align_options.h"
#include "cli/options/options.h"
#include "cli/options/scoring_options.h"

/* clalign bench: what is asked for, and what was measured. */

#define BENCH_LIST_LIMIT 32
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
  bool relations[2]; /* true: related */
  int relation_count;
  char kernels[BENCH_LIST_LIMIT][BENCH_NAME_SIZE]; /* "default": what the plan chooses */
  int kernel_count;
  bool all_kernels; /* then a kernel that cannot run here is left out instead of refused */
  int32_t runs;     /* 1 .. BENCH_RUNS_LIMIT */
  bool full, peer, json, quiet;
  int64_t batch;        /* pairs of --batch; 0: the kernels are measured */
  const char *timeline; /* a file, or NULL */
  int64_t peer_limit;   /* the peer gets at most so many letters of each sequence */
  cla_device_options device;
  cli_scoring given;        /* what options say of the scores */
  cla_scoring scoring;      /* all of it */
  bool protein;             /* what the pairs are made of */
  cli_kernel_settings set;  /* every --set, for each kernel; empty: none */
  const cla_tuning *tuning; /* records of the device, as 'clalign align' uses them */
} bench_settings;

/* One kernel on one pair. */
typedef struct bench_row {
  const char *asked;   /* the entry of the settings' kernels */
  cla_metrics metrics; /* of the last run without traceback */
  int64_t score;
  bench_samples sweep;       /* forward sweep, without traceback */
  bench_samples whole;       /* all stages: with traceback under --full */
  bench_samples whole_sweep; /* the forward sweep within `whole` */
} bench_row;

/* One pair in one mode, with every kernel and the peer in turns. */
typedef struct bench_case {
  bench_size size;
  cla_mode mode;
  bool related;
  bench_row rows[BENCH_LIST_LIMIT];
  int row_count;
  bench_peer peer; /* nothing in it without --peer */
} bench_case;

/* bench_lists.c: parse functions whose destination is a bench_settings. */
cla_status bench_parse_sizes(const cli_option *option, const char *value, cla_error *error);
cla_status bench_parse_modes(const cli_option *option, const char *value, cla_error *error);
extern const char *const bench_relation_words[]; /* NULL ends them */
cla_status bench_parse_relation(const cli_option *option, const char *value, cla_error *error);
cla_status bench_parse_kernels(const cli_option *option, const char *value, cla_error *error);
/* 10k for a square, 20kx1M */
void bench_size_text(char *text, size_t size, const bench_size *letters);

/* bench_case.c: measures `out`, whose size, mode and relation are set. `label` begins the progress.
 * CLA_ERROR_INTERRUPTED after a signal; CLA_ERROR_VERIFICATION when two runs disagree on the score. */
cla_status bench_case_measure(bench_case *out, const bench_settings *settings, cla_device *device,
                              const char *label, cla_error *error);

/* Rates in 10^9 cells per second: cells that were computed per second of the sweep, cells of the matrix per
 * second of the sweep, and the same per second of all stages. */
double bench_raw_gcups(const bench_row *row);
double bench_sweep_gcups(const bench_row *row);
double bench_gcups(const bench_row *row);

/* bench_table.c: where and how it is measured; the title of the cases of one relation; a line per row.
 * bench_json.c: an object per row. */
void bench_table_head(const bench_settings *settings, const cla_device_info *device);
void bench_table_title(const bench_settings *settings, bool related);
void bench_table_print(const bench_settings *settings, const cla_device_info *device, const bench_case *what);
cla_status bench_json_print(const bench_settings *settings, const cla_device_info *device,
                            const bench_case *what, cla_error *error);

#endif
