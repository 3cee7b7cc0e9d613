/* nvidia16.clh for score matrices: each warp has a profile for its strip in local memory (nvidia16_profile.clh). A group is one
 * warp, because OpenCL limits a group to 48 KiB of local memory. A multiprocessor has room for four such groups. On an H200, four
 * groups of one warp were as fast as one group of four. */

#define KERNEL nvidia16m
#define TOP_KERNEL nvidia16m_top
#define PROFILE 1
#define CHAINS 1

#include "nvidia16.clh"
