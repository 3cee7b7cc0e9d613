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

/* One line. */
static void print_record(const vcf_records *records, const vcf_difference *it) {
  FILE *file = records->file;
  const int64_t after = it->target + it->deleted; /* of the target; none at its end, with a path that ends */
  fprintf(file, "%s\t%" PRId64 "\t.\t", records->contig, it->target + 1);
  strand_print(file, &records->target, vcf_letters, it->target, it->deleted + it->needs_after);
  fputc('\t', file);
  if (it->before) fputc(target_letter(records, it->target), file);
  strand_print(file, &records->query, vcf_letters, it->query, it->inserted);
  if (it->needs_after) fputc(target_letter(records, after), file);
  if (records->query_name)
    fprintf(file, "\t.\t.\tQNAME=%s\tGT\t1\n", records->query_name);
  else
    fputs("\t.\t.\t.\tGT\t1\n", file);
}

void vcf_records_end(vcf_records *records) {
  if (records->has_pending) print_record(records, &records->pending);
  records->has_pending = false;
}

/* Takes the place of what is pending. */
static void begin(vcf_records *records, vcf_difference difference) {
  vcf_records_end(records);
  records->pending = difference;
  records->has_pending = true;
}

void vcf_records_pairs(vcf_records *records, int64_t query, int64_t target, int64_t length) {
  for (int64_t letter = 0; letter < length; letter++, query++, target++) {
    if (records->has_pending && records->pending.needs_after) {
      records->pending.needs_after = false;
      records->pending.deleted++;
      records->pending.inserted++;
    } else if (query_letter(records, query) == target_letter(records, target)) {
      records->equal++;
    } else {
      begin(records, (vcf_difference){.target = target, .deleted = 1, .query = query, .inserted = 1});
      records->equal = 0;
    }
  }
}

/* Takes equal letters off the end and the begin of a replacement. Those at the end follow it then: their
 * number is returned. */
static int64_t trim(vcf_records *records, vcf_difference *it) {
  int64_t following = 0;
  while (it->deleted > 0 && it->inserted > 0 &&
         target_letter(records, it->target + it->deleted - 1) ==
             query_letter(records, it->query + it->inserted - 1)) {
    it->deleted--;
    it->inserted--;
    following++;
  }
  while (it->deleted > 0 && it->inserted > 0 &&
         target_letter(records, it->target) == query_letter(records, it->query)) {
    it->target++;
    it->query++;
    it->deleted--;
    it->inserted--;
    records->equal++;
  }
  return following;
}

/* Moves an insertion or deletion to the left over pairs of equal letters, as far as it stays the same
 * difference; returns by how much. */
static int64_t move_left(vcf_records *records, vcf_difference *it) {
  int64_t moved = 0;
  while (
      moved < records->equal &&
      (it->deleted > 0
           ? target_letter(records, it->target - 1) == target_letter(records, it->target + it->deleted - 1)
           : query_letter(records, it->query - 1) == query_letter(records, it->query + it->inserted - 1))) {
    it->target--;
    it->query--;
    moved++;
  }
  records->equal -= moved;
  return moved;
}

void vcf_records_gap(vcf_records *records, int64_t query, int64_t inserted, int64_t target, int64_t deleted) {
  vcf_difference it = {.target = target, .deleted = deleted, .query = query, .inserted = inserted};
  int64_t following = trim(records, &it);
  const bool one_sided = it.deleted == 0 || it.inserted == 0;
  if (it.deleted == 0 && it.inserted == 0) {
    records->equal += following;
    return;
  }
  if (one_sided) following += move_left(records, &it);
  if (records->has_pending && records->equal == 0) { /* they touch: one difference */
    records->pending.deleted += it.deleted;
    records->pending.inserted += it.inserted;
  } else if (one_sided && it.target > 0) {
    it.target--;
    it.deleted++;
    it.before = true;
    begin(records, it);
  } else {
    it.needs_after = one_sided;
    begin(records, it);
  }
  records->equal = 0;
  vcf_records_pairs(records, it.query + it.inserted, target + deleted - following, following);
}
