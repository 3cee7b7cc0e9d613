/* nvidia16.clh for scores that take no look-up: match and mismatch. */

#define KERNEL nvidia16
#define TOP_KERNEL nvidia16_top
#define PROFILE 0
#define CHAINS 4 /* a multiprocessor's schedulers */

#include "nvidia16.clh"
