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
 * form, open + k * extend, is gap_first = open + extend, gap_ext = extend. With gap_first2 above 0 a gap has
 * two pieces: it costs the less of that and gap_first2 + (k - 1) * gap_ext2 (docs/gaps.md). In C, `gap` has
 * the same costs as an array.
 *
 * Without a matrix (matrix_size 0), equal unambiguous letters (clalign/alphabet.h) score `match` and every
 * other pair scores `mismatch`; `ambiguity` tells the scores of pairs with ambiguous nucleotides. With a
 * matrix, a pair scores matrix[row * CLA_MATRIX_STRIDE + column], where row and column are the positions of
 * the query's and the target's letter in `letters`. A letter that is not there is looked up as another one: T
 * as U, the amino acids J, U and O as X, and what then is not there as '*'. Sequences with a letter that
 * cannot be looked up are refused.
 *
 * All of these are integers, and so are the scores of alignments. Fractions are integers of smaller units:
 * with `units` u, a score or cost of s is s / u points. With match 10, gap_first 20, gap_ext 1 and units 2, a
 * match is worth 5 points, a gap of k letters costs 10 + (k - 1) 0.5. */

#define CLA_MATRIX_STRIDE 32    /* entries of a row */
#define CLA_SCORE_LIMIT 1000000 /* no score or cost may exceed it in size */
#define CLA_UNITS_LIMIT 1000    /* most units of a point, for three decimals */

/* The score of a pair with a nucleotide that stands for several: N, R, Y and so on. */
typedef enum cla_ambiguity {
  CLA_AMBIGUITY_MISMATCH = 0, /* mismatch */
  CLA_AMBIGUITY_NEUTRAL = 1,  /* 0 */
  CLA_AMBIGUITY_EXPECTED = 2, /* the mean over all pairs of letters that the two stand for, rounded to the
                                 nearest unit, halves upwards */
} cla_ambiguity;

/* Bytes of a matrix' name, its zero included. */
#define CLA_MATRIX_NAME_SIZE 64

/* Most pieces of gap costs. */
#define CLA_GAP_PIECES 2

/* A piece of gap costs: a gap of k letters costs first + (k - 1) * ext by it. */
typedef struct cla_gap_piece {
  int32_t first; /* 0 .. CLA_SCORE_LIMIT, above the piece before; 0 and not the first piece: there is none */
  int32_t ext;   /* 0 .. first, below the piece before */
} cla_gap_piece;

/* A score scheme. */
typedef struct cla_scoring {
  int32_t match;    /* 0 .. CLA_SCORE_LIMIT */
  int32_t mismatch; /* -CLA_SCORE_LIMIT .. 0 */
#ifndef __cplusplus /* C++ has no structs without a name */
  union {
    cla_gap_piece gap[CLA_GAP_PIECES]; /* by piece */
    struct {
#endif
      int32_t gap_first;  /* gap_ext .. CLA_SCORE_LIMIT */
      int32_t gap_ext;    /* 0 .. gap_first */
      int32_t gap_first2; /* gap_first + 1 .. CLA_SCORE_LIMIT; 0: one piece */
      int32_t gap_ext2;   /* 0 .. gap_ext - 1; 0 with one piece */
#ifndef __cplusplus
    }; /* the pieces' costs by name */
  };   /* gap costs */
#endif
  int32_t matrix_size;                                   /* letters of the matrix, 0 for none, <= 32 */
  char letters[CLA_MATRIX_STRIDE + 1];                   /* upper case, zero-terminated, no letter twice */
  int32_t matrix[CLA_MATRIX_STRIDE * CLA_MATRIX_STRIDE]; /* each within +-CLA_SCORE_LIMIT */
  char matrix_name[CLA_MATRIX_NAME_SIZE];                /* only for messages; "" if unknown */
  cla_ambiguity ambiguity;                               /* for DNA without a matrix */
  int32_t units;   /* all scores and costs are in 1/units of a point: a divisor of CLA_UNITS_LIMIT; 0 as 1. It
                      decides nothing but how they are shown */
  bool by_letters; /* set by cla_align_options_init alone (clalign/align.h): nobody has chosen a scheme yet */
} cla_scoring;

/* Match 1, mismatch -3, gap_first 5, gap_ext 2, no matrix, for sequences of any letters. */
void cla_scoring_init(cla_scoring *scoring);

/* Sets the defaults for sequences of that alphabet. For DNA and own letters they are those of
 * cla_scoring_init, for proteins the matrix BLOSUM62 with its gap costs. */
void cla_scoring_init_for(cla_scoring *scoring, cla_alphabet alphabet);

/* A scheme that has a name. */
typedef struct cla_preset {
  const char *name;     /* static */
  const char *users;    /* phrase that says who uses it; static */
  bool dna, protein;    /* alphabets that it has scores for */
  bool has_mode;        /* `mode` is set */
  cla_mode mode;        /* the preset's mode */
  bool shows_free_ends; /* the preset's program shows free ends as gaps: cla_write_options.free_ends */
} cla_preset;

/* The presets, by an index from 0 on; NULL behind the last one. */
const cla_preset *cla_preset_describe(int index);

/* Sets the whole scheme to that of a preset for sequences of that alphabet. CLA_ERROR_OPTION: no
 * preset has the name, or it has no scores for the alphabet. *scoring is not changed then. */
cla_status cla_scoring_init_preset(cla_scoring *scoring, const char *name, cla_alphabet alphabet,
                                   cla_error *error);

/* CLA_OK, or CLA_ERROR_OPTION naming the first value that is out of its range. */
cla_status cla_scoring_check(const cla_scoring *scoring, cla_error *error);

/* Changes the units of a point, and all scores and costs with them, so that their worth stays. A scheme in
 * units of CLA_UNITS_LIMIT takes any cost of three decimals. units 0: the fewest units that all scores and
 * costs allow. CLA_ERROR_OPTION for units that do not divide CLA_UNITS_LIMIT, or if a score would not be an
 * integer of 32 bits; then *scoring is unchanged. */
cla_status cla_scoring_set_units(cla_scoring *scoring, int32_t units, cla_error *error);

/* Bytes of a score as text, its zero included. */
#define CLA_SCORE_TEXT_SIZE 32

/* A score or cost of the scheme, which is in its units, as text in points: exact and as short as it can be,
 * as in 12, -0.5 or 3.125. */
void cla_score_text(char text[CLA_SCORE_TEXT_SIZE], int64_t score, const cla_scoring *scoring);

/* The names of the matrices that are built in, ended by NULL: BLOSUM45, 50, 62, 80 and 90, PAM30, 70 and 250,
 * EDNAFULL, which is also called NUC.4.4. */
const char *const *cla_matrix_names(void);

/* Sets matrix, gap costs and units by a built-in matrix' name in either case; docs/matrices.md lists the
 * costs. CLA_ERROR_INPUT if there is none of that name. */
cla_status cla_scoring_set_matrix(cla_scoring *scoring, const char *name, cla_error *error);

/* Sets the matrix by a file in NCBI's text form (docs/matrices.md), with the fewest units that it allows. Gap
 * costs are those of BLOSUM62 for proteins, else those of EDNAFULL. asymmetric: allows a matrix that scores
 * some pair of letters differently in both orders. CLA_ERROR_INPUT names file, line and column. */
cla_status cla_scoring_read_matrix(cla_scoring *scoring, const char *path, bool asymmetric, cla_error *error);

/* The alphabet of a matrix by its letters. DNA: all are nucleotides or '*', with A, C, G and T or U among
 * them. Protein: all are amino acids or '*', with the twenty among them. Else its own. */
cla_alphabet cla_scoring_alphabet(const cla_scoring *scoring);

#ifdef __cplusplus
}
#endif

#endif
