/* Parses the lists of clalign bench: sizes, modes, kernels. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/kernel.h"
#include "cli/bench/bench.h"
#include "cli/options/options.h"
#include "cli/report/report.h"

/* Longest sequence: the number of cells of two such sequences fits in 63 bits. */
#define LETTERS_LIMIT INT64_C(2000000000)

/* Adds one entry of a list to the settings. */
typedef cla_status (*take_entry)(bench_settings *settings, const cli_option *option, const char *entry,
                                 cla_error *error);

/* Calls `take` for each entry between commas. */
static cla_status each_entry(const cli_option *option, const char *value, take_entry take, cla_error *error) {
  char entry[BENCH_NAME_SIZE];
  for (const char *begin = value;; begin++) {
    const size_t length = strcspn(begin, ",");
    if (length == 0)
      return cli_error(error, CLA_ERROR_OPTION, "--%s has an empty entry in '%s'", option->name, value);
    if (length >= sizeof entry)
      return cli_error(error, CLA_ERROR_OPTION, "--%s has an entry that is too long in '%s'", option->name,
                       value);
    memcpy(entry, begin, length);
    entry[length] = '\0';
    cla_status status = take(option->destination, option, entry, error);
    if (status != CLA_OK) return status;
    begin += length;
    if (!*begin) return CLA_OK;
  }
}

static cla_status too_many(const cli_option *option, cla_error *error) {
  return cli_error(error, CLA_ERROR_OPTION, "--%s has more than %d entries; measure in several calls",
                   option->name, BENCH_LIST_LIMIT);
}

static cla_status take_size(bench_settings *settings, const cli_option *option, const char *entry,
                            cla_error *error) {
  if (settings->size_count == BENCH_LIST_LIMIT) return too_many(option, error);
  bench_size size = {0};
  const char *rest = cli_read_letters(&size.query, entry, LETTERS_LIMIT);
  size.target = size.query;
  if (rest && *rest == 'x') rest = cli_read_letters(&size.target, rest + 1, LETTERS_LIMIT);
  if (!rest || *rest)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--%s takes letters from 1 to 2000M as 500, 10k, 1M or 20kx1M, not '%s'", option->name,
                     entry);
  settings->sizes[settings->size_count++] = size;
  return CLA_OK;
}

cla_status bench_parse_sizes(const cli_option *option, const char *value, cla_error *error) {
  ((bench_settings *)option->destination)->size_count = 0;
  return each_entry(option, value, take_size, error);
}

static cla_status take_mode(bench_settings *settings, const cli_option *option, const char *entry,
                            cla_error *error) {
  const bool global = strcmp(entry, "global") == 0;
  if (!global && strcmp(entry, "local") != 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s takes local, global or local,global, not '%s'",
                     option->name, entry);
  const cla_mode mode = global ? CLA_MODE_GLOBAL : CLA_MODE_LOCAL;
  for (int i = 0; i < settings->mode_count; i++)
    if (settings->modes[i] == mode)
      return cli_error(error, CLA_ERROR_OPTION, "--%s names %s twice; name it once", option->name, entry);
  settings->modes[settings->mode_count++] = mode;
  return CLA_OK;
}

cla_status bench_parse_modes(const cli_option *option, const char *value, cla_error *error) {
  ((bench_settings *)option->destination)->mode_count = 0;
  return each_entry(option, value, take_mode, error);
}

const char *const bench_relation_words[] = {"unrelated", "related", "both", NULL};

cla_status bench_parse_relation(const cli_option *option, const char *value, cla_error *error) {
  bench_settings *settings = option->destination;
  int place = 0;
  cla_status status = cli_find_word(&place, option, value, error);
  if (status != CLA_OK) return status;
  settings->relations[0] = place == 1;
  settings->relations[1] = true;
  settings->relation_count = place == 2 ? 2 : 1;
  return CLA_OK;
}

/* Checks that there is a kernel with that name. */
static cla_status check_kernel(const cla_kernel_info *kernels, size_t count, const char *name,
                               cla_error *error) {
  if (strcmp(name, "all") == 0)
    return cli_error(error, CLA_ERROR_OPTION, "--kernels takes all alone, or names");
  const char *names[BENCH_LIST_LIMIT + 3] = {"default", "all"};
  for (size_t i = 0; i < count && i < BENCH_LIST_LIMIT; i++) {
    if (strcmp(kernels[i].name, name) == 0) return CLA_OK;
    names[i + 2] = kernels[i].name;
  }
  const char *nearest = cli_nearest(name, names);
  if (nearest)
    return cli_error(error, CLA_ERROR_OPTION, "no kernel is called '%s'; did you mean '%s'?", name, nearest);
  char list[512] = "";
  for (const char *const *entry = names; *entry; entry++) {
    strncat(list, entry == names ? "" : ", ", sizeof list - strlen(list) - 1);
    strncat(list, *entry, sizeof list - strlen(list) - 1);
  }
  return cli_error(error, CLA_ERROR_OPTION, "no kernel is called '%s'; there are: %s", name, list);
}

static cla_status take_kernel(bench_settings *settings, const cli_option *option, const char *entry,
                              cla_error *error) {
  for (int i = 0; i < settings->kernel_count; i++)
    if (strcmp(settings->kernels[i], entry) == 0)
      return cli_error(error, CLA_ERROR_OPTION, "--%s names %s twice; name it once", option->name, entry);
  if (settings->kernel_count == BENCH_LIST_LIMIT) return too_many(option, error);
  snprintf(settings->kernels[settings->kernel_count++], BENCH_NAME_SIZE, "%s", entry);
  return CLA_OK;
}

cla_status bench_parse_kernels(const cli_option *option, const char *value, cla_error *error) {
  bench_settings *settings = option->destination;
  settings->kernel_count = 0;
  settings->all_kernels = strcmp(value, "all") == 0;
  cla_kernel_info *kernels = NULL;
  size_t count = 0;
  cla_status status = cla_kernels_list(&kernels, &count, error);
  if (status == CLA_OK && settings->all_kernels) {
    for (size_t i = 0; i < count && status == CLA_OK; i++)
      status = take_kernel(settings, option, kernels[i].name, error);
  } else if (status == CLA_OK) {
    status = each_entry(option, value, take_kernel, error);
    for (int i = 0; i < settings->kernel_count && status == CLA_OK; i++)
      if (strcmp(settings->kernels[i], "default") != 0)
        status = check_kernel(kernels, count, settings->kernels[i], error);
  }
  cla_kernels_free(kernels);
  return status;
}

void bench_size_text(char *text, size_t size, const bench_size *letters) {
  char query[32], target[32];
  cli_letters_text(query, sizeof query, letters->query);
  cli_letters_text(target, sizeof target, letters->target);
  if (letters->query == letters->target)
    snprintf(text, size, "%s", query);
  else
    snprintf(text, size, "%sx%s", query, target);
}
