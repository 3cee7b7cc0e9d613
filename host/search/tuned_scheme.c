#include "search/tuned_scheme.h"

#include "base/error.h"

cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error) {
  if (scoring)
    out->scoring = *scoring;
  else
    cla_scoring_init(&out->scoring);
  cla_status status = cla_scoring_check(&out->scoring, error);
  if (status != CLA_OK) return status;
  const cla_alphabet alphabet =
      out->scoring.matrix_size > 0 ? cla_scoring_alphabet(&out->scoring) : CLA_ALPHABET_DNA;
  if (alphabet == CLA_ALPHABET_OWN)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the matrix %s is neither for DNA nor for proteins, of which pairs are made for tuning; what is "
        "measured with BLOSUM62 holds for every matrix",
        out->scoring.matrix_name);
  out->letters = alphabet == CLA_ALPHABET_PROTEIN ? &alphabet_protein : &alphabet_dna;
  score_table_build(&out->table, &out->scoring, out->letters->letters, out->letters->unambiguous);
  return CLA_OK;
}
