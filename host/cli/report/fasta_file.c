#include "cli/report/fasta_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report/interrupt.h"
#include "cli/report/report.h"

#define LINE_LETTERS 60
#define TEMPORARY_NAME ".clalign-XXXXXX" /* not longer with the name, which may be as long as allowed */

static cla_status failed(const char *path, cla_error *error) {
  return cli_error(error, CLA_ERROR_OUTPUT, "cannot write %s: %s; free space or choose another file", path,
                   strerror(errno));
}

static cla_status open_file(fasta_file *out, cla_error *error) {
  struct stat present;
  if (stat(out->path, &present) == 0 && !S_ISREG(present.st_mode)) {
    out->file = fopen(out->path, "w");
    return out->file ? CLA_OK : failed(out->path, error);
  }
  const char *slash = strrchr(out->path, '/');
  size_t folder = slash ? (size_t)(slash - out->path) + 1 : 0;
  size_t size = folder + sizeof TEMPORARY_NAME;
  char *temporary = malloc(size);
  if (!temporary)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a file name; free some memory");
  memcpy(temporary, out->path, folder);
  memcpy(temporary + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
  int descriptor = mkstemp(temporary);
  if (descriptor < 0) {
    free(temporary);
    return failed(out->path, error);
  }
  out->temporary = temporary;
  mode_t mask = umask(0); /* there is no other way to ask for it; the program has one thread here */
  umask(mask);
  out->file = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
  if (out->file) return CLA_OK;
  cla_status status = failed(out->path, error);
  close(descriptor);
  return status;
}

cla_status fasta_file_write(fasta_file *out, const char *path, const char *name, const char *letters,
                            int64_t length, cla_error *error) {
  out->path = path;
  cla_status status = open_file(out, error);
  if (status != CLA_OK) return status;
  bool written = fprintf(out->file, ">%s\n", name) >= 0;
  for (int64_t at = 0; at < length && written; at += LINE_LETTERS) {
    size_t letters_here = length - at < LINE_LETTERS ? (size_t)(length - at) : LINE_LETTERS;
    written =
        fwrite(letters + at, 1, letters_here, out->file) == letters_here && fputc('\n', out->file) != EOF;
    if (interrupt_requested()) return CLA_ERROR_INTERRUPTED;
  }
  if (!written || fflush(out->file) != 0) return failed(path, error);
  return CLA_OK;
}

cla_status fasta_file_commit(fasta_file *out, cla_error *error) {
  bool stored = !out->temporary || fsync(fileno(out->file)) == 0;
  bool closed = fclose(out->file) == 0;
  out->file = NULL;
  if (!stored || !closed) return failed(out->path, error);
  if (out->temporary && rename(out->temporary, out->path) != 0) return failed(out->path, error);
  free(out->temporary);
  out->temporary = NULL;
  return CLA_OK;
}

void fasta_file_discard(fasta_file *out) {
  if (out->file) fclose(out->file);
  if (out->temporary) unlink(out->temporary);
  free(out->temporary);
  memset(out, 0, sizeof *out);
}
