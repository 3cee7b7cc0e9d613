#include "write/sam_record.h"

#include <errno.h>
#include <htslib/hfile.h>
#include <htslib/kstring.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/version.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/sequence.h"

#define NAME_LIMIT 254                  /* letters of a QNAME (SAM specification, section 1.4) */
#define OPERATION_LIMIT ((1 << 28) - 1) /* letters of a CIGAR operation (section 4.2) */

cla_status sam_out_of_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY,
                   "out of memory or too long for a SAM record; write the paf format instead");
}

static cla_status check_operation(int64_t length, const char *what, cla_error *error) {
  if (length <= OPERATION_LIMIT) return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "SAM cannot hold the %s of %lld letters: a CIGAR operation may have %d; use the paf or json "
      "format",
      what, (long long)length, OPERATION_LIMIT);
}

static cla_status check_side(int64_t letters, const char *name, const char *role, cla_error *error) {
  char what[32];
  snprintf(what, sizeof what, "the %s", role);
  cla_status status = cla_format_check_letters(CLA_FORMAT_SAM, letters, what, error);
  if (status != CLA_OK) return status;
  if (strlen(name ? name : "") > NAME_LIMIT)
    return error_set(
        error, CLA_ERROR_OPTION,
        "SAM cannot hold the %s's name of %zu letters: its limit is %d; shorten it in the input or "
        "use the paf or json format",
        role, strlen(name), NAME_LIMIT);
  return CLA_OK;
}

/* A reference or a read without letters has no alignment in SAM, and neither has one with no letter of the
 * reference: behind the reference's last letter there is no position for it. */
static bool is_unmapped(const cla_alignment *alignment) {
  return alignment->target.start == alignment->target.stop || alignment->query.length == 0;
}

/* All that SAM cannot hold is found before the first byte is written. */
static cla_status check_alignment(const write_job *job, const cla_alignment *alignment, cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  path_steps steps;
  cigar_step step;
  cla_status status = check_side(query->length, query->name, "query", error);
  if (status == CLA_OK) status = check_side(target->length, target->name, "target", error);
  if (status != CLA_OK || is_unmapped(alignment)) return status;
  if (alignment->score < INT32_MIN || alignment->score > INT32_MAX)
    return error_set(error, CLA_ERROR_OPTION,
                     "SAM cannot hold the score %lld: its limit is 32 bits; use the paf or json format",
                     (long long)alignment->score);
  status = check_operation(query->start, "soft clip", error);
  if (status == CLA_OK) status = check_operation(query->length - query->stop, "soft clip", error);
  const uint32_t *next = job->runs, *end = next ? next + alignment->run_count : NULL;
  const bool plain = job->how->cigar == CLA_CIGAR_M;
  for (size_t i = 0; plain && (next ? next < end : i < alignment->run_count) && status == CLA_OK; i++)
    status =
        check_operation(next ? packed_run_next(&next, end).length : alignment->runs[i].length, "run", error);
  path_steps_begin(&steps, job, alignment, false);
  while (status == CLA_OK && path_steps_next(&steps, &step))
    status = check_operation(step.length, "run", error);
  return status;
}

cla_status sam_open_bam(htsFile **out, FILE *file, cla_error *error) {
  errno = 0;
  if (fflush(file) != 0) return CLA_ERROR_OUTPUT;
  const int copy = dup(fileno(file));
  hFILE *raw = copy >= 0 ? hdopen(copy, "w") : NULL;
  if (!raw) {
    const int number = errno;
    if (copy >= 0) close(copy);
    errno = number;
    return CLA_ERROR_OUTPUT;
  }
  *out = hts_hopen(raw, "the bam output", "wb");
  if (*out) return CLA_OK;
  hclose_abruptly(raw);
  return sam_out_of_memory(error);
}

cla_status sam_header_begin(sam_hdr_t **out, cla_error *error) {
  *out = sam_hdr_init();
  const bool made = *out && sam_hdr_add_line(*out, "HD", "VN", "1.6", "SO", "unknown", NULL) == 0;
  return made ? CLA_OK : sam_out_of_memory(error);
}

cla_status sam_header_target(int *number, sam_hdr_t *header, const char *name, int64_t length,
                             cla_error *error) {
  char text[32];
  *number = -1;
  if (length == 0) return CLA_OK;
  *number = sam_hdr_name2tid(header, name);
  if (*number >= 0) return CLA_OK;
  snprintf(text, sizeof text, "%lld", (long long)length);
  if (sam_hdr_add_line(header, "SQ", "SN", name, "LN", text, NULL) != 0) return sam_out_of_memory(error);
  *number = sam_hdr_nref(header) - 1;
  return CLA_OK;
}

cla_status sam_header_program(sam_hdr_t *header, const char *command, cla_error *error) {
  const int failed = sam_hdr_add_line(header, "PG", "ID", "clalign", "PN", "clalign", "VN",
                                      CLA_VERSION_STRING, command ? "CL" : NULL, command, NULL);
  return failed ? sam_out_of_memory(error) : CLA_OK;
}

/* Room for them; each record has those of its strand. */
static cla_status make_letters(sam_records *records, cla_error *error) {
  const cla_sequence *query = records->job->query;
  cla_status status = sequence_whole_check(query, "SAM", error);
  if (status != CLA_OK) return status;
  return allocate_array((void **)&records->letters,
                        cla_sequence_length(query) * (sequence_qualities(query) ? 2 : 1), 1,
                        "a SAM record's letters", error);
}

static void put_letters(sam_records *records, const strand_letters *letters, int64_t start, int64_t count) {
  for (int64_t at = 0; at < count; at++)
    records->letters[at] = SEQUENCE_LETTERS[strand_code(letters, start + at)];
}

/* The query's qualities on the alignment's strand; the room behind the letters. */
static char *put_qualities(sam_records *records, bool reverse, int64_t start, int64_t count) {
  const uint8_t *qualities = sequence_qualities(records->job->query);
  const int64_t length = cla_sequence_length(records->job->query);
  if (!qualities) return NULL;
  char *out = records->letters + length;
  for (int64_t i = 0; i < count; i++) out[i] = (char)qualities[reverse ? length - 1 - start - i : start + i];
  return out;
}

static cla_status add_operation(sam_records *records, int64_t length, uint32_t operation, cla_error *error) {
  if (length == 0) return CLA_OK;
  void *memory = records->cigar;
  cla_status status = allocate_grow(&memory, &records->cigar_capacity, records->cigar_count + 1,
                                    sizeof *records->cigar, "a SAM record's CIGAR", error);
  if (status != CLA_OK) return status;
  records->cigar = memory;
  records->cigar[records->cigar_count++] = bam_cigar_gen((uint32_t)length, operation);
  return CLA_OK;
}

static uint32_t bam_operation(char operation) {
  switch (operation) {
    case '=': return BAM_CEQUAL;
    case 'X': return BAM_CDIFF;
    case 'I': return BAM_CINS;
    default: return BAM_CDEL;
  }
}

/* Where M stands for all pairs. */
static uint32_t bam_run(cla_run_kind kind) {
  return kind == CLA_RUN_PAIR ? BAM_CMATCH : kind == CLA_RUN_QUERY ? BAM_CINS : BAM_CDEL;
}

/* Adds one operation to the MD tag: numbers of matches, the target's letter of every mismatch, '^' and the
 * target's letters of every deletion; a number stands between any two of them and at both ends. */
static int put_difference(kstring_t *text, const cigar_step *step, const uint8_t *target_codes,
                          int64_t *matches) {
  const uint8_t *letters = target_codes + step->target;
  int failed = 0;
  if (step->operation == '=') *matches += step->length;
  if (step->operation == 'X')
    for (int64_t letter = 0; letter < step->length; letter++) {
      failed |= kputll(*matches, text) | kputc(SEQUENCE_LETTERS[letters[letter]], text);
      *matches = 0;
    }
  if (step->operation == 'D') {
    failed |= kputll(*matches, text) | kputc('^', text);
    for (int64_t letter = 0; letter < step->length; letter++)
      failed |= kputc(SEQUENCE_LETTERS[letters[letter]], text);
    *matches = 0;
  }
  return failed;
}

static cla_status make_difference(sam_records *records, const cla_alignment *alignment, cla_error *error) {
  path_steps steps;
  cigar_step step;
  int64_t matches = 0;
  int failed = 0;
  const uint8_t *target_codes = sequence_codes(records->job->target);
  records->difference.l = 0;
  path_steps_begin(&steps, records->job, alignment, true);
  while (failed >= 0 && path_steps_next(&steps, &step))
    failed = put_difference(&records->difference, &step, target_codes, &matches);
  if (failed >= 0) failed = kputll(matches, &records->difference);
  return failed < 0 ? sam_out_of_memory(error) : CLA_OK;
}

static cla_status make_path(sam_records *records, const cla_alignment *alignment, uint32_t clip,
                            cla_error *error) {
  const cla_side *query = &alignment->query;
  const int64_t before = strand_query_start(alignment);
  const int64_t after = query->length - before - (query->stop - query->start);
  const write_job *job = records->job;
  const uint32_t *next = job->runs, *end = next ? next + alignment->run_count : NULL;
  path_steps steps;
  cigar_step step;
  records->cigar_count = 0;
  cla_status status = add_operation(records, before, clip, error);
  const bool plain = job->how->cigar == CLA_CIGAR_M;
  for (size_t i = 0; plain && (next ? next < end : i < alignment->run_count) && status == CLA_OK; i++) {
    const cla_run run = next ? packed_run_next(&next, end) : alignment->runs[i];
    status = add_operation(records, run.length, bam_run(run.kind), error);
  }
  path_steps_begin(&steps, job, alignment, false);
  while (!plain && status == CLA_OK && path_steps_next(&steps, &step))
    status = add_operation(records, step.length, bam_operation(step.operation), error);
  if (status == CLA_OK) status = add_operation(records, after, clip, error);
  return status == CLA_OK ? make_difference(records, alignment, error) : status;
}

/* Where a piece is, as an entry of an SA tag: the CIGAR has all its pairs in one operation, and what is more
 * in one of the sequences in a second one, as minimap2 shortens it. */
static cla_status make_place(char **out, const sam_records *records, const cla_alignment *alignment,
                             cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  const int64_t before = strand_query_start(alignment), letters = query->stop - query->start;
  const int64_t after = query->length - before - letters, more = letters - (target->stop - target->start);
  cla_statistics counts;
  kstring_t text = KS_INITIALIZE;
  cla_status status = job_count(&counts, records->job, alignment, error);
  if (status != CLA_OK) return status;
  int failed = ksprintf(&text, "%s,%lld,%c,", records->names.target, (long long)target->start + 1,
                        alignment->strand == CLA_STRAND_REVERSE ? '-' : '+');
  if (before > 0) failed |= ksprintf(&text, "%lldS", (long long)before);
  failed |= ksprintf(&text, "%lldM", (long long)smaller(letters, target->stop - target->start));
  if (more != 0)
    failed |= ksprintf(&text, "%lld%c", (long long)(more > 0 ? more : -more), more > 0 ? 'I' : 'D');
  if (after > 0) failed |= ksprintf(&text, "%lldS", (long long)after);
  failed |= ksprintf(&text, ",255,%lld;", (long long)(counts.mismatches + counts.gap_letters));
  *out = ks_release(&text);
  return failed < 0 || !*out ? sam_out_of_memory(error) : CLA_OK;
}

static cla_status make_places(sam_records *records, cla_error *error) {
  const write_job *job = records->job;
  cla_status status = CLA_OK;
  if (job->count < 2 || !job->in_pieces) return CLA_OK;
  status = allocate_zeros((void **)&records->places, (int64_t)job->count, sizeof *records->places, "SA tags",
                          error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = make_place(&records->places[index], records, job->alignments[index], error);
  return status;
}

/* The SA tag: where all other pieces are. */
static cla_status put_places(sam_records *records, cla_error *error) {
  kstring_t text = KS_INITIALIZE;
  if (!records->places) return CLA_OK;
  int failed = 0;
  for (size_t index = 0; index < records->job->count; index++)
    if (index + 1 != records->next) failed |= kputs(records->places[index], &text);
  if (failed >= 0 && text.l < INT32_MAX)
    failed = bam_aux_append(records->record, "SA", 'Z', (int)text.l + 1, (const uint8_t *)text.s);
  else
    failed = -1;
  ks_free(&text);
  return failed < 0 ? sam_out_of_memory(error) : CLA_OK;
}

static cla_status fill_record(sam_records *records, const cla_alignment *alignment, bool first,
                              cla_error *error) {
  cla_statistics counts = {0};
  bool empty = is_unmapped(alignment);
  strand_letters letters = strand_query(alignment, records->job->query);
  letters.reverse &= !empty;
  /* The part of the query that a further piece of one alignment aligns is its own. */
  const bool supplementary = !empty && !first && records->job->in_pieces;
  const int64_t start = supplementary ? strand_query_start(alignment) : 0;
  const int64_t shown =
      supplementary ? alignment->query.stop - alignment->query.start : alignment->query.length;
  uint16_t flag = empty ? BAM_FUNMAP : first ? 0 : supplementary ? BAM_FSUPPLEMENTARY : BAM_FSECONDARY;
  if (letters.reverse) flag |= BAM_FREVERSE;
  cla_status status = job_count(&counts, records->job, alignment, error);
  records->cigar_count = 0;
  put_letters(records, &letters, start, shown);
  if (status == CLA_OK && !empty)
    status = make_path(records, alignment, supplementary ? BAM_CHARD_CLIP : BAM_CSOFT_CLIP, error);
  if (status != CLA_OK) return status;
  if (bam_set1(records->record, strlen(records->names.query), records->names.query, flag,
               empty ? -1 : records->reference, empty ? -1 : alignment->target.start, empty ? 0 : 255,
               (size_t)records->cigar_count, records->cigar, -1, -1, 0, (size_t)shown, records->letters,
               put_qualities(records, letters.reverse, start, shown), 0) < 0)
    return sam_out_of_memory(error);
  if (empty) return CLA_OK;
  const int32_t units = alignment->scoring.units;
  size_t length = records->difference.l + 1;
  if (length > INT32_MAX ||
      bam_aux_update_int(records->record, "NM", counts.mismatches + counts.gap_letters) != 0 ||
      bam_aux_update_int(records->record, "AS", alignment->score) != 0 ||
      (units > 1 && bam_aux_update_int(records->record, "su", units) != 0) ||
      bam_aux_append(records->record, "MD", 'Z', (int)length, (const uint8_t *)records->difference.s) != 0)
    return sam_out_of_memory(error);
  return put_places(records, error);
}

cla_status sam_records_next(sam_records *records, cla_error *error) {
  const cla_alignment *alignment = records->job->alignments[records->next++];
  cla_status status = fill_record(records, alignment, !records->mapped, error);
  if (!is_unmapped(alignment)) records->mapped = true;
  return status;
}

static cla_status begin(sam_records *records, const write_job *job, cla_error *error) {
  cla_status status = name_pair_make(&records->names, job, error);
  if (status == CLA_OK)
    status = check_side(cla_sequence_length(job->target), records->names.target, "target", error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = check_alignment(job, job->alignments[index], error);
  if (status == CLA_OK && !records->shared) status = sam_header_begin(&records->header, error);
  if (status == CLA_OK)
    status = sam_header_target(&records->reference, records->header, records->names.target,
                               cla_sequence_length(job->target), error);
  if (status == CLA_OK && job->circular_target &&
      sam_hdr_update_line(records->header, "SQ", "SN", records->names.target, "TP", "circular", NULL) != 0)
    status = sam_out_of_memory(error);
  if (status == CLA_OK && !records->shared)
    status = sam_header_program(records->header, records->names.command, error);
  if (status == CLA_OK) status = make_letters(records, error);
  if (status == CLA_OK) status = make_places(records, error);
  if (status != CLA_OK) return status;
  records->record = bam_init1();
  return records->record ? CLA_OK : sam_out_of_memory(error);
}

cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error) {
  *records = (sam_records){.job = job};
  return begin(records, job, error);
}

cla_status sam_records_begin_shared(sam_records *records, const write_job *job, sam_hdr_t *header,
                                    cla_error *error) {
  *records = (sam_records){.job = job, .header = header, .shared = true};
  return begin(records, job, error);
}

void sam_records_end(sam_records *records) {
  name_pair_free(&records->names);
  free(records->letters);
  free(records->cigar);
  ks_free(&records->difference);
  for (size_t index = 0; records->places && index < records->job->count; index++)
    free(records->places[index]);
  free(records->places);
  bam_destroy1(records->record);
  if (!records->shared) sam_hdr_destroy(records->header);
}
