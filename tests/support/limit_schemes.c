#include "support/limit_schemes.h"

#include "seq/random_stream.h"
#include "seq/sequence.h"

static int32_t below(random_stream *stream, int64_t limit) {
  return (int32_t)random_stream_below(stream, (uint64_t)limit);
}

static bool allows(const kernel_config *config, const cla_scoring *scoring, int nesting) {
  score_table table;
  score_table_build(&table, scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  return kernel_tile_limit(config, scoring, &table, nesting) >= config->lanes;
}

bool limit_scheme_make(cla_scoring *out, const kernel_config *config, int nesting, uint64_t seed) {
  /* Costs of all sizes, at most as large as lanes of these bits allow beside a match. */
  const int bits = config->variant->lane_bits;
  const int32_t costs = bits == 8 ? 16 : bits == 16 ? 400 : CLA_SCORE_LIMIT / 4;
  random_stream stream;
  random_stream_init(&stream, seed, 4000);
  cla_scoring_init(out);
  out->match = 0;
  out->gap_ext = 1 + below(&stream, 1 + below(&stream, costs / 2));
  out->gap_first = out->gap_ext + (below(&stream, 2) ? below(&stream, 1 + below(&stream, costs)) : 0);
  if (below(&stream, 4) > 0) {
    out->gap_first2 = out->gap_first + 1 + below(&stream, 1 + below(&stream, 4 * costs));
    out->gap_ext2 = below(&stream, 1 + below(&stream, out->gap_ext));
  }
  out->mismatch = -below(&stream, 3 * (int64_t)out->gap_first);
  int32_t beyond = CLA_SCORE_LIMIT + 1;
  if (!allows(config, out, nesting)) return false;
  while (beyond - out->match > 1) {
    cla_scoring tried = *out;
    tried.match = out->match + (beyond - out->match) / 2;
    if (allows(config, &tried, nesting))
      *out = tried;
    else
      beyond = tried.match;
  }
  return out->match > 0;
}
