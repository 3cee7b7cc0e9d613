/* A score matrix from a file of the user's. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "scoring/matrix_text.h"

/* More than 32 rows of 32 scores with comments ever are; what is larger is some other file. */
#define FILE_BYTES_MOST (1 << 20)
#define SHOWN_SIZE 320

static cla_status unreadable(const char *shown, int problem, cla_error *error) {
  const bool folder = problem == EISDIR;
  return error_set(error, CLA_ERROR_INPUT, "cannot read the score matrix %s: %s; %s", shown,
                   strerror(problem), folder ? "give a file" : "check the path and its permissions");
}

/* The file's name in quotes, without control characters; of a long one the end. */
static void show_path(char shown[SHOWN_SIZE], const char *path) {
  const size_t length = strlen(path), most = SHOWN_SIZE - 8;
  (void)snprintf(shown, SHOWN_SIZE, "'%s%s'", length > most ? "..." : "",
                 length > most ? path + length - most : path);
  for (char *at = shown; *at; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
}

/* Reads the whole of it, which may be a pipe; one byte more than allowed tells that it is too long. */
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

/* What people give by mistake. */
static cla_status check_kind(const char *text, int64_t length, const char *shown, cla_error *error) {
  if (length == 0) return error_set(error, CLA_ERROR_INPUT, "%s is empty; give a score matrix", shown);
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
