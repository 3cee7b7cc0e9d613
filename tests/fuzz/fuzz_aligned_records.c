/* Files of alignments for `clalign audit`: SAM, BAM or PAF. Records that fit a pair of sequences are compared
 * with the best alignment of their region. */

#include <string.h>

#include "clalign/align.h"
#include "clalign/audit.h"
#include "fuzz.h"
#include "fuzz_pair.h"

static void audit(const cla_aligned_record *record, cla_sequence *const parts[2]) {
  cla_error error = {.message = ""};
  cla_alignment *optimal = NULL;
  cla_audit *found = NULL;
  cla_align_options options;
  int64_t lost = 0;
  cla_align_options_init(&options);
  options.mode = CLA_MODE_GLOBAL;
  options.strand = record->path.strand;
  options.host_cells = INT64_MAX;
  if (!fuzz_ok(cla_align(&optimal, NULL, parts[0], parts[1], &options, &error), &error)) return;
  fuzz_demand(cla_audit_make(&found, record, optimal, parts[0], parts[1], &error) == CLA_OK, error.message);
  for (int64_t i = 0; i < found->loss_count; i++)
    lost += found->losses[i].optimal_score - found->losses[i].score;
  fuzz_demand(lost == found->optimal_score - found->score, "losses do not add up");
  cla_audit_free(found);
  cla_alignment_free(optimal);
}

/* Cuts out what the record says that it aligns. */
static void take_record(const cla_aligned_record *record, const fuzz_pair *pair) {
  cla_error error = {.message = ""};
  cla_sequence *const wholes[2] = {pair->query, pair->target};
  cla_sequence *parts[2] = {NULL, NULL};
  bool fits = strcmp(record->name[0], "q") == 0 && strcmp(record->name[1], "t") == 0;
  for (int side = 0; side < 2 && fits; side++)
    fits = fuzz_ok(
        cla_sequence_part(&parts[side], wholes[side], "", record->start[side], record->end[side], &error),
        &error);
  if (fits && fuzz_ok(cla_aligned_record_check(record, parts[0], parts[1], &error), &error))
    audit(record, parts);
  for (int side = 0; side < 2; side++) cla_sequence_free(parts[side]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static fuzz_pair pair;
  cla_error error = {.message = ""};
  cla_aligned_records *records = NULL;
  cla_aligned_record *record = NULL;
  if (!pair.query) fuzz_pair_make(&pair);
  if (!fuzz_ok(cla_aligned_records_open(&records, fuzz_file(bytes, count), &error), &error)) return 0;
  do {
    cla_aligned_record_free(record);
    if (fuzz_ok(cla_aligned_records_next(&record, records, &error), &error) && record)
      take_record(record, &pair);
  } while (record);
  cla_aligned_records_close(records);
  return 0;
}
