#include "seeds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *seeds_folder;
static int number;

const char *seeds_path(const char *name) {
  static char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s", seeds_folder, name);
  return path;
}

static void make_folder(const char *path) {
  struct stat state;
  (void)mkdir(path, 0777);
  fuzz_demand(stat(path, &state) == 0 && S_ISDIR(state.st_mode), "cannot make a folder of seeds");
}

void seeds_begin(const char *folder) {
  seeds_folder = folder;
  make_folder(folder);
}

void seeds_put(const char *target, const char *head, const void *bytes, size_t count) {
  char name[256];
  make_folder(seeds_path(target));
  (void)snprintf(name, sizeof name, "%s/%03d", target, number++);
  FILE *file = fopen(seeds_path(name), "wb");
  fuzz_demand(file != NULL, "cannot write a seed");
  for (; head[0] && head[1]; head += 2) {
    const char digits[3] = {head[0], head[1]};
    (void)fputc((int)strtol(digits, NULL, 16), file);
  }
  fuzz_demand(fwrite(bytes, 1, count, file) == count && fclose(file) == 0, "cannot write a seed");
}

void seeds_put_text(const char *target, const char *head, const char *text) {
  seeds_put(target, head, text, strlen(text));
}

char *seeds_read(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  fuzz_demand(file && fseek(file, 0, SEEK_END) == 0, "cannot read a file for a seed");
  *count = (size_t)ftell(file);
  rewind(file);
  char *bytes = fuzz_allocate(*count + 1);
  fuzz_demand(fread(bytes, 1, *count, file) == *count, "cannot read a file for a seed");
  bytes[*count] = '\0';
  fclose(file);
  return bytes;
}
