#include "write/alignment_facts.h"

#include "write/work_codec.h"

/* The keys, as stored. */
enum {
  FACT_FREE_ENDS = 1,
  FACT_GAP_FIRST2 = 2,
  FACT_GAP_EXT2 = 3,
  FACT_UNITS = 4,
  FACT_ROTATION = 5,
  FACT_GAP_PLACEMENT = 6,
  FACT_BAND = 7,
  FACT_WORK = 8,
  FACT_KEYS = 9
};

/* The value of a key; 0: nothing to say. */
static int64_t fact_of(const cla_alignment *alignment, bool with_work, int key) {
  switch (key) {
    case FACT_FREE_ENDS: return alignment->free_ends;
    case FACT_GAP_FIRST2: return alignment->scoring.gap_first2;
    case FACT_GAP_EXT2: return alignment->scoring.gap_ext2;
    case FACT_UNITS: return alignment->scoring.units > 1 ? alignment->scoring.units : 0;
    case FACT_ROTATION: return alignment->target.rotation - alignment->query.rotation; /* one of them is 0 */
    case FACT_GAP_PLACEMENT: return alignment->gap_placement;
    case FACT_BAND: return alignment->has_band ? alignment->band + 1 : 0;
    case FACT_WORK: return with_work && alignment->work ? WORK_CODEC_FORM : 0;
    default: return 0;
  }
}

/* False for a key that is unknown. Whether the value makes sense is asked later, of the whole alignment. */
static bool set_fact(cla_alignment *alignment, uint64_t key, int64_t value) {
  switch (key) {
    case FACT_FREE_ENDS:
      alignment->free_ends = (int)value; /* the caller compares */
      return true;
    case FACT_GAP_FIRST2: alignment->scoring.gap_first2 = (int32_t)value; return true;
    case FACT_GAP_EXT2: alignment->scoring.gap_ext2 = (int32_t)value; return true;
    case FACT_UNITS:
      alignment->scoring.units = (int32_t)value; /* the caller compares */
      return true;
    case FACT_ROTATION:
      alignment->target.rotation = value > 0 ? value : 0;
      alignment->query.rotation = value < 0 && value > INT64_MIN ? -value : 0;
      return true;
    case FACT_GAP_PLACEMENT:
      alignment->gap_placement = (cla_gap_placement)value;
      return value == CLA_GAPS_LEFT || value == CLA_GAPS_RIGHT;
    case FACT_BAND:
      if (value < 1) return false;
      alignment->has_band = true;
      alignment->band = value - 1;
      return true;
    default: return false;
  }
}

static int count_facts(const cla_alignment *alignment, bool with_work) {
  int count = 0;
  for (int key = 0; key < FACT_KEYS; key++) count += fact_of(alignment, with_work, key) != 0;
  return count;
}

bool alignment_facts_any(const cla_alignment *alignment, bool with_work) {
  return count_facts(alignment, with_work) > 0;
}

void alignment_facts_put(byte_sink *sink, const cla_alignment *alignment, bool with_work) {
  byte_sink_put_unsigned(sink, (uint64_t)count_facts(alignment, with_work));
  for (int key = 0; key < FACT_KEYS; key++) {
    const int64_t value = fact_of(alignment, with_work, key);
    if (value == 0) continue;
    byte_sink_put_unsigned(sink, (uint64_t)key);
    byte_sink_put_signed(sink, value);
  }
}

bool alignment_facts_take(cla_alignment *alignment, bool *has_work, byte_source *source, uint64_t *key) {
  const uint64_t count = byte_source_take_unsigned(source);
  int64_t before = -1;
  *has_work = false;
  for (uint64_t i = 0; i < count && !source->failed; i++) {
    *key = byte_source_take_unsigned(source);
    const int64_t value = byte_source_take_signed(source);
    if (source->failed || *key >= FACT_KEYS || (int64_t)*key <= before) return false;
    if (*key == FACT_WORK)
      *has_work = value == WORK_CODEC_FORM;
    else if (value == 0 || !set_fact(alignment, *key, value) || fact_of(alignment, false, (int)*key) != value)
      return false;
    if (*key == FACT_WORK && !*has_work) return false;
    before = (int64_t)*key;
  }
  return !source->failed;
}
