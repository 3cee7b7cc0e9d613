#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/report/report.h"

void bench_samples_add(bench_samples *samples, double seconds) {
  if (samples->count < BENCH_RUNS_LIMIT) samples->seconds[samples->count++] = seconds;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(const bench_samples *samples) {
  const int count = samples->count;
  if (count == 0) return 0;
  double sorted[BENCH_RUNS_LIMIT];
  memcpy(sorted, samples->seconds, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double bench_least(const bench_samples *samples) {
  double least = samples->count > 0 ? samples->seconds[0] : 0;
  for (int i = 1; i < samples->count; i++)
    if (samples->seconds[i] < least) least = samples->seconds[i];
  return least;
}

double bench_rate(double cells, double seconds) {
  return seconds > 0 ? cells / seconds / 1e9 : 0;
}

/* The result of a call of parasail. */
typedef struct peer_outcome {
  double seconds;
  int score;
  bool saturated;
  bool crashed; /* the process ended without a result; nothing else is set */
} peer_outcome;

#ifdef CLALIGN_HAVE_PARASAIL

#include <dlfcn.h>
#include <errno.h>
#include <parasail.h>
#include <parasail/cpuid.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_MILLISECONDS 100

/* The functions of parasail that are called here. */
#define PARASAIL_FUNCTIONS(of)                                                                         \
  of(version) of(can_use_avx2) of(can_use_sse41) of(can_use_sse2) of(can_use_neon) of(can_use_altivec) \
      of(matrix_create) of(matrix_set_value) of(lookup_function) of(result_get_score)                  \
          of(result_is_saturated)

#define POINTER(name) __typeof__(parasail_##name) *(name);
static struct { PARASAIL_FUNCTIONS(POINTER) } parasail;

#define PLACE(name) {"parasail_" #name, &parasail.name},
static const struct {
  const char *name;
  void *place; /* of the pointer */
} functions_needed[] = {PARASAIL_FUNCTIONS(PLACE)};

cla_status bench_peer_load(cla_error *error) {
  void *library = dlopen(CLALIGN_PARASAIL_NAME, RTLD_NOW | RTLD_LOCAL);
  bool complete = library != NULL;
  for (size_t i = 0; complete && i < sizeof functions_needed / sizeof *functions_needed; i++) {
    void *function = dlsym(library, functions_needed[i].name);
    memcpy(functions_needed[i].place, &function, sizeof function);
    complete = function != NULL;
  }
  if (complete) return CLA_OK;
  return cli_error(
      error, CLA_ERROR_OPTION,
      "--peer compares with parasail, which cannot be loaded: %s; install it, or name its folder "
      "in LD_LIBRARY_PATH",
      dlerror());
}

void bench_peer_version(char *text, size_t size) {
  int major = 0, minor = 0, patch = 0;
  parasail.version(&major, &minor, &patch);
  snprintf(text, size, "parasail %d.%d.%d", major, minor, patch);
}

/* The widest instruction set that both the library and this CPU have, in the form of parasail's functions
 * ("avx2_256"); NULL: none. */
static const char *peer_instructions(void) {
  if (parasail.can_use_avx2()) return "avx2_256";
  if (parasail.can_use_sse41()) return "sse41_128";
  if (parasail.can_use_sse2()) return "sse2_128";
  if (parasail.can_use_neon()) return "neon_128";
  if (parasail.can_use_altivec()) return "altivec_128";
  return NULL;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The scheme as parasail takes it, of the letters that pairs are made of; NULL if it has no memory. */
static parasail_matrix_t *make_matrix(const cla_scoring *scoring) {
  const bool protein = cla_scoring_alphabet(scoring) == CLA_ALPHABET_PROTEIN;
  const char *letters = scoring->matrix_size > 0 && protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT";
  parasail_matrix_t *matrix = parasail.matrix_create(letters, scoring->match, scoring->mismatch);
  if (!matrix || scoring->matrix_size == 0) return matrix;
  for (int row = 0; letters[row]; row++)
    for (int column = 0; letters[column]; column++) {
      const char *query = strchr(scoring->letters, letters[row]),
                 *target = strchr(scoring->letters, letters[column]);
      if (!query || !target) continue; /* U for T */
      parasail.matrix_set_value(
          matrix, row, column,
          scoring->matrix[(query - scoring->letters) * CLA_MATRIX_STRIDE + (target - scoring->letters)]);
    }
  return matrix;
}

/* The child: one call, its outcome into the pipe. */
static void compute_and_exit(int pipe_end, const bench_peer *peer, const peer_function *function) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  const cla_scoring *scoring = &peer->scoring;
  parasail_function_t *call = parasail.lookup_function(function->name);
  parasail_matrix_t *matrix = make_matrix(scoring);
  if (!call || !matrix) _exit(EXIT_RESOURCE);
  const double began = seconds_now();
  parasail_result_t *result = call(peer->query, (int)peer->query_length, peer->target,
                                   (int)peer->target_length, scoring->gap_first, scoring->gap_ext, matrix);
  peer_outcome outcome = {.seconds = seconds_now() - began};
  if (!result) _exit(EXIT_RESOURCE);
  outcome.score = parasail.result_get_score(result);
  outcome.saturated = parasail.result_is_saturated(result) != 0;
  const ssize_t written = write(pipe_end, &outcome, sizeof outcome);
  _exit(written == (ssize_t)sizeof outcome ? EXIT_RESULT : EXIT_RESOURCE);
}

/* Shows the progress; false once a signal came. The predicted time is that of earlier runs, if there were
 * any. */
static bool show_progress(const peer_progress *progress, const peer_function *function, double elapsed) {
  char stage[256];
  snprintf(stage, sizeof stage, "%s %s", progress->label, function->name);
  const double expected = bench_median(&function->seconds);
  const cla_progress shown = {.stage = stage,
                              .seconds = elapsed,
                              .fraction = elapsed < expected ? elapsed / expected : expected > 0,
                              .seconds_left = elapsed < expected ? expected - elapsed : -1};
  return progress_bar_update(&shown, progress->bar);
}

/* Waits for the child's outcome; false after a signal. */
static bool await(int pipe_end, const peer_function *function, const peer_progress *progress) {
  const double began = seconds_now();
  progress_bar_restart(progress->bar);
  struct pollfd readable = {.fd = pipe_end, .events = POLLIN};
  int count = 0;
  while (count == 0 || (count < 0 && errno == EINTR)) {
    count = poll(&readable, 1, POLL_MILLISECONDS);
    if (interrupt_requested()) return false;
    if (count == 0 && !show_progress(progress, function, seconds_now() - began)) return false;
  }
  return true;
}

/* Runs the function on the first letters of the peer's pair. It has a process of its own, because it can
 * neither be stopped nor report progress. CLA_ERROR_INTERRUPTED, CLA_ERROR_MEMORY. */
static cla_status peer_run(peer_outcome *out, const bench_peer *peer, const peer_function *function,
                           const peer_progress *progress, cla_error *error) {
  int ends[2];
  memset(out, 0, sizeof *out);
  if (pipe(ends) != 0)
    return cli_error(error, CLA_ERROR_MEMORY, "cannot start parasail: %s", strerror(errno));
  const pid_t child = fork();
  if (child == 0) compute_and_exit(ends[1], peer, function);
  close(ends[1]);
  cla_status status = CLA_OK;
  if (child < 0) {
    status = cli_error(error, CLA_ERROR_MEMORY,
                       "cannot start parasail: %s; free some memory or leave --peer out", strerror(errno));
  } else {
    const bool waited = await(ends[0], function, progress);
    if (!waited) kill(child, SIGKILL);
    out->crashed = waited && read(ends[0], out, sizeof *out) != (ssize_t)sizeof *out;
    waitpid(child, NULL, 0);
    progress_bar_clear(progress->bar);
    if (!waited || interrupt_requested()) status = cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
  }
  close(ends[0]);
  return status;
}

#else

cla_status bench_peer_load(cla_error *error) {
  return cli_error(error, CLA_ERROR_OPTION,
                   "--peer compares with parasail, and this clalign was built without it; install "
                   "libparasail-dev and build again");
}

void bench_peer_version(char *text, size_t size) {
  snprintf(text, size, "no parasail");
}

static const char *peer_instructions(void) {
  return NULL;
}

static cla_status peer_run(peer_outcome *out, const bench_peer *peer, const peer_function *function,
                           const peer_progress *progress, cla_error *error) {
  (void)out, (void)peer, (void)function, (void)progress;
  return bench_peer_load(error);
}

#endif

/* Which of parasail's functions is the one to compare with. */

/* Multiple of the fastest right function's time above which a function of the same width is left out after a
 * round. Noise is less than that. */
#define NEAR 1.25

static const char *const methods[PEER_METHODS] = {"striped", "scan", "diag"};
static const int widths[PEER_WIDTHS] = {8, 16, 32};

cla_status bench_peer_begin(bench_peer *peer, cla_error *error) {
  const char *instructions = peer_instructions();
  if (!instructions)
    return cli_error(error, CLA_ERROR_DEVICE, "parasail has no functions for this CPU; leave --peer out");
  peer->function_count = 0;
  for (int width = 0; width < PEER_WIDTHS; width++) {
    for (int method = 0; method < PEER_METHODS; method++) {
      peer_function *function = &peer->functions[peer->function_count++];
      *function = (peer_function){.bits = widths[width]};
      snprintf(function->name, sizeof function->name, "%s_%s_%s_%d",
               peer->mode == CLA_MODE_LOCAL ? "sw" : "nw", methods[method], instructions, widths[width]);
    }
  }
  return CLA_OK;
}

static cla_status run_function(peer_function *function, const bench_peer *peer, const peer_progress *progress,
                               cla_error *error) {
  peer_outcome outcome = {0};
  cla_status status = peer_run(&outcome, peer, function, progress, error);
  if (status != CLA_OK) return status;
  if (outcome.crashed)
    function->wrong = "ended without a result";
  else if (outcome.saturated)
    function->wrong = "saturated";
  else if (outcome.score != peer->score)
    function->wrong = "another score";
  else
    bench_samples_add(&function->seconds, outcome.seconds);
  return CLA_OK;
}

/* The function of that width with right scores and the least median; NULL: none. */
static peer_function *fastest_of(bench_peer *peer, int bits) {
  peer_function *best = NULL;
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (function->bits != bits || function->wrong || function->slow) continue;
    if (!best || bench_median(&function->seconds) < bench_median(&best->seconds)) best = function;
  }
  return best;
}

static void drop_slow(bench_peer *peer) {
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    const peer_function *best = fastest_of(peer, function->bits);
    if (function->wrong || !best) continue;
    if (bench_median(&function->seconds) > NEAR * bench_median(&best->seconds)) function->slow = true;
  }
}

cla_status bench_peer_round(bench_peer *peer, const peer_progress *progress, cla_error *error) {
  for (int i = 0; i < peer->function_count; i++) {
    peer_function *function = &peer->functions[i];
    if (function->wrong || function->slow) continue;
    cla_status status = run_function(function, peer, progress, error);
    if (status != CLA_OK) return status;
  }
  drop_slow(peer);
  return CLA_OK;
}

void bench_peer_finish(bench_peer *peer) {
  for (int width = 0; width < PEER_WIDTHS; width++) {
    peer_function *best = fastest_of(peer, widths[width]);
    if (best) best->best = true;
  }
}

double bench_peer_gcups(const bench_peer *peer, const peer_function *function) {
  return bench_rate((double)peer->query_length * (double)peer->target_length,
                    bench_median(&function->seconds));
}
