#ifndef TESTS_SUPPORT_SOUND_WORK_H
#define TESTS_SUPPORT_SOUND_WORK_H

#include <stdint.h>

#include "clalign/work.h"

/* Fails the test unless the record can be of a matrix of so many rows and columns: its bands follow each
 * other and lie inside, and so do special rows and crosspoints, in order. */
void expect_sound_work(const cla_work *work, int64_t rows, int64_t columns);

#endif
