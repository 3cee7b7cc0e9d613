#ifndef HOST_COMPARE_LETTER_WORK_H
#define HOST_COMPARE_LETTER_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/first_error.h"

/* Work on many things of very different length. Most are done simultaneously, each on one thread. Things with
 * more letters than one thread's share of all letters follow, one after another, on all threads. */

#define LETTER_WORK_SHORT 100000 /* one thread does a thing with at most this many letters */

/* The thread on which a thing is done. */
typedef enum letter_worker {
  LETTER_WORKER_ONE,    /* one of several threads */
  LETTER_WORKER_CALLER, /* the caller's thread, beside the others */
  LETTER_WORKER_ALL     /* the caller's thread, which may use all others */
} letter_worker;

typedef struct letter_item {
  int64_t number; /* the caller's number of the thing */
  int64_t letters;
  bool done;
} letter_item;

/* Zero-initialise, set the first three fields, add the things, and call letter_work_do. */
typedef struct letter_work {
  /* Does a thing, and calls letter_item_done. If it returns CLA_OK without that call, all threads do the
   * thing later. */
  cla_status (*work)(letter_item *item, struct letter_work *all, letter_worker on, cla_error *error);
  void *user;
  int threads; /* >= 1 */
  letter_item *items;
  int64_t count, capacity;
  int64_t letters;   /* letters of all things */
  int64_t share;     /* the largest number of letters of a thing that one thread does */
  atomic_llong done; /* letters of the things that are done */
  atomic_llong next; /* index of the next thing */
  first_error failed;
} letter_work;

/* Adds a thing. CLA_ERROR_MEMORY. */
cla_status letter_work_add(letter_work *all, int64_t number, int64_t letters, cla_error *error);

/* Does all things. Returns the first error. The caller frees the items, also after an error. */
cla_status letter_work_do(letter_work *all, cla_error *error);

/* Notes that a thing is done. */
void letter_item_done(letter_item *item, letter_work *all);

/* Returns the part of all letters that is done, with `more` letters of a thing that is being done. */
double letter_work_fraction(letter_work *all, double more);

#endif
