#include "compare/lift/lift_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"

static cla_status add_name(int64_t *out, cla_lift *map, const char *name, cla_error *error) {
  const int64_t size = (int64_t)strlen(name) + 1;
  cla_status status =
      ALLOCATE_GROW(&map->names, &map->names_capacity, map->names_length + size, "names of records", error);
  if (status != CLA_OK) return status;
  memcpy(map->names + map->names_length, name, (size_t)size);
  *out = map->names_length;
  map->names_length += size;
  return CLA_OK;
}

/* Stores a name. Consecutive chains usually have the same records, whose names are stored once. */
static cla_status take_name(int64_t *out, cla_lift *map, const int64_t *last, const char *name,
                            cla_error *error) {
  if (!last || strcmp(map->names + *last, name) != 0) return add_name(out, map, name, error);
  *out = *last;
  return CLA_OK;
}

cla_status lift_map_begin(cla_lift *map, const lift_pair *pair, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&map->chains, &map->chain_capacity, map->chain_count + 1, "an alignment", error);
  if (status != CLA_OK) return status;
  const lift_chain *last = map->chain_count > 0 ? &map->chains[map->chain_count - 1] : NULL;
  lift_chain chain = {.from.length = map->swapped ? pair->query_length : pair->target_length,
                      .to.length = map->swapped ? pair->target_length : pair->query_length,
                      .reverse = pair->reverse,
                      .first = map->block_count};
  status = take_name(&chain.from.name, map, last ? &last->from.name : NULL,
                     map->swapped ? pair->query_name : pair->target_name, error);
  if (status == CLA_OK)
    status = take_name(&chain.to.name, map, last ? &last->to.name : NULL,
                       map->swapped ? pair->target_name : pair->query_name, error);
  if (status == CLA_OK) map->chains[map->chain_count++] = chain;
  return status;
}

cla_status lift_map_add(cla_lift *map, int64_t target, int64_t query, int64_t length, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&map->blocks, &map->block_capacity, map->block_count + 1, "an alignment", error);
  if (status != CLA_OK) return status;
  map->blocks[map->block_count++] = (lift_block){
      .from = map->swapped ? query : target, .to = map->swapped ? target : query, .length = length};
  map->chains[map->chain_count - 1].block_count++;
  return CLA_OK;
}

/* Turns a chain around: before the call, the positions of `from` are on the reverse strand; afterwards, those
 * of `to` are. */
static void turn(const lift_chain *chain, lift_block *blocks) {
  for (int64_t i = 0, last = chain->block_count - 1; i <= last; i++, last--) {
    const lift_block block = blocks[i];
    blocks[i] = blocks[last];
    blocks[last] = block;
  }
  for (int64_t i = 0; i < chain->block_count; i++) {
    blocks[i].from = chain->from.length - blocks[i].from - blocks[i].length;
    blocks[i].to = chain->to.length - blocks[i].to - blocks[i].length;
  }
}

void lift_map_end(cla_lift *map) {
  lift_chain *chain = &map->chains[map->chain_count - 1];
  if (chain->block_count == 0) {
    map->chain_count--;
    return;
  }
  lift_block *blocks = map->blocks + chain->first;
  if (map->swapped && chain->reverse) turn(chain, blocks);
  const lift_block *last = &blocks[chain->block_count - 1];
  chain->range = (cla_lift_range){blocks[0].from, last->from + last->length};
}

static int compare_chains(const void *a, const void *b, void *names) {
  const lift_chain *left = a, *right = b;
  const char *text = names;
  const int order =
      left->from.name == right->from.name ? 0 : strcmp(text + left->from.name, text + right->from.name);
  if (order != 0) return order;
  if (left->range.begin != right->range.begin) return compare_numbers(left->range.begin, right->range.begin);
  return compare_numbers(left->first, right->first);
}

/* Returns the root of the tree over the chains [low, high): the middle chain. The chains on either side of
 * it form its subtrees. */
static int64_t middle_of(int64_t low, int64_t high) {
  return low + (high - low) / 2;
}

/* Sets `reach` in a tree of chains, and returns the largest end in the tree. The recursion's depth is the
 * logarithm of the number of chains. */
static int64_t set_reach(lift_chain *chains, int64_t low, int64_t high) { /* NOLINT(misc-no-recursion) */
  if (low >= high) return -1;
  const int64_t middle = middle_of(low, high), before = set_reach(chains, low, middle),
                behind = set_reach(chains, middle + 1, high);
  lift_chain *chain = &chains[middle];
  chain->reach = chain->range.end;
  if (before > chain->reach) chain->reach = before;
  if (behind > chain->reach) chain->reach = behind;
  return chain->reach;
}

static cla_status list_records(cla_lift *map, cla_error *error) {
  cla_status status = ALLOCATE_ARRAY(&map->records, map->chain_count, "names of records", error);
  lift_record *last = NULL;
  for (int64_t i = 0; i < map->chain_count && status == CLA_OK; i++) {
    const char *name = map->names + map->chains[i].from.name;
    if (last && strcmp(last->name, name) == 0) {
      last->chain_count++;
      continue;
    }
    last = &map->records[map->record_count++];
    *last = (lift_record){.name = name, .first = i, .chain_count = 1};
  }
  return status;
}

cla_status lift_map_finish(cla_lift *map, cla_error *error) {
  int64_t before = 0;
  for (int64_t i = 0; i < map->block_count; i++) {
    map->blocks[i].before = before;
    before += map->blocks[i].length;
  }
  if (map->chain_count > 0)
    qsort_r(map->chains, (size_t)map->chain_count, sizeof *map->chains, compare_chains, map->names);
  cla_status status = list_records(map, error);
  for (int64_t i = 0; i < map->record_count && status == CLA_OK; i++)
    (void)set_reach(map->chains, map->records[i].first, map->records[i].first + map->records[i].chain_count);
  return status;
}

static int compare_name(const void *name, const void *record) {
  return strcmp(name, ((const lift_record *)record)->name);
}

const lift_record *lift_map_record(const cla_lift *map, const char *name) {
  if (map->record_count == 0) return NULL;
  return bsearch(name, map->records, (size_t)map->record_count, sizeof *map->records, compare_name);
}

typedef struct chain_search {
  const lift_chain *chains;
  cla_lift_range range;
  lift_visit visit;
  void *user;
} chain_search;

static void search(const chain_search *s, int64_t low, int64_t high) { /* NOLINT(misc-no-recursion) */
  if (low >= high) return;
  const int64_t middle = middle_of(low, high);
  const lift_chain *chain = &s->chains[middle];
  if (chain->reach <= s->range.begin) return;
  search(s, low, middle);
  if (chain->range.begin >= s->range.end) return;
  if (chain->range.end > s->range.begin) s->visit(s->user, chain);
  search(s, middle + 1, high);
}

void lift_map_visit(const cla_lift *map, const lift_record *record, const cla_lift_range *range,
                    lift_visit visit, void *user) {
  const chain_search s = {.chains = map->chains, .range = *range, .visit = visit, .user = user};
  search(&s, record->first, record->first + record->chain_count);
}

void cla_lift_close(cla_lift *lift) {
  if (!lift) return;
  free(lift->chains);
  free(lift->blocks);
  free(lift->names);
  free(lift->records);
  free(lift);
}
