#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

/* What every test of C begins with. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/alignment.h"
#include "clalign/device.h"

/* Why a call of this thread failed: what calls get that may fail. */
extern _Thread_local cla_error why;

/* The call, whose last argument is &why, succeeds. */
#define assert_ok(call) cr_assert_eq(call, CLA_OK, "%s", why.message)

/* assert_ok with a text for the message: FORMAT and its arguments. */
#define assert_ok_for(call, ...) cr_assert_eq(call, CLA_OK, "%s: %s", test_text(__VA_ARGS__), why.message)

/* The call fails so, with a message that has the part. */
#define assert_error(call, status, part)                                       \
  do {                                                                         \
    why = (cla_error){0};                                                      \
    cr_assert_eq(call, status, "%s", why.message);                             \
    cr_assert(strstr(why.message, part), "no '%s' in: %s", part, why.message); \
  } while (0)

/* OWNED(FUNCTION) begins a declaration: the function gets the variable's address where its block ends. */
#define OWNED(function) __attribute__((cleanup(function)))

/* Such functions of pointers. */
void free_memory(void *pointer); /* to what malloc gave */
void free_sequence(cla_sequence **sequence);
void free_alignment(cla_alignment **alignment);
void close_device(cla_device **device);

cla_scoring default_scoring(void);

/* FORMAT with its arguments; until the next call. */
const char *test_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
