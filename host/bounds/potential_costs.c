/* Costs of letters and gaps in a potential, and the budget of a path that matters. */

#include "bounds/potential_internal.h"
#include "seq/sequence.h"

/* How often each letter occurs in the query and in the target. */
typedef struct letter_counts {
  int64_t of[2][CLA_MATRIX_STRIDE];
} letter_counts;

static letter_counts count_letters(const pair_problem *problem) {
  letter_counts counts = {0};
  for (int64_t i = 0; i < problem->rows; i++) counts.of[0][problem->query[i]]++;
  for (int64_t j = 0; j < problem->columns; j++) counts.of[1][problem->target[j]]++;
  return counts;
}

static int32_t pair_score(const score_table *table, int query, int target) {
  return table->score[query * CLA_MATRIX_STRIDE + target];
}

static bool is_match(int query, int target) {
  return query == target && query < SEQUENCE_UNAMBIGUOUS;
}

/* Returns the score of a match; negative if the matches of different letters score differently. In the
 * table, a pair that cannot occur has the minimum score, or the score of other pairs of its kind. */
static int32_t match_score(const score_table *table) {
  int32_t most = INT32_MIN;
  for (int a = 0; a < SEQUENCE_UNAMBIGUOUS; a++) {
    const int32_t score = pair_score(table, a, a);
    most = score > most ? score : most;
  }
  for (int a = 0; a < SEQUENCE_UNAMBIGUOUS; a++)
    if (pair_score(table, a, a) != most && pair_score(table, a, a) != table->minimum) return -1;
  return most;
}

/* True if the matches of every letter score `match`. */
static bool are_alike(const score_table *table, int32_t match) {
  bool alike = true;
  for (int a = 0; a < SEQUENCE_UNAMBIGUOUS; a++) alike &= pair_score(table, a, a) == match;
  return alike;
}

/* Returns the largest score of a mismatch between letters with codes below `letters`. */
static int32_t other_score(const score_table *table, int letters) {
  int32_t most = INT32_MIN;
  for (int a = 0; a < letters; a++)
    for (int b = 0; b < letters; b++) {
      const int32_t score = pair_score(table, a, b);
      if (!is_match(a, b) && score > most) most = score;
    }
  return most;
}

/* Returns the costs if `other` is the largest score of a mismatched pair. */
static cost_scheme costs_of(const path_scheme *scheme, int32_t other) {
  const cla_scoring *s = scheme->scoring;
  const path_ends *ends = &scheme->ends;
  const int32_t match = match_score(scheme->table);
  const int64_t first = s->gap[0].first;
  const bool free_start = ends->floor || ends->query_start || ends->target_start;
  return (cost_scheme){.match = match,
                       .other = 2 * (match - other),
                       .first = (int32_t)(2 * first + match),
                       .ext = (int32_t)(2 * gap_least_ext(s) + match),
                       .free_start = free_start,
                       .free_end = ends->anywhere || ends->query_end || ends->target_end};
}

/* Returns the score of the best pair that contains the letter. */
static int32_t best_score(const score_table *table, bool of_query, int letter) {
  int32_t most = INT32_MIN;
  for (int b = 0; b < CLA_MATRIX_STRIDE; b++) {
    const int32_t score = of_query ? pair_score(table, letter, b) : pair_score(table, b, letter);
    most = score > most ? score : most;
  }
  return most;
}

/* Returns how much all ambiguous letters together can cost less than costs_of(`other`) says. */
static int64_t spared_by(const score_table *table, const letter_counts *counts, int32_t other) {
  int64_t sum = 0;
  for (int which = 0; which < 2; which++)
    for (int a = SEQUENCE_UNAMBIGUOUS; a < CLA_MATRIX_STRIDE; a++)
      if (counts->of[which][a] > 0)
        sum += counts->of[which][a] * 2 * larger((int64_t)best_score(table, which == 0, a) - other, 0);
  return sum;
}

/* Returns the cost of a broken seed if `other` is the largest score of a mismatch. */
static double seed_price(const path_scheme *scheme, int32_t other) {
  const cost_scheme costs = costs_of(scheme, other);
  return chain_broken_cost(&costs, WORD_MOST);
}

/* Sets the costs. Pairs of ambiguous letters may cost less than other pairs. So either all mismatches get
 * the low cost, or the budget is raised by the amount that ambiguous letters spare. The choice is the one
 * that is likely to leave fewer cells (docs/internals/bounds.md, "Costs"). */
static void choose_costs(potential *p, const letter_counts *counts) {
  const path_scheme *scheme = &p->problem.scheme;
  const score_table *table = scheme->table;
  const int32_t dearest = other_score(table, SEQUENCE_UNAMBIGUOUS);
  int32_t other = dearest;
  double least = (double)spared_by(table, counts, dearest);
  for (int which = 0; which < 2; which++)
    for (int a = SEQUENCE_UNAMBIGUOUS; a < CLA_MATRIX_STRIDE; a++) {
      const int32_t best = best_score(table, which == 0, a);
      if (counts->of[which][a] == 0 || best <= dearest) continue;
      const double part = seed_price(scheme, best) / seed_price(scheme, dearest);
      const double loss = (double)spared_by(table, counts, best) + (1 - part) * (double)p->budget;
      if (loss >= least) continue;
      least = loss;
      other = best;
    }
  p->costs = costs_of(scheme, other);
  p->spared = spared_by(table, counts, other);
  p->budget += p->spared;
}

static double letter_chance(const pair_problem *problem, const letter_counts *counts) {
  double sum = 0;
  for (int letter = 0; letter < SEQUENCE_UNAMBIGUOUS; letter++)
    sum += (double)counts->of[0][letter] / (double)problem->rows * (double)counts->of[1][letter] /
           (double)problem->columns;
  return sum;
}

void potential_costs(potential *p) {
  const score_table *table = p->problem.scheme.table;
  const letter_counts counts = count_letters(&p->problem);
  p->budget = match_score(table) * (p->problem.rows + p->problem.columns) -
              2 * (p->input->bound->path_score - p->input->margin);
  choose_costs(p, &counts);
  p->alike = are_alike(table, p->costs.match);
  p->letter_chance = letter_chance(&p->problem, &counts);
}

bool potential_possible(const pair_problem *problem) {
  const score_table *table = problem->scheme.table;
  const int64_t limit = 1 << 12;
  const int32_t match = match_score(table), other = other_score(table, CLA_MATRIX_STRIDE);
  if (table->used || match < 0 || other >= match) return false;
  if (match > limit || -other_score(table, SEQUENCE_UNAMBIGUOUS) > limit ||
      gap_most_first(problem->scheme.scoring) > limit)
    return false;
  const cost_scheme costs = costs_of(&problem->scheme, other);
  return costs.ext > 0 && costs.first >= costs.ext && costs.ext >= costs.match &&
         problem->rows < INT32_MAX / 4 && problem->columns < INT32_MAX / 4;
}
