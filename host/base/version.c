#include "clalign/version.h"

#include <cairo.h>
#include <htslib/hts.h>
#include <jansson.h>
#include <stdio.h>
#include <xxhash.h>
#include <zstd.h>

const char *cla_version(void) {
  return CLA_VERSION_STRING;
}

int cla_components(cla_component *out, int most) {
  char xxhash[16];
  const unsigned number = XXH_versionNumber(); /* major * 10000 + minor * 100 + release */
  snprintf(xxhash, sizeof xxhash, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
  const char *const all[][2] = {{"cairo", cairo_version_string()},
                                {"htslib", hts_version()},
                                {"jansson", jansson_version_str()},
                                {"xxHash", xxhash},
                                {"zstd", ZSTD_versionString()}};
  const int count = sizeof all / sizeof all[0];
  for (int i = 0; i < count && i < most; i++) {
    out[i].name = all[i][0];
    snprintf(out[i].version, sizeof out[i].version, "%s", all[i][1]);
  }
  return count;
}
