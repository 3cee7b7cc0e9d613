#include "tuning/tuning_record.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"

/* Copies a driver's text as one line without blanks at either end; "unknown" for an empty text. */
static void clean(char *out, size_t size, const char *text) {
  while (isspace((unsigned char)*text)) text++;
  snprintf(out, size, "%s", text);
  size_t length = strlen(out);
  while (length > 0 && isspace((unsigned char)out[length - 1])) out[--length] = '\0';
  for (char *letter = out; *letter; letter++)
    if (iscntrl((unsigned char)*letter)) *letter = '?';
  if (!out[0]) snprintf(out, size, "unknown");
}

void tuning_record_head(tuning_record *out, const cla_device_info *device) {
  memset(out, 0, sizeof *out);
  clean(out->platform, sizeof out->platform, device->platform);
  clean(out->device, sizeof out->device, device->name);
  clean(out->driver, sizeof out->driver, device->driver);
  out->compute_units = device->compute_units;
  out->signature = tuning_signature();
}

/* True if `value` is in the list `values`, which ends with 0. If not, writes a reason that lists the legal
 * values. */
static bool legal(const int *values, int value, const kernel_variant *variant, const char *what, char *reason,
                  int64_t size) {
  const int *one = values;
  while (*one && *one != value) one++;
  if (*one) return true;
  int64_t used = snprintf(reason, (size_t)size, "%s takes %s", variant->name, what);
  for (one = values; *one && used < size; one++)
    used += snprintf(reason + used, (size_t)(size - used), "%s %d", one == values ? "" : ",", *one);
  if (used < size) snprintf(reason + used, (size_t)(size - used), ", not %d", value);
  return false;
}

static bool config_check(const kernel_config *config, char *reason, int64_t size) {
  const kernel_variant *variant = config->variant;
  const bool persistent = config->launch == KERNEL_PERSISTENT;
  if (!legal(variant->lanes, config->lanes, variant, "lanes", reason, size) ||
      !legal(variant->alphas, config->alpha, variant, "alpha", reason, size))
    return false;
  if (config->tile_columns < config->lanes || config->tile_columns > KERNEL_TILE_LIMIT ||
      config->tile_columns % config->lanes != 0)
    snprintf(reason, (size_t)size, "a tile is a multiple of the lanes, %d, and at most %d, not %lld",
             config->lanes, KERNEL_TILE_LIMIT, (long long)config->tile_columns);
  else if (persistent && (config->groups < 1 || config->groups > TUNING_GROUPS_LIMIT))
    snprintf(reason, (size_t)size, "a persistent launch has 1 to %d groups, not %d", TUNING_GROUPS_LIMIT,
             config->groups);
  else if (!persistent && config->groups != 0)
    snprintf(reason, (size_t)size, "a launch by diagonals has 0 for groups, not %d", config->groups);
  else
    return true;
  return false;
}

bool tuning_entry_check(const tuning_entry *entry, char *reason, int64_t size) {
  const double times[] = {entry->model.constant, entry->model.per_row, entry->model.per_column,
                          entry->model.per_cell};
  if (entry->length < 1 || entry->length > TUNING_LENGTH_LIMIT) {
    snprintf(reason, (size_t)size, "a length is 1 to %lld letters, not %lld", (long long)TUNING_LENGTH_LIMIT,
             (long long)entry->length);
    return false;
  }
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    if (!isfinite(times[i]) || times[i] < 0) {
      snprintf(reason, (size_t)size, "c%d is seconds, 0 or more, not %g", i + 1, times[i]);
      return false;
    }
    sum += times[i];
  }
  if (!(sum > 0)) {
    snprintf(reason, (size_t)size, "c1 to c4 are all 0: one at least is more");
    return false;
  }
  return config_check(&entry->config, reason, size);
}

cla_status tuning_record_put(tuning_record *record, const tuning_entry *entry, cla_error *error) {
  char reason[256];
  if (!tuning_entry_check(entry, reason, sizeof reason))
    return error_set(error, CLA_ERROR_OPTION, "not fit for a tuning record: %s", reason);
  for (int64_t i = 0; i < record->entry_count; i++) {
    tuning_entry *old = &record->entries[i];
    if (old->local == entry->local && old->matrix == entry->matrix && old->two_pieces == entry->two_pieces &&
        old->length == entry->length && old->config.variant == entry->config.variant) {
      *old = *entry;
      return CLA_OK;
    }
  }
  if (record->entry_count >= TUNING_ENTRY_LIMIT)
    return error_set(error, CLA_ERROR_OPTION, "a tuning record holds at most %d entries", TUNING_ENTRY_LIMIT);
  cla_status status = ALLOCATE_GROW(&record->entries, &record->entry_capacity, record->entry_count + 1,
                                    "a tuning record", error);
  if (status == CLA_OK) record->entries[record->entry_count++] = *entry;
  return status;
}

void tuning_record_free(tuning_record *record) {
  free(record->entries);
  record->entries = NULL;
  record->entry_count = record->entry_capacity = 0;
}
