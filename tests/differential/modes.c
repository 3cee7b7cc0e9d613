#include "differential/modes.h"

#include <stdio.h>
#include <string.h>

void mode_draw(cla_mode *mode, int *free_ends, random_stream *stream, int group) {
  *free_ends = 0;
  if (group == ENDS_LOCAL || group == ENDS_EXTEND) {
    *mode = group == ENDS_LOCAL ? CLA_MODE_LOCAL : CLA_MODE_EXTEND;
    return;
  }
  const bool named = draw_chance(stream, 2);
  int ends = (int)random_stream_below(stream, 16);
  if (named) ends = group == ENDS_FIXED ? CLA_FREE_TARGET_START | CLA_FREE_TARGET_END : CLA_FREE_ENDS_ALL;
  if (group == ENDS_FIXED)
    ends &= ~CLA_FREE_QUERY_END;
  else
    ends |= CLA_FREE_QUERY_END;
  *mode = cla_free_ends_mode(ends);
  if (*mode == CLA_MODE_FREE_ENDS) *free_ends = ends;
}

const char *mode_word(cla_mode mode, int free_ends, char buffer[CASE_WORD_SIZE]) {
  static const char *const words[] = {"Qs", "Qe", "Ts", "Te"};
  if (mode != CLA_MODE_FREE_ENDS) return cla_mode_name(mode);
  strcpy(buffer, "free");
  for (int i = 0; i < CLA_FREE_END_COUNT; i++)
    if (free_ends >> i & 1)
      snprintf(buffer + strlen(buffer), CASE_WORD_SIZE - strlen(buffer), " %s", words[i]);
  return buffer;
}
