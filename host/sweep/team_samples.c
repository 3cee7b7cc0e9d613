/* Measures the devices' rates, by samples of the sweep. */

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "seq/random_stream.h"
#include "seq/sequence.h"
#include "sweep/device_team.h"
#include "sweep/sweep.h"

/* Minimum seconds of a GPU's last sample; shorter samples do not give a reliable rate. */
#define SAMPLE_SECONDS 0.024
#define SAMPLE_COLUMNS 4096
/* Columns of the first sample on a device whose chains compute strips in rounds. */
#define SAMPLE_COLUMNS_CHAINS 65536
#define SAMPLE_SHARE 64 /* a sample has at most 1 / SAMPLE_SHARE of the matrix' cells */
/* A GPU's next sample gets enough columns to take about SAMPLE_LONGER times SAMPLE_SECONDS, but at most
 * SAMPLE_WIDER times the columns of the previous one. */
#define SAMPLE_LONGER 1.25
#define SAMPLE_WIDER 16
#define SAMPLE_CLOCK 1e-6 /* shortest time that clocks measure, in seconds */
/* A CPU's next sample has SAMPLE_WIDER_CPU times the columns, until a sample takes SAMPLE_TIMES times as long
 * as the first. */
#define SAMPLE_WIDER_CPU 8
#define SAMPLE_TIMES 2
/* Once a device's samples together have taken this long, the next sample is the last: the other devices are
 * waiting. */
#define SAMPLES_SECONDS 0.1
/* A matrix with fewer cells is not sampled, because its sweep would take less time than the samples. Its
 * devices get equal numbers of rows. */
#define SAMPLED_CELLS 4e9

/* The work of sampling all members. */
typedef struct samples {
  device_team *team;
  const region *whole;
  atomic_int next;
} samples;

/* Work (plan_block_sampled) and duration of a sample, in seconds. */
typedef struct seen_work {
  double work, seconds;
} seen_work;

/* Computes a sample. Returns false after a failure, which is not reported: the sweep will fail in the same
 * way, and handle it. */
static bool compute_sample(seen_work *out, team_member *member, const region *part) {
  cla_error unused = {.status = CLA_OK};
  region_result result;
  const kernel_config config = plan_block_sample(&member->plan, &member->input);
  const double began = machine_seconds();
  if (wavefront_solve(&result, member->engine, part, &config, &unused) != CLA_OK) return false;
  out->seconds = fmax(machine_seconds() - began, SAMPLE_CLOCK);
  out->work = plan_block_sampled(&member->plan, &member->input, part->rows, part->columns);
  return true;
}

/* Sets the rate from the sample `now` and an earlier one. Returns true if the sample suffices. The cores of
 * a CPU need some time to start. Beside a GPU's host thread, they need much longer than a sample of few
 * columns. So a CPU's rate is that of the columns that only `now` has. */
static bool tells_rate(double *rate, const seen_work *before, const seen_work *now, bool gpu) {
  const bool longer = before->work > 0 && now->work >= SAMPLE_TIMES * before->work &&
                      now->seconds >= SAMPLE_TIMES * before->seconds;
  *rate = longer && !gpu ? (now->work - before->work) / (now->seconds - before->seconds)
                         : now->work / now->seconds;
  return gpu ? now->seconds >= SAMPLE_SECONDS : longer;
}

/* Measures the member's rate, or leaves it unchanged if a sample fails. */
static void sample_member(team_member *member, const region *whole) {
  const block_device facts = plan_block_device(&member->plan, &member->input);
  const double most = (double)whole->rows * (double)whole->columns / SAMPLE_SHARE;
  const bool gpu = member->input.device->kind == CLA_DEVICE_GPU;
  region part = *whole;
  seen_work first = {0};
  const double began = machine_seconds();
  part.rows = smaller(larger(facts.least_rows, facts.unit_rows), whole->rows);
  part.rows_beyond = whole->rows - part.rows;
  part.columns = smaller(facts.way_count > 0 ? SAMPLE_COLUMNS_CHAINS : SAMPLE_COLUMNS, whole->columns);
  for (bool built = false;; built = true) { /* some drivers still compile when a kernel is first launched */
    seen_work now;
    if (!compute_sample(&now, member, &part)) return;
    const double cells = (double)part.rows * (double)part.columns;
    if (built && (tells_rate(&member->rate, &first, &now, gpu) || part.columns == whole->columns ||
                  4 * cells > most || machine_seconds() - began > SAMPLES_SECONDS))
      return;
    if (built && first.work <= 0) first = now;
    /* Chooses the columns of the next sample from the duration of this one. The first sample may include
     * compilation. */
    const double wider = gpu     ? fmin(fmax(SAMPLE_LONGER * SAMPLE_SECONDS / now.seconds, 1), SAMPLE_WIDER)
                         : built ? SAMPLE_WIDER_CPU
                                 : 1;
    const double columns = fmin((double)part.columns * wider, fmax(most / (double)part.rows, SAMPLE_COLUMNS));
    part.columns = smaller((int64_t)columns, whole->columns);
  }
}

static void take_samples(void *user, int thread) {
  samples *s = user;
  (void)thread;
  for (int i; (i = atomic_fetch_add(&s->next, 1)) < s->team->count;) {
    team_member *member = s->team->members + i;
    const bool known = member->rate > 0 || plan_block_device(&member->plan, &member->input).rate > 0;
    if (device_team_sweeps(s->team, member) && !known) sample_member(member, s->whole);
  }
}

/* True if two members are GPUs of the same kind with the same plan. Both then get equal numbers of rows. */
static bool are_alike(const team_member *a, const team_member *b) {
  const cla_device_info *of_a = cla_device_describe(a->device), *of_b = cla_device_describe(b->device);
  return of_a->kind == CLA_DEVICE_GPU && device_is_like(a->device, b->device) &&
         of_a->compute_units == of_b->compute_units && kernel_same_config(&a->plan.sweep, &b->plan.sweep);
}

/* Gives equal devices the highest of their rates. A slower sample was probably delayed, for example by
 * threads of a CPU. If a device really is slower, its blocks will show that. */
static void level_rates(device_team *team) {
  for (int i = 0; i < team->count; i++)
    for (int j = 0; j < team->count; j++) {
      const double rate = team->members[j].rate;
      team_member *member = team->members + i;
      if (member->rate > 0 && rate > member->rate && are_alike(member, team->members + j))
        member->rate = rate;
    }
}

void device_team_measure(device_team *team, const region *sample) {
  samples all = {.team = team, .whole = sample};
  const team_member *first = team->members + team->first;
  bool known = true, alike = true;
  int sharing = 0;
  for (int i = 0; i < team->count; i++) {
    const team_member *member = team->members + i;
    if (!device_team_sweeps(team, member)) continue;
    known = known && (member->rate > 0 || plan_block_device(&member->plan, &member->input).rate > 0);
    alike = alike && are_alike(first, member);
    sharing++;
  }
  if (known || (!team->shared && (alike || sharing <= 1)) ||
      (double)sample->rows * (double)sample->columns < SAMPLED_CELLS)
    return;
  parallel_run(team->count, take_samples, &all);
  level_rates(team);
}

/* Maximum number of columns of a sample of random letters. */
#define SAMPLE_LETTERS (INT64_C(1) << 21)
#define SAMPLE_SEED 22

static cla_status make_letters(uint8_t **out, int64_t count, uint64_t number, cla_error *error) {
  random_stream stream;
  cla_status status = ALLOCATE_ARRAY(out, count, "the letters of a sample", error);
  random_stream_init(&stream, SAMPLE_SEED, number);
  if (status == CLA_OK) random_stream_codes(&stream, *out, count, SEQUENCE_UNAMBIGUOUS);
  return status;
}

/* Builds, tests and caches the sweep's kernel, and measures the device's rate by a sample. */
static cla_status sample_alone(team_member *alone, const sweep_work *s, const region *whole,
                               const pair_problem *letters, cla_error *error) {
  const best_kind best = path_ends_best(&s->input.ends);
  cla_status status =
      wavefront_create(&alone->engine, alone->device, letters, s->input.device_memory_bytes, error);
  if (status == CLA_OK)
    status = self_test(alone->device, &s->plan.sweep, &letters->scheme, best, false, error);
  if (status != CLA_OK) return status;
  wavefront_save_programs(alone->engine);
  sample_member(alone, whole);
  if (alone->rate > 0) return CLA_OK;
  return error_set(error, CLA_ERROR_DEVICE, "a sample of the sweep failed on %s; try another --device",
                   cla_device_describe(alone->device)->name);
}

cla_status sweep_sample(double *seconds, sweep_work *s, cla_device *device, cla_error *error) {
  team_member alone = {.device = device, .input = s->input, .plan = s->plan};
  uint8_t *letters[2] = {NULL, NULL};
  alone.plan.row_interval = 0; /* no rows are kept */
  const block_device facts = plan_block_device(&alone.plan, &alone.input);
  region whole = sweep_region(s, 0, s->input.rows, s->input.ends.floor ? 0 : SWEEP_NOTHING_KNOWN);
  whole.columns = smaller(whole.columns, SAMPLE_LETTERS);
  const int64_t rows = smaller(larger(facts.least_rows, facts.unit_rows), whole.rows);
  cla_status status = make_letters(&letters[0], rows, 0, error);
  if (status == CLA_OK) status = make_letters(&letters[1], whole.columns, 1, error);
  const pair_problem pair = {.query = letters[0],
                             .target = letters[1],
                             .rows = rows,
                             .columns = whole.columns,
                             .scheme = {s->input.scoring, &s->table, s->input.ends}};
  device_on_compiling(device, progress_compiling, &s->progress);
  if (status == CLA_OK) status = sample_alone(&alone, s, &whole, &pair, error);
  device_on_compiling(device, NULL, NULL);
  if (status == CLA_OK)
    *seconds = plan_block_sampled(&alone.plan, &alone.input, s->input.rows, s->input.columns) / alone.rate;
  wavefront_free(alone.engine);
  free(letters[0]);
  free(letters[1]);
  return status;
}
