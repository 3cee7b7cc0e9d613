#ifndef CLALIGN_ALPHABET_H
#define CLALIGN_ALPHABET_H

#ifdef __cplusplus
extern "C" {
#endif

/* Which letters a sequence is made of. Lower case counts as upper case.
 *
 *   DNA      A C G T and the IUPAC letters R Y S W K M B D H V N; U is read as T
 *   protein  the twenty amino acids, U (selenocysteine), O (pyrrolysine), * (a stop), and B Z X J, which
 * stand for several: D or N, E or Q, any, I or L own      the letters of a score matrix, at most 32, in the
 * matrix' order
 *
 * A letter that stands for several, N for example, is ambiguous: it never counts as a match. */
typedef enum cla_alphabet {
  CLA_ALPHABET_DNA = 0,
  CLA_ALPHABET_PROTEIN = 1,
  CLA_ALPHABET_OWN = 2,
} cla_alphabet;

/* "DNA", "protein" or "own letters". */
const char *cla_alphabet_name(cla_alphabet alphabet);

#ifdef __cplusplus
}
#endif

#endif
