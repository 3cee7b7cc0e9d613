/* Turns kernel files into one C file that defines host/device/program.h.
 *
 *   embed_kernels OUTPUT LIST      LIST names one kernel file a line
 *
 * Runs on the building machine only. A string literal per line of source keeps the output readable in a
 * debugger and in compiler messages. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 4096
#define FILE_LIMIT 1024

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Octal escapes have at most three digits, so they cannot swallow the next letter as \x would. */
static void write_letter(FILE *out, int letter) {
  if (letter == '"' || letter == '\\')
    fprintf(out, "\\%c", letter);
  else if (letter == '?')
    fputs("\\?", out); /* no trigraphs */
  else if (letter < ' ' || letter > '~')
    fprintf(out, "\\%03o", (unsigned)letter);
  else
    fputc(letter, out);
}

static int write_source(FILE *out, const char *path, int number) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    fprintf(stderr, "embed_kernels: cannot open %s\n", path);
    return 1;
  }
  fprintf(out, "static const char source_%d[] =\n    \"", number);
  int letter;
  while ((letter = fgetc(in)) != EOF) {
    if (letter == '\n')
      fputs("\\n\"\n    \"", out);
    else
      write_letter(out, letter);
  }
  fputs("\";\n\n", out);
  int failed = ferror(in);
  if (failed) fprintf(stderr, "embed_kernels: cannot read %s\n", path);
  fclose(in);
  return failed;
}

/* Reads the list, a path a line; returns the number of paths or -1. */
static int read_list(char **paths, const char *list) {
  FILE *in = fopen(list, "r");
  if (!in) {
    fprintf(stderr, "embed_kernels: cannot open %s\n", list);
    return -1;
  }
  char line[PATH_SIZE];
  int count = 0;
  while (fgets(line, sizeof line, in)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (!line[0]) continue;
    if (count == FILE_LIMIT || !(paths[count] = strdup(line))) {
      fprintf(stderr, "embed_kernels: too many files in %s\n", list);
      count = -1;
      break;
    }
    count++;
  }
  fclose(in);
  return count;
}

int main(int argc, char **argv) {
  static char *paths[FILE_LIMIT];
  if (argc != 3) {
    fputs("usage: embed_kernels OUTPUT LIST\n", stderr);
    return 1;
  }
  int count = read_list(paths, argv[2]);
  if (count < 0) return 1;
  FILE *out = fopen(argv[1], "wb");
  if (!out) {
    fprintf(stderr, "embed_kernels: cannot write %s\n", argv[1]);
    return 1;
  }
  int failed = 0;
  fputs("/* Made by tools/embed_kernels.c from cl/. */\n\n#include \"device/program.h\"\n\n", out);
  for (int i = 0; i < count; i++) failed |= write_source(out, paths[i], i);
  fputs("const embedded_kernel embedded_kernels[] = {\n", out);
  for (int i = 0; i < count; i++) fprintf(out, "    {\"%s\", source_%d},\n", base_name(paths[i]), i);
  fprintf(out, "    {NULL, NULL},\n};\n\nconst size_t embedded_kernel_count = %d;\n", count);
  failed |= ferror(out);
  failed |= fclose(out) != 0;
  if (failed) remove(argv[1]); /* so that the next build tries again */
  return failed ? 1 : 0;
}
