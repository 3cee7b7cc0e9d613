/* The pairs of a batch: lengths of table 4.2, scores of the oracle. */

#include "batches.h"

#include <math.h>
#include <string.h>

#define MOST_HAVE 2000.0 /* letters of most sequences of the database */

/* Table 4.2 as the thesis scales it down to 100 sequences. Where in a class they are is not said there:
 * evenly on a logarithmic scale, and the last class to twice its begin. */
static const struct {
  double least, most;
  int count;
} classes[] = {{200, 960, 9},    {960, 1600, 36},   {1600, 2100, 22},
               {2100, 3200, 20}, {3200, 30000, 12}, {60000, 120000, 1}};

#define CLASSES (sizeof classes / sizeof *classes)

/* The letters of pair `index`, the shortest first. */
static double letters_of(int index) {
  size_t k = 0;
  while (k + 1 < CLASSES && index >= classes[k].count) index -= classes[k++].count;
  return classes[k].least * pow(classes[k].most / classes[k].least, (index + 0.5) / classes[k].count);
}

static void free_pairs(batch_pairs *pairs) {
  for (int k = 0; k < BATCH_PAIRS; k++) {
    cla_sequence_free(pairs->query[k]);
    cla_sequence_free(pairs->target[k]);
  }
  memset(pairs, 0, sizeof *pairs);
}

/* A problem's sequences and score become the pair's. */
static cla_status make_pair(batch_pairs *pairs, int at, const study_scheme *scheme, int64_t length,
                            cla_error *error) {
  study_problem problem;
  const cla_status status = study_problem_make(&problem, scheme, length, error);
  if (status != CLA_OK) return status;
  pairs->query[at] = problem.query;
  pairs->target[at] = problem.target;
  pairs->score[at] = problem.score;
  pairs->cells += (double)problem.pair.rows * (double)problem.pair.columns;
  problem.query = problem.target = NULL;
  study_problem_free(&problem);
  return CLA_OK;
}

cla_status batch_pairs_make(const batch_pairs **out, const study_scheme *scheme, int64_t letters,
                            cla_error *error) {
  static batch_pairs kept[2]; /* of the pair that warms up, and of the length that is measured */
  static int last;
  cla_status status = CLA_OK;
  for (int k = 0; k < 2; k++)
    if (kept[k].letters == letters) last = k;
  if (kept[last].letters != letters) {
    last = 1 - last;
    free_pairs(&kept[last]);
    for (int k = 0; k < BATCH_PAIRS && status == CLA_OK; k++) {
      const int index = k * 37 % BATCH_PAIRS; /* long and short ones by turns */
      const int64_t length = (int64_t)ceil(letters_of(index) * (double)letters / MOST_HAVE);
      status = make_pair(&kept[last], k, scheme, length, error);
    }
    if (status == CLA_OK) kept[last].letters = letters;
  }
  *out = &kept[last];
  return status;
}
