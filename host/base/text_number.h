#ifndef HOST_BASE_TEXT_NUMBER_H
#define HOST_BASE_TEXT_NUMBER_H

#include <stdint.h>

/* The number of a column that has digits alone; -1 for anything else, and for numbers from 2^63 on. */
int64_t text_number(const char *text);

#endif
