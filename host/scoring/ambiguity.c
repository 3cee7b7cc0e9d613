#include "scoring/ambiguity.h"

#include <string.h>

/* The nucleotides that an IUPAC letter stands for, a bit each: A 1, C 2, G 4, T 8. */
static unsigned nucleotides(char letter) {
  static const char letters[] =
      "ACMGRSVTWYHKDBN"; /* the letter that stands for the set s is letters[s - 1] */
  const char *found = letter ? strchr(letters, letter) : NULL;
  return found ? (unsigned)(found - letters) + 1 : 0;
}

static int64_t size(unsigned set) {
  return __builtin_popcount(set);
}

/* The nearest integer to sum / count, halves upwards; count > 0. */
static int64_t rounded(int64_t sum, int64_t count) {
  const int64_t twice = 2 * sum + count, whole = twice / (2 * count);
  return twice % (2 * count) < 0 ? whole - 1 : whole;
}

/* If each of the letters that the two stand for is as likely as the others. */
static int32_t expected_score(const cla_scoring *scoring, char query, char target) {
  const unsigned first = nucleotides(query), second = nucleotides(target);
  const int64_t pairs = size(first) * size(second), equal = size(first & second);
  return (int32_t)rounded(equal * scoring->match + (pairs - equal) * scoring->mismatch, pairs);
}

int32_t ambiguous_score(const cla_scoring *scoring, char query, char target) {
  switch (scoring->ambiguity) {
    case CLA_AMBIGUITY_NEUTRAL: return 0;
    case CLA_AMBIGUITY_EXPECTED: return expected_score(scoring, query, target);
    default: return scoring->mismatch;
  }
}
