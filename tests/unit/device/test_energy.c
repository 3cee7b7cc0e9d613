#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine.h"
#include "clalign/energy.h"
#include "support/made_alignment.h"
#include "support/test.h"

/* Energy meters on made-up counters: a /sys of files, and a management library (tests/fakes/nvml.c). */

static char *sys;
static cla_energy_meter *meter;
static cla_energy_places places;
static const cla_device_info cpu = {.kind = CLA_DEVICE_CPU, .name = "a CPU"};
static cla_device_info nvidia, amd;

/* Writes a file below the made-up /sys, and makes its folders. An old file is written over and never empty,
 * because the meter's thread may read it at any time. */
static void put(const char *path, const char *text) {
  OWNED(free_memory) char *file = made_path(sys, path);
  for (char *slash = file + strlen(sys) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(file, 0700);
    *slash = '/';
  }
  const int to = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  cr_assert_geq(to, 0);
  cr_assert_eq(write(to, text, strlen(text)), (ssize_t)strlen(text));
  close(to);
}

static void put_zone(const char *zone, const char *name, const char *energy, const char *range) {
  char path[128];
  snprintf(path, sizeof path, "class/powercap/%s/name", zone);
  put(path, name);
  snprintf(path, sizeof path, "class/powercap/%s/energy_uj", zone);
  put(path, energy);
  snprintf(path, sizeof path, "class/powercap/%s/max_energy_range_uj", zone);
  put(path, range);
}

static void set_up(void) {
  sys = made_folder();
  places = (cla_energy_places){.sys = sys, .nvml = FAKE_NVML_LIBRARY};
  nvidia = (cla_device_info){
      .kind = CLA_DEVICE_GPU, .name = "NVIDIA H200", .vendor = "NVIDIA Corporation", .pci = "0000:3b:00.0"};
  amd = (cla_device_info){.kind = CLA_DEVICE_GPU,
                          .name = "gfx1100",
                          .vendor = "Advanced Micro Devices, Inc.",
                          .pci = "0000:03:00.0"};
  unsetenv("FAKE_NVML");
}

static int remove_one(const char *file, const struct stat *about, int kind, struct FTW *where) {
  (void)about, (void)kind, (void)where;
  return remove(file);
}

static void tear_down(void) {
  cla_energy_close(meter);
  cr_expect_eq(nftw(sys, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
  free(sys);
}

TestSuite(energy, .init = set_up, .fini = tear_down);

static void open_for(const cla_device_info *device) {
  assert_ok(cla_energy_open(&meter, device, &places, &why));
}

/* Expects the meter to be refused with a message that contains both parts. */
static void expect_refused(const cla_device_info *device, const char *part, const char *more) {
  cr_assert_eq(cla_energy_open(&meter, device, &places, &why), CLA_ERROR_DEVICE);
  cr_expect_null(meter);
  cr_expect(strstr(why.message, part) && strstr(why.message, more) && !strchr(why.message, '\n'), "%s",
            why.message);
}

Test(energy, packages_and_their_memory_are_added_and_nothing_twice) {
  put_zone("intel-rapl:0", "package-0\n", "1000000\n", "262143328850\n");
  put_zone("intel-rapl:0:0", "core\n", "500000\n", "262143328850\n");
  put_zone("intel-rapl:0:1", "dram\n", "100\n", "65712999613\n");
  put_zone("intel-rapl:1", "package-1\n", "5\n", "262143328850\n");
  put_zone("intel-rapl:2", "psys\n", "0\n", "262143328850\n");
  put_zone("intel-rapl-mmio:0", "package-0\n", "0\n", "262143328850\n");
  open_for(&cpu);
  cr_expect_str_eq(cla_energy_source(meter), "RAPL, 2 packages, memory of 1");
  cr_expect_eq(cla_energy_joules(meter), 0);
  put_zone("intel-rapl:0", "package-0\n", "3000000\n", "262143328850\n");
  put_zone("intel-rapl:0:0", "core\n", "900000\n", "262143328850\n");
  put_zone("intel-rapl:0:1", "dram\n", "500100\n", "65712999613\n");
  put_zone("intel-rapl:1", "package-1\n", "1000005\n", "262143328850\n");
  put_zone("intel-rapl:2", "psys\n", "77000000\n", "262143328850\n");
  cr_expect_float_eq(cla_energy_joules(meter), 2 + 0.5 + 1, 1e-9);
  cr_expect_float_eq(cla_energy_joules(meter), 3.5, 1e-9);
}

Test(energy, a_counter_that_starts_anew_goes_on) {
  put_zone("intel-rapl:0", "package-0\n", "9000000\n", "10000000\n");
  open_for(&cpu);
  put("class/powercap/intel-rapl:0/energy_uj", "500000\n");
  cr_expect_float_eq(cla_energy_joules(meter), 1.5, 1e-9);
  put("class/powercap/intel-rapl:0/energy_uj", "250000\n");
  cr_expect_float_eq(cla_energy_joules(meter), 1.5 + 9.75, 1e-9);
}

Test(energy, a_counter_that_starts_anew_at_an_unknown_number_is_no_answer) {
  put_zone("intel-rapl:0", "package-0\n", "9000000\n", "nonsense\n");
  open_for(&cpu);
  put("class/powercap/intel-rapl:0/energy_uj", "500000\n");
  cr_expect_lt(cla_energy_joules(meter), 0);
  put("class/powercap/intel-rapl:0/energy_uj", "600000\n");
  cr_expect_lt(cla_energy_joules(meter), 0);
}

Test(energy, a_counter_that_becomes_unreadable_is_no_answer) {
  put_zone("intel-rapl:0", "package-0\n", "9000000\n", "10000000\n");
  open_for(&cpu);
  put("class/powercap/intel-rapl:0/energy_uj", "gone\n");
  cr_expect_lt(cla_energy_joules(meter), 0);
}

Test(energy, missing_and_closed_counters_are_told) {
  expect_refused(&cpu, "/class/powercap", "RAPL");
  put_zone("intel-rapl:0", "psys\n", "1\n", "2\n");
  expect_refused(&cpu, "/class/powercap", "RAPL");
  put_zone("intel-rapl:1", "package-0\n", "what\n", "2\n");
  expect_refused(&cpu, "intel-rapl:1/energy_uj", "cannot read");
  if (geteuid() == 0) return; /* reads everything */
  OWNED(free_memory) char *file = made_path(sys, "class/powercap/intel-rapl:1/energy_uj");
  cr_assert_eq(chmod(file, 0), 0);
  expect_refused(&cpu, "Permission denied", "chmod a+r");
}

Test(energy, nvml_tells_the_energy_of_the_gpu_with_that_address) {
  setenv("FAKE_NVML", "energy", 1);
  open_for(&nvidia);
  cr_expect_str_eq(cla_energy_source(meter), "NVML, energy of the GPU");
  /* Each reading adds 7 J; the meter's thread reads, too. */
  const double first = cla_energy_joules(meter), second = cla_energy_joules(meter);
  cr_expect(first > 6.9 && fabs(remainder(first, 7)) < 1e-6, "%g", first);
  cr_expect(second > first && fabs(remainder(second, 7)) < 1e-6, "%g", second);
  cla_energy_close(meter);
  meter = NULL;
  strcpy(nvidia.pci, "0000:af:00.0");
  expect_refused(&nvidia, "0000:af:00.0", "code 6");
}

Test(energy, nvml_without_energy_tells_power_that_is_added_up) {
  setenv("FAKE_NVML", "power", 1);
  open_for(&nvidia);
  const double began = machine_seconds(), before = cla_energy_joules(meter);
  usleep(250000);
  const double joules = cla_energy_joules(meter) - before, seconds = machine_seconds() - began;
  cr_expect_gt(joules, 0);
  cr_expect_leq(joules, 250 * seconds * (1 + 1e-9));
  cr_expect_geq(joules, 250 * 0.25 * 0.5);
  cr_expect(strstr(cla_energy_source(meter), "power"));
}

Test(energy, a_management_library_that_fails_is_told) {
  expect_refused(&nvidia, "nvmlInit_v2", "code 9");
  setenv("FAKE_NVML", "lost", 1);
  expect_refused(&nvidia, "0000:3b:00.0", "code 6");
  nvidia.pci[0] = '\0';
  expect_refused(&nvidia, "PCI address", "NVIDIA H200");
  strcpy(nvidia.pci, "0000:3b:00.0");
  places.nvml = "libnowhere-ml.so.1";
  expect_refused(&nvidia, "libnowhere-ml.so.1", "cannot be loaded");
}

Test(energy, other_gpus_are_read_by_hwmon) {
  expect_refused(&amd, "bus/pci/devices/0000:03:00.0/hwmon", "No such file");
  put("bus/pci/devices/0000:03:00.0/hwmon/hwmon3/name", "amdgpu\n");
  expect_refused(&amd, "bus/pci/devices/0000:03:00.0/hwmon", "energy1_input");
  put("bus/pci/devices/0000:03:00.0/hwmon/hwmon3/power1_average", "100000000\n");
  open_for(&amd);
  cr_expect(strstr(cla_energy_source(meter), "power"));
  usleep(50000);
  cr_expect_gt(cla_energy_joules(meter), 0);
  cla_energy_close(meter);
  put("bus/pci/devices/0000:03:00.0/hwmon/hwmon3/energy1_input", "1000000\n");
  open_for(&amd);
  cr_expect_str_eq(cla_energy_source(meter), "hwmon, energy of the GPU");
  put("bus/pci/devices/0000:03:00.0/hwmon/hwmon3/energy1_input", "5000000\n");
  cr_expect_float_eq(cla_energy_joules(meter), 4, 1e-9);
}
