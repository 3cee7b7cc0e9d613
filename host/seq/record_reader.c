#include "seq/record_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "seq/sequence_internal.h"

void record_reader_init(record_reader *reader, sequence_input *input) {
  *reader = (record_reader){.input = input, .line = 1};
}

void record_reader_free(record_reader *reader) {
  free(reader->name);
  *reader = (record_reader){0};
}

/* Returns the next unread bytes of the current line that are in memory, without consuming them. *whole is
 * true if the line or the file ends after these bytes. *count is 0 at the end of the line. */
static cla_status peek_line(record_reader *reader, const unsigned char **bytes, int64_t *count, bool *whole,
                            bool *ended, cla_error *error) {
  cla_status status = sequence_input_peek(reader->input, bytes, count, error);
  if (status) return status;
  *ended = *count == 0;
  const unsigned char *line_end = *ended ? NULL : memchr(*bytes, '\n', (size_t)*count);
  if (line_end) *count = line_end - *bytes;
  *whole = *ended || line_end;
  return CLA_OK;
}

/* Consumes `count` bytes returned by peek_line, and the end of the line if it follows these bytes. */
static void pass(record_reader *reader, int64_t count, bool whole, bool ended) {
  const bool line_end = whole && !ended;
  sequence_input_skip(reader->input, count + line_end);
  reader->line += line_end;
}

static cla_status append_name(record_reader *reader, int64_t *length, const unsigned char *bytes,
                              int64_t count, cla_error *error) {
  if (*length + count > RECORD_NAME_MOST)
    return error_set(error, CLA_ERROR_INPUT,
                     "the name in line %lld of %s is longer than %d letters; shorten it",
                     (long long)reader->line, sequence_input_shown(reader->input), RECORD_NAME_MOST);
  cla_status status =
      ALLOCATE_GROW(&reader->name, &reader->name_capacity, *length + count + 1, "a record's name", error);
  if (status) return status;
  if (count > 0) memcpy(reader->name + *length, bytes, (size_t)count);
  *length += count;
  reader->name[*length] = '\0';
  return CLA_OK;
}

/* Appends the text after the name to the description, without leading blanks. */
static void append_description(record_reader *reader, const unsigned char *bytes, int64_t count) {
  size_t used = strlen(reader->description);
  if (used == 0)
    while (count > 0 && record_space(*bytes)) bytes++, count--;
  const size_t room = RECORD_DESCRIPTION_SIZE - 1 - used, taken = (size_t)count < room ? (size_t)count : room;
  memcpy(reader->description + used, bytes, taken);
  used += taken;
  reader->description[used] = '\0';
}

/* Ends the description at its last letter. If the description was cut, ends it at a whole character of
 * UTF-8. */
static void end_description(record_reader *reader) {
  size_t used = strlen(reader->description);
  if (used == RECORD_DESCRIPTION_SIZE - 1) {
    while (used > 0 && ((unsigned char)reader->description[used - 1] & 0xc0) == 0x80) used--;
    if (used > 0 && (unsigned char)reader->description[used - 1] >= 0xc0) used--;
  }
  while (used > 0 && record_space((unsigned char)reader->description[used - 1])) used--;
  reader->description[used] = '\0';
}

/* Reads the rest of a header line: blanks, the name, and the description. */
static cla_status read_header(record_reader *reader, cla_error *error) {
  int64_t length = 0;
  bool named = false, whole = false, ended = false;
  cla_status status = append_name(reader, &length, NULL, 0, error);
  reader->description[0] = '\0';
  while (!status && !whole) {
    const unsigned char *bytes;
    int64_t count;
    status = peek_line(reader, &bytes, &count, &whole, &ended, error);
    if (status) break;
    if (memchr(bytes, '\0', (size_t)count))
      return error_set(
          error, CLA_ERROR_INPUT,
          "line %lld of %s, a header, holds a zero byte, so this is no FASTA or FASTQ file; give one",
          (long long)reader->line, sequence_input_shown(reader->input));
    int64_t from = 0;
    if (length == 0)
      while (from < count && record_space(bytes[from])) from++;
    int64_t to = from;
    while (!named && to < count && !record_space(bytes[to])) to++;
    status = append_name(reader, &length, bytes + from, to - from, error);
    if (to < count) named = length > 0;
    if (named) append_description(reader, bytes + to, count - to);
    if (!status) pass(reader, count, whole, ended);
  }
  end_description(reader);
  return status;
}

static cla_status report_no_record(const record_reader *reader, int byte, cla_error *error) {
  char letter[SHOWN_LETTER_SIZE];
  const char *shown = sequence_input_shown(reader->input);
  const long long line = reader->line;
  shown_letter(letter, byte);
  if (reader->marker == '@')
    return error_set(
        error, CLA_ERROR_INPUT,
        "line %lld of %s begins with %s where the '@' of the next FASTQ record is due; record %lld has "
        "more qualities than letters, or lines are missing: correct the file",
        line, shown, letter, (long long)reader->records);
  return error_set(
      error, CLA_ERROR_INPUT,
      "%s is not FASTA or FASTQ: line %lld begins with %s instead of '>' or '@'; give a sequence file, "
      "or put a header line such as '>name' before bare letters",
      shown, line, letter);
}

cla_status record_reader_next(record_reader *reader, bool *found, cla_error *error) {
  *found = false;
  for (;;) {
    const unsigned char *bytes;
    int64_t count, blank = 0;
    cla_status status = sequence_input_peek(reader->input, &bytes, &count, error);
    if (status || count == 0) return status;
    while (blank < count && record_space(bytes[blank])) reader->line += bytes[blank++] == '\n';
    sequence_input_skip(reader->input, blank);
    if (blank == count) continue;
    const unsigned char byte = bytes[blank];
    if (reader->marker ? byte != (unsigned char)reader->marker : byte != '>' && byte != '@')
      return report_no_record(reader, byte, error);
    reader->marker = (char)byte;
    sequence_input_skip(reader->input, 1);
    break;
  }
  *found = true;
  reader->records++;
  reader->bytes = 0;
  return read_header(reader, error);
}

/* Reads letters up to a line that starts with `end`, and does not consume this line. *found is false at the
 * end of the file. Sets *letter_count if qualities follow, that is, if `end` is '+'. */
static cla_status read_letters(record_reader *reader, char end, letter_store *letters, int64_t *letter_count,
                               bool *found, cla_error *error) {
  bool line_begins = true, whole = false, ended = false;
  *letter_count = 0;
  *found = false;
  for (;;) {
    const unsigned char *bytes;
    int64_t count;
    cla_status status = peek_line(reader, &bytes, &count, &whole, &ended, error);
    if (status || ended) return status;
    *found = line_begins && count > 0 && bytes[0] == (unsigned char)end;
    if (*found) return CLA_OK;
    if (end == '+')
      *letter_count += letter_store_count(bytes, count); /* number of qualities that must follow */
    if (letters) status = letter_store_append(letters, bytes, count, error);
    if (status) return status;
    reader->bytes += count;
    pass(reader, count, whole, ended);
    line_begins = whole;
  }
}

static cla_status pass_line(record_reader *reader, cla_error *error) {
  for (bool whole = false, ended = false; !whole;) {
    const unsigned char *bytes;
    int64_t count;
    cla_status status = peek_line(reader, &bytes, &count, &whole, &ended, error);
    if (status) return status;
    pass(reader, count, whole, ended);
  }
  return CLA_OK;
}

/* Reads qualities, which may take several lines. They may contain any printable character, also '@' and
 * '+'. So their end can be found only by counting. */
static cla_status read_qualities(record_reader *reader, letter_store *letters, int64_t letter_count,
                                 cla_error *error) {
  char name[SHOWN_NAME_SIZE], shown[SHOWN_LETTER_SIZE];
  int64_t qualities = 0;
  int wrong = 0;
  bool whole = false, ended = false;
  while (!ended && (qualities < letter_count || !whole)) {
    const unsigned char *bytes;
    int64_t count;
    cla_status status = peek_line(reader, &bytes, &count, &whole, &ended, error);
    if (status) return status;
    if (letters && letters->keep_qualities)
      status = letter_store_append_qualities(letters, bytes, count, qualities, &wrong, error);
    if (status) return status;
    qualities += letter_store_count(bytes, count);
    pass(reader, count, whole, ended);
  }
  if (wrong)
    return error_set(
        error, CLA_ERROR_INPUT,
        "FASTQ record '%s' of %s has the quality %s, near line %lld; qualities are ! to ~: correct "
        "the record",
        shown_text(name, sizeof name, reader->name), sequence_input_shown(reader->input),
        shown_letter(shown, wrong), (long long)reader->line);
  if (qualities == letter_count) return CLA_OK;
  return error_set(
      error, CLA_ERROR_INPUT,
      "FASTQ record '%s' of %s %s: %lld letters, but %lld qualities, near line %lld; get the file again "
      "or correct the record",
      shown_text(name, sizeof name, reader->name), sequence_input_shown(reader->input),
      ended ? "is truncated" : "is malformed", (long long)letter_count, (long long)qualities,
      (long long)reader->line);
}

cla_status record_reader_letters(record_reader *reader, letter_store *letters, cla_error *error) {
  char name[SHOWN_NAME_SIZE];
  int64_t letter_count;
  bool found;
  const bool fastq = reader->marker == '@';
  cla_status status = read_letters(reader, fastq ? '+' : '>', letters, &letter_count, &found, error);
  if (status || !fastq) return status;
  if (!found)
    return error_set(
        error, CLA_ERROR_INPUT,
        "FASTQ record '%s' of %s is truncated: the file ends before its '+' line; get the file again",
        shown_text(name, sizeof name, reader->name), sequence_input_shown(reader->input));
  status = pass_line(reader, error);
  return status ? status : read_qualities(reader, letters, letter_count, error);
}
