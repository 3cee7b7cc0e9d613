#ifndef HOST_WRITE_RECORD_NAMES_H
#define HOST_WRITE_RECORD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/sequence.h"
#include "clalign/status.h"

/* Names of records in an output, without the characters that the output's format forbids. */

typedef enum clean_rule {
  CLEAN_COLUMN,        /* no control characters or blanks, which separate columns and lines */
  CLEAN_FIRST_COLUMN,  /* as CLEAN_COLUMN, and no leading '#', which makes the line a comment */
  CLEAN_SAM_QUERY,     /* for SAM's QNAME: printable ASCII except '@' */
  CLEAN_SAM_REFERENCE, /* for SAM's RNAME: printable ASCII except \ , " ' ` ( ) [ ] { } < > and a leading * or
                        * = */
  CLEAN_LINE,          /* control characters become spaces; for a text field up to the end of a line */
} clean_rule;

/* A format's rules. */
typedef struct name_rules {
  clean_rule query, target;
  bool free; /* positions do not refer to names, so targets with the same name may be different records */
} name_rules;

/* Copies the name and replaces every byte that `rule` forbids by '_' (CLEAN_LINE: ' '). Rules for columns
 * also forbid non-ASCII blanks (no-break space, line separator). The length does not change. An empty name
 * becomes `fallback`. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status clean_name(char **out, const char *name, clean_rule rule, const char *fallback, cla_error *error);

/* First and last character of printable ASCII without the blank. */
#define PLAIN_LEAST '!'
#define PLAIN_MOST '~'

/* True only if clean_name would certainly leave the name unchanged. `plain`: the name is known to be
 * printable ASCII without blanks. */
bool name_is_clean(const char *name, bool plain, clean_rule rule);

/* Copies a text and replaces every byte that does not belong to valid UTF-8 by U+FFFD, because JSON is UTF-8.
 * The caller frees *out. CLA_ERROR_MEMORY. */
cla_status clean_utf8(char **out, const char *text, cla_error *error);

/* Checks the number of a record's letters for a format with 32-bit positions. `what` describes the record:
 * "the target". CLA_ERROR_OPTION. */
cla_status short_record_check(const char *format, int64_t letters, const char *what, cla_error *error);

/* A key that identifies a record regardless of its role, location or range. Records with the same name, the
 * same letters and the same number in their file have equal keys. */
typedef struct record_key {
  uint64_t value[2];
} record_key;

record_key record_key_of(const char *name, const cla_sequence *sequence);

/* A table of an output's targets, by their names in the output. Any thread may look up a name. Only the
 * thread that adds the pairs, in their order, binds names to targets. */
typedef struct target_names target_names;

/* Opens an empty table. CLA_ERROR_MEMORY. */
cla_status target_names_open(target_names **out, cla_error *error);

/* Frees the table; NULL is allowed. */
void target_names_close(target_names *names);

/* The key of a target in the table: a hash of the name, and a hash of the letters. */
typedef struct target_key {
  uint64_t name[2], letters;
} target_key;

/* A name of the table. Only the thread that adds pairs uses fields other than `name`. */
typedef struct named_target {
  uint64_t name[2];
  uint64_t letters; /* hash of the letters of the first target with that name */
  int64_t pair;     /* 1-based number of the first pair with this target; 0: no pair yet */
  int64_t number;   /* 1-based number in the output's head; 0: not in the head; set by the caller */
} named_target;

/* The use of a target: the output's format, and the pair in the output. */
typedef struct target_use {
  clean_rule rule;
  const char *format; /* name of the format, for messages */
  int64_t pair;       /* 1-based number of the pair */
} target_use;

/* Makes the key of the results' target. `plain` has the same meaning as in name_is_clean.
 * CLA_ERROR_MEMORY. */
cla_status target_key_make(target_key *out, const cla_results *results, bool plain, clean_rule rule,
                           cla_error *error);

/* A target that is to be found in the table. */
typedef struct found_target {
  target_key key;      /* all zero: no target */
  named_target *known; /* output: valid until the table is closed; NULL: there is no target */
  int64_t next;        /* used by the table */
} found_target;

/* Looks up the targets' names in the table, and adds missing names. CLA_ERROR_MEMORY. */
cla_status target_names_find(target_names *names, found_target *targets, int64_t count, cla_error *error);

/* Binds the name to the key's target, unless an earlier pair has bound it. Returns false if the name is bound
 * to a target with other letters. */
bool named_target_claim(named_target *known, const target_key *key, int64_t pair);

/* Sets and returns CLA_ERROR_INPUT for a target with the same name as an earlier target with other letters.
 * CLA_ERROR_MEMORY. */
cla_status target_names_clash(const cla_results *results, const target_use *use, const named_target *earlier,
                              cla_error *error);

/* Makes the key of the results' target, finds or adds its name, and binds the name. Errors: those of
 * target_key_make, target_names_find and target_names_clash. */
cla_status target_names_add(named_target **known, target_names *names, const cla_results *results,
                            const target_use *use, cla_error *error);

#endif
