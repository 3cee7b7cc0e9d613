/* Writes the head, and then the waiting records. If a query has several records, their flags and qualities
 * are set while they are copied. */

#include <errno.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/allocate.h"
#include "base/extremes.h"
#include "write/spooled_body.h"

/* The records that change, in the order of the output. */
typedef struct changes {
  query_hit *hits; /* mapped from a file */
  int64_t count;
  size_t bytes; /* size of the mapped file in bytes */
} changes;

/* Bits of the filter per hit. About one of BITS_OF_HIT hits passes the filter by chance. */
#define BITS_OF_HIT 16
#define BITS_MOST (INT64_C(1) << 32)

/* Two sets of bits: the bits that were set at least once, and the bits that were set at least twice. */
typedef struct hit_filter {
  uint64_t *once, *twice;
  uint64_t last; /* index of the last bit, 2^n - 1 */
} hit_filter;

static cla_status filter_open(hit_filter *filter, int64_t hits, cla_error *error) {
  int64_t bits = 64;
  while (bits < BITS_OF_HIT * hits && bits < BITS_MOST) bits *= 2;
  *filter = (hit_filter){.last = (uint64_t)bits - 1};
  cla_status status = ALLOCATE_ZEROS(&filter->once, bits / 64, "records' queries", error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&filter->twice, bits / 64, "records' queries", error);
  return status;
}

static void filter_add(hit_filter *filter, const query_hit *hit) {
  const uint64_t bit = hit->query.value[0] & filter->last, mask = UINT64_C(1) << bit % 64;
  filter->twice[bit / 64] |= filter->once[bit / 64] & mask;
  filter->once[bit / 64] |= mask;
}

static bool filter_passes(const hit_filter *filter, const query_hit *hit) {
  const uint64_t bit = hit->query.value[0] & filter->last;
  return filter->twice[bit / 64] >> bit % 64 & 1;
}

static int compare_orders(const void *left, const void *right) {
  const query_hit *one = left, *other = right;
  return one->order < other->order ? -1 : one->order > other->order;
}

/* Removes all hits except those of queries with several hits, and a few others that pass the filter by
 * chance. */
static cla_status keep_repeated(query_hit *hits, int64_t *count, cla_error *error) {
  hit_filter filter;
  int64_t kept = 0;
  cla_status status = filter_open(&filter, *count, error);
  for (int64_t i = 0; i < *count && status == CLA_OK; i++)
    if (hits[i].order != NO_RECORD) filter_add(&filter, &hits[i]);
  for (int64_t i = 0; i < *count && status == CLA_OK; i++)
    if (hits[i].order != NO_RECORD && filter_passes(&filter, &hits[i])) hits[kept++] = hits[i];
  *count = kept;
  free(filter.once);
  free(filter.twice);
  return status;
}

/* Finds the records that change, after all records have been added. The hits remain on the disk, because
 * there may be millions. */
static cla_status find_changes(changes *out, const spooled_body *body, cla_error *error) {
  const off_t bytes = ftello(body->hits);
  int64_t count = (int64_t)bytes / (int64_t)sizeof(query_hit), kept = 0;
  if (count == 0) return CLA_OK;
  if (fflush(body->hits) != 0) return spooled_cannot_write(body, errno, error);
  query_hit *hits = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(body->hits), 0);
  if (hits == MAP_FAILED) return spooled_cannot_write(body, errno, error);
  *out = (changes){.hits = hits, .bytes = (size_t)bytes};
  cla_status status = keep_repeated(hits, &count, error);
  if (status != CLA_OK) return status;
  query_hits_rank(hits, count);
  for (int64_t i = 0; i < count; i++)
    if (hits[i].role != HIT_PRIMARY || !hits[i].first || hits[i].rivals > 0) hits[kept++] = hits[i];
  out->count = kept;
  if (kept > 0) qsort(hits, (size_t)kept, sizeof *hits, compare_orders);
  return CLA_OK;
}

/* Returns SAM's mapping quality, from the probability that this place is the right one among equally good
 * places; 255 if no equally good place is known. */
static uint8_t mapping_quality(const query_hit *hit) {
  if (hit->empty || hit->role == HIT_SECONDARY) return 0;
  if (hit->rivals == 0) return 255;
  return (uint8_t)lround(-10 * log10(1 - 1 / (double)(hit->rivals + 1)));
}

static uint16_t changed_flag(const query_hit *hit, uint16_t flag) {
  static const uint16_t flags[] = {
      [HIT_SUPPLEMENTARY] = BAM_FSUPPLEMENTARY, [HIT_SECONDARY] = BAM_FSECONDARY};
  flag &= (uint16_t) ~(BAM_FSECONDARY | BAM_FSUPPLEMENTARY);
  return hit->role == HIT_PRIMARY ? flag : (uint16_t)(flag | flags[hit->role]);
}

/* Size in bytes of a piece of the waiting records. */
#define PIECE_BYTES (1 << 20)

typedef struct record_copy {
  const spooled_body *body;
  FILE *file;       /* the output of SAM and VCF */
  struct BGZF *bam; /* the output of BAM; NULL: `file` */
  char *piece;      /* owned; bytes `at` to `end` of `piece` are next */
  size_t at, end;
  int64_t place; /* position of the next byte in the file of waiting records */
} record_copy;

/* Reads until `piece` contains `wanted` bytes, or all remaining bytes. Sets *has to the number of bytes in
 * `piece`. */
static cla_status look(size_t *has, record_copy *copy, size_t wanted, cla_error *error) {
  errno = 0;
  if (copy->end - copy->at < wanted) {
    memmove(copy->piece, copy->piece + copy->at, copy->end - copy->at);
    copy->end -= copy->at;
    copy->at = 0;
    copy->end += fread(copy->piece + copy->end, 1, PIECE_BYTES - copy->end, copy->body->spool);
    if (ferror(copy->body->spool)) return spooled_cannot_write(copy->body, errno, error);
  }
  *has = copy->end - copy->at;
  return CLA_OK;
}

static void skip(record_copy *copy, size_t count) {
  copy->at += count;
  copy->place += (int64_t)count;
}

/* Sets and returns the error of the output, which may have occurred in a thread of htslib. */
static cla_status cannot_write(const record_copy *copy, cla_error *error) {
  const int seen = copy->bam ? herrno(copy->bam->fp) : 0;
  return spooled_cannot_write(copy->body, seen ? seen : errno, error);
}

static cla_status put(record_copy *copy, const char *bytes, size_t count, cla_error *error) {
  errno = 0;
  const bool right = copy->bam ? bgzf_write(copy->bam, bytes, count) == (ssize_t)count
                               : fwrite(bytes, 1, count, copy->file) == count;
  return right ? CLA_OK : cannot_write(copy, error);
}

/* Copies the bytes up to a place, or skips them if `left_out` is set. */
static cla_status go_to(record_copy *copy, int64_t place, bool left_out, cla_error *error) {
  cla_status status = CLA_OK;
  while (status == CLA_OK && copy->place < place) {
    size_t has = 0;
    status = look(&has, copy, 1, error);
    if (status == CLA_OK && has == 0) return spooled_cannot_write(copy->body, 0, error);
    if ((int64_t)has > place - copy->place) has = (size_t)(place - copy->place);
    if (status == CLA_OK && !left_out) status = put(copy, copy->piece + copy->at, has, error);
    if (status == CLA_OK) skip(copy, has);
  }
  return status;
}

/* Upper limit of the bytes of SAM's first five columns: two names of 254 letters, and three numbers. */
#define FIRST_COLUMNS_MOST 1024

/* Copies the start of the next line, changing its flags and quality. */
static cla_status change_line(record_copy *copy, const query_hit *hit, cla_error *error) {
  char text[FIRST_COLUMNS_MOST];
  const char *columns[6] = {0};
  size_t has = 0;
  cla_status status = look(&has, copy, FIRST_COLUMNS_MOST, error);
  if (status != CLA_OK) return status;
  const char *next = columns[0] = copy->piece + copy->at, *end = next + has;
  for (int i = 1; i < 6; i++) {
    next = memchr(next, '\t', (size_t)(end - next));
    if (!next) return spooled_cannot_write(copy->body, 0, error);
    columns[i] = ++next;
  }
  const int flag = changed_flag(hit, (uint16_t)strtol(columns[1], NULL, 10));
  const int length =
      snprintf(text, sizeof text, "%.*s%d\t%.*s%d\t", (int)(columns[1] - columns[0]), columns[0], flag,
               (int)(columns[4] - columns[2]), columns[2], mapping_quality(hit));
  status = put(copy, text, (size_t)length, error);
  skip(copy, (size_t)(columns[5] - columns[0]));
  return status;
}

static cla_status pass_line(record_copy *copy, cla_error *error) {
  for (;;) {
    size_t has = 0;
    cla_status status = look(&has, copy, 1, error);
    if (status != CLA_OK || has == 0) return status;
    const char *end = memchr(copy->piece + copy->at, '\n', has);
    skip(copy, end ? (size_t)(end + 1 - copy->piece) - copy->at : has);
    if (end) return CLA_OK;
  }
}

static cla_status copy_lines(record_copy *copy, const changes *all, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < all->count && status == CLA_OK; i++) {
    const query_hit *hit = &all->hits[i];
    status = go_to(copy, hit->order, false, error);
    if (status == CLA_OK)
      status = hit->role == HIT_NONE ? pass_line(copy, error) : change_line(copy, hit, error);
  }
  return status == CLA_OK ? go_to(copy, copy->body->bytes, false, error) : status;
}

/* Copies BAM's records. BAM keeps each record in one block if it fits. */
static cla_status copy_bam_records(record_copy *copy, const changes *all, cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t next = 0; status == CLA_OK && copy->place < copy->body->bytes;) {
    size_t has = 0;
    status = look(&has, copy, BAM_HEAD_BYTES, error);
    if (status == CLA_OK && has < BAM_HEAD_BYTES) status = spooled_cannot_write(copy->body, 0, error);
    if (status != CLA_OK) break;
    uint8_t *head = (uint8_t *)copy->piece + copy->at;
    const size_t bytes = 4 + (size_t)le_to_u32(head);
    const query_hit *hit =
        next < all->count && all->hits[next].order == copy->place ? &all->hits[next++] : NULL;
    const bool left_out = hit && hit->role == HIT_NONE;
    if (hit && !left_out) {
      u16_to_le(changed_flag(hit, le_to_u16(head + BAM_FLAG_AT)), head + BAM_FLAG_AT);
      head[BAM_QUALITY_AT] = mapping_quality(hit);
    }
    errno = 0;
    if (!left_out && bgzf_flush_try(copy->bam, (ssize_t)bytes) != 0) status = cannot_write(copy, error);
    if (status == CLA_OK) status = go_to(copy, copy->place + (int64_t)bytes, left_out, error);
  }
  return status;
}

static cla_status copy_records(record_copy *copy, cla_error *error) {
  changes all = {.count = 0};
  cla_status status = ALLOCATE_ARRAY(&copy->piece, PIECE_BYTES, "records", error);
  if (status == CLA_OK && copy->body->hits) status = find_changes(&all, copy->body, error);
  errno = 0;
  if (status == CLA_OK && fseeko(copy->body->spool, 0, SEEK_SET) != 0)
    status = spooled_cannot_write(copy->body, errno, error);
  if (status == CLA_OK)
    status = copy->bam ? copy_bam_records(copy, &all, error) : copy_lines(copy, &all, error);
  const int error_number = errno;
  if (all.hits) munmap(all.hits, all.bytes);
  free(copy->piece);
  errno = error_number;
  return status;
}

/* Largest number of blocks that htslib's threads may have compressed before they are written. */
#define BLOCKS_TOGETHER 256

static cla_status write_bam_body(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  record_copy copy = {.body = body};
  cla_status status = bam_output_open(&copy.bam, file, &body->targets, command, error);
  if (status == CLA_OK && body->threads > 1 && bgzf_mt(copy.bam, body->threads, BLOCKS_TOGETHER) != 0)
    status = sam_out_of_memory(error);
  if (status == CLA_OK)
    status = copy_records(&copy, error);
  else if (status == CLA_ERROR_OUTPUT)
    status = spooled_cannot_write(body, errno, error);
  if (status == CLA_OK && bgzf_flush(copy.bam) != 0) status = cannot_write(&copy, error);
  const int error_number = errno;
  errno = 0;
  if (copy.bam && bgzf_close(copy.bam) != 0 && status == CLA_OK)
    return spooled_cannot_write(body, errno, error);
  errno = error_number;
  return status;
}

static cla_status write_sam_body(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  text_memory head = {.bytes = NULL};
  cla_status status = sam_head_make(&head, &body->targets, command, error);
  if (status == CLA_OK) fwrite(head.bytes, 1, head.used, file);
  free(head.bytes);
  return status == CLA_OK ? copy_records(&(record_copy){.body = body, .file = file}, error) : status;
}

cla_status spooled_body_write(spooled_body *body, FILE *file, const char *command, cla_error *error) {
  errno = 0;
  if (fflush(body->spool) != 0) return spooled_cannot_write(body, errno, error);
  body->bytes = (int64_t)ftello(body->spool);
  if (body->format == CLA_FORMAT_BAM) return write_bam_body(body, file, command, error);
  if (body->format == CLA_FORMAT_SAM) return write_sam_body(body, file, command, error);
  write_vcf_head(file, command, &body->targets, body->certified);
  return copy_records(&(record_copy){.body = body, .file = file}, error);
}
