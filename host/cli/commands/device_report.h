#ifndef HOST_CLI_COMMANDS_DEVICE_REPORT_H
#define HOST_CLI_COMMANDS_DEVICE_REPORT_H

#include "clalign/device.h"
#include "clalign/tuner.h"
#include "cli/options/device_options.h"

struct json_t;

/* Returns "cpu", "gpu" or "other". */
const char *device_kind_name(cla_device_kind kind);

/* Returns the facts of a device as a JSON object, for `clalign devices` and reports; NULL if memory is
 * short. */
struct json_t *device_object(const cla_device_info *device);

/* The file of `clalign tune --report`: docs/report.schema.json. It is written when it is begun and again
 * after each stage, so that it exists however the command ends. No text of it has paths, the user's name or
 * the machine's. */

#define REPORT_HIDDEN_MOST 4

typedef struct device_report {
  const char *path;                       /* NULL: there is no report, and the functions do nothing */
  bool once;                              /* the file is no regular file, so it is written at the end only */
  bool failed;                            /* memory was short */
  const char *hidden[REPORT_HIDDEN_MOST]; /* names of files that no text may have; NULL ends them */
  struct json_t *root;
} device_report;

/* Begins the report. `path` may be NULL, and "-" is standard output. hidden[0] to hidden[2] are set before,
 * or NULL. CLA_ERROR_OUTPUT if the file cannot be written, CLA_ERROR_MEMORY. The caller calls
 * device_report_end. */
cla_status device_report_begin(device_report *report, const char *path, cla_error *error);

/* Add what a stage has found, and write the file. Errors of writing are left to device_report_end. */
void device_report_facts(device_report *report, const cli_device_facts *facts, bool opened);
/* key: "self_test" or "bench". scores: "match" or "matrix". */
void device_report_trials(device_report *report, const char *key, const char *scores, const cla_trial *trials,
                          size_t count);
/* record: path of the tuning record; NULL or an unreadable file: none. */
void device_report_tuning(device_report *report, const char *record, const cla_tune_summary *summary);
void device_report_failure(device_report *report, const char *stage, const char *message);

/* Writes the file for the last time and frees the report. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status device_report_end(device_report *report, bool complete, cla_error *error);

#endif
