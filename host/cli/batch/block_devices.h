#ifndef HOST_CLI_BATCH_BLOCK_DEVICES_H
#define HOST_CLI_BATCH_BLOCK_DEVICES_H

#include <pthread.h>
#include <stdatomic.h>

#include "clalign/arrays.h"
#include "cli/options/device_options.h"

/* Whether blocks of one kind take less time with the devices than without. */
typedef struct block_trial {
  double with, without; /* seconds of a cell, as seen; 0: not yet */
  int64_t asked;
  int begun, ended; /* blocks that were tried with devices */
} block_trial;

/* Devices that take pairs beside the threads of the host: those that the user names, or a GPU that is opened
 * once there is work enough for it, in the background both. Zero-initialise it; end with block_devices_end.
 */
typedef struct block_devices {
  cli_devices opened;
  cla_partner *partners;    /* all of them, owned */
  pthread_mutex_t *opening; /* of whoever opens devices */
  cla_device_options options;
  cla_align_options align;
  cla_pair_arrays like; /* some pairs, owned */
  pthread_t thread;
  pthread_mutex_t lock; /* of the trial, and of told */
  pthread_cond_t changed;
  bool told; /* `like` is there, or nothing more is wanted */
  block_trial trial;
  _Atomic double host_ends;       /* when host threads alone would end, about, by block_seconds */
  atomic_bool wanted, started;    /* `like` is made; the thread was started, by one thread at a time */
  atomic_bool over;               /* the thread has ended */
  atomic_bool ready, lost, ended; /* lost: one of them has failed, and they are used no more */
  cla_status status;              /* of the thread, which has ended, */
  cla_error error;                /* and why */
  bool begun;
} block_devices;

/* Opens those that the user names, if any, or a GPU if host threads have work for so many seconds at least.
 * `opening` is locked while devices are opened. CLA_ERROR_MEMORY. */
cla_status block_devices_begin(block_devices *devices, const cla_device_options *options,
                               pthread_mutex_t *opening, double seconds, cla_error *error);

/* Waits for those that the user names. Errors as cli_devices_open. */
cla_status block_devices_wait(block_devices *devices, cla_error *error);

/* Host threads have work for about so many seconds: opens a GPU if that pays and the user has named no
 * device. Kernels are built for pairs like these. May be called again and again, on any thread. */
void block_devices_want(block_devices *devices, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align);

/* Whether there are devices that are ready. */
bool block_devices_ready(const block_devices *devices);

/* Whether they are being opened, and may be ready soon. */
bool block_devices_coming(const block_devices *devices);

/* Names them as partners, if they are ready. With `alike`, for blocks of one kind, only if they pay: some
 * blocks are tried. Returns whether. */
bool block_devices_use(block_devices *devices, cla_align_options *align, bool alike);

/* How long such a block took, with them or without. */
void block_devices_tell(block_devices *devices, bool with, double cells, double seconds);

/* One has failed. False if that was known. */
bool block_devices_lose(block_devices *devices);

void block_devices_end(block_devices *devices);

#endif
