/* A made-up libnvidia-ml.so.1 for tests. It knows one GPU, at PCI address 0000:3b:00.0.
 *
 * - FAKE_NVML=energy: the GPU has used 7 J more at each call
 * - FAKE_NVML=power: it tells no energy, and takes 250 W
 * - FAKE_NVML=lost: it does not know the GPU
 * - otherwise: it cannot be initialised */

#include <stdlib.h>
#include <string.h>

#define NOT_SUPPORTED 3
#define NOT_FOUND 6
#define DRIVER_NOT_LOADED 9

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);

static char gpu;

static int asked(const char *what) {
  const char *mode = getenv("FAKE_NVML");
  return mode && strcmp(mode, what) == 0;
}

int nvmlInit_v2(void) {
  return asked("energy") || asked("power") || asked("lost") ? 0 : DRIVER_NOT_LOADED;
}

int nvmlShutdown(void) {
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device) {
  *device = &gpu;
  return !asked("lost") && strcmp(address, "0000:3b:00.0") == 0 ? 0 : NOT_FOUND;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  static unsigned long long used = 1000;
  if (device != &gpu || !asked("energy")) return NOT_SUPPORTED;
  used += 7000;
  *millijoules = used;
  return 0;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
  if (device != &gpu || !asked("power")) return NOT_SUPPORTED;
  *milliwatts = 250000;
  return 0;
}
