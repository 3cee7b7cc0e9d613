#ifndef HOST_DEVICE_ENERGY_COUNTERS_H
#define HOST_DEVICE_ENERGY_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/energy.h"

/* The counters of energy that a machine has. */

#define ENERGY_COUNTERS_MOST 64

/* A counter of energy, or, where there is none, a reading of power. */
typedef struct energy_counter {
  int file;       /* descriptor of a file with a decimal number; -1: the management library is asked */
  bool power;     /* true: the number is a power; false: an energy since some time */
  double unit;    /* joules or watts of 1 */
  uint64_t range; /* the counter starts anew after this number; 0: never */
  uint64_t last;  /* the number at the last reading */
} energy_counter;

/* NVIDIA's management library (nvml.h, whose ABI is stable), and a device of it. */
typedef struct energy_nvml {
  void *handle; /* dlopen's handle */
  void *device;
  int (*shutdown)(void);
  int (*energy)(void *device, unsigned long long *millijoules);
  int (*power)(void *device, unsigned *milliwatts);
} energy_nvml;

/* All counters of a device. */
typedef struct energy_counters {
  energy_counter items[ENERGY_COUNTERS_MOST];
  int count;
  energy_nvml nvml;
  char source[96];      /* name for people */
  double seconds_least; /* seconds that a computation must take, so that its energy is about right */
} energy_counters;

/* Finds the counters of a device. CLA_ERROR_DEVICE, with the reason. The caller calls energy_counters_free,
 * also after an error; `out` must be zeroed before. */
cla_status energy_counters_find(energy_counters *out, const cla_device_info *device,
                                const cla_energy_places *places, cla_error *error);
void energy_counters_free(energy_counters *counters);

/* Reads the counter's number. False if it cannot be read. */
bool energy_counter_read(uint64_t *out, const energy_counters *counters, const energy_counter *counter);

#endif
