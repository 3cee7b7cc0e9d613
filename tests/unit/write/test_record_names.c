/* What records are called in an output, and which target has a name. */

#include "write/record_names.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

static cla_status add(target_names *names, const char *name, const char *letters, clean_rule rule,
                      int64_t pair, cla_error *error) {
  cla_sequence *target = NULL;
  cr_assert_eq(cla_sequence_from_letters(&target, name, letters, (int64_t)strlen(letters), error), CLA_OK);
  named_target *known;
  const cla_status status = target_names_add(&known, names, &(cla_results){.target = target},
                                             &(target_use){rule, "sam", pair}, error);
  cla_sequence_free(target);
  return status;
}

Test(record_names, a_name_stands_for_one_target) {
  static const struct {
    const char *name, *letters;
    clean_rule rule;
    cla_status status;
  } cases[] = {
      {"chr", "ACGT", CLEAN_COLUMN, CLA_OK},
      {"chr", "ACGT", CLEAN_COLUMN, CLA_OK},
      {"chr", "ACGA", CLEAN_COLUMN, CLA_ERROR_INPUT},
      {"chr", "ACGTA", CLEAN_COLUMN, CLA_ERROR_INPUT},
      {"chr", "ACGT", CLEAN_COLUMN, CLA_OK}, /* the first one keeps the name */
      {"a,b", "AAAA", CLEAN_SAM_REFERENCE, CLA_OK},
      {"a_b", "CCCC", CLEAN_SAM_REFERENCE, CLA_ERROR_INPUT},
      {"a_b", "AAAA", CLEAN_SAM_REFERENCE, CLA_OK},
      {"c,d", "AAAA", CLEAN_COLUMN, CLA_OK},
      {"c_d", "CCCC", CLEAN_COLUMN, CLA_OK},
      {"", "GGGG", CLEAN_COLUMN, CLA_OK},
      {"target", "CCCC", CLEAN_COLUMN, CLA_ERROR_INPUT},
  };
  target_names *names;
  cla_error error;
  cr_assert_eq(target_names_open(&names, &error), CLA_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(add(names, cases[i].name, cases[i].letters, cases[i].rule, (int64_t)i + 1, &error),
                 cases[i].status, "%zu: %s", i, cases[i].name);
  target_names_close(names);
}

Test(record_names, finds_each_of_many_targets) {
  char name[32];
  target_names *names;
  cla_error error;
  cr_assert_eq(target_names_open(&names, &error), CLA_OK);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 500; i++) {
      snprintf(name, sizeof name, "t%d", i);
      const char *letters = (i + pass) % 2 ? "ACGT" : "TTGT";
      cr_expect_eq(add(names, name, letters, CLEAN_COLUMN, i + 1, &error), pass ? CLA_ERROR_INPUT : CLA_OK);
      if (!pass) continue;
      snprintf(name, sizeof name, "pair %d;", i + 1);
      cr_expect(strstr(error.message, name), "%s", error.message);
    }
  target_names_close(names);
}

#define THREADS 4
#define TARGETS 3000

typedef struct finder {
  target_names *names;
  found_target targets[TARGETS];
  int first;
} finder;

/* Each thread has most names of the others, in another order and in blocks. */
static void *find_all(void *user) {
  finder *f = user;
  for (int i = 0; i < TARGETS; i++) {
    const uint64_t number = (uint64_t)((i * 7 + f->first) % TARGETS + f->first);
    f->targets[i].key = (target_key){{number * UINT64_C(0x9e3779b97f4a7c15), number}, 1};
  }
  for (int i = 0; i < TARGETS; i += 300)
    if (target_names_find(f->names, f->targets + i, 300, NULL) != CLA_OK) return f;
  return NULL;
}

Test(record_names, are_found_by_several_threads) {
  static finder finders[THREADS];
  pthread_t threads[THREADS];
  named_target *known[TARGETS + THREADS] = {NULL};
  target_names *names;
  assert_ok(target_names_open(&names, &why));
  for (int i = 0; i < THREADS; i++) {
    finders[i].names = names;
    finders[i].first = i;
    cr_assert_eq(pthread_create(&threads[i], NULL, find_all, &finders[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    cr_assert_eq(pthread_join(threads[i], &failed), 0);
    cr_assert_null(failed);
  }
  for (int i = 0; i < THREADS; i++)
    for (int j = 0; j < TARGETS; j++) {
      const found_target *target = &finders[i].targets[j];
      const uint64_t number = target->key.name[1];
      if (number == 0) {
        cr_expect_null(target->known);
        continue;
      }
      if (!known[number]) known[number] = target->known;
      cr_assert_eq(target->known, known[number]);
      cr_assert_eq(target->known->name[1], number);
      cr_assert_eq(target->known->pair, 0);
    }
  target_names_close(names);
}
