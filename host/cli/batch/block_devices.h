#ifndef HOST_CLI_BATCH_BLOCK_DEVICES_H
#define HOST_CLI_BATCH_BLOCK_DEVICES_H

#include <pthread.h>
#include <stdatomic.h>

#include "clalign/arrays.h"
#include "cli/options/device_options.h"

/* Whether blocks of one kind take less time with the devices than without. */
typedef struct block_trial {
  double with, without; /* measured seconds of a cell; 0: not yet known */
  int64_t asked;
  int begun, ended; /* blocks that were tried with devices */
} block_trial;

/* Devices that take pairs beside the threads of the host: those that the user names, or a GPU once there is
 * enough work for it. They are opened in the background. Zero-initialise it; end with block_devices_end. */
typedef struct block_devices {
  cli_devices opened;
  cla_partner *partners;    /* all devices; owned */
  pthread_mutex_t *opening; /* held while devices are opened */
  cla_device_options options;
  cla_align_options align;
  cla_pair_arrays like; /* some pairs, owned */
  pthread_t thread;
  pthread_mutex_t lock; /* guards `trial` and `told` */
  pthread_cond_t changed;
  bool told; /* `like` is there, or nothing more is wanted */
  block_trial trial;
  _Atomic double host_ends; /* when host threads alone would end, about, by block_seconds */
  atomic_bool wanted;       /* `like` is made, or being made */
  atomic_bool started;      /* the thread was started; set by one thread at a time */
  atomic_bool over;         /* the thread has ended */
  atomic_bool ready;        /* all devices are open */
  atomic_bool lost;         /* one device has failed, and none is used any more */
  atomic_bool ended;        /* no devices are wanted any more */
  cla_status status;        /* the thread's, valid once it has ended */
  cla_error error;          /* why status is not CLA_OK */
  bool begun;
} block_devices;

/* Begins to open the devices that the user names, or else a GPU if host threads have work for `seconds`,
 * which pays. `opening` is locked while devices are opened. CLA_ERROR_MEMORY. */
cla_status block_devices_begin(block_devices *devices, const cla_device_options *options,
                               pthread_mutex_t *opening, double seconds, cla_error *error);

/* Waits for the devices that the user names. Errors as cli_devices_open. */
cla_status block_devices_wait(block_devices *devices, cla_error *error);

/* Opens a GPU if that pays for host threads with `seconds` of work, about, and if the user has named no
 * device. Kernels are built for pairs like those of `like`. May be called again and again, on any thread. */
void block_devices_want(block_devices *devices, double seconds, const cla_pair_arrays *like,
                        const cla_align_options *align);

/* Whether there are devices that are ready. */
bool block_devices_ready(const block_devices *devices);

/* Whether devices are being opened, and may be ready soon. */
bool block_devices_coming(const block_devices *devices);

/* Makes the devices partners in `align`, if they are ready; returns whether. `alike`: blocks are of one kind,
 * so some are tried, and devices take part only if they pay. */
bool block_devices_use(block_devices *devices, cla_align_options *align, bool alike);

/* Notes how long a block took, with devices or without. */
void block_devices_tell(block_devices *devices, bool with, double cells, double seconds);

/* Notes that a device has failed. False if that was known. */
bool block_devices_lose(block_devices *devices);

void block_devices_end(block_devices *devices);

#endif
