#include "write/plots/plot_internal.h"

#include <stdio.h>
#include <string.h>

int64_t plot_round_number(double least) {
  int64_t power = 1;
  while ((double)power * 10 <= least) power *= 10;
  if ((double)power >= least) return power;
  if ((double)power * 2 >= least) return 2 * power;
  return (double)power * 5 >= least ? 5 * power : 10 * power;
}

plot_scale plot_scale_choose(int64_t from, int64_t to, double points, double least, cla_alphabet alphabet) {
  static const char *const names[] = {"bp", "kbp", "Mbp"};
  plot_scale scale = {.unit = 1, .name = alphabet == CLA_ALPHABET_PROTEIN ? "aa" : "letters"};
  const int64_t letters = to > from ? to - from : 1;
  scale.step = plot_round_number((double)letters * least / points);
  if (alphabet != CLA_ALPHABET_DNA) return scale;
  /* Choose a unit in which marks have at most two decimals. */
  const int power = to >= 2000000 && scale.step >= 10000 ? 2 : to >= 2000 && scale.step >= 100 ? 1 : 0;
  scale.name = names[power];
  for (int i = 0; i < power; i++) scale.unit *= 1000;
  for (int64_t unit = scale.unit; scale.step % unit != 0; unit /= 10) scale.decimals++;
  return scale;
}

void plot_number_text(char text[PLOT_NUMBER_SIZE], int64_t number) {
  char digits[32];
  const int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
  int at = 0;
  for (int i = 0; i < length; i++) {
    text[at++] = digits[i];
    const int left = length - 1 - i;
    if (digits[i] != '-' && left > 0 && left % 3 == 0) text[at++] = ',';
  }
  text[at] = 0;
}

void plot_scale_text(char text[PLOT_NUMBER_SIZE], const plot_scale *scale, int64_t position) {
  plot_number_text(text, position / scale->unit);
  int64_t rest = position % scale->unit, unit = scale->unit;
  size_t at = strlen(text);
  if (scale->decimals > 0) text[at++] = '.';
  for (int i = 0; i < scale->decimals; i++) {
    unit /= 10;
    text[at++] = (char)('0' + rest / unit);
    rest %= unit;
  }
  text[at] = 0;
}

void plot_percent_text(char text[PLOT_NUMBER_SIZE], int64_t part, int64_t whole) {
  const long double percent = whole > 0 ? 100 * (long double)part / (long double)whole : 0;
  int decimals = 2;
  int64_t unit = 100;
  int64_t scaled = (int64_t)(percent * unit + 0.5L);
  /* Add decimals until a share above 0 is not shown as 0, and a share below 1 not as 100. */
  while (part > 0 && part < whole && decimals < 8 && (scaled == 0 || scaled >= 100 * unit)) {
    decimals++;
    unit *= 10;
    scaled = (int64_t)(percent * unit + 0.5L);
  }
  if (part < whole && scaled >= 100 * unit) scaled = 100 * unit - 1;
  if (part > 0 && scaled == 0) scaled = 1;
  if (part == whole)
    strcpy(text, whole > 0 ? "100" : "0");
  else
    snprintf(text, PLOT_NUMBER_SIZE, "%lld.%0*lld", (long long)(scaled / unit), decimals,
             (long long)(scaled % unit));
}

/* Returns a character's approximate width if the letter size is 1. */
static double letter_width(unsigned char letter) {
  if (letter >= 0xe0) return 1; /* the character may be an ideogram */
  if (letter >= 0xc0) return 0.65;
  if (letter >= 0x80) return 0; /* a byte inside a character */
  if (letter >= '0' && letter <= '9') return 0.64;
  if (strchr("iljI.,:;|'!", letter)) return 0.34;
  if (strchr(" ftr()[]-", letter)) return 0.4;
  if (strchr("mwMW@%&", letter)) return 0.98;
  if (letter >= 'A' && letter <= 'Z') return 0.72;
  return 0.62;
}

double plot_text_width(const char *text, double size, bool bold) {
  double width = 0;
  for (; *text; text++) width += letter_width((unsigned char)*text);
  return width * size * (bold ? 1.12 : 1);
}

void plot_text_fit(char *text, double size, bool bold, double width) {
  static const char ellipsis[] = "\xe2\x80\xa6";
  if (plot_text_width(text, size, bold) <= width) return;
  size_t length = strlen(text);
  while (length > 0) {
    do length--;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80); /* to the start of a character */
    text[length] = 0;
    if (plot_text_width(text, size, bold) + size <= width) break;
  }
  memcpy(text + length, ellipsis, sizeof ellipsis);
}
