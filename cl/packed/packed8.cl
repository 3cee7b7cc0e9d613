/* packed.clh with lanes of 8 bits, for CPUs and schemes with small scores. */

#define KERNEL packed8
#define VALUE uchar
#define VALUE_BITS 8
#define VALUE_LIMIT 255

#include "packed.clh"
