#include "support/filled_alignment.h"

#include "support/test.h"

/* The runs of a path over 11 letters of the query and 10 of the target. */
static cla_run runs[] = {
    {3, CLA_RUN_PAIR}, {2, CLA_RUN_QUERY}, {4, CLA_RUN_PAIR}, {1, CLA_RUN_TARGET}, {2, CLA_RUN_PAIR}};

static cla_work_band bands[] = {{1, 2, 3, 10}, {3, 4, 5, 12}};
static cla_work_band level_bands[] = {{0, 5, 1, 20}, {5, 6, 2, 21}, {0, 7, 3, 22}};
static int64_t special_rows[] = {8, 16, 25};
static cla_crosspoint crosspoints[] = {{4, 5}, {9, 11}};
static cla_work_level levels[] = {{CLA_LEVEL_MIDDLE, true, 401, 2}, {CLA_LEVEL_FINE, false, 203, 1}};

static cla_work work = {1, 61, bands, 2, 11, special_rows, 3, 13, crosspoints, 2, levels, 2, level_bands, 3};

#define METRICS                                                                                       \
  {                                                                                                   \
    1009, 1013, true, 1019, 1.25, 2.5, 3.75, {1021, 4.25},                                            \
        {{CLA_LEVEL_FINE, true, CLA_LEVEL_TIME, 0.5, 1031, 1033, 5.5}}, 1, {1039, 6.25}, {1049, 7.5}, \
        {1051, 8.75}, CLA_VERIFIED_PATH, "a device", "a kernel", 17, 19, 1061, "a lost device"        \
  }

static cla_alignment filled = {
    CLA_MODE_FREE_ENDS,
    CLA_FREE_QUERY_START | CLA_FREE_QUERY_END | CLA_FREE_TARGET_START,
    CLA_STRAND_REVERSE,
    CLA_ALPHABET_DNA,
    {7,
     -6,
     {{{21, 5}, {31, 3}}},
     2,
     "XY",
     {11, -12, [CLA_MATRIX_STRIDE] = -13, 14},
     "a matrix",
     CLA_AMBIGUITY_MISMATCH,
     4,
     false},
    1063,
    {"query", "q.fa", 41, 5, 33, 0, 9, 20, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
    {"target",
     "t.fa",
     53,
     7,
     43,
     0,
     12,
     22,
     {17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32}},
    CLA_GAPS_RIGHT,
    true,
    1069,
    true,
    1087,
    true,
    runs,
    sizeof runs / sizeof *runs,
    METRICS,
    &work,
    {0}};

static void set_ambiguous(cla_scoring *scoring) {
  scoring->ambiguity = CLA_AMBIGUITY_EXPECTED;
  scoring->matrix_size = 0;
  memset(scoring->letters, 0, sizeof scoring->letters);
  memset(scoring->matrix, 0, sizeof scoring->matrix);
}

static void set_rotated(cla_side *side) {
  side->begin = 0;
  side->end = side->length;
  side->rotation = 3;
}

cla_alignment *filled_alignment_make(filled_kind kind) {
  cla_alignment *made = NULL;
  assert_ok(cla_alignment_copy(&made, &filled, NULL, &why));
  if (kind == FILLED_AMBIGUOUS) set_ambiguous(&made->scoring);
  if (kind == FILLED_ROTATED_QUERY) set_rotated(&made->query);
  if (kind == FILLED_ROTATED_TARGET) set_rotated(&made->target);
  if (kind == FILLED_OWN_LETTERS) {
    made->alphabet = CLA_ALPHABET_OWN;
    made->strand = CLA_STRAND_FORWARD;
  }
  return made;
}

/* Fields that are not named here are compared as bytes, so that new fields are compared, too. */
bool filled_work_same(const cla_work *a, const cla_work *b) {
  cla_work plain[] = {*a, *b};
  for (int i = 0; i < 2; i++) {
    plain[i].bands = plain[i].level_bands = NULL;
    plain[i].special_rows = NULL;
    plain[i].crosspoints = NULL;
    plain[i].levels = NULL;
  }
  if (memcmp(&plain[0], &plain[1], sizeof plain[0]) != 0) return false;
  for (size_t i = 0; i < a->level_count; i++)
    if (a->levels[i].size != b->levels[i].size || a->levels[i].edits != b->levels[i].edits ||
        a->levels[i].cells != b->levels[i].cells || a->levels[i].band_count != b->levels[i].band_count)
      return false;
  return memcmp(a->bands, b->bands, a->band_count * sizeof *bands) == 0 &&
         memcmp(a->level_bands, b->level_bands, a->level_band_count * sizeof *bands) == 0 &&
         memcmp(a->special_rows, b->special_rows, a->special_row_count * sizeof *special_rows) == 0 &&
         memcmp(a->crosspoints, b->crosspoints, a->crosspoint_count * sizeof *crosspoints) == 0;
}
