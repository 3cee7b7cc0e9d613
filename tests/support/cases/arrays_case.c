#include "support/cases/arrays_case.h"

#include "seq/random_stream.h"
#include "support/test.h"

static char letter(cla_alphabet alphabet, random_stream *stream) {
  static const char *const letters[] = {"ACGT", "ACDEFGHIKLMNPQRSTVWY"};
  const bool protein = alphabet == CLA_ALPHABET_PROTEIN;
  if (!protein && random_stream_below(stream, 200) == 0) return 'N';
  return letters[protein][random_stream_below(stream, protein ? 20 : 4)];
}

static char complement(char base) {
  return base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : base == 'T' ? 'A' : base;
}

/* Makes a target: a changed copy of the query, sometimes of its other strand, or unrelated letters. */
static int64_t relate(char *to, const char *from, int64_t count, cla_alphabet alphabet,
                      random_stream *stream) {
  const uint64_t rarely = 6 + random_stream_below(stream, 60);
  const bool other = random_stream_below(stream, 6) == 0;
  const bool turned = alphabet == CLA_ALPHABET_DNA && random_stream_below(stream, 4) == 0;
  int64_t length = 0;
  for (int64_t i = 0; i < count && length < ARRAYS_LETTERS_MOST; i++) {
    const uint64_t change = random_stream_below(stream, rarely);
    if (change == 1) continue;
    const char same = turned ? complement(from[count - 1 - i]) : from[i];
    to[length++] = change == 0 || other ? letter(alphabet, stream) : same;
  }
  return length;
}

void arrays_case_make(arrays_case *x, uint64_t seed) {
  random_stream stream;
  random_stream_init(&stream, seed, 3);
  *x = (arrays_case){
      .letters = {malloc(ARRAYS_PAIRS * ARRAYS_LETTERS_MOST), malloc(ARRAYS_PAIRS * ARRAYS_LETTERS_MOST)}};
  cr_assert(x->letters[0] && x->letters[1]);
  const cla_alphabet alphabet = random_stream_below(&stream, 4) ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN;
  const int64_t most = random_stream_below(&stream, 3) ? 80 : ARRAYS_LETTERS_MOST;
  for (int i = 0; i < ARRAYS_PAIRS; i++) {
    char *const query = (char *)x->letters[0] + x->offsets[0][i], *const target = (char *)x->letters[1] +
                                                                                  x->offsets[1][i];
    const int64_t length = (int64_t)random_stream_below(&stream, 30) == 0
                               ? 0
                               : 1 + (int64_t)random_stream_below(&stream, (uint64_t)most);
    for (int64_t k = 0; k < length; k++) query[k] = letter(alphabet, &stream);
    x->offsets[0][i + 1] = x->offsets[0][i] + length;
    x->offsets[1][i + 1] = x->offsets[1][i] + relate(target, query, length, alphabet, &stream);
  }
  cla_align_options_init(&x->options);
  x->options.mode = (cla_mode)random_stream_below(&stream, 4);
  if (alphabet == CLA_ALPHABET_DNA) x->options.strand = (cla_strand)random_stream_below(&stream, 3);
  if (random_stream_below(&stream, 3) == 0 && alphabet == CLA_ALPHABET_DNA) {
    x->options.scoring.by_letters = false;
    x->options.scoring.gap_first2 = 14;
    x->options.scoring.gap_ext2 = 1;
  }
  x->options.budgets.threads = 1 + (int)random_stream_below(&stream, 3);
  x->options.score_only = random_stream_below(&stream, 3) == 0;
  x->arrays = (cla_pair_arrays){.alphabet = alphabet,
                                .letters = {x->letters[0], x->letters[1]},
                                .offsets = {x->offsets[0], x->offsets[1]},
                                .sequences = {ARRAYS_PAIRS, ARRAYS_PAIRS},
                                .pairs = ARRAYS_PAIRS};
  x->results = (cla_pair_results){.score = x->score,
                                  .start = {x->start[0], x->start[1]},
                                  .end = {x->end[0], x->end[1]},
                                  .strand = x->strand,
                                  .status = x->status,
                                  .runs = x->runs,
                                  .run_offsets = x->run_offsets,
                                  .runs_capacity = 2 * ARRAYS_PAIRS * ARRAYS_LETTERS_MOST};
}

void arrays_case_end(arrays_case *x) {
  free(x->letters[0]);
  free(x->letters[1]);
}

static cla_sequence *sequence_of(const arrays_case *x, int side, int64_t pair) {
  const cla_sequence_options how = {.known = true, .alphabet = x->arrays.alphabet, .allow_empty = true};
  const int64_t *offset = x->offsets[side] + (x->arrays.of[side] ? x->arrays.of[side][pair] : pair);
  cla_sequence *out = NULL;
  assert_ok(cla_sequence_from_letters_with(&out, "s", (const char *)x->letters[side] + offset[0],
                                           offset[1] - offset[0], &how, &why));
  return out;
}

static bool same_path(const arrays_case *x, int64_t pair, const cla_alignment *want) {
  static const cla_run_kind kinds[] = {[CLA_PACKED_QUERY] = CLA_RUN_QUERY,
                                       [CLA_PACKED_TARGET] = CLA_RUN_TARGET,
                                       [CLA_PACKED_MATCH] = CLA_RUN_PAIR,
                                       [CLA_PACKED_OTHER] = CLA_RUN_PAIR};
  int64_t at = x->run_offsets[pair];
  for (size_t run = 0; run < want->run_count; run++) {
    int64_t length = 0;
    for (; at < x->run_offsets[pair + 1] && kinds[x->runs[at] & 15] == want->runs[run].kind; at++)
      length += x->runs[at] >> 4;
    if (length != want->runs[run].length) return false;
  }
  return at == x->run_offsets[pair + 1];
}

/* Counts a pair's matches. */
static int64_t matches_of(const arrays_case *x, int64_t pair) {
  int64_t matches = 0;
  for (int64_t at = x->run_offsets[pair]; at < x->run_offsets[pair + 1]; at++)
    if ((x->runs[at] & 15) == CLA_PACKED_MATCH) matches += x->runs[at] >> 4;
  return matches;
}

void arrays_case_check(const arrays_case *x, uint64_t seed, int64_t pair) {
  OWNED(free_sequence) cla_sequence *query = sequence_of(x, 0, pair), *target = sequence_of(x, 1, pair);
  OWNED(free_alignment) cla_alignment *want = NULL;
  cla_align_options options = x->options;
  cla_statistics counts;
  options.host_cells = INT64_MAX;
  const cla_status status = cla_align(&want, NULL, query, target, &options, &why);
  const char *name = test_text("seed %llu pair %lld", (unsigned long long)seed, (long long)pair);
  cr_assert_eq(x->status[pair], status, "%s: status %d, not %d", name, x->status[pair], status);
  if (status != CLA_OK) {
    assert_error(cla_pair_arrays_tell(&x->arrays, pair, NULL, &x->options, &why), status, "");
    return;
  }
  cr_assert(x->score[pair] == want->score && x->strand[pair] == want->strand &&
                x->start[0][pair] == want->query.start && x->end[0][pair] == want->query.stop &&
                x->start[1][pair] == want->target.start && x->end[1][pair] == want->target.stop,
            "%s: %lld (%lld-%lld, %lld-%lld, %d), not %lld (%lld-%lld, %lld-%lld, %d)", name,
            (long long)x->score[pair], (long long)x->start[0][pair], (long long)x->end[0][pair],
            (long long)x->start[1][pair], (long long)x->end[1][pair], x->strand[pair], (long long)want->score,
            (long long)want->query.start, (long long)want->query.stop, (long long)want->target.start,
            (long long)want->target.stop, want->strand);
  if (x->options.score_only) return;
  cr_assert(same_path(x, pair, want), "%s: another path", name);
  assert_ok(cla_alignment_count(&counts, want, query, target, &why));
  cr_assert_eq(matches_of(x, pair), counts.matches, "%s: matches", name);
}

void arrays_case_check_all(const arrays_case *x, uint64_t seed) {
  int64_t failed = 0;
  for (int64_t pair = 0; pair < ARRAYS_PAIRS; pair++) {
    arrays_case_check(x, seed, pair);
    failed += x->status[pair] != CLA_OK;
  }
  cr_assert_eq(x->results.failed, failed);
}
