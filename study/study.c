/* study: runs systems of the source papers on an OpenCL device, checks each result, prints a CSV row each.
 * study/run is the command for people; README.md says how a system is added. */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study.h"

#define SIZES_MOST 64
#define SECONDS_ENOUGH 4.0 /* of a system at one length: then it is not run again */
#define CLOCK_STEP 1e-9    /* the least time that is told */
#define FIRST_LENGTH 100   /* of the pair with which a system is built and warmed up */

typedef struct study_options {
  const char *device, *paper, *system, *kernels;
  int64_t sizes[SIZES_MOST];
  int size_count;
  int repeat;
  bool all_settings;
} study_options;

/* Where Cpu1 or its like, the paper's first system, stands: speed-ups are over it. */
typedef struct study_base {
  const char *paper;
  int64_t length;
  double seconds;
} study_base;

static const char usage[] =
    "study [--device D] [--paper P] [--system NAME] [--sizes N,N,...] [--repeat N] [--settings] | --list\n"
    "  --device D      of the GPU systems: an index or a part of the name, as in clalign (default: first "
    "GPU)\n"
    "  --paper P       only its systems\n"
    "  --system NAME   only systems whose names begin so, and the first, for speed-ups\n"
    "  --sizes N,...   letters of the sequences (default 2000)\n"
    "  --repeat N      runs, of which the shortest is printed (default 3); none after 4 seconds\n"
    "  --settings      every tile and number of threads of a system, not its default alone\n"
    "  --kernels DIR   kernel files in place of study/'s\n"
    "  --list          the systems\n";

static cla_status read_sizes(study_options *options, const char *text, cla_error *error) {
  char *end = NULL;
  for (options->size_count = 0;; text = end + 1) {
    const long long size = strtoll(text, &end, 10);
    if (end == text || (*end && *end != ',') || size < 1 || size > 1000000 ||
        options->size_count == SIZES_MOST)
      return error_set(error, CLA_ERROR_OPTION,
                       "--sizes: '%s' is no list of at most %d lengths from 1 to 1000000", text, SIZES_MOST);
    options->sizes[options->size_count++] = size;
    if (!*end) return CLA_OK;
  }
}

static cla_status read_repeat(study_options *options, const char *text, cla_error *error) {
  char *end = NULL;
  const long repeat = strtol(text, &end, 10);
  options->repeat = (int)repeat;
  if (end != text && !*end && repeat >= 1 && repeat <= 1000) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION, "--repeat: '%s' is no number from 1 to 1000", text);
}

static bool is_wanted(const study_system *system, const study_options *options) {
  return (!options->paper || strcmp(system->paper, options->paper) == 0) &&
         (!options->system || strncmp(system->name, options->system, strlen(options->system)) == 0);
}

static int count_wanted(const study_options *options, bool of_device) {
  int count = 0;
  for (int p = 0; study_papers[p]; p++)
    for (const study_system *system = study_papers[p]; system->name; system++)
      count += is_wanted(system, options) && (!of_device || system->on_device);
  return count;
}

static void list_systems(const study_options *options) {
  printf("paper,system,source,section,adds\n");
  for (int p = 0; study_papers[p]; p++)
    for (const study_system *system = study_papers[p]; system->name; system++)
      if (is_wanted(system, options))
        printf("%s,%s,%s,%s,\"%s\"\n", system->paper, system->name, system->source, system->section,
               system->adds);
}

static double total(const study_result *result) {
  return result->prepare + result->compute + result->transfer + result->trace;
}

/* A run, checked: only then its time counts. */
static cla_status run_once(study_result *out, const study_task *task, cla_error *error) {
  memset(out, 0, sizeof *out);
  cla_status status = task->system->run(out, task, error);
  if (status == CLA_OK) status = study_check(out, task, error);
  if (status != CLA_OK) study_result_free(out);
  return status;
}

static cla_status run_best(study_result *out, const study_task *task, int repeat, cla_error *error) {
  cla_status status = run_once(out, task, error);
  double spent = status == CLA_OK ? total(out) : 0;
  for (int k = 1; k < repeat && spent < SECONDS_ENOUGH && status == CLA_OK; k++) {
    study_result next;
    status = run_once(&next, task, error);
    if (status == CLA_OK) spent += total(&next);
    if (status == CLA_OK && total(&next) < total(out)) {
      study_result kept = *out;
      *out = next;
      next = kept;
    }
    study_result_free(&next);
  }
  return status;
}

static void print_head(void) {
  printf(
      "paper,system,device,size,tile_rows,tile_columns,items,seconds,gcups,speedup,prepare_seconds,"
      "compute_seconds,transfer_seconds,trace_seconds,stored_bytes,cells\n");
}

static void print_row(const study_task *task, const study_result *result, const study_base *base) {
  const pair_problem *pair = &task->problem->pair;
  const double seconds = total(result) > 0 ? total(result) : CLOCK_STEP;
  const double matrix_cells = (double)pair->rows * (double)pair->columns;
  const double gcups = (result->batch_cells > 0 ? result->batch_cells : matrix_cells) / seconds / 1e9;
  int64_t cells = result->cells_computed == STUDY_NO_CELLS ? 0 : result->cells_computed;
  if (result->cells_computed == 0)
    cells = (int64_t)(result->batch_cells > 0 ? result->batch_cells : matrix_cells);
  printf("%s,%s,\"%s\",%" PRId64 ",%d,%d,%d,%.9f,%.4f,%.3f,%.9f,%.9f,%.9f,%.9f,%" PRId64 ",%" PRId64 "\n",
         task->system->paper, task->system->name,
         task->device ? cla_device_describe(task->device)->name : "host", pair->rows, task->setting.rows,
         task->setting.columns, task->setting.items, seconds, gcups, base->seconds / seconds, result->prepare,
         result->compute, result->transfer, result->trace, result->stored_bytes, cells);
  fflush(stdout);
}

/* Whether work-groups can wait for each other, where the system has them do so; says so if not. Mesa's
 * llvmpipe ends every loop after 65535 turns, the waiting ones too. */
static bool can_wait(const study_task *task) {
  if (!task->system->groups_wait || task->device->info.counters != CLA_COUNTERS_NONE) return true;
  fprintf(stderr, "study: %s is left out: work-groups of %s cannot wait for each other\n", task->system->name,
          task->device->info.name);
  return false;
}

/* Whether the whole matrix, or H, E and F where gaps are affine, fits, on the host and in one buffer of the
 * device; says so if not. */
static bool fits(const study_task *task) {
  const pair_problem *pair = &task->problem->pair;
  const study_scheme *scheme = task->system->scheme;
  const double cell_bytes = scheme->gap_first == scheme->gap_ext ? 4 : 12;
  const double bytes = cell_bytes * (double)(pair->rows + 256) * (double)(pair->columns + 256);
  double most = (double)machine_memory_available() * 0.8;
  if (task->device && (double)task->device->info.max_allocation_bytes < most)
    most = (double)task->device->info.max_allocation_bytes;
  if (!task->system->whole_matrix || bytes < most) return true;
  fprintf(stderr, "study: %s is left out for %" PRId64 " letters: the matrix takes %.1f GB, there are %.1f\n",
          task->system->name, pair->rows, bytes / 1e9, most / 1e9);
  return false;
}

static cla_status warm_up(study_task task, cla_error *error) {
  study_problem first;
  study_result result;
  cla_status status = study_problem_make(&first, task.system->scheme, FIRST_LENGTH, error);
  if (status != CLA_OK) return status;
  task.problem = &first;
  status = run_once(&result, &task, error);
  if (status == CLA_OK) study_result_free(&result);
  study_problem_free(&first);
  return status;
}

static cla_status run_setting(study_task *task, study_base *base, const study_options *options,
                              cla_error *error) {
  study_result result;
  if (!can_wait(task) || !fits(task)) return CLA_OK;
  cla_status status = warm_up(*task, error);
  if (status == CLA_OK) status = run_best(&result, task, options->repeat, error);
  if (status != CLA_OK) return status;
  if (base->paper != task->system->paper || base->length != task->problem->pair.rows)
    *base = (study_base){task->system->paper, task->problem->pair.rows, total(&result)};
  print_row(task, &result, base);
  study_result_free(&result);
  return CLA_OK;
}

static bool is_set(const study_setting *setting) {
  return setting->rows || setting->columns || setting->items;
}

static cla_status run_system(study_task *task, study_base *base, const study_options *options,
                             cla_error *error) {
  const study_setting *setting = task->system->settings;
  cla_status status = CLA_OK;
  do {
    task->setting = *setting++;
    status = run_setting(task, base, options, error);
  } while (status == CLA_OK && options->all_settings && is_set(setting));
  return status;
}

/* The device with this folder's kernels, and once more with the library's. NULL: no system needs it. */
typedef struct study_devices {
  cla_device *study, *clalign;
} study_devices;

static cla_device *device_of(const study_devices *devices, const study_system *system) {
  if (!system->on_device) return NULL;
  return system->by_clalign ? devices->clalign : devices->study;
}

static cla_status run_paper(const study_system *systems, const study_devices *devices, int64_t length,
                            const study_options *options, cla_error *error) {
  study_problem problem;
  study_base base = {0};
  cla_status status = study_problem_make(&problem, systems->scheme, length, error);
  if (status != CLA_OK) return status;
  for (const study_system *system = systems; system->name && status == CLA_OK; system++) {
    study_task task = {.system = system, .problem = &problem, .device = device_of(devices, system)};
    const bool is_base = system == systems;
    if (is_wanted(system, options) || (is_base && count_wanted(options, false) > 0))
      status = run_system(&task, &base, options, error);
  }
  study_problem_free(&problem);
  return status;
}

static bool paper_is_wanted(const study_system *systems, const study_options *options) {
  for (; systems->name; systems++)
    if (is_wanted(systems, options)) return true;
  return false;
}

static cla_status run_all(const study_options *options, cla_error *error) {
  const cla_device_options own = {.select = options->device},
                           study = {.select = options->device, .kernel_path = options->kernels};
  study_devices devices = {0};
  cla_status status = CLA_OK;
  if (count_wanted(options, false) == 0)
    return error_set(error, CLA_ERROR_OPTION, "no system is so called; --list has them");
  if (count_wanted(options, true) > 0) status = cla_device_open(&devices.study, &study, error);
  if (status == CLA_OK && devices.study) status = cla_device_open(&devices.clalign, &own, error);
  if (status == CLA_OK) print_head();
  for (int p = 0; study_papers[p] && status == CLA_OK; p++)
    for (int k = 0; k < options->size_count && status == CLA_OK; k++)
      if (paper_is_wanted(study_papers[p], options))
        status = run_paper(study_papers[p], &devices, options->sizes[k], options, error);
  cla_device_close(devices.clalign);
  cla_device_close(devices.study);
  return status;
}

static cla_status read_options(study_options *out, bool *list, int count, char **arguments,
                               cla_error *error) {
  static const struct option known[] = {{"device", 1, NULL, 'd'},  {"paper", 1, NULL, 'p'},
                                        {"system", 1, NULL, 's'},  {"sizes", 1, NULL, 'n'},
                                        {"repeat", 1, NULL, 'r'},  {"settings", 0, NULL, 'a'},
                                        {"list", 0, NULL, 'l'},    {"help", 0, NULL, 'h'},
                                        {"kernels", 1, NULL, 'k'}, {NULL, 0, NULL, 0}};
  cla_status status = CLA_OK;
  for (int c; status == CLA_OK && (c = getopt_long(count, arguments, "", known, NULL)) != -1;) switch (c) {
      case 'd': out->device = optarg; break;
      case 'p': out->paper = optarg; break;
      case 's': out->system = optarg; break;
      case 'n': status = read_sizes(out, optarg, error); break;
      case 'r': status = read_repeat(out, optarg, error); break;
      case 'a': out->all_settings = true; break;
      case 'k': out->kernels = optarg; break;
      case 'l': *list = true; break;
      case 'h': fputs(usage, stdout); exit(0);
      default: return error_set(error, CLA_ERROR_OPTION, "see study --help");
    }
  if (status == CLA_OK && optind < count)
    return error_set(error, CLA_ERROR_OPTION, "'%s' is no option; see study --help", arguments[optind]);
  return status;
}

/* clalign's exit codes (README.md). */
static int exit_code(cla_status status) {
  if (status == CLA_OK) return 0;
  if (status == CLA_ERROR_OPTION) return 1;
  return status == CLA_ERROR_VERIFICATION ? 5 : 3;
}

int main(int count, char **arguments) {
  study_options options = {.sizes = {2000}, .size_count = 1, .repeat = 3, .kernels = STUDY_FOLDER};
  cla_error error = {0};
  bool list = false;
  cla_status status = read_options(&options, &list, count, arguments, &error);
  if (status == CLA_OK && list)
    list_systems(&options);
  else if (status == CLA_OK)
    status = run_all(&options, &error);
  if (status != CLA_OK) fprintf(stderr, "study: %s\n", error.message);
  return exit_code(status);
}
