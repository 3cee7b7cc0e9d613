#include "differential/shrink.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct shrinking {
  drawn_case *one;
  char *text;
  const run_place *place;
  double until;
} shrinking;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Takes the candidate in the case's place if it differs, too; frees what is not kept. */
static bool keep_if_different(shrinking *s, drawn_case *candidate) {
  char text[DIFFERENCE_SIZE];
  const bool differs = now() < s->until && run_case(text, candidate, s->place) == VERDICT_DIFFERENT;
  if (differs) {
    case_free(s->one);
    *s->one = *candidate;
    memcpy(s->text, text, DIFFERENCE_SIZE);
  } else {
    case_free(candidate);
  }
  return differs;
}

static void cut_out(char *letters, int64_t *length, int64_t begin, int64_t count) {
  memmove(letters + begin, letters + begin + count, (size_t)(*length - begin - count + 1));
  *length -= count;
}

/* Parts of one sequence, from halves to single letters. */
static bool cut_letters(shrinking *s, int pair, bool query) {
  bool any = false;
  const case_pair *p = &s->one->pairs[pair];
  const bool of_all = query && s->one->all_vs_all; /* one query, of which each pair has a copy */
  if (of_all && pair > 0) return false;
  for (int64_t part = (query ? p->rows : p->columns) / 2; part > 0 && now() < s->until; part /= 2)
    for (int64_t at = 0; at + part <= (query ? s->one->pairs[pair].rows : s->one->pairs[pair].columns);) {
      drawn_case candidate;
      if ((query ? s->one->pairs[pair].rows : s->one->pairs[pair].columns) <= part || now() > s->until) break;
      case_copy(&candidate, s->one);
      for (int i = pair; i <= (of_all ? candidate.pair_count - 1 : pair); i++) {
        case_pair *c = &candidate.pairs[i];
        cut_out(query ? c->query : c->target, query ? &c->rows : &c->columns, at, part);
      }
      if (keep_if_different(s, &candidate))
        any = true;
      else
        at += part;
    }
  return any;
}

static bool cut_pairs(shrinking *s) {
  bool any = false;
  for (int part = s->one->pair_count / 2; part > 0; part = part / 2)
    for (int at = 0; at + part <= s->one->pair_count && s->one->pair_count > part;) {
      drawn_case candidate, copy;
      case_copy(&copy, s->one);
      candidate = copy;
      candidate.pair_count = 0;
      for (int i = 0; i < copy.pair_count; i++) {
        if (i < at || i >= at + part) {
          candidate.pairs[candidate.pair_count++] = copy.pairs[i];
        } else {
          free(copy.pairs[i].query);
          free(copy.pairs[i].target);
        }
      }
      if (keep_if_different(s, &candidate))
        any = true;
      else
        at += part;
      if (now() > s->until) return any;
    }
  return any;
}

static void no_band(drawn_case *one) {
  one->has_band = false;
}
static void forward(drawn_case *one) {
  one->strand = CLA_STRAND_FORWARD;
}
static void not_both(drawn_case *one) {
  if (one->strand == CLA_STRAND_BOTH) one->strand = CLA_STRAND_REVERSE;
}
static void linear(drawn_case *one) {
  one->circular = CLA_CIRCULAR_NONE;
}
static void one_alignment(drawn_case *one) {
  one->most = 1;
}
static void canonical(drawn_case *one) {
  one->placement = CLA_GAPS_CANONICAL;
}
static void score_alone(drawn_case *one) {
  one->score_only = one->most == 1 && !one->placement;
}
static void no_least(drawn_case *one) {
  one->least = LEAST_NONE;
}
static void at_optimum(drawn_case *one) {
  if (one->bound == BOUND_AUTO || one->bound == BOUND_BELOW || one->bound == BOUND_PATH)
    one->bound = BOUND_OPTIMUM;
}
static void no_bound(drawn_case *one) {
  one->bound = BOUND_OFF;
}
static void own_memory(drawn_case *one) {
  one->memory_bytes = 0;
}
static void no_rows(drawn_case *one) {
  one->special_rows = 0;
}
static void own_launch(drawn_case *one) {
  one->launch = -1;
  one->groups = 0;
}
static void one_device(drawn_case *one) {
  one->devices = 1;
  if (one->entry == ENTRY_PARTNERS) one->entry = ENTRY_ALIGN;
}
static void plain_entry(drawn_case *one) {
  if (one->pair_count == 1) one->entry = ENTRY_ALIGN;
}
static void plain_batch(drawn_case *one) {
  one->as_finished = false;
  one->top = one->pairs_ahead = 0;
  one->by_lanes = false;
}
static void chosen_kernel(drawn_case *one) {
  one->variant = NULL;
  one->lanes = one->alpha = 0;
  one->tile = 0;
}
static void whole_units(drawn_case *one) {
  one->scoring.units = 1;
}
static void one_piece(drawn_case *one) {
  one->scoring.gap_first2 = one->scoring.gap_ext2 = 0;
}

/* What is left out, one by one. */
static void (*const plainer[])(drawn_case *one) = {
    plain_entry, one_device, plain_batch, canonical, one_alignment, linear,     no_band,
    forward,     not_both,   score_alone, no_least,  no_bound,      at_optimum, own_memory,
    own_launch,  no_rows,    whole_units, one_piece, chosen_kernel};

static bool simplify(shrinking *s) {
  bool any = false;
  for (size_t i = 0; i < sizeof plainer / sizeof plainer[0] && now() < s->until; i++) {
    drawn_case candidate, before = *s->one;
    case_copy(&candidate, s->one);
    plainer[i](&candidate);
    memcpy(before.pairs, candidate.pairs, sizeof before.pairs);
    if (memcmp(&before, &candidate, sizeof before) == 0)
      case_free(&candidate);
    else
      any = keep_if_different(s, &candidate) || any;
  }
  return any;
}

void shrink_case(drawn_case *one, char text[DIFFERENCE_SIZE], const run_place *place, double seconds) {
  shrinking s = {.one = one, .text = text, .place = place, .until = now() + seconds};
  for (bool any = true; any && now() < s.until;) {
    any = cut_pairs(&s);
    any = simplify(&s) || any;
    for (int i = 0; i < one->pair_count; i++) {
      any = cut_letters(&s, i, true) || any;
      any = cut_letters(&s, i, false) || any;
    }
  }
}
