/* Disjoint stretches of letters. */

#include <string.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "compare/compare_internal.h"

/* Returns the index of the first stretch that ends after `at`. */
static int64_t find(const stretch_list *list, int64_t at) {
  int64_t first = 0, past = list->count;
  while (first < past) {
    const int64_t middle = first + (past - first) / 2;
    if (list->items[middle].to > at)
      past = middle;
    else
      first = middle + 1;
  }
  return first;
}

cla_status stretch_list_add(stretch_list *list, int64_t from, int64_t to, cla_error *error) {
  cla_status status = ALLOCATE_GROW(&list->items, &list->capacity, list->count + 1, "covered letters", error);
  if (status != CLA_OK || from >= to) return status;
  const int64_t first = find(list, from - 1); /* a stretch that only touches is joined, too */
  int64_t past = first;
  while (past < list->count && list->items[past].from <= to) {
    from = smaller(from, list->items[past].from);
    to = larger(to, list->items[past].to);
    past++;
  }
  memmove(&list->items[first + 1], &list->items[past], (size_t)(list->count - past) * sizeof *list->items);
  list->items[first] = (struct stretch){from, to};
  list->count += 1 - (past - first);
  return CLA_OK;
}

int64_t stretch_list_count(const stretch_list *list, int64_t from, int64_t to) {
  int64_t letters = 0;
  for (int64_t i = find(list, from); i < list->count && list->items[i].from < to; i++)
    letters += smaller(to, list->items[i].to) - larger(from, list->items[i].from);
  return letters;
}

bool stretch_list_free(struct stretch *out, const stretch_list *list, int64_t at, int64_t to) {
  int64_t i = find(list, at);
  if (i < list->count && list->items[i].from <= at) at = list->items[i++].to;
  *out = (struct stretch){at, i < list->count ? smaller(to, list->items[i].from) : to};
  return at < to;
}
