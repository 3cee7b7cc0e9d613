#include "clalign/version.h"

const char *cla_version(void) {
  return CLA_VERSION_STRING;
}
