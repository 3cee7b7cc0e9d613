#include "schedule/packed.h"
#include "base/error.h"
cla_status packed_trace(packed_path *out, const packed_scheme *scheme, const packed_pair *pair, cla_error *error) {
  (void)out; (void)scheme; (void)pair; return error_set(error, CLA_ERROR_DEVICE, "none");
}
