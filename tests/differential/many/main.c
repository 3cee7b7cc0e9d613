/* Many pairs: random calls of cla_align_arrays, without a device, against the oracle (tests/README.md). */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "differential/many/many.h"
#include "differential/modes.h"

#define JOBS_MOST 256
#define WORDS_MOST 64
#define WRONG_MOST 5 /* pairs that a job tells of */

enum { OF_LENGTHS, OF_SHAPES, OF_MODES, OF_GAPS, OF_SCORES, OF_STRANDS, OF_GROUPS, OF_RESULTS, KINDS };

static const char *const kind_names[KINDS] = {"lengths", "shape",  "mode",  "gaps",
                                              "scores",  "strand", "pairs", "asked"};

/* What one job has compared, in memory that all jobs share. */
typedef struct tally {
  struct {
    char word[CASE_WORD_SIZE];
    int64_t pairs, wrong;
  } words[KINDS][WORDS_MOST];
  int64_t calls, pairs, refused, wrong; /* refused ones are not among the pairs */
} tally;

typedef struct arguments {
  uint64_t seed;
  int64_t cases;  /* calls of all jobs together; 0: no limit */
  double seconds; /* 0: no limit */
  int jobs;
  int64_t repeat; /* number of the one call that is wanted; negative: all */
} arguments;

static const char usage[] =
    "usage: many_pairs [--seed N] [--cases N] [--seconds S] [--jobs N] [--repeat SEED:CASE]\n"
    "  --cases    so many calls of cla_align_arrays, each of up to some thousand pairs; --seconds: for so "
    "long (60)\n"
    "  --jobs     processes that share the cases (1)\n"
    "  --repeat   one call again, of which all pairs that differ are told\n";

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *message) {
  fprintf(stderr, "%s", message);
  exit(2);
}

static void parse(arguments *a, int count, char **words) {
  static const struct option options[] = {
      {"seed", required_argument, NULL, 's'},    {"cases", required_argument, NULL, 'c'},
      {"seconds", required_argument, NULL, 't'}, {"jobs", required_argument, NULL, 'j'},
      {"repeat", required_argument, NULL, 'r'},  {NULL, 0, NULL, 0}};
  unsigned long long seed;
  long long number;
  for (int got; (got = getopt_long(count, words, "", options, NULL)) != -1;) switch (got) {
      case 's': a->seed = strtoull(optarg, NULL, 10); break;
      case 'c': a->cases = strtoll(optarg, NULL, 10); break;
      case 't': a->seconds = strtod(optarg, NULL); break;
      case 'j': a->jobs = atoi(optarg); break;
      case 'r':
        if (sscanf(optarg, "%llu:%lld", &seed, &number) != 2) die(usage);
        a->seed = seed;
        a->repeat = number;
        break;
      default: die(usage);
    }
  if (optind < count || a->jobs < 1 || a->jobs > JOBS_MOST) die(usage);
  if (a->cases == 0 && a->seconds == 0) a->seconds = 60;
}

static void add_word(tally *out, int kind, const char *word, int64_t pairs, int64_t wrong) {
  int i = 0;
  while (i + 1 < WORDS_MOST && out->words[kind][i].word[0] && strcmp(out->words[kind][i].word, word) != 0)
    i++;
  if (i + 1 == WORDS_MOST) word = "others";
  snprintf(out->words[kind][i].word, CASE_WORD_SIZE, "%s", word);
  out->words[kind][i].pairs += pairs;
  out->words[kind][i].wrong += wrong;
}

/* Pairs that share sequences otherwise than they were drawn are "drawn apart", whatever the shapes were. */
static const char *shape_of(const many_case *one, int64_t pair) {
  if (!one->of[0]) return one->shapes[pair];
  return one->of[0][pair] == one->of[1][pair] ? one->shapes[one->of[0][pair]] : "drawn apart";
}

static void count_pair(tally *out, const many_case *one, int64_t pair, bool wrong) {
  static const char *const strands[] = {
      [CLA_STRAND_FORWARD] = "forward", [CLA_STRAND_REVERSE] = "reverse", [CLA_STRAND_BOTH] = "both"};
  char buffer[CASE_WORD_SIZE];
  const drawn_case *asked = &one->asked;
  const char *const words[KINDS] = {one->lengths,
                                    shape_of(one, pair),
                                    mode_word(asked->mode, asked->free_ends, buffer),
                                    one->gaps,
                                    asked->scheme,
                                    strands[asked->strand],
                                    one->groups,
                                    asked->score_only ? "scores" : "paths"};
  for (int kind = 0; kind < KINDS; kind++) add_word(out, kind, words[kind], 1, wrong);
  out->pairs++;
  out->wrong += wrong;
}

static void tell(const many_case *one, int64_t pair, const char *text) {
  char buffer[CASE_WORD_SIZE];
  const drawn_case *asked = &one->asked;
  const cla_scoring *s = &asked->scoring;
  const case_pair letters = many_pair(one, pair);
  printf(
      "WRONG in %llu:%lld, pair %lld of %lld: %s\n  lengths %s, %s, %s, %s, %s, strand %d, %s, "
      "match %d, mismatch %d, gaps %d %d %d %d, %s, %d threads\n  %s\n  %s\n",
      (unsigned long long)asked->seed, (long long)asked->index, (long long)pair, (long long)one->pairs, text,
      one->lengths, shape_of(one, pair), mode_word(asked->mode, asked->free_ends, buffer), one->gaps,
      asked->scheme, (int)asked->strand, one->groups, s->match, s->mismatch, s->gap_first, s->gap_ext,
      s->gap_first2, s->gap_ext2, asked->score_only ? "scores" : "paths", one->threads, letters.query,
      letters.target);
  fflush(stdout);
}

static void run_case(tally *out, const arguments *a, int64_t index) {
  many_case one;
  many_results results;
  char text[MANY_TEXT_SIZE];
  many_draw(&one, a->seed, index);
  many_run(&results, &one);
  for (int64_t pair = 0; pair < one.pairs; pair++) {
    const many_verdict found = many_compare(text, &one, &results, pair);
    if (found == MANY_REFUSED)
      out->refused++;
    else
      count_pair(out, &one, pair, found == MANY_WRONG);
    if (found == MANY_WRONG && (a->repeat >= 0 || out->wrong <= WRONG_MOST)) tell(&one, pair, text);
    if (results.status != CLA_OK) break; /* all would say the same */
  }
  out->calls++;
  many_results_free(&results);
  many_free(&one);
}

static void run_job(tally *out, const arguments *a, int job) {
  const double begin = now();
  if (a->repeat >= 0) {
    run_case(out, a, a->repeat);
    return;
  }
  for (int64_t index = job;
       (a->cases == 0 || index < a->cases) && (a->seconds == 0 || now() - begin < a->seconds);
       index += a->jobs)
    run_case(out, a, index);
}

static void add(tally *sum, const tally *of) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int i = 0; i < WORDS_MOST && of->words[kind][i].word[0]; i++)
      add_word(sum, kind, of->words[kind][i].word, of->words[kind][i].pairs, of->words[kind][i].wrong);
  sum->calls += of->calls;
  sum->pairs += of->pairs;
  sum->refused += of->refused;
  sum->wrong += of->wrong;
}

static void print_tally(const tally *sum, double seconds) {
  for (int kind = 0; kind < KINDS; kind++) {
    printf("%s\n", kind_names[kind]);
    for (int i = 0; i < WORDS_MOST && sum->words[kind][i].word[0]; i++)
      printf("  %-28s %12lld pairs %8lld wrong\n", sum->words[kind][i].word,
             (long long)sum->words[kind][i].pairs, (long long)sum->words[kind][i].wrong);
  }
  printf("%lld pairs in %lld calls, %lld wrong, %.0f s; %lld others refused, whose scores are large\n",
         (long long)sum->pairs, (long long)sum->calls, (long long)sum->wrong, seconds,
         (long long)sum->refused);
}

/* Waits for all; the number of those that did not end well. */
static int wait_for_jobs(int jobs) {
  int failed = 0, status;
  for (int job = 0; job < jobs; job++)
    if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) failed++;
  if (failed > 0) printf("%d jobs CRASHED\n", failed);
  return failed;
}

int main(int count, char **words) {
  arguments a = {.seed = 1, .jobs = 1, .repeat = -1};
  static tally sum;
  parse(&a, count, words);
  if (a.repeat >= 0) a.jobs = 1;
  tally *of =
      mmap(NULL, (size_t)a.jobs * sizeof *of, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (of == MAP_FAILED) die("many_pairs: no memory\n");
  const double begin = now();
  for (int job = 0; job < a.jobs; job++) {
    const pid_t child = fork();
    if (child < 0) die("many_pairs: no process could be started\n");
    if (child > 0) continue;
    run_job(&of[job], &a, job);
    exit(0);
  }
  const int failed = wait_for_jobs(a.jobs);
  for (int job = 0; job < a.jobs; job++) add(&sum, &of[job]);
  print_tally(&sum, now() - begin);
  return sum.wrong > 0 || failed > 0;
}
