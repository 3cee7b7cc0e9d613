#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options/device_options.h"
#include "cli/report/report.h"

#define PROCESSORS "/sys/devices/system/cpu/cpu0/topology" /* PoCL reads the processor's facts there */

/* Writes why a driver may end a process that lists the devices, and the remedy. Returns false if no reason is
 * known. */
static bool driver_hazard(char text[CLI_LIMIT_SIZE]) {
  if (access(PROCESSORS, F_OK) == 0) return cli_memory_limit(text);
  snprintf(text, CLI_LIMIT_SIZE,
           "/sys shows no processors here, and PoCL needs them: mount it by 'mount -t sysfs sysfs /sys', or "
           "let the sandbox have the host's");
  return true;
}

/* True if there is enough memory for the threads of CPU devices. PoCL takes 16 MiB per thread for printf,
 * plus local memory. */
static bool room_for_threads(const cla_device_info *infos, size_t count) {
  size_t threads = 1;
  for (size_t i = 0; i < count; i++)
    if (infos[i].kind == CLA_DEVICE_CPU) threads += (size_t)infos[i].compute_units;
  return mmap(NULL, threads << 25, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}

/* The work of the child process: lists the devices and exits. The parent reports failures. */
static void list_and_end(void) {
  cla_device_info *infos = NULL;
  size_t count = 0;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  signal(SIGABRT, SIG_DFL);
  signal(SIGSEGV, SIG_DFL);
  signal(SIGBUS, SIG_DFL);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  cla_devices_list(&infos, &count, NULL);
  _exit(count == 0 || room_for_threads(infos, count) ? EXIT_RESULT : EXIT_RESOURCE);
}

/* If a driver may end the process that lists the devices, lets a child process list them first. */
static cla_status try_drivers(cla_error *error) {
  static bool tried;
  char hazard[CLI_LIMIT_SIZE];
  int result = 0;
  driver_folder_prepare();
  if (tried || !driver_hazard(hazard)) return CLA_OK;
  tried = true;
  const pid_t child = fork();
  if (child == 0) list_and_end();
  if (child < 0 || waitpid(child, &result, 0) != child || result == 0) return CLA_OK;
  return cli_error(error, CLA_ERROR_DEVICE, "OpenCL drivers cannot look for devices: %s", hazard);
}

cla_status cli_devices_list(cla_device_info **out, size_t *count, cla_error *error) {
  *out = NULL;
  *count = 0;
  cla_status status = try_drivers(error);
  if (status == CLA_OK) status = cla_devices_list(out, count, error);
  interrupt_catch_crashes_again();
  return status;
}

/* The environment variable that lists the drivers is OCL_ICD_VENDORS for ocl-icd's loader and
 * OPENCL_VENDOR_PATH for Khronos' loader. */
cla_status cli_devices_missing(cla_error *error) {
  const char *vendors = getenv("OCL_ICD_VENDORS");
  if (!vendors || !*vendors) vendors = getenv("OPENCL_VENDOR_PATH");
  const cla_status status = cla_devices_missing(vendors, error);
  if (*driver_folder_fault() && strstr(error->message, "POCL_CACHE_DIR"))
    return cli_error(error, status, "no OpenCL device found: %s", driver_folder_fault());
  return status;
}

static bool no_device(void) {
  cla_device_info *infos = NULL;
  cla_error error;
  size_t count = 0;
  const bool listed = cla_devices_list(&infos, &count, &error) == CLA_OK;
  cla_devices_free(infos);
  return listed && count == 0;
}

bool cli_device_has_own_kernels(void) {
  const char *kernels = getenv("CLALIGN_CL_PATH");
  return kernels && *kernels;
}

static bool is_every(const char *part) {
  return strcasecmp(part, "all") == 0;
}

cla_status cli_device_open(cla_device **out, const cla_device_options *options, cla_error *error) {
  cla_device_options all = *options;
  char cache[CLI_FOLDER_SIZE];
  if (cli_device_has_own_kernels()) all.kernel_path = getenv("CLALIGN_CL_PATH");
  if (cli_cache_folder(cache)) all.cache_path = cache;
  *out = NULL;
  cla_status status = try_drivers(error);
  if (status != CLA_OK) return status;
  status = cla_device_open(out, &all, error);
  interrupt_catch_crashes_again();
  if (status == CLA_ERROR_DEVICE && no_device()) return cli_devices_missing(error);
  if (status == CLA_ERROR_DEVICE && all.select && (strpbrk(all.select, ",+") || is_every(all.select)))
    return cli_error(error, CLA_ERROR_DEVICE,
                     "--device %s: one device is taken here, and no list; see `clalign devices`", all.select);
  return status;
}

static cla_status out_of_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a list of devices; free some memory");
}

static cla_status open_one(cli_devices *devices, const cla_device_options *options, const char *select,
                           cla_error *error) {
  cla_device_options one = *options;
  one.select = select;
  cla_device **grown = realloc(devices->items, (devices->count + 1) * sizeof *grown);
  if (!grown) return out_of_memory(error);
  devices->items = grown;
  cla_status status = cli_device_open(&devices->items[devices->count], &one, error);
  if (status == CLA_OK) devices->count++;
  return status;
}

static bool is_open(const cli_devices *devices, int index) {
  for (size_t i = 0; i < devices->count; i++)
    if (cla_device_describe(devices->items[i])->index == index) return true;
  return false;
}

/* Opens all devices of the kind `word`, or of every kind, except those that are already open. */
static cla_status open_kind(cli_devices *devices, const cla_device_options *options, const char *word,
                            cla_error *error) {
  const bool all = is_every(word);
  const cla_device_kind kind = strcasecmp(word, "cpu") == 0 ? CLA_DEVICE_CPU : CLA_DEVICE_GPU;
  cla_device_info *infos = NULL;
  size_t count = 0, met = 0;
  cla_status status = cli_devices_list(&infos, &count, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    char index[16];
    if (!all && infos[i].kind != kind) continue;
    met++;
    snprintf(index, sizeof index, "%d", infos[i].index);
    if (!is_open(devices, infos[i].index)) status = open_one(devices, options, index, error);
  }
  cla_devices_free(infos);
  if (status == CLA_OK && count == 0) return cli_devices_missing(error);
  if (status == CLA_OK && met == 0)
    return cli_error(error, CLA_ERROR_DEVICE, "--device %s: there is no such device; see `clalign devices`",
                     word);
  return status;
}

static bool is_word(const char *part) {
  return is_every(part) || strcasecmp(part, "cpu") == 0 || strcasecmp(part, "gpu") == 0;
}

/* Gives a CPU device fewer threads if there are GPUs, because each GPU keeps a host thread busy. Otherwise,
 * that host thread would interrupt a thread of the CPU device, and further strips would wait for it. */
static cla_status leave_threads(cli_devices *devices, const cla_device_options *options, cla_error *error) {
  cla_device_options beside = *options;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < devices->count; i++)
    beside.left_threads += cla_device_describe(devices->items[i])->kind == CLA_DEVICE_GPU;
  for (size_t i = 0; i < devices->count && status == CLA_OK && beside.left_threads > 0; i++) {
    const cla_device_info *info = cla_device_describe(devices->items[i]);
    char index[16];
    if (info->kind != CLA_DEVICE_CPU || options->threads > 0) continue;
    snprintf(index, sizeof index, "%d", info->index);
    beside.select = index;
    cla_device_close(devices->items[i]);
    devices->items[i] = NULL;
    status = cli_device_open(&devices->items[i], &beside, error);
  }
  return status;
}

static cla_status open_all(cli_devices *out, const cla_device_options *options, cla_error *error) {
  *out = (cli_devices){0};
  if (!options->select) return open_one(out, options, NULL, error);
  char *list = strdup(options->select);
  if (!list) return out_of_memory(error);
  cla_status status = CLA_OK;
  char *next = list;
  while (next && status == CLA_OK) {
    const char *part = strsep(&next, ",+");
    if (!*part)
      status = cli_error(error, CLA_ERROR_OPTION,
                         "--device %s names no device between two separators; write 0,2 or cpu+gpu",
                         options->select);
    else
      status = is_word(part) ? open_kind(out, options, part, error) : open_one(out, options, part, error);
  }
  free(list);
  return status == CLA_OK ? leave_threads(out, options, error) : status;
}

const cla_ranks *cli_ranks;

/* Sends the other ranks the names of the devices to open. All ranks open their devices simultaneously. */
static cla_status tell_ranks(const cla_device_options *options, cla_error *error) {
  const int32_t head[2] = {options->threads, options->select != NULL};
  const char *select = options->select ? options->select : "";
  const cla_rank_bytes parts[] = {{head, sizeof head}, {select, (int64_t)strlen(select)}};
  cla_status status = CLA_OK;
  for (int to = 1; to < cli_ranks->count && status == CLA_OK; to++)
    status = cli_ranks->send(cli_ranks->user, to, CLA_RANK_DEVICES, parts, 2, error);
  return status;
}

static bool is_mine(size_t index, size_t count) {
  const size_t ranks = (size_t)cli_ranks->host_count, own = (size_t)cli_ranks->host_rank;
  return count >= ranks ? index % ranks == own : index == own % count;
}

/* Closes the devices that belong to other ranks of this host. */
static void keep_share(cli_devices *devices) {
  const size_t count = devices->count;
  devices->count = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_mine(i, count))
      devices->items[devices->count++] = devices->items[i];
    else
      cla_device_close(devices->items[i]);
  }
}

/* Opens this rank's share of the host's devices. Unless the user chooses devices, several GPUs are divided
 * among the host's ranks. */
static cla_status open_share(cli_devices *out, const cla_device_options *options, cla_error *error) {
  cla_device_options own = *options;
  cla_status status = cli_ranks->rank == 0 && cli_ranks->count > 1 ? tell_ranks(options, error) : CLA_OK;
  if (own.threads <= 0) own.threads = cli_ranks->threads;
  if (status == CLA_OK) status = open_all(out, &own, error);
  if (status == CLA_OK && out->items && !own.select && cli_ranks->host_count > 1 &&
      cla_device_describe(out->items[0])->kind == CLA_DEVICE_GPU) {
    cli_devices_close(out);
    own.select = "gpu";
    status = open_all(out, &own, error);
  }
  if (status == CLA_OK) keep_share(out);
  return status;
}

cla_status cli_devices_open(cli_devices *out, const cla_device_options *options, cla_error *error) {
  *out = (cli_devices){0};
  return cli_ranks ? open_share(out, options, error) : open_all(out, options, error);
}

cla_status cli_devices_load_tuning(cli_devices *devices, bool quiet, cla_error *error) {
  devices->tunings = calloc(devices->count > 0 ? devices->count : 1, sizeof *devices->tunings);
  if (!devices->tunings) return out_of_memory(error);
  cla_status status = CLA_OK;
  for (size_t i = 0; i < devices->count && status == CLA_OK; i++)
    status = cli_tuning_load(&devices->tunings[i], devices->items[i], quiet, error);
  return status;
}

void cli_devices_close(cli_devices *devices) {
  for (size_t i = 0; i < devices->count; i++) {
    if (devices->tunings) cla_tuning_free(devices->tunings[i]);
    cla_device_close(devices->items[i]);
  }
  free(devices->tunings);
  free(devices->items);
  *devices = (cli_devices){0};
}

cla_status cli_late_device_begin(cli_late_device *late, const cla_device_options *options, bool quiet,
                                 cla_error *error) {
  *late = (cli_late_device){.options = options, .quiet = quiet};
  driver_folder_prepare();
  if (pthread_mutex_init(&late->lock, NULL) != 0) return out_of_memory(error);
  late->begun = true;
  return CLA_OK;
}

void cli_late_device_end(cli_late_device *late) {
  cli_devices_close(&late->devices);
  if (late->begun) pthread_mutex_destroy(&late->lock);
  late->begun = false;
}

cla_status cli_late_device_open(cla_device **device, const cla_tuning **tuning, void *late,
                                cla_error *error) {
  cli_late_device *one = late;
  cli_devices *devices = &one->devices;
  cla_status status = CLA_OK;
  pthread_mutex_lock(&one->lock);
  if (devices->count == 0) status = cli_devices_open(devices, one->options, error);
  if (status == CLA_OK && !devices->tunings) status = cli_devices_load_tuning(devices, one->quiet, error);
  if (status == CLA_OK && devices->items) {
    *device = devices->items[0];
    *tuning = devices->tunings[0];
  }
  pthread_mutex_unlock(&one->lock);
  return status;
}

/* The child's answer. It is sent as the bytes of a struct, because parent and child are the same program. */
typedef struct answer {
  cla_error error;
  cli_device_facts facts;
} answer;

/* In the child: opens the device, sends the answer, and ends without the parent's exit handlers. */
static void describe_and_end(int to, const cla_device_options *options) {
  static answer said;
  cla_device *device = NULL;
  said.error.status = cli_device_open(&device, options, &said.error);
  cla_opencl_loader(said.facts.loader, sizeof said.facts.loader);
  if (said.error.status == CLA_OK) {
    said.facts.info = *cla_device_describe(device);
    cla_device_extensions(said.facts.extensions, sizeof said.facts.extensions, device);
  }
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

cla_status device_facts(cli_device_facts *out, const cla_device_options *options, cla_error *error) {
  static answer said;
  int ends[2] = {-1, -1};
  memset(out, 0, sizeof *out);
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
  *out = said.facts;
  if (said.error.status != CLA_OK && error) *error = said.error;
  return said.error.status;
}
