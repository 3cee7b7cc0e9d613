#ifndef HOST_RESULT_CIGAR_READER_H
#define HOST_RESULT_CIGAR_READER_H

#include "clalign/alignment.h"
#include "seq/sequence.h"

/* An operation of an extended CIGAR, and its start. Positions are 0-based in the whole records; query
 * positions are on the strand that was aligned. */
typedef struct cigar_step {
  char operation; /* '=' a match, 'X' any other pair, 'I' query letters, 'D' target letters */
  int64_t length; /* >= 1 */
  int64_t query, target;
} cigar_step;

/* Reads an alignment's runs as CIGAR operations, splitting pairs into matches and mismatches. A match is a
 * pair of equal unambiguous letters, or a pair with an ambiguous letter that the matrix scores like equal
 * letters (score_table_matches). The reader allocates nothing. The alignment and the sequences must outlive
 * the reader. */
typedef struct cigar_reader {
  const cla_alignment *alignment;
  strand_letters query_letters;
  const uint8_t *target_codes;
  int unambiguous;                     /* equal codes below this number are a match */
  bool more_matches;                   /* at least one bit of `matches` is set */
  uint32_t matches[CLA_MATRIX_STRIDE]; /* by query code: bit `t` is set if target code `t` matches */
  size_t run;
  int64_t offset; /* number of letters of the current run that have been read */
  int64_t query, target;
} cigar_reader;

/* Starts reading at the path's start. The alignment must fit the sequences (path_check_fit) and have a
 * path. */
void cigar_reader_begin(cigar_reader *reader, const cla_alignment *alignment, const cla_sequence *query,
                        const cla_sequence *target);

/* Like cigar_reader_begin, for formats in which only equal unambiguous letters are matches. */
void cigar_reader_begin_letters(cigar_reader *reader, const cla_alignment *alignment,
                                const cla_sequence *query, const cla_sequence *target);

/* Reads the next operation, which is never of the same kind as the previous one. Returns false at the end. */
bool cigar_reader_next(cigar_reader *reader, cigar_step *step);

/* Reads the next run from an array of cla_packed_run; consecutive matches and mismatches become one run of
 * pairs. *next must be less than `end`. */
cla_run packed_run_next(const uint32_t **next, const uint32_t *end);

/* Copies all packed runs into an alignment that has no runs. CLA_ERROR_MEMORY. */
cla_status packed_runs_take(cla_alignment *alignment, const uint32_t *next, const uint32_t *end,
                            cla_error *error);

#endif
