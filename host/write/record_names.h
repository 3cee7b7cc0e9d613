#ifndef HOST_WRITE_RECORD_NAMES_H
#define HOST_WRITE_RECORD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "clalign/sequence.h"
#include "clalign/status.h"

/* What records are called in an output: their names, without what its format forbids. */

typedef enum clean_rule {
  CLEAN_COLUMN,        /* no control characters or blanks, which separate columns and lines */
  CLEAN_FIRST_COLUMN,  /* as CLEAN_COLUMN, and no leading '#', which makes the line a comment */
  CLEAN_SAM_QUERY,     /* SAM's QNAME: printable ASCII but for '@' */
  CLEAN_SAM_REFERENCE, /* SAM's RNAME: printable ASCII but for \ , " ' ` ( ) [ ] { } < > and a leading * or =
                        */
  CLEAN_LINE,          /* a text field to the end of a line: control characters become spaces */
} clean_rule;

/* A format's rules. */
typedef struct name_rules {
  clean_rule query, target;
  bool free; /* positions refer to no name: targets of one name may be different records */
} name_rules;

/* A copy of the name with every byte replaced by '_' (CLEAN_LINE: ' ') that `rule` forbids, or that belongs
 * to a blank beyond ASCII which it forbids (no-break space, line separator). `fallback` stands for a name
 * that is empty. The length stays. CLA_ERROR_MEMORY; the caller frees *out. */
cla_status clean_name(char **out, const char *name, clean_rule rule, const char *fallback, cla_error *error);

/* Printable ASCII without the blank. */
#define PLAIN_LEAST '!'
#define PLAIN_MOST '~'

/* True if clean_name would copy it as it is; false also for some others. `plain` names are known to be of
 * printable ASCII without blanks. */
bool name_is_clean(const char *name, bool plain, clean_rule rule);

/* A copy in which U+FFFD stands for every byte that does not belong to valid UTF-8, because JSON is UTF-8.
 * The caller frees it. CLA_ERROR_MEMORY. */
cla_status clean_utf8(char **out, const char *text, cla_error *error);

/* One record as query or target, whichever location or range it was read by: the same for the same name,
 * letters and number in its file. */
typedef struct record_key {
  uint64_t value[2];
} record_key;

record_key record_key_of(const char *name, const cla_sequence *sequence);

/* The targets of an output by their names there. Any thread may find one; the thread that adds pairs in their
 * order says whose each name is. */
typedef struct target_names target_names;

/* CLA_ERROR_MEMORY. */
cla_status target_names_open(target_names **out, cla_error *error);

/* NULL is allowed. */
void target_names_close(target_names *names);

/* A target as the table knows it: hashes of what it is called, and of its letters. */
typedef struct target_key {
  uint64_t name[2], letters;
} target_key;

/* A name of the table. All but its hash is for the thread that adds pairs. */
typedef struct named_target {
  uint64_t name[2];
  uint64_t letters; /* of the first target of that name */
  int64_t pair;     /* the first pair with this target, from 1; 0: none was added yet */
  int64_t number;   /* number in the output's head, from 1; 0: not there; set by the caller */
} named_target;

/* The output that a target is of, and the pair there. */
typedef struct target_use {
  clean_rule rule;
  const char *format; /* name of the format, for messages */
  int64_t pair;       /* from 1 */
} target_use;

/* Makes the key of the results' target. `plain`: its name is clean (name_is_clean). CLA_ERROR_MEMORY. */
cla_status target_key_make(target_key *out, const cla_results *results, bool plain, clean_rule rule,
                           cla_error *error);

/* A target to be found. */
typedef struct found_target {
  target_key key;      /* zeros: there is none */
  named_target *known; /* out: valid until the table is closed; NULL: there is no target */
  int64_t next;        /* used by the table */
} found_target;

/* Finds names, or adds them. CLA_ERROR_MEMORY. */
cla_status target_names_find(target_names *names, found_target *targets, int64_t count, cla_error *error);

/* Binds the name to the key's target, unless an earlier pair has bound it. False if that target had other
 * letters. */
bool named_target_claim(named_target *known, const target_key *key, int64_t pair);

/* CLA_ERROR_INPUT for a target whose name an earlier one has with other letters. CLA_ERROR_MEMORY. */
cla_status target_names_clash(const cla_results *results, const target_use *use, const named_target *earlier,
                              cla_error *error);

/* Makes the key, finds or adds the name, and binds it. Errors of the three functions above. */
cla_status target_names_add(named_target **known, target_names *names, const cla_results *results,
                            const target_use *use, cla_error *error);

#endif
