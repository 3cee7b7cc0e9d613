#include "compare/records/chain_text.h"

#include <string.h>

#include "base/text_number.h"

#define CHAIN_COLUMNS 12 /* columns up to qEnd; the chain's number after them may be missing */
#define LETTERS_LIMIT (INT64_C(1) << 40)

int text_columns(char *column[], int most, char *text) {
  int count = 0;
  for (char *rest = text, *field; count < most && (field = strsep(&rest, " \t"));)
    if (*field) column[count++] = field;
  return count;
}

bool chain_head_read(chain_head *head, char *text) {
  char *column[CHAIN_COLUMNS];
  if (text_columns(column, CHAIN_COLUMNS, text) < CHAIN_COLUMNS) return false;
  *head = (chain_head){.target_name = column[2],
                       .target_length = text_number(column[3]),
                       .query_name = column[7],
                       .query_length = text_number(column[8]),
                       .reverse = column[9][0] == '-',
                       .target = text_number(column[5]),
                       .target_end = text_number(column[6]),
                       .query = text_number(column[10]),
                       .query_end = text_number(column[11])};
  return strcmp(column[4], "+") == 0 && (strcmp(column[9], "+") == 0 || head->reverse) && 0 <= head->target &&
         head->target < head->target_end && head->target_end <= head->target_length && 0 <= head->query &&
         head->query < head->query_end && head->query_end <= head->query_length;
}

bool chain_block_read(int64_t number[3], bool *last, char *text) {
  char *column[3];
  const int count = text_columns(column, 3, text);
  *last = count == 1;
  for (int i = 0; i < 3; i++) {
    number[i] = i < count ? text_number(column[i]) : 0;
    if (number[i] < 0 || number[i] > LETTERS_LIMIT) return false;
  }
  return count == 1 || count == 3;
}
