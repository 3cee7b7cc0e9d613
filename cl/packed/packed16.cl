/* packed.clh with lanes of 16 bits, for larger scores, and for GPUs. */

#define KERNEL packed16
#define VALUE ushort
#define VALUE_BITS 16
#define VALUE_LIMIT 65535

#include "packed.clh"
