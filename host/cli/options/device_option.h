#ifndef HOST_CLI_OPTIONS_DEVICE_OPTION_H
#define HOST_CLI_OPTIONS_DEVICE_OPTION_H

#include "clalign/device.h"
#include "cli/options/options.h"

/* What every command that opens a device shares: its options, and the folders that the environment names. */

#define CLI_THREADS_LIMIT 65536

/* Entries --device and --threads of a command's option table; `options` is its cla_device_options. */
#define CLI_DEVICE_OPTIONS(options)                                                                       \
  {.name = "device",                                                                                      \
   .argument = "DEVICE",                                                                                  \
   .parse = cli_parse_text,                                                                               \
   .destination = (void *)&(options).select,                                                              \
   .description = "an index of 'clalign devices' or a part of a name",                                    \
   .default_text = "first GPU, else first"},                                                              \
  {                                                                                                       \
    .name = "threads", .argument = "N", .parse = cli_parse_int32, .destination = &(options).threads,      \
    .minimum = 1, .maximum = CLI_THREADS_LIMIT, .description = "threads of the host and of a CPU device", \
    .default_text = "what the system allows"                                                              \
  }

/* cla_devices_list; PoCL then has a folder that it can write. */
cla_status cli_devices_list(cla_device_info **out, size_t *count, cla_error *error);

/* Says why there is no device at all, with the remedy; returns CLA_ERROR_DEVICE. */
cla_status cli_devices_missing(cla_error *error);

/* Opens the device with its kernel files from CLALIGN_CL_PATH, if set, and its built programs cached in
 * cli_cache_folder; `select` and `threads` are as the options say. */
cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error);

#endif
