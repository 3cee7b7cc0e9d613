#include "cli/commands/tune_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/options/device_options.h"
#include "cli/report/report.h"

#define START_SECONDS 120.0 /* limit for opening the device, which takes long with some drivers */
#define SLICE_MILLISECONDS 200
/* Seconds to wait for a killed worker. A driver may keep the worker in the kernel for longer. Then the wait
 * ends. */
#define END_SECONDS 10.0
#define READY "ready"

void tune_process_init(tune_process *process, int device, int threads, const cla_scoring *scoring) {
  memset(process, 0, sizeof *process);
  process->device = device;
  process->threads = threads;
  process->scoring = scoring;
  process->to = process->from = -1;
}

void tune_process_end(tune_process *process) {
  if (process->to >= 0) close(process->to);
  if (process->from >= 0) close(process->from);
  process->to = process->from = -1;
  process->length = 0;
  if (process->pid <= 0) return;
  kill(process->pid, SIGKILL);
  for (const double end = cli_seconds() + END_SECONDS; cli_seconds() < end;) {
    if (waitpid(process->pid, NULL, WNOHANG) != 0) break;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  process->pid = 0;
}

/* Turns the child into a worker. Runs between fork and exec, where only async-signal-safe calls are
 * allowed. */
static void become_worker(const int to[2], const int from[2], char *const *arguments, pid_t parent) {
  const int nowhere = open("/dev/null", O_WRONLY);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_RESOURCE);
  /* The worker ignores Ctrl-C, because the tuner handles it and ends the worker. */
  signal(SIGINT, SIG_IGN);
  if (dup2(to[0], STDIN_FILENO) < 0 || dup2(from[1], STDOUT_FILENO) < 0) _exit(EXIT_RESOURCE);
  /* Messages of drivers and their compilers would disturb the progress line, so they are discarded. Failures
   * are counted. */
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  execv("/proc/self/exe", arguments);
  _exit(EXIT_RESOURCE);
}

typedef enum line_state { LINE_COME, LINE_LATE, LINE_ENDED } line_state;

/* Waits for a line from the worker. */
static cla_status wait_line(line_state *state, char line[CLA_TUNE_LINE_SIZE], tune_process *process,
                            double limit_seconds, cla_error *error) {
  const double end = cli_seconds() + limit_seconds;
  for (;;) {
    char *newline = memchr(process->text, '\n', process->length);
    if (newline) {
      const size_t length = (size_t)(newline - process->text);
      const size_t taken = length < CLA_TUNE_LINE_SIZE - 1 ? length : CLA_TUNE_LINE_SIZE - 1;
      memcpy(line, process->text, taken);
      line[taken] = '\0';
      process->length -= length + 1;
      memmove(process->text, newline + 1, process->length);
      *state = LINE_COME;
      return CLA_OK;
    }
    if (interrupt_requested()) return cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
    *state = process->length < sizeof process->text ? LINE_LATE : LINE_ENDED;
    if (*state == LINE_ENDED || cli_seconds() >= end) return CLA_OK;
    struct pollfd descriptor = {.fd = process->from, .events = POLLIN};
    if (poll(&descriptor, 1, SLICE_MILLISECONDS) <= 0) continue;
    const ssize_t got =
        read(process->from, process->text + process->length, sizeof process->text - process->length);
    if (got < 0 && errno == EINTR) continue;
    *state = LINE_ENDED;
    if (got <= 0) return CLA_OK;
    process->length += (size_t)got;
  }
}

/* Waits for the worker's first line, which reports whether the device could be opened. */
static cla_status greet(tune_process *process, cla_error *error) {
  line_state state = LINE_ENDED;
  char line[CLA_TUNE_LINE_SIZE] = "";
  cla_status status = wait_line(&state, line, process, START_SECONDS, error);
  if (status == CLA_OK && state == LINE_COME && strcmp(line, READY) == 0) return CLA_OK;
  if (status == CLA_OK && state == LINE_COME)
    status = cli_error(error, CLA_ERROR_DEVICE, "%s", line);
  else if (status == CLA_OK)
    status = cli_error(error, CLA_ERROR_DEVICE,
                       "device %d: the process that measures %s while it opened the device; try another "
                       "--device",
                       process->device, state == LINE_LATE ? "hung" : "crashed");
  tune_process_end(process);
  return status;
}

/* Sends the scoring as the bytes of its struct, because the worker is the same program. The worker could
 * not read the matrix file again if it is a pipe. If the worker has already ended, greet notices that. */
static void write_scoring(const tune_process *process) {
  const char *from = (const char *)process->scoring;
  for (size_t done = 0; done < sizeof *process->scoring;) {
    const ssize_t count = write(process->to, from + done, sizeof *process->scoring - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += (size_t)count;
  }
}

static cla_status start(tune_process *process, cla_error *error) {
  char device[32], threads[32];
  char *arguments[] = {"clalign", "tune", TUNE_PROCESS_WORD, device, threads, NULL};
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  const pid_t parent = getpid();
  snprintf(device, sizeof device, "%d", process->device);
  snprintf(threads, sizeof threads, "%d", process->threads);
  process->length = 0;
  bool started = pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0;
  if (started) {
    process->pid = fork();
    if (process->pid == 0) become_worker(to, from, arguments, parent);
    started = process->pid > 0;
  }
  const int reason = errno;
  if (to[0] >= 0) close(to[0]);
  if (from[1] >= 0) close(from[1]);
  process->to = to[1];
  process->from = from[0];
  if (started) {
    write_scoring(process);
    return greet(process, error);
  }
  process->pid = 0;
  tune_process_end(process);
  return cli_error(error, CLA_ERROR_MEMORY, "cannot start the process that measures: %s; end some others",
                   strerror(reason));
}

static bool send_line(const tune_process *process, const char *request) {
  char line[CLA_TUNE_LINE_SIZE + 1];
  const int length = snprintf(line, sizeof line, "%s\n", request);
  return length < (int)sizeof line && write(process->to, line, (size_t)length) == length;
}

cla_status tune_process_ask(void *user, cla_tune_reply *reply, char answer[CLA_TUNE_LINE_SIZE],
                            const char *request, double limit_seconds, cla_error *error) {
  tune_process *process = user;
  line_state state = LINE_ENDED;
  if (interrupt_requested()) return cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
  cla_status status = process->pid > 0 ? CLA_OK : start(process, error);
  if (status == CLA_OK && send_line(process, request))
    status = wait_line(&state, answer, process, limit_seconds, error);
  if (status != CLA_OK || state != LINE_COME) tune_process_end(process);
  *reply = state == LINE_COME ? CLA_TUNE_ANSWERED : state == LINE_LATE ? CLA_TUNE_HUNG : CLA_TUNE_CRASHED;
  return status;
}

/* Answers requests on `out` until the input ends. */
static int serve(cla_tune_worker *worker, FILE *out) {
  char request[CLA_TUNE_LINE_SIZE + 1], answer[CLA_TUNE_LINE_SIZE];
  fprintf(out, "%s\n", READY);
  fflush(out);
  while (fgets(request, sizeof request, stdin)) {
    request[strcspn(request, "\n")] = '\0';
    cla_tune_worker_answer(worker, answer, request);
    fprintf(out, "%s\n", answer);
    if (fflush(out) != 0) return EXIT_RESOURCE;
  }
  return EXIT_RESULT;
}

int tune_process_serve(int count, char **arguments) {
  cla_error error = {.status = CLA_OK};
  cla_device *device = NULL;
  cla_tune_worker *worker = NULL;
  cla_scoring scoring;
  int code = EXIT_RESOURCE;
  if (count != 2)
    return cli_finish(
        cli_error(&error, CLA_ERROR_OPTION, "%s is for the program's own use", TUNE_PROCESS_WORD), &error);
  /* Answers go to a separate descriptor, because drivers print on standard output. */
  FILE *out = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
  if (!out) return EXIT_RESOURCE;
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const cla_device_options options = {.select = arguments[0], .threads = (int)strtol(arguments[1], NULL, 10)};
  cla_status status = cli_device_open(&device, &options, &error);
  if (status == CLA_OK && fread(&scoring, sizeof scoring, 1, stdin) != 1)
    status = cli_error(&error, CLA_ERROR_INPUT, "the scoring to tune for is missing");
  if (status == CLA_OK) status = cla_tune_worker_create(&worker, device, &scoring, &error);
  if (status == CLA_OK) {
    code = serve(worker, out);
  } else {
    for (char *letter = error.message; *letter; letter++)
      if (*letter == '\n') *letter = ' ';
    fprintf(out, "%s\n", error.message);
  }
  cla_tune_worker_free(worker);
  cla_device_close(device);
  fclose(out);
  return code;
}
