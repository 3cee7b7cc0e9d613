#include "write/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/kstring.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "seq/sequence_input.h"
#include "write/sam_record.h"

/* A file of htslib's, and the descriptor to which it writes. */
typedef struct block_file {
  BGZF *stream;
  int descriptor;
} block_file;

struct spooled_body {
  cla_format format;
  FILE *spool;
  block_file records; /* BAM's, in blocks that are not compressed, into the spool */
  sam_hdr_t *head;    /* the targets so far; VCF's too */
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

/* htslib reads or writes a descriptor: a copy of the stream's, which it closes. `mode` as for bgzf_open. */
static cla_status open_copy(block_file *out, const spooled_body *body, FILE *file, const char *mode,
                            cla_error *error) {
  errno = 0;
  if (fflush(file) != 0) return cannot_write(body, errno, error);
  const int copy = dup(fileno(file));
  hFILE *raw = copy >= 0 ? hdopen(copy, *mode == 'r' ? "r" : "w") : NULL;
  if (!raw) {
    const int number = errno;
    if (copy >= 0) close(copy);
    return cannot_write(body, number, error);
  }
  *out = (block_file){.stream = bgzf_hopen(raw, mode), .descriptor = copy};
  if (out->stream) return CLA_OK;
  hclose_abruptly(raw);
  return sam_out_of_memory(error);
}

/* Of a file that is not wanted any more. Where htslib cannot write the rest it frees nothing: so the rest
 * goes nowhere. */
static void abandon(block_file *file) {
  const int nowhere = file->stream ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
  if (nowhere >= 0) {
    dup2(nowhere, file->descriptor);
    close(nowhere);
  }
  if (file->stream) {
    hclearerr(file->stream->fp);
    bgzf_close(file->stream);
  }
  file->stream = NULL;
}

/* Closes the file, whose content is complete unless `status` says otherwise. */
static cla_status finish(block_file *file, const spooled_body *body, cla_status status, cla_error *error) {
  errno = 0;
  if (!file->stream) return status;
  if (status == CLA_OK && (bgzf_flush(file->stream) < 0 || hflush(file->stream->fp) < 0))
    status = cannot_write(body, errno, error);
  if (status != CLA_OK) {
    const int error_number = errno;
    abandon(file);
    errno = error_number;
    return status;
  }
  const int closed = bgzf_close(file->stream);
  file->stream = NULL;
  return closed < 0 ? cannot_write(body, errno, error) : CLA_OK;
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
  if (status == CLA_OK && format == CLA_FORMAT_BAM)
    status = open_copy(&body->records, body, body->spool, "w0", error); /* with "wu" bam_write1 crashes */
  if (status == CLA_OK) status = sam_header_begin(&body->head, error);
  if (status == CLA_OK)
    *out = body;
  else
    spooled_body_free(body);
  return status;
}

void spooled_body_free(spooled_body *body) {
  if (!body) return;
  abandon(&body->records);
  if (body->spool) fclose(body->spool);
  sam_hdr_destroy(body->head);
  ks_free(&body->line);
  quiet_htslib_end();
  free(body);
}

static cla_status put_records(spooled_body *body, sam_records *records, cla_error *error) {
  for (size_t index = 0; index < records->job->count; index++) {
    cla_status status = sam_records_next(records, error);
    if (status != CLA_OK) return status;
    errno = 0;
    if (body->records.stream) {
      if (bam_write1(body->records.stream, records->record) < 0) return cannot_write(body, errno, error);
      continue;
    }
    body->line.l = 0;
    if (sam_format1(body->head, records->record, &body->line) < 0) return sam_out_of_memory(error);
    fwrite(body->line.s, 1, body->line.l, body->spool);
    fputc('\n', body->spool);
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
  cla_status status = name_pair_make(&names, job, CLEAN_COLUMN, CLEAN_SAM_REFERENCE, error);
  if (status == CLA_OK)
    status =
        sam_header_target(&number, body->head, names.target, cla_sequence_length(job->target), "VCF", error);
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

static cla_status write_head(const spooled_body *body, FILE *file, const char *command, cla_error *error) {
  if (body->format == CLA_FORMAT_VCF) {
    write_vcf_head(file, command, body->head);
    return CLA_OK;
  }
  cla_status status = sam_header_program(body->head, command, error);
  if (status != CLA_OK) return status;
  const char *text = sam_hdr_str(body->head);
  if (!text) return sam_out_of_memory(error);
  fwrite(text, 1, sam_hdr_length(body->head), file);
  return CLA_OK;
}

static cla_status write_bam_to(spooled_body *body, BGZF *bam, BGZF *records, const char *command,
                               cla_error *error) {
  char piece[65536];
  ssize_t length;
  cla_status status = sam_header_program(body->head, command, error);
  if (status != CLA_OK) return status;
  errno = 0;
  if (bam_hdr_write(bam, body->head) < 0) return cannot_write(body, errno, error);
  while ((length = bgzf_read(records, piece, sizeof piece)) > 0)
    if (bgzf_write(bam, piece, (size_t)length) < 0) return cannot_write(body, errno, error);
  return length < 0 ? cannot_write(body, errno, error) : CLA_OK;
}

static cla_status write_bam_body(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  block_file bam = {.stream = NULL}, records = {.stream = NULL};
  cla_status status = finish(&body->records, body, CLA_OK, error);
  if (status != CLA_OK) return status;
  if (fseeko(body->spool, 0, SEEK_SET) != 0) return cannot_write(body, errno, error);
  status = open_copy(&records, body, body->spool, "r", error);
  if (status == CLA_OK) status = open_copy(&bam, body, file, "w", error);
  if (status == CLA_OK) status = write_bam_to(body, bam.stream, records.stream, command, error);
  status = finish(&bam, body, status, error);
  const int error_number = errno;
  if (records.stream) bgzf_close(records.stream);
  errno = error_number;
  return status;
}

cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  char piece[65536];
  size_t length;
  errno = 0;
  if (fflush(body->spool) != 0) return cannot_write(body, errno, error);
  if (body->format == CLA_FORMAT_BAM) return write_bam_body(body, file, command, error);
  cla_status status = write_head(body, file, command, error);
  if (status != CLA_OK) return status;
  if (fseeko(body->spool, 0, SEEK_SET) != 0) return cannot_write(body, errno, error);
  while ((length = fread(piece, 1, sizeof piece, body->spool)) > 0)
    if (fwrite(piece, 1, length, file) < length) return cannot_write(body, errno, error);
  return ferror(body->spool) ? cannot_write(body, errno, error) : CLA_OK;
}
