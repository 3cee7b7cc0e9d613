#ifndef CLALIGN_ALPHABET_H
#define CLALIGN_ALPHABET_H

#ifdef __cplusplus
extern "C" {
#endif

/* The letters of which a sequence consists. Lower case is treated as upper case.
 *
 * - DNA: A C G T and the IUPAC letters R Y S W K M B D H V N; U is read as T
 * - protein: the twenty amino acids, U (selenocysteine), O (pyrrolysine), * (a stop), B (D or N), Z (E or Q),
 * J (I or L) and X (any)
 * - own: the letters of a score matrix, at most 32, in the order of the matrix
 *
 * A letter that represents several letters, for example N, is ambiguous: it never counts as a match. */
typedef enum cla_alphabet {
  CLA_ALPHABET_DNA = 0,
  CLA_ALPHABET_PROTEIN = 1,
  CLA_ALPHABET_OWN = 2,
} cla_alphabet;

/* Returns "DNA", "protein" or "own letters". */
const char *cla_alphabet_name(cla_alphabet alphabet);

/* Returns the complement of a letter of DNA, in upper case, such as Y for R; any other character as it is. */
char cla_nucleotide_complement(char letter);

#ifdef __cplusplus
}
#endif

#endif
