#ifndef CLALIGN_PROVE_H
#define CLALIGN_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checking a written VCF in an independent way. Each piece of a primary block is rebuilt from the target's
 * letters and the file's records, and the result is compared with the query's letters. */

/* Why letters of the query are not proven. */
typedef enum cla_unproven {
  CLA_UNPROVEN_NO_BLOCK = 0,  /* letters in no piece of a primary block */
  CLA_UNPROVEN_DIFFERENT = 1, /* letters in a piece whose rebuilt letters differ */
  CLA_UNPROVEN_AMBIGUOUS =
      2,          /* a pair with an ambiguous letter of either genome, of which VCF says nothing */
  CLA_PROVEN = 3, /* letters that were rebuilt */
} cla_unproven;

/* Consecutive letters of the query that are not proven for the same reason. */
typedef struct cla_unproven_interval {
  cla_interval interval; /* letters of a query record */
  cla_unproven reason;   /* never CLA_PROVEN */
} cla_unproven_interval;

/* The result of the check. */
typedef struct cla_proof {
  int64_t letters;                 /* number of letters of the query */
  int64_t proven;                  /* letters that were rebuilt */
  int64_t records;                 /* number of the file's records that belong to blocks */
  size_t blocks;                   /* number of primary blocks with pieces */
  size_t different;                /* number of primary blocks in which a piece differs */
  bool *equal;                     /* for each block of the comparison: true if nothing differs; owned */
  char first[512];                 /* a sentence about the first difference; "": none */
  cla_unproven_interval *unproven; /* sorted by query record and position; owned */
  size_t unproven_count;           /* number of intervals */
} cla_proof;

/* Checks the VCF at `path`, plain or compressed, which cla_comparison_write_file has written. A difference is
 * not an error: out->different counts the blocks that differ. The caller frees *out with cla_proof_free.
 * CLA_ERROR_INPUT if the file is not a readable VCF; CLA_ERROR_MEMORY. */
cla_status cla_comparison_prove(cla_proof *out, const cla_comparison *comparison, const char *path,
                                cla_error *error);

/* Frees the contents of `proof`. */
void cla_proof_free(cla_proof *proof);

/* Writes the unproven letters as BED, with the reason as the name. The file appears when it is complete.
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_proof_write_file(const char *path, const cla_proof *proof, const cla_comparison *comparison,
                                cla_error *error);

/* Returns the reason in words joined by '-', such as "no-block"; a static string. */
const char *cla_unproven_name(cla_unproven reason);

#ifdef __cplusplus
}
#endif

#endif
