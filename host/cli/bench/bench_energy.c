#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"

/* The energy of the devices that are measured. */

/* True if a device before number `index` has the same counters: any other CPU, or the same GPU again. */
static bool is_counted(const cli_devices *devices, size_t index) {
  const cla_device_info *own = cla_device_describe(devices->items[index]);
  for (size_t i = 0; i < index; i++) {
    const cla_device_info *other = cla_device_describe(devices->items[i]);
    if (own->kind == CLA_DEVICE_CPU ? other->kind == CLA_DEVICE_CPU : strcmp(own->pci, other->pci) == 0)
      return true;
  }
  return false;
}

static void add_meter(bench_energy *out, cla_energy_meter *meter) {
  const size_t used = strlen(out->source);
  snprintf(out->source + used, sizeof out->source - used, "%s%s", used > 0 ? "; " : "",
           cla_energy_source(meter));
  if (cla_energy_seconds_least(meter) > out->seconds_least)
    out->seconds_least = cla_energy_seconds_least(meter);
  out->meters[out->count++] = meter;
}

void bench_energy_open(bench_energy *out, const cli_devices *devices) {
  const char *sys = getenv("CLALIGN_SYS_PATH");
  const cla_energy_places places = {.sys = sys && *sys ? sys : NULL};
  cla_error error = {.status = CLA_OK};
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < devices->count; i++) {
    cla_energy_meter *meter = NULL;
    if (is_counted(devices, i)) continue;
    if (out->count == BENCH_LIST_LIMIT) {
      snprintf(error.message, sizeof error.message, "more than %d devices", BENCH_LIST_LIMIT);
      error.status = CLA_ERROR_DEVICE;
    } else {
      error.status = cla_energy_open(&meter, cla_device_describe(devices->items[i]), &places, &error);
    }
    if (error.status != CLA_OK) break;
    add_meter(out, meter);
  }
  if (error.status == CLA_OK) return;
  bench_energy_close(out);
  snprintf(out->missing, sizeof out->missing, "%.500s", error.message);
}

void bench_energy_close(bench_energy *energy) {
  for (int i = 0; i < energy->count; i++) cla_energy_close(energy->meters[i]);
  memset(energy, 0, sizeof *energy);
}

double bench_energy_joules(const bench_energy *energy) {
  double all = 0;
  if (energy->count == 0) return -1;
  for (int i = 0; i < energy->count; i++) {
    const double joules = cla_energy_joules(energy->meters[i]);
    if (joules < 0) return -1;
    all += joules;
  }
  return all;
}
