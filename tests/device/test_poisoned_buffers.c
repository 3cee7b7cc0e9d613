/* What a buffer of a device had is gone where it is used anew, where tests are built so. */

#include "packs/pack_internal.h"
#include "support/test.h"
#include "support/test_devices.h"

#ifdef CLALIGN_POISON
/* Of a number of bytes that is no multiple of a pattern's. */
#define BYTES 1003

Test(poisoned_buffers, have_it_when_they_are_made_and_when_they_are_used_again) {
  uint8_t want[BYTES], got[BYTES], zeros[BYTES] = {0};
  poison_memory(want, BYTES, POISON_LINES);
  FOR_EACH_DEVICE (device) {
    static const pack_buffer_kind kind = {POISON_LINES, "a test"};
    const int64_t bytes = BYTES;
    pack_buffers buffers = {
        .device = device, .kinds = &kind, .count = 1, .scores = PACK_NO_SCORES, .bytes_most = BYTES};
    for (int use = 0; use < 2; use++) {
      assert_ok(pack_buffers_meet(&buffers, &bytes, &why));
      assert_ok(pack_buffers_read(&buffers, 0, got, BYTES, &why));
      cr_assert_arr_eq(got, want, BYTES, "use %d", use);
      assert_ok(pack_buffers_write(&buffers, 0, zeros, BYTES, &why));
    }
    /* A part of it, from anywhere on. */
    assert_ok(device_poison(device, buffers.list[0].memory, 7, 40, POISON_LETTERS, &why));
    assert_ok(pack_buffers_read(&buffers, 0, got, BYTES, &why));
    for (int i = 0; i < BYTES; i++) cr_assert_eq(got[i] != 0, i >= 7 && i < 47, "byte %d", i);
    pack_buffers_free(&buffers);
  }
}
#endif
