/* nvidia16.clh for score matrices: each warp has a profile of its strip in local memory (nvidia16_profile.clh). A group is
 * one warp, because OpenCL gives it 48 KiB; a multiprocessor has room for four such groups, and four of one warp were as
 * fast on an H200 as one of four. */

#define KERNEL nvidia16m
#define TOP_KERNEL nvidia16m_top
#define PROFILE 1
#define CHAINS 1

#include "nvidia16.clh"
