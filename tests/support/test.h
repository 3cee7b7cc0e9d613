#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

/* Included first by every C test. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/alignment.h"
#include "clalign/device.h"

/* The error of this thread's last failed call; passed to calls that may fail. */
extern _Thread_local cla_error why;

/* Asserts that the call, whose last argument is &why, succeeds. */
#define assert_ok(call) cr_assert_eq(call, CLA_OK, "%s", why.message)

/* Like assert_ok, with a text for the message: FORMAT and its arguments. */
#define assert_ok_for(call, ...) cr_assert_eq(call, CLA_OK, "%s: %s", test_text(__VA_ARGS__), why.message)

/* Asserts that the call fails with `status`, and that the message contains `part`. */
#define assert_error(call, status, part)                                       \
  do {                                                                         \
    why = (cla_error){0};                                                      \
    cr_assert_eq(call, status, "%s", why.message);                             \
    cr_assert(strstr(why.message, part), "no '%s' in: %s", part, why.message); \
  } while (0)

/* OWNED(FUNCTION) begins a declaration; at the end of the block FUNCTION is called with the variable's
 * address. */
#define OWNED(function) __attribute__((cleanup(function)))

/* Functions for OWNED, of variables that are pointers. */
void free_memory(void *pointer); /* for memory of malloc */
void free_sequence(cla_sequence **sequence);
void free_alignment(cla_alignment **alignment);
void close_device(cla_device **device);

cla_scoring default_scoring(void);

/* Formats a text, which is valid until the next call. */
const char *test_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
