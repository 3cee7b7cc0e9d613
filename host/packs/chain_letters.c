/* A table of the places of a launch's letters, so that pairs with the same sequence share its letters. */

#include <stdlib.h>

#include "base/allocate.h"
#include "packs/chain_internal.h"

/* Places of the table per pair. A table is made only if many pairs share letters, so at least a quarter of
 * the places stays empty. */
#define PLACES_OF_PAIR 2
#define PLACES_LEAST 64

/* A query's or target's letters, and their place in a launch, with the number of that launch. */
typedef struct letters_place {
  const uint8_t *codes;
  int64_t at;
  int32_t letters, launch_and_side;
} letters_place;

struct chain_letters {
  letters_place *places;
  uint64_t mask; /* mask of a place's index; the number of places is a power of two */
  int32_t launch;
};

/* True if many pairs share letters with the previous pair. Otherwise, a table would not pay. */
static bool are_shared(const pack_pair *pairs, int64_t count) {
  int64_t same = 0;
  for (int64_t i = 1; i < count; i++)
    same += pairs[i].query == pairs[i - 1].query || pairs[i].target == pairs[i - 1].target;
  return 2 * same > count;
}

cla_status chain_letters_create(chain_letters **out, const pack_pair *pairs, int64_t count,
                                cla_error *error) {
  uint64_t places = PLACES_LEAST;
  *out = NULL;
  if (!are_shared(pairs, count)) return CLA_OK;
  while (places < (uint64_t)(PLACES_OF_PAIR * count)) places *= 2;
  cla_status status = ALLOCATE_ZEROS(out, 1, "the letters of a launch", error);
  if (status != CLA_OK) return status;
  (*out)->mask = places - 1;
  status = ALLOCATE_ZEROS(&(*out)->places, (int64_t)places, "the letters of a launch", error);
  if (status == CLA_OK) return CLA_OK;
  chain_letters_free(*out);
  *out = NULL;
  return status;
}

void chain_letters_free(chain_letters *all) {
  if (!all) return;
  free(all->places);
  free(all);
}

void chain_letters_begin(chain_letters *all) {
  if (all) all->launch++;
}

static int32_t stamp(const chain_letters *all, int side) {
  return 2 * all->launch + side;
}

static bool is_of_launch(const chain_letters *all, const letters_place *place) {
  return place->launch_and_side >= stamp(all, 0);
}

/* Returns the place of the letters, or a free place for them. */
static letters_place *find(const chain_letters *all, const uint8_t *codes, int64_t letters, int side) {
  uint64_t index = ((uint64_t)(uintptr_t)codes * UINT64_C(0x9E3779B97F4A7C15)) >> 20;
  for (;; index++) {
    letters_place *place = &all->places[index & all->mask];
    const bool same =
        place->codes == codes && place->letters == letters && place->launch_and_side == stamp(all, side);
    if (same || !is_of_launch(all, place)) return place;
  }
}

int64_t chain_letters_at(const chain_letters *all, const uint8_t *codes, int64_t letters, int side) {
  if (!all) return -1;
  const letters_place *place = find(all, codes, letters, side);
  return is_of_launch(all, place) ? place->at : -1;
}

void chain_letters_put(chain_letters *all, const uint8_t *codes, int64_t letters, int side, int64_t at) {
  if (!all) return;
  *find(all, codes, letters, side) = (letters_place){
      .codes = codes, .at = at, .letters = (int32_t)letters, .launch_and_side = stamp(all, side)};
}
