/* The turns of warps and of their work-items. Chance draws the number of groups at once, the warp that goes
 * on, and the order of a warp's items. A GPU runs them all at once. */

#include "emulator/warps.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GROUPS_MOST 4 /* at once */
#define STACK_BYTES 65536
#define STARVES_EVERY 500
#define STARVES_MOST 500
#define TURNS_MOST 20000000 /* without anything that others may wait for */

static struct machine {
  group *groups; /* GROUPS_MOST */
  char *stacks;
  item *current;
  jmp_buf turns; /* whoever gives turns */
  int64_t idle;  /* turns since something has happened */
  const emulated_launch *launch;
  int64_t begun; /* groups */
  int64_t first; /* group that begins */
  int at_once;
  const warp *starved; /* a warp that gets no turns */
  int64_t starves;     /* turns of others until it gets one */
} machine;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t chance(uint32_t end) {
  static uint64_t state;
  if (state == 0) {
    const char *seed = getenv("CLALIGN_EMULATOR_SEED");
    state = 2 * (seed ? strtoull(seed, NULL, 10) : 1) + 1;
  }
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % end);
}

void emulator_stop(const char *what, ...) {
  va_list arguments;
  va_start(arguments, what);
  fputs("emulator: ", stderr);
  vfprintf(stderr, what, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  abort();
}

item *warps_current(void) {
  return machine.current;
}

void warps_progress(void) {
  machine.idle = 0;
}

/* Goes on with the item from where it was. */
static _Noreturn void go_on(item *it) {
  machine.current = it;
  if (it->begun) _longjmp(it->where, 1);
  it->begun = true;
  setcontext(&it->begin);
  emulator_stop("setcontext failed");
}

/* The next item of the warp that neither waits nor has ended. */
static item *next_item(const warp *of, int from) {
  for (int i = 1; i <= of->count; i++) {
    const item *it = of->items + (from + i * of->forward) % of->count;
    if (!it->waits && !it->ended) return (item *)it;
  }
  emulator_stop("a warp without an item that can go on");
}

void warps_pass_on(warp *of) {
  item *self = machine.current;
  if (_setjmp(self->where) == 0) go_on(next_item(of, self->number));
}

void warps_yield(void) {
  item *self = machine.current;
  self->warp->next = self->number;
  if (_setjmp(self->where) == 0) _longjmp(machine.turns, 1);
}

/* The item's whole life. */
static void live(void) {
  const emulated_launch *l = machine.launch;
  const uint64_t *a = l->arguments;
  l->function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
              a[15], a[16], a[17], a[18]);
  item *self = machine.current;
  warp *of = self->warp;
  self->ended = true;
  if (of->waiting > 0 || of->group->at_barrier > 0)
    emulator_stop("work-item %d of a warp ends where others wait for it", self->number);
  if (++of->ended < of->count) go_on(next_item(of, self->number));
  warps_progress();
  if (++of->group->ended == of->group->warp_count) of->group->runs = false;
  _longjmp(machine.turns, 1);
}

/* Not inlined: getcontext, which may return twice, would keep the compiler from seeing that nothing is lost.
 */
static __attribute__((noinline)) void begin_item(item *it, char *stack) {
  getcontext(&it->begin);
  it->begin.uc_stack.ss_sp = stack;
  it->begin.uc_stack.ss_size = STACK_BYTES;
  makecontext(&it->begin, live, 0);
}

static void begin_group(group *g, int64_t number) {
  const int items = machine.launch->items;
  char *stacks = machine.stacks + (size_t)(g - machine.groups) * GROUP_ITEMS_MOST * STACK_BYTES;
  memset(g, 0, offsetof(group, local));
  g->runs = true;
  g->number = number;
  g->warp_count = (items + WARP_ITEMS - 1) / WARP_ITEMS;
  for (int i = 0; i < items; i++) {
    warp *of = g->warps + i / WARP_ITEMS;
    item *it = of->items + i % WARP_ITEMS;
    of->group = g;
    of->number = i / WARP_ITEMS;
    of->count = i % WARP_ITEMS + 1;
    it->warp = of;
    it->number = i % WARP_ITEMS;
    begin_item(it, stacks + (size_t)i * STACK_BYTES);
  }
  for (int i = 0; i < g->warp_count; i++) {
    g->warps[i].forward = chance(2) ? 1 : g->warps[i].count - 1;
    g->warps[i].next = (int)chance((uint32_t)g->warps[i].count);
  }
}

/* Begins groups where there is room; false if none is left. */
static bool begin_groups(void) {
  const emulated_launch *l = machine.launch;
  bool running = false;
  for (int i = 0; i < machine.at_once; i++) {
    if (!machine.groups[i].runs && machine.begun < l->groups)
      begin_group(machine.groups + i, (machine.first + machine.begun++) % l->groups);
    running = running || machine.groups[i].runs;
  }
  return running;
}

/* Any warp that can go on; now and then one has to wait for long, so that others see what it has done by
 * halves. */
static warp *next_warp(void) {
  warp *able[GROUPS_MOST * GROUP_ITEMS_MOST / WARP_ITEMS];
  uint32_t count = 0;
  for (int i = 0; i < machine.at_once; i++) {
    group *g = machine.groups + i;
    for (int w = 0; g->runs && w < g->warp_count; w++)
      if (!g->warps[w].at_barrier && g->warps[w].ended < g->warps[w].count) able[count++] = g->warps + w;
  }
  if (count == 0) emulator_stop("all warps wait at barriers");
  warp *next = able[chance(count)];
  if (machine.starves > 0) {
    machine.starves--;
    if (next == machine.starved && count > 1) next = able[next == able[0] ? count - 1 : 0];
  } else if (chance(STARVES_EVERY) == 0) {
    machine.starved = next;
    machine.starves = chance(STARVES_MOST);
  }
  return next;
}

static void choose_turn(void) {
  warp *of = next_warp();
  machine.current = of->items + of->next;
}

static void give_turns(void) {
  while (begin_groups()) {
    if (++machine.idle > TURNS_MOST) emulator_stop("warps wait for each other, or for nobody");
    choose_turn();
    if (_setjmp(machine.turns) == 0) go_on(machine.current);
  }
}

static void *map(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) emulator_stop("no memory for stacks");
  return memory;
}

void emulator_run(const emulated_launch *launch) {
  pthread_mutex_lock(&lock);
  if (launch->items > GROUP_ITEMS_MOST) emulator_stop("%d work-items in a group", launch->items);
  if (!machine.stacks) {
    machine.stacks = map((size_t)GROUPS_MOST * GROUP_ITEMS_MOST * STACK_BYTES);
    machine.groups = map(GROUPS_MOST * sizeof *machine.groups);
  }
  machine.launch = launch;
  machine.begun = machine.idle = machine.starves = 0;
  machine.first = chance((uint32_t)launch->groups);
  machine.at_once = 1 + (int)chance(GROUPS_MOST);
  faults_begin();
  give_turns();
  faults_end();
  pthread_mutex_unlock(&lock);
}
