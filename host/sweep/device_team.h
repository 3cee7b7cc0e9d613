#ifndef HOST_SWEEP_DEVICE_TEAM_H
#define HOST_SWEEP_DEVICE_TEAM_H

#include "clalign/align.h"
#include "plan/plan_blocks.h"
#include "region/wavefront.h"
#include "rows/arriving_row.h"

/* Several devices for one pair. Each has a plan of its own, because kernels, lanes and memory differ. */

typedef struct team_member {
  cla_device *device;
  plan_input input; /* input of the run's plan, on this device */
  plan plan;
  wavefront *engine;     /* owned; NULL: not yet made, or lost */
  bool lost;             /* the device has failed and takes no further part */
  bool worked;           /* the device has computed a part of the result */
  double rate;           /* measured cells per second of the sweep; 0: not known */
  block_part swept;      /* blocks of the sweep that the device has computed */
  double swept_seconds;  /* seconds of computing these blocks */
  double waited_seconds; /* seconds of waiting for blocks above */
  arriving_row *spare;   /* memory for the last row of the next block, or NULL; owned */
} team_member;

typedef struct device_team {
  team_member *members; /* owned; the first is the call's own device */
  int count;            /* 0: the call's device is alone */
  bool shared;          /* devices of other processes take part in the sweep, too */
  const char *alone;    /* line of the explanation: why other processes take no part; NULL: nothing to say */
  int first;            /* index of the first member that is not lost; it does all work for a single device */
} device_team;

/* The plans of the partners. They are made like `first`, which was planned from `input` for the call's own
 * device. They have the same bound, and the same test may change them (pipeline/pipeline.h). */
typedef struct team_request {
  const plan_input *input;
  const plan *first;
  const cla_align_options *options;
  void (*adjust)(plan *whole); /* changes a plan in tests, or NULL */
  bool shared;                 /* as in device_team */
} team_request;

/* Plans for the call's device and its partners. A partner on which the pair does not fit is left out. */
cla_status device_team_plan(device_team *team, cla_device *device, const team_request *wanted,
                            cla_error *error);

/* The number of a call's devices that take about as many rows of the sweep as `device`, which is one of them.
 * first: the call's own device. */
int device_team_alike(const cla_device_info *device, const cla_device_info *first,
                      const cla_align_options *options);

void device_team_free(device_team *team);

/* Frees memory that only a sweep needs. */
void device_team_swept(device_team *team);

/* Takes out a member that has failed with `reason`, and tells the options' `note`. CLA_ERROR_DEVICE with the
 * reason's message if it was the last member. */
cla_status device_team_lose(device_team *team, team_member *member, const cla_error *reason,
                            const cla_align_options *options, cla_error *error);

/* Whether other devices can do the work of a device that ended with that status. They would meet a wrong
 * option, a full disk or a claim that does not hold, too. */
bool device_team_can_do_without(cla_status status);

/* Whether the member can take part in a sweep that the first one's plan is for. */
bool device_team_sweeps(const device_team *team, const team_member *member);

/* Fills the members' facts for plan_blocks; `devices` has room for all. Rates are those of records, else
 * measured ones. If a member's rate is not known, all rates are 0. */
void device_team_blocks(block_device *devices, const device_team *team);

/* Guesses the rates that are 0, for a small matrix or equal devices. */
void device_team_guess(block_device *devices, const device_team *team);

/* A rate that is made up. */
double device_team_guessed_rate(bool gpu, bool any_gpu);

/* Sets the seconds that the sweep takes on all devices together, where records know them. */
void device_team_predict(plan *whole, const device_team *team);

/* Measures how fast the members compute `sample`'s kind of region, all at once, where that is not known. */
void device_team_measure(device_team *team, const region *sample);

/* Names of the members that have worked and are not lost, or of those that are lost. */
void device_team_names(char *out, size_t size, const device_team *team, bool lost);

/* Adds to such names those of `more` that they have less often: several devices may have one name. */
void device_names_add(char *names, size_t size, const char *more);

/* The part of the plan's text that is about the team, for people; "" for one device. The caller frees it. */
cla_status device_team_explain(char **out, const device_team *team, cla_error *error);

#endif
