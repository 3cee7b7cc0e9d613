/* The built-in matrices, by name. */

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "clalign/scoring.h"
#include "scoring/matrix.h"

static const char *const names[] = {"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30",
                                    "PAM70",    "PAM250",   "EDNAFULL", "NUC.4.4",  NULL};

const char *const *cla_matrix_names(void) {
  return names;
}

static const matrix_table *find_table(const char *name) {
  if (strcasecmp(name, "NUC.4.4") == 0) name = "EDNAFULL";
  const matrix_table *table = matrix_tables;
  while (table->name && strcasecmp(table->name, name) != 0) table++;
  return table->name ? table : NULL;
}

/* Sets the gap costs of a scheme in units of 1/1000 point, in which every table's costs are whole. Then
 * reduces the number of units per point to the smallest one with which all scores are whole. */
static cla_status set_gap_costs(cla_scoring *scoring, const matrix_table *table, cla_error *error) {
  scoring->gap[0].first = table->first * (CLA_UNITS_LIMIT / table->units);
  scoring->gap[0].ext = table->ext * (CLA_UNITS_LIMIT / table->units);
  return cla_scoring_set_units(scoring, 0, error);
}

static cla_status no_such_matrix(const char *name, cla_error *error) {
  char all[256] = "";
  for (const matrix_table *table = matrix_tables; table->name; table++)
    error_list_add(all, sizeof all, table->name, table[1].name ? ", " : " and ");
  return error_set(error, CLA_ERROR_INPUT, "no score matrix is called '%.64s'; there are %s", name, all);
}

cla_status cla_scoring_set_matrix(cla_scoring *scoring, const char *name, cla_error *error) {
  const matrix_table *table = find_table(name);
  if (!table) return no_such_matrix(name, error);
  const int16_t *score = table->scores;
  scoring->matrix_size = 0; /* the old matrix must not limit the number of units */
  scoring->by_letters = false;
  cla_status status = cla_scoring_set_units(scoring, CLA_UNITS_LIMIT, error);
  if (status != CLA_OK) return status;
  scoring->matrix_size = (int32_t)strlen(table->letters);
  strcpy(scoring->letters, table->letters);
  strcpy(scoring->matrix_name, table->name);
  for (int row = 0; row < scoring->matrix_size; row++)
    for (int column = 0; column <= row; column++, score++) {
      scoring->matrix[row * CLA_MATRIX_STRIDE + column] = *score * CLA_UNITS_LIMIT;
      scoring->matrix[column * CLA_MATRIX_STRIDE + row] = *score * CLA_UNITS_LIMIT;
    }
  return set_gap_costs(scoring, table, error);
}

cla_status matrix_default_gap_costs(cla_scoring *scoring, cla_error *error) {
  const bool protein = cla_scoring_alphabet(scoring) == CLA_ALPHABET_PROTEIN;
  cla_status status = cla_scoring_set_units(scoring, CLA_UNITS_LIMIT, error);
  if (status != CLA_OK) return status;
  return set_gap_costs(scoring, find_table(protein ? "BLOSUM62" : "EDNAFULL"), error);
}

void cla_scoring_init_for(cla_scoring *scoring, cla_alphabet alphabet) {
  cla_scoring_init(scoring);
  if (alphabet == CLA_ALPHABET_PROTEIN) (void)cla_scoring_set_matrix(scoring, "BLOSUM62", NULL);
}

/* True if `among` contains every letter of `of`. */
static bool all_among(const char *of, const char *among) {
  return of[strspn(of, among)] == '\0';
}

cla_alphabet cla_scoring_alphabet(const cla_scoring *scoring) {
  const char *letters = scoring->letters;
  if (all_among(letters, "ACGTURYSWKMBDHVN*") && all_among("ACG", letters) && strpbrk(letters, "TU"))
    return CLA_ALPHABET_DNA;
  if (all_among(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") && all_among("ARNDCQEGHILKMFPSTWYV", letters))
    return CLA_ALPHABET_PROTEIN;
  return CLA_ALPHABET_OWN;
}
