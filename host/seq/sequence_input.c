#include "seq/sequence_input.h"

#include <errno.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/foreign_format.h"
#include "seq/quiet_htslib.h"
#include "seq/shown_text.h"

#define INPUT_BUFFER_SIZE 65536

struct sequence_input {
  BGZF *stream;
  int64_t used, filled;
  bool after_return; /* the last byte of the buffer before this one was "\r" */
  bool ended;
  char shown[SHOWN_LOCATION_SIZE];
  unsigned char buffer[INPUT_BUFFER_SIZE];
};

static cla_status report_unreadable(const sequence_input *input, int problem, cla_error *error) {
  const char *remedy = "check the path and its permissions";
  if (problem == EISDIR) remedy = "give a FASTA or FASTQ file";
  return error_set(error, CLA_ERROR_INPUT, "cannot read %s: %s; %s", input->shown, strerror(problem), remedy);
}

/* Opens a descriptor rather than a name, because htslib would take "http:..." and the like for an address. */
static cla_status open_descriptor(int *out, const sequence_input *input, const char *file, cla_error *error) {
  struct stat facts;
  const bool standard = strcmp(file, "-") == 0;
  *out = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(file, O_RDONLY | O_CLOEXEC);
  if (*out < 0) return report_unreadable(input, errno, error);
  if (fstat(*out, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    close(*out);
    return report_unreadable(input, EISDIR, error);
  }
  return CLA_OK;
}

static cla_status open_stream(sequence_input *input, const char *file, cla_error *error) {
  int descriptor = -1;
  cla_status status = open_descriptor(&descriptor, input, file, error);
  if (status) return status;
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
  }
  return status;
}

cla_status sequence_input_open(sequence_input **out, const char *file, cla_error *error) {
  void *memory = NULL;
  *out = NULL;
  cla_status status = allocate_array(&memory, 1, sizeof(sequence_input), "an input buffer", error);
  if (status) return status;
  sequence_input *input = memory;
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
  status = sequence_input_peek(input, &bytes, &count, error);
  if (!status) status = foreign_format_check(bytes, count, input->shown, error);
done:
  if (status)
    sequence_input_close(input);
  else
    *out = input;
  return status;
}

void sequence_input_close(sequence_input *input) {
  if (!input) return;
  if (input->stream) bgzf_close(input->stream);
  quiet_htslib_end();
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

/* A bgzf file that was cut between two blocks reads well to its end; only the missing end marker tells. */
static cla_status finish_input(sequence_input *input, cla_error *error) {
  input->ended = true;
  if (!input->stream->no_eof_block) return CLA_OK;
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s is truncated: its last bgzf block is not the end marker; get the file again, or, if it is "
      "complete, compress it anew with bgzip",
      input->shown);
}

static void normalise_line_ends(sequence_input *input) {
  unsigned char *buffer = input->buffer;
  const int64_t filled = input->filled;
  int64_t kept = 0;
  if (!input->after_return && !memchr(buffer, '\r', (size_t)filled)) return;
  for (int64_t i = 0; i < filled; i++) {
    const unsigned char byte = buffer[i];
    const bool second_half = byte == '\n' && input->after_return;
    input->after_return = byte == '\r';
    if (!second_half) buffer[kept++] = byte == '\r' ? '\n' : byte;
  }
  input->filled = kept;
}

cla_status sequence_input_peek(sequence_input *input, const unsigned char **bytes, int64_t *count,
                               cla_error *error) {
  while (input->used == input->filled && !input->ended) {
    const ssize_t got = bgzf_read(input->stream, input->buffer, INPUT_BUFFER_SIZE);
    input->used = 0;
    input->filled = got > 0 ? got : 0;
    cla_status status = CLA_OK;
    if (got < 0) status = report_failed_read(input, error);
    if (got == 0) status = finish_input(input, error);
    if (status) return status;
    normalise_line_ends(input);
  }
  *bytes = input->buffer + input->used;
  *count = input->filled - input->used;
  return CLA_OK;
}

void sequence_input_skip(sequence_input *input, int64_t count) {
  input->used += count;
}

const char *sequence_input_shown(const sequence_input *input) {
  return input->shown;
}
