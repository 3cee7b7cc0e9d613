/* Tuning records. The first byte says whether the file is the user's record or a shipped one. The next two
 * bytes choose the size that is looked up. The rest is the record. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/tuner.h"
#include "fuzz.h"
#include "tuning/lookup.h"

static const cla_device_info device = {.kind = CLA_DEVICE_GPU,
                                       .name = "NVIDIA H200",
                                       .platform = "NVIDIA CUDA",
                                       .driver = "580.82",
                                       .version = "OpenCL 3.0 CUDA",
                                       .compute_units = 132,
                                       .native_short_lanes = 1,
                                       .memory_bytes = INT64_C(1) << 37,
                                       .max_allocation_bytes = INT64_C(1) << 35,
                                       .local_memory_bytes = 49152,
                                       .max_group_size = 1024,
                                       .counters = CLA_COUNTERS_PTX,
                                       .lockstep_items = 32,
                                       .packed_pairs = true};

static bool same(const tuning_record *a, const tuning_record *b) {
  bool equal = strcmp(a->platform, b->platform) == 0 && strcmp(a->device, b->device) == 0 &&
               strcmp(a->driver, b->driver) == 0 && a->compute_units == b->compute_units &&
               a->signature == b->signature && a->entry_count == b->entry_count;
  for (int64_t i = 0; equal && i < a->entry_count; i++) {
    const tuning_entry *x = &a->entries[i], *y = &b->entries[i];
    equal = x->local == y->local && x->matrix == y->matrix && x->two_pieces == y->two_pieces &&
            x->length == y->length && x->config.variant == y->config.variant &&
            x->config.lanes == y->config.lanes && x->config.alpha == y->config.alpha &&
            x->config.tile_columns == y->config.tile_columns && x->config.launch == y->config.launch &&
            x->config.groups == y->config.groups && memcmp(&x->model, &y->model, sizeof x->model) == 0;
  }
  return equal;
}

/* What is read and printed is read again as the same. */
static void check_round_trip(const tuning_record *record) {
  cla_error error = {.message = ""};
  tuning_record again;
  FILE *file = fdopen(dup(fuzz_output()), "w");
  fuzz_demand(file != NULL, "cannot open a file in memory");
  fuzz_demand(fuzz_ok(tuning_record_print(file, record, &error), &error), "a record cannot be printed");
  fclose(file);
  fuzz_demand(fuzz_ok(tuning_record_read(&again, fuzz_output_path(), &error), &error),
              "a printed record is refused");
  fuzz_demand(same(record, &again), "a printed record is read as another");
  tuning_record_free(&again);
}

static void look_up(const cla_tuning *tuning, uint8_t size) {
  const int64_t letters = INT64_C(1) << size % 31;
  const tuning_problem problem = {.local = size & 64,
                                  .matrix = size & 128,
                                  .two_pieces = size % 3 == 0,
                                  .rows = letters,
                                  .columns = 3 * letters};
  tuning_walk walk = tuning_walk_begin(tuning, &problem);
  for (const tuning_entry *entry; (entry = tuning_walk_next(&walk));) {
    const tuning_source *source = NULL;
    const double seconds = tuning_seconds(tuning, &entry->config, size & 32, &problem, &source);
    fuzz_demand(seconds >= 0, "an entry predicts no time for its own config");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  tuning_record record;
  cla_tuning *tuning = NULL;
  char *path = NULL, *shown = NULL;
  const bool user = fuzz_byte(&input) & 1;
  const uint8_t size = fuzz_byte(&input);
  const int64_t length = 64 + (int64_t)1000 * fuzz_byte(&input);
  const char *folder = fuzz_folder();
  const cla_tuning_folders folders = {.user = user ? folder : NULL, .shipped = user ? NULL : folder};
  if (fuzz_ok(tuning_record_read(&record, fuzz_file(input.at, input.left), &error), &error))
    check_round_trip(&record);
  tuning_record_free(&record);
  fuzz_demand(fuzz_ok(cla_tuning_path(&path, folder, &device, &error), &error), "a record has no path");
  fuzz_folder_write(strrchr(path, '/') + 1, input.at, input.left);
  if (fuzz_ok(tuning_lookup(&tuning, &device, &folders, &error), &error)) {
    look_up(tuning, size);
    const cla_tune_options options = {.lengths = &length, .length_count = 1};
    fuzz_demand(fuzz_ok(cla_tune_show(&shown, &device, tuning, &options, &error), &error),
                "what is in force cannot be shown");
  }
  cla_tuning_free(tuning);
  free(shown);
  free(path);
  return 0;
}
