/* vector.clh with lanes of 16 bits, for schemes with small scores. */

#define KERNEL vector16
#define VALUE short
#define VALUE_BITS 16
#define LEAST -32768
#define FLOOR_LIMIT 32000

#include "vector.clh"
