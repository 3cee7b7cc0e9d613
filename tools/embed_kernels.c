/* Turns kernel files into one C file that defines host/device/program.h.
 *
 *   embed_kernels OUTPUT LIST      LIST names one kernel file a line
 *
 * Runs on the building machine only. A string literal per line of source keeps the output readable in a
 * debugger. Comments are left out, so that kernels whose comments alone differ have the same signature in
 * tuning records (host/tuning/tuning_signature.c). Line numbers stay, for compilers' messages. */

#include <stdbool.h>
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
  if (letter == '\n')
    fputs("\\n\"\n    \"", out);
  else if (letter == '"' || letter == '\\')
    fprintf(out, "\\%c", letter);
  else if (letter == '?')
    fputs("\\?", out); /* no trigraphs */
  else if (letter < ' ' || letter > '~')
    fprintf(out, "\\%03o", (unsigned)letter);
  else
    fputc(letter, out);
}

/* Writes source text without comments and without spaces at the ends of lines. */
typedef struct code_writer {
  FILE *out;
  int quote;    /* the quote that ends the current literal, or 0 outside of literals */
  bool escaped; /* the letter before is a backslash that is not escaped itself */
  int spaces;   /* spaces read since the last letter and not yet written */
  int lines;    /* line ends that were read in comments and are still to be written */
} code_writer;

/* Writes a letter of code. Line ends of comments follow the end of their logical line, so that code below
 * keeps its line numbers and a macro whose body holds a comment stays one directive. */
static void write_code(code_writer *w, int letter) {
  if (letter == ' ') {
    w->spaces++;
    return;
  }
  for (; letter != '\n' && w->spaces > 0; w->spaces--) write_letter(w->out, ' ');
  w->spaces = 0;
  write_letter(w->out, letter);
  if (letter == '\n') {
    w->quote = 0;
    for (; !w->escaped && w->lines > 0; w->lines--) write_letter(w->out, '\n');
  } else if (!w->escaped && (letter == w->quote || (!w->quote && (letter == '"' || letter == '\'')))) {
    w->quote = w->quote ? 0 : letter;
  }
  w->escaped = letter == '\\' && !w->escaped;
}

/* Reads the rest of a comment, whose second letter is `kind`, and the spaces after it. Returns the next
 * letter. At least one space stands for the comment in the code. */
static int skip_comment(code_writer *w, FILE *in, int kind) {
  int before = 0, letter;
  while ((letter = fgetc(in)) != EOF && !(kind == '/' && letter == '\n')) {
    if (kind == '*' && before == '*' && letter == '/') {
      while ((letter = fgetc(in)) == ' ') continue;
      break;
    }
    w->lines += letter == '\n';
    before = letter;
  }
  if (w->spaces == 0) w->spaces = 1;
  return letter;
}

static void copy_code(code_writer *w, FILE *in) {
  int letter = fgetc(in);
  while (letter != EOF) {
    int next = fgetc(in);
    if (!w->quote && letter == '/' && (next == '*' || next == '/')) {
      letter = skip_comment(w, in, next);
    } else {
      write_code(w, letter);
      letter = next;
    }
  }
}

static int write_source(FILE *out, const char *path, int number) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    fprintf(stderr, "embed_kernels: cannot open %s\n", path);
    return 1;
  }
  fprintf(out, "static const char source_%d[] =\n    \"", number);
  code_writer writer = {.out = out};
  copy_code(&writer, in);
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
