#ifndef HOST_CLI_BATCH_BLOCK_DEVICES_H
#define HOST_CLI_BATCH_BLOCK_DEVICES_H

#include <pthread.h>
#include <stdatomic.h>

#include "clalign/arrays.h"
#include "cli/options/device_options.h"

/* Measurements for blocks of one kind: whether devices make them faster. */
typedef struct block_trial {
  double with, without; /* measured seconds per cell; 0: unknown */
  int64_t asked;
  int begun, ended; /* number of blocks that started and ended with devices */
} block_trial;

/* Devices that align pairs beside the host threads: the devices that the user names or, for enough work, a
 * GPU. A thread opens them. Must be zero-initialised; block_devices_end ends the thread. */
typedef struct block_devices {
  cli_devices opened;
  cla_partner *partners;    /* all devices; owned */
  pthread_mutex_t *opening; /* locked while devices are being opened */
  cla_device_options options;
  cla_align_options align;
  cla_pair_arrays like; /* sample of the pairs, for building the kernel; owned */
  pthread_t thread;
  pthread_mutex_t lock; /* guards `trial` and `told` */
  pthread_cond_t changed;
  bool told; /* `like` is complete, or devices are no longer wanted */
  block_trial trial;
  _Atomic double host_ends; /* estimated end of the work if host threads do all, by cli_seconds */
  atomic_bool wanted;       /* block_devices_want has started to make `like` */
  atomic_bool started;      /* the thread runs; set by one thread at a time */
  atomic_bool over;         /* the thread has ended */
  atomic_bool ready;        /* all devices are open and can be used */
  atomic_bool lost;         /* a device has failed, so no devices are used */
  atomic_bool ended;        /* devices are no longer wanted */
  cla_status status;        /* the thread's status, valid after its end */
  cla_error error;          /* the error, if status is not CLA_OK */
  bool begun;
} block_devices;

/* Starts to open the devices that the user names. If none are named, opens a GPU if it saves time on work
 * of `seconds` host seconds. `opening` is locked while devices are being opened. CLA_ERROR_MEMORY. */
cla_status block_devices_begin(block_devices *devices, const cla_device_options *options,
                               pthread_mutex_t *opening, double seconds, cla_error *error);

/* Waits for the devices that the user names. Fails like cli_devices_open. */
cla_status block_devices_wait(block_devices *devices, cla_error *error);

/* Unless the user named devices, opens a GPU if it saves time on work of `seconds` host seconds. Kernels
 * are built for pairs like those of `like`. May be called repeatedly, on any thread. */
void block_devices_want(block_devices *devices, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align);

/* Returns true if the devices can be used. */
bool block_devices_ready(const block_devices *devices);

/* Returns true if devices are being opened. */
bool block_devices_coming(const block_devices *devices);

/* If the devices are ready, sets align->partners to them and returns true. `alike`: all blocks are of one
 * kind. Then some blocks try the devices, and further blocks use them only if they are faster. */
bool block_devices_use(block_devices *devices, cla_align_options *align, bool alike);

/* Records the time of a block, which was aligned with devices or without. */
void block_devices_tell(block_devices *devices, bool with, double cells, double seconds);

/* Records that a device has failed. Returns false if that was known. */
bool block_devices_lose(block_devices *devices);

void block_devices_end(block_devices *devices);

#endif
