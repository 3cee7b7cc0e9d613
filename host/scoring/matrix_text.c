#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "scoring/matrix.h"

/* A word of a line. */
typedef struct word {
  const char *text;
  int length;
  int column; /* 1-based position in the line, in bytes */
} word;

typedef struct matrix_reader {
  const char *at, *end; /* the unread text */
  const char *shown;
  long line;               /* 1-based number of the current line */
  const char *rest, *stop; /* unread rest of the current line, and its end */
  const char *begin;
  int size; /* number of letters; 0 before the first row */
  char letters[CLA_MATRIX_STRIDE + 1];
  int32_t scores[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* scores in 1/1000 point */
  long lines[CLA_MATRIX_STRIDE];                         /* line of each letter's row; 0: not found yet */
} matrix_reader;

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

/* Goes to the next line. Lines end with "\n", "\r\n" or "\r". Returns false at the end of the text. */
static bool next_line(matrix_reader *reader) {
  if (reader->at == reader->end) return false;
  const char *stop = reader->at;
  while (stop < reader->end && *stop != '\n' && *stop != '\r') stop++;
  reader->begin = reader->rest = reader->at;
  reader->stop = stop;
  if (stop < reader->end) stop += stop + 1 < reader->end && stop[0] == '\r' && stop[1] == '\n' ? 2 : 1;
  reader->at = stop;
  reader->line++;
  return true;
}

static bool next_word(word *out, matrix_reader *reader) {
  while (reader->rest < reader->stop && is_blank(*reader->rest)) reader->rest++;
  out->text = reader->rest;
  out->column = (int)(reader->rest - reader->begin) + 1;
  while (reader->rest < reader->stop && !is_blank(*reader->rest)) reader->rest++;
  out->length = (int)(reader->rest - out->text);
  return out->length > 0;
}

/* Makes a word printable and short for a message. */
static const char *show(char buffer[32], const word *what) {
  int length = what->length < 24 ? what->length : 24;
  for (int i = 0; i < length; i++) {
    const unsigned char byte = (unsigned char)what->text[i];
    buffer[i] = byte < 0x20 || byte > 0x7e ? '?' : (char)byte;
  }
  buffer[length] = '\0';
  if (what->length > length) strcat(buffer, "...");
  return buffer;
}

static int find_letter(const matrix_reader *reader, char letter) {
  const char *found = letter ? strchr(reader->letters, letter) : NULL;
  return found ? (int)(found - reader->letters) : -1;
}

/* Reads a letter, which is one printable byte. Converts lower case to upper case. */
static cla_status read_letter(char *out, const matrix_reader *reader, const word *what, cla_error *error) {
  char shown[32];
  const unsigned char byte = (unsigned char)what->text[0];
  if (what->length != 1 || byte <= 0x20 || byte > 0x7e)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s line %ld, column %d: '%s' is no letter; a score matrix begins with a line of single "
                     "letters, and each of its rows with one",
                     reader->shown, reader->line, what->column, show(shown, what));
  *out = (char)(byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte);
  return CLA_OK;
}

static cla_status read_head(matrix_reader *reader, cla_error *error) {
  word what;
  while (next_word(&what, reader)) {
    char letter = '\0';
    cla_status status = read_letter(&letter, reader, &what, error);
    if (status != CLA_OK) return status;
    if (find_letter(reader, letter) >= 0)
      return error_set(error, CLA_ERROR_INPUT,
                       "%s line %ld, column %d: the letter %c is there twice; lower and upper case are the "
                       "same letter: remove one",
                       reader->shown, reader->line, what.column, letter);
    if (reader->size == CLA_MATRIX_STRIDE)
      return error_set(error, CLA_ERROR_INPUT,
                       "%s line %ld, column %d: the matrix has more than %d letters; remove some",
                       reader->shown, reader->line, what.column, CLA_MATRIX_STRIDE);
    reader->letters[reader->size++] = letter;
  }
  return CLA_OK;
}

#define DECIMALS 3
#define THOUSAND 1000 /* scores are multiplied by this during reading, so that three decimals are whole */

/* Parses a number with at most three decimals, in 1/1000. A value that is too large stays too large.
 * Returns false if the word is no such number. */
static bool read_thousandths(int64_t *out, const char *text, int length) {
  int at = 0, digits = 0, decimals = -1; /* -1: no decimal point so far */
  int64_t value = 0;
  if (length > 0 && (text[0] == '-' || text[0] == '+')) at = 1;
  for (; at < length; at++) {
    if (text[at] == '.' && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (text[at] < '0' || text[at] > '9' || decimals == DECIMALS) return false;
    if (value <= THOUSAND * (int64_t)CLA_SCORE_LIMIT) value = 10 * value + (text[at] - '0');
    if (decimals >= 0) decimals++;
    digits++;
  }
  for (int left = decimals < 0 ? DECIMALS : DECIMALS - decimals; left > 0; left--) value *= 10;
  *out = text[0] == '-' ? -value : value;
  return digits > 0;
}

static cla_status read_score(int32_t *out, const matrix_reader *reader, const word *what, cla_error *error) {
  char shown[32];
  int64_t value = 0;
  if (!read_thousandths(&value, what->text, what->length))
    return error_set(error, CLA_ERROR_INPUT,
                     "%s line %ld, column %d: '%s' is no number with at most three decimals, as in -4 or 0.5",
                     reader->shown, reader->line, what->column, show(shown, what));
  if (value > THOUSAND * (int64_t)CLA_SCORE_LIMIT || value < -THOUSAND * (int64_t)CLA_SCORE_LIMIT)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s line %ld, column %d: the score %s is outside %d to %d; divide all of the matrix and the "
        "gap costs by the same number",
        reader->shown, reader->line, what->column, show(shown, what), -CLA_SCORE_LIMIT, CLA_SCORE_LIMIT);
  *out = (int32_t)value;
  return CLA_OK;
}

static cla_status read_row(matrix_reader *reader, const word *first, cla_error *error) {
  char letter = '\0';
  word what;
  int count = 0;
  cla_status status = read_letter(&letter, reader, first, error);
  if (status != CLA_OK) return status;
  const int row = find_letter(reader, letter);
  if (row < 0)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s line %ld, column %d: a row for the letter %c, which has no column; a matrix is square: "
        "add the column or remove the row",
        reader->shown, reader->line, first->column, letter);
  if (reader->lines[row])
    return error_set(error, CLA_ERROR_INPUT,
                     "%s line %ld, column %d: a second row for the letter %c, which line %ld has; remove one",
                     reader->shown, reader->line, first->column, letter, reader->lines[row]);
  while (next_word(&what, reader)) {
    if (count == reader->size)
      return error_set(error, CLA_ERROR_INPUT,
                       "%s line %ld, column %d: the row of %c has more than %d scores, one for each column; "
                       "correct it",
                       reader->shown, reader->line, what.column, letter, reader->size);
    status = read_score(&reader->scores[row * CLA_MATRIX_STRIDE + count], reader, &what, error);
    if (status != CLA_OK) return status;
    count++;
  }
  if (count < reader->size)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s line %ld, column %d: the row of %c ends after %d of %d scores, one for each column; "
                     "complete it",
                     reader->shown, reader->line, what.column, letter, count, reader->size);
  reader->lines[row] = reader->line;
  return CLA_OK;
}

static cla_status check_rows(const matrix_reader *reader, bool asymmetric, cla_error *error) {
  if (reader->size == 0)
    return error_set(
        error, CLA_ERROR_INPUT,
        "%s holds no score matrix, only %ld empty or comment lines; give a file in NCBI's form: a "
        "line of letters, then a row for each of them",
        reader->shown, reader->line);
  for (int row = 0; row < reader->size; row++)
    if (!reader->lines[row])
      return error_set(
          error, CLA_ERROR_INPUT,
          "%s ends in line %ld without a row for the letter %c; a matrix is square: add the row or "
          "remove the column",
          reader->shown, reader->line, reader->letters[row]);
  for (int row = 0; row < reader->size && !asymmetric; row++)
    for (int column = 0; column < row; column++) {
      const int32_t one = reader->scores[row * CLA_MATRIX_STRIDE + column];
      const int32_t other = reader->scores[column * CLA_MATRIX_STRIDE + row];
      if (one == other) continue;
      static const cla_scoring read = {.units = THOUSAND};
      char shown[2][CLA_SCORE_TEXT_SIZE];
      cla_score_text(shown[0], one, &read);
      cla_score_text(shown[1], other, &read);
      return error_set(
          error, CLA_ERROR_INPUT,
          "%s line %ld: %c with %c scores %s, but line %ld has %s for %c with %c; correct it, or "
          "say that it is asymmetric (the program's --asymmetric) if rows are for the query and columns "
          "for the target",
          reader->shown, reader->lines[row], reader->letters[row], reader->letters[column], shown[0],
          reader->lines[column], shown[1], reader->letters[column], reader->letters[row]);
    }
  return CLA_OK;
}

/* Checks that no score is too large. If one score has decimals, all scores become larger integers. */
static cla_status check_sizes(const matrix_reader *reader, const cla_scoring *scoring, cla_error *error) {
  for (int row = 0; row < reader->size; row++)
    for (int column = 0; column < reader->size; column++) {
      const int32_t value = scoring->matrix[row * CLA_MATRIX_STRIDE + column];
      if (value >= -CLA_SCORE_LIMIT && value <= CLA_SCORE_LIMIT) continue;
      char shown[CLA_SCORE_TEXT_SIZE];
      cla_score_text(shown, value, scoring);
      return error_set(error, CLA_ERROR_INPUT,
                       "%s line %ld: the score %s of %c with %c is outside %d to %d when all scores are "
                       "multiplied by %d to be whole; use fewer decimals or smaller scores",
                       reader->shown, reader->lines[row], shown, reader->letters[row],
                       reader->letters[column], -CLA_SCORE_LIMIT, CLA_SCORE_LIMIT, scoring->units);
    }
  return CLA_OK;
}

cla_status matrix_text_parse(cla_scoring *scoring, const char *text, int64_t length, const char *shown,
                             bool asymmetric, cla_error *error) {
  matrix_reader reader = {.at = text, .end = text + length, .shown = shown};
  cla_status status = CLA_OK;
  if (length >= TEXT_MARK_BYTES && memcmp(text, TEXT_MARK, TEXT_MARK_BYTES) == 0)
    reader.at += TEXT_MARK_BYTES;
  while (status == CLA_OK && next_line(&reader)) {
    word first;
    if (!next_word(&first, &reader) || first.text[0] == '#') continue;
    if (reader.size == 0) {
      reader.rest = reader.begin;
      status = read_head(&reader, error);
    } else {
      status = read_row(&reader, &first, error);
    }
  }
  if (status == CLA_OK) status = check_rows(&reader, asymmetric, error);
  if (status != CLA_OK) return status;
  cla_scoring parsed = *scoring;
  parsed.matrix_size = 0; /* the old matrix must not limit the number of units */
  status = cla_scoring_set_units(&parsed, THOUSAND, error);
  parsed.matrix_size = reader.size;
  parsed.by_letters = false;
  memcpy(parsed.letters, reader.letters, sizeof parsed.letters);
  memcpy(parsed.matrix, reader.scores, sizeof parsed.matrix);
  if (status == CLA_OK) status = cla_scoring_set_units(&parsed, 0, error);
  if (status == CLA_OK) status = check_sizes(&reader, &parsed, error);
  if (status == CLA_OK) *scoring = parsed;
  return status;
}

/* Reading of a score matrix from a user's file. */

/* Maximum size of a matrix' file in bytes. 32 rows of 32 scores with comments need less. */
#define FILE_BYTES_MOST (1 << 20)
#define SHOWN_SIZE 320

static cla_status unreadable(const char *shown, int problem, cla_error *error) {
  const bool folder = problem == EISDIR;
  return error_set(error, CLA_ERROR_INPUT, "cannot read the score matrix %s: %s; %s", shown,
                   strerror(problem), folder ? "give a file" : "check the path and its permissions");
}

/* Writes the file's name in quotes, without control characters. Only the end of a long name is written. */
static void show_path(char shown[SHOWN_SIZE], const char *path) {
  const size_t length = strlen(path), most = SHOWN_SIZE - 8;
  (void)snprintf(shown, SHOWN_SIZE, "'%s%s'", length > most ? "..." : "",
                 length > most ? path + length - most : path);
  for (char *at = shown; *at; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
}

/* Reads the whole file, which may be a pipe. Reads up to one byte more than allowed, to detect files that are
 * too long. */
static cla_status read_all(char *text, int64_t *length, int descriptor, const char *shown, cla_error *error) {
  *length = 0;
  while (*length <= FILE_BYTES_MOST) {
    const ssize_t got = read(descriptor, text + *length, (size_t)(FILE_BYTES_MOST + 1 - *length));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(shown, errno, error);
    if (got == 0) return CLA_OK;
    *length += got;
  }
  return error_set(error, CLA_ERROR_INPUT, "%s is larger than %d bytes and so no score matrix; give one",
                   shown, FILE_BYTES_MOST);
}

/* Refuses kinds of files that users may give by mistake. */
static cla_status check_kind(const char *text, int64_t length, const char *shown, cla_error *error) {
  if (length == 0) return error_set(error, CLA_ERROR_INPUT, "%s is empty; give a score matrix", shown);
  const bool marked = length > TEXT_MARK_BYTES && memcmp(text, TEXT_MARK, TEXT_MARK_BYTES) == 0;
  text += marked ? TEXT_MARK_BYTES : 0;
  length -= marked ? TEXT_MARK_BYTES : 0;
  if (length >= 2 && memcmp(text, "\x1f\x8b", 2) == 0)
    return error_set(error, CLA_ERROR_INPUT, "%s is compressed by gzip; decompress it", shown);
  if (text[0] == '>')
    return error_set(error, CLA_ERROR_INPUT, "%s begins with '>' as a FASTA file does; give a score matrix",
                     shown);
  if (memchr(text, '\0', (size_t)length) || (unsigned char)text[0] >= 0x80)
    return error_set(error, CLA_ERROR_INPUT, "%s is no plain text; give a score matrix as ASCII text", shown);
  return CLA_OK;
}

static void set_name(cla_scoring *scoring, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  (void)snprintf(scoring->matrix_name, sizeof scoring->matrix_name, "%s", name);
  for (char *at = scoring->matrix_name; *at; at++)
    if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f) *at = '_';
}

cla_status cla_scoring_read_matrix(cla_scoring *scoring, const char *path, bool asymmetric,
                                   cla_error *error) {
  char shown[SHOWN_SIZE];
  void *text = NULL;
  int64_t length = 0;
  struct stat facts;
  show_path(shown, path);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(shown, errno, error);
  cla_status status = CLA_OK;
  if (fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode)) status = unreadable(shown, EISDIR, error);
  if (status == CLA_OK) status = allocate_array(&text, FILE_BYTES_MOST + 1, 1, "a score matrix", error);
  if (status == CLA_OK) status = read_all(text, &length, descriptor, shown, error);
  if (status == CLA_OK) status = check_kind(text, length, shown, error);
  if (status == CLA_OK) status = matrix_text_parse(scoring, text, length, shown, asymmetric, error);
  if (status == CLA_OK) set_name(scoring, path);
  if (status == CLA_OK) status = matrix_default_gap_costs(scoring, error);
  free(text);
  close(descriptor);
  return status;
}
