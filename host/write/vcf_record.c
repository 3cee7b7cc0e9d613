#include "write/vcf_record.h"

#include <inttypes.h>

#include "write/gapped_row.h"

const char vcf_letters[] = "ACGTNNNNNNNNNNN";

static char query_letter(const vcf_records *records, int64_t position) {
  return vcf_letters[strand_code(&records->query, position)];
}

static char target_letter(const vcf_records *records, int64_t position) {
  return vcf_letters[strand_code(&records->target, position)];
}

static bool is_equal(const vcf_records *records, int64_t query, int64_t target) {
  return query_letter(records, query) == target_letter(records, target);
}

/* An insertion or a deletion: VCF writes it beside a letter of both. */
static bool is_one_sided(const vcf_difference *it) {
  return (it->deleted == 0) != (it->inserted == 0);
}

static bool is_nothing(const vcf_difference *it) {
  return it->deleted == 0 && it->inserted == 0;
}

/* Takes equal letters off the end, then off the begin. */
static void trim(const vcf_records *records, vcf_difference *it) {
  while (it->deleted > 0 && it->inserted > 0 &&
         is_equal(records, it->query + it->inserted - 1, it->target + it->deleted - 1)) {
    it->deleted--;
    it->inserted--;
  }
  while (it->deleted > 0 && it->inserted > 0 && is_equal(records, it->query, it->target)) {
    it->target++;
    it->query++;
    it->deleted--;
    it->inserted--;
  }
}

/* Whether an insertion or deletion stays the same difference if it gives its last letter to the pair before
 * it and takes that one's. */
static bool can_move_left(const vcf_records *records, const vcf_difference *it) {
  if (!is_equal(records, it->query - 1, it->target - 1)) return false;
  return it->deleted > 0
             ? target_letter(records, it->target - 1) == target_letter(records, it->target + it->deleted - 1)
             : query_letter(records, it->query - 1) == query_letter(records, it->query + it->inserted - 1);
}

/* All from the first to the second one's end, the pairs between them too. */
static vcf_difference joined(const vcf_difference *first, const vcf_difference *second) {
  return (vcf_difference){.target = first->target,
                          .deleted = second->target + second->deleted - first->target,
                          .query = first->query,
                          .inserted = second->query + second->inserted - first->query};
}

/* The last of `count` differences, and those before it that it meets; returns how many are left. */
static size_t settle_last(const vcf_records *records, vcf_difference *it, const vcf_difference *list,
                          size_t count) {
  for (size_t others = count - 1;;) {
    trim(records, it);
    if (!is_one_sided(it)) return others;
    const vcf_difference *previous = others > 0 ? &list[others - 1] : NULL;
    int64_t pairs = it->target - (previous ? previous->target + previous->deleted : records->target_start);
    while (pairs > 0 && can_move_left(records, it)) {
      it->target--;
      it->query--;
      pairs--;
    }
    if (pairs == 0 && !previous) return others;
    if (pairs == 0) {
      *it = joined(previous, it);
      others--;
    } else if (is_equal(records, it->query - 1, it->target - 1)) {
      return others;
    } else {
      *it = joined(&(vcf_difference){.target = it->target - 1, .query = it->query - 1}, it);
    }
  }
}

/* An insertion or deletion at the contig's first letter has no letter before it and takes the one behind it.
 * What needs that letter, too, is the same difference. Returns which one is the first then. */
static size_t settle_contig_start(const vcf_records *records, vcf_difference *list, size_t first,
                                  size_t count) {
  while (first < count && list[first].target == 0 && is_one_sided(&list[first])) {
    vcf_difference *it = &list[first], *next = first + 1 < count ? &list[first + 1] : NULL;
    const int64_t query = it->query + it->inserted;
    const int64_t pairs = (next ? next->target : records->target_stop) - it->deleted;
    if (next && (pairs == 0 || (pairs == 1 && is_one_sided(next)))) {
      *next = joined(it, next);
      first++;
    } else if (pairs > 0 && !is_equal(records, query, it->deleted)) {
      it->deleted++;
      it->inserted++;
    } else {
      break;
    }
    trim(records, &list[first]);
    if (is_nothing(&list[first])) first++;
  }
  return first;
}

size_t vcf_differences_settle(const vcf_records *records, vcf_difference *list, size_t count) {
  size_t first = count;
  for (size_t left = count; left > 0;) {
    vcf_difference it = list[left - 1];
    left = settle_last(records, &it, list, left);
    if (!is_nothing(&it)) list[--first] = it;
  }
  return count - settle_contig_start(records, list, first, count);
}

/* One line. */
static void print_record(const vcf_records *records, const vcf_difference *it) {
  FILE *file = records->file;
  const int64_t before = is_one_sided(it) && it->target > 0;
  const int64_t after = is_one_sided(it) && it->target == 0;
  fprintf(file, "%s\t%" PRId64 "\t.\t", records->contig, it->target - before + 1);
  strand_print(file, &records->target, vcf_letters, it->target - before, before + it->deleted + after);
  fputc('\t', file);
  strand_print(file, &records->target, vcf_letters, it->target - before, before);
  strand_print(file, &records->query, vcf_letters, it->query, it->inserted);
  strand_print(file, &records->target, vcf_letters, it->target + it->deleted, after);
  if (records->query_name)
    fprintf(file, "\t.\t.\tQNAME=%s\tGT\t1\n", records->query_name);
  else
    fputs("\t.\t.\t.\tGT\t1\n", file);
}

/* The unlike ones of the pairs from these positions on. */
static void print_pairs(const vcf_records *records, int64_t query, int64_t target, int64_t target_stop) {
  for (; target < target_stop && !ferror(records->file); query++, target++)
    if (!is_equal(records, query, target))
      print_record(records, &(vcf_difference){.target = target, .deleted = 1, .query = query, .inserted = 1});
}

void vcf_records_print(const vcf_records *records, const vcf_difference *list, size_t count) {
  int64_t query = records->query_start, target = records->target_start;
  for (size_t index = 0; index < count && !ferror(records->file); index++) {
    const vcf_difference *it = &list[index];
    print_pairs(records, query, target, it->target);
    print_record(records, it);
    query = it->query + it->inserted;
    target = it->target + it->deleted;
  }
  print_pairs(records, query, target, records->target_stop);
}
