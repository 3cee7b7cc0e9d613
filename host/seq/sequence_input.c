#include "seq/sequence_input.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "seq/gzip_members.h"
#include "seq/sequence_internal.h"

/* Values of the field bgzf_compression. */
#define PLAIN_GZIP 1
#define BLOCKS_OF_BGZF 2

/* The place of a piece, which is the content of the buffer at one time. */
typedef struct input_piece {
  int64_t offset;    /* htslib's virtual offset of the first byte */
  bool after_return; /* value of the input's after_return at the start of the piece */
} input_piece;

typedef struct foreign_format {
  const char *magic;
  int64_t magic_length;
  const char *name, *remedy;
} foreign_format;

#define TO_FASTA "convert it with samtools fasta"
#define DECOMPRESS "decompress it, or compress it with gzip or bgzip instead"
#define EXTRACT "convert it to FASTA, for example with EMBOSS seqret"
#define NO_SEQUENCE "give a FASTA or FASTQ file"

/* SAM's header lines start with '@', like those of FASTQ; the tab distinguishes them. */
static const foreign_format formats[] = {
    {"@HD\t", 4, "a SAM file", TO_FASTA},
    {"@SQ\t", 4, "a SAM file", TO_FASTA},
    {"@RG\t", 4, "a SAM file", TO_FASTA},
    {"@PG\t", 4, "a SAM file", TO_FASTA},
    {"@CO\t", 4, "a SAM file", TO_FASTA},
    {"BAM\1", 4, "a BAM file", TO_FASTA},
    {"CRAM", 4, "a CRAM file", TO_FASTA},
    {"\x1f\x8b", 2, "a truncated gzip file", "get it again"},
    {"BZh", 3, "compressed by bzip2", DECOMPRESS},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", DECOMPRESS},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", DECOMPRESS},
    {"PK\3\4", 4, "a zip archive", DECOMPRESS},
    {"LOCUS  ", 7, "a GenBank file", EXTRACT},
    {"ID   ", 5, "an EMBL file", EXTRACT},
    {"CLUSTAL", 7, "a Clustal alignment", NO_SEQUENCE},
    {"\x43\x27\x41\x1a", 4, "a 2bit file", "convert it with twoBitToFa"},
    {"\x7f"
     "ELF",
     4, "a program (ELF)", NO_SEQUENCE},
    {"%PDF", 4, "a PDF document", NO_SEQUENCE},
};

/* Recognises known formats other than FASTA by the first `count` bytes after decompression. The error names
 * the format and explains how to convert it. CLA_OK means that the format is unknown, not that it is
 * FASTA. */
static cla_status foreign_format_check(const unsigned char *bytes, int64_t count, const char *shown,
                                       cla_error *error) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const foreign_format *format = &formats[i];
    if (count >= format->magic_length && memcmp(bytes, format->magic, (size_t)format->magic_length) == 0)
      return error_set(error, CLA_ERROR_INPUT, "%s is %s, not FASTA or FASTQ; %s", shown, format->name,
                       format->remedy);
  }
  return CLA_OK;
}

struct sequence_input {
  BGZF *stream;             /* NULL: the input's bytes are in memory */
  const cla_error *failure; /* not owned; error to report after the bytes in memory; NULL: none */
  gzip_members *members;    /* decompresses gzip that is not bgzf; otherwise NULL */
  input_piece *pieces;
  int64_t piece_count, piece_capacity;
  int64_t piece; /* index of the piece in the buffer; -1: none */
  int64_t used, filled;
  bool after_return; /* the last byte of the previous piece was "\r" */
  bool ended;
  bool is_file; /* true: a regular file; false: for example a pipe */
  char shown[SHOWN_LOCATION_SIZE];
  const unsigned char *text; /* points to `buffer`, or to the bytes in memory */
  unsigned char buffer[];    /* SEQUENCE_INPUT_PIECE bytes; none if the input is in memory */
};

static cla_status report_unreadable(const sequence_input *input, int problem, cla_error *error) {
  const char *remedy = "check the path and its permissions";
  if (problem == EISDIR) remedy = "give a FASTA or FASTQ file";
  return error_set(error, CLA_ERROR_INPUT, "cannot read %s: %s; %s", input->shown, strerror(problem), remedy);
}

/* Opens a descriptor rather than a name, because htslib would take names like "http:..." for addresses. */
static cla_status open_descriptor(int *out, sequence_input *input, const char *file, cla_error *error) {
  struct stat facts;
  const bool standard = strcmp(file, "-") == 0;
  *out = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(file, O_RDONLY | O_CLOEXEC);
  if (*out < 0) return report_unreadable(input, errno, error);
  const bool known = fstat(*out, &facts) == 0;
  if (known && S_ISDIR(facts.st_mode)) {
    close(*out);
    return report_unreadable(input, EISDIR, error);
  }
  input->is_file = known && S_ISREG(facts.st_mode);
  return CLA_OK;
}

/* Opens a stream on the descriptor, and takes ownership of the descriptor. */
static cla_status open_descriptor_stream(sequence_input *input, int descriptor, cla_error *error) {
  cla_status status = CLA_OK;
  hFILE *bytes = hdopen(descriptor, "r");
  if (!bytes) {
    status = report_unreadable(input, errno, error);
    close(descriptor);
    return status;
  }
  input->stream = bgzf_hopen(bytes, "r");
  if (!input->stream) {
    status = report_unreadable(input, errno, error);
    hclose_abruptly(bytes);
  } else if (bgzf_compression(input->stream) == PLAIN_GZIP) {
    status = gzip_members_open(&input->members, bytes, error);
  }
  return status;
}

static cla_status open_stream(sequence_input *input, const char *file, cla_error *error) {
  int descriptor = -1;
  cla_status status = open_descriptor(&descriptor, input, file, error);
  return status ? status : open_descriptor_stream(input, descriptor, error);
}

/* Reads the first bytes, and drops a byte-order mark. */
static cla_status begin_text(const unsigned char **bytes, int64_t *count, sequence_input *input,
                             cla_error *error) {
  cla_status status = sequence_input_peek(input, bytes, count, error);
  if (status) return status;
  if (*count >= 2 && (memcmp(*bytes, "\xff\xfe", 2) == 0 || memcmp(*bytes, "\xfe\xff", 2) == 0))
    return error_set(error, CLA_ERROR_INPUT, "%s is UTF-16 text; save it as UTF-8", input->shown);
  if (*count < TEXT_MARK_BYTES || memcmp(*bytes, TEXT_MARK, TEXT_MARK_BYTES) != 0) return CLA_OK;
  sequence_input_skip(input, TEXT_MARK_BYTES);
  return sequence_input_peek(input, bytes, count, error);
}

static cla_status open_input(sequence_input **out, const char *file, bool sequences, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status =
      allocate_zeros(&memory, 1, sizeof(sequence_input) + SEQUENCE_INPUT_PIECE, "an input buffer", error);
  if (status) return status;
  sequence_input *input = memory;
  input->piece = -1;
  input->text = input->buffer;
  if (strcmp(file, "-") == 0) {
    strcpy(input->shown, "the standard input");
  } else {
    char name[SHOWN_LOCATION_SIZE - 2];
    shown_text(name, sizeof name, file);
    strcat(strcat(strcpy(input->shown, "'"), name), "'");
  }
  quiet_htslib_begin();
  status = open_stream(input, file, error);
  if (status) goto done;
  const unsigned char *bytes;
  int64_t count;
  status = begin_text(&bytes, &count, input, error);
  if (!status && sequences) status = foreign_format_check(bytes, count, input->shown, error);
done:
  if (status)
    sequence_input_close(input);
  else
    *out = input;
  return status;
}

cla_status sequence_input_open(sequence_input **out, const char *file, cla_error *error) {
  return open_input(out, file, true, error);
}

cla_status sequence_input_open_text(sequence_input **out, const char *file, cla_error *error) {
  return open_input(out, file, false, error);
}

cla_status sequence_input_open_bytes(sequence_input **out, const unsigned char *bytes, int64_t count,
                                     const cla_error *failure, const sequence_input *of, cla_error *error) {
  sequence_input *memory = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&memory, 1, "an input", error);
  if (status) return status;
  *out = memory;
  (*out)->text = bytes;
  (*out)->filled = count;
  (*out)->failure = failure;
  strcpy((*out)->shown, of->shown);
  return CLA_OK;
}

void sequence_input_close(sequence_input *input) {
  if (!input) return;
  gzip_members_close(input->members);
  if (input->stream) bgzf_close(input->stream);
  if (input->text == input->buffer) quiet_htslib_end();
  free(input->pieces);
  free(input);
}

static cla_status report_failed_read(const sequence_input *input, cla_error *error) {
  const int problem = herrno(input->stream->fp);
  if (problem) return report_unreadable(input, problem, error);
  return error_set(
      error, CLA_ERROR_INPUT,
      "cannot read %s: its compressed data are truncated or damaged; test it with gzip -t and get it again",
      input->shown);
}

/* A bgzf file that was truncated between two blocks can be read to its end without an error. Only the
 * missing end marker shows that it was truncated. */
static cla_status finish_input(sequence_input *input, cla_error *error) {
  input->ended = true;
  if (!input->stream->no_eof_block) return CLA_OK;
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s is truncated: its last bgzf block is not the end marker; get the file again, or, if it is "
      "complete, compress it anew with bgzip",
      input->shown);
}

static struct {
  void (*note)(const char *text, void *user);
  void *user;
} noted; /* function that receives notes; set before files are read */

void cla_sequence_notes(void (*note)(const char *text, void *user), void *user) {
  noted.note = note;
  noted.user = user;
}

static void note_others(const sequence_input *input) {
  char text[SHOWN_LOCATION_SIZE + 96];
  if (!noted.note) return;
  (void)snprintf(text, sizeof text, "%s has bytes behind its last gzip member, which are passed over",
                 input->shown);
  noted.note(text, noted.user);
}

/* Reads bytes of one block only, so that no bytes are lost if an error follows the block. */
static ssize_t read_block(BGZF *stream, unsigned char *bytes) {
  const ssize_t first = bgzf_read(stream, bytes, 1);
  const int left = stream->block_length - stream->block_offset;
  if (first < 1 || left <= 0) return first;
  const int most = left < SEQUENCE_INPUT_PIECE - 1 ? left : SEQUENCE_INPUT_PIECE - 1;
  const ssize_t more = bgzf_read(stream, bytes + 1, (size_t)most);
  return more < 0 ? more : first + more;
}

/* True if htslib failed to read a block because the bytes are padding after the end marker. htslib's
 * position is before the end markers, which are empty blocks. */
static bool ends_in_padding(const sequence_input *input) {
  BGZF *stream = input->stream;
  static const char end_mark[] = "\x1f\x8b\x08\x04\0\0\0\0\0\xff\6\0BC\2\0\x1b\0\3\0\0\0\0\0\0\0\0";
  char bytes[sizeof end_mark] = "";
  bool others = false;
  const off_t place = (off_t)stream->block_address;
  if (!input->is_file || !stream->last_block_eof || herrno(stream->fp)) return false;
  if (hseek(stream->fp, place, SEEK_SET) != place) return false;
  while (hpeek(stream->fp, bytes, sizeof bytes) > 0 && memcmp(bytes, end_mark, sizeof bytes) == 0)
    if (hread(stream->fp, bytes, sizeof bytes) < (ssize_t)sizeof bytes) return false;
  if (bytes[0] == end_mark[0] || !gzip_padding_read(&others, stream->fp)) return false;
  if (others) note_others(input);
  return true;
}

/* Reads at most SEQUENCE_INPUT_PIECE bytes of text and returns their number; 0 at the end, -1 after an error.
 */
static ssize_t read_text(sequence_input *input, unsigned char *bytes) {
  if (input->members) {
    const ssize_t got = gzip_members_read(input->members, bytes, SEQUENCE_INPUT_PIECE);
    if (got == 0 && gzip_members_others_follow(input->members)) note_others(input);
    return got;
  }
  if (bgzf_compression(input->stream) != BLOCKS_OF_BGZF)
    return bgzf_read(input->stream, bytes, SEQUENCE_INPUT_PIECE);
  const ssize_t got = read_block(input->stream, bytes);
  return got < 0 && ends_in_padding(input) ? 0 : got;
}

/* Converts every "\r\n" and "\r" to "\n". Returns the number of bytes that remain. */
static int64_t normalise_line_ends(sequence_input *input, unsigned char *bytes, int64_t count) {
  int64_t kept = 0;
  if (!input->after_return && !memchr(bytes, '\r', (size_t)count)) return count;
  for (int64_t i = 0; i < count; i++) {
    const unsigned char byte = bytes[i];
    const bool second_half = byte == '\n' && input->after_return;
    input->after_return = byte == '\r';
    if (!second_half) bytes[kept++] = byte == '\r' ? '\n' : byte;
  }
  return kept;
}

/* Converts the bytes from read_text to *count bytes with normal line ends. *count may be 0 even before the
 * end. */
static cla_status take_text(int64_t *count, sequence_input *input, unsigned char *bytes, ssize_t got,
                            cla_error *error) {
  *count = 0;
  if (got < 0) return report_failed_read(input, error);
  if (got == 0) return finish_input(input, error);
  *count = normalise_line_ends(input, bytes, got);
  return CLA_OK;
}

/* Stores the place of the piece that is read next. */
static cla_status note_piece(sequence_input *input, cla_error *error) {
  if (++input->piece < input->piece_count) return CLA_OK;
  cla_status status = ALLOCATE_GROW(&input->pieces, &input->piece_capacity, input->piece_count + 1,
                                    "the places in a file", error);
  if (status) return status;
  input->pieces[input->piece_count++] =
      (input_piece){.offset = bgzf_tell(input->stream), .after_return = input->after_return};
  return CLA_OK;
}

/* Called at the end of bytes in memory: returns the error that ended the reading of those bytes, or CLA_OK.
 */
static cla_status end_memory(const sequence_input *input, cla_error *error) {
  if (!input->failure) return CLA_OK;
  if (error) *error = *input->failure;
  return input->failure->status;
}

cla_status sequence_input_peek(sequence_input *input, const unsigned char **bytes, int64_t *count,
                               cla_error *error) {
  cla_status status = CLA_OK;
  *bytes = input->text + input->used;
  *count = input->filled - input->used;
  if (*count > 0) return CLA_OK;
  if (!input->stream) return end_memory(input, error);
  while (input->used == input->filled && !input->ended && !status) {
    status = note_piece(input, error);
    if (status) return status;
    input->used = 0;
    status = take_text(&input->filled, input, input->buffer, read_text(input, input->buffer), error);
  }
  *bytes = input->text + input->used;
  *count = input->filled - input->used;
  return status;
}

/* Like read_text, but reads plain bytes without copying them through BGZF's buffer. */
static ssize_t read_directly(sequence_input *input, unsigned char *bytes) {
  BGZF *stream = input->stream;
  const bool plain = bgzf_compression(stream) == 0 && stream->block_offset >= stream->block_length;
  return plain ? hread(stream->fp, bytes, SEQUENCE_INPUT_PIECE) : read_text(input, bytes);
}

cla_status sequence_input_take(sequence_input *input, unsigned char *bytes, int64_t *count,
                               cla_error *error) {
  cla_status status = CLA_OK;
  *count = input->filled - input->used;
  if (*count > 0) memcpy(bytes, input->buffer + input->used, (size_t)*count);
  input->used = input->filled;
  while (*count == 0 && !input->ended && !status)
    status = take_text(count, input, bytes, read_directly(input, bytes), error);
  return status;
}

int64_t sequence_input_left(const sequence_input *input) {
  return input->filled - input->used;
}

void sequence_input_skip(sequence_input *input, int64_t count) {
  input->used += count;
}

/* A place is the index of a piece times PIECE_PLACES, plus the index of a byte in this piece. */
#define PIECE_PLACES (SEQUENCE_INPUT_PIECE + 1)

cla_status sequence_input_tell(sequence_input *input, int64_t *place, cla_error *error) {
  const unsigned char *bytes;
  int64_t count;
  cla_status status = sequence_input_peek(input, &bytes, &count, error);
  *place = input->piece * PIECE_PLACES + input->used;
  return status;
}

cla_status sequence_input_seek(sequence_input *input, int64_t place, cla_error *error) {
  const unsigned char *bytes;
  int64_t count;
  const int64_t piece = place / PIECE_PLACES;
  if (piece != input->piece) {
    if (bgzf_seek(input->stream, input->pieces[piece].offset, SEEK_SET) < 0)
      return report_failed_read(input, error);
    input->after_return = input->pieces[piece].after_return;
    input->piece = piece - 1;
    input->used = input->filled = 0;
    input->ended = false;
    cla_status status = sequence_input_peek(input, &bytes, &count, error);
    if (status) return status;
  }
  input->used = place % PIECE_PLACES;
  return CLA_OK;
}

static cla_status copy_rest(FILE *copy, sequence_input *input, cla_error *error) {
  const unsigned char *bytes;
  int64_t count;
  for (;;) {
    cla_status status = sequence_input_peek(input, &bytes, &count, error);
    if (status || count == 0) return status;
    if (fwrite(bytes, 1, (size_t)count, copy) < (size_t)count) break;
    sequence_input_skip(input, count);
  }
  return error_set(
      error, CLA_ERROR_OUTPUT,
      "cannot unpack %s to a temporary file: %s; give it as a plain file, or compressed by bgzip",
      input->shown, strerror(errno));
}

/* Makes the input read from the start of `copy`. */
static cla_status replace_stream(sequence_input *input, FILE *copy, cla_error *error) {
  int descriptor = -1;
  if (fflush(copy) == 0 && fseek(copy, 0, SEEK_SET) == 0)
    descriptor = fcntl(fileno(copy), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return report_unreadable(input, errno, error);
  gzip_members_close(input->members);
  bgzf_close(input->stream);
  input->members = NULL;
  input->stream = NULL;
  input->piece = -1;
  input->piece_count = input->used = input->filled = 0;
  input->after_return = input->ended = false;
  input->is_file = true;
  return open_descriptor_stream(input, descriptor, error);
}

/* True if the input is seekable without sequence_input_keep. */
static bool sequence_input_seeks(const sequence_input *input) {
  return input->is_file && bgzf_compression(input->stream) != PLAIN_GZIP;
}

cla_status sequence_input_keep(sequence_input *input, cla_error *error) {
  FILE *copy = NULL;
  if (sequence_input_seeks(input)) return CLA_OK;
  cla_status status = unnamed_file_open(&copy, NULL, error);
  if (status) return status;
  status = copy_rest(copy, input, error);
  if (!status) status = replace_stream(input, copy, error);
  fclose(copy);
  return status;
}

const char *sequence_input_shown(const sequence_input *input) {
  return input->shown;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth;
static enum htsLogLevel saved;

void quiet_htslib_begin(void) {
  pthread_mutex_lock(&lock);
  if (depth++ == 0) {
    saved = hts_get_log_level();
    hts_set_log_level(HTS_LOG_OFF);
  }
  pthread_mutex_unlock(&lock);
}

void quiet_htslib_end(void) {
  pthread_mutex_lock(&lock);
  if (--depth == 0 && hts_get_log_level() == HTS_LOG_OFF) hts_set_log_level(saved);
  pthread_mutex_unlock(&lock);
}
