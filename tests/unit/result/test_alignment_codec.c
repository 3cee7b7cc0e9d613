/* The one codec of an alignment: no field is lost. */

#include "result/alignment_codec.h"

#include "support/filled_alignment.h"
#include "support/made_alignment.h"
#include "support/test.h"

/* There and back, and the source is at its end. */
static cla_alignment *through(const cla_alignment *alignment) {
  byte_sink sink = {0};
  char fault[CODEC_FAULT_SIZE] = "";
  cla_alignment *back = NULL;
  alignment_encode(&sink, alignment, ALIGNMENT_CODEC_VERSION, true);
  cr_assert_eq(sink.status, CLA_OK);
  byte_source source = {.at = sink.bytes, .end = sink.bytes + sink.length};
  cr_assert_eq(alignment_decode(&back, &source, ALIGNMENT_CODEC_VERSION, fault, &why), CLA_OK, "%s", fault);
  cr_assert_eq(byte_source_left(&source), 0);
  free(sink.bytes);
  return back;
}

Test(alignment_codec, loses_no_field) {
  for (int kind = 0; kind < FILLED_KINDS; kind++) {
    cla_alignment *made = filled_alignment_make((filled_kind)kind), *back = through(made);
    cr_assert(made_alignment_same(back, made), "kind %d", kind);
    cr_assert(filled_work_same(back->work, made->work), "kind %d", kind);
    cla_alignment_free(back);
    cla_alignment_free(made);
  }
}

/* The comparison of that test sees each byte of an alignment but padding and what it says it leaves out. */
Test(alignment_codec, a_field_that_is_lost_is_seen) {
  cla_alignment *made = filled_alignment_make(FILLED_PLAIN), *other = filled_alignment_make(FILLED_PLAIN);
  cr_assert(made_alignment_same(made, other));
  other->has_split = false;
  cr_assert(!made_alignment_same(made, other));
  other->has_split = true;
  other->band = 0;
  cr_assert(!made_alignment_same(made, other));
  cla_alignment_free(made);
  cla_alignment_free(other);
}
