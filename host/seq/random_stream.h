#ifndef HOST_SEQ_RANDOM_STREAM_H
#define HOST_SEQ_RANDOM_STREAM_H

#include <stdint.h>

/* A fixed pseudo-random generator: xoshiro256** (Blackman and Vigna 2018). splitmix64 fills the generator's
 * state from the seed and a stream number. Only integers are used, so every machine and every version yields
 * the same numbers. Streams of one seed are independent of each other. */
typedef struct random_stream {
  uint64_t state[4];
} random_stream;

void random_stream_init(random_stream *stream, uint64_t seed, uint64_t number);

/* Returns 64 random bits. */
uint64_t random_stream_next(random_stream *stream);

/* Returns a random number, uniform in 0 .. limit - 1, without bias; limit >= 1. */
uint64_t random_stream_below(random_stream *stream, uint64_t limit);

/* Fills `codes` with letter codes, each uniform in 0 .. kinds - 1; 1 <= kinds <= 256. */
void random_stream_codes(random_stream *stream, uint8_t *codes, int64_t count, int kinds);

#endif
