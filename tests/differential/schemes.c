#include "differential/schemes.h"

#include <string.h>

#include "scoring/score_table.h"

#define IUPAC "ACGTNRYSWKMBDHV"
#define AMINO_ACIDS "ARNDCQEGHILKMFPSTWYV"

/* Match, mismatch, first and further letter of a gap: those in use, and those that 8-bit lanes just hold. */
static const int32_t known[][4] = {
    {1, -3, 5, 2},   {1, -2, 3, 1},   {2, -3, 5, 2},    {5, -4, 10, 1},  {2, -4, 6, 2},   {1, -1, 2, 1},
    {1, -1, 1, 1},   {0, -1, 1, 1},   {0, -4, 6, 2},    {3, 0, 4, 0},    {1, -3, 5, 0},   {1, -1, 0, 0},
    {1, 0, 0, 0},    {13, -10, 1, 1}, {9, -20, 5, 2},   {1, -80, 30, 1}, {1, -12, 6, 6},  {26, -20, 1, 1},
    {11, -4, 20, 1}, {29, -30, 1, 1}, {9, -30, 11, 11}, {2, -1, 3, 1},   {10, -9, 15, 6}, {1, -1, 100, 0}};

#define KNOWN (sizeof known / sizeof known[0])

static void draw_costs(cla_scoring *s, random_stream *stream) {
  const int32_t *one = known[random_stream_below(stream, KNOWN)];
  s->match = one[0];
  s->mismatch = one[1];
  s->gap_first = one[2];
  s->gap_ext = one[3];
  if (!draw_chance(stream, 4)) return;
  s->match = (int32_t)draw_between(stream, 0, 12);
  s->mismatch = (int32_t)-draw_between(stream, 0, 15);
  s->gap_ext = (int32_t)draw_between(stream, 0, 6);
  s->gap_first = s->gap_ext + (int32_t)draw_between(stream, 0, 20);
}

/* Makes gap costs those of the family. */
static void shape_gaps(cla_scoring *s, random_stream *stream, kernel_gaps gaps) {
  if (gaps == KERNEL_GAPS_LINEAR) {
    s->gap_ext = s->gap_first = draw_chance(stream, 2) ? s->gap_ext : s->gap_first;
    return;
  }
  if (s->gap_first == s->gap_ext) s->gap_first += (int32_t)draw_between(stream, 1, 9);
  if (gaps == KERNEL_GAPS_AFFINE) return;
  if (s->gap_ext == 0) {
    s->gap_ext++;
    s->gap_first++;
  }
  s->gap_ext2 = draw_chance(stream, 3) ? 0 : (int32_t)draw_between(stream, 0, s->gap_ext - 1);
  s->gap_first2 = s->gap_first + (int32_t)draw_between(stream, 1, draw_chance(stream, 3) ? 100 : 20);
}

static int32_t *entry(cla_scoring *s, int row, int column) {
  return &s->matrix[row * CLA_MATRIX_STRIDE + column];
}

static void own_matrix(cla_scoring *s, random_stream *stream, const char *letters, bool asymmetric) {
  strcpy(s->letters, letters);
  strcpy(s->matrix_name, "drawn");
  s->matrix_size = (int32_t)strlen(letters);
  for (int row = 0; row < s->matrix_size; row++)
    for (int column = 0; column < s->matrix_size; column++)
      *entry(s, row, column) = row == column ? s->match : s->mismatch;
  const bool matches_alike = draw_chance(stream, 2); /* as exact bounds ask for */
  for (int64_t n = draw_between(stream, 1, 2 * s->matrix_size); n > 0; n--) {
    const int row = (int)random_stream_below(stream, (uint64_t)s->matrix_size);
    const int column = (int)random_stream_below(stream, (uint64_t)s->matrix_size);
    if (row == column && matches_alike) continue;
    *entry(s, row, column) += (int32_t)draw_between(stream, -3, 2);
    if (!asymmetric) *entry(s, column, row) = *entry(s, row, column);
  }
  s->match = s->mismatch = 0;
}

static void letters_of(drawn_scheme *out, cla_alphabet alphabet, const char *letters, int plain) {
  out->alphabet = alphabet;
  strcpy(out->letters, letters);
  out->plain = plain;
  out->ambiguous = (size_t)plain < strlen(letters);
}

static void built_in(drawn_scheme *out, random_stream *stream, bool dna) {
  static const char *const proteins[] = {"BLOSUM62", "BLOSUM62", "BLOSUM45", "BLOSUM80", "PAM30", "PAM250"};
  cla_scoring s;
  cla_scoring_init(&s);
  cla_scoring_set_matrix(&s, dna ? "EDNAFULL" : proteins[random_stream_below(stream, 6)], NULL);
  cla_scoring_set_units(&s, 1, NULL); /* where the gap costs are whole */
  const int32_t first = out->scoring.gap_first, ext = out->scoring.gap_ext;
  if (!draw_chance(stream, 2)) {
    s.gap_first = first;
    s.gap_ext = ext;
  }
  out->scoring = s;
  out->kind = dna ? "EDNAFULL" : "protein matrix";
  if (dna)
    letters_of(out, CLA_ALPHABET_DNA, IUPAC, 4);
  else
    letters_of(out, CLA_ALPHABET_PROTEIN, AMINO_ACIDS "BZX*JUO", 20);
}

/* Pair scores that are looked up. */
static void look_up(drawn_scheme *out, random_stream *stream) {
  static const char *const words[] = {"ambiguity mismatch", "ambiguity neutral", "ambiguity expected"};
  cla_scoring *s = &out->scoring;
  switch (random_stream_below(stream, 10)) {
    case 0:
    case 1:
    case 2:
      s->ambiguity = draw_chance(stream, 2) ? CLA_AMBIGUITY_NEUTRAL : CLA_AMBIGUITY_EXPECTED;
      out->kind = words[s->ambiguity];
      letters_of(out, CLA_ALPHABET_DNA, draw_chance(stream, 2) ? "ACGTN" : IUPAC, 4);
      break;
    case 3:
    case 4:
      out->kind = "DNA matrix";
      own_matrix(s, stream, draw_chance(stream, 2) ? "ACGT" : "TCAG", false);
      letters_of(out, CLA_ALPHABET_DNA, "ACGT", 4);
      break;
    case 5:
      out->kind = "asymmetric DNA matrix";
      own_matrix(s, stream, draw_chance(stream, 2) ? "ACGU" : "ACGTN", true);
      letters_of(out, CLA_ALPHABET_DNA, s->matrix_size == 5 ? "ACGTN" : "ACGT", 4);
      break;
    case 6:
      out->kind = "own letters";
      own_matrix(s, stream, draw_chance(stream, 2) ? "0123456" : "PQ", draw_chance(stream, 2));
      letters_of(out, CLA_ALPHABET_OWN, s->letters, s->matrix_size);
      break;
    case 7: built_in(out, stream, true); break;
    case 8:
      out->kind = "asymmetric protein matrix";
      own_matrix(s, stream, AMINO_ACIDS "X*", true);
      letters_of(out, CLA_ALPHABET_PROTEIN, AMINO_ACIDS "X*UOBZ", 20);
      break;
    default: built_in(out, stream, false);
  }
}

static void plain(drawn_scheme *out, random_stream *stream) {
  out->kind = "match, mismatch";
  letters_of(out, CLA_ALPHABET_DNA, draw_chance(stream, 3) ? IUPAC : "ACGT", 4);
  if (draw_chance(stream, 6)) {
    out->kind = "few letters";
    letters_of(out, CLA_ALPHABET_DNA, "AC", 2);
  }
}

int32_t scheme_largest(const cla_scoring *s) {
  int32_t most = s->match;
  for (int row = 0; row < s->matrix_size; row++)
    for (int column = 0; column < s->matrix_size; column++) {
      const int32_t score = s->matrix[row * CLA_MATRIX_STRIDE + column];
      if (score > most) most = score;
    }
  return most > 0 ? most : 0;
}

/* Whether lanes of the family hold the scheme. */
static bool is_held(const build_family *family, const cla_scoring *s) {
  if (!family->variant) return true;
  const kernel_config config = {.variant = family->variant, .lanes = family->lanes, .alpha = family->alpha};
  const score_table table = {.maximum = scheme_largest(s)};
  return kernel_tile_limit(&config, s, &table, 1) >= family->lanes &&
         kernel_tile_limit(&family->chosen, s, &table, 1) >= family->chosen.lanes;
}

/* A preset's scheme, where it has the family's gap costs and look-ups. */
static bool preset(drawn_scheme *out, random_stream *stream, const build_family *family) {
  int count = 0;
  while (cla_preset_describe(count)) count++;
  const cla_preset *of = cla_preset_describe((int)random_stream_below(stream, (uint64_t)count));
  const bool dna = of->dna && (!of->protein || draw_chance(stream, 2));
  cla_scoring s;
  cla_scoring_init(&s);
  if (cla_scoring_init_preset(&s, of->name, dna ? CLA_ALPHABET_DNA : CLA_ALPHABET_PROTEIN, NULL) != CLA_OK)
    return false;
  const kernel_gaps gaps = s.gap_first2 > 0           ? KERNEL_GAPS_TWO_PIECES
                           : s.gap_first == s.gap_ext ? KERNEL_GAPS_LINEAR
                                                      : KERNEL_GAPS_AFFINE;
  const bool looked_up = s.matrix_size > 0 || s.ambiguity != CLA_AMBIGUITY_MISMATCH;
  if (gaps != family->gaps || looked_up != family->lookup || !is_held(family, &s)) return false;
  out->scoring = s;
  out->kind = of->name;
  if (dna)
    letters_of(out, CLA_ALPHABET_DNA, draw_chance(stream, 2) ? "ACGT" : IUPAC, 4);
  else
    letters_of(out, CLA_ALPHABET_PROTEIN, AMINO_ACIDS "BZX*JUO", 20);
  return true;
}

static bool times(cla_scoring *s, int32_t by) {
  if ((int64_t)scheme_largest(s) * by > CLA_SCORE_LIMIT || (int64_t)s->gap_first * by > CLA_SCORE_LIMIT ||
      (int64_t)s->gap_first2 * by > CLA_SCORE_LIMIT || (int64_t)s->mismatch * by < -CLA_SCORE_LIMIT)
    return false;
  for (int i = 0; i < CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE; i++) {
    if ((int64_t)s->matrix[i] * by < -CLA_SCORE_LIMIT) return false;
    s->matrix[i] *= by;
  }
  s->match *= by;
  s->mismatch *= by;
  s->gap_first *= by;
  s->gap_ext *= by;
  s->gap_first2 *= by;
  s->gap_ext2 *= by;
  return true;
}

/* Larger, until the next step would be more than the lanes hold. */
static void enlarge(cla_scoring *s, random_stream *stream, const build_family *family) {
  int32_t *const one[] = {&s->gap_first, &s->gap_first2, &s->mismatch};
  for (cla_scoring more = *s; times(&more, 2) && is_held(family, &more);) *s = more;
  int32_t *cost = one[s->gap_first2 > 0 ? 1 : 0];
  if (s->gap_first == s->gap_ext && s->gap_first2 == 0) return;
  if (draw_chance(stream, 2)) return;
  for (int32_t step = 1 << 18; step > 0; step /= 2) {
    const int32_t before = *cost;
    *cost += step;
    if (*cost > CLA_SCORE_LIMIT || !is_held(family, s)) *cost = before;
  }
}

void scheme_draw(drawn_scheme *out, random_stream *stream, const build_family *family) {
  memset(out, 0, sizeof *out);
  for (int attempt = draw_chance(stream, 4) ? 0 : 20; attempt < 20; attempt++)
    if (preset(out, stream, family)) return;
  for (int attempt = 0;; attempt++) {
    memset(out, 0, sizeof *out);
    cla_scoring_init(&out->scoring);
    draw_costs(&out->scoring, stream);
    if (family->lookup)
      look_up(out, stream);
    else
      plain(out, stream);
    shape_gaps(&out->scoring, stream, family->gaps);
    if (is_held(family, &out->scoring) && cla_scoring_check(&out->scoring, NULL) == CLA_OK) break;
    if (attempt > 200) break; /* clalign will refuse it */
  }
  if (draw_chance(stream, 6)) enlarge(&out->scoring, stream, family);
  static const int32_t units[] = {2, 10, 1000};
  if (draw_chance(stream, 8)) out->scoring.units = units[random_stream_below(stream, 3)];
}

const char *scheme_gaps_word(const cla_scoring *s) {
  if (s->gap_first2 > 0) return s->gap_ext2 == 0 ? "two pieces, ext2 0" : "two pieces";
  if (s->gap_first == s->gap_ext) return s->gap_first == 0 ? "free" : "linear";
  return s->gap_ext == 0 ? "affine, ext 0" : "affine";
}
