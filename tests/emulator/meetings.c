/* What kernels call: where work-items meet, words that others see, and memory of the group. */

#include <stdlib.h>
#include <string.h>

#include "emulator/warps.h"

#define NOBODY_EXPECTS 0x5a

static const char *const names[] = {"shfl", "vote.any", "vote.ballot", "redux", "bar.warp", "barrier"};

/* Lets all warps of the group go on once the last one has come. */
static void meet_group(warp *of) {
  group *g = of->group;
  of->at_barrier = true;
  if (++g->at_barrier < g->warp_count) {
    while (of->at_barrier) warps_yield();
    return;
  }
  for (int i = 0; i < g->warp_count; i++) g->warps[i].at_barrier = false;
  g->at_barrier = 0;
  warps_progress();
}

/* All items of the warp are here. */
static void resolve(warp *of) {
  uint32_t any = 0, ballot = 0, largest = 0;
  for (int i = 0; i < of->count; i++) {
    const uint32_t value = of->items[i].value;
    any |= value != 0;
    ballot |= (uint32_t)(value != 0) << i;
    if (value > largest) largest = value;
  }
  for (int i = 0; i < of->count; i++) {
    item *it = of->items + i;
    it->waits = false;
    it->result = of->what == MEET_SHUFFLE  ? of->items[it->source % WARP_ITEMS].value
                 : of->what == MEET_ANY    ? any
                 : of->what == MEET_BALLOT ? ballot
                                           : largest;
  }
  of->waiting = 0;
  if (of->what == MEET_GROUP_BARRIER) meet_group(of);
  /* Warps that wait for others vote about it again and again. */
  if (chance(of->what == MEET_ANY ? 2 : 256) == 0) warps_yield();
}

static uint32_t meet(meeting what, uint32_t value, uint32_t source) {
  item *self = warps_current();
  warp *of = self->warp;
  if (of->waiting > 0 && of->what != what)
    emulator_stop("work-item %d of a warp is at %s, others are at %s", self->number, names[what],
                  names[of->what]);
  if (of->ended > 0) emulator_stop("%s after work-items of the warp have ended", names[what]);
  if (what < MEET_GROUP_BARRIER && of->count < WARP_ITEMS)
    emulator_stop("%s in a part of a warp", names[what]);
  self->value = value;
  self->source = source;
  self->waits = true;
  of->what = what;
  if (++of->waiting == of->count)
    resolve(of);
  else
    warps_pass_on(of);
  return self->result;
}

/* The same under the names that device.clh has. */
uint32_t emulated_shuffle(uint32_t value, uint32_t source);
uint32_t emulated_any(uint32_t says);
uint32_t emulated_ballot(uint32_t says);
uint32_t emulated_largest(uint32_t value);
void emulated_warp_barrier(void);
void emulated_group_barrier(void);
uint32_t emulated_local_id(void);
uint32_t emulated_group_id(void);
uint64_t emulated_load_64(const volatile uint64_t *from);
void emulated_store_64(volatile uint64_t *to, uint64_t value);
uint64_t emulated_acquire_64(const volatile uint64_t *from);
uint32_t emulated_acquire_32(const volatile uint32_t *from);
void emulated_release_64(volatile uint64_t *to, uint64_t value);
void emulated_release_32(volatile uint32_t *to, uint32_t value);
int emulated_atomic_add(volatile int *at, int value);
int emulated_atomic_max(volatile int *at, int value);
int emulated_atomic_exchange_if(volatile int *at, int known, int value);
void *__emutls_get_address(void *control); /* the compiler's name for what asks for a variable of a thread */

uint32_t emulated_shuffle(uint32_t value, uint32_t source) {
  return meet(MEET_SHUFFLE, value, source);
}

uint32_t emulated_any(uint32_t says) {
  return meet(MEET_ANY, says, 0);
}

uint32_t emulated_ballot(uint32_t says) {
  return meet(MEET_BALLOT, says, 0);
}

uint32_t emulated_largest(uint32_t value) {
  return meet(MEET_LARGEST, value, 0);
}

void emulated_warp_barrier(void) {
  meet(MEET_WARP_BARRIER, 0, 0);
}

void emulated_group_barrier(void) {
  meet(MEET_GROUP_BARRIER, 0, 0);
}

uint32_t emulated_local_id(void) {
  const item *self = warps_current();
  return (uint32_t)(self->warp->number * WARP_ITEMS + self->number);
}

uint32_t emulated_group_id(void) {
  return (uint32_t)warps_current()->warp->group->number;
}

/* Others may have their turn in the middle of what a warp reads or writes: once in so many times. */
static void maybe_yield(uint32_t times) {
  if (chance(times) == 0) warps_yield();
}

uint64_t emulated_load_64(const volatile uint64_t *from) {
  maybe_yield(256);
  return *from;
}

void emulated_store_64(volatile uint64_t *to, uint64_t value) {
  maybe_yield(256);
  *to = value;
  warps_progress();
}

/* Rarer, and others go by them. */
uint64_t emulated_acquire_64(const volatile uint64_t *from) {
  const uint64_t value = *from;
  maybe_yield(64);
  return value;
}

uint32_t emulated_acquire_32(const volatile uint32_t *from) {
  const uint32_t value = *from;
  maybe_yield(4); /* there are loops around it without a vote */
  return value;
}

void emulated_release_64(volatile uint64_t *to, uint64_t value) {
  maybe_yield(2);
  *to = value;
  warps_progress();
  maybe_yield(2);
}

void emulated_release_32(volatile uint32_t *to, uint32_t value) {
  maybe_yield(2);
  *to = value;
  warps_progress();
  maybe_yield(2);
}

int emulated_atomic_add(volatile int *at, int value) {
  maybe_yield(4);
  const int before = *at;
  *at = before + value;
  warps_progress();
  return before;
}

int emulated_atomic_max(volatile int *at, int value) {
  maybe_yield(4);
  const int before = *at;
  if (value > before) *at = value;
  return before;
}

int emulated_atomic_exchange_if(volatile int *at, int known, int value) {
  maybe_yield(4);
  const int before = *at;
  if (before == known) *at = value;
  if (before == known) warps_progress();
  return before;
}

/* What the compiler knows of such a variable. */
typedef struct emutls_control {
  size_t bytes, alignment;
} emutls_control;

void *__emutls_get_address(void *control) {
  const emutls_control *wanted = control;
  group *g = warps_current()->warp->group;
  for (int i = 0; i < g->variables; i++)
    if (g->variable[i].control == control) return g->variable[i].memory;
  const size_t begin = (g->local_used + wanted->alignment - 1) / wanted->alignment * wanted->alignment;
  if (g->variables == LOCAL_VARIABLES_MOST || begin + wanted->bytes > LOCAL_BYTES || wanted->alignment > 64)
    emulator_stop("a group wants more local memory than there is");
  g->local_used = begin + wanted->bytes;
  memset(g->local + begin, NOBODY_EXPECTS, wanted->bytes);
  g->variable[g->variables++] = (local_variable){.control = control, .memory = g->local + begin};
  return g->local + begin;
}
