#ifndef HOST_SWEEP_DEVICE_TEAM_H
#define HOST_SWEEP_DEVICE_TEAM_H

#include "clalign/align.h"
#include "plan/plan_blocks.h"
#include "region/wavefront.h"
#include "rows/arriving_row.h"

/* A team of several devices for one pair. Each device has a plan of its own, because kernels, lanes and
 * memory differ. */

typedef struct team_member {
  cla_device *device;
  plan_input input; /* input from which the plan for this device is made */
  plan plan;
  wavefront *engine;     /* NULL: not made yet, or lost; owned */
  bool lost;             /* the device has failed or been left out */
  bool worked;           /* the device has computed a part of the result */
  double rate;           /* measured cells per second of the sweep; 0: not known */
  block_part swept;      /* blocks of the sweep computed by the device */
  double swept_seconds;  /* seconds for these blocks, without waiting */
  double waited_seconds; /* seconds spent waiting for the blocks above */
  arriving_row *spare;   /* row whose memory the next block's last row can use, or NULL; owned */
} team_member;

typedef struct device_team {
  team_member *members; /* the first is the call's own device; owned */
  int count;            /* number of members; 0: the call's device works alone */
  bool shared;          /* other processes take part in the sweep */
  const char *alone;    /* line for the explanation: why other processes take no part; or NULL */
  int first; /* index of the first member that is not lost, which does all work of a single device */
} device_team;

/* A request for the partners' plans. They are made like `first`, the plan made from `input` for the call's
 * own device: with the same bound, and changed by the same test (pipeline/pipeline.h). */
typedef struct team_request {
  const plan_input *input;
  const plan *first;
  const cla_align_options *options;
  void (*adjust)(plan *whole); /* changes a plan in tests, or NULL */
  bool shared;                 /* as in device_team */
} team_request;

/* Fills the team with the call's device and its partners, and plans for each. A partner on which the pair
 * does not fit is left out. */
cla_status device_team_plan(device_team *team, cla_device *device, const team_request *wanted,
                            cla_error *error);

/* Returns how many of the call's devices, including `device`, take about as many rows of the sweep as
 * `device`. first: the call's own device. */
int device_team_alike(const cla_device_info *device, const cla_device_info *first,
                      const cla_align_options *options);

void device_team_free(device_team *team);

/* Frees the memory that only the sweep needs. */
void device_team_swept(device_team *team);

/* Marks as lost a member that has failed with `reason`, and reports that to the options' `note`. Returns the
 * reason as an error if no other member is left. */
cla_status device_team_lose(device_team *team, team_member *member, const cla_error *reason,
                            const cla_align_options *options, cla_error *error);

/* True if other devices can do the work of a device that failed with `status`. False for faults that they
 * would meet, too, such as a wrong option, a full disk or a wrong claim. */
bool device_team_can_do_without(cla_status status);

/* True if the member can take part in a sweep by the plan of the team's first member. */
bool device_team_sweeps(const device_team *team, const team_member *member);

/* Sets devices[i] to the facts of member i for plan/plan_blocks.h. Rates come from records or, if these have
 * none, from measurements. If the rate of a member in the sweep is not known, all rates are 0. */
void device_team_blocks(block_device *devices, const device_team *team);

/* Replaces rates of 0 by guesses, for a small matrix or equal devices. */
void device_team_guess(block_device *devices, const device_team *team);

/* Returns a guessed rate, relative to that of the fastest kind of device present. */
double device_team_guessed_rate(bool gpu, bool any_gpu);

/* Predicts the seconds of the sweep on all devices together, if all rates are known. */
void device_team_predict(plan *whole, const device_team *team);

/* Measures the rates of the members whose rates are not known, all at the same time, by parts of the region
 * `sample`. */
void device_team_measure(device_team *team, const region *sample);

/* Writes to `out` the names of the lost members or, if `lost` is false, of the members that have worked and
 * are not lost. */
void device_team_names(char *out, size_t size, const device_team *team, bool lost);

/* Merges the names `more` into `names`, both written by device_team_names. If a name occurs in both, the
 * larger number of occurrences counts, because several devices may have the same name. */
void device_names_add(char *names, size_t size, const char *more);

/* Describes the team, as a part of the plan's text; "" for one device. The caller frees *out. */
cla_status device_team_explain(char **out, const device_team *team, cla_error *error);

#endif
