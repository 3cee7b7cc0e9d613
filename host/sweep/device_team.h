#ifndef HOST_SWEEP_DEVICE_TEAM_H
#define HOST_SWEEP_DEVICE_TEAM_H

#include "clalign/align.h"
#include "plan/plan_blocks.h"
#include "region/wavefront.h"
#include "rows/arriving_row.h"

/* A team of several devices for one pair. Each device has its own plan, because kernels, lanes and memory
 * differ. */

typedef struct team_member {
  cla_device *device;
  plan_input input; /* input from which the plan for this device is made */
  plan plan;
  wavefront *engine;     /* owned; NULL: not created yet, or lost */
  bool lost;             /* the device has failed or was left out */
  bool worked;           /* the device has computed a part of the result */
  double rate;           /* measured cells per second of the sweep; 0: not known */
  block_part swept;      /* part of the sweep's blocks that the device computed */
  double swept_seconds;  /* seconds for these blocks, without waiting */
  double waited_seconds; /* seconds spent waiting for the blocks above */
  arriving_row *spare;   /* owned; a row whose memory can serve as the next block's last row; NULL: none */
} team_member;

typedef struct device_team {
  team_member *members; /* owned; the first member is the call's own device */
  int count;            /* number of members; 0: the call's device works alone */
  bool shared;          /* other processes take part in the sweep */
  const char *alone;    /* text for the explanation: why other processes take no part; may be NULL */
  int first; /* index of the first member that is not lost; it does everything that needs only one device */
} device_team;

/* A request for the partners' plans. `first` is the plan for the call's own device, made from `input`. All
 * plans use its bound. In a test, one function changes all of these plans (pipeline/pipeline.h). */
typedef struct team_request {
  const plan_input *input;
  const plan *first;
  const cla_align_options *options;
  void (*adjust)(plan *whole); /* changes each plan in tests; may be NULL */
  bool shared;                 /* as in device_team */
} team_request;

/* Fills the team with the call's device and its partners, and makes a plan for each. A partner whose memory
 * is too small for the pair is left out. */
cla_status device_team_plan(device_team *team, cla_device *device, const team_request *wanted,
                            cla_error *error);

/* Returns the number of the call's devices, including `device`, that get about as many rows of the sweep as
 * `device`. `first`: the call's own device. */
int device_team_alike(const cla_device_info *device, const cla_device_info *first,
                      const cla_align_options *options);

void device_team_free(device_team *team);

/* Frees the memory that only the sweep needs. */
void device_team_swept(device_team *team);

/* Marks a member that failed with `reason` as lost, and reports this to the options' `note`. Returns the
 * reason as an error if no other member is left. */
cla_status device_team_lose(device_team *team, team_member *member, const cla_error *reason,
                            const cla_align_options *options, cla_error *error);

/* True if other devices can do the work of a device that failed with `status`. False for faults that would
 * also affect the other devices, such as a wrong option, a full disk or a wrong claim. */
bool device_team_can_do_without(cla_status status);

/* True if the member can take part in a sweep according to the plan of the team's first member. */
bool device_team_sweeps(const device_team *team, const team_member *member);

/* Sets devices[i] to the description of member i for plan/plan_blocks.h. Rates come from records or, if there
 * are none, from measurements. If the rate of any member in the sweep is not known, all rates are 0. */
void device_team_blocks(block_device *devices, const device_team *team);

/* Replaces rates of 0 by guesses, for a small matrix or for equal devices. */
void device_team_guess(block_device *devices, const device_team *team);

/* Returns a guessed rate, relative to the rate of the fastest kind of device present. */
double device_team_guessed_rate(bool gpu, bool any_gpu);

/* Predicts the seconds of the sweep on all devices together, if all rates are known. */
void device_team_predict(plan *whole, const device_team *team);

/* Measures all unknown rates of members simultaneously, by parts of the region `sample`. */
void device_team_measure(device_team *team, const region *sample);

/* Writes names of members to `out`: if `lost` is true, of the lost members; otherwise, of the members that
 * have worked and are not lost. */
void device_team_names(char *out, size_t size, const device_team *team, bool lost);

/* Merges the names `more` into `names`; device_team_names wrote both texts. If a name occurs in both, the
 * larger number of occurrences counts: several devices may have the same name. */
void device_names_add(char *names, size_t size, const char *more);

/* Describes the team, as a part of the plan's text; the text is "" for one device. The caller frees
 * *out. */
cla_status device_team_explain(char **out, const device_team *team, cla_error *error);

#endif
