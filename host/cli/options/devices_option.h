#ifndef HOST_CLI_OPTIONS_DEVICES_OPTION_H
#define HOST_CLI_OPTIONS_DEVICES_OPTION_H

#include "clalign/tune.h"
#include "cli/options/device_option.h"

/* --device of commands that use several devices at once: what --device of one device takes, several of these
 * with "," or "+" between, and the words all, cpu and gpu. */

/* Entries --device and --threads of a command's option table; `options` is its cla_device_options. */
#define CLI_DEVICES_OPTIONS(options)                                                                       \
  {.name = "device",                                                                                       \
   .argument = "DEVICES",                                                                                  \
   .parse = cli_parse_text,                                                                                \
   .destination = (void *)&(options).select,                                                               \
   .description =                                                                                          \
       "an index of 'clalign devices', a part of a name, all, cpu or gpu; or several of these, as in 0,2 " \
       "or "                                                                                               \
       "cpu+gpu",                                                                                          \
   .default_text = "first GPU, else first"},                                                               \
  {                                                                                                        \
    .name = "threads", .argument = "N", .parse = cli_parse_int32, .destination = &(options).threads,       \
    .minimum = 1, .maximum = CLI_THREADS_LIMIT, .description = "threads of the host and of a CPU device",  \
    .default_text = "what the system allows; a CPU beside GPUs leaves one to each"                         \
  }

/* Opened devices, in the order in which they were named. */
typedef struct cli_devices {
  cla_device **items;
  cla_tuning **tunings; /* of each; NULL before cli_devices_load_tuning */
  size_t count;
} cli_devices;

/* Opens each device that `options->select` names, as cli_device_open does. A word stands for the devices of
 * its kind that nothing before it has named; an index or a name that comes twice opens its device twice.
 * CLA_ERROR_OPTION for an empty part of the list, CLA_ERROR_DEVICE as cla_device_open and for a word without
 * a device. End with cli_devices_close, also after an error. */
cla_status cli_devices_open(cli_devices *out, const cla_device_options *options, cla_error *error);

/* Loads the tuning records of each, as cli_tuning_load does. */
cla_status cli_devices_load_tuning(cli_devices *devices, bool quiet, cla_error *error);

/* Zeroed is allowed. */
void cli_devices_close(cli_devices *devices);

#endif
