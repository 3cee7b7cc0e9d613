#include "sweep/device_team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "plan/plan.h"
#include "scoring/gap_costs.h"

/* Guessed rate of a device that is no GPU, as a fraction of a GPU's rate. */
#define RATE_BESIDE_GPU 0.05
#define BETWEEN_NAMES " + "

/* A CPU does not count as alike if there are GPUs. */
int device_team_alike(const cla_device_info *device, const cla_device_info *first,
                      const cla_align_options *options) {
  int gpus = first->kind == CLA_DEVICE_GPU;
  for (size_t i = 0; i < options->partner_count; i++)
    gpus += cla_device_describe(options->partners[i].device)->kind == CLA_DEVICE_GPU;
  return device->kind == CLA_DEVICE_GPU ? gpus : (int)options->partner_count + 1;
}

/* Makes a partner's plan. If the first device's plan prunes by the bound, the partner's plan must prune, too.
 */
static cla_status plan_member(team_member *member, const team_request *wanted, const cla_partner *partner,
                              cla_error *error) {
  const cla_align_options *options = wanted->options;
  const plan_input *input = wanted->input;
  const plan *first = wanted->first;
  const cla_device_info *info = cla_device_describe(partner->device);
  member->device = partner->device;
  member->input = *input;
  member->input.device = info;
  member->input.alike = device_team_alike(info, input->device, options);
  member->input.tuning = partner->tuning;
  if (options->budgets.device_memory_bytes <= 0)
    member->input.device_memory_bytes = info->memory_bytes / 8 * 7;
  cla_status status = plan_make(&member->plan, &member->input, error);
  if (status != CLA_OK) return status;
  if (first->prune) plan_prune(&member->plan, &member->input, first->bound);
  if (first->matrix_block_rows > 0) plan_keep(&member->plan, &member->input, 1);
  if (wanted->adjust) wanted->adjust(&member->plan);
  if (first->matrix_block_rows > 0)
    (void)plan_keep_fit(&member->plan, &member->input,
                        first->matrix_block_rows); /* a device whose plan does not fit takes no part */
  return CLA_OK;
}

/* Plans for a partner. A partner whose memory is too small for the pair is left out. */
static cla_status join(device_team *team, team_member *member, const cla_partner *partner,
                       const team_request *wanted, cla_error *error) {
  cla_error reason = {.status = CLA_OK};
  cla_status status = plan_member(member, wanted, partner, &reason);
  if (status == CLA_OK) return status;
  if (status != CLA_ERROR_MEMORY) return error_set(error, status, "%s", reason.message);
  return device_team_lose(team, member, &reason, wanted->options, error);
}

/* Returns the host memory needed if `sharing` devices share the sweep. It has sharing + 1 rows between
 * blocks, the border below which the sweep starts, and the transfer memory of every engine except the
 * first. */
static int64_t sharing_bytes(const device_team *team, int sharing) {
  const plan_input *input = &team->members[0].input;
  const int64_t row = arriving_row_bytes(input->columns + 1, input->scoring);
  const int64_t start = gap_lines(input->scoring) * (input->columns + 1) * (int64_t)sizeof(int64_t);
  int64_t staging = 0;
  for (int i = 1; i < team->count; i++) {
    const team_member *member = team->members + i;
    const kernel_gaps gaps = kernel_gaps_of(input->scoring);
    if (member->lost) continue;
    staging += kernel_layout(&member->plan.sweep, gaps, input->rows, input->columns).row_bytes;
  }
  return (sharing + 1) * row + start + staging;
}

/* Leaves out partners, the last one first, until the rows between the blocks fit in the remaining memory. */
static cla_status fit_memory(device_team *team, const cla_align_options *options, cla_error *error) {
  const plan_input *input = &team->members[0].input;
  const plan *first = &team->members[0].plan;
  const int64_t bands =
      first->trace.blocks_ahead * first->trace.band_bytes; /* bands take memory only after the sweep */
  const int64_t left = input->memory_bytes - first->predicted.host_bytes + bands;
  int sharing = 0;
  cla_status status = CLA_OK;
  for (int i = 0; i < team->count; i++) sharing += !team->members[i].lost;
  for (int i = team->count - 1; i > 0 && status == CLA_OK && sharing_bytes(team, sharing) > left; i--) {
    cla_error reason = {.status = CLA_OK};
    if (team->members[i].lost) continue;
    error_set(&reason, CLA_ERROR_MEMORY,
              "--memory %lld is too small for what %d devices hand to each other, %lld bytes more would do",
              (long long)input->memory_bytes, sharing, (long long)(sharing_bytes(team, sharing) - left));
    status = device_team_lose(team, team->members + i, &reason, options, error);
    sharing--;
  }
  return status;
}

cla_status device_team_plan(device_team *team, cla_device *device, const team_request *wanted,
                            cla_error *error) {
  const cla_align_options *options = wanted->options;
  team->shared = wanted->shared;
  if (options->partner_count == 0 && !team->shared) return CLA_OK;
  cla_status status =
      ALLOCATE_ZEROS(&team->members, (int64_t)options->partner_count + 1, "the devices", error);
  if (status != CLA_OK) return status;
  team->count = (int)options->partner_count + 1;
  team->members[0] = (team_member){.device = device, .input = *wanted->input, .plan = *wanted->first};
  for (int i = 1; status == CLA_OK && i < team->count; i++)
    status = join(team, team->members + i, options->partners + i - 1, wanted, error);
  return status == CLA_OK ? fit_memory(team, options, error) : status;
}

void device_team_swept(device_team *team) {
  for (int i = 0; i < team->count; i++) {
    arriving_row_free(team->members[i].spare);
    team->members[i].spare = NULL;
  }
}

void device_team_free(device_team *team) {
  device_team_swept(team);
  for (int i = 0; i < team->count; i++) wavefront_free(team->members[i].engine);
  free(team->members);
  *team = (device_team){0};
}

cla_status device_team_lose(device_team *team, team_member *member, const cla_error *reason,
                            const cla_align_options *options, cla_error *error) {
  char text[CLA_ERROR_MESSAGE_SIZE];
  member->lost = true;
  while (team->first < team->count && team->members[team->first].lost) team->first++;
  if (team->first == team->count) {
    team->first = 0;
    return error_set(error, reason->status, "%s", reason->message);
  }
  snprintf(text, sizeof text, "%s is left out, and the other devices do its work: %.1500s",
           cla_device_describe(member->device)->name, reason->message);
  if (options->callbacks.note) options->callbacks.note(text, options->callbacks.note_user);
  return CLA_OK;
}

bool device_team_can_do_without(cla_status status) {
  return status == CLA_ERROR_DEVICE || status == CLA_ERROR_MEMORY;
}

bool device_team_sweeps(const device_team *team, const team_member *member) {
  const team_member *first = team->members + team->first;
  if (member->lost) return false;
  if (member == first) return true;
  /* Launches of whole strips hand down nothing before they end. */
  const bool waits = first->plan.prune && (first->plan.sweep.variant->run_columns > 0 ||
                                           member->plan.sweep.variant->run_columns > 0);
  return member->plan.prune == first->plan.prune &&
         member->plan.matrix_block_rows == first->plan.matrix_block_rows && !waits;
}

void device_team_blocks(block_device *devices, const device_team *team) {
  bool known = true;
  for (int i = 0; i < team->count; i++) {
    const team_member *member = team->members + i;
    devices[i] = plan_block_device(&member->plan, &member->input);
    devices[i].idle = !device_team_sweeps(team, member);
    if (devices[i].rate <= 0) plan_block_rate(devices + i, &member->input, member->rate);
    known = known && (devices[i].idle || devices[i].rate > 0);
  }
  for (int i = 0; !known && i < team->count; i++) plan_block_rate(devices + i, &team->members[i].input, 0);
}

double device_team_guessed_rate(bool gpu, bool any_gpu) {
  return any_gpu && !gpu ? RATE_BESIDE_GPU : 1;
}

void device_team_guess(block_device *devices, const device_team *team) {
  bool any_gpu = false;
  for (int i = 0; i < team->count; i++)
    any_gpu |= !devices[i].idle && team->members[i].input.device->kind == CLA_DEVICE_GPU;
  for (int i = 0; i < team->count; i++) {
    const bool gpu = team->members[i].input.device->kind == CLA_DEVICE_GPU;
    if (devices[i].idle || devices[i].rate > 0) continue;
    devices[i].rate = device_team_guessed_rate(gpu, any_gpu);
    devices[i].guessed = true;
  }
}

void device_team_predict(plan *whole, const device_team *team) {
  block_device *devices = NULL;
  bool known = team->count > 0;
  double seconds = 0;
  if (!known || ALLOCATE_ARRAY(&devices, team->count, "", NULL) != CLA_OK) return;
  device_team_blocks(devices, team);
  for (int i = 0; i < team->count; i++) known = known && (devices[i].idle || devices[i].rate > 0);
  if (known && plan_blocks_seconds(&seconds, devices, team->count, &team->members[0].input, NULL) == CLA_OK)
    whole->predicted.sweep_seconds = seconds;
  free(devices);
}

void device_team_names(char *out, size_t size, const device_team *team, bool lost) {
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < team->count && used < size; i++) {
    const team_member *member = team->members + i;
    if (member->lost != lost || !(lost || member->worked)) continue;
    used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? BETWEEN_NAMES : "",
                             cla_device_describe(member->device)->name);
  }
}

/* True if `names` contains the name. If so, crosses out one occurrence: several devices may have the same
 * name. */
static bool take_name(char *names, const char *name, size_t length) {
  for (char *at = names; *at;) {
    char *next = strstr(at, BETWEEN_NAMES);
    const size_t here = next ? (size_t)(next - at) : strlen(at);
    if (here == length && memcmp(at, name, length) == 0) {
      at[0] = '\n'; /* no name begins with a newline */
      return true;
    }
    at += here + (next ? strlen(BETWEEN_NAMES) : 0);
  }
  return false;
}

void device_names_add(char *names, size_t size, const char *more) {
  char had[sizeof((cla_metrics *)0)->lost_devices];
  snprintf(had, sizeof had, "%s", names);
  for (const char *at = more; *at;) {
    const char *next = strstr(at, BETWEEN_NAMES);
    const int length = next ? (int)(next - at) : (int)strlen(at);
    if (!take_name(had, at, (size_t)length)) {
      const size_t used = strlen(names);
      snprintf(names + used, size - used, "%s%.*s", used > 0 ? BETWEEN_NAMES : "", length, at);
    }
    at += length + (next ? (int)strlen(BETWEEN_NAMES) : 0);
  }
}

cla_status device_team_explain(char **out, const device_team *team, cla_error *error) {
  block_device *devices = NULL;
  if (team->count == 0) return allocate_text(out, "", error);
  const plan_input *input = &team->members[0].input;
  *out = NULL;
  cla_status status = ALLOCATE_ARRAY(&devices, team->count, "the devices", error);
  if (status == CLA_OK) {
    device_team_blocks(devices, team);
    for (int i = 0; i < team->count; i++)
      devices[i].name = cla_device_describe(team->members[i].device)->name;
    status = plan_blocks_explain(out, devices, team->count, input->rows,
                                 arriving_row_bytes(input->columns + 1, input->scoring), error);
  }
  free(devices);
  return status;
}
