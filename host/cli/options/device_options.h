#ifndef HOST_CLI_OPTIONS_DEVICE_OPTIONS_H
#define HOST_CLI_OPTIONS_DEVICE_OPTIONS_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

#include "clalign/align.h"
#include "clalign/device.h"
#include "clalign/tune.h"
#include "cli/options/options.h"

/* The devices of a command: their options, and the folders that drivers and kernels need. */

#define CLI_THREADS_LIMIT 65536

/* Macros that are parts of initialisers: NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define CLI_DEVICE_ENTRIES(options, head, what, how, threads_text) \
  {.name = "device", .heading = head, .argument = what, CLI_TEXT((options).select), \
   .description = how, .default_text = "first GPU, else first"}, \
  {.name = "threads", .letters = "t@", .argument = "N", .parse = cli_parse_int32, .destination = &(options).threads, \
   .minimum = 1, .maximum = CLI_THREADS_LIMIT, .description = "threads of the host and of a CPU device", \
   .default_text = threads_text}

/* Entries --device and --threads of a command's option table. `options` is the command's
 * cla_device_options. */
#define CLI_DEVICE_OPTIONS(options) \
  CLI_DEVICE_ENTRIES(options, NULL, "DEVICE", "an index of 'clalign devices', a part of a name, cpu or gpu", \
                     "what the system allows")

/* Entries for several devices: names separated by "," or "+", and the words all, cpu and gpu. `head` is the
 * heading of the option group, or NULL. */
#define CLI_DEVICES_OPTIONS(options, head) \
  CLI_DEVICE_ENTRIES(options, head, "DEVICES", "an index of 'clalign devices', a part of a name, all, cpu or gpu; " \
                     "or several of these, as in 0,2 or cpu+gpu", \
                     "what the system allows; a CPU beside GPUs leaves one to each")
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* Calls cla_devices_list after making sure that PoCL has a writable folder. */
cla_status cli_devices_list(cla_device_info **out, size_t *count, cla_error *error);

/* Sets the error that no device was found, with reason and remedy. Returns CLA_ERROR_DEVICE. */
cla_status cli_devices_missing(cla_error *error);

/* Opens the device that `options` select, with their number of threads. Kernel files come from
 * CLALIGN_CL_PATH if set; built programs are cached in cli_cache_folder. */
cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error);

/* True if CLALIGN_CL_PATH is set, so that kernels come from a folder. */
bool cli_device_has_own_kernels(void);

/* What is known of a device and of OpenCL's loader. */
typedef struct cli_device_facts {
  cla_device_info info;
  char extensions[16384]; /* separated by blanks */
  char loader[128];       /* name and version; empty: not known */
} cli_device_facts;

/* Describes the device that `options` select. A child process opens the device and ends before this function
 * returns, because a driver may reserve a device for a process until that process ends (NVIDIA's exclusive
 * mode). Must be called before the first OpenCL call. Errors: those of cla_device_open, and CLA_ERROR_DEVICE
 * if the driver ends the child. *out is always set, after an error with the loader at most. */
cla_status device_facts(cli_device_facts *out, const cla_device_options *options, cla_error *error);

/* Opened devices, in the order of their names on the command line. */
typedef struct cli_devices {
  cla_device **items;
  cla_tuning **tunings; /* by device; NULL before cli_devices_load_tuning */
  size_t count;
} cli_devices;

/* Opens each device that `options->select` names, as cli_device_open does. A word such as gpu stands for
 * all devices of its kind that are not named before it. An index or name that occurs twice opens its device
 * twice. CLA_ERROR_OPTION if a part of the list is empty. CLA_ERROR_DEVICE like cla_device_open, or if a
 * word stands for no device. The caller calls cli_devices_close, also after an error. */
cla_status cli_devices_open(cli_devices *out, const cla_device_options *options, cla_error *error);

/* The ranks of clalign-mpi; NULL in clalign. With ranks, cli_devices_open opens this rank's share of the
 * host's devices and threads, and rank 0 tells the other ranks which devices to open. */
extern const cla_ranks *cli_ranks;

/* Loads the tuning records of each device, as cli_tuning_load does. */
cla_status cli_devices_load_tuning(cli_devices *devices, bool quiet, cla_error *error);

/* Closes the devices; `devices` may be zeroed. */
void cli_devices_close(cli_devices *devices);

/* Devices that are opened only when one is needed. */
typedef struct cli_late_device {
  cli_devices devices; /* empty before the first use */
  const cla_device_options *options;
  bool quiet;
  pthread_mutex_t lock;
  bool begun;
} cli_late_device;

/* Prepares `late`; opens nothing. CLA_ERROR_MEMORY. The caller calls cli_late_device_end, which also accepts
 * a zeroed struct. */
cla_status cli_late_device_begin(cli_late_device *late, const cla_device_options *options, bool quiet,
                                 cla_error *error);
void cli_late_device_end(cli_late_device *late);

/* A cla_callbacks.device function whose user pointer `late` is a cli_late_device. Returns the first device.
 * May be called on any thread. */
cla_status cli_late_device_open(cla_device **device, const cla_tuning **tuning, void *late, cla_error *error);

/* The program's folders in the user's home, by the XDG Base Directory Specification. These functions create
 * no folders. They return false and an empty text if the path is too long, or if neither the XDG variable nor
 * HOME is an absolute path. The specification demands that relative paths are ignored. */

#define CLI_FOLDER_SIZE PATH_MAX

/* Returns $XDG_CACHE_HOME/clalign, or else $HOME/.cache/clalign, for files that may be deleted at any
 * time. */
bool cli_cache_folder(char out[CLI_FOLDER_SIZE]);

/* Returns the folder of the user's tuning records: "tuning" in cli_config_folder. */
bool cli_tuning_folder(char out[CLI_FOLDER_SIZE]);

/* PoCL finds no device if it cannot write its folder of built kernels, as in some containers and clusters,
 * and crashes if that is mounted noexec. Then POCL_CACHE_DIR is set to a temporary folder, which is removed
 * at the end of the process. */

/* Makes sure that PoCL has a usable folder, and that drivers which pip installed beside the program are
 * found. Must be called before the first OpenCL call, while the process has one thread. Further calls do
 * nothing. */
void driver_folder_prepare(void);

/* Removes the temporary folder if this process made one. Signal handlers may call it. */
void driver_folder_remove(void);

/* Returns why PoCL has no usable folder, as a phrase with the remedy; empty if it has one. */
const char *driver_folder_fault(void);

/* Tuning records: the folders that are searched, and warnings about unusable records. */

/* Loads the records for the device; the user's records come from cli_tuning_folder. Warns on stderr about
 * malformed records and, unless `quiet`, about stale ones. CLA_ERROR_MEMORY. */
cla_status cli_tuning_load(cla_tuning **out, const cla_device *device, bool quiet, cla_error *error);

#endif
