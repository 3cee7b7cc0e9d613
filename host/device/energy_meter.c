#include <pthread.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/machine.h"
#include "device/energy_counters.h"

#define PERIOD_NANOSECONDS 100000000L /* from one reading to the next */

struct cla_energy_meter {
  energy_counters counters;
  pthread_t thread;
  pthread_mutex_t lock; /* guards everything below, and the counters' last numbers */
  pthread_cond_t ending;
  bool begun, ends;
  bool failed; /* a counter could not be read */
  double joules;
  double seconds; /* time of the last reading, by machine_seconds */
};

/* Adds what the counters have counted since the last reading. */
static void read_counters(cla_energy_meter *meter) {
  const double now = machine_seconds();
  for (int i = 0; i < meter->counters.count; i++) {
    energy_counter *counter = &meter->counters.items[i];
    uint64_t number = 0;
    if (!energy_counter_read(&number, &meter->counters, counter)) {
      meter->failed = true;
      continue;
    }
    if (counter->power)
      meter->joules += ((double)number + (double)counter->last) / 2 * counter->unit * (now - meter->seconds);
    else if (number >= counter->last)
      meter->joules += (double)(number - counter->last) * counter->unit;
    else if (counter->range > counter->last)
      meter->joules += (double)(counter->range - counter->last + number) * counter->unit;
    else
      meter->failed = true; /* the counter started anew at an unknown number */
    counter->last = number;
  }
  meter->seconds = now;
}

static void *read_often(void *user) {
  cla_energy_meter *meter = user;
  pthread_mutex_lock(&meter->lock);
  while (!meter->ends) {
    const struct timespec until = thread_time_in(PERIOD_NANOSECONDS);
    pthread_cond_timedwait(&meter->ending, &meter->lock, &until);
    read_counters(meter);
  }
  pthread_mutex_unlock(&meter->lock);
  return NULL;
}

cla_status cla_energy_open(cla_energy_meter **out, const cla_device_info *device,
                           const cla_energy_places *places, cla_error *error) {
  cla_energy_meter *meter = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&meter, 1, "an energy meter", error);
  if (status == CLA_OK) status = energy_counters_find(&meter->counters, device, places, error);
  if (status == CLA_OK) {
    meter->seconds = machine_seconds();
    pthread_mutex_init(&meter->lock, NULL);
    thread_condition_init(&meter->ending);
    meter->begun = thread_start(&meter->thread, read_often, meter) == 0;
    if (!meter->begun)
      status =
          error_set(error, CLA_ERROR_MEMORY, "cannot start the thread of an energy meter; end some others");
  }
  if (status == CLA_OK)
    *out = meter;
  else
    cla_energy_close(meter);
  return status;
}

void cla_energy_close(cla_energy_meter *meter) {
  if (!meter) return;
  if (meter->begun) {
    pthread_mutex_lock(&meter->lock);
    meter->ends = true;
    pthread_cond_signal(&meter->ending);
    pthread_mutex_unlock(&meter->lock);
    pthread_join(meter->thread, NULL);
    pthread_cond_destroy(&meter->ending);
    pthread_mutex_destroy(&meter->lock);
  }
  energy_counters_free(&meter->counters);
  free(meter);
}

double cla_energy_joules(cla_energy_meter *meter) {
  pthread_mutex_lock(&meter->lock);
  read_counters(meter);
  const double joules = meter->failed ? -1 : meter->joules;
  pthread_mutex_unlock(&meter->lock);
  return joules;
}

const char *cla_energy_source(const cla_energy_meter *meter) {
  return meter->counters.source;
}

double cla_energy_seconds_least(const cla_energy_meter *meter) {
  return meter->counters.seconds_least;
}
