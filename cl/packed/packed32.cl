/* packed.clh with lanes of 32 bits, for scores that do not fit into 16 bits. */

#define KERNEL packed32
#define VALUE uint
#define VALUE_BITS 32
#define VALUE_LIMIT 1000000000

#include "packed.clh"
