#include "base/machine.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CGROUP "/sys/fs/cgroup/"
#define MEMORY_FLOOR (INT64_C(64) << 20)

/* Parses up to two decimal numbers at the start of `text`; returns how many there are (0 for "max"). */
static int parse_numbers(const char *text, int64_t *first, int64_t *second) {
  int64_t *out[2] = {first, second};
  for (int found = 0; found < 2; found++) {
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || errno != 0) return found;
    *out[found] = value;
    text = end;
  }
  return 2;
}

/* Like parse_numbers, on the first line of a file; 0 if the file cannot be read. */
static int read_numbers(const char *path, int64_t *first, int64_t *second) {
  char line[256] = "";
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  const bool read = fgets(line, sizeof line, file) != NULL;
  fclose(file);
  return read ? parse_numbers(line, first, second) : 0;
}

static int64_t cgroup_threads(void) {
  int64_t quota = 0, period = 0;
  if (read_numbers(CGROUP "cpu.max", &quota, &period) < 2) {
    if (read_numbers(CGROUP "cpu/cpu.cfs_quota_us", &quota, &period) < 1 ||
        read_numbers(CGROUP "cpu/cpu.cfs_period_us", &period, &(int64_t){0}) < 1)
      return 0;
  }
  return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

int machine_threads(void) {
  cpu_set_t set;
  int threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  int64_t quota = cgroup_threads();
  if (quota > 0 && quota < threads) threads = (int)quota;
  return threads > 0 ? threads : 1;
}

static int64_t cgroup_memory_left(void) {
  int64_t limit = 0, used = 0, unused = 0;
  if (read_numbers(CGROUP "memory.max", &limit, &unused) >= 1 &&
      read_numbers(CGROUP "memory.current", &used, &unused) >= 1)
    return limit - used;
  if (read_numbers(CGROUP "memory/memory.limit_in_bytes", &limit, &unused) >= 1 &&
      read_numbers(CGROUP "memory/memory.usage_in_bytes", &used, &unused) >= 1)
    return limit - used;
  return INT64_MAX;
}

int64_t machine_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > INT64_MAX) return INT64_MAX;
  return (int64_t)limit.rlim_cur;
}

/* Returns the bytes of virtual memory that the process may still take under its limit. */
static int64_t limited_memory_left(void) {
  int64_t pages = 0, resident = 0;
  const int64_t limit = machine_memory_limit();
  if (limit == INT64_MAX || read_numbers("/proc/self/statm", &pages, &resident) < 1) return limit;
  return limit - pages * sysconf(_SC_PAGESIZE);
}

int64_t machine_memory_available(void) {
  int64_t available = 0;
  char line[256];
  FILE *file = fopen("/proc/meminfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    static const char key[] = "MemAvailable:";
    int64_t kib = 0, unused = 0;
    if (strncmp(line, key, sizeof key - 1) == 0 && parse_numbers(line + sizeof key - 1, &kib, &unused) >= 1)
      available = kib * 1024;
  }
  if (file) fclose(file);
  int64_t left = cgroup_memory_left();
  if (left < available) available = left;
  left = limited_memory_left();
  if (left < available) available = left;
  return available > MEMORY_FLOOR ? available : MEMORY_FLOOR;
}

double machine_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define NANOSECONDS_OF_SECOND 1000000000L

int thread_start(pthread_t *out, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(out, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

int thread_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  int code = pthread_condattr_init(&attributes);
  if (code != 0) return code;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  code = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return code;
}

struct timespec thread_time_in(long nanoseconds) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  nanoseconds += time.tv_nsec;
  time.tv_sec += nanoseconds / NANOSECONDS_OF_SECOND;
  time.tv_nsec = nanoseconds % NANOSECONDS_OF_SECOND;
  return time;
}

#define THREADS_MOST 256

/* A call of parallel_run: threads take one index after another until the caller has finished index 0. */
typedef struct parallel_job {
  void (*work)(void *user, int index);
  void *user;
  int next, end; /* the indices that no thread has taken */
  int at_work;   /* number of threads at work on the job, not counting the caller's */
  struct parallel_job *further;
} parallel_job;

/* The pool of threads, which wait for jobs until the process ends. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t offered, done;
  parallel_job *jobs; /* list of jobs that have indices left */
  int threads, free;  /* number of all threads, and of those without a job */
  bool forks;         /* forget_threads is registered for children of fork() */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .offered = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static void withdraw(const parallel_job *job) {
  parallel_job **at = &pool.jobs;
  while (*at && *at != job) at = &(*at)->further;
  if (*at) *at = job->further;
}

static void *take_jobs(void *user) {
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    parallel_job *job = pool.jobs;
    if (!job) {
      pthread_cond_wait(&pool.offered, &pool.lock);
      continue;
    }
    const int index = job->next++;
    if (job->next == job->end) withdraw(job);
    job->at_work++;
    pool.free--;
    pthread_mutex_unlock(&pool.lock);
    job->work(job->user, index);
    pthread_mutex_lock(&pool.lock);
    pool.free++;
    if (--job->at_work == 0) pthread_cond_broadcast(&pool.done);
  }
  return user;
}

/* Resets the pool in a child of fork(), where the threads do not exist. */
static void forget_threads(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.offered, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.jobs = NULL;
  pool.threads = pool.free = 0;
}

/* Starts threads until each remaining index has a free thread, or the system refuses to start more. */
static void start_threads(void) {
  int left = 0;
  pthread_t thread;
  for (const parallel_job *job = pool.jobs; job; job = job->further) left += job->end - job->next;
  for (; pool.free < left && pool.threads < THREADS_MOST; pool.free++, pool.threads++) {
    if (!pool.forks && pthread_atfork(NULL, NULL, forget_threads) != 0) return;
    pool.forks = true;
    if (thread_start(&thread, take_jobs, NULL) != 0) return;
    pthread_detach(thread);
  }
}

void parallel_run(int threads, void (*work)(void *user, int index), void *user) {
  parallel_job job = {.work = work, .user = user, .next = 1, .end = threads};
  if (threads > 1) {
    pthread_mutex_lock(&pool.lock);
    job.further = pool.jobs;
    pool.jobs = &job;
    start_threads();
    for (int i = 1; i < threads; i++) pthread_cond_signal(&pool.offered);
    pthread_mutex_unlock(&pool.lock);
  }
  work(user, 0);
  if (threads <= 1) return;
  pthread_mutex_lock(&pool.lock);
  withdraw(&job);
  while (job.at_work > 0) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}
