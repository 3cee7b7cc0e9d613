#include "fuzz.h"
#include "fuzz_pair.h"

void fuzz_pair_make(fuzz_pair *out) {
  char query[FUZZ_PAIR_LETTERS + 1], target[FUZZ_PAIR_LETTERS + FUZZ_PAIR_GAP + 1];
  cla_error error = {.message = ""};
  uint32_t state = 1;
  for (int i = 0; i < FUZZ_PAIR_LETTERS + FUZZ_PAIR_GAP; i++) {
    state = state * 1664525 + 1013904223;
    target[i] = "ACGT"[state >> 30];
    const int j = i < FUZZ_PAIR_LETTERS / 2 ? i : i - FUZZ_PAIR_GAP;
    if (j < FUZZ_PAIR_LETTERS)
      query[j] = i % 29 == 5 || j % (FUZZ_PAIR_LETTERS - FUZZ_PAIR_ENDS) < FUZZ_PAIR_ENDS ? 'A' : target[i];
  }
  fuzz_demand(cla_sequence_from_letters(&out->query, "q", query, FUZZ_PAIR_LETTERS, &error) == CLA_OK &&
                  cla_sequence_from_letters(&out->target, "t", target, FUZZ_PAIR_LETTERS + FUZZ_PAIR_GAP,
                                            &error) == CLA_OK,
              error.message);
}

void fuzz_pair_free(fuzz_pair *pair) {
  cla_sequence_free(pair->query);
  cla_sequence_free(pair->target);
}
