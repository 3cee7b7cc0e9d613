#include "support/tuning_texts.h"

#include "support/made_alignment.h"
#include "support/test.h"

void tuning_text_begin(void) {
  own_file_begin("record.txt");
}

void tuning_text_example(tuning_record *record) {
  const cla_device_info device = {
      .name = " NVIDIA H200\t", .platform = "NVIDIA CUDA\n", .driver = "", .compute_units = 132};
  const tuning_entry entries[] = {{true,
                                   false,
                                   false,
                                   10000,
                                   {&kernel_vector16, 16, 8, 512, KERNEL_DIAGONALS, 0, 0},
                                   {1.0 / 3, 0, 1e-300, 5e-324}},
                                  {true,
                                   true,
                                   true,
                                   10000,
                                   {&kernel_vector32, 8, 4, 2048, KERNEL_DIAGONALS, 0, 0},
                                   {0, 0.1 + 0.2, 0, 1.7e308}},
                                  {false,
                                   false,
                                   true,
                                   10000,
                                   {&kernel_nvidia16, 64, 12, 64, KERNEL_PERSISTENT, 264, 0},
                                   {0, 0, 0, 2.2e-13}},
                                  {false,
                                   true,
                                   false,
                                   3000000000,
                                   {&kernel_wave32, 32, 4, 32, KERNEL_DIAGONALS, 0, 0},
                                   {123456789.123456789, 0, 0, 0}}};
  tuning_record_head(record, &device);
  record->rates.of[RATE_BAND_CELL] = 1.0 / 3e10;
  record->rates.of[RATE_SWEEP_CELL] = 5e-324;
  for (int i = 0; i < 4; i++) assert_ok(tuning_record_put(record, &entries[i], &why));
}

char *tuning_text_written(const tuning_record *record, size_t *length) {
  assert_ok(tuning_record_write(own_path, record, &why));
  return made_read(own_path, length);
}

void tuning_text_expect_same(const tuning_record *a, const tuning_record *b) {
  cr_expect_str_eq(a->platform, b->platform);
  cr_expect_str_eq(a->device, b->device);
  cr_expect_str_eq(a->driver, b->driver);
  cr_expect_eq(a->compute_units, b->compute_units);
  cr_expect_eq(a->signature, b->signature);
  for (int i = 0; i < RATE_COUNT; i++) cr_expect_eq(a->rates.of[i], b->rates.of[i], "rate %d", i);
  cr_assert_eq(a->entry_count, b->entry_count);
  for (int64_t i = 0; i < a->entry_count; i++) {
    const tuning_entry *x = &a->entries[i], *y = &b->entries[i];
    cr_expect(x->local == y->local && x->matrix == y->matrix && x->two_pieces == y->two_pieces &&
                  x->length == y->length,
              "entry %d", (int)i);
    cr_expect(x->config.variant == y->config.variant && x->config.lanes == y->config.lanes &&
                  x->config.alpha == y->config.alpha && x->config.tile_columns == y->config.tile_columns &&
                  x->config.launch == y->config.launch && x->config.groups == y->config.groups,
              "entry %d", (int)i);
    cr_expect(x->model.constant == y->model.constant && x->model.per_row == y->model.per_row &&
                  x->model.per_column == y->model.per_column && x->model.per_cell == y->model.per_cell,
              "entry %d", (int)i);
  }
}
