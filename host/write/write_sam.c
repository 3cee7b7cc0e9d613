#include <htslib/kstring.h>
#include <htslib/sam.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "clalign/version.h"
#include "result/alignment_count.h"
#include "result/cigar_reader.h"
#include "result/path_check.h"
#include "result/strand_view.h"
#include "seq/sequence.h"
#include "write/clean_text.h"
#include "write/writer.h"

#define NAME_LIMIT 254                  /* letters of a QNAME (SAM specification, section 1.4) */
#define OPERATION_LIMIT ((1 << 28) - 1) /* letters of a CIGAR operation (section 4.2) */

/* What all records share. */
typedef struct sam_writer {
  const write_job *job;
  sam_hdr_t *header;
  bam1_t *record;
  char *query_name, *target_name;
  char *letters; /* of the query on the alignment's strand, not zero-terminated */
  kstring_t line;
  uint32_t *cigar; /* of the current alignment */
  int64_t cigar_count, cigar_capacity;
  char *difference; /* of the current alignment: the MD tag */
  size_t difference_length;
} sam_writer;

static cla_status out_of_memory(cla_error *error) {
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
  if (letters > INT32_MAX)
    return error_set(error, CLA_ERROR_OPTION,
                     "SAM cannot hold the %s of %lld letters: its limit is %d; use the paf or json format",
                     role, (long long)letters, INT32_MAX);
  if (strlen(name ? name : "") > NAME_LIMIT)
    return error_set(
        error, CLA_ERROR_OPTION,
        "SAM cannot hold the %s's name of %zu letters: its limit is %d; shorten it in the input or "
        "use the paf or json format",
        role, strlen(name), NAME_LIMIT);
  return CLA_OK;
}

/* A reference or a read without letters has no alignment in SAM. */
static bool is_unmapped(const cla_alignment *alignment) {
  return path_is_empty(alignment) || alignment->query.length == 0 || alignment->target.length == 0;
}

/* All that SAM cannot hold is found before the first byte is written. */
static cla_status check_alignment(const write_job *job, const cla_alignment *alignment, cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  cigar_reader reader;
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
  cigar_reader_begin(&reader, alignment, job->query, job->target);
  while (status == CLA_OK && cigar_reader_next(&reader, &step))
    status = check_operation(step.length, "run", error);
  return status;
}

static cla_status make_header(sam_writer *writer, cla_error *error) {
  const int64_t target_length = cla_sequence_length(writer->job->target);
  char *command = NULL, length[32];
  cla_status status = CLA_OK;
  snprintf(length, sizeof length, "%lld", (long long)target_length);
  if (writer->job->command) status = clean_name(&command, writer->job->command, CLEAN_LINE, " ", error);
  if (status != CLA_OK) return status;
  writer->header = sam_hdr_init();
  bool failed =
      !writer->header || sam_hdr_add_line(writer->header, "HD", "VN", "1.6", "SO", "unknown", NULL) != 0 ||
      (target_length > 0 &&
       sam_hdr_add_line(writer->header, "SQ", "SN", writer->target_name, "LN", length, NULL) != 0) ||
      sam_hdr_add_line(writer->header, "PG", "ID", "clalign", "PN", "clalign", "VN", CLA_VERSION_STRING,
                       command ? "CL" : NULL, command, NULL) != 0;
  free(command);
  return failed ? out_of_memory(error) : CLA_OK;
}

/* SAM, and the alphabet of its letters, is for nucleotides. */
static cla_status check_alphabet(const write_job *job, cla_error *error) {
  const cla_alphabet kind = cla_sequence_alphabet(job->query);
  if (kind == CLA_ALPHABET_DNA) return CLA_OK;
  return error_set(
      error, CLA_ERROR_OPTION,
      "the format sam holds nucleotides only, not sequences of %s; use the format paf, json or pair",
      kind == CLA_ALPHABET_PROTEIN ? "proteins" : cla_alphabet_name(kind));
}

/* Room for them; each record has those of its strand. */
static cla_status make_letters(sam_writer *writer, cla_error *error) {
  return allocate_array((void **)&writer->letters, cla_sequence_length(writer->job->query), 1,
                        "a SAM record's letters", error);
}

static void put_letters(sam_writer *writer, const strand_letters *letters) {
  for (int64_t position = 0; position < letters->length; position++)
    writer->letters[position] = SEQUENCE_LETTERS[strand_code(letters, position)];
}

static cla_status add_operation(sam_writer *writer, int64_t length, uint32_t operation, cla_error *error) {
  if (length == 0) return CLA_OK;
  void *memory = writer->cigar;
  cla_status status = allocate_grow(&memory, &writer->cigar_capacity, writer->cigar_count + 1,
                                    sizeof *writer->cigar, "a SAM record's CIGAR", error);
  if (status != CLA_OK) return status;
  writer->cigar = memory;
  writer->cigar[writer->cigar_count++] = bam_cigar_gen((uint32_t)length, operation);
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

/* Adds one operation to the MD tag: numbers of matches, the target's letter of every mismatch, '^' and the
 * target's letters of every deletion; a number stands between any two of them and at both ends. */
static void print_difference(FILE *file, const cigar_step *step, const uint8_t *target_codes,
                             int64_t *matches) {
  const uint8_t *letters = target_codes + step->target;
  if (step->operation == '=') *matches += step->length;
  if (step->operation == 'X')
    for (int64_t letter = 0; letter < step->length; letter++) {
      fprintf(file, "%lld%c", (long long)*matches, SEQUENCE_LETTERS[letters[letter]]);
      *matches = 0;
    }
  if (step->operation == 'D') {
    fprintf(file, "%lld^", (long long)*matches);
    for (int64_t letter = 0; letter < step->length; letter++) fputc(SEQUENCE_LETTERS[letters[letter]], file);
    *matches = 0;
  }
}

static cla_status make_path(sam_writer *writer, const cla_alignment *alignment, cla_error *error) {
  const cla_side *query = &alignment->query;
  const int64_t before = strand_query_start(alignment);
  const int64_t after = query->length - before - (query->stop - query->start);
  cigar_reader reader;
  cigar_step step;
  int64_t matches = 0;
  free(writer->difference);
  writer->difference = NULL;
  writer->cigar_count = 0;
  FILE *difference = open_memstream(&writer->difference, &writer->difference_length);
  if (!difference) return out_of_memory(error);
  cla_status status = add_operation(writer, before, BAM_CSOFT_CLIP, error);
  cigar_reader_begin(&reader, alignment, writer->job->query, writer->job->target);
  while (status == CLA_OK && cigar_reader_next(&reader, &step)) {
    status = add_operation(writer, step.length, bam_operation(step.operation), error);
    print_difference(difference, &step, reader.target_codes, &matches);
  }
  if (status == CLA_OK) status = add_operation(writer, after, BAM_CSOFT_CLIP, error);
  fprintf(difference, "%lld", (long long)matches);
  bool failed = ferror(difference) != 0;
  if (fclose(difference) != 0) failed = true;
  return status == CLA_OK && failed ? out_of_memory(error) : status;
}

static cla_status fill_record(sam_writer *writer, const cla_alignment *alignment, bool first,
                              cla_error *error) {
  cla_statistics counts = {0};
  bool empty = is_unmapped(alignment);
  strand_letters letters = strand_query(alignment, writer->job->query);
  letters.reverse &= !empty;
  uint16_t flag = empty ? BAM_FUNMAP : first ? 0 : BAM_FSECONDARY;
  if (letters.reverse) flag |= BAM_FREVERSE;
  cla_status status = alignment_count(&counts, alignment, writer->job->query, writer->job->target, error);
  writer->cigar_count = 0;
  put_letters(writer, &letters);
  if (status == CLA_OK && !empty) status = make_path(writer, alignment, error);
  if (status != CLA_OK) return status;
  if (bam_set1(writer->record, strlen(writer->query_name), writer->query_name, flag, empty ? -1 : 0,
               empty ? -1 : alignment->target.start, empty ? 0 : 255, (size_t)writer->cigar_count,
               writer->cigar, -1, -1, 0, (size_t)alignment->query.length, writer->letters, NULL, 0) < 0)
    return out_of_memory(error);
  if (empty) return CLA_OK;
  const int32_t units = alignment->scoring.units;
  size_t length = writer->difference_length + 1;
  if (length > INT32_MAX ||
      bam_aux_update_int(writer->record, "NM", counts.mismatches + counts.gap_letters) != 0 ||
      bam_aux_update_int(writer->record, "AS", alignment->score) != 0 ||
      (units > 1 && bam_aux_update_int(writer->record, "su", units) != 0) ||
      bam_aux_append(writer->record, "MD", 'Z', (int)length, (const uint8_t *)writer->difference) != 0)
    return out_of_memory(error);
  return CLA_OK;
}

static cla_status write_records(sam_writer *writer, cla_error *error) {
  FILE *file = writer->job->file;
  const char *text = sam_hdr_str(writer->header);
  bool first = true;
  if (!text) return out_of_memory(error);
  fwrite(text, 1, sam_hdr_length(writer->header), file);
  for (size_t index = 0; index < writer->job->count && !ferror(file); index++) {
    const cla_alignment *alignment = writer->job->alignments[index];
    cla_status status = fill_record(writer, alignment, first, error);
    if (status != CLA_OK) return status;
    writer->line.l = 0;
    if (sam_format1(writer->header, writer->record, &writer->line) < 0) return out_of_memory(error);
    fwrite(writer->line.s, 1, writer->line.l, file);
    fputc('\n', file);
    if (!is_unmapped(alignment)) first = false;
  }
  return CLA_OK;
}

cla_status write_sam(const write_job *job, cla_error *error) {
  sam_writer writer = {.job = job};
  cla_status status = CLA_OK;
  const char *query_name = job->count > 0 ? job->alignments[0]->query.name : cla_sequence_name(job->query);
  const char *target_name = job->count > 0 ? job->alignments[0]->target.name : cla_sequence_name(job->target);
  status = check_alphabet(job, error);
  if (status == CLA_OK) status = check_side(cla_sequence_length(job->target), target_name, "target", error);
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = check_alignment(job, job->alignments[index], error);
  if (status == CLA_OK) status = clean_name(&writer.query_name, query_name, CLEAN_SAM_QUERY, "query", error);
  if (status == CLA_OK)
    status = clean_name(&writer.target_name, target_name, CLEAN_SAM_REFERENCE, "target", error);
  if (status == CLA_OK) status = make_header(&writer, error);
  if (status == CLA_OK) status = make_letters(&writer, error);
  if (status != CLA_OK) goto done;
  writer.record = bam_init1();
  status = writer.record ? write_records(&writer, error) : out_of_memory(error);
done:
  free(writer.query_name);
  free(writer.target_name);
  free(writer.letters);
  free(writer.cigar);
  free(writer.difference);
  ks_free(&writer.line);
  bam_destroy1(writer.record);
  sam_hdr_destroy(writer.header);
  return status;
}
