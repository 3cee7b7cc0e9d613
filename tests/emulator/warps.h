#ifndef TESTS_EMULATOR_WARPS_H
#define TESTS_EMULATOR_WARPS_H

#include <setjmp.h>
#include <ucontext.h>

#include "emulator/emulator.h"

/* Work-items are coroutines of one thread: each runs until it meets the others of its warp or of its group,
 * or until another warp has its turn. warps.c has the turns, meetings.c what work-items do together; private
 * to these. */

/* What work-items of a warp do together. */
typedef enum meeting {
  MEET_SHUFFLE,
  MEET_ANY,
  MEET_BALLOT,
  MEET_LARGEST,
  MEET_WARP_BARRIER,
  MEET_GROUP_BARRIER
} meeting;

typedef struct warp warp;
typedef struct group group;

typedef struct item {
  warp *warp;
  int number;        /* in the warp */
  bool begun, waits; /* has begun; waits for the other items of its warp */
  bool ended;
  uint32_t value, source, result; /* of a meeting */
  jmp_buf where;                  /* where it goes on, once begun */
  ucontext_t begin;               /* where it begins */
} item;

struct warp {
  group *group;
  item items[WARP_ITEMS];
  int number, count, waiting, ended;
  int next;    /* the item that has the warp's next turn */
  int forward; /* from an item to the one after it */
  bool at_barrier;
  meeting what; /* the waiting ones want */
};

/* A variable in local memory, as the compiler asks for it. */
typedef struct local_variable {
  const void *control;
  void *memory;
} local_variable;

#define LOCAL_VARIABLES_MOST 4
#define LOCAL_BYTES 49152

struct group {
  bool runs;
  int64_t number;
  int warp_count, ended, at_barrier; /* warps */
  warp warps[GROUP_ITEMS_MOST / WARP_ITEMS];
  int variables;
  local_variable variable[LOCAL_VARIABLES_MOST];
  size_t local_used;
  _Alignas(64) char local[LOCAL_BYTES];
};

/* The work-item that runs. */
item *warps_current(void);

/* Waits for the warp's next item to come to where this one is; returns when all have been there. */
void warps_pass_on(warp *of);

/* Lets another warp have its turn. */
void warps_yield(void);

/* Says that something has happened that others may wait for. */
void warps_progress(void);

#endif
