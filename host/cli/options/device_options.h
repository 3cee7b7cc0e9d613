#ifndef HOST_CLI_OPTIONS_DEVICE_OPTIONS_H
#define HOST_CLI_OPTIONS_DEVICE_OPTIONS_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

#include "clalign/align.h"
#include "clalign/device.h"
#include "clalign/tune.h"
#include "cli/options/options.h"

/* The devices that a command works on: their options, and the folders that they need. */

#define CLI_THREADS_LIMIT 65536

/* Parts of initialisers, and no expressions: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define CLI_DEVICE_ENTRIES(options, head, what, how, threads_text) \
  {.name = "device", .heading = head, .argument = what, CLI_TEXT((options).select), \
   .description = how, .default_text = "first GPU, else first"}, \
  {.name = "threads", .letters = "t@", .argument = "N", .parse = cli_parse_int32, .destination = &(options).threads, \
   .minimum = 1, .maximum = CLI_THREADS_LIMIT, .description = "threads of the host and of a CPU device", \
   .default_text = threads_text}

/* Entries --device and --threads of a command's option table; `options` is its cla_device_options. */
#define CLI_DEVICE_OPTIONS(options) \
  CLI_DEVICE_ENTRIES(options, NULL, "DEVICE", "an index of 'clalign devices', a part of a name, cpu or gpu", \
                     "what the system allows")

/* Entries for several devices at once: names of devices with "," or "+" between, and the words all, cpu and gpu.
 * `head` is the heading of the group that begins, or NULL. */
#define CLI_DEVICES_OPTIONS(options, head) \
  CLI_DEVICE_ENTRIES(options, head, "DEVICES", "an index of 'clalign devices', a part of a name, all, cpu or gpu; " \
                     "or several of these, as in 0,2 or cpu+gpu", \
                     "what the system allows; a CPU beside GPUs leaves one to each")
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* cla_devices_list; PoCL then has a folder that it can write. */
cla_status cli_devices_list(cla_device_info **out, size_t *count, cla_error *error);

/* Sets the error that there is no device at all, with reason and remedy. Returns CLA_ERROR_DEVICE. */
cla_status cli_devices_missing(cla_error *error);

/* Opens the device with its kernel files from CLALIGN_CL_PATH, if set, and its built programs cached in
 * cli_cache_folder; `select` and `threads` are as the options say. */
cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error);

/* Whether CLALIGN_CL_PATH names the kernels. */
bool cli_device_has_own_kernels(void);

/* Describes the device that `options` select. Another process opens it, and has ended on return. A driver may
 * give a device to one process at a time (NVIDIA's exclusive mode), until that process ends. To be called
 * before the first OpenCL call. Errors: those of cla_device_open, and CLA_ERROR_DEVICE if the driver ends the
 * process. */
cla_status device_facts(cla_device_info *out, const cla_device_options *options, cla_error *error);

/* Opened devices, in the order in which they were named. */
typedef struct cli_devices {
  cla_device **items;
  cla_tuning **tunings; /* by device; NULL before cli_devices_load_tuning */
  size_t count;
} cli_devices;

/* Opens each device that `options->select` names, as cli_device_open does. A word stands for the devices of
 * its kind that nothing before it has named; an index or a name that comes twice opens its device twice.
 * CLA_ERROR_OPTION for an empty part of the list, CLA_ERROR_DEVICE as cla_device_open and for a word without
 * a device. End with cli_devices_close, also after an error. */
cla_status cli_devices_open(cli_devices *out, const cla_device_options *options, cla_error *error);

/* The processes that clalign-mpi is; NULL: clalign. With them cli_devices_open keeps this rank's share of the
 * host's devices and threads, and rank 0 tells the others which to open. */
extern const cla_ranks *cli_ranks;

/* Loads the tuning records of each, as cli_tuning_load does. */
cla_status cli_devices_load_tuning(cli_devices *devices, bool quiet, cla_error *error);

/* Zeroed is allowed. */
void cli_devices_close(cli_devices *devices);

/* Devices that are opened when the first call needs one. */
typedef struct cli_late_device {
  cli_devices devices; /* none before that */
  const cla_device_options *options;
  bool quiet;
  pthread_mutex_t lock;
  bool begun;
} cli_late_device;

/* CLA_ERROR_MEMORY. End with cli_late_device_end, for which zeroed is allowed. */
cla_status cli_late_device_begin(cli_late_device *late, const cla_device_options *options, bool quiet,
                                 cla_error *error);
void cli_late_device_end(cli_late_device *late);

/* What cla_callbacks.device calls with a cli_late_device, from any thread: gives the first of the devices. */
cla_status cli_late_device_open(cla_device **device, const cla_tuning **tuning, void *late, cla_error *error);

/* The user's folders of the program, by the XDG Base Directory Specification. Nothing is created here. A
 * function returns false and an empty text if the path is too long, or if neither the XDG variable nor HOME
 * is an absolute path. The specification demands to ignore relative ones. */

#define CLI_FOLDER_SIZE PATH_MAX

/* $XDG_CACHE_HOME/clalign, else $HOME/.cache/clalign: for files that may be deleted at any time. */
bool cli_cache_folder(char out[CLI_FOLDER_SIZE]);

/* The folder of the user's tuning records, "tuning" in cli_config_folder. */
bool cli_tuning_folder(char out[CLI_FOLDER_SIZE]);

/* PoCL finds no device if it cannot write its folder of built kernels, as in containers and on clusters. It
 * then gets a temporary folder through POCL_CACHE_DIR, which is removed when the process ends. */

/* To be called before the first OpenCL call, with one thread. Further calls do nothing. */
void driver_folder_prepare(void);

/* Removes the temporary folder, if this process has made one. May be called by a signal handler. */
void driver_folder_remove(void);

/* Why PoCL has no folder that it can write, one phrase with the remedy; empty: it has one. */
const char *driver_folder_fault(void);

/* Tuning records: the folders where the program looks for them, and the warnings about unusable ones. */

/* Loads the records for the device, the user's from cli_tuning_folder. Warns on stderr of malformed ones in
 * any case, of stale ones unless `quiet`. CLA_ERROR_MEMORY. */
cla_status cli_tuning_load(cla_tuning **out, const cla_device *device, bool quiet, cla_error *error);

#endif
