#ifndef HOST_SEQ_RECORD_INDEX_H
#define HOST_SEQ_RECORD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/status.h"

/* The places and names of a file's records. Zero-initialise; free with record_index_free. */
typedef struct record_index {
  struct record_place *places;
  int64_t count, capacity;
  char *names; /* names, one after the other, each with a terminating zero */
  int64_t names_length, names_capacity;
  int64_t *slots; /* hash table of record numbers + 1, where 0 means none; its size is a power of two */
  int64_t slot_count;
} record_index;

typedef struct record_place {
  int64_t place; /* place of the record's header; argument of sequence_input_seek */
  int64_t line;  /* 1-based line of the record's header */
  int64_t name;  /* index of the record's name in `names` */
} record_place;

/* Adds the next record. Fails with CLA_ERROR_MEMORY. */
cla_status record_index_add(record_index *index, int64_t place, int64_t line, const char *name,
                            cla_error *error);

/* Makes the table by which names are found. Call this after the last record has been added. Fails with
 * CLA_ERROR_MEMORY. */
cla_status record_index_finish(record_index *index, cla_error *error);

/* Returns the number, counted from 0, of the first record whose name is the first `length` bytes of `name`;
 * -1 if there is none. *same receives the number of records with this name. */
int64_t record_index_find(const record_index *index, int64_t *same, const char *name, int64_t length);

const char *record_index_name(const record_index *index, int64_t number);

void record_index_free(record_index *index);

#define LISTED_NAMES 5
#define LISTED_NAME_SIZE 48

/* How well a record fits a selection. A record with a better fit replaces the chosen one. */
typedef enum record_fit {
  FIT_NONE,
  FIT_ONLY,   /* no record was named; fits if the file has only one record */
  FIT_NUMBER, /* the selection is '#' and the record's number, perhaps followed by ':' and a range */
  FIT_RANGE,  /* the selection is the record's name, ':' and a range */
  FIT_NAME,   /* the selection is the record's name */
} record_fit;

/* The record of a file that a selection selects. A selection is the text after the colon of a location. */
typedef struct record_choice {
  const char *selection; /* NULL: no selection */
  int64_t prefix;        /* number of letters before the selection's last colon; -1: no colon */
  record_fit fit;        /* fit of the record that has been chosen so far */
  int64_t same;          /* number of records that fit as well as the chosen one */
  char listed[LISTED_NAMES * (LISTED_NAME_SIZE + 4) + 8]; /* names of the first records, for messages */
} record_choice;

void record_choice_begin(record_choice *choice, const char *selection);

/* If the selection is the number of one of the `count` records, returns this number, counted from 0;
 * otherwise -1. */
int64_t record_choice_number(const record_choice *choice, int64_t count);

/* Returns how well record `number`, counted from 1, fits the selection. */
record_fit record_choice_fit(const record_choice *choice, const char *name, int64_t number);

/* Stores the name of record `number` for messages, if it is one of the file's first records. */
void record_choice_list(record_choice *choice, const char *name, int64_t number);

/* Returns CLA_OK if exactly one record is selected, else CLA_ERROR_INPUT with the reason. `records`: number
 * of records in the file; `name` and `marker`: those of the chosen record; `file`: the file's name in
 * messages. */
cla_status record_choice_verdict(const record_choice *choice, int64_t records, const char *name, char marker,
                                 const char *file, cla_error *error);

/* Returns the part of the selection that is a range within the record; NULL if there is none. */
const char *record_choice_range(const record_choice *choice);

#endif
