#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "tuning/tuning_record.h"

/* Prints the shortest text from which exactly the same number is read back. */
static void print_seconds(FILE *stream, double seconds) {
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, seconds);
    if (strtod(text, NULL) == seconds) break;
  }
  fprintf(stream, " %s", text);
}

static void print_entry(FILE *stream, const tuning_entry *entry) {
  const kernel_config *config = &entry->config;
  fprintf(stream, "%s %s%s%" PRId64 " %s %d %d %" PRId64 " %s %d", entry->local ? "local" : "global",
          entry->matrix ? TUNING_MATRIX_WORD " " : "", entry->two_pieces ? TUNING_TWO_PIECES_WORD " " : "",
          entry->length, config->variant->name, config->lanes, config->alpha, config->tile_columns,
          config->launch == KERNEL_PERSISTENT ? "persistent" : "diagonals", config->groups);
  print_seconds(stream, entry->model.constant);
  print_seconds(stream, entry->model.per_row);
  print_seconds(stream, entry->model.per_column);
  print_seconds(stream, entry->model.per_cell);
  fputc('\n', stream);
}

static void print_record(FILE *stream, const tuning_record *record) {
  fprintf(stream,
          "clalign tuning record 1\n"
          "# Made by 'clalign tune'; may be edited. docs/tuning.md says what it means.\n"
          "platform %s\ndevice %s\ndriver %s\n",
          record->platform, record->device, record->driver);
  if (record->chip[0]) fprintf(stream, "chip %s\n", record->chip);
  if (record->compute_units > 0)
    fprintf(stream, "units %d\n", record->compute_units);
  else if (record->measured_units > 0)
    fprintf(stream, "units any %d\n", record->measured_units);
  else
    fprintf(stream, "units any\n");
  if (record->signature)
    fprintf(stream, "signature %016" PRIx64 "\n", record->signature);
  else
    fprintf(stream, "signature any\n");
  for (int i = 0; i < RATE_COUNT; i++) {
    if (record->rates.of[i] <= 0) continue;
    fprintf(stream, TUNING_RATE_WORD " %s", tuning_rate_rows[i].name);
    print_seconds(stream, record->rates.of[i]);
    fputc('\n', stream);
  }
  fprintf(stream,
          "\n# A sweep takes c1 + c2 rows + c3 columns + c4 rows columns seconds.\n"
          "# mode [" TUNING_MATRIX_WORD "] [" TUNING_TWO_PIECES_WORD
          "] length kernel lanes alpha tile launch groups c1 c2 c3 c4\n");
  for (int64_t i = 0; i < record->entry_count; i++) print_entry(stream, &record->entries[i]);
  fprintf(stream, "end\n");
}

cla_status tuning_record_print(FILE *stream, const tuning_record *record, cla_error *error) {
  /* Numbers have a decimal point, regardless of the application's locale. */
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return error_set(error, CLA_ERROR_MEMORY,
                     "out of memory: a locale for a tuning record; free some memory");
  const locale_t before = uselocale(plain);
  print_record(stream, record);
  uselocale(before);
  freelocale(plain);
  if (ferror(stream))
    return error_set(error, CLA_ERROR_OUTPUT, "cannot write the tuning record: %s; %s", strerror(errno),
                     output_remedy(errno));
  return CLA_OK;
}

cla_status tuning_record_write(const char *path, const tuning_record *record, cla_error *error) {
  atomic_file *file = NULL;
  cla_status status = folders_make(path, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  status = tuning_record_print(atomic_file_stream(file), record, error);
  if (status != CLA_OK) {
    atomic_file_discard(file);
    return status;
  }
  return atomic_file_commit(file, error);
}
