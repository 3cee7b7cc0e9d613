/* nvidia16.clh for scores without a look-up: match and mismatch. */

#define KERNEL nvidia16
#define TOP_KERNEL nvidia16_top
#define PROFILE (ALPHA >= MANY_ROWS && !PAIRS ? 2 : 0)
#define CHAINS 1

#include "nvidia16.clh"
