/* Extends each common word of both sequences to the maximal exact match around it. */

#include "path/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "base/key_sort.h"
#include "seq/sequence.h"

#define LOOK_BACK 64     /* number of earlier matches tried as the predecessor of a match */
#define CHAINS_MOST 1500 /* maximum number of chains that chain_chains joins, in quadratic time */
#define CHAINS_ROOM (2 * CHAINS_MOST)
#define FAR_MATCHES 2000 /* maximum letters between two neighbouring matches */
#define COMMON_PART 16   /* an unmatched letter costs 1 / COMMON_PART of a match's score */
#define LETTER_WORK 1    /* work of examining a letter, in cells of an optimal alignment */
#define WORD_WORK 5      /* work of sorting a word or a match, in cells of an optimal alignment */

/* Returns the maximal match around a common word at (query, target). */
static seed_match extend(const bound_pair *pair, const bound_area *area, int64_t query, int64_t target,
                         int word) {
  int64_t before = 0, length = word;
  int64_t room = smaller(query - area->query, target - area->target);
  const uint8_t *q = pair->problem.query + query, *t = pair->problem.target + target;
  while (room - before >= 8 && bound_eight_match(q - before - 8, t - before - 8)) before += 8;
  while (before < room && bound_letters_match(q[-before - 1], t[-before - 1])) before++;
  room = smaller(area->query_stop - query, area->target_stop - target);
  length += bound_match_length(q + length, t + length, room - length);
  return (seed_match){.query = query - before, .target = target - before, .length = before + length};
}

static cla_status add_match(seed_matches *out, seed_match match, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&out->items, &out->capacity, out->count + 1, "matches of the lower bound", error);
  if (status == CLA_OK) out->items[out->count++] = match;
  return status;
}

/* Splits a match at used pairs, and adds the parts that have at least `least` letters. */
static cla_status add_unused(seed_matches *out, seed_match match, int64_t least, const bound_pair *pair,
                             cla_error *error) {
  cla_status status = CLA_OK;
  int64_t first, count;
  while (status == CLA_OK && unused_path_first(&first, &count, pair->problem.scheme.table->used, match.query,
                                               match.target, match.length)) {
    const seed_match before = {.query = match.query, .target = match.target, .length = first};
    if (first >= least) status = add_match(out, before, error);
    match.query += first + count;
    match.target += first + count;
    match.length -= first + count;
  }
  return status == CLA_OK && match.length >= least ? add_match(out, match, error) : status;
}

/* Extends common words, sorted by diagonal and query position, to matches. A word inside the last match of
 * its diagonal adds no match. */
static cla_status extend_words(seed_matches *out, const bound_pair *pair, const bound_area *area,
                               const keyed_list *words, int word, cla_error *error) {
  uint64_t diagonal = UINT64_MAX;
  int64_t covered = 0;
  for (int64_t i = 0; i < words->count; i++) {
    const keyed *item = &words->items[i];
    if (item->key == diagonal && item->value < covered) continue;
    const int64_t target = (int64_t)item->key - area->query_stop + area->target + item->value;
    const seed_match match = extend(pair, area, item->value, target, word);
    diagonal = item->key;
    covered = match.query + match.length;
    cla_status status = add_unused(out, match, word, pair, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* Sorts matches by query position; no query position exceeds `last`. `order` is scratch memory. */
static cla_status sort_matches(seed_matches *matches, keyed_list *order, int64_t last, cla_error *error) {
  void *sorted = NULL;
  cla_status status = CLA_OK;
  order->count = 0;
  for (int64_t i = 0; i < matches->count && status == CLA_OK; i++)
    status = keyed_list_add(order, (uint64_t)matches->items[i].query, i, error);
  if (status == CLA_OK) status = key_sort(order, 0, key_bits((uint64_t)last), error);
  if (status == CLA_OK)
    status = allocate_array(&sorted, matches->count, sizeof *matches->items, "sorting matches", error);
  if (status != CLA_OK) return status;
  for (int64_t i = 0; i < matches->count; i++)
    ((seed_match *)sorted)[i] = matches->items[order->items[i].value];
  free(matches->items);
  matches->items = sorted;
  matches->capacity = matches->count;
  return CLA_OK;
}

cla_status seeds_find(seed_matches *out, const bound_pair *pair, const bound_area *area, word_choice choice,
                      int threads, cla_error *error) {
  common_words common = {0};
  out->count = 0;
  cla_status status = common_words_find(&common, pair, area, choice, threads, error);
  if (status == CLA_OK && !bound_pair_stopped(pair)) {
    out->work += LETTER_WORK * (bound_area_rows(area) + bound_area_columns(area)) + WORD_WORK * common.sorted;
    status = extend_words(out, pair, area, &common.places, choice.letters, error);
    if (status == CLA_OK) status = sort_matches(out, &common.places, area->query_stop, error);
  }
  free(common.places.items);
  return status;
}

/* A chain of neighbouring matches, as an element of a chain of chains. */
typedef struct chain {
  seed_chain its;
  double total;   /* best value of a chain of chains that ends with this chain */
  int64_t before; /* index of the previous chain in that chain of chains, or -1 */
} chain;

typedef struct chaining {
  const bound_pair *pair;
  double letter; /* value of a match's letter, in the scheme's unit */
  seed_match *matches;
  int64_t count;
  double *value;
  int64_t
      *before; /* by match: index of the previous match in the best chain of neighbouring matches, or -1 */
  uint8_t *used;
  chain *chains;
  int64_t chain_count;
  int64_t chain_room; /* maximum number of chains: CHAINS_ROOM or, if all chains are kept, the number of
                         matches */
  int64_t steps;      /* number of steps from match to match that were tried */
} chaining;

/* Returns the cost of the letters between two matches. The difference of `rows` and `columns` is charged as
 * a gap. Each pair of the remaining letters is charged a little, because it may or may not match. */
static double bridge_cost(const chaining *c, int64_t rows, int64_t columns) {
  const int64_t common = smaller(rows, columns);
  return (double)gap_cost(c->pair->problem.scheme.scoring, larger(rows, columns) - common) +
         (double)common * (double)larger(c->pair->problem.scheme.table->maximum, 1) / COMMON_PART;
}

/* Returns the value that match `to` adds to a chain ending with match `from`. *fits: `to` can follow
 * `from`. */
static double step_value(const chaining *c, const seed_match *from, const seed_match *to, bool *fits) {
  const int64_t rows = to->query - from->query - from->length,
                columns = to->target - from->target - from->length;
  const int64_t overlap = larger(0, -smaller(rows, columns));
  *fits = overlap < to->length && to->query > from->query && to->target > from->target;
  return (double)(to->length - overlap) * c->letter - bridge_cost(c, rows + overlap, columns + overlap);
}

static void chain_neighbours(chaining *c) {
  for (int64_t i = 0; i < c->count; i++) {
    const seed_match *match = &c->matches[i];
    c->value[i] = (double)match->length * c->letter;
    c->before[i] = -1;
    for (int64_t j = i - 1; j >= 0 && j >= i - LOOK_BACK; j--) {
      bool fits;
      c->steps++;
      if (match->query - c->matches[j].query - c->matches[j].length > FAR_MATCHES) continue;
      const double value = c->value[j] + step_value(c, &c->matches[j], match, &fits);
      if (!fits || value <= c->value[i]) continue;
      c->value[i] = value;
      c->before[i] = j;
    }
  }
}

/* Sorts chains by descending value. */
static int by_value(const void *a, const void *b) {
  const chain *x = a, *y = b;
  if (x->its.value != y->its.value) return x->its.value < y->its.value ? 1 : -1;
  return (x->its.first > y->its.first) - (x->its.first < y->its.first);
}

/* Adds a chain. If the array is full, first drops the half of its chains with the smaller values. */
static void keep_chain(chaining *c, const seed_chain *found) {
  if (c->chain_count == c->chain_room) {
    qsort(c->chains, (size_t)c->chain_count, sizeof *c->chains, by_value);
    c->chain_count = CHAINS_MOST;
  }
  c->chains[c->chain_count++] = (chain){.its = *found};
}

/* Splits the matches into chains. Each match belongs to exactly one chain. Chains with the largest values
 * are split off first. If a chain branches off another one, its value excludes their common part.
 * Otherwise, the many short branches of a long chain would crowd out other long chains. */
static cla_status take_chains(chaining *c, keyed_list *order, cla_error *error) {
  cla_status status = CLA_OK;
  order->count = 0;
  for (int64_t i = 0; i < c->count && status == CLA_OK; i++) {
    /* The bits of positive doubles, read as integers, are ordered like the numbers. Their complement puts
     * the largest number first. */
    uint64_t bits;
    memcpy(&bits, &c->value[i], sizeof bits);
    status = keyed_list_add(order, ~bits, i, error);
  }
  if (status == CLA_OK) status = key_sort(order, 0, 64, error);
  if (status != CLA_OK) return status;
  for (int64_t k = 0; k < c->count; k++) {
    const int64_t last = order->items[k].value;
    if (c->used[last]) continue;
    int64_t first = last;
    c->used[last] = 1;
    while (c->before[first] >= 0 && !c->used[c->before[first]]) {
      first = c->before[first];
      c->used[first] = 1;
    }
    const int64_t cut = c->before[first];
    const seed_match *a = &c->matches[first], *b = &c->matches[last];
    if (cut >= 0) c->before[first] = -1;
    keep_chain(c, &(seed_chain){.value = c->value[last] - c->value[first] + (double)a->length * c->letter,
                                .first = first,
                                .last = last,
                                .query = a->query,
                                .target = a->target,
                                .query_stop = b->query + b->length,
                                .target_stop = b->target + b->length});
  }
  qsort(c->chains, (size_t)c->chain_count, sizeof *c->chains, by_value);
  return CLA_OK;
}

static int by_query(const void *a, const void *b) {
  const int64_t x = ((const chain *)a)->its.query, y = ((const chain *)b)->its.query;
  return (x > y) - (x < y);
}

/* Finds the best chain of chains. Returns the index of its last chain, or -1. */
static int64_t chain_chains(chaining *c, const bound_area *area, bool ends) {
  int64_t best = -1;
  double most = ends ? -bridge_cost(c, bound_area_rows(area), bound_area_columns(area)) : 0;
  qsort(c->chains, (size_t)c->chain_count, sizeof *c->chains, by_query);
  for (int64_t i = 0; i < c->chain_count; i++) {
    chain *to = &c->chains[i];
    to->before = -1;
    const seed_chain *later = &to->its;
    to->total = later->value;
    if (ends) to->total -= bridge_cost(c, later->query - area->query, later->target - area->target);
    for (int64_t j = 0; j < i; j++) {
      const chain *from = &c->chains[j];
      const seed_chain *earlier = &from->its;
      if (from->total <= 0 && !ends) continue;
      if (later->query <= earlier->query || later->target <= earlier->target ||
          later->query_stop <= earlier->query_stop || later->target_stop <= earlier->target_stop)
        continue;
      const int64_t rows = later->query - earlier->query_stop, columns = later->target - earlier->target_stop;
      const int64_t overlap = larger(0, -smaller(rows, columns));
      const double total = from->total + later->value - (double)overlap * c->letter -
                           bridge_cost(c, rows + overlap, columns + overlap);
      if (total <= to->total) continue;
      to->total = total;
      to->before = j;
    }
    const double end =
        ends ? bridge_cost(c, area->query_stop - later->query_stop, area->target_stop - later->target_stop)
             : 0;
    if (to->total - end <= most) continue;
    most = to->total - end;
    best = i;
  }
  return best;
}

/* Keeps only the matches of the chosen chains. `chosen`: index of the last of these chains. If a match
 * overlaps the previous one, its start is cut off. */
static void keep_chosen(seed_matches *matches, chaining *c, int64_t chosen) {
  memset(c->used, 0, (size_t)c->count);
  for (; chosen >= 0; chosen = c->chains[chosen].before)
    for (int64_t i = c->chains[chosen].its.last; i >= 0; i = c->before[i]) {
      c->used[i] = 1;
      if (i == c->chains[chosen].its.first) break;
    }
  int64_t kept = 0, query = 0, target = 0;
  for (int64_t i = 0; i < c->count; i++) {
    seed_match match = c->matches[i];
    const int64_t overlap = larger(0, larger(query - match.query, target - match.target));
    if (!c->used[i] || overlap >= match.length) continue;
    match.query += overlap;
    match.target += overlap;
    match.length -= overlap;
    query = match.query + match.length;
    target = match.target + match.length;
    matches->items[kept++] = match;
  }
  matches->count = kept;
}

/* Finds the chains of neighbouring matches, with the most valuable first. */
static cla_status find_chains(chaining *c, keyed_list *order, cla_error *error) {
  const char *what = "chains of matches";
  cla_status status = ALLOCATE_ARRAY(&c->value, c->count, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&c->before, c->count, what, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&c->used, c->count, what, error);
  const int64_t chains = smaller(c->count, c->chain_room);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&c->chains, chains, what, error);
  if (status != CLA_OK) return status;
  chain_neighbours(c);
  return take_chains(c, order, error);
}

static chaining chaining_begin(const seed_matches *matches, const bound_pair *pair, double hope,
                               int64_t room) {
  return (chaining){.pair = pair,
                    .letter = hope * (double)larger(pair->problem.scheme.table->maximum, 1),
                    .matches = matches->items,
                    .count = matches->count,
                    .chain_room = room};
}

static void chaining_end(chaining *c, keyed_list *order) {
  free(order->items);
  free(c->chains);
  free(c->used);
  free(c->before);
  free(c->value);
}

cla_status match_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                       const chain_kind *kind, cla_error *error) {
  chaining c = chaining_begin(matches, pair, kind->hope, CHAINS_ROOM);
  keyed_list order = {0};
  if (c.count == 0) return CLA_OK;
  cla_status status = find_chains(&c, &order, error);
  if (status == CLA_OK) {
    c.chain_count = smaller(c.chain_count, CHAINS_MOST);
    matches->work += c.steps + c.chain_count * c.chain_count / 2;
    keep_chosen(matches, &c, chain_chains(&c, area, kind->ends));
  }
  chaining_end(&c, &order);
  return status;
}

cla_status seed_chains_find(seed_chains *out, const seed_matches *matches, const bound_pair *pair,
                            double hope, cla_error *error) {
  chaining c = chaining_begin(matches, pair, hope, matches->count);
  keyed_list order = {0};
  *out = (seed_chains){0};
  if (c.count == 0) return CLA_OK;
  cla_status status = find_chains(&c, &order, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&out->items, c.chain_count, "chains of matches", error);
  if (status == CLA_OK) {
    for (int64_t i = 0; i < c.chain_count; i++) out->items[i] = c.chains[i].its;
    out->count = c.chain_count;
    out->before = c.before;
    c.before = NULL;
  }
  chaining_end(&c, &order);
  return status;
}

void seed_chains_free(seed_chains *chains) {
  free(chains->items);
  free(chains->before);
  *chains = (seed_chains){0};
}
