#include "packs/pack_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"

/* Bits of the largest number of `count` keys. */
static int bits_of(const keyed *items, int64_t count) {
  uint64_t all = 0;
  int bits = 0;
  for (int64_t i = 0; i < count; i++) all |= items[i].key;
  while (bits < 63 && all >> bits) bits++;
  return bits;
}

/* Sorts a part of the list. */
static cla_status sort_part(keyed *items, int64_t count, cla_error *error) {
  keyed_list part = {0};
  bool sorted = true;
  cla_status status = CLA_OK;
  for (int64_t i = 1; i < count && sorted; i++) sorted = items[i - 1].key <= items[i].key;
  if (sorted) return CLA_OK;
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    status = keyed_list_add(&part, items[i].key, items[i].value, error);
  if (status == CLA_OK) status = key_sort(&part, 0, bits_of(items, count), error);
  if (status == CLA_OK) memcpy(items, part.items, (size_t)count * sizeof *items);
  free(part.items);
  return status;
}

cla_status packed_order(keyed_list *out, const packed_pair *pairs, int64_t count, int64_t together,
                        cla_error *error) {
  cla_status status = CLA_OK;
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    status = keyed_list_add(out, (uint64_t)pairs[i].query_letters, i, error);
  if (status == CLA_OK) status = sort_part(out->items, count, error);
  const int64_t pack_count = (count + together - 1) / together;
  const int64_t group = together * (int64_t)ceil(sqrt((double)pack_count));
  for (int64_t i = 0; i < count && status == CLA_OK; i++)
    out->items[i].key = (uint64_t)pairs[out->items[i].value].target_letters;
  for (int64_t i = 0; i < count && status == CLA_OK; i += group)
    status = sort_part(out->items + i, smaller(group, count - i), error);
  return status;
}

packed_pack packed_measure(int64_t *bytes, const packed_config *config, const packed_pair *pairs,
                           const keyed *chosen, int64_t count, int64_t at) {
  packed_pack pack = {.rows_least = INT64_MAX, .columns_least = INT64_MAX, .query_at = at};
  for (int64_t i = 0; i < count; i++) {
    const packed_pair *pair = &pairs[chosen[i].value];
    pack.rows = larger(pack.rows, pair->query_letters);
    pack.columns = larger(pack.columns, pair->target_letters);
    pack.rows_least = smaller(pack.rows_least, pair->query_letters);
    pack.columns_least = smaller(pack.columns_least, pair->target_letters);
  }
  pack.rows = packed_whole_rows(config, pack.rows);
  pack.query_stride = packed_stride(pack.rows);
  pack.target_stride = packed_stride(pack.columns);
  pack.target_at = at + pack.query_stride * packed_pairs(config);
  *bytes = (pack.query_stride + pack.target_stride) * packed_pairs(config);
  return pack;
}

static void write_line(uint8_t *line, int64_t stride, const uint8_t *codes, int64_t letters, uint8_t never) {
  if (letters > 0) memcpy(line, codes, (size_t)letters);
  memset(line + letters, never, (size_t)(stride - letters));
}

void packed_write(uint8_t *letters, int32_t *sizes, const packed_pack *pack, const packs_input *input,
                  const packed_pair *pairs, const keyed *chosen, int64_t count) {
  for (int64_t lane = 0; lane < packed_pairs(&input->config); lane++) {
    static const packed_pair none;
    const packed_pair *pair = lane < count ? &pairs[chosen[lane].value] : &none;
    write_line(letters + pack->query_at + lane * pack->query_stride, pack->query_stride, pair->query,
               pair->query_letters, PACKED_QUERY_NEVER);
    write_line(letters + pack->target_at + lane * pack->target_stride, pack->target_stride, pair->target,
               pair->target_letters, input->padding);
    sizes[2 * lane] = (int32_t)pair->query_letters;
    sizes[2 * lane + 1] = (int32_t)pair->target_letters;
  }
}
