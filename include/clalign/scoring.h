#ifndef CLALIGN_SCORING_H
#define CLALIGN_SCORING_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"
#include "clalign/mode.h"
#include "clalign/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A score scheme: the scores of pairs of letters, and the costs of gaps.
 *
 * A gap of k letters costs gap_first + (k - 1) * gap_ext (CUDAlign 1.0, section 2.3; Gotoh 1982). The NCBI
 * form, open + k * extend, is gap_first = open + extend, gap_ext = extend. If gap_first2 is above 0, gap
 * costs have two pieces: a gap costs gap_first + (k - 1) * gap_ext or gap_first2 + (k - 1) * gap_ext2,
 * whichever is less (docs/gaps.md). In C, `gap` holds the same costs as an array.
 *
 * Without a matrix (matrix_size 0), equal unambiguous letters (clalign/alphabet.h) score `match` and every
 * other pair scores `mismatch`; `ambiguity` sets the scores of pairs with ambiguous nucleotides. With a
 * matrix, a pair scores matrix[row * CLA_MATRIX_STRIDE + column], where row and column are the positions of
 * the query's and the target's letter in `letters`. A letter that is not in `letters` is replaced: T by U,
 * the amino acids J, U and O by X, and any letter that is still missing by '*'. If the replacement is not in
 * `letters` either, the sequence is refused.
 *
 * All scores and costs are integers, and so are the scores of alignments. Fractions are expressed as integers
 * in smaller units: if `units` is u, a score or cost of s is s / u points. With match 10, gap_first 20,
 * gap_ext 1 and units 2, a match is worth 5 points, and a gap of k letters costs 10 + (k - 1) * 0.5
 * points. */

#define CLA_MATRIX_STRIDE 32    /* entries of a matrix row */
#define CLA_SCORE_LIMIT 1000000 /* maximum absolute value of a score or cost */
#define CLA_UNITS_LIMIT 1000    /* maximum number of units per point, for three decimals */

/* The score of a pair with an ambiguous nucleotide, such as N, R or Y. */
typedef enum cla_ambiguity {
  CLA_AMBIGUITY_MISMATCH = 0, /* the score `mismatch` */
  CLA_AMBIGUITY_NEUTRAL = 1,  /* 0 */
  CLA_AMBIGUITY_EXPECTED = 2, /* the mean over all pairs of letters that the two letters represent, rounded to
                                 the nearest unit, halves upwards */
} cla_ambiguity;

/* Bytes of a matrix' name, with its terminating zero. */
#define CLA_MATRIX_NAME_SIZE 64

/* Largest number of pieces of gap costs. */
#define CLA_GAP_PIECES 2

/* One piece of the gap costs. With this piece, a gap of k letters costs first + (k - 1) * ext. */
typedef struct cla_gap_piece {
  int32_t first; /* 0 .. CLA_SCORE_LIMIT, above `first` of the previous piece. 0 for the second piece: there
                    is no second piece */
  int32_t ext;   /* 0 .. first, below `ext` of the previous piece */
} cla_gap_piece;

/* A score scheme. */
typedef struct cla_scoring {
  int32_t match;    /* 0 .. CLA_SCORE_LIMIT */
  int32_t mismatch; /* -CLA_SCORE_LIMIT .. 0 */
#ifndef __cplusplus /* C++ has no anonymous structs */
  union {
    cla_gap_piece gap[CLA_GAP_PIECES]; /* gap costs by piece */
    struct {
#endif
      int32_t gap_first;  /* gap_ext .. CLA_SCORE_LIMIT */
      int32_t gap_ext;    /* 0 .. gap_first */
      int32_t gap_first2; /* gap_first + 1 .. CLA_SCORE_LIMIT; 0: one piece */
      int32_t gap_ext2;   /* 0 .. gap_ext - 1; 0 with one piece */
#ifndef __cplusplus
    }; /* names for the costs of the pieces */
  };   /* gap costs */
#endif
  int32_t matrix_size;                 /* number of letters of the matrix, <= 32; 0: no matrix */
  char letters[CLA_MATRIX_STRIDE + 1]; /* the matrix' letters: upper case, zero-terminated, no letter twice */
  int32_t matrix[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* scores, each within +-CLA_SCORE_LIMIT */
  char matrix_name[CLA_MATRIX_NAME_SIZE];                /* only for messages; "" if unknown */
  cla_ambiguity ambiguity;                               /* for DNA without a matrix */
  int32_t units;   /* units per point, a divisor of CLA_UNITS_LIMIT; 0: 1. Only affects how scores and costs
                      are shown */
  bool by_letters; /* the caller has not chosen a scheme; set only by cla_align_options_init */
} cla_scoring;

/* Sets match 1, mismatch -3, gap_first 5, gap_ext 2, and no matrix, for sequences of any letters. */
void cla_scoring_init(cla_scoring *scoring);

/* Sets the defaults for sequences of `alphabet`: for DNA and user-defined letters those of cla_scoring_init,
 * for proteins the matrix BLOSUM62 with its gap costs. */
void cla_scoring_init_for(cla_scoring *scoring, cla_alphabet alphabet);

/* A scheme that has a name. */
typedef struct cla_preset {
  const char *name;     /* static */
  const char *users;    /* phrase that names the programs with this scheme; static */
  bool dna, protein;    /* alphabets for which the preset has scores */
  bool has_mode;        /* `mode` is set */
  cla_mode mode;        /* the preset's mode */
  bool shows_free_ends; /* the preset's program shows free ends as gaps: cla_write_options.free_ends */
} cla_preset;

/* Returns preset `index`, from 0; NULL after the last preset. */
const cla_preset *cla_preset_describe(int index);

/* Sets the whole scheme to the preset `name`, for sequences of `alphabet`. CLA_ERROR_OPTION if there is no
 * such preset, or if the preset has no scores for the alphabet; *scoring is then unchanged. */
cla_status cla_scoring_init_preset(cla_scoring *scoring, const char *name, cla_alphabet alphabet,
                                   cla_error *error);

/* Returns CLA_OK, or CLA_ERROR_OPTION, whose message names the first value that is out of its range. */
cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error);

/* Changes the units per point, and scales all scores and costs so that their values in points do not change.
 * With CLA_UNITS_LIMIT units, any cost with three decimals can be set. If `units` is 0, sets the smallest
 * number of units with which all scores and costs are integers. CLA_ERROR_OPTION for units that do not divide
 * CLA_UNITS_LIMIT, or if a score would not be an integer of 32 bits; *scoring is then unchanged. */
cla_status cla_scoring_set_units(cla_scoring *scoring, int32_t units, cla_error *error);

/* Bytes of a score as text, with its terminating zero. */
#define CLA_SCORE_TEXT_SIZE 32

/* Writes a score or cost, given in the scheme's units, as text in points. The text is exact and as short as
 * possible, for example 12, -0.5 or 3.125. */
void cla_score_text(char text[CLA_SCORE_TEXT_SIZE], int64_t score, const cla_scoring *scoring);

/* Returns the names of the built-in matrices, ended by NULL: BLOSUM45, 50, 62, 80 and 90, PAM30, 70 and 250,
 * and EDNAFULL, which is also called NUC.4.4. */
const char *const *cla_matrix_names(void);

/* Sets matrix, gap costs and units to those of the built-in matrix `name`, in upper or lower case.
 * docs/matrices.md lists the costs. CLA_ERROR_INPUT if there is no matrix of that name. */
cla_status cla_scoring_set_matrix(cla_scoring *scoring, const char *name, cla_error *error);

/* Reads the matrix from a file in NCBI's text form (docs/matrices.md), with the smallest number of units with
 * which its scores are integers. Gap costs are those of BLOSUM62 for proteins, else those of EDNAFULL.
 * `asymmetric` allows a matrix in which the score of a pair depends on the order of its letters. The message
 * of CLA_ERROR_INPUT names file, line and column. */
cla_status cla_scoring_read_matrix(cla_scoring *scoring, const char *path, bool asymmetric, cla_error *error);

/* Returns the alphabet of a matrix, judged by its letters. DNA: all are nucleotides or '*', with A, C, G, and
 * T or U among them. Protein: all are amino acids or '*', with the standard twenty among them. Otherwise
 * user-defined letters. */
cla_alphabet cla_scoring_alphabet(const cla_scoring *scoring);

#ifdef __cplusplus
}
#endif

#endif
