#include "differential/counts.h"

#include <stdio.h>
#include <string.h>

void counts_add(case_counts *counts, const drawn_case *one, verdict found) {
  char buffer[CASE_WORD_SIZE];
  counts->cases++;
  counts->pairs += one->pair_count;
  counts->refused += found == VERDICT_REFUSED;
  counts->different += found == VERDICT_DIFFERENT;
  for (int c = 0; c < CATEGORY_COUNT; c++) {
    const char *word = case_word(one, (case_category)c, buffer);
    int i = 0;
    while (i + 1 < COUNT_WORDS && counts->words[c][i].word[0] && strcmp(counts->words[c][i].word, word) != 0)
      i++;
    if (i + 1 == COUNT_WORDS) word = "others";
    snprintf(counts->words[c][i].word, CASE_WORD_SIZE, "%s", word);
    counts->words[c][i].cases++;
    counts->words[c][i].different += found == VERDICT_DIFFERENT;
  }
}

static void put(const char *item, int *column) {
  const int length = (int)strlen(item);
  if (*column + length > 112) {
    printf("\n%8s", "");
    *column = 8;
  }
  printf(" %s", item);
  *column += length + 1;
}

void counts_print(const case_counts *counts, double seconds) {
  printf("\n");
  for (int c = 0; c < CATEGORY_COUNT; c++) {
    int column = 8;
    printf("%-8s", category_names[c]);
    for (int i = 0; i < COUNT_WORDS && counts->words[c][i].word[0]; i++) {
      char item[160];
      const bool last = i + 1 == COUNT_WORDS || !counts->words[c][i + 1].word[0];
      int used = snprintf(item, sizeof item, "%s x%lld", counts->words[c][i].word,
                          (long long)counts->words[c][i].cases);
      if (counts->words[c][i].different > 0)
        used += snprintf(item + used, sizeof item - (size_t)used, " (%lld DIFFER)",
                         (long long)counts->words[c][i].different);
      snprintf(item + used, sizeof item - (size_t)used, "%s", last ? "" : ",");
      put(item, &column);
    }
    printf("\n");
  }
  printf("%lld cases (%lld pairs, %lld cases refused), %lld differences, %.0f s, %.1f cases a second\n",
         (long long)counts->cases, (long long)counts->pairs, (long long)counts->refused,
         (long long)counts->different, seconds, (double)counts->cases / (seconds > 0 ? seconds : 1));
}
