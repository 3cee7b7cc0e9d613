/* Makes the records of SAM and BAM. For the same fields, htslib would write the same bytes. */

#include "write/formats/sam_record.h"

#include <htslib/hts.h>
#include <htslib/hts_endian.h>
#include <htslib/kstring.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "seq/sequence.h"
#include "write/formats/certainty_tags.h"

#define NAME_LIMIT 254 /* maximum number of letters of a QNAME (SAM specification, section 1.4) */
#define OPERATION_LIMIT ((1 << 28) - 1) /* maximum number of letters of a CIGAR operation (section 4.2) */

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
  if (letters > INT32_MAX) {
    snprintf(what, sizeof what, "the %s", role);
    return short_record_check("sam", letters, what, error);
  }
  if (strlen(name ? name : "") > NAME_LIMIT)
    return error_set(
        error, CLA_ERROR_OPTION,
        "SAM cannot hold the %s's name of %zu letters: its limit is %d; shorten it in the input or "
        "use the paf or json format",
        role, strlen(name), NAME_LIMIT);
  return CLA_OK;
}

/* True if SAM cannot express the alignment: the read or the reference has no letters, or no letter of the
 * reference is aligned. SAM has no position after the reference's last letter. */
static bool is_unmapped(const cla_alignment *alignment) {
  return alignment->target.start == alignment->target.stop || alignment->query.length == 0;
}

/* Refuses an alignment that SAM cannot represent, before the first byte is written. */
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
  if (query->length <= OPERATION_LIMIT && target->length <= OPERATION_LIMIT) return status;
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

/* A record that is being made. */
typedef struct sam_record {
  const cla_alignment *alignment;
  const cla_certificate *certificate; /* NULL: none */
  bool empty;                         /* no letters are aligned */
  bool reverse;                       /* the query's reverse strand is written */
  int64_t start;                      /* position of the first query letter written, on that strand */
  int64_t shown;                      /* number of query letters written */
  int64_t unlike;                     /* value of the NM tag */
  size_t others;                      /* upper limit of the letters of the SA tag */
} sam_record;

/* Allocates room for `count` more operations. */
static cla_status reserve_operations(sam_records *records, int64_t count, cla_error *error) {
  void *memory = records->cigar;
  cla_status status = allocate_grow(&memory, &records->cigar_capacity, records->cigar_count + count,
                                    sizeof *records->cigar, "a SAM record's CIGAR", error);
  if (status == CLA_OK) records->cigar = memory;
  return status;
}

static cla_status add_operation(sam_records *records, int64_t length, uint32_t operation, cla_error *error) {
  if (length == 0) return CLA_OK;
  cla_status status = reserve_operations(records, 1, error);
  if (status == CLA_OK) records->cigar[records->cigar_count++] = bam_cigar_gen((uint32_t)length, operation);
  return status;
}

/* Adds the job's runs, which are already in BAM's form. */
static cla_status add_runs(sam_records *records, int64_t count, cla_error *error) {
  cla_status status = reserve_operations(records, count, error);
  if (status != CLA_OK || count == 0) return status;
  memcpy(records->cigar + records->cigar_count, records->job->runs, (size_t)count * sizeof *records->cigar);
  records->cigar_count += count;
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

/* Returns BAM's operation for a run, with M for all pairs. */
static uint32_t bam_run(cla_run_kind kind) {
  return kind == CLA_RUN_PAIR ? BAM_CMATCH : kind == CLA_RUN_QUERY ? BAM_CINS : BAM_CDEL;
}

/* Adds the path as operations M, I and D. */
static cla_status add_plain(sam_records *records, const cla_alignment *alignment, cla_error *error) {
  const uint32_t *next = records->job->runs, *end = next ? next + alignment->run_count : NULL;
  cla_status status = CLA_OK;
  for (size_t i = 0; (next ? next < end : i < alignment->run_count) && status == CLA_OK; i++) {
    const cla_run run = next ? packed_run_next(&next, end) : alignment->runs[i];
    status = add_operation(records, run.length, bam_run(run.kind), error);
  }
  return status;
}

static cla_status add_steps(sam_records *records, const cla_alignment *alignment, cla_error *error) {
  path_steps steps;
  cigar_step step;
  cla_status status = CLA_OK;
  path_steps_begin(&steps, records->job, alignment, false);
  while (status == CLA_OK && path_steps_next(&steps, &step))
    status = add_operation(records, step.length, bam_operation(step.operation), error);
  return status;
}

static cla_status make_path(sam_records *records, const cla_alignment *alignment, uint32_t clip,
                            cla_error *error) {
  const cla_side *query = &alignment->query;
  const int64_t before = strand_query_start(alignment);
  const int64_t after = query->length - before - (query->stop - query->start);
  const write_job *job = records->job;
  cla_status status = add_operation(records, before, clip, error);
  if (status == CLA_OK)
    status = job->how->cigar == CLA_CIGAR_M ? add_plain(records, alignment, error)
             : job->runs                    ? add_runs(records, (int64_t)alignment->run_count, error)
                                            : add_steps(records, alignment, error);
  return status == CLA_OK ? add_operation(records, after, clip, error) : status;
}

/* Makes an entry of an SA tag. The entry's CIGAR is short, like that of minimap2: one operation for all
 * pairs, and one for the difference in length of the two sequences. */
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
  status = ALLOCATE_ZEROS(&records->places, (int64_t)job->count, "SA tags", error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = make_place(&records->places[index], records, job->alignments[index], error);
  return status;
}

static char *put_text(char *to, const char *text) {
  while (*text) *to++ = *text++;
  return to;
}

/* Writes the query's letters in upper case. */
static char *put_letters(char *to, const sam_records *records, const sam_record *it) {
  const cla_sequence *query = records->job->query;
  const uint8_t *codes = sequence_codes(query);
  const int64_t last = cla_sequence_length(query) - 1 - it->start;
  if (!it->reverse) (void)letter_codes_spell(to, sequence_alphabet(query), codes + it->start, it->shown);
  for (int64_t i = 0; it->reverse && i < it->shown; i++)
    to[i] = SEQUENCE_LETTERS[nucleotide_complement[codes[last - i]]];
  return to + it->shown;
}

/* Writes each of the query's letters in half a byte, with one bit per base. */
static char *put_halves(char *to, const sam_records *records, const sam_record *it) {
  strand_letters letters = strand_query(it->alignment, records->job->query);
  letters.reverse = it->reverse;
  for (int64_t i = 0; i < it->shown; i += 2) {
    const uint32_t low = i + 1 < it->shown ? nucleotide_bases[strand_code(&letters, it->start + i + 1)] : 0;
    *to++ = (char)((uint32_t)nucleotide_bases[strand_code(&letters, it->start + i)] << 4 | low);
  }
  return to;
}

/* Writes the query's qualities, each plus `zero`. */
static char *put_qualities(char *to, const sam_records *records, const sam_record *it, int zero) {
  const uint8_t *qualities = sequence_qualities(records->job->query);
  const int64_t last = cla_sequence_length(records->job->query) - 1 - it->start;
  if (it->reverse)
    for (int64_t i = 0; i < it->shown; i++) to[i] = (char)(qualities[last - i] + zero);
  else
    for (int64_t i = 0; i < it->shown; i++) to[i] = (char)(qualities[it->start + i] + zero);
  return to + it->shown;
}

/* Writes the text of the MD tag: for each mismatch the target's letter, for each deletion '^' and the
 * target's letters. Between these parts, and at both ends, the text has the number of matches. */
static char *put_difference(char *to, const write_job *job, const cla_alignment *alignment) {
  const uint8_t *target_codes = sequence_codes(job->target);
  path_steps steps;
  cigar_step step;
  int64_t matches = 0;
  path_steps_begin(&steps, job, alignment, true);
  while (path_steps_next(&steps, &step)) {
    const uint8_t *letters = target_codes + step.target;
    if (step.operation == '=') matches += step.length;
    if (step.operation == '=' || step.operation == 'I') continue;
    to = put_number(to, matches);
    if (step.operation == 'D') *to++ = '^';
    *to++ = SEQUENCE_LETTERS[letters[0]];
    for (int64_t i = 1; i < step.length; i++) {
      if (step.operation == 'X') *to++ = '0';
      *to++ = SEQUENCE_LETTERS[letters[i]];
    }
    matches = 0;
  }
  return put_number(to, matches);
}

/* Writes a tag in the same integer type that htslib would use. */
static char *put_number_tag(char *to, bool binary, const char *tag, int64_t value) {
  if (!binary) {
    *to++ = '\t';
    return put_number(put_text(put_text(to, tag), ":i:"), value);
  }
  to = put_text(to, tag);
  const bool below = value < 0;
  const int bytes = value < INT16_MIN            ? 4
                    : value < INT8_MIN           ? 2
                    : below || value < UINT8_MAX ? 1
                    : value < UINT16_MAX         ? 2
                                                 : 4;
  *to++ = bytes == 4 ? (below ? 'i' : 'I') : bytes == 2 ? (below ? 's' : 'S') : (below ? 'c' : 'C');
  uint8_t number[4];
  u32_to_le((uint32_t)value, number);
  memcpy(to, number, (size_t)bytes);
  return to + bytes;
}

static char *begin_text_tag(char *to, bool binary, const char *tag) {
  if (!binary) *to++ = '\t';
  return put_text(put_text(to, tag), binary ? "Z" : ":Z:");
}

/* Writes the tags of a certificate. */
static char *put_certainty(char *to, const sam_records *records, const cla_certificate *certificate) {
  const bool binary = records->binary;
  if (!binary) {
    to = put_real(put_text(to, "\tna:f:"), certificate->log10_alignments);
  } else {
    float_to_le((float)certificate->log10_alignments, (uint8_t *)put_text(to, "naf"));
    to += 7;
  }
  to = put_number_tag(to, binary, "am", certificate->ambiguous);
  to = put_number_tag(to, binary, "un", certificate->unique);
  to = begin_text_tag(to, binary, "mg");
  if (records->margins.used > 0) memcpy(to, records->margins.bytes, records->margins.used);
  to += records->margins.used;
  if (binary) *to++ = '\0';
  return to;
}

static char *put_tags(char *to, const sam_records *records, const sam_record *it) {
  const bool binary = records->binary;
  const cla_alignment *alignment = it->alignment;
  to = put_number_tag(to, binary, "NM", it->unlike);
  to = put_number_tag(to, binary, "AS", alignment->score);
  if (alignment->scoring.units > 1) to = put_number_tag(to, binary, "su", alignment->scoring.units);
  to = put_difference(begin_text_tag(to, binary, "MD"), records->job, alignment);
  if (binary) *to++ = '\0';
  if (it->certificate) to = put_certainty(to, records, it->certificate);
  if (!records->places) return to;
  to = begin_text_tag(to, binary, "SA");
  for (size_t index = 0; index < records->job->count; index++)
    if (index + 1 != records->next) to = put_text(to, records->places[index]);
  if (binary) *to++ = '\0';
  return to;
}

static char *put_line(char *to, const sam_records *records, const sam_record *it) {
  to = put_text(to, records->names.query);
  *to++ = '\t';
  to = put_number(to, records->flag);
  *to++ = '\t';
  to = put_text(to, it->empty ? "*" : records->names.target);
  *to++ = '\t';
  to = put_number(to, it->empty ? 0 : it->alignment->target.start + 1);
  to = put_text(to, it->empty ? "\t0\t" : "\t255\t");
  for (int64_t i = 0; i < records->cigar_count; i++) {
    to = put_number(to, bam_cigar_oplen(records->cigar[i]));
    *to++ = PACKED_OPERATIONS[bam_cigar_op(records->cigar[i])];
  }
  if (records->cigar_count == 0) *to++ = '*';
  to = put_text(to, "\t*\t0\t0\t");
  if (it->shown > 0)
    to = put_letters(to, records, it);
  else
    *to++ = '*';
  *to++ = '\t';
  if (it->shown > 0 && sequence_qualities(records->job->query))
    to = put_qualities(to, records, it, '!');
  else
    *to++ = '*';
  if (!it->empty) to = put_tags(to, records, it);
  *to++ = '\n';
  return to;
}

static char *put_word(char *to, uint32_t word) {
  u32_to_le(word, (uint8_t *)to);
  return to + 4;
}

/* Returns the number of target letters in the CIGAR, at least 1. */
static int64_t reference_letters(const sam_record *it) {
  const int64_t letters = it->empty ? 0 : it->alignment->target.stop - it->alignment->target.start;
  return letters > 0 ? letters : 1;
}

/* True if the CIGAR has more operations than a record can count. Then a tag has the operations, and the
 * record's CIGAR has only the numbers of letters (SAM specification, section 4.2.2). */
static bool has_long_cigar(const sam_records *records) {
  return records->cigar_count > UINT16_MAX;
}

static char *put_cigar(char *to, const sam_records *records) {
  for (int64_t i = 0; i < records->cigar_count; i++) to = put_word(to, records->cigar[i]);
  return to;
}

static char *put_bytes(char *to, const sam_records *records, const sam_record *it) {
  char *const begin = to;
  const int64_t position = it->empty ? -1 : it->alignment->target.start;
  const int64_t reference = reference_letters(it);
  const uint32_t bin = (uint16_t)hts_reg2bin(position, position + reference, 14, 5);
  const bool tagged = has_long_cigar(records);
  to = put_word(to + 4, (uint32_t)(it->empty ? -1 : records->reference));
  to = put_word(to, (uint32_t)position);
  to = put_word(to, bin << 16 | (it->empty ? 0u : 255u) << 8 | (uint32_t)(strlen(records->names.query) + 1));
  to = put_word(to, (uint32_t)records->flag << 16 | (tagged ? 2 : (uint32_t)records->cigar_count));
  to = put_word(to, (uint32_t)it->shown);
  to = put_word(put_word(put_word(to, UINT32_MAX), UINT32_MAX), 0);
  to = put_text(to, records->names.query);
  *to++ = '\0';
  if (tagged) {
    to = put_word(to, bam_cigar_gen((uint32_t)it->shown, BAM_CSOFT_CLIP));
    to = put_word(to, bam_cigar_gen((uint32_t)reference, BAM_CREF_SKIP));
  } else {
    to = put_cigar(to, records);
  }
  to = put_halves(to, records, it);
  if (sequence_qualities(records->job->query))
    to = put_qualities(to, records, it, 0);
  else
    to = (char *)memset(to, 0xff, (size_t)it->shown) + it->shown;
  if (!it->empty) to = put_tags(to, records, it);
  if (tagged) to = put_cigar(put_word(put_text(to, "CGBI"), (uint32_t)records->cigar_count), records);
  u32_to_le((uint32_t)(to - begin - 4), (uint8_t *)begin);
  return to;
}

/* Makes the text of the record's margins. */
static cla_status make_margins(sam_records *records, const sam_record *it, cla_error *error) {
  records->margins.used = 0;
  if (it->certificate) margins_text_make(&records->margins, it->certificate, it->alignment);
  return records->margins.failed ? sam_out_of_memory(error) : CLA_OK;
}

/* Starts a record: sets its letters, its flag and its CIGAR. */
static cla_status begin_record(sam_record *it, sam_records *records, size_t index, cla_error *error) {
  const cla_alignment *alignment = records->job->alignments[index];
  cla_statistics counts = {0};
  const bool empty = is_unmapped(alignment), first = !records->mapped;
  /* except for the first piece of an alignment, a record has only the query letters that its piece aligns */
  const bool supplementary = !empty && !first && records->job->in_pieces;
  *it = (sam_record){
      .alignment = alignment,
      .certificate = job_certificate(records->job, index),
      .empty = empty,
      .reverse = !empty && alignment->strand == CLA_STRAND_REVERSE,
      .start = supplementary ? strand_query_start(alignment) : 0,
      .shown = supplementary ? alignment->query.stop - alignment->query.start : alignment->query.length};
  const int flag = empty ? BAM_FUNMAP : first ? 0 : supplementary ? BAM_FSUPPLEMENTARY : BAM_FSECONDARY;
  records->flag = (uint16_t)(flag | (it->reverse ? BAM_FREVERSE : 0));
  records->cigar_count = 0;
  records->mapped |= !empty;
  cla_status status = job_count(&counts, records->job, alignment, error);
  if (status == CLA_OK && !empty)
    status = make_path(records, alignment, supplementary ? BAM_CHARD_CLIP : BAM_CSOFT_CLIP, error);
  it->unlike = counts.mismatches + counts.gap_letters;
  for (size_t i = 0; records->places && i < records->job->count; i++)
    it->others += strlen(records->places[i]);
  return status == CLA_OK ? make_margins(records, it, error) : status;
}

/* Returns an upper limit of a record's bytes. The MD tag has at most three letters for each letter of the
 * target, because a number of matches has at most as many digits as matches. */
static size_t bytes_most(const sam_records *records, const sam_record *it) {
  const cla_side *target = &it->alignment->target;
  return strlen(records->names.query) + strlen(records->names.target) + it->others + records->margins.used +
         3 * (size_t)(target->stop - target->start) + 2 * (size_t)it->shown +
         (TEXT_NUMBER_MOST + 1) * (size_t)records->cigar_count + 256;
}

cla_status sam_records_next(text_memory *out, sam_records *records, cla_error *error) {
  sam_record it;
  cla_status status = begin_record(&it, records, records->next++, error);
  if (status != CLA_OK) return status;
  /* htslib could not read larger records. */
  const size_t bytes =
      4 * (size_t)records->cigar_count + 3 * ((size_t)it.shown / 2) + it.others + records->margins.used;
  const bool fits = bytes < INT32_MAX && (!records->binary || !has_long_cigar(records) ||
                                          reference_letters(&it) <= OPERATION_LIMIT);
  char *to = fits ? text_memory_room(out, bytes_most(records, &it)) : NULL;
  if (!to) return sam_out_of_memory(error);
  const char *end = records->binary ? put_bytes(to, records, &it) : put_line(to, records, &it);
  if (end - to > UINT32_MAX || (records->binary && end - to > INT32_MAX)) return sam_out_of_memory(error);
  out->used += (size_t)(end - to);
  return CLA_OK;
}

cla_status sam_records_begin(sam_records *records, const write_job *job, cla_error *error) {
  records->job = job;
  records->next = 0;
  records->mapped = false;
  cla_status status = name_pair_make(&records->names, job, error);
  if (status == CLA_OK)
    status = check_side(cla_sequence_length(job->target), records->names.target, "target", error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = check_alignment(job, job->alignments[index], error);
  if (status == CLA_OK) status = sequence_whole_check(job->query, "SAM", error);
  return status == CLA_OK ? make_places(records, error) : status;
}

void sam_records_end(sam_records *records) {
  name_pair_free(&records->names);
  for (size_t index = 0; records->places && index < records->job->count; index++)
    free(records->places[index]);
  free(records->places);
  records->places = NULL;
}

void sam_records_free(sam_records *records) {
  free(records->cigar);
  free(records->margins.bytes);
}
