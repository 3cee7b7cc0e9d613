/* Binary alignments. The first byte chooses: 0 a file, 1 a file that gets the right digest, 2 a payload
 * alone, 3 a payload to be compressed. Before a payload are the file's version and number of alignments, a
 * byte each. A file that can be loaded is saved again, written in every format, and drawn for made-up
 * sequences. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "clalign/plot.h"
#include "clalign/write.h"
#include "fuzz.h"
#include "result/alignment_codec.h"
#include "seq/random_stream.h"
#include "seq/sequence_internal.h"
#include "write/formats/alignment_file.h"

#define MOST_LETTERS 4096 /* of sequences that are made up */
#define MOST_ALIGNMENTS 4 /* of a file that are written */
#define NO_SUCH_FORMAT 64 /* formats are 0, 1, 2 ... */
#define SAVED "saved.cla"

enum { AS_IT_IS, DIGEST, PAYLOAD, COMPRESSED, FORMS };

static void put_payload(byte_sink *file, fuzz_input *input, bool compressed) {
  const uint8_t version = fuzz_byte(input), count = fuzz_byte(input);
  const size_t bound = ZSTD_compressBound(input->left);
  void *packed = fuzz_allocate(bound);
  const size_t size = ZSTD_compress(packed, bound, input->at, input->left, 1);
  fuzz_demand(!ZSTD_isError(size), "cannot compress a payload");
  byte_sink_put(file, ALIGNMENT_FILE_MAGIC, ALIGNMENT_FILE_MAGIC_BYTES);
  byte_sink_put_fixed(file, version, 4);
  byte_sink_put_fixed(file, count, 4);
  byte_sink_put_fixed(file, compressed ? ALIGNMENT_FILE_ZSTD : ALIGNMENT_FILE_PLAIN, 4);
  byte_sink_put_fixed(file, 0, 4);
  byte_sink_put_fixed(file, input->left, 8);
  byte_sink_put_fixed(file, compressed ? size : input->left, 8);
  byte_sink_put(file, compressed ? packed : input->at, (int64_t)(compressed ? size : input->left));
  free(packed);
}

static const char *make_file(fuzz_input *input) {
  byte_sink file = {.status = CLA_OK};
  XXH128_canonical_t digest;
  const int form = fuzz_byte(input) % FORMS;
  if (form == AS_IT_IS || form == DIGEST) byte_sink_put(&file, input->at, (int64_t)input->left);
  if (form == PAYLOAD || form == COMPRESSED) put_payload(&file, input, form == COMPRESSED);
  XXH128_canonicalFromHash(&digest, XXH3_128bits(file.bytes, (size_t)file.length));
  if (form != AS_IT_IS) byte_sink_put(&file, digest.digest, sizeof digest.digest);
  fuzz_demand(file.status == CLA_OK, "the fuzzer is out of memory");
  const char *path = fuzz_file(file.bytes, (size_t)file.length);
  free(file.bytes);
  return path;
}

/* A sequence of the side's length and range, much like the other side's. */
static cla_sequence *make_up(const cla_alignment *alignment, const cla_side *side, uint64_t seed) {
  letter_set room;
  const letter_set *letters = NULL;
  letter_store store = {.allow_empty = true};
  cla_sequence *sequence = NULL;
  cla_error error = {.message = ""};
  random_stream common, own;
  const bool own_letters = alignment->alphabet == CLA_ALPHABET_OWN;
  fuzz_demand(alphabet_choose(&letters, &room, alignment->alphabet,
                              own_letters ? alignment->scoring.letters : NULL, &error) == CLA_OK,
              "an alignment of impossible letters was loaded");
  store.alphabet = letters;
  random_stream_init(&common, 1, 0);
  random_stream_init(&own, seed, 0);
  const uint64_t kinds = strlen(letters->letters);
  for (int64_t i = 0; i < side->length; i++) {
    const uint64_t shared = random_stream_below(&common, kinds);
    const uint64_t code = random_stream_below(&own, 8) > 0 ? shared : random_stream_below(&own, kinds);
    const unsigned char letter = (unsigned char)letters->letters[code];
    fuzz_demand(letter_store_append(&store, &letter, 1, &error) == CLA_OK, "the fuzzer is out of memory");
  }
  fuzz_demand(letter_store_finish(&store, "a record", &error) == CLA_OK, "letters cannot be made up");
  fuzz_demand(sequence_create(
                  &sequence,
                  &(sequence_label){
                      .name = side->name, .location = side->location, .begin = side->begin, .end = side->end},
                  &store, &error) == CLA_OK,
              "a sequence of an alignment that was loaded cannot be made up");
  letter_store_clear(&store);
  return sequence;
}

/* Any file that can be loaded can be saved, and what is saved is loaded as the same. */
static void check_round_trip(cla_alignment **alignments, size_t count) {
  cla_error error = {.message = ""};
  cla_alignment **again = NULL;
  size_t again_count = 0;
  char path[2][512];
  const cla_alignment *const *all = (const cla_alignment *const *)alignments;
  for (int i = 0; i < 2; i++) (void)snprintf(path[i], sizeof path[i], "%s/%d" SAVED, fuzz_folder(), i);
  fuzz_demand(fuzz_ok(cla_alignment_save_with_work(path[0], all, count, &error), &error),
              "what was loaded cannot be saved");
  fuzz_demand(fuzz_ok(cla_alignment_load(&again, &again_count, path[0], &error), &error),
              "what was saved cannot be loaded");
  all = (const cla_alignment *const *)again;
  fuzz_demand(fuzz_ok(cla_alignment_save_with_work(path[1], all, again_count, &error), &error),
              "what was loaded cannot be saved");
  FILE *files[2] = {fopen(path[0], "rb"), fopen(path[1], "rb")};
  fuzz_demand(files[0] && files[1], "a saved file is not there");
  for (int a = 0, b = 0; a != EOF || b != EOF;) {
    a = getc(files[0]);
    b = getc(files[1]);
    fuzz_demand(a == b, "what was saved is loaded as another");
  }
  for (int i = 0; i < 2; i++) fclose(files[i]);
  cla_alignments_free(again, again_count);
}

static void write_formats(const cla_alignment *alignment, const cla_sequence *query,
                          const cla_sequence *target) {
  static const cla_write_options options = {.command = "clalign show \"a\tb\""};
  cla_error error = {.message = ""};
  for (int format = 0; format < NO_SUCH_FORMAT; format++) {
    FILE *file = fdopen(dup(fuzz_output()), "w");
    fuzz_demand(file != NULL, "cannot open a file in memory");
    (void)fuzz_ok(
        cla_write(file, (cla_format)format,
                  &(cla_results){.alignments = &alignment, .count = 1, .query = query, .target = target},
                  &options, &error),
        &error);
    fclose(file);
  }
}

/* Whole, and the part behind the first letter of the range. */
static void draw(const cla_alignment *alignment, const cla_sequence *query, const cla_sequence *target) {
  cla_error error = {.message = ""};
  char path[512];
  (void)snprintf(path, sizeof path, "%s/plot.svg", fuzz_folder());
  const cla_plot_options part = {
      .work = alignment->work != NULL,
      .target = {.from = alignment->target.begin + 1, .to = alignment->target.end}};
  (void)fuzz_ok(
      cla_plot_write(path,
                     &(cla_results){.alignments = &alignment, .count = 1, .query = query, .target = target},
                     NULL, &error),
      &error);
  (void)fuzz_ok(
      cla_plot_write(path,
                     &(cla_results){.alignments = &alignment, .count = 1, .query = query, .target = target},
                     &part, &error),
      &error);
}

static void use(cla_alignment *alignment) {
  cla_error error = {.message = ""};
  cla_statistics statistics;
  if (alignment->query.length > MOST_LETTERS || alignment->target.length > MOST_LETTERS) return;
  cla_sequence *query = make_up(alignment, &alignment->query, 2),
               *target = make_up(alignment, &alignment->target, 3);
  (void)fuzz_ok(cla_alignment_verify(alignment, query, target, &error), &error);
  cla_sequence_checksum(query, alignment->query.checksum);
  cla_sequence_checksum(target, alignment->target.checksum);
  (void)fuzz_ok(cla_alignment_verify(alignment, query, target, &error), &error);
  (void)fuzz_ok(cla_alignment_count(&statistics, alignment, query, target, &error), &error);
  write_formats(alignment, query, target);
  draw(alignment, query, target);
  for (cla_gap_placement placement = CLA_GAPS_LEFT; placement <= CLA_GAPS_RIGHT; placement++)
    if (fuzz_ok(cla_alignment_place_gaps(alignment, placement, query, target, &error), &error))
      write_formats(alignment, query, target);
  cla_sequence_free(query);
  cla_sequence_free(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  cla_alignment **alignments = NULL;
  size_t found = 0;
  if (fuzz_ok(cla_alignment_load(&alignments, &found, make_file(&input), &error), &error)) {
    check_round_trip(alignments, found);
    for (size_t i = 0; i < found && i < MOST_ALIGNMENTS; i++) use(alignments[i]);
  }
  cla_alignments_free(alignments, found);
  return 0;
}
