#ifndef CLALIGN_ENERGY_H
#define CLALIGN_ENERGY_H

#include "clalign/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The energy that a device takes, from the machine's own counters.
 *
 * - CPU: RAPL's counters of all processors and their memory (/sys/class/powercap), whatever takes the energy
 * - NVIDIA GPU: NVIDIA's management library, if its driver is installed
 * - other GPU: the kernel's hwmon files of the GPU's PCI address
 *
 * A GPU's energy does not include the host's. Several threads may read one meter at the same time. */

/* A running meter. */
typedef struct cla_energy_meter cla_energy_meter;

/* Where counters are found; all NULL: the usual places. */
typedef struct cla_energy_places {
  const char *sys;  /* NULL: /sys */
  const char *nvml; /* NVIDIA's management library; NULL: libnvidia-ml.so.1 */
} cla_energy_places;

/* Starts a meter for `device`. `places` may be NULL. A thread reads the counters ten times a second, because
 * they start anew at some number. CLA_ERROR_DEVICE if the energy cannot be read; the message says why.
 * CLA_ERROR_MEMORY. The caller frees *out with cla_energy_close. */
cla_status cla_energy_open(cla_energy_meter **out, const cla_device_info *device,
                           const cla_energy_places *places, cla_error *error);

/* Stops the meter; NULL is allowed. */
void cla_energy_close(cla_energy_meter *meter);

/* Returns the joules since the meter was started; negative if a counter could not be read meanwhile. */
double cla_energy_joules(cla_energy_meter *meter);

/* Returns the counters' name, such as "RAPL, 2 packages, 1 memory"; valid until the meter is closed. */
const char *cla_energy_source(const cla_energy_meter *meter);

/* Returns how many seconds a computation must take at least, so that its energy is about right. */
double cla_energy_seconds_least(const cla_energy_meter *meter);

#ifdef __cplusplus
}
#endif

#endif
