#include "device/energy_counters.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define MICRO 1e-6
#define MILLI 1e-3

/* Seconds after which counters are about right: RAPL counts every millisecond, GPUs every tenth of a second.
 */
#define RAPL_SECONDS 0.1
#define GPU_SECONDS 1.0

/* Reads the first line of a file in `folder`, without its line end. False if that fails. */
static bool read_line(char *out, size_t size, const char *folder, const char *name) {
  char path[PATH_MAX];
  FILE *file = NULL;
  out[0] = '\0';
  if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path) file = fopen(path, "r");
  const bool read = file && fgets(out, (int)size, file);
  if (file) fclose(file);
  out[strcspn(out, "\n")] = '\0';
  return read;
}

bool energy_counter_read(uint64_t *out, const energy_counters *counters, const energy_counter *counter) {
  const energy_nvml *nvml = &counters->nvml;
  char text[32] = "", *end = NULL;
  unsigned long long millijoules = 0;
  unsigned milliwatts = 0;
  if (counter->file < 0) {
    const int code =
        counter->power ? nvml->power(nvml->device, &milliwatts) : nvml->energy(nvml->device, &millijoules);
    *out = counter->power ? milliwatts : millijoules;
    return code == 0;
  }
  if (pread(counter->file, text, sizeof text - 1, 0) <= 0) return false;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return end != text && errno == 0;
}

/* Adds a counter that is a file. On failure errno says why. */
static bool add_file(energy_counters *out, const char *folder, const char *name, bool power) {
  char path[PATH_MAX];
  energy_counter counter = {.file = -1, .power = power, .unit = MICRO};
  errno = ENAMETOOLONG;
  if (out->count == ENERGY_COUNTERS_MOST ||
      snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  counter.file = open(path, O_RDONLY | O_CLOEXEC);
  if (counter.file < 0) return false;
  if (energy_counter_read(&counter.last, out, &counter)) {
    out->items[out->count++] = counter;
    return true;
  }
  const int reason = errno ? errno : EINVAL;
  close(counter.file);
  errno = reason;
  return false;
}

/* Adds a zone of RAPL if it is a processor or memory. A zone of the whole system (psys) counts these again.
 */
static cla_status add_zone(energy_counters *out, int *memories, const char *zone, cla_error *error) {
  char name[64], range[32];
  if (!read_line(name, sizeof name, zone, "name")) return CLA_OK;
  const bool memory = strcmp(name, "dram") == 0;
  if (!memory && strncmp(name, "package", strlen("package")) != 0) return CLA_OK;
  if (!add_file(out, zone, "energy_uj", false)) {
    const int reason = errno;
    return error_set(
        error, CLA_ERROR_DEVICE, "cannot read %.512s/energy_uj: %s%s", zone, strerror(reason),
        reason == EACCES || reason == EPERM
            ? "; root can: 'chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj' until the next start"
            : "");
  }
  if (read_line(range, sizeof range, zone, "max_energy_range_uj"))
    out->items[out->count - 1].range = strtoull(range, NULL, 10);
  *memories += memory;
  return CLA_OK;
}

static int is_zone(const struct dirent *entry) {
  return strncmp(entry->d_name, "intel-rapl:", strlen("intel-rapl:")) == 0;
}

/* Processors of Intel and AMD. Zones of memory stand beside those of processors in the folder. */
static cla_status find_rapl(energy_counters *out, const char *sys, cla_error *error) {
  char folder[PATH_MAX], zone[PATH_MAX + 300];
  struct dirent **names = NULL;
  int memories = 0;
  snprintf(folder, sizeof folder, "%s/class/powercap", sys);
  const int count = scandir(folder, &names, is_zone, alphasort);
  cla_status status = CLA_OK;
  for (int i = 0; i < count; i++) {
    snprintf(zone, sizeof zone, "%s/%s", folder, names[i]->d_name);
    if (status == CLA_OK) status = add_zone(out, &memories, zone, error);
    free(names[i]);
  }
  free(names);
  if (status == CLA_OK && out->count == 0)
    status = error_set(error, CLA_ERROR_DEVICE,
                       "%.512s has no counters of RAPL, as in virtual machines, or without the kernel's "
                       "module intel_rapl_msr",
                       folder);
  const int packages = out->count - memories;
  out->seconds_least = RAPL_SECONDS;
  snprintf(out->source, sizeof out->source, "RAPL, %d package%s", packages, packages == 1 ? "" : "s");
  if (memories > 0)
    snprintf(out->source + strlen(out->source), sizeof out->source - strlen(out->source), ", memory of %d",
             memories);
  return status;
}

/* Sets *function, a pointer to a function, to a symbol of the library. memcpy, because C has no cast from an
 * object to a function. */
static bool find_symbol(void *function, void *library, const char *name) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static cla_status find_nvml(energy_counters *out, const char *name, const char *pci, cla_error *error) {
  energy_nvml *nvml = &out->nvml;
  int (*begin)(void) = NULL, (*find)(const char *, void **) = NULL;
  energy_counter counter = {.file = -1, .unit = MILLI};
  nvml->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!nvml->handle)
    return error_set(error, CLA_ERROR_DEVICE, "NVIDIA's management library cannot be loaded: %.512s",
                     dlerror());
  const bool known = find_symbol(&begin, nvml->handle, "nvmlInit_v2") &&
                     find_symbol(&find, nvml->handle, "nvmlDeviceGetHandleByPciBusId_v2");
  int code = known ? begin() : 0;
  if (!known || code != 0)
    return error_set(error, CLA_ERROR_DEVICE, "%.256s: nvmlInit_v2 fails with code %d", name, code);
  find_symbol(&nvml->shutdown, nvml->handle, "nvmlShutdown");
  code = find(pci, &nvml->device);
  if (code != 0)
    return error_set(error, CLA_ERROR_DEVICE, "%.256s does not know the GPU with PCI address %s: code %d",
                     name, pci, code);
  out->seconds_least = GPU_SECONDS;
  if (find_symbol(&nvml->energy, nvml->handle, "nvmlDeviceGetTotalEnergyConsumption") &&
      energy_counter_read(&counter.last, out, &counter)) {
    snprintf(out->source, sizeof out->source, "NVML, energy of the GPU");
  } else {
    counter.power = true;
    if (!find_symbol(&nvml->power, nvml->handle, "nvmlDeviceGetPowerUsage") ||
        !energy_counter_read(&counter.last, out, &counter))
      return error_set(error, CLA_ERROR_DEVICE, "%.256s tells neither energy nor power of this GPU", name);
    snprintf(out->source, sizeof out->source, "NVML, power of the GPU ten times a second");
  }
  out->items[out->count++] = counter;
  return CLA_OK;
}

static int is_monitor(const struct dirent *entry) {
  return strncmp(entry->d_name, "hwmon", strlen("hwmon")) == 0;
}

/* Adds the first file of a hwmon folder that tells energy, or else power. */
static bool add_monitor(energy_counters *out, const char *folder) {
  if (add_file(out, folder, "energy1_input", false)) {
    snprintf(out->source, sizeof out->source, "hwmon, energy of the GPU");
    return true;
  }
  if (!add_file(out, folder, "power1_average", true) && !add_file(out, folder, "power1_input", true))
    return false;
  snprintf(out->source, sizeof out->source, "hwmon, power of the GPU ten times a second");
  return true;
}

/* GPUs of AMD and Intel. */
static cla_status find_hwmon(energy_counters *out, const char *sys, const char *pci, cla_error *error) {
  char folder[PATH_MAX], monitor[PATH_MAX + 300];
  struct dirent **names = NULL;
  bool found = false;
  int reason = ENOENT;
  snprintf(folder, sizeof folder, "%s/bus/pci/devices/%s/hwmon", sys, pci);
  const int count = scandir(folder, &names, is_monitor, alphasort);
  for (int i = 0; i < count; i++) {
    snprintf(monitor, sizeof monitor, "%s/%s", folder, names[i]->d_name);
    if (!found) found = add_monitor(out, monitor);
    if (!found && errno != ENOENT) reason = errno;
    free(names[i]);
  }
  free(names);
  out->seconds_least = GPU_SECONDS;
  if (found) return CLA_OK;
  return error_set(error, CLA_ERROR_DEVICE, "no energy1_input, power1_average or power1_input in %.512s: %s",
                   folder, strerror(reason));
}

cla_status energy_counters_find(energy_counters *out, const cla_device_info *device,
                                const cla_energy_places *places, cla_error *error) {
  const char *sys = places && places->sys ? places->sys : "/sys";
  const char *nvml = places && places->nvml ? places->nvml : "libnvidia-ml.so.1";
  if (device->kind == CLA_DEVICE_CPU) return find_rapl(out, sys, error);
  if (!device->pci[0])
    return error_set(error, CLA_ERROR_DEVICE,
                     "the driver does not tell the PCI address of %s, by which its counters are found",
                     device->name);
  if (strstr(device->vendor, "NVIDIA")) return find_nvml(out, nvml, device->pci, error);
  return find_hwmon(out, sys, device->pci, error);
}

void energy_counters_free(energy_counters *counters) {
  for (int i = 0; i < counters->count; i++)
    if (counters->items[i].file >= 0) close(counters->items[i].file);
  if (counters->nvml.shutdown) counters->nvml.shutdown();
  if (counters->nvml.handle) dlclose(counters->nvml.handle);
}
