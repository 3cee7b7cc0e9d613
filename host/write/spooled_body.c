#include "write/writer.h"

#include <errno.h>
#include <htslib/kstring.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "seq/sequence_input.h"
#include "write/hit_roles.h"
#include "write/sam_record.h"

/* SAM's and BAM's records wait as htslib has them in memory, because their flags depend on all records of
 * their query: first the core, then its data. */
struct spooled_body {
  cla_format format;
  FILE *spool;
  FILE *hits;      /* a query_hit for each record, in their order; NULL: VCF */
  sam_hdr_t *head; /* the targets so far; VCF's too */
  kstring_t line;
};

bool spooled_body_wanted(cla_format format) {
  return format == CLA_FORMAT_SAM || format == CLA_FORMAT_BAM || format == CLA_FORMAT_VCF;
}

static cla_status cannot_write(const spooled_body *body, int error_number, cla_error *error) {
  const int number = error_number ? error_number : EIO;
  cla_status status =
      error_set(error, CLA_ERROR_OUTPUT, "cannot write the %s output: %s; %s",
                cla_format_describe(body->format)->name, strerror(number), output_remedy(number));
  errno = number; /* a caller may want to end quietly on EPIPE */
  return status;
}

cla_status spooled_body_open(spooled_body **out, cla_format format, const char *beside, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_zeros(&memory, 1, sizeof(spooled_body), "an output", error);
  if (status != CLA_OK) return status;
  spooled_body *body = memory;
  body->format = format;
  quiet_htslib_begin();
  status = unnamed_file_open(&body->spool, beside, error);
  if (status == CLA_OK && format != CLA_FORMAT_VCF) status = unnamed_file_open(&body->hits, beside, error);
  if (status == CLA_OK) status = sam_header_begin(&body->head, error);
  if (status == CLA_OK)
    *out = body;
  else
    spooled_body_free(body);
  return status;
}

void spooled_body_free(spooled_body *body) {
  if (!body) return;
  if (body->spool) fclose(body->spool);
  if (body->hits) fclose(body->hits);
  sam_hdr_destroy(body->head);
  ks_free(&body->line);
  quiet_htslib_end();
  free(body);
}

static query_hit hit_of(const bam1_t *record, const cla_alignment *alignment, const cla_sequence *query,
                        int64_t place) {
  const bool empty = (record->core.flag & BAM_FUNMAP) != 0;
  return (query_hit){.query = record_key_of(alignment->query.name, query),
                     .from = empty ? 0 : alignment->query.start,
                     .to = empty ? 0 : alignment->query.stop,
                     .score = empty ? 0 : alignment->score,
                     .order = place,
                     .empty = empty,
                     .first = (record->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) == 0};
}

static cla_status put_records(spooled_body *body, sam_records *records, cla_error *error) {
  for (size_t index = 0; index < records->job->count; index++) {
    cla_status status = sam_records_next(records, error);
    if (status != CLA_OK) return status;
    const bam1_t *record = records->record;
    const query_hit hit =
        hit_of(record, records->job->alignments[index], records->job->query, ftello(body->spool));
    const int32_t length = record->l_data;
    errno = 0;
    fwrite(&record->core, sizeof record->core, 1, body->spool);
    fwrite(&length, sizeof length, 1, body->spool);
    fwrite(record->data, 1, (size_t)length, body->spool);
    fwrite(&hit, sizeof hit, 1, body->hits);
    if (ferror(body->hits)) return cannot_write(body, errno, error);
  }
  return CLA_OK;
}

static cla_status put_sam(spooled_body *body, const write_job *job, cla_error *error) {
  sam_records records;
  cla_status status = sam_records_begin_shared(&records, job, body->head, error);
  if (status == CLA_OK) status = put_records(body, &records, error);
  sam_records_end(&records);
  return status;
}

static cla_status put_vcf(spooled_body *body, const write_job *job, cla_error *error) {
  name_pair names;
  int number;
  cla_status status = name_pair_make(&names, job, error);
  if (status == CLA_OK)
    status = sam_header_target(&number, body->head, names.target, cla_sequence_length(job->target), error);
  name_pair_free(&names);
  return status == CLA_OK ? write_vcf(job, error) : status;
}

cla_status spooled_body_put(spooled_body *body, write_job *job, cla_error *error) {
  job->file = body->spool;
  errno = 0;
  cla_status status = body->format == CLA_FORMAT_VCF ? put_vcf(body, job, error) : put_sam(body, job, error);
  if (status == CLA_OK && ferror(body->spool)) status = cannot_write(body, errno, error);
  return status;
}

/* A record that is not written. */
#define LEFT_OUT 0xffff

/* The chance that the place is the right one among equals, as SAM has it; 255: nobody looked for others. */
static uint8_t mapping_quality(const query_hit *hit) {
  if (hit->role == HIT_SECONDARY) return 0;
  if (hit->rivals == 0) return 255;
  return (uint8_t)lround(-10 * log10(1 - 1 / (double)(hit->rivals + 1)));
}

static cla_status mark_record(const spooled_body *body, const query_hit *hit, cla_error *error) {
  static const uint16_t flags[] = {
      [HIT_SUPPLEMENTARY] = BAM_FSUPPLEMENTARY, [HIT_SECONDARY] = BAM_FSECONDARY};
  bam1_core_t core;
  const off_t place = (off_t)hit->order;
  if (hit->role == HIT_PRIMARY && hit->first && hit->rivals == 0) return CLA_OK; /* it is so */
  errno = 0;
  if (pread(fileno(body->spool), &core, sizeof core, place) != (ssize_t)sizeof core)
    return cannot_write(body, errno, error);
  core.flag = (uint16_t)(core.flag & ~(BAM_FSECONDARY | BAM_FSUPPLEMENTARY));
  core.flag = hit->role == HIT_NONE ? LEFT_OUT : (uint16_t)(core.flag | (hit->role ? flags[hit->role] : 0));
  core.qual = hit->empty ? 0 : mapping_quality(hit);
  if (pwrite(fileno(body->spool), &core, sizeof core, place) == (ssize_t)sizeof core) return CLA_OK;
  return cannot_write(body, errno, error);
}

/* Sets each record's flags, once all records are there. The hits stay on the disk: there may be millions. */
static cla_status mark_records(const spooled_body *body, cla_error *error) {
  const off_t bytes = ftello(body->hits);
  const int64_t count = (int64_t)bytes / (int64_t)sizeof(query_hit);
  cla_status status = CLA_OK;
  if (count == 0) return CLA_OK;
  if (fflush(body->hits) != 0) return cannot_write(body, errno, error);
  query_hit *hits = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(body->hits), 0);
  if (hits == MAP_FAILED) return cannot_write(body, errno, error);
  query_hits_rank(hits, count);
  for (int64_t i = 0; i < count && status == CLA_OK; i++) status = mark_record(body, &hits[i], error);
  munmap(hits, (size_t)bytes);
  return status;
}

/* The next record that is written; *found is false at the end. */
static cla_status read_record(bam1_t *record, bool *found, const spooled_body *body, cla_error *error) {
  int32_t length;
  do {
    *found = fread(&record->core, sizeof record->core, 1, body->spool) == 1;
    if (!*found) return ferror(body->spool) ? cannot_write(body, errno, error) : CLA_OK;
    if (fread(&length, sizeof length, 1, body->spool) != 1) return cannot_write(body, errno, error);
    if ((uint32_t)length > record->m_data) {
      uint8_t *data = realloc(record->data, (size_t)length);
      if (!data) return sam_out_of_memory(error);
      record->data = data;
      record->m_data = (uint32_t)length;
    }
    record->l_data = length;
    if (fread(record->data, 1, (size_t)length, body->spool) != (size_t)length)
      return cannot_write(body, errno, error);
  } while (record->core.flag == LEFT_OUT);
  return CLA_OK;
}

/* To `bam`, or where that is NULL as text to `file`. */
static cla_status write_record(spooled_body *body, FILE *file, htsFile *bam, const bam1_t *record,
                               cla_error *error) {
  errno = 0;
  if (bam) return sam_write1(bam, body->head, record) < 0 ? cannot_write(body, errno, error) : CLA_OK;
  body->line.l = 0;
  if (sam_format1(body->head, record, &body->line) < 0) return sam_out_of_memory(error);
  fwrite(body->line.s, 1, body->line.l, file);
  fputc('\n', file);
  return ferror(file) ? cannot_write(body, errno, error) : CLA_OK;
}

static cla_status write_records(spooled_body *body, FILE *file, htsFile *bam, cla_error *error) {
  bam1_t *record = bam_init1();
  bool found = true;
  cla_status status = record ? mark_records(body, error) : sam_out_of_memory(error);
  if (status == CLA_OK && fseeko(body->spool, 0, SEEK_SET) != 0) status = cannot_write(body, errno, error);
  while (status == CLA_OK) {
    status = read_record(record, &found, body, error);
    if (status != CLA_OK || !found) break;
    status = write_record(body, file, bam, record, error);
  }
  const int error_number = errno;
  bam_destroy1(record);
  errno = error_number;
  return status;
}

static cla_status write_bam_body(spooled_body *body, FILE *file, cla_error *error) {
  htsFile *bam = NULL;
  cla_status status = sam_open_bam(&bam, file, error);
  if (status != CLA_OK) return status == CLA_ERROR_OUTPUT ? cannot_write(body, errno, error) : status;
  if (sam_hdr_write(bam, body->head) < 0) status = cannot_write(body, errno, error);
  if (status == CLA_OK) status = write_records(body, NULL, bam, error);
  int error_number = errno;
  errno = 0;
  if (hts_close(bam) < 0 && status == CLA_OK) {
    status = cannot_write(body, errno, error);
    error_number = errno;
  }
  errno = error_number;
  return status;
}

static cla_status write_sam_body(spooled_body *body, FILE *file, cla_error *error) {
  const char *text = sam_hdr_str(body->head);
  if (!text) return sam_out_of_memory(error);
  fwrite(text, 1, sam_hdr_length(body->head), file);
  return write_records(body, file, NULL, error);
}

static cla_status write_vcf_body(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  char piece[65536];
  size_t length;
  write_vcf_head(file, command, body->head);
  if (fseeko(body->spool, 0, SEEK_SET) != 0) return cannot_write(body, errno, error);
  while ((length = fread(piece, 1, sizeof piece, body->spool)) > 0)
    if (fwrite(piece, 1, length, file) < length) return cannot_write(body, errno, error);
  return ferror(body->spool) ? cannot_write(body, errno, error) : CLA_OK;
}

cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  errno = 0;
  if (fflush(body->spool) != 0) return cannot_write(body, errno, error);
  if (body->format == CLA_FORMAT_VCF) return write_vcf_body(body, file, command, error);
  cla_status status = sam_header_program(body->head, command, error);
  if (status != CLA_OK) return status;
  return body->format == CLA_FORMAT_BAM ? write_bam_body(body, file, error)
                                        : write_sam_body(body, file, error);
}
