/* The time left of batches that are only played: jobs have a size, devices have facts, and a clock goes from
 * event to event. */

#include <math.h>
#include <stdlib.h>

#include "batch/schedule_internal.h"
#include "support/test.h"

#define DEVICES 2
#define PACKED_CELLS 1e8
#define TRIED 2   /* pairs that a device aligns by themselves first, as the executor has it */
#define LOOKS 100 /* at the time left, in all the time that a batch takes */

/* How fast a device is in truth, which no record and no guess of the model says. */
typedef struct true_speed {
  double cell_seconds;        /* seconds per cell on the whole device */
  double packed_cell_seconds; /* seconds per cell of packs on the whole device */
  double pair_seconds, packed_pair_seconds;
} true_speed;

/* Sizes of pairs, and how many there are. */
typedef struct group {
  int pairs;
  double cells;
  double computed; /* the part of the cells that pruning leaves */
} group;

typedef struct played_batch {
  cla_align_options align;
  batch_state state;
  device_state devices[DEVICES];
  true_speed speeds[DEVICES];
  batch_job *jobs; /* in the order in which they are read */
  double *computed;
  int count, read, done, ahead;
  double now;
  struct {
    batch_task task;
    work_begun begun;
    double device_seconds; /* device time that the task still needs; tasks at work share the device */
  } work[DEVICES][WORKERS_MOST];
} played_batch;

static void add_device(played_batch *one, int compute_units, int levels, true_speed speed) {
  const int number = one->state.device_count++;
  device_state *device = &one->devices[number];
  const cla_device_info info = {.kind = CLA_DEVICE_CPU,
                                .compute_units = compute_units,
                                .native_short_lanes = 16,
                                .memory_bytes = INT64_C(8) << 30,
                                .max_allocation_bytes = INT64_C(2) << 30,
                                .local_memory_bytes = 1 << 20,
                                .max_group_size = 4096};
  device->number = number;
  device->levels = levels;
  device->packs = true;
  device->packs_class = size_class_of(PACKED_CELLS);
  pair_times_begin(&device->times, &info, &one->align, levels);
  device->times.way.enough = 64;
  one->speeds[number] = speed;
}

/* As if a tuning record had timed pairs that are aligned by themselves. */
static void know_times(played_batch *one) {
  for (int d = 0; d < one->state.device_count; d++) {
    pair_times *times = &one->devices[d].times;
    const double cell_seconds = one->speeds[d].cell_seconds * times->device.compute_units;
    for (int size = 0; size < SIZE_CLASSES; size++)
      times->classes[size] = (class_model){.known = true,
                                           .timed = true,
                                           .cells = ldexp(1.5, size),
                                           .cell_seconds = cell_seconds,
                                           .width = times->device.compute_units};
  }
}

/* Makes the jobs in ascending order of size, in descending order (-1), or mixed (0). */
static void begin(played_batch *one, const group *groups, int group_count, int order) {
  int at = 0;
  memset(one, 0, sizeof *one);
  cla_align_options_init(&one->align);
  one->align.budgets.memory_bytes = INT64_C(1) << 30;
  one->align.budgets.threads = 4;
  one->state.devices = one->devices;
  for (int i = 0; i < group_count; i++) one->count += groups[i].pairs;
  one->jobs = calloc((size_t)one->count, sizeof *one->jobs);
  one->computed = calloc((size_t)one->count, sizeof *one->computed);
  cr_assert(one->jobs && one->computed);
  for (int g = 0; g < group_count; g++)
    for (int i = 0; i < groups[g].pairs; i++, at++) {
      /* 7919 is a prime that does not divide the counts: each place is met once. */
      const int place = order > 0 ? at : order < 0 ? one->count - 1 - at : (int)(at * 7919LL % one->count);
      cr_assert(one->jobs[place].cells == 0);
      one->jobs[place].cells = groups[g].cells * (0.8 + 0.4 * i / groups[g].pairs);
      one->computed[place] = groups[g].computed;
    }
  for (int i = 0; i < one->count; i++) one->jobs[i].index = i;
  one->ahead = one->count;
}

static void end(played_batch *one) {
  free(one->jobs);
  free(one->computed);
}

static void read_jobs(played_batch *one) {
  batch_state *state = &one->state;
  for (; one->read < one->count && one->read - one->done < one->ahead; one->read++) {
    batch_job *job = &one->jobs[one->read];
    const bool packs = job->cells < PACKED_CELLS;
    job->packs_on = packs ? 3 : 0;
    job_list_add(
        packs ? &state->packs[size_class_of(job->cells)] : &state->pending[size_class_of(job->cells)], job);
    state->packs_count += packs;
    state->pending_count += !packs;
  }
  state->full = one->read < one->count;
}

/* Has the clock go on, with the devices' seconds as the executor counts them. */
static void go_to(played_batch *one, double now) {
  for (int d = 0; d < one->state.device_count; d++) {
    device_state *device = &one->devices[d];
    const double each = device->running > 0 ? (now - device->busy_at) / device->running : 0;
    for (int w = 0; w < WORKERS_MOST; w++)
      if (device->begun[w]) one->work[d][w].device_seconds -= each;
    device_note_busy(device, now);
  }
  one->now = now;
}

static double true_seconds(const played_batch *one, int d, const batch_task *task) {
  const true_speed *speed = &one->speeds[d];
  double seconds = 0;
  for (const batch_job *job = task->jobs.first; job; job = job->next) {
    const double cells = job->cells * one->computed[job->index];
    seconds += task->method == METHOD_PACKED ? cells * speed->packed_cell_seconds + speed->packed_pair_seconds
                                             : cells * speed->cell_seconds + speed->pair_seconds;
  }
  return seconds;
}

/* Begins whatever the schedule has for the devices. */
static void begin_tasks(played_batch *one) {
  for (int d = 0; d < one->state.device_count; d++) {
    device_state *device = &one->devices[d];
    for (int w = 0; w < 1 << (device->levels - 1); w++) {
      if (device->begun[w]) continue;
      if (one->state.pending_count + one->state.packs_count == 0) return;
      batch_task *task = &one->work[d][w].task;
      work_begun *begun = &one->work[d][w].begun;
      const bool tries = device->tried < TRIED;
      if (tries && device->running > 0) break;
      if (!(tries ? schedule_small(task, &one->state, device)
                  : schedule_of(CLA_SCHEDULE_MODEL)(task, &one->state, device)))
        break;
      *begun = (work_begun){.task = task, .at = one->now, .busy_seconds = device->busy_seconds};
      one->work[d][w].device_seconds = true_seconds(one, d, task);
      device->begun[w] = begun;
      device->running++;
      device->taken += 1.0 / (double)(1 << task->level);
    }
  }
}

static void end_task(played_batch *one, int d, int w) {
  device_state *device = &one->devices[d];
  batch_task *task = &one->work[d][w].task;
  const work_begun *begun = &one->work[d][w].begun;
  const times_measured took = {one->now - begun->at, device->busy_seconds - begun->busy_seconds};
  device->begun[w] = NULL;
  device->running--;
  device->taken = device->running > 0 ? device->taken - 1.0 / (double)(1 << task->level) : 0;
  time_sums_add(&device->sums, &device->times, task, took.device_seconds);
  if (task->method == METHOD_PACKED)
    pair_times_learn_packed(&device->times, &task->load, task->at_once, took);
  else
    pair_times_learn_single(&device->times, task->jobs.first->cells, task->at_once, took);
  one->done += (int)task->jobs.count;
}

/* Pairs by themselves say how far they are. */
static void tell(played_batch *one) {
  for (int d = 0; d < one->state.device_count; d++)
    for (int w = 0; w < WORKERS_MOST; w++) {
      work_begun *begun = one->devices[d].begun[w];
      if (!begun || begun->task->method == METHOD_PACKED) continue;
      work_begun_tell(begun, 1 - one->work[d][w].device_seconds / true_seconds(one, d, begun->task),
                      one->now);
    }
}

static double time_left(played_batch *one) {
  batch_rest rest = {.to_score = 0};
  for (int i = one->read; i < one->count; i++) cla_batch_sizes_add(&rest.unread, one->jobs[i].cells, 1);
  tell(one);
  return batch_time_left(&one->state, &rest, one->now);
}

/* The next task that ends, *d and *w, and when; INFINITY where none is in work. */
static double find_next(const played_batch *one, int *d, int *w) {
  double first = INFINITY;
  for (int i = 0; i < one->state.device_count; i++)
    for (int j = 0; j < WORKERS_MOST; j++)
      if (one->devices[i].begun[j]) {
        const double at = one->now + one->work[i][j].device_seconds * one->devices[i].running;
        if (at >= first) continue;
        first = at;
        *d = i;
        *w = j;
      }
  return first;
}

/* Plays the batch to its end, which is returned. With a `total` that is known it looks at the time left from
 * a tenth of it on, and *worst is how wrong elapsed and left together are at the most. */
static double play(played_batch *one, double total, double *worst) {
  int look = 1, d = 0, w = 0;
  *worst = 0;
  for (;;) {
    read_jobs(one);
    begin_tasks(one);
    const double next = find_next(one, &d, &w);
    if (next == INFINITY) break;
    for (; total > 0 && look < LOOKS && look * total / LOOKS <= next; look++) {
      go_to(one, fmax(look * total / LOOKS, one->now));
      const double left = time_left(one), off = fabs((one->now + left) / total - 1);
      if (look < LOOKS / 10) continue;
      if (left < 0) *worst = INFINITY;
      if (off > *worst) *worst = off;
    }
    go_to(one, next);
    end_task(one, d, w);
  }
  cr_assert_eq(one->done, one->count);
  return one->now;
}

static const true_speed slow = {
    .cell_seconds = 4e-11, .packed_cell_seconds = 5e-11, .pair_seconds = 1e-3, .packed_pair_seconds = 1e-4};
static const true_speed fast = {
    .cell_seconds = 4e-12, .packed_cell_seconds = 5e-12, .pair_seconds = 1e-3, .packed_pair_seconds = 1e-5};

typedef struct play_case {
  const char *name;
  const group *groups; /* three */
  int ahead;           /* pairs that are read ahead; 0: all */
  int devices;         /* a slow one, and a fast one */
} play_case;

static void expect_true(const play_case *what) {
  for (int order = -1; order <= 1; order++) {
    double total = 0, worst = 0;
    for (int looks = 0; looks < 2; looks++) {
      static played_batch one;
      begin(&one, what->groups, 3, order);
      if (what->ahead > 0) one.ahead = what->ahead;
      add_device(&one, 4, 3, slow);
      if (what->devices > 1) add_device(&one, 8, 3, fast);
      if (what->ahead > 0) know_times(&one);
      const double end_seconds = play(&one, total, &worst);
      cr_expect(total == 0 || fabs(end_seconds / total - 1) < 1e-9, "looking changes nothing");
      total = end_seconds;
      end(&one);
    }
    cr_expect_leq(worst, 0.3, "%s, order %d: wrong by %.0f %% of %.1f s", what->name, order, 100 * worst,
                  total);
  }
}

/* Small pairs, of which packs are made, and long ones that take most of the time. */
static const group mostly_long[] = {{20000, 1e7, 1}, {1000, 5e8, 1}, {6, 4e11, 1}};
static const group mostly_short[] = {{60000, 1e7, 1}, {200, 3e8, 1}, {2, 1e11, 1}};

Test(time_left, is_true_in_any_order) {
  expect_true(&(play_case){"mostly long", mostly_long, 0, 1});
  expect_true(&(play_case){"mostly short", mostly_short, 0, 1});
}

Test(time_left, counts_pairs_that_are_not_read) {
  expect_true(&(play_case){"mostly long", mostly_long, 4000, 1});
  expect_true(&(play_case){"mostly short", mostly_short, 4000, 1});
}

Test(time_left, counts_all_devices) {
  expect_true(&(play_case){"mostly long", mostly_long, 0, 2});
  expect_true(&(play_case){"mostly short", mostly_short, 4000, 2});
}

/* Long pairs that prune to a twentieth: by their cells they would take most of the time. */
Test(time_left, counts_what_pruning_leaves) {
  static const group related[] = {{20000, 1e7, 1}, {2000, 5e8, 0.2}, {60, 2e11, 0.05}};
  expect_true(&(play_case){"related", related, 0, 1});
}

Test(time_left, is_not_known_before_anything_was_measured) {
  static played_batch one;
  begin(&one, mostly_long, 3, 1);
  add_device(&one, 4, 3, slow);
  read_jobs(&one);
  cr_expect_lt(batch_time_left(&one.state, &(batch_rest){.to_score = 0}, 0), 0);
  end(&one);
}

/* A pair of a group costs its score, and sometimes an alignment. */
Test(time_left, counts_alignments_of_the_best) {
  static const group alike[] = {{100, 1e10, 1}};
  static played_batch one;
  batch_task score = {.method = METHOD_SINGLE}, best = {.method = METHOD_SINGLE};
  begin(&one, alike, 1, 1);
  add_device(&one, 4, 3, slow);
  device_state *device = &one.devices[0];
  for (int i = 0; i < 10; i++) {
    one.jobs[i].cells = 1e10;
    one.jobs[i].only_score = i < 9;
    one.jobs[i].chosen = i == 9;
    job_list_add(i < 9 ? &score.jobs : &best.jobs, &one.jobs[i]);
  }
  time_sums_add(&device->sums, &device->times, &score, 9);
  time_sums_add(&device->sums, &device->times, &best, 18);
  batch_rest rest = {.to_score = 90};
  cla_batch_sizes_add(&rest.unread, 1e10, 90);
  cr_expect_float_eq(batch_time_left(&one.state, &rest, 0), 90 + 180, 1e-6);
  end(&one);
}

/* A pack of two sizes: each gets its part by the model, and together they have the pack's seconds. */
Test(time_left, sums_share_out_a_pack) {
  static played_batch one;
  static const group two[] = {{2, 1e4, 1}, {1, 4e6, 1}};
  batch_task task = {.method = METHOD_PACKED};
  begin(&one, two, 2, 1);
  add_device(&one, 4, 3, slow);
  device_state *device = &one.devices[0];
  for (int i = 0; i < one.count; i++) job_list_add(&task.jobs, &one.jobs[i]);
  time_sums_add(&device->sums, &device->times, &task, 6);
  double seconds = 0, model = 0;
  for (int size = 0; size < SIZE_CLASSES; size++) {
    const double own = device->sums.model_seconds[METHOD_PACKED][size];
    seconds += device->sums.seconds[METHOD_PACKED][size];
    model += own;
    if (own > 0) cr_expect_float_eq(device->sums.seconds[METHOD_PACKED][size] / own, 6 / model, 6 / model);
  }
  cr_expect_float_eq(seconds, 6, 1e-9);
  end(&one);
}
