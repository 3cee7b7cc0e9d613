#include "seq/random_stream.h"

static uint64_t splitmix64(uint64_t *state) {
  uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

void random_stream_init(random_stream *stream, uint64_t seed, uint64_t number) {
  uint64_t state = number;
  state = seed ^ splitmix64(&state);
  for (int i = 0; i < 4; i++) stream->state[i] = splitmix64(&state);
}

uint64_t random_stream_next(random_stream *stream) {
  uint64_t *state = stream->state;
  const uint64_t result = rotate_left(state[1] * 5, 7) * 9;
  const uint64_t shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate_left(state[3], 45);
  return result;
}

uint64_t random_stream_below(random_stream *stream, uint64_t limit) {
  const uint64_t rejected =
      -limit % limit; /* 2^64 mod limit; rejecting this many values makes all results equally likely */
  uint64_t value;
  do value = random_stream_next(stream);
  while (value < rejected);
  return value % limit;
}

void random_stream_codes(random_stream *stream, uint8_t *codes, int64_t count, int kinds) {
  for (int64_t i = 0; i < count; i++) codes[i] = (uint8_t)random_stream_below(stream, (uint64_t)kinds);
}
