/* nvidia16.clh for scores without a look-up: match and mismatch. */

#define KERNEL nvidia16
#define TOP_KERNEL nvidia16_top
#define PROFILE 0
#define CHAINS 4 /* number of schedulers of a multiprocessor */

#include "nvidia16.clh"
