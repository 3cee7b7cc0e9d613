#ifndef TESTS_DIFFERENTIAL_MANY_H
#define TESTS_DIFFERENTIAL_MANY_H

#include "clalign/arrays.h"
#include "differential/cases.h"

/* A call of cla_align_arrays: pairs of one class of lengths, under one scheme and one mode. */
typedef struct many_case {
  drawn_case asked;    /* scheme, mode and strand; it has no pairs */
  const char *lengths; /* class of lengths; static */
  const char *groups;  /* how pairs share sequences; static */
  const char *gaps;    /* kind of gap costs; static */
  case_pair *drawn;    /* the i-th query and the i-th target; owned */
  const char **shapes; /* of each of `drawn`, static; owned */
  int64_t sequences;   /* number of queries, and of targets */
  int64_t *of[2];      /* sequences of each pair; owned; NULL: the i-th of the i-th pair */
  int64_t pairs;       /* number of pairs */
  bool coded, lower;   /* letters are given as codes; text is in lower case */
  bool large;          /* a score or cost is MANY_LARGE or more */
  bool allow_empty;    /* a sequence without letters is no error */
  int threads;         /* of the call */
} many_case;

/* The case of that number: a function of seed and number. End with many_free. Aborts when out of memory. */
void many_draw(many_case *out, uint64_t seed, int64_t index);
void many_free(many_case *one);

/* The letters of a pair, which the case keeps. */
case_pair many_pair(const many_case *one, int64_t pair);

/* What the call gave; arrays are owned. */
typedef struct many_results {
  cla_status status; /* of the call */
  cla_error error;
  cla_pair_results of;
} many_results;

/* Makes the call. End with many_results_free. Aborts when out of memory. */
void many_run(many_results *out, const many_case *one);
void many_results_free(many_results *results);

#define MANY_TEXT_SIZE 4096

/* Scores and costs from here on may be too large for lanes and for a host thread. */
#define MANY_LARGE 8192

typedef enum many_verdict { MANY_SAME, MANY_REFUSED, MANY_WRONG } many_verdict;

/* Whether a pair is as the oracle has it; if not, `text` says what differs. Refused: its scores are large,
 * and it needs a device. */
many_verdict many_compare(char text[MANY_TEXT_SIZE], const many_case *one, const many_results *results,
                          int64_t pair);

#endif
