#include "seq/sequence_circle.h"

#include <string.h>

#include "base/allocate.h"
#include "seq/sequence_object.h"

cla_status sequence_circle_part(cla_sequence **out, const cla_sequence *sequence, int64_t first,
                                int64_t count, cla_error *error) {
  const int64_t length = cla_sequence_length(sequence);
  const uint8_t *codes = sequence_codes(sequence);
  letter_store letters = {.alphabet = sequence_alphabet(sequence), .length = count, .capacity = count};
  *out = NULL;
  cla_status status = allocate_array((void **)&letters.codes, count, 1, "a rotated sequence", error);
  if (status != CLA_OK) return status;
  for (int64_t done = 0, at = first; done < count; at = 0) {
    const int64_t left = count - done, part = length - at < left ? length - at : left;
    memcpy(letters.codes + done, codes + at, (size_t)part);
    done += part;
  }
  status = sequence_create(out, cla_sequence_name(sequence), cla_sequence_location(sequence), &letters, 0,
                           count, error);
  letter_store_clear(&letters);
  return status;
}
