/* Packs in all layouts of lanes, also those that a device would not get, against the oracle. */

#include "packs/lane_internal.h"
#include "support/cases/packed_batch.h"
#include "support/test.h"
#include "support/test_devices.h"

#define UNUSED_CODE 31 /* of alphabets with fewer letters */

/* The codes of the batch are below it. */
static int codes_of(const packed_batch *all) {
  int codes = 0;
  for (int i = 0; i < all->count; i++)
    for (int64_t k = 0; k < all->pairs[i].target_letters; k++)
      if (all->pairs[i].target[k] >= codes) codes = all->pairs[i].target[k] + 1;
  return codes;
}

/* Solves the batch in packs of that layout, whatever the device would get. */
static void check_layout(cla_device *device, packed_batch *all, lane_config config, bool one_query) {
  lane_engine *engine = NULL;
  const path_scheme scheme = packed_batch_scheme(all);
  if (!lane_runs_on(&config, cla_device_describe(device)) || !lane_fit(&config, &scheme)) return;
  const lane_input input = {.config = config,
                            .scheme = scheme,
                            .one_query = one_query,
                            .padding = one_query ? UNUSED_CODE : PACK_TARGET_NEVER};
  packed_check_drop_too_large(device, all, &scheme);
  for (int i = 0; i < all->count; i++) all->pairs[i].score = -9;
  assert_ok(lane_create(&engine, device, &input, &why));
  assert_ok(lane_run(engine, all->pairs, all->count, NULL, &why));
  for (int i = 0; i < all->count; i++) packed_check_pair(all, &scheme, &all->pairs[i], i);
  lane_free(engine);
}

/* Vectors of every width, and groups of several work-items as on GPUs. */
Test(packed_layouts, every_layout_equals_the_oracle, .timeout = 7200) {
  static const lane_config layouts[] = {
      {.value_bytes = 2, .lanes = 2, .items = 32}, {.value_bytes = 4, .lanes = 2, .items = 32},
      {.value_bytes = 1, .lanes = 16, .items = 1}, {.value_bytes = 1, .lanes = 32, .items = 1},
      {.value_bytes = 2, .lanes = 8, .items = 1},  {.value_bytes = 4, .lanes = 16, .items = 1},
      {.value_bytes = 1, .lanes = 64, .items = 1}};
  const int count = (int)test_count("CLALIGN_TEST_LAYOUTS", 2 * (int)(sizeof layouts / sizeof layouts[0]));
  FOR_EACH_DEVICE (device) {
    for (int i = 0; i < count; i++) {
      const uint64_t seed = 8500000 + (uint64_t)i;
      lane_config config = layouts[i / 2 % (int)(sizeof layouts / sizeof layouts[0])];
      config.alpha = 8;
      config.groups = 2;
      const bool one_query = i % 4 == 3;
      packed_batch *all =
          i % 2 ? packed_batch_make_lettered(seed, 40, 60, one_query) : packed_batch_make(seed, 40, 60, 1);
      check_layout(device, all, config, one_query && all->table.needs_lookup && UNUSED_CODE >= codes_of(all));
      packed_batch_free(all);
    }
  }
}
