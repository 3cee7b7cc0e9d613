#include "plan/block_cutter.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"

/* Maximum number of rounds in a block. With fewer, larger blocks, less time is lost between blocks. But
 * rates become known only after a turn. */
#define ROUNDS_MOST 12
#define LAST_TURN 1.25 /* longest duration of the last turn, in turns; so no short turn follows it */
/* A round may exceed the end of its turn by this fraction of a round, because rates are not known more
 * precisely. For a device's only round the limit is wider: an idle device is worse than a late one. */
#define ROUND_TOLERANCE 0.05
#define ONLY_ROUND_TOLERANCE 0.3
/* If a turn's length is a number of rounds of one device, slow devices get less than their share. A late
 * device delays the others; an early one does not. */
#define SLOW_RATE 0.5  /* a device below this fraction of the leader's rate is slow */
#define SLOW_SHARE 0.9 /* a slow device gets this fraction of its share */
/* A further device must save at least this fraction of the time; predictions are not more precise than
 * that. */
#define GAIN_LEAST 0.01
#define BLOCKS_MOST 100000 /* maximum number of blocks in a look-ahead */

#define ANY_WAY (-1)

static bool way_allowed(const block_cutter *c, int device, int way) {
  const int further = c->shares[device].further;
  return way == 0 || further == ANY_WAY || further == way;
}

static double rounds_of(const block_device *device, const row_block *block) {
  return device->way_count > 0 ? ceil((double)block->rows / (double)device->ways[block->way].round_rows) : 1;
}

/* Returns the duration of a block, in rows at the device's rate. */
static double work_of(const block_device *device, const row_block *block) {
  if (device->way_count == 0) return (double)larger(block->rows, device->least_rows);
  return rounds_of(device, block) * device->ways[block->way].round_work;
}

/* Returns the way that computes `rows` rows fastest; of equally fast ways, the first one. */
static int cheapest_way(const block_cutter *c, int device, int64_t rows) {
  const block_device *facts = c->devices + device;
  double least = INFINITY;
  int best = 0;
  for (int way = 0; way < facts->way_count; way++) {
    const row_block block = {.way = way, .rows = rows};
    if (!way_allowed(c, device, way) || work_of(facts, &block) >= least) continue;
    least = work_of(facts, &block);
    best = way;
  }
  return best;
}

/* Returns the maximum number of rows, in whole units, that take at most `work`; 0 if so few rows do not
 * keep the device busy. */
static int64_t rows_of_work(const block_device *device, double work) {
  const int64_t unit = larger(device->unit_rows, 1);
  work *= 1 + 1e-9;
  return work < (double)device->least_rows ? 0 : (int64_t)(work / (double)unit) * unit;
}

/* Returns the maximum number of rows, in whole rounds, that take at most `work`. *way receives the way of
 * these rounds. */
static int64_t rows_of_rounds(int *way, const block_cutter *c, int device, double work, double tolerance) {
  const block_device *facts = c->devices + device;
  int64_t most = 0;
  for (int i = 0; i < facts->way_count; i++) {
    const double rounds = floor(work / facts->ways[i].round_work + tolerance);
    const int64_t rows = (int64_t)fmin(rounds, ROUNDS_MOST) * facts->ways[i].round_rows;
    if (!way_allowed(c, device, i) || rows <= most) continue;
    most = rows;
    *way = i;
  }
  return most;
}

/* Returns the maximum number of rows that the device computes in `time`. *way receives the way that does
 * so. */
static int64_t rows_in(int *way, const block_cutter *c, int device, double time) {
  const block_device *facts = c->devices + device;
  const double rate = c->shares[device].rate;
  const bool slow = c->leader >= 0 && rate < SLOW_RATE * c->shares[c->leader].rate;
  const double work = (slow ? SLOW_SHARE : 1) * time * rate - facts->block_work;
  *way = 0;
  if (rate <= 0 || work <= 0) return 0;
  if (facts->way_count == 0) return rows_of_work(facts, work);
  const int64_t rows = rows_of_rounds(way, c, device, work, ROUND_TOLERANCE);
  return rows > 0 ? rows : rows_of_rounds(way, c, device, work, ONLY_ROUND_TOLERANCE);
}

/* Returns the number of rows that all devices compute in `time`. */
static double rows_of_all(const block_cutter *c, double time) {
  double rows = 0;
  int unused;
  for (int i = 0; i < c->device_count; i++) rows += (double)rows_in(&unused, c, i, time);
  return rows;
}

static double sum_of_rates(const block_cutter *c) {
  double sum = 0;
  for (int i = 0; i < c->device_count; i++) sum += c->shares[i].rate;
  return sum;
}

static double full_turn(const block_cutter *c) {
  return c->turn_work / (c->leader >= 0 ? c->shares[c->leader].rate : sum_of_rates(c));
}

/* Returns the duration of the next turn. It is a full turn or, if the remaining rows fit into the last
 * turn, the time that these rows take. */
static double next_turn(const block_cutter *c) {
  const double left = (double)(c->end - c->next), whole = c->last_turn * full_turn(c);
  double least = 0, most = whole;
  if (rows_of_all(c, most) < left) return full_turn(c);
  for (int step = 0; step < 40; step++) {
    const double time = (least + most) / 2;
    if (rows_of_all(c, time) < left)
      least = time;
    else
      most = time;
  }
  return most;
}

static void begin_turn(block_cutter *c) {
  c->turn_time = next_turn(c);
  for (int i = 0; i < c->device_count; i++)
    c->shares[i].rows = rows_in(&c->shares[i].way, c, i, c->turn_time);
  c->begun = true;
}

/* Returns the device's rows of the turn. If the device is slower than at the turn's start, it gets fewer
 * rows. It still gets some, because the rows were divided among all devices. */
static int64_t rows_of_turn(int *way, const block_cutter *c, int device) {
  const block_share *share = c->shares + device;
  int other = 0;
  const int64_t now = rows_in(&other, c, device, c->turn_time);
  const bool less = now > 0 && now < share->rows;
  *way = less ? other : share->way;
  return less ? now : share->rows;
}

/* Excludes the device from the remaining turns. Returns false. */
static bool leave_out(block_cutter *c, int device) {
  c->shares[device].rate = 0;
  if (c->leader == device) c->leader = -1;
  return false;
}

bool block_cutter_take(row_block *out, block_cutter *c, int device) {
  const block_device *facts = c->devices + device;
  block_share *share = c->shares + device;
  const int64_t left = c->end - c->next;
  if (share->rate <= 0 || left <= 0) return false;
  if (!c->begun || share->rows < 0) begin_turn(c);
  int way = 0;
  int64_t rows = rows_of_turn(&way, c, device);
  share->rows = -1;
  const bool alone = share->rate >= sum_of_rates(c);
  if (rows <= 0 && !alone) return leave_out(c, device);
  const bool rest = c->leader < 0 && facts->way_count == 0 && left - rows < facts->unit_rows;
  if (alone || rest || rows >= left || c->blocks + 1 == c->most) {
    rows = left;
    way = cheapest_way(c, device, rows);
  }
  *out = (row_block){.device = device, .way = way, .row = c->next, .rows = rows};
  c->next += rows;
  c->blocks++;
  return true;
}

void block_cutter_learn(block_cutter *c, const row_block *block, double rate) {
  const block_device *facts = c->devices + block->device;
  const double before = full_turn(c);
  bool all = true;
  if (c->shares[block->device].rate <= 0 || rate <= 0) return;
  c->shares[block->device].learned = rate * (work_of(facts, block) + facts->block_work) / (double)block->rows;
  for (int i = 0; i < c->device_count; i++) all = all && (c->shares[i].learned > 0 || c->shares[i].rate <= 0);
  for (int i = 0; all && i < c->device_count; i++)
    if (c->shares[i].rate > 0) c->shares[i].rate = c->shares[i].learned;
  c->turn_time *= full_turn(c) / before;
}

int block_cutter_first(const block_cutter *c) {
  return c->leader >= 0 ? c->leader : 0;
}

/* The state of a look-ahead, which predicts when blocks start and end. */
typedef struct outlook {
  double begun;    /* time at which the lowest block so far starts its last row */
  double ended;    /* time at which the lowest block so far ends */
  double all_done; /* time at which all blocks so far have ended */
} outlook;

/* Adds a block to the look-ahead. The block starts when its device is free and the block above has started
 * its last row. It ends no earlier than the block above, because its strips follow that block column by
 * column. */
static void pass_block(outlook *o, block_cutter *c, const row_block *block) {
  const block_device *facts = c->devices + block->device;
  block_share *share = c->shares + block->device;
  const bool alone = c->blocks == 1 && c->next == c->end;
  const double work = work_of(facts, block) + (alone ? 0 : facts->block_work);
  const double time = work / share->rate, late = rounds_of(facts, block) * facts->round_late;
  const double start = fmax(share->free_at, o->begun);
  const double end = fmax(start + time, o->ended + late * time);
  o->begun = start + (BLOCK_LATE + late) * time;
  o->ended = share->free_at = end;
  o->all_done = fmax(o->all_done, end);
}

/* Returns the time of the cutter's remaining rows if devices take blocks in order. Changes the cutter's
 * shares. A device that may use any way is then limited to way 0 and to the last other way that it used. */
static double look_ahead(block_cutter *c) {
  block_cutter run = *c;
  outlook o = {0};
  for (int i = 0; i < c->device_count; i++) c->shares[i].free_at = 0;
  for (int i = block_cutter_first(c); run.next < run.end; i = (i + 1) % c->device_count) {
    row_block block;
    if (run.blocks > BLOCKS_MOST) return INFINITY;
    if (!block_cutter_take(&block, &run, i)) continue;
    pass_block(&o, &run, &block);
    if (block.way > 0) c->shares[i].further = block.way;
  }
  c->most = 2 * run.blocks + 4 * c->device_count;
  return o.all_done;
}

/* Deals the blocks so that all devices with a rate are busy for about the same time. Returns the time at
 * which all blocks are done. */
static double deal(int *out, int64_t count, const row_block *first, block_cutter *c) {
  outlook o = {0};
  for (int i = 0; i < c->device_count; i++) c->shares[i].free_at = c->shares[i].learned = 0;
  for (int64_t b = 0; b < count; b++) {
    row_block block = *first;
    double least = INFINITY;
    for (int i = 0; b > 0 && i < c->device_count; i++) {
      const block_share *share = c->shares + i;
      const double busy = share->learned + work_of(c->devices + i, &block) / share->rate;
      if (share->rate <= 0 || busy >= least) continue;
      least = busy;
      block.device = i;
    }
    block_share *share = c->shares + block.device;
    share->learned += work_of(c->devices + block.device, &block) / share->rate;
    pass_block(&o, c, &block);
    out[b] = block.device;
  }
  return o.all_done;
}

cla_status block_cutter_deal(int *out, int64_t count, const row_block *first, const block_device *devices,
                             int device_count, cla_error *error) {
  /* Rates that are tried as a minimum, as fractions of the fastest rate. Slower devices get no blocks. */
  static const double parts[] = {0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0};
  const int last = sizeof parts / sizeof parts[0] - 1;
  block_cutter c = {.devices = devices, .device_count = device_count};
  double fastest = 0, least = INFINITY, best = 0;
  cla_status status = ALLOCATE_ZEROS(&c.shares, device_count, "the blocks", error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < device_count; i++) fastest = devices[i].idle ? fastest : fmax(fastest, devices[i].rate);
  for (int try = 0; try <= last; try++) {
    const double part = try < last ? parts[try] : best;
    for (int i = 0; i < device_count; i++) {
      const bool works = !devices[i].idle && devices[i].rate >= part * fastest;
      c.shares[i].rate = works || i == first->device ? devices[i].rate : 0;
    }
    const double time = deal(out, count, first, &c);
    if (time >= least) continue;
    least = time;
    best = part;
  }
  free(c.shares);
  return CLA_OK;
}

/* A search for the best way to cut the rows. */
typedef struct search {
  block_cutter *best;
  block_cutter tried; /* shares[i].learned: rate of device i; 0: it takes no part */
  double least;       /* time of the best cut so far */
} search;

/* Returns the predicted time of a cutter. In a first look-ahead, a device may use any way; this determines
 * its further way. A second look-ahead predicts the time. */
static double settle(block_cutter *c) {
  for (int i = 0; i < c->device_count; i++) c->shares[i].rate = c->shares[i].learned;
  look_ahead(c);
  for (int i = 0; i < c->device_count; i++) {
    block_share *share = c->shares + i;
    share->rate = share->free_at > 0 ? share->learned : 0;
    if (share->further == ANY_WAY) share->further = 0;
  }
  c->most = INT64_MAX;
  if (c->leader >= 0 && c->shares[c->leader].rate <= 0) c->leader = -1;
  return c->time = look_ahead(c);
}

static void use_if_better(search *s, int leader, double turn_work, double last_turn) {
  block_cutter c = s->tried;
  c.leader = leader;
  c.turn_work = turn_work;
  c.last_turn = last_turn;
  if (settle(&c) >= s->least) return;
  s->least = s->best->time = c.time;
  s->best->leader = c.leader;
  s->best->turn_work = turn_work;
  s->best->last_turn = last_turn;
  s->best->most = c.most;
  for (int i = 0; i < c.device_count; i++) {
    const bool works = c.shares[i].free_at > 0;
    s->best->shares[i].rate = works ? c.shares[i].learned : 0;
    s->best->shares[i].further = works ? c.shares[i].further : 0;
  }
}

static void allow_ways(search *s, int further) {
  for (int i = 0; i < s->tried.device_count; i++) s->tried.shares[i].further = further;
}

/* Tries each device alone, with the sweep's rows per lane or more. With fewer, the whole sweep would need
 * more memory than planned. */
static void try_alone(search *s) {
  block_share *shares = s->tried.shares;
  const double rows = (double)(s->tried.end - s->tried.next);
  for (int i = 0; i < s->tried.device_count; i++) {
    const block_device *device = s->tried.devices + i;
    if (device->idle) continue;
    for (int j = 0; j < s->tried.device_count; j++) shares[j].learned = j == i ? device->rate : 0;
    for (int way = 0; way == 0 || way < device->way_count; way++) {
      if (way > 0 && device->ways[way].alpha < device->ways[0].alpha) continue;
      allow_ways(s, way);
      use_if_better(s, -1, rows, 1);
    }
  }
}

/* Returns the device, other than the fastest one, whose share keeps it busy for the shortest time. -1: only
 * one device takes part. */
static int least_busy(const search *s) {
  const block_share *shares = s->tried.shares;
  int fastest = 0, out = -1;
  double fewest = INFINITY;
  for (int i = 1; i < s->tried.device_count; i++)
    if (shares[i].learned > shares[fastest].learned) fastest = i;
  for (int i = 0; i < s->tried.device_count; i++) {
    const double busy = shares[i].learned / (double)larger(s->tried.devices[i].least_rows, 1);
    if (shares[i].learned <= 0 || i == fastest || busy > fewest) continue;
    fewest = busy;
    out = i;
  }
  return out;
}

/* Tries the current devices with several lengths of turns: 1, 2, ... rounds of each device. If no device has
 * rounds, tries turns that divide the rows evenly. */
static void try_turns(search *s) {
  const double rows = (double)(s->tried.end - s->tried.next);
  int most = INT_MAX;
  bool rounds = false;
  for (int i = 0; i < s->tried.device_count; i++) {
    const block_device *device = s->tried.devices + i;
    if (s->tried.shares[i].learned <= 0) continue;
    most = device->rounds < most ? device->rounds : most;
    rounds = rounds || device->way_count > 0;
    for (int count = 1; device->way_count > 0 && count <= ROUNDS_MOST; count++) {
      const double work = count * device->ways[0].round_work + device->block_work;
      allow_ways(s, ANY_WAY);
      use_if_better(s, i, work, 1);
      allow_ways(s, ANY_WAY);
      use_if_better(s, i, work, LAST_TURN);
    }
  }
  for (int turns = 1; !rounds && turns <= most; turns++) use_if_better(s, -1, rows / turns, LAST_TURN);
}

/* Tries fewer of the current devices, then all of them. */
static void try_teams(search *s) {
  const int leaving = least_busy(s);
  if (leaving < 0) return;
  double *rate = &s->tried.shares[leaving].learned;
  const double whole = *rate;
  *rate = 0;
  try_teams(s);
  *rate = whole;
  const double fewer = s->least;
  s->least *= 1 - GAIN_LEAST;
  const double wanted = s->least;
  try_turns(s);
  if (s->least >= wanted) s->least = fewer;
}

/* Chooses the devices: tries each device alone, all devices, all but one, and so on. */
static void choose(block_cutter *out, block_share *room) {
  search s = {.best = out, .tried = *out, .least = INFINITY};
  s.tried.shares = room;
  s.tried.most = INT64_MAX;
  try_alone(&s);
  for (int i = 0; i < out->device_count; i++) {
    const block_device *device = out->devices + i;
    room[i].learned = device->idle ? 0 : device->rate;
  }
  try_teams(&s);
}

cla_status block_cutter_begin(block_cutter *out, const block_device *devices, int device_count, int64_t row,
                              int64_t end, cla_error *error) {
  *out =
      (block_cutter){.devices = devices, .device_count = device_count, .leader = -1, .next = row, .end = end};
  cla_status status = ALLOCATE_ZEROS(&out->shares, 2 * device_count, "the blocks", error);
  if (status != CLA_OK) return status;
  choose(out, out->shares + device_count);
  for (int i = 0; i < device_count; i++)
    out->shares[i].learned = devices[i].guessed ? 0 : out->shares[i].rate;
  return CLA_OK;
}

void block_cutter_free(block_cutter *c) {
  free(c->shares);
}

int64_t block_cutter_most(const block_cutter *c) {
  return c->most;
}

int block_cutter_further_way(const block_cutter *c, int device) {
  return c->shares[device].rate > 0 ? c->shares[device].further : 0;
}
