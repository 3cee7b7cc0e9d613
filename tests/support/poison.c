/* CLALIGN_TEST_SEED chooses the values of memory that nobody has written, too. */

#include "base/poison.h"

#include <stdlib.h>

#ifdef CLALIGN_POISON
__attribute__((constructor)) static void choose_poison(void) {
  const char *seed = getenv("CLALIGN_TEST_SEED");
  if (seed) poison_choose(strtoull(seed, NULL, 10));
}
#endif
