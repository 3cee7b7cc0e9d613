/* What identifies a device beyond its name: its chip, which devices of one generation share, and its place on
 * the PCI bus, by which other libraries know it. */

#define CL_USE_DEPRECATED_OPENCL_1_1_APIS /* clGetExtensionFunctionAddress */

#include <CL/cl_ext.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

/* Numbers of attributes that older headers lack. */
#ifndef CL_DEVICE_PCI_BUS_INFO_KHR
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410F
#endif
#ifndef CL_DEVICE_PCI_BUS_ID_NV
#define CL_DEVICE_PCI_BUS_ID_NV 0x4008
#endif
#ifndef CL_DEVICE_PCI_SLOT_ID_NV
#define CL_DEVICE_PCI_SLOT_ID_NV 0x4009
#endif
#ifndef CL_DEVICE_PCI_DOMAIN_ID_NV
#define CL_DEVICE_PCI_DOMAIN_ID_NV 0x400A
#endif
#ifndef CL_DEVICE_IP_VERSION_INTEL
#define CL_DEVICE_IP_VERSION_INTEL 0x4250
#endif

bool device_has_extension(cl_device_id id, const char *name) {
  size_t size = 0;
  bool found = false;
  if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) return false;
  char *list = calloc(size + 1, 1);
  if (list && clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, list, NULL) == CL_SUCCESS) {
    const size_t length = strlen(name);
    for (const char *word = list; !found && *word; word += strcspn(word, " ")) {
      word += strspn(word, " ");
      found = strcspn(word, " ") == length && strncmp(word, name, length) == 0;
    }
  }
  free(list);
  return found;
}

static bool query(cl_uint *out, cl_device_id id, cl_device_info what) {
  *out = 0;
  return clGetDeviceInfo(id, what, sizeof *out, out, NULL) == CL_SUCCESS;
}

/* Copies the name that LLVM gives the processor out of PoCL's name of the device, such as
 * "pthread-skylake-avx512-Intel(R) Xeon(R)". The processor's own name begins with a capital letter. */
static void copy_cpu(char *out, size_t size, const char *name) {
  static const char *const drivers[] = {"pthread-", "cpu-", "basic-", "cpu-minimal-"};
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
    const size_t length = strlen(drivers[i]);
    if (strncmp(name, drivers[i], length) != 0) continue;
    const char *begin = name + length;
    size_t letters = 0;
    while (begin[letters] && !isupper((unsigned char)begin[letters]) && begin[letters] != ' ') letters++;
    while (letters > 0 && begin[letters - 1] == '-') letters--;
    snprintf(out, size, "%.*s", (int)letters, begin);
  }
}

static void find_chip(cla_device_info *info, cl_device_id id) {
  cl_uint major = 0, minor = 0;
  info->chip[0] = '\0';
  if (device_has_extension(id, "cl_nv_device_attribute_query") &&
      query(&major, id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) &&
      query(&minor, id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV) && major > 0)
    snprintf(info->chip, sizeof info->chip, "sm_%u%u", major, minor);
  else if (strncmp(info->name, "gfx", 3) == 0)
    snprintf(info->chip, sizeof info->chip, "%.*s", (int)strcspn(info->name, ": "), info->name);
  else if (device_has_extension(id, "cl_intel_device_attribute_query") &&
           query(&major, id, CL_DEVICE_IP_VERSION_INTEL) && major > 0)
    snprintf(info->chip, sizeof info->chip, "ip %u.%u", major >> 22, major >> 12 & 0x3ff);
  else if (info->kind == CLA_DEVICE_CPU)
    copy_cpu(info->chip, sizeof info->chip, info->name);
}

static void find_pci(cla_device_info *info, cl_device_id id) {
  struct {
    cl_uint domain, bus, device, function;
  } place = {0, 0, 0, 0};
  cl_uint slot = 0;
  info->pci[0] = '\0';
  const bool told = device_has_extension(id, "cl_khr_pci_bus_info") &&
                    clGetDeviceInfo(id, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof place, &place, NULL) == CL_SUCCESS;
  if (!told) {
    if (!device_has_extension(id, "cl_nv_device_attribute_query") ||
        !query(&place.bus, id, CL_DEVICE_PCI_BUS_ID_NV) || !query(&slot, id, CL_DEVICE_PCI_SLOT_ID_NV))
      return;
    query(&place.domain, id, CL_DEVICE_PCI_DOMAIN_ID_NV); /* 0 with drivers that do not tell it */
    place.device = slot >> 3;
    place.function = slot & 7;
  }
  snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.%x", place.domain & 0xffffff, place.bus & 0xff,
           place.device & 0xff, place.function & 0xf);
}

void device_identify(cla_device_info *info, cl_device_id id) {
  find_chip(info, id);
  find_pci(info, id);
}

void cla_device_extensions(char *out, size_t size, const cla_device *device) {
  size_t length = 0;
  out[0] = '\0';
  if (clGetDeviceInfo(device->parent, CL_DEVICE_EXTENSIONS, 0, NULL, &length) != CL_SUCCESS) return;
  char *all = calloc(length + 1, 1);
  if (all && clGetDeviceInfo(device->parent, CL_DEVICE_EXTENSIONS, length, all, NULL) == CL_SUCCESS)
    snprintf(out, size, "%s", all);
  free(all);
}

/* Attributes of the loader (cl_loader_info). */
#define LOADER_VERSION 2
#define LOADER_NAME 3

typedef cl_int(CL_API_CALL *loader_info)(cl_uint what, size_t size, void *value, size_t *needed);

void cla_opencl_loader(char *out, size_t size) {
  loader_info ask = NULL;
  char name[64] = "", version[64] = "";
  /* memcpy, because C has no cast from an object to a function. */
  void *address = clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD");
  memcpy(&ask, &address, sizeof ask);
  out[0] = '\0';
  if (!ask || ask(LOADER_NAME, sizeof name - 1, name, NULL) != CL_SUCCESS) return;
  if (ask(LOADER_VERSION, sizeof version - 1, version, NULL) != CL_SUCCESS) version[0] = '\0';
  snprintf(out, size, "%s %s", name, version);
}
