#ifndef CLALIGN_TUNER_H
#define CLALIGN_TUNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clalign/device.h"
#include "clalign/scoring.h"
#include "clalign/tune.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The search for the fastest kernel config of each size class (docs/tuning.md).
 *
 * A driver's compiler may crash, and a kernel may never end; OpenCL cannot stop a kernel. So the search does
 * not call OpenCL. All work on the device is done by a worker, which is another process that the caller
 * starts, kills and replaces. Tuner and worker exchange lines of text, which the caller passes on without
 * reading them. Several threads may call the functions at the same time with different objects. */

/* A worker that measures on one device. */
typedef struct cla_tune_worker cla_tune_worker;

/* Creates a worker for `device`, which must outlive the worker. `scoring` is the scheme of the tuning
 * (cla_tune_options); NULL: the default. CLA_ERROR_MEMORY, CLA_ERROR_OPTION. The caller frees *out with
 * cla_tune_worker_free. */
cla_status cla_tune_worker_create(cla_tune_worker **out, cla_device *device, const cla_scoring *scoring,
                                  cla_error *error);

/* Frees the worker; NULL is allowed. */
void cla_tune_worker_free(cla_tune_worker *worker);

/* Bytes of a request or an answer, with its terminating zero. */
#define CLA_TUNE_LINE_SIZE 2048

/* Executes `request` and writes the answer to `answer`. Request and answer are lines without line ends. The
 * answer also reports failures. */
void cla_tune_worker_answer(cla_tune_worker *worker, char answer[CLA_TUNE_LINE_SIZE], const char *request);

/* The outcome of a request. */
typedef enum cla_tune_reply {
  CLA_TUNE_ANSWERED,
  CLA_TUNE_HUNG,   /* the worker did not answer in time and was killed */
  CLA_TUNE_CRASHED /* the worker ended without an answer */
} cla_tune_reply;

/* A function that passes a request to a worker, starting a worker if none is running, and waits for the
 * answer. A status other than CLA_OK ends the tuning: CLA_ERROR_INTERRUPTED, or an error in starting a
 * worker. */
typedef cla_status (*cla_tune_ask)(void *user, cla_tune_reply *reply, char answer[CLA_TUNE_LINE_SIZE],
                                   const char *request, double limit_seconds, cla_error *error);

/* The number of sizes and configs that are measured. */
typedef enum cla_tune_effort {
  CLA_TUNE_QUICK,  /* three sizes, only promising configs; two minutes */
  CLA_TUNE_NORMAL, /* more sizes and configs; ten minutes */
  CLA_TUNE_FULL    /* every config of every kernel, without a time limit */
} cla_tune_effort;

/* The current activity of the tuner. */
typedef struct cla_tune_progress {
  const char *mode;     /* "local" or "global" */
  int64_t length;       /* the size class, in letters */
  int number, count;    /* 1-based number of this size class and mode; number of all size classes and modes */
  const char *activity; /* "vector16 16 x 8, tile 512, diagonals" for example */
  double best_gcups;    /* best rate of this class so far; 0: not known */
  const char *finished; /* the result, when a class is finished; else NULL */
  const char *notice;   /* a message that is reported only once; else NULL */
  double seconds;       /* since the start */
  double limit_seconds; /* limit of the whole run; 0: none */
  double seconds_left;  /* estimate; negative without a limit */
} cla_tune_progress;

/* A function that is called from the calling thread whenever a class or a measurement starts or ends. */
typedef void (*cla_tune_progress_function)(const cla_tune_progress *progress, void *user);

/* The options of tuning; cla_tune_options_init sets all fields except the required ones. */
typedef struct cla_tune_options {
  cla_tune_effort effort; /* number of sizes and configs that are measured */
  /* The scheme for which to tune; NULL: the default for DNA. If the scheme has a matrix for DNA or proteins,
   * the record's entries apply to every matrix. Workers must be created with the same scoring. */
  const cla_scoring *scoring;
  bool local, global;     /* the modes to tune */
  const int64_t *lengths; /* size classes, 64 .. CLA_TUNE_LENGTH_LIMIT; NULL: chosen by the effort */
  int length_count;       /* 1 .. CLA_TUNE_LENGTHS_LIMIT, or 0 */
  bool
      restart; /* also measure classes that the record already contains for the kind of scores of `scoring` */
  double pace; /* factor for the time that each config is measured; 0: 1 */
  double time_limit_seconds; /* limit of the whole run; 0: the effort's limit; negative: none */
  double hang_seconds;     /* a request counts as hung after its expected time plus this number of seconds */
  const char *record_path; /* path of the record, which is read at the start, and written after each class */
  cla_tune_ask ask;        /* required */
  void *ask_user;          /* passed to `ask` */
  cla_tune_progress_function progress; /* NULL: none */
  void *progress_user;                 /* passed to `progress` */
} cla_tune_options;

/* The largest size class, in letters. */
#define CLA_TUNE_LENGTH_LIMIT INT64_C(100000000)
/* The largest number of size classes. */
#define CLA_TUNE_LENGTHS_LIMIT 32

/* Sets normal effort, both modes and the default of every other option. record_path and ask are NULL. */
void cla_tune_options_init(cla_tune_options *options);

/* The numbers of configs and classes, by outcome. */
typedef struct cla_tune_summary {
  int64_t measured;     /* configs with a correct answer and a time */
  int64_t build_failed; /* configs that the compiler rejected */
  int64_t refused;      /* configs that the device refused to run */
  int64_t wrong;        /* configs whose answer differs from the reference */
  int64_t hung;         /* configs that did not finish in time */
  int64_t crashed;      /* configs that crashed their process */
  int classes_done;     /* classes measured and written by this call */
  int classes_kept;     /* classes that the record already contained */
  int classes_missing;  /* classes that were not measured before the time limit */
} cla_tune_summary;

/* Finds the fastest kernel config of each size class for the device that `device` describes; `device` must be
 * the description of an opened device. Also measures the rates of bands, windows and sweeps, unless the
 * record contains them or the options set lengths. If a rate cannot be measured, a notice reports that and
 * the default is used. After each class the record is written, completely or not at all. So if the process
 * ends early, the next call continues with the missing classes. Entries for other scores are kept; a record
 * of another driver or other kernels is replaced. A lock file next to the record excludes a second tuner.
 * *out is always set.
 *
 * If the time limit was reached, returns CLA_OK with classes_missing > 0. Errors:
 *
 * - CLA_ERROR_OUTPUT: the record cannot be written, which is checked before anything is measured, or another
 * tuner is using it
 * - CLA_ERROR_INPUT: a malformed record
 * - CLA_ERROR_DEVICE: no config works
 * - CLA_ERROR_OPTION, CLA_ERROR_MEMORY, and the errors of `ask` */
cla_status cla_tune(cla_tune_summary *out, const cla_device_info *device, const cla_tune_options *options,
                    cla_error *error);

/* The outcome of trying a kernel. */
typedef enum cla_trial_outcome {
  CLA_TRIAL_PASSED,       /* results equal those of the reference */
  CLA_TRIAL_NOT_FOR,      /* not made for this device or these scores */
  CLA_TRIAL_BUILD_FAILED, /* the compiler rejected it */
  CLA_TRIAL_REFUSED,      /* the device refused to run it */
  CLA_TRIAL_WRONG,        /* a result differs from the reference */
  CLA_TRIAL_HUNG,         /* did not finish in time */
  CLA_TRIAL_CRASHED,      /* crashed the worker */
  CLA_TRIAL_LEFT_OUT      /* not run, because a sweep would take too long */
} cla_trial_outcome;

/* Returns the outcome as a word, "build-failed" for example; static. */
const char *cla_trial_word(cla_trial_outcome outcome);

/* A kernel that was tried in one mode. */
typedef struct cla_trial {
  const char *kernel;        /* name; static */
  const char *mode;          /* "local" or "global"; static */
  int64_t length;            /* letters of both sequences */
  cla_trial_outcome outcome; /* the first failure, or that it passed */
  char config[128];          /* lanes, rows, tile and launch; empty: none */
  double gcups;              /* 10^9 computed cells per second of the fastest sweep; 0: not measured */
  char message[1536];        /* why it did not pass, with the build log's beginning; else empty */
} cla_trial;

/* What is tried. */
typedef enum cla_trial_kind {
  CLA_TRIAL_KERNELS, /* every kernel with its default config, on a small pair */
  CLA_TRIAL_RATES    /* the kernel in force, with record_path's config, at each of the options' lengths */
} cla_trial_kind;

/* Tries kernels on the device that `device` describes. Uses scoring, lengths, record_path, hang_seconds and
 * ask of the options, and for CLA_TRIAL_RATES also the modes; kernels are tried in both modes. A kernel that
 * fails is an outcome and no error. After an error, *out has what was tried before. The caller frees *out
 * with free(). CLA_ERROR_OPTION, CLA_ERROR_MEMORY, and the errors of `ask`. */
cla_status cla_tune_try(cla_trial **out, size_t *count, cla_trial_kind kind, const cla_device_info *device,
                        const cla_tune_options *options, cla_error *error);

/* Sets *out to a text that describes kernel configs. First come the configs for each of the options' lengths
 * (if none, the usual lengths), in both modes, with the options' scoring; then the configs of the other
 * kernels. Each line contains the config's values, its predicted rate, and the record's path or "rules". At
 * the end are the rates with which the way to align a pair is chosen. Other options are not used; `tuning`
 * may be NULL. The caller frees *out with free(). CLA_ERROR_DEVICE, CLA_ERROR_MEMORY, CLA_ERROR_OPTION. */
cla_status cla_tune_show(char **out, const cla_device_info *device, const cla_tuning *tuning,
                         const cla_tune_options *options, cla_error *error);

#ifdef __cplusplus
}
#endif

#endif
