#include "cli/report/device_facts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options/device_option.h"
#include "cli/options/driver_folder.h"
#include "cli/report/report.h"

/* What the other process has to say: parent and child are the same program, so a struct will do. */
typedef struct answer {
  cla_error error;
  cla_device_info info;
} answer;

/* In the child: opens the device and ends, without what the parent has registered for its own end. */
static void describe_and_end(int to, const cla_device_options *options) {
  answer said;
  cla_device *device = NULL;
  memset(&said, 0, sizeof said);
  said.error.status = cli_device_open(&device, options, &said.error);
  if (said.error.status == CLA_OK) said.info = *cla_device_describe(device);
  cla_device_close(device);
  const char *from = (const char *)&said;
  for (size_t left = sizeof said; left > 0;) {
    const ssize_t written = write(to, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    from += written;
    left -= (size_t)written;
  }
  driver_folder_remove();
  _exit(0);
}

static bool read_answer(answer *out, int from) {
  char *to = (char *)out;
  size_t left = sizeof *out;
  while (left > 0) {
    const ssize_t got = read(from, to, left);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    left -= (size_t)got;
  }
  return true;
}

cla_status device_facts(cla_device_info *out, const cla_device_options *options, cla_error *error) {
  int ends[2] = {-1, -1};
  answer said;
  const bool piped = pipe(ends) == 0;
  const pid_t child = piped ? fork() : -1;
  if (child == 0) {
    close(ends[0]);
    describe_and_end(ends[1], options);
  }
  const int reason = errno;
  if (ends[1] >= 0) close(ends[1]);
  const bool heard = child > 0 && read_answer(&said, ends[0]);
  if (ends[0] >= 0) close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  if (child < 0)
    return cli_error(error, CLA_ERROR_MEMORY,
                     "cannot start the process that looks at the device: %s; end some others",
                     strerror(reason));
  if (!heard)
    return cli_error(error, CLA_ERROR_DEVICE,
                     "an OpenCL driver ended the process that looked at the devices; see 'clalign devices'");
  if (said.error.status == CLA_OK) *out = said.info;
  if (said.error.status != CLA_OK && error) *error = said.error;
  return said.error.status;
}
