#define CL_USE_DEPRECATED_OPENCL_1_1_APIS /* clGetExtensionFunctionAddress, which needs no platform */
#include "clalign/version.h"

#include <CL/cl.h>
#include <cairo.h>
#include <htslib/hts.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

const char *cla_version(void) {
  return CLA_VERSION_STRING;
}

/* What loaders tell of themselves, by an extension of ocl-icd that Khronos' loader has too. */
typedef cl_int(CL_API_CALL *loader_info)(cl_uint what, size_t size, void *value, size_t *needed);
#define LOADER_VERSION 2
#define LOADER_VENDOR 4

/* Writes the vendor and version of the OpenCL loader. */
static void loader_version(char *out, size_t size) {
  char version[32] = "", vendor[32] = "unknown";
  const void *const found = clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD");
  loader_info info = NULL;
  memcpy(&info, &found, sizeof info);
  if (info && info(LOADER_VENDOR, sizeof vendor - 1, vendor, NULL) == CL_SUCCESS)
    info(LOADER_VERSION, sizeof version - 1, version, NULL);
  snprintf(out, size, "%s%s%s", vendor, *version ? " " : "", version);
}

int cla_components(cla_component *out, int most) {
  char xxhash[16], loader[64];
  const unsigned number = XXH_versionNumber(); /* major * 10000 + minor * 100 + release */
  snprintf(xxhash, sizeof xxhash, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
  const char *const all[][2] = {{"cairo", cairo_version_string()},  {"htslib", hts_version()},
                                {"jansson", jansson_version_str()}, {"xxHash", xxhash},
                                {"zstd", ZSTD_versionString()},     {"OpenCL loader", loader}};
  const int count = sizeof all / sizeof all[0];
  if (most >= count) loader_version(loader, sizeof loader);
  for (int i = 0; i < count && i < most; i++) {
    out[i].name = all[i][0];
    snprintf(out[i].version, sizeof out[i].version, "%s", all[i][1]);
  }
  return count;
}
