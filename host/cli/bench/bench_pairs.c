/* The pairs of clalign bench --batch: lengths as those of the sequences of a database. */

#include "cli/bench/bench_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clalign/simulate.h"
#include "cli/report/interrupt.h"
#include "cli/report/report.h"

/* Sequences of the nucleotide database NT by their letters (Aji 2008, table 4.2). Where in a class they are
 * is not said there: evenly on a logarithmic scale, and the last class to twice its begin. */
static const struct {
  double least, most, count;
} length_classes[] = {{200, 960, 553030},    {960, 1600, 2239588},  {1600, 2100, 1389550},
                      {2100, 3200, 1229649}, {3200, 30000, 782024}, {30000, 60000, 16553},
                      {60000, 120000, 77208}};

#define LENGTH_CLASSES (sizeof length_classes / sizeof length_classes[0])

/* Numbers in [0, 1) that are spread evenly however many there are: multiples of an irrational number. */
static double even_number(int64_t index, double step) {
  const double product = (double)(index + 1) * step;
  return product - floor(product);
}

/* The letters of pair `index`. */
static int64_t pair_letters(int64_t index) {
  double all = 0, place = even_number(index, 0.6180339887498949);
  for (size_t i = 0; i < LENGTH_CLASSES; i++) all += length_classes[i].count;
  place *= all;
  size_t at = 0;
  while (at + 1 < LENGTH_CLASSES && place >= length_classes[at].count) place -= length_classes[at++].count;
  const double share = place / length_classes[at].count;
  return (int64_t)(length_classes[at].least * pow(length_classes[at].most / length_classes[at].least, share));
}

static cla_status make_pair(bench_pairs *pairs, int64_t index, bool related, bool protein, cla_error *error) {
  const cla_alphabet alphabet = protein ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
  cla_simulate_options options;
  char *query = NULL, *target = NULL, name[32];
  int64_t query_letters = 0, target_letters = 0;
  cla_simulate_options_init(&options);
  options.seed = BENCH_SEED + (uint64_t)index;
  options.length = pair_letters(index);
  options.unrelated = !related;
  options.protein = protein;
  snprintf(name, sizeof name, "%" PRId64, index + 1);
  cla_status status = cla_simulate(&query, &query_letters, &target, &target_letters, &options, error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_as(&pairs->queries[index], name, query, query_letters, alphabet, NULL,
                                          error);
  if (status == CLA_OK)
    status = cla_sequence_from_letters_as(&pairs->targets[index], name, target, target_letters, alphabet,
                                          NULL, error);
  pairs->cells += (double)query_letters * (double)target_letters;
  free(query);
  free(target);
  return status;
}

cla_status bench_pairs_make(bench_pairs *pairs, const bench_settings *settings, int64_t count,
                            cla_error *error) {
  pairs->count = count;
  pairs->queries = calloc((size_t)count, sizeof *pairs->queries);
  pairs->targets = calloc((size_t)count, sizeof *pairs->targets);
  if (!pairs->queries || !pairs->targets)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for %" PRId64 " pairs; give --batch fewer",
                     count);
  cla_status status = CLA_OK;
  for (int64_t i = 0; status == CLA_OK && i < count; i++) {
    status = make_pair(pairs, i, settings->relations[0], settings->protein, error);
    if (status == CLA_OK && interrupt_requested())
      status = cli_error(error, CLA_ERROR_INTERRUPTED, "interrupted");
  }
  return status;
}

void bench_pairs_free(bench_pairs *pairs) {
  for (int64_t i = 0; pairs->queries && i < pairs->count; i++) cla_sequence_free(pairs->queries[i]);
  for (int64_t i = 0; pairs->targets && i < pairs->count; i++) cla_sequence_free(pairs->targets[i]);
  free(pairs->queries);
  free(pairs->targets);
}
