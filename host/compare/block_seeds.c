/* Finds collinear blocks from exact matches of two genomes, on both strands. */

#include <stdlib.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"
#include "path/seeds.h"
#include "path/space_cross.h"
#include "scoring/score_table.h"
#include "seq/sequence.h"

#define SAMPLED_WORDS (INT64_C(1) << 21) /* approximate maximum number of words sampled from a genome */
#define PART_GAP 300   /* maximum number of letters between two matches in one covered part */
#define BLOCK_GAP 2000 /* maximum number of letters of either genome between two matches in one block */

/* The search on one strand of the query. */
typedef struct strand_search {
  const comparing *c;
  cla_strand strand;
  bound_pair pair;
  seed_matches matches;
  seed_chains chains;
} strand_search;

/* Ends the search for words if the caller cancels. */
static cla_status tick(void *user, cla_error *error) {
  return comparing_report(user, "exact matches of both genomes", 0, error);
}

/* Returns the letters that a match covers, by their places on the query's forward strand. */
static covered_part place_of(const strand_search *s, const seed_match *match) {
  const int64_t letters = s->pair.problem.rows;
  const int64_t end = match->query + match->length;
  const bool reverse = s->strand == CLA_STRAND_REVERSE;
  return (covered_part){.query = reverse ? letters - end : match->query,
                        .query_end = reverse ? letters - match->query : end,
                        .target = match->target,
                        .target_end = match->target + match->length};
}

/* Extends `part` so that it also covers the letters of `more`. */
static void join(covered_part *part, const covered_part *more) {
  part->query = smaller(part->query, more->query);
  part->query_end = larger(part->query_end, more->query_end);
  part->target = smaller(part->target, more->target);
  part->target_end = larger(part->target_end, more->target_end);
}

/* Returns true if at most `gap` letters of either genome are between the two parts. */
static bool is_near(const covered_part *part, const covered_part *other, int64_t gap) {
  return part->query - other->query_end <= gap && other->query - part->query_end <= gap &&
         part->target - other->target_end <= gap && other->target - part->target_end <= gap;
}

static cla_status add_part(seed_blocks *out, const covered_part *part, cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&out->parts, &out->part_capacity, out->part_count + 1, "matches of two genomes", error);
  if (status == CLA_OK) out->parts[out->part_count++] = *part;
  return status;
}

/* Starts a block with a match. */
static cla_status begin_block(seed_blocks *out, const strand_search *s, const covered_part *at,
                              cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&out->items, &out->capacity, out->count + 1, "blocks of two genomes", error);
  if (status != CLA_OK) return status;
  out->items[out->count] =
      (seed_block){.first_part = out->part_count,
                   .block = {.query = joined_genome_record(&s->c->joined[0], at->query),
                             .target = joined_genome_record(&s->c->joined[1], at->target),
                             .strand = s->strand}};
  return CLA_OK;
}

/* Completes the block that begin_block started, and keeps it if enough letters match. Converts its positions
 * to those in the records. */
static void end_block(seed_blocks *out, const strand_search *s, const covered_part *hull) {
  seed_block *it = &out->items[out->count];
  cla_block *block = &it->block;
  const int64_t query = s->c->joined[0].begins[block->query], target = s->c->joined[1].begins[block->target];
  block->query_begin = hull->query - query;
  block->query_end = hull->query_end - query;
  block->target_begin = hull->target - target;
  block->target_end = hull->target_end - target;
  it->part_count = out->part_count - it->first_part;
  if (block->matched >= s->c->options->least_block)
    out->count++;
  else
    out->part_count = it->first_part;
}

/* Adds the blocks of a chain. A new block starts at a new record or after a large gap. Matches come in the
 * order from the chain's last to its first. */
static cla_status add_chain(seed_blocks *out, const strand_search *s, const seed_chain *chain,
                            cla_error *error) {
  covered_part hull = {0}, part = {0};
  cla_status status = CLA_OK;
  bool begun = false;
  for (int64_t i = chain->last; i >= 0 && status == CLA_OK; i = s->chains.before[i]) {
    const seed_match *match = &s->matches.items[i];
    const covered_part here = place_of(s, match);
    const cla_block *block = begun ? &out->items[out->count].block : NULL;
    const bool same = begun && joined_genome_record(&s->c->joined[0], here.query) == block->query &&
                      joined_genome_record(&s->c->joined[1], here.target) == block->target &&
                      is_near(&part, &here, BLOCK_GAP);
    if (same && is_near(&part, &here, PART_GAP)) {
      join(&part, &here);
    } else {
      if (begun) status = add_part(out, &part, error);
      part = here;
    }
    if (begun && !same) end_block(out, s, &hull);
    if (!same && status == CLA_OK) status = begin_block(out, s, &here, error);
    if (status != CLA_OK) break;
    if (same)
      join(&hull, &here);
    else
      hull = here;
    begun = true;
    out->items[out->count].block.matched += match->length;
  }
  if (begun && status == CLA_OK) status = add_part(out, &part, error);
  if (begun && status == CLA_OK) end_block(out, s, &hull);
  return status;
}

/* Chooses the words of both genomes, or a sample of them. The size of the shorter genome determines the
 * sampling, because a much longer genome keeps only words that the shorter one has, too. */
static word_choice choose_words(const bound_area *area) {
  word_choice choice = {.letters = space_word(area)};
  const int64_t longer = larger(bound_area_rows(area), bound_area_columns(area));
  const int64_t letters = larger(bound_area_shorter(area), longer / COMMON_WORDS_KEPT);
  while (choice.sampling_bits < SEED_SAMPLING_LIMIT && letters >> choice.sampling_bits > SAMPLED_WORDS)
    choice.sampling_bits++;
  return choice;
}

static cla_status find_on_strand(seed_blocks *out, strand_search *s, cla_error *error) {
  const bound_area area = bound_area_all(&s->pair);
  const word_choice choice = choose_words(&area);
  out->word_letters = choice.letters;
  cla_status status = seeds_find(&s->matches, &s->pair, &area, choice, s->c->threads, error);
  if (status == CLA_OK && bound_pair_stopped(&s->pair)) return (cla_status)atomic_load(&s->pair.stop->status);
  if (status == CLA_OK)
    status = seed_chains_find(&s->chains, &s->matches, &s->pair, 1 << choice.sampling_bits, error);
  for (int64_t i = 0; i < s->chains.count && status == CLA_OK; i++)
    status = add_chain(out, s, &s->chains.items[i], error);
  free(s->matches.items);
  seed_chains_free(&s->chains);
  s->matches = (seed_matches){0};
  return status;
}

cla_status seed_blocks_find(seed_blocks *out, const comparing *c, cla_error *error) {
  const joined_genome *query = &c->joined[0], *target = &c->joined[1];
  const cla_scoring *scoring = &c->options->align.scoring;
  score_table table;
  uint8_t *turned = NULL;
  bound_stop stop = {.tick = tick, .user = (void *)c, .error = error};
  *out = (seed_blocks){0};
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  cla_status status = ALLOCATE_ARRAY(&turned, query->letters, "the other strand of a genome", error);
  if (status == CLA_OK) reverse_complement_codes(turned, query->codes, query->letters);
  for (int strand = 0; strand < 2 && status == CLA_OK; strand++) {
    strand_search s = {.c = c,
                       .strand = strand ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD,
                       .pair = {.problem = {.query = strand ? turned : query->codes,
                                            .target = target->codes,
                                            .rows = query->letters,
                                            .columns = target->letters,
                                            .scheme = {.scoring = scoring, .table = &table}},
                                .stop = &stop,
                                .ticks = true}};
    status = find_on_strand(out, &s, error);
  }
  free(turned);
  return status;
}

void seed_blocks_free(seed_blocks *blocks) {
  free(blocks->items);
  free(blocks->parts);
  *blocks = (seed_blocks){0};
}
