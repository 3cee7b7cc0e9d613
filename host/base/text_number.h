#ifndef HOST_BASE_TEXT_NUMBER_H
#define HOST_BASE_TEXT_NUMBER_H

#include <stdint.h>

/* Returns the number in a text that consists of digits only; -1 for other texts, and for numbers from 2^63
 * on. */
int64_t text_number(const char *text);

#endif
