#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATH_SIZE 256

uint8_t fuzz_byte(fuzz_input *input) {
  if (input->left == 0) return 0;
  input->left--;
  return *input->at++;
}

char *fuzz_text(fuzz_input *input, size_t count) {
  const size_t length = count < input->left ? count : input->left;
  char *text = fuzz_allocate(length + 1);
  for (size_t i = 0; i < length; i++) text[i] = input->at[i] ? (char)input->at[i] : ' ';
  text[length] = '\0';
  input->at += length;
  input->left -= length;
  return text;
}

void *fuzz_allocate(size_t count) {
  void *memory = malloc(count > 0 ? count : 1);
  fuzz_demand(memory != NULL, "the fuzzer is out of memory");
  return memory;
}

void fuzz_demand(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

bool fuzz_told(cla_status status, const cla_error *error) {
  if (status == CLA_OK) return true;
  const size_t length = strnlen(error->message, sizeof error->message);
  fuzz_demand(error->status == status, "the error is of another status than the call");
  fuzz_demand(length > 0, "a call failed without a message");
  fuzz_demand(length < sizeof error->message, "a message has no end");
  return false;
}

bool fuzz_ok(cla_status status, const cla_error *error) {
  if (fuzz_told(status, error)) return true;
  if (strchr(error->message, '\n')) fprintf(stderr, "%s\n", error->message);
  fuzz_demand(!strchr(error->message, '\n'), "a message has more than one line");
  return false;
}

typedef struct memory_file {
  int descriptor; /* 0: not made yet */
  char path[PATH_SIZE];
} memory_file;

static memory_file read_file, written_file;

/* Makes or empties it. Opened by its path it is read from the begin. */
static void renew(memory_file *file, const char *name) {
  if (file->descriptor == 0) {
    file->descriptor = memfd_create(name, MFD_CLOEXEC);
    fuzz_demand(file->descriptor > 0, "cannot make a file in memory");
    (void)snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->descriptor);
  }
  fuzz_demand(ftruncate(file->descriptor, 0) == 0 && lseek(file->descriptor, 0, SEEK_SET) == 0,
              "cannot empty a file in memory");
}

static void write_all(int descriptor, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    const ssize_t put = write(descriptor, (const char *)bytes + done, count - done);
    fuzz_demand(put > 0, "cannot write a file in memory");
    done += (size_t)put;
  }
}

const char *fuzz_file(const void *bytes, size_t count) {
  renew(&read_file, "fuzz-input");
  write_all(read_file.descriptor, bytes, count);
  return read_file.path;
}

int fuzz_output(void) {
  renew(&written_file, "fuzz-output");
  return written_file.descriptor;
}

const char *fuzz_output_path(void) {
  return written_file.path;
}

static char folder[PATH_SIZE];

static void path_in_folder(char path[2 * PATH_SIZE], const char *name) {
  (void)snprintf(path, 2 * PATH_SIZE, "%s/%s", folder, name);
}

static void remove_folder(void) {
  char path[2 * PATH_SIZE];
  DIR *open = opendir(folder);
  for (const struct dirent *entry; open && (entry = readdir(open));) {
    path_in_folder(path, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  if (open) closedir(open);
  rmdir(folder);
}

const char *fuzz_folder(void) {
  if (folder[0]) return folder;
  const char *parent = getenv("TMPDIR");
  (void)snprintf(folder, sizeof folder, "%.200s/clalign-fuzz-XXXXXX",
                 parent && *parent ? parent : "/dev/shm");
  fuzz_demand(mkdtemp(folder) != NULL,
              "cannot make a folder in /dev/shm; set TMPDIR to one that can be written");
  (void)atexit(remove_folder);
  return folder;
}

void fuzz_folder_write(const char *name, const void *bytes, size_t count) {
  char path[2 * PATH_SIZE];
  (void)fuzz_folder();
  path_in_folder(path, name);
  const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  fuzz_demand(descriptor >= 0, "cannot write into the folder");
  write_all(descriptor, bytes, count);
  close(descriptor);
}
