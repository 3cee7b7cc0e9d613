/* Differential fuzzing: random cases, by clalign and by an oracle of its own (tests/README.md). */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "differential/counts.h"
#include "differential/files.h"
#include "differential/shrink.h"

typedef struct arguments {
  uint64_t seed;
  int64_t cases;  /* 0: no limit */
  double seconds; /* 0: no limit */
  int families;   /* 0: by the time */
  int build;      /* only of this one of them, from 1 on; 0: all */
  int64_t repeat; /* a case's number; negative: none */
  double shrink_seconds;
  int64_t most_differences;
  const char *only, *kernel, *keep, *program, *ranks_program;
  int threads;
  bool verbose, forget;
} arguments;

static const char usage[] =
    "usage: differential [--seed N|today] [--cases N] [--seconds S] [--only WORD] [--kernel NAME] [--builds "
    "N]\n"
    "                    [--build N] [--repeat SEED:CASE:BUILDS] [--keep DIR] [--program CLALIGN] [--threads "
    "N] "
    "[--shrink S]\n"
    "                    [--differences N] [--forget] [--verbose]\n"
    "  --seed         of the cases (today: the date as a number)\n"
    "  --cases        so many; --seconds: for so long. Neither: CLALIGN_DIFFERENTIAL_SECONDS, or 120\n"
    "  --only         cases that one of the closing table's words begins with, such as overlap or vector8;\n"
    "                 ranks: all on several ranks\n"
    "  --ranks-program  clalign-mpi: with --program, cases of both are compared\n"
    "  --builds       kernels and forms of scores that cases are drawn from; a case's seed is "
    "SEED:CASE:BUILDS\n"
    "  --build        only cases of that one of them (--verbose lists them)\n"
    "  --keep         folder for the files of cases that differ; else one below TMPDIR\n"
    "  --differences  ends the run after so many (3)\n"
    "  --shrink       seconds to make each of them smaller (30)\n"
    "  --forget       keeps no builds for the next run, which takes as long as making them\n";

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *message, const char *what) {
  fprintf(stderr, "differential: %s%s\n", message, what);
  exit(2);
}

static uint64_t seed_of(const char *text) {
  if (strcmp(text, "today") != 0) return strtoull(text, NULL, 10);
  const time_t t = time(NULL);
  struct tm day;
  localtime_r(&t, &day);
  return (uint64_t)((day.tm_year + 1900) * 10000 + (day.tm_mon + 1) * 100 + day.tm_mday);
}

/* SEED:CASE:BUILDS */
static void parse_repeat(arguments *a, const char *text) {
  unsigned long long seed;
  long long number;
  int families;
  if (sscanf(text, "%llu:%lld:%d", &seed, &number, &families) != 3)
    die("--repeat takes SEED:CASE:BUILDS, not ", text);
  a->seed = seed;
  a->repeat = number;
  a->families = families;
}

static void parse(arguments *a, int count, char **words) {
  enum {
    SEED,
    CASES,
    SECONDS,
    ONLY,
    KERNEL,
    BUILDS,
    BUILD,
    REPEAT,
    KEEP,
    PROGRAM,
    RANKS_PROGRAM,
    THREADS,
    SHRINK,
    DIFFERENCES,
    FORGET,
    VERBOSE
  };
  static const char *const names[] = {
      "seed", "cases",   "seconds",       "only",    "kernel", "builds",      "build",  "repeat",
      "keep", "program", "ranks-program", "threads", "shrink", "differences", "forget", "verbose"};
  struct option options[VERBOSE + 2] = {0};
  for (int i = 0; i <= VERBOSE; i++)
    options[i] = (struct option){names[i], i >= FORGET ? no_argument : required_argument, NULL, i + 1};
  for (int got; (got = getopt_long(count, words, "", options, NULL)) != -1;) switch (got - 1) {
      case SEED: a->seed = seed_of(optarg); break;
      case CASES: a->cases = strtoll(optarg, NULL, 10); break;
      case SECONDS: a->seconds = strtod(optarg, NULL); break;
      case ONLY: a->only = optarg; break;
      case KERNEL: a->kernel = optarg; break;
      case BUILDS: a->families = atoi(optarg); break;
      case BUILD: a->build = atoi(optarg); break;
      case REPEAT: parse_repeat(a, optarg); break;
      case KEEP: a->keep = optarg; break;
      case PROGRAM: a->program = optarg; break;
      case RANKS_PROGRAM: a->ranks_program = optarg; break;
      case THREADS: a->threads = atoi(optarg); break;
      case SHRINK: a->shrink_seconds = strtod(optarg, NULL); break;
      case DIFFERENCES: a->most_differences = strtoll(optarg, NULL, 10); break;
      case FORGET: a->forget = true; break;
      case VERBOSE: a->verbose = true; break;
      default: die(usage, "");
    }
  if (optind < count) die(usage, "");
  if (a->kernel && !kernel_find(a->kernel)) die("no kernel is called ", a->kernel);
  const char *seconds = getenv("CLALIGN_DIFFERENTIAL_SECONDS");
  if (a->cases == 0 && a->seconds == 0 && a->repeat < 0) a->seconds = seconds ? strtod(seconds, NULL) : 120;
  /* Each has builds that take a second or more, the first time. */
  if (a->families == 0) a->families = a->seconds > 0 ? (int)(a->seconds / 10) + 8 : (int)(a->cases / 100) + 8;
}

static void open_devices(run_place *place, int threads, bool forget) {
  cla_error error = {0};
  static char cache[1024];
  const char *home = forget ? NULL : getenv("XDG_CACHE_HOME");
  if (home) snprintf(cache, sizeof cache, "%s/clalign", home);
  const cla_device_options options = {.threads = threads, .cache_path = home ? cache : NULL};
  for (int i = 0; i < RUN_DEVICES; i++)
    if (cla_device_open(&place->devices[i], &options, &error) != CLA_OK) die("", error.message);
}

static bool is_wanted(const arguments *a, const drawn_case *one) {
  char buffer[CASE_WORD_SIZE];
  if (a->build > 0 && one->family != a->build - 1) return false;
  for (int c = 0; a->only && c < CATEGORY_COUNT; c++)
    if (strncmp(case_word(one, (case_category)c, buffer), a->only, strlen(a->only)) == 0) return true;
  return !a->only;
}

static void name_case(const arguments *a, const drawn_case *one) {
  char buffer[CASE_WORD_SIZE];
  printf("%llu:%lld:%d", (unsigned long long)a->seed, (long long)one->index, a->families);
  for (int c = 0; c < CATEGORY_COUNT; c++) printf(" | %s", case_word(one, (case_category)c, buffer));
  printf(" | %lld x %lld\n", (long long)one->pairs[0].rows, (long long)one->pairs[0].columns);
  fflush(stdout);
}

/* Makes the case small, and prints it as files and a command. */
static void report(const arguments *a, drawn_case *one, char text[DIFFERENCE_SIZE], const run_place *place) {
  char folder[1024], command[COMMAND_SIZE];
  wanted want[CASE_PAIRS_MOST];
  int64_t best[CASE_PAIRS_MOST];
  printf("\nDIFFERENCE in case ");
  name_case(a, one);
  printf("  %s\n", text);
  fflush(stdout);
  shrink_case(one, text, place, a->shrink_seconds);
  snprintf(folder, sizeof folder, "%s/case-%llu-%lld", a->keep ? a->keep : place->folder,
           (unsigned long long)a->seed, (long long)one->index);
  mkdir(folder, 0755);
  files_write(one, folder);
  wanted_make(want, best, one);
  files_command(command, one, a->program ? a->program : "clalign", folder, best[0], true);
  wanted_free(want, one);
  printf("  made smaller: ");
  name_case(a, one);
  printf("  %s\n  %s\n", text, command);
  if (!case_is_of_program(one))
    printf("  (found by the library; again: --repeat %llu:%lld:%d%s%s)\n", (unsigned long long)a->seed,
           (long long)one->index, a->families, a->kernel ? " --kernel " : "", a->kernel ? a->kernel : "");
  fflush(stdout);
}

/* What the run has builds of. */
static void print_families(const case_source *source) {
  static const char *const ends[] = {"local", "extend", "fixed end", "last column"};
  for (int i = 0; i < source->family_count; i++) {
    const build_family *f = &source->families[i];
    printf("  builds %d: %s, %d lanes x %d rows, gaps %d, %s, %s\n", i + 1,
           f->variant ? f->variant->name : "chosen", f->lanes, f->alpha, (int)f->gaps,
           f->lookup ? "look-ups" : "no look-ups", ends[f->ends]);
  }
}

static verdict run_one(const arguments *a, case_counts *counts, const case_source *source, int64_t index,
                       const run_place *place) {
  drawn_case one;
  char text[DIFFERENCE_SIZE];
  verdict found = VERDICT_SAME;
  case_draw(&one, source, index);
  if (is_wanted(a, &one)) {
    if (a->verbose) name_case(a, &one);
    found = run_case(text, &one, place);
    counts_add(counts, &one, found);
    if (found == VERDICT_REFUSED && a->verbose) printf("  refused: %s\n", text);
    if (found == VERDICT_DIFFERENT) report(a, &one, text, place);
  }
  case_free(&one);
  return found;
}

/* Whether programs can be compared on ranks of mpirun; if not, why is said. */
static bool may_run_ranks(const arguments *a) {
  const char *lack = NULL;
  if (!a->ranks_program || access(a->ranks_program, X_OK) != 0)
    lack = "no clalign-mpi (--ranks-program; it is built where libopenmpi-dev is installed)";
  else if (!a->program)
    lack = "no clalign (--program)";
  else if (system("command -v mpirun >/dev/null 2>&1") != 0)
    lack = "no mpirun; install openmpi-bin";
  if (lack) printf("skipped: cases on ranks of mpirun: %s\n", lack);
  return !lack;
}

int main(int count, char **words) {
  arguments a = {.seed = 1, .repeat = -1, .shrink_seconds = 30, .most_differences = 3, .threads = 2};
  static case_counts counts;
  case_source source;
  run_place place = {0};
  char folder[512];
  parse(&a, count, words);
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/differential.XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) die("no folder could be made below ", temporary ? temporary : "/tmp");
  if (a.keep) mkdir(a.keep, 0755);
  place.folder = folder;
  place.program = a.program;
  place.ranks_program = a.ranks_program;
  open_devices(&place, a.threads, a.forget);
  case_source_make(&source, a.seed, a.families, a.kernel, cla_device_describe(place.devices[0]));
  source.may_run_program = a.program;
  source.may_run_ranks = may_run_ranks(&a);
  printf("seed %llu, %d kinds of builds, on %s\n", (unsigned long long)a.seed, a.families,
         source.device->name);
  if (a.verbose) print_families(&source);
  fflush(stdout);
  const double begin = now();
  if (a.repeat >= 0)
    run_one(&a, &counts, &source, a.repeat, &place);
  else
    for (int64_t i = 0;
         (a.cases == 0 || counts.cases < a.cases) && (a.seconds == 0 || now() - begin < a.seconds) &&
         counts.different < a.most_differences;
         i++)
      run_one(&a, &counts, &source, i, &place);
  counts_print(&counts, now() - begin);
  fflush(stdout); /* builds are kept next, which takes a while */
  case_source_free(&source);
  for (int i = 0; i < RUN_DEVICES; i++) cla_device_close(place.devices[i]);
  return counts.different > 0;
}
