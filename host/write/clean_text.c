#include "write/clean_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/allocate.h"

static bool is_allowed(unsigned char byte, bool first, clean_rule rule) {
  switch (rule) {
    case CLEAN_COLUMN: return byte > ' ' && byte != 0x7f;
    case CLEAN_FIRST_COLUMN: return byte > ' ' && byte != 0x7f && !(first && byte == '#');
    case CLEAN_SAM_QUERY: return byte > ' ' && byte < 0x7f && byte != '@';
    case CLEAN_SAM_REFERENCE:
      return byte > ' ' && byte < 0x7f && !strchr("\\,\"'`()[]{}<>", byte) &&
             !(first && (byte == '*' || byte == '='));
    case CLEAN_LINE: return byte >= ' ' && byte != 0x7f;
  }
  return false;
}

/* Bytes of the valid UTF-8 character at `text`, 0 if there is none; *code is its number. */
static int utf8_length(uint32_t *code, const unsigned char *text) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char lead = text[0];
  *code = lead;
  if (lead < 0x80) return 1;
  int length = lead >= 0xf0 && lead < 0xf8   ? 4
               : lead >= 0xe0 && lead < 0xf0 ? 3
               : lead >= 0xc0 && lead < 0xe0 ? 2
                                             : 0;
  uint32_t value = length ? lead & (0x7fu >> length) : 0;
  for (int index = 1; index < length; index++) {
    if ((text[index] & 0xc0) != 0x80) return 0; /* the terminating zero ends here too */
    value = value << 6 | (text[index] & 0x3fu);
  }
  *code = value;
  bool surrogate = value >= 0xd800 && value < 0xe000;
  return length && value >= least[length] && value <= 0x10ffff && !surrogate ? length : 0;
}

/* Bytes of the blank or line end beyond ASCII at `text`, 0 if there is none: those at which Python's split
 * and splitlines, with which readers part columns and lines, part a text. */
static int wide_blank_length(const char *text) {
  uint32_t code;
  const int length = utf8_length(&code, (const unsigned char *)text);
  const bool blank = code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
                     code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
  return length > 1 && blank ? length : 0;
}

cla_status clean_name(char **out, const char *name, clean_rule rule, const char *fallback, cla_error *error) {
  const bool column = rule == CLEAN_COLUMN || rule == CLEAN_FIRST_COLUMN;
  cla_status status = allocate_text(out, name && *name ? name : fallback, error);
  if (status != CLA_OK) return status;
  for (char *at = *out; *at; at++) {
    if (!is_allowed((unsigned char)*at, at == *out, rule)) *at = rule == CLEAN_LINE ? ' ' : '_';
    const int blank = column ? wide_blank_length(at) : 0;
    for (int byte = 0; byte < blank; byte++) at[byte] = '_';
  }
  return CLA_OK;
}

cla_status clean_utf8(char **out, const char *text, cla_error *error) {
  static const char replacement[] = "\xef\xbf\xbd";
  void *memory = NULL;
  cla_status status = allocate_array(&memory, (int64_t)strlen(text) * 3 + 1, 1, "a text", error);
  if (status != CLA_OK) return status;
  char *to = *out = memory;
  while (*text) {
    uint32_t code;
    int length = utf8_length(&code, (const unsigned char *)text);
    int copied = length > 0 ? length : 3;
    memcpy(to, length > 0 ? text : replacement, (size_t)copied);
    text += length > 0 ? length : 1;
    to += copied;
  }
  *to = 0;
  return CLA_OK;
}

static bool begins_letter(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

int text_letters(const char *text) {
  int letters = 0;
  for (; *text; text++) letters += begins_letter(*text);
  return letters;
}

void print_name(FILE *file, const char *name, int width, bool cut) {
  int letters = 0;
  for (; *name; name++) {
    if (begins_letter(*name) && letters++ == width && cut) return;
    fputc(*name, file);
  }
  if (letters < width) fprintf(file, "%*s", width - letters, "");
}
