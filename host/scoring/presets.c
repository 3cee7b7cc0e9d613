/* Score schemes, named after their purposes or after the programs that use them. */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "clalign/scoring.h"

/* Converts points to 1/1000 point. */
#define POINTS(points) ((int32_t)((points)*CLA_UNITS_LIMIT))

/* The scheme of a preset for one alphabet. */
typedef struct preset_scheme {
  const char *matrix; /* name of the matrix; NULL: `match` and `mismatch` are used */
  const char *zeros;  /* letters added to the matrix, which score 0 with all letters; NULL: none */
  int32_t match, mismatch;
  cla_gap_piece gap[CLA_GAP_PIECES];
} preset_scheme;

#define GAP(first, ext) \
  { POINTS(first), POINTS(ext) }
#define PLAIN(match_, mismatch_, ...)                                              \
  {                                                                                \
    .match = POINTS(match_), .mismatch = POINTS(mismatch_), .gap = { __VA_ARGS__ } \
  }
#define MATRIX(name, ...)                    \
  {                                          \
    .matrix = (name), .gap = { __VA_ARGS__ } \
  }

/* EMBOSS' matrix does not contain U, O and J, which EMBOSS scores as 0. */
#define EMBOSS_PROTEIN                                            \
  {                                                               \
    .matrix = "BLOSUM62", .zeros = "UOJ", .gap = { GAP(10, 0.5) } \
  }

#define LOCALLY .has_mode = true, .mode = CLA_MODE_LOCAL
#define OVERLAPPING .has_mode = true, .mode = CLA_MODE_OVERLAP

/* The scores of `genome` and `strain` were chosen by measurement (docs/presets.md). The other schemes come
 * from the programs' manuals. */
static const struct {
  cla_preset facts;
  preset_scheme dna, protein;
} entries[] = {
    {{"genome", "two genomes that differ in up to a tenth of their letters: unlike stretches become gaps",
      .dna = true},
     .dna = PLAIN(1, -3, GAP(7, 2), GAP(40, 0))},
    {{"strain", "two strains that differ in up to a twentieth: short unlike stretches become gaps, too",
      .dna = true},
     .dna = PLAIN(1, -5, GAP(9, 2), GAP(30, 0))},
    {{"asm5", "minimap2 -x asm5: assemblies that differ by up to 5 %", .dna = true},
     .dna = PLAIN(1, -19, GAP(42, 3), GAP(82, 1))},
    {{"asm10", "minimap2 -x asm10: by up to 10 %", .dna = true}, .dna = PLAIN(1, -9, GAP(18, 2), GAP(42, 1))},
    {{"asm20", "minimap2 -x asm20: by up to 20 %", .dna = true}, .dna = PLAIN(1, -4, GAP(8, 2), GAP(27, 1))},
    {{"needle", "EMBOSS needle: two whole sequences, free at their ends", .dna = true, .protein = true,
      OVERLAPPING, .shows_free_ends = true},
     .dna = MATRIX("EDNAFULL", GAP(10, 0.5)),
     .protein = EMBOSS_PROTEIN},
    {{"water", "EMBOSS water: their best parts", .dna = true, .protein = true, LOCALLY},
     .dna = MATRIX("EDNAFULL", GAP(10, 0.5)),
     .protein = EMBOSS_PROTEIN},
    {{"blastn", "BLAST+ blastn -task blastn: DNA of different species", .dna = true, LOCALLY},
     .dna = PLAIN(2, -3, GAP(7, 2))},
    {{"megablast", "BLAST+ blastn by default: DNA that is nearly the same, linear gap costs", .dna = true,
      LOCALLY},
     .dna = PLAIN(1, -2, GAP(2.5, 2.5))},
    {{"blastp", "BLAST+ blastp: proteins", .protein = true, LOCALLY},
     .protein = MATRIX("BLOSUM62", GAP(12, 1))},
};

#define ENTRIES (sizeof entries / sizeof *entries)

const cla_preset *cla_preset_describe(int index) {
  return index >= 0 && index < (int)ENTRIES ? &entries[index].facts : NULL;
}

/* Adds letters that score 0 to the matrix. The changed matrix gets EMBOSS' name: "E" before the old name. */
static void add_zeros(cla_scoring *scoring, const char *letters) {
  char name[CLA_MATRIX_NAME_SIZE];
  strcpy(name, scoring->matrix_name);
  snprintf(scoring->matrix_name, sizeof scoring->matrix_name, "E%.60s", name);
  for (; *letters; letters++) {
    const int32_t added = scoring->matrix_size++;
    scoring->letters[added] = *letters;
    for (int32_t other = 0; other <= added; other++)
      scoring->matrix[added * CLA_MATRIX_STRIDE + other] =
          scoring->matrix[other * CLA_MATRIX_STRIDE + added] = 0;
  }
}

static cla_status set_scheme(cla_scoring *scoring, const preset_scheme *scheme, cla_error *error) {
  cla_scoring_init(scoring);
  cla_status status = scheme->matrix ? cla_scoring_set_matrix(scoring, scheme->matrix, error) : CLA_OK;
  if (status == CLA_OK) status = cla_scoring_set_units(scoring, CLA_UNITS_LIMIT, error);
  if (status != CLA_OK) return status;
  if (!scheme->matrix) {
    scoring->match = scheme->match;
    scoring->mismatch = scheme->mismatch;
  }
  if (scheme->zeros) add_zeros(scoring, scheme->zeros);
  memcpy(scoring->gap, scheme->gap, sizeof scoring->gap);
  return cla_scoring_set_units(scoring, 0, error);
}

cla_status cla_scoring_init_preset(cla_scoring *scoring, const char *name, cla_alphabet alphabet,
                                   cla_error *error) {
  char names[256] = "";
  size_t i = 0;
  for (; i < ENTRIES && strcmp(entries[i].facts.name, name) != 0; i++)
    error_list_add(names, sizeof names, entries[i].facts.name, i + 1 < ENTRIES ? ", " : " and ");
  if (i == ENTRIES)
    return error_set(error, CLA_ERROR_OPTION, "no preset is called '%.64s'; there are %s", name, names);
  const bool protein = alphabet == CLA_ALPHABET_PROTEIN;
  const bool has = protein ? entries[i].facts.protein : alphabet == CLA_ALPHABET_DNA && entries[i].facts.dna;
  if (!has)
    return error_set(error, CLA_ERROR_OPTION, "the preset %s has no scores for %s; choose another preset",
                     name, protein ? "proteins" : cla_alphabet_name(alphabet));
  return set_scheme(scoring, protein ? &entries[i].protein : &entries[i].dna, error);
}
