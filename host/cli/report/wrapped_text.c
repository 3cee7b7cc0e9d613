#include "cli/report/wrapped_text.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_columns(int descriptor, int elsewhere) {
  struct winsize size;
  return isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                                            : elsewhere;
}

static void put_word(wrapped *page, const char *word, size_t length) {
  bool begins = page->column <= page->indent;
  if (!begins && page->column + 1 + (int)length > page->width) {
    fputc('\n', page->file);
    page->column = 0;
    begins = true;
  }
  if (page->column < page->indent) {
    fprintf(page->file, "%*s", page->indent - page->column, "");
    page->column = page->indent;
  } else if (!begins) {
    fputc(' ', page->file);
    page->column++;
  }
  fprintf(page->file, "%.*s", (int)length, word);
  page->column += (int)length;
}

void wrapped_put(wrapped *page, const char *text) {
  for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
    const size_t length = strcspn(text, " \n");
    put_word(page, text, length);
    text += length;
  }
}

/* Where a line of `length` bytes is broken: at its last space within the width, else at its first one. */
static size_t break_of(const char *line, size_t length, size_t least, size_t width) {
  if (length <= width) return length;
  size_t at = width;
  while (at > least && line[at] != ' ') at--;
  if (at > least) return at;
  at = least + strcspn(line + least, " ");
  return at < length ? at : length;
}

void wrapped_lines(FILE *file, const char *text, int width, int indent) {
  if (width <= indent) width = indent + 1;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    const char *next = line + length + (line[length] == '\n');
    /* The first break is not within the label. */
    size_t end = break_of(line, length, (size_t)indent < length ? (size_t)indent : length, (size_t)width);
    fprintf(file, "%.*s\n", (int)end, line);
    for (line += end, length -= end; length > 0; line += end, length -= end) {
      const size_t spaces = strspn(line, " ");
      line += spaces;
      length -= spaces;
      end = break_of(line, length, 0, (size_t)(width - indent));
      if (end > 0) fprintf(file, "%*s%.*s\n", indent, "", (int)end, line);
      if (end == 0) break;
    }
    line = next;
  }
}
