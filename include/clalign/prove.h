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

/* A check of a written VCF by another way. Each piece of a primary block is rebuilt from the target's letters
 * and the file's records. The result is compared with the query's letters. */

/* Why letters of the query are not proven. */
typedef enum cla_unproven {
  CLA_UNPROVEN_NO_BLOCK = 0,  /* in no piece of a primary block */
  CLA_UNPROVEN_DIFFERENT = 1, /* in a piece whose rebuilt letters differ */
  CLA_UNPROVEN_AMBIGUOUS = 2, /* an IUPAC letter of either genome, of which VCF tells N or nothing */
  CLA_PROVEN = 3,             /* rebuilt */
} cla_unproven;

/* Letters of the query with one reason. */
typedef struct cla_unproven_interval {
  cla_interval interval; /* of a query record */
  cla_unproven reason;   /* never CLA_PROVEN */
} cla_unproven_interval;

/* The result of the check. */
typedef struct cla_proof {
  int64_t letters;                 /* of the query */
  int64_t proven;                  /* letters that were rebuilt */
  int64_t records;                 /* records of the file that belong to blocks */
  size_t blocks;                   /* primary blocks with pieces */
  size_t different;                /* primary blocks with a piece that differs */
  bool *equal;                     /* by block of the comparison; true where nothing differs; owned */
  char first[512];                 /* the first difference as a sentence; "": none */
  cla_unproven_interval *unproven; /* by query record and place; owned */
  size_t unproven_count;           /* number of intervals */
} cla_proof;

/* Checks the VCF at `path`, which cla_comparison_write_file has written, plain or compressed. A difference is
 * no error of the call; out->different counts it. Errors: CLA_ERROR_INPUT (no readable VCF),
 * CLA_ERROR_MEMORY. End with cla_proof_free. */
cla_status cla_comparison_prove(cla_proof *out, const cla_comparison *comparison, const char *path,
                                cla_error *error);

/* Frees what the proof owns. */
void cla_proof_free(cla_proof *proof);

/* Writes unproven letters as BED with the reason as the name. `path` appears when it is complete. Errors:
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status cla_proof_write_file(const char *path, const cla_proof *proof, const cla_comparison *comparison,
                                cla_error *error);

/* The reason in words, with '-' between them, as in "no-block"; static. */
const char *cla_unproven_name(cla_unproven reason);

#ifdef __cplusplus
}
#endif

#endif
