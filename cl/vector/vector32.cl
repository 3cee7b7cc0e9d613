/* vector.clh with lanes of 32 bits, for every scheme, including score matrices. */

#define KERNEL vector32
#define VALUE int
#define VALUE_BITS 32
#define LEAST (-2147483647 - 1)
#define FLOOR_LIMIT 2000000000

#include "vector.clh"
