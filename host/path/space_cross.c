/* A chain of matches divides an area into smaller areas. Chains of shorter matches divide these again,
 * until each area is small or has no matches. The remaining work is spent on aligning the smallest areas
 * exactly. The result does not depend on the order in which threads work. */

#include "path/space_cross.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "path/area_cross.h"
#include "path/path_mend.h"

#define SMALL_CELLS (INT64_C(1) << 16)   /* maximum number of cells of an area that is not divided */
#define NARROW_LETTERS 64                /* largest shorter side of an area that is not divided, in letters */
#define SAMPLED_WORDS (INT64_C(1) << 18) /* approximate maximum number of sampled words of a sequence */
#define SHORTEST_WORD 8                  /* letters of the shortest word */
#define SHORTER_WORD 5                   /* in the second attempt, words are shorter by this many letters */
#define DEPTH_MOST 8   /* maximum depth of chains nested between the matches of other chains */
#define MATCH_MARGIN 8 /* letters at each end of a match that may match only by chance */
#define MATCH_CORE 4   /* minimum letters of a match between its margins */
#define PART_AREAS 16  /* number of areas that a thread takes at a time */
#define THREADS_MOST 64
#define WINDOW_LETTERS 12 /* letters of a window on a diagonal */
/* Maximum number of unequal letters in each window on a diagonal that needs no gap. */
#define WINDOW_UNEQUAL 4
#define SETTLED (-1) /* value of open_area.letter_work: the area is not divided again */
/* With at least this many cells, a band is faster than an alignment cell by cell. */
#define BANDED_LEAST (INT64_C(1) << 13)
#define CHAIN_WORK 8 /* a chain is searched for only with at least this much work per letter */

/* Unrelated sequences have about cells / 4^word common words in an area. */
int space_word(const bound_area *area) {
  const double cells = (double)bound_area_rows(area) * (double)bound_area_columns(area);
  int word = SHORTEST_WORD;
  while (word < SEED_WORD_LIMIT && cells > (double)(UINT64_C(1) << 2 * word)) word++;
  return word;
}

int space_sampling(const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  int bits = 0;
  while ((rows > columns ? rows : columns) >> bits > SAMPLED_WORDS) bits++;
  return bits;
}

static int64_t letters_of(const bound_area *area) {
  return bound_area_rows(area) + bound_area_columns(area);
}

static double cells_of(const bound_area *area) {
  return (double)bound_area_rows(area) * (double)bound_area_columns(area);
}

cla_status space_find_chain(seed_matches *matches, const bound_pair *pair, const bound_area *area,
                            const chain_search *search, cla_error *error) {
  word_choice choice = {.letters = space_word(area), .sampling_bits = space_sampling(area)};
  const int64_t least = CHAIN_WORK * letters_of(area);
  /* With sampling, each match that is found stands for several matches. */
  const chain_kind weighed = {.ends = search->kind.ends,
                              .hope = search->kind.hope * (1 << choice.sampling_bits)};
  if (search->work < least) return CLA_OK;
  cla_status status = seeds_find(matches, pair, area, choice, search->threads, error);
  if (status == CLA_OK) status = match_chain(matches, pair, area, &weighed, error);
  choice.letters -= SHORTER_WORD;
  if (status != CLA_OK || matches->count > 0 || choice.letters < SHORTEST_WORD ||
      search->work - matches->work < least)
    return status;
  status = seeds_find(matches, pair, area, choice, search->threads, error);
  return status == CLA_OK ? match_chain(matches, pair, area, &weighed, error) : status;
}

/* True if an alignment of the area probably needs no gap. The area must be a square with few unequal letters
 * along its whole diagonal, and gaps must cost more than unequal letters. */
static bool diagonal_is_clean(const bound_pair *pair, const bound_area *area) {
  const uint8_t *query = pair->problem.query + area->query, *target = pair->problem.target + area->target;
  const int64_t letters = bound_area_rows(area), dear = pair->problem.scheme.scoring->gap[0].first;
  int64_t unequal = 0; /* unequal letters among the last WINDOW_LETTERS */
  if (letters != bound_area_columns(area)) return false;
  if (dear < pair->problem.scheme.table->maximum || 2 * dear < -(int64_t)pair->problem.scheme.table->minimum)
    return false;
  for (int64_t i = 0; i < letters; i++) {
    unequal += query[i] != target[i];
    if (i >= WINDOW_LETTERS) unequal -= query[i - WINDOW_LETTERS] != target[i - WINDOW_LETTERS];
    if (unequal > WINDOW_UNEQUAL) return false;
  }
  return true;
}

/* An area that the path has not crossed yet. */
typedef struct open_area {
  bound_area area;
  int64_t letter_work; /* limit on the work for its chains, per letter; SETTLED: not divided again */
} open_area;

/* Areas in path order. Between two areas, the path follows a diagonal. */
typedef struct open_way {
  open_area *items;
  int64_t count, capacity;
} open_way;

static cla_status add_area(open_way *way, const bound_area *area, int64_t letter_work, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&way->items, &way->capacity, way->count + 1, "areas of the lower bound's path", error);
  if (status == CLA_OK) way->items[way->count++] = (open_area){*area, letter_work};
  return status;
}

/* Returns the number of letters at each end of a match that are aligned again. */
static int64_t margin_of(const seed_match *match) {
  const int64_t spare = match->length - MATCH_CORE;
  return spare < 0 ? 0 : smaller(spare / 2, MATCH_MARGIN);
}

/* Adds the areas before, between and after the matches of a chain. */
static cla_status add_between(open_way *way, const seed_matches *chain, const bound_area *area,
                              int64_t letter_work, cla_error *error) {
  cla_status status = CLA_OK;
  bound_area between = *area;
  for (int64_t i = 0; i < chain->count && status == CLA_OK; i++) {
    const seed_match *match = &chain->items[i];
    const int64_t margin = margin_of(match);
    between.query_stop = match->query + margin;
    between.target_stop = match->target + margin;
    status = add_area(way, &between, letter_work, error);
    between.query = match->query + match->length - margin;
    between.target = match->target + match->length - margin;
  }
  between.query_stop = area->query_stop;
  between.target_stop = area->target_stop;
  return status == CLA_OK ? add_area(way, &between, letter_work, error) : status;
}

/* An open_way whose parts are shared by threads. The threads divide its areas or, if `paths` is set, cross
 * them. */
typedef struct shared_way {
  const bound_pair *pair;
  const bound_area *whole; /* the area that `way` crosses */
  const open_way *way;
  int64_t part_count;
  int threads; /* number of threads that divide the parts among themselves, or that work on a single part */
  open_way *divided;  /* output, by part: the areas into which the part's areas were divided */
  bool last;          /* true: areas are not divided any further */
  bound_path *paths;  /* output, by part: the part's path */
  int64_t exact_most; /* maximum number of cells of an area that is aligned exactly */
  int64_t wide_most;  /* maximum number of cells of an area that is aligned in blocks */
  atomic_llong next, work;
  atomic_int failed; /* the first cla_status that is not CLA_OK */
} shared_way;

/* Divides an area by a chain. Drops the area if a path on its diagonal suffices. Marks the area as settled if
 * it is small or has no matches. */
static cla_status divide(open_way *out, shared_way *shared, const bound_pair *pair, const open_area *open) {
  const bound_area *area = &open->area;
  const bool large = cells_of(area) > (double)SMALL_CELLS && bound_area_shorter(area) > NARROW_LETTERS;
  const int64_t letters = letters_of(area);
  const chain_search search = {.kind = {.ends = true, .hope = MATCH_CHAIN_SOBER},
                               .work = open->letter_work * letters,
                               .threads = shared->part_count == 1 ? shared->threads : 1};
  seed_matches chain = {0};
  cla_status status = CLA_OK;
  if (open->letter_work == SETTLED || bound_pair_stopped(pair)) return add_area(out, area, SETTLED, NULL);
  if (diagonal_is_clean(pair, area)) return CLA_OK;
  if (large && !shared->last) status = space_find_chain(&chain, pair, area, &search, NULL);
  atomic_fetch_add(&shared->work, chain.work);
  if (status == CLA_OK && chain.count > 0)
    status = add_between(out, &chain, area, larger(open->letter_work - chain.work / letters, 0), NULL);
  else if (status == CLA_OK)
    status = add_area(out, area, SETTLED, NULL);
  free(chain.items);
  return status;
}

/* Returns the number of the area's cells if the area can be aligned exactly; 0 if it is too large. */
static int64_t exact_cells(const bound_area *area) {
  const bool can = cells_of(area) <= (double)EXACT_SPACE_CELLS &&
                   larger(bound_area_rows(area), bound_area_columns(area)) <= EXACT_SPACE_SIDE;
  return can ? bound_area_rows(area) * bound_area_columns(area) : 0;
}

/* Aligns an area exactly: by a band as wide as the area if that is faster and the scores are small enough for
 * a band, otherwise cell by cell. */
static cla_status cross_exactly(bound_path *path, const bound_pair *pair, const bound_area *area) {
  const int64_t rows = bound_area_rows(area), columns = bound_area_columns(area);
  if (rows * columns >= BANDED_LEAST && path_mend_possible(pair)) {
    const int64_t query = path->query_stop;
    int64_t score;
    cla_status status = pair->banded(path, &score, pair, area, larger(rows, columns), NULL);
    if (status != CLA_OK || path->query_stop > query) return status;
  }
  return exact_area_cross(path, pair, area, NULL);
}

static cla_status cross(bound_path *path, const bound_pair *pair, const bound_area *area,
                        const shared_way *shared) {
  const int64_t cells = exact_cells(area);
  if (bound_pair_stopped(pair)) return open_space_cross(path, pair, area, NULL);
  if (cells > 0 && cells <= shared->exact_most) return cross_exactly(path, pair, area);
  if (cells_of(area) > 0 && wide_space_cells(area) <= shared->wide_most)
    return wide_space_cross(path, pair, area, NULL);
  return open_space_cross(path, pair, area, NULL);
}

static cla_status cross_part(shared_way *shared, const bound_pair *pair, int64_t part, int64_t end) {
  const open_area *items = shared->way->items;
  bound_path *path = &shared->paths[part];
  int64_t i = part * PART_AREAS;
  cla_status status = CLA_OK;
  if (i == 0)
    bound_path_begin(path, shared->whole->query, shared->whole->target);
  else
    bound_path_begin(path, items[i - 1].area.query_stop, items[i - 1].area.target_stop);
  for (; i < end && status == CLA_OK; i++) {
    const bound_area *area = &items[i].area;
    status = bound_path_add(path, CLA_RUN_PAIR, area->query - path->query_stop, NULL);
    if (status == CLA_OK) status = cross(path, pair, area, shared);
  }
  return status;
}

static cla_status divide_part(shared_way *shared, const bound_pair *pair, int64_t part, int64_t end) {
  cla_status status = CLA_OK;
  for (int64_t i = part * PART_AREAS; i < end && status == CLA_OK; i++)
    status = divide(&shared->divided[part], shared, pair, &shared->way->items[i]);
  return status;
}

/* The work of one thread of parallel_run. */
static void take_parts(void *user, int thread) {
  shared_way *shared = user;
  const bound_pair pair = bound_pair_of_thread(shared->pair, thread);
  int64_t part;
  while ((part = atomic_fetch_add(&shared->next, 1)) < shared->part_count) {
    const int64_t end = smaller((part + 1) * PART_AREAS, shared->way->count);
    cla_status status =
        shared->paths ? cross_part(shared, &pair, part, end) : divide_part(shared, &pair, part, end);
    if (status != CLA_OK) atomic_store(&shared->failed, (int)status);
  }
}

static cla_status take_together(shared_way *shared, cla_error *error) {
  parallel_run((int)smaller(shared->threads, shared->part_count), take_parts, shared);
  return atomic_load(&shared->failed) == CLA_OK ? CLA_OK : bound_memory_error(error);
}

static shared_way share(const space_crosser *t, const bound_area *whole, const open_way *way) {
  return (shared_way){.pair = t->pair,
                      .whole = whole,
                      .way = way,
                      .part_count = (way->count + PART_AREAS - 1) / PART_AREAS,
                      .threads = (int)smaller(t->threads, THREADS_MOST)};
}

/* Divides each area that is not settled. Sets *again if some new area is not settled. */
static cla_status divide_all(open_way *way, bool *again, bool last, space_crosser *t, const bound_area *whole,
                             cla_error *error) {
  shared_way shared = share(t, whole, way);
  shared.last = last;
  open_way joined = {0};
  *again = false;
  cla_status status =
      ALLOCATE_ZEROS(&shared.divided, shared.part_count, "parts of the lower bound's way", error);
  if (status == CLA_OK) status = take_together(&shared, error);
  for (int64_t part = 0; shared.divided && part < shared.part_count; part++) {
    const open_way *from = &shared.divided[part];
    for (int64_t i = 0; i < from->count && status == CLA_OK; i++) {
      status = add_area(&joined, &from->items[i].area, from->items[i].letter_work, error);
      *again |= from->items[i].letter_work != SETTLED;
    }
    free(from->items);
  }
  free(shared.divided);
  free(way->items);
  *way = joined;
  t->work -= atomic_load(&shared.work);
  return status;
}

/* How the work of areas is counted: for exact alignment, or for alignment in blocks. */
typedef struct area_costs {
  const open_way *way;
  /* -1: all areas, aligned exactly; otherwise, only areas with more than `exact` cells, aligned in blocks. */
  int64_t exact;
} area_costs;

static int64_t work_of(const area_costs *costs, const bound_area *area) {
  const int64_t cells = exact_cells(area);
  if (costs->exact < 0) return cells;
  return cells_of(area) > 0 && (cells == 0 || cells > costs->exact) ? wide_space_cells(area) : 0;
}

static int64_t work_up_to(const area_costs *costs, int64_t most) {
  int64_t sum = 0;
  for (int64_t i = 0; i < costs->way->count; i++) {
    const int64_t work = work_of(costs, &costs->way->items[i].area);
    if (work <= most) sum += work;
  }
  return sum;
}

/* Returns the largest size such that *work suffices for all areas up to that size. Subtracts the work of
 * these areas from *work. */
static int64_t share_work(int64_t *work, const area_costs *costs, int64_t most) {
  int64_t least = 0;
  if (work_up_to(costs, most) <= *work) least = most;
  while (most - least > 1) {
    const int64_t middle = least + (most - least) / 2;
    if (work_up_to(costs, middle) <= *work)
      least = middle;
    else
      most = middle;
  }
  *work -= work_up_to(costs, least);
  return least;
}

static cla_status cross_all(space_crosser *t, const open_way *way, const bound_area *whole,
                            cla_error *error) {
  shared_way shared = share(t, whole, way);
  shared.exact_most = share_work(&t->work, &(area_costs){way, -1}, EXACT_SPACE_CELLS);
  if (!path_mend_possible(t->pair))
    shared.wide_most = share_work(&t->work, &(area_costs){way, shared.exact_most}, INT64_MAX / 2);
  cla_status status =
      ALLOCATE_ZEROS(&shared.paths, shared.part_count, "parts of the lower bound's path", error);
  if (status == CLA_OK) status = take_together(&shared, error);
  for (int64_t part = 0; shared.paths && part < shared.part_count; part++) {
    if (status == CLA_OK) status = bound_path_add_all(t->path, &shared.paths[part], error);
    bound_path_free(&shared.paths[part]);
  }
  free(shared.paths);
  return status == CLA_OK
             ? bound_path_add(t->path, CLA_RUN_PAIR, whole->query_stop - t->path->query_stop, error)
             : status;
}

static cla_status follow(space_crosser *t, open_way *way, const bound_area *whole, cla_error *error) {
  cla_status status = CLA_OK;
  bool again = true;
  for (int depth = 0; again && status == CLA_OK; depth++)
    status = divide_all(way, &again, depth == DEPTH_MOST, t, whole, error);
  return status == CLA_OK ? cross_all(t, way, whole, error) : status;
}

static int64_t work_by_letter(const space_crosser *t, const bound_area *area) {
  return larger(t->work, 0) / larger(letters_of(area), 1);
}

cla_status space_follow(space_crosser *t, const seed_matches *chain, const bound_area *area,
                        cla_error *error) {
  open_way way = {0};
  cla_status status = add_between(&way, chain, area, work_by_letter(t, area), error);
  if (status == CLA_OK) status = follow(t, &way, area, error);
  free(way.items);
  return status;
}

cla_status space_cross(space_crosser *t, const bound_area *area, cla_error *error) {
  open_way way = {0};
  cla_status status = add_area(&way, area, work_by_letter(t, area), error);
  if (status == CLA_OK) status = follow(t, &way, area, error);
  free(way.items);
  return status;
}
