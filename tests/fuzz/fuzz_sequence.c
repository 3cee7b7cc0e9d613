/* FASTA and FASTQ. The first byte chooses the alphabet, whether a record may be empty, and whether the file
 * is packed as bgzf. The second byte is the length of the selection after the file's name, which follows. */

#include <htslib/bgzf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clalign/sequence_file.h"
#include "fuzz.h"
#include "seq/sequence.h"

enum { KNOWN = 1, ALPHABET = 6, EMPTY = 8, PACKED = 16, SELECTED = 32 };

/* The rest of the input as a bgzf file, from which a byte says how much is cut off. */
static const char *packed_file(fuzz_input *input) {
  const int cut = fuzz_byte(input) % 64;
  const int descriptor = fuzz_output();
  BGZF *file = bgzf_dopen(dup(descriptor), "w1");
  fuzz_demand(file && bgzf_write(file, input->at, input->left) >= 0 && bgzf_close(file) == 0,
              "cannot pack a file");
  const off_t length = lseek(descriptor, 0, SEEK_END);
  fuzz_demand(ftruncate(descriptor, length > cut ? length - cut : 0) == 0, "cannot cut a file");
  return fuzz_output_path();
}

static void check_sequence(const cla_sequence *sequence, const cla_sequence_options *options) {
  const int64_t length = cla_sequence_length(sequence), begin = cla_sequence_begin(sequence),
                end = cla_sequence_end(sequence);
  uint8_t checksum[16];
  fuzz_demand(length > 0 || options->allow_empty, "a sequence without letters");
  fuzz_demand(begin >= 0 && begin <= end && end <= length && (begin < end || length == 0),
              "an impossible range");
  fuzz_demand(!options->known || cla_sequence_alphabet(sequence) == options->alphabet, "another alphabet");
  fuzz_demand(*cla_sequence_name(sequence) != '\0', "a sequence without a name");
  for (int64_t i = 0; i < length; i++)
    fuzz_demand(cla_sequence_letter(sequence, i) > ' ', "a letter that cannot be printed");
  cla_sequence_checksum(sequence, checksum);
}

/* The complement of the complement has the same letters. */
static void check_strands(const cla_sequence *sequence) {
  cla_sequence *reverse = NULL, *again = NULL;
  cla_error error = {.message = ""};
  const int64_t length = cla_sequence_length(sequence);
  if (cla_sequence_alphabet(sequence) != CLA_ALPHABET_DNA) return;
  if (fuzz_ok(sequence_reverse_complement(&reverse, sequence, &error), &error) &&
      fuzz_ok(sequence_reverse_complement(&again, reverse, &error), &error))
    fuzz_demand(length == 0 || memcmp(sequence_codes(sequence), sequence_codes(again), (size_t)length) == 0,
                "the complement's complement is another sequence");
  cla_sequence_free(reverse);
  cla_sequence_free(again);
}

/* A record of a block, from the file in memory. */
static void check_found(const char *location, const cla_sequence_options *options) {
  cla_sequence_store *store = NULL;
  cla_record_block block = {.count = 0};
  cla_record_source source;
  cla_error error = {.message = ""};
  if (!fuzz_ok(cla_sequence_store_open(&store, 1 << 20, &error), &error)) return;
  if (fuzz_ok(cla_sequence_store_find(&source, store, location, options, &error), &error) &&
      fuzz_ok(cla_record_block_add(&block, &source, CLA_OK, &error), &error))
    fuzz_demand(block.offsets[1] >= 0, "less than no letters");
  cla_record_block_free(&block);
  cla_sequence_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static const cla_alphabet alphabets[] = {CLA_ALPHABET_DNA, CLA_ALPHABET_PROTEIN, CLA_ALPHABET_OWN,
                                           CLA_ALPHABET_DNA};
  fuzz_input input = {.at = bytes, .left = count};
  cla_error error = {.message = ""};
  cla_sequence *sequence = NULL;
  const uint8_t flags = fuzz_byte(&input);
  const cla_sequence_options options = {.known = flags & KNOWN,
                                        .alphabet = alphabets[(flags & ALPHABET) / 2],
                                        .own = "ABCDE*",
                                        .allow_empty = flags & EMPTY};
  char *selection = fuzz_text(&input, flags & SELECTED ? fuzz_byte(&input) : 0);
  const char *file = flags & PACKED ? packed_file(&input) : fuzz_file(input.at, input.left);
  const size_t size = strlen(file) + strlen(selection) + 2;
  char *location = fuzz_allocate(size);
  (void)snprintf(location, size, "%s%s%s", file, flags & SELECTED ? ":" : "", selection);
  if (fuzz_ok(cla_sequence_read_with(&sequence, location, &options, &error), &error)) {
    check_sequence(sequence, &options);
    check_strands(sequence);
  }
  check_found(location, &options);
  cla_sequence_free(sequence);
  free(location);
  free(selection);
  return 0;
}
