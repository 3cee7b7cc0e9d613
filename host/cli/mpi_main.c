/* clalign-mpi: clalign on the ranks of mpirun. Rank 0 is clalign, the other ranks work for it. */

#include <stdio.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "cli/options/device_options.h"
#include "cli/report/report.h"
#include "ranks/cluster.h"

/* main of host/cli/main.c, compiled under this name. */
int clalign_main(int count, char **arguments);

static cli_devices devices;

static cla_status open_devices(cluster_devices *out, const char *select, int threads, cla_error *error) {
  const cla_device_options options = {.select = select, .threads = threads};
  cli_devices_close(&devices);
  *out = (cluster_devices){0};
  cla_status status = cli_devices_open(&devices, &options, error);
  if (status == CLA_OK) status = cli_devices_load_tuning(&devices, true, error);
  if (status == CLA_OK) *out = (cluster_devices){devices.items, devices.tunings, devices.count};
  return status;
}

static void tell_lost(int rank) {
  char text[80];
  snprintf(text, sizeof text, "rank %d has died; the others go on without it", rank);
  if (cli_ranks->rank == 0) cli_warn(text);
}

/* Prints on one of the remaining ranks that rank 0 has died. */
static void tell_rank0_lost(void) {
  int first = 0;
  while (cli_ranks->gone[first]) first++;
  if (cli_ranks->rank == first)
    fprintf(stderr,
            "clalign: rank 0 has died, which reads and writes; with --run-dir, clalign-mpi resume goes on\n");
}

/* Ends the process immediately, because a rank that cannot read its messages is of no use. */
static void end_at_once(const cla_error *why) {
  cla_error error;
  (void)cli_error(&error, why->status, "rank %d on %s: %s", cli_ranks->rank, cli_ranks->host, why->message);
  _exit(cli_finish(why->status, &error));
}

int main(int count, char **arguments) {
  const cluster_calls calls = {interrupt_requested, tell_lost, end_at_once};
  cla_error error = {.status = CLA_OK};
  int code = 0;
  cla_status status = cluster_begin(&cli_ranks, &count, &arguments, &calls, &error);
  if (status != CLA_OK) {
    code = cli_finish(status, &error);
  } else if (cli_ranks->rank == 0) {
    code = clalign_main(count, arguments);
  } else {
    interrupt_install();
    interrupt_defer();
    code = cluster_serve(cli_ranks, open_devices);
    if (code == CLUSTER_LEFT_ALONE) tell_rank0_lost();
    cli_devices_close(&devices);
  }
  return cluster_end(code);
}
