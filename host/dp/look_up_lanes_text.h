/* Looks up the scores of a row's pairs if each lane has a different query, for the vectors of dp/lanes.h.
 * lanes_look_up uses one table for sixteen neighbouring bytes of a vector. So these bytes must be sixteen
 * columns of one lane, whose row letter has one table. For this purpose, space->turned stores the letters
 * of sixteen columns side by side, and the scores are transposed back. A block has sixteen vectors. Byte x
 * of turned vector r belongs to column x % 16 and lane x - x % 16 + r. With lanes of 16 bits there are half
 * as many lanes. Then the upper half of a vector belongs to the same lanes and the next sixteen columns. */

#if LANES_BYTES > 16

#define SIXTEEN 16

/* Exchanges byte 16 s + c of vector r with byte 16 s + r of vector c, for all s, r and c. */
LANE_OPERATION void lanes_turn(lanes v[SIXTEEN]) {
#pragma GCC unroll 4
  for (int round = 0; round < 4; round++) {
    lanes w[SIXTEEN];
#pragma GCC unroll 8
    for (int i = 0; i < SIXTEEN / 2; i++) {
      w[2 * i] = lanes_zip_low(v[i], v[i + SIXTEEN / 2]);
      w[2 * i + 1] = lanes_zip_high(v[i], v[i + SIXTEEN / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < SIXTEEN; i++) v[i] = w[i];
  }
}

/* Returns the number of columns of a block. */
static int32_t turned_columns(int bits) {
  return SIXTEEN * bits / 8;
}

/* Returns the letters of a column, or padding if `column` is behind the last column. */
LANE_OPERATION lanes turned_letters(const lanes_space *space, int bits, int32_t column, int32_t columns) {
  if (column >= columns) return bits == 8 ? lanes_set8(LANES_PADDING) : lanes_set16(LANES_PADDING);
  return lanes_load((const uint8_t *)space->target + (int64_t)column * LANES_BYTES);
}

/* Transposes the letters of all targets into space->turned. */
static void turn_targets(lanes_space *space, int bits, int32_t columns) {
  uint8_t *to = space->turned;
  for (int32_t first = 0; first < columns; first += turned_columns(bits)) {
    lanes v[SIXTEEN];
    for (int c = 0; c < SIXTEEN; c++) {
      v[c] = turned_letters(space, bits, first + c, columns);
      if (bits == 16) v[c] = lanes_narrow(v[c], turned_letters(space, bits, first + SIXTEEN + c, columns));
    }
    lanes_turn(v);
    for (int r = 0; r < SIXTEEN; r++, to += LANES_BYTES) lanes_store(to, v[r]);
  }
}

/* For each lane, both halves of the table for the lane's letter in a row. */
typedef struct turned_tables {
  uint8_t low[SIXTEEN][LANES_BYTES], high[SIXTEEN][LANES_BYTES];
} turned_tables;

static void turned_take_row(turned_tables *out, const lanes_space *space, int bits, int32_t row,
                            const uint8_t *scores) {
  const int lanes_count = LANES_BYTES * 8 / bits;
  const uint8_t *query = (const uint8_t *)space->query + (int64_t)row * LANES_BYTES;
  for (int x = 0; x < LANES_BYTES; x++) {
    const int lane = x % lanes_count;
    const uint8_t *table = scores + 32 * query[lane * bits / 8]; /* the low byte of 16 bits comes first */
    memcpy(out->low[x % SIXTEEN] + x / SIXTEEN * SIXTEEN, table, SIXTEEN);
    memcpy(out->high[x % SIXTEEN] + x / SIXTEEN * SIXTEEN, table + SIXTEEN, SIXTEEN);
  }
}

/* Looks up the scores of all blocks that have columns in [first, past), counted from 0. `to` points to the
 * output for column 0, and `step` is the number of bytes from one column to the next. */
static void turned_look_up(uint8_t *to, int64_t step, const turned_tables *tables, const lanes_space *space,
                           int bits, int32_t first, int32_t past) {
  const int32_t wide = turned_columns(bits);
  for (int32_t block = first / wide; block * wide < past; block++) {
    const uint8_t *letters = (const uint8_t *)space->turned + (int64_t)block * SIXTEEN * LANES_BYTES;
    uint8_t *at = to + (int64_t)block * wide * step;
    lanes v[SIXTEEN];
#pragma GCC unroll 16
    for (int r = 0; r < SIXTEEN; r++)
      v[r] = lanes_look_up(lanes_load(tables->low[r]), lanes_load(tables->high[r]),
                           lanes_load(letters + r * LANES_BYTES));
    lanes_turn(v);
    if (bits == 8) {
#pragma GCC unroll 16
      for (int c = 0; c < SIXTEEN; c++) lanes_store(at + c * step, v[c]);
    } else {
      for (int c = 0; c < SIXTEEN; c++) {
        lanes_store(at + c * step, lanes_widen_low(v[c]));
        lanes_store(at + (SIXTEEN + c) * step, lanes_widen_high(v[c]));
      }
    }
  }
}

#endif
