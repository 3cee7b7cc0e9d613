/* cla_sequence_read: which record of a file, and which range of it, a location means.
 *
 * The file is read once and to its end, because it may be a pipe, because a later record may fit the
 * selection better or a second time, and because only the end tells whether the file is whole. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/record_reader.h"
#include "seq/sequence_location.h"
#include "seq/sequence_object.h"
#include "seq/shown_text.h"

#define LISTED_NAMES 5
#define LISTED_NAME_SIZE 48

/* How well a record fits the selection; a better fit replaces a worse one. */
typedef enum selection_fit {
  FIT_NONE,
  FIT_ONLY,  /* no record was named: right if it is the only one */
  FIT_RANGE, /* the selection is its name, ':' and a range */
  FIT_NAME,  /* the selection is its name */
} selection_fit;

typedef struct record_search {
  const char *selection; /* NULL: none */
  int64_t prefix;        /* letters before the selection's last colon, -1 if it has none */
  selection_fit fit;     /* of the record that is held */
  int64_t same;          /* records that fit as well as it does */
  char *name;            /* its name, owned */
  letter_store letters;  /* its letters */
  char listed[LISTED_NAMES * (LISTED_NAME_SIZE + 4) + 8]; /* the first records' names for messages */
} record_search;

static selection_fit search_fit(const record_search *search, const record_reader *reader) {
  const char *selection = search->selection, *name = reader->name;
  if (!selection) return reader->records == 1 ? FIT_ONLY : FIT_NONE;
  if (strcmp(selection, name) == 0) return FIT_NAME;
  if (search->prefix >= 0 && (int64_t)strlen(name) == search->prefix &&
      memcmp(name, selection, (size_t)search->prefix) == 0)
    return FIT_RANGE;
  return reader->records == 1 && sequence_range_form(selection) ? FIT_ONLY : FIT_NONE;
}

static void search_list_name(record_search *search, const record_reader *reader) {
  char shown[LISTED_NAME_SIZE];
  if (reader->records > LISTED_NAMES + 1) return;
  if (reader->records > 1) strcat(search->listed, ", ");
  if (reader->records > LISTED_NAMES)
    strcat(search->listed, "...");
  else
    strcat(search->listed, shown_text(shown, sizeof shown, reader->name));
}

static cla_status search_record(record_search *search, record_reader *reader, cla_error *error) {
  const selection_fit fit = search_fit(search, reader);
  search_list_name(search, reader);
  if (fit != FIT_NONE && fit == search->fit) search->same++;
  if (fit <= search->fit) return record_reader_letters(reader, NULL, error);
  search->fit = fit;
  search->same = 1;
  free(search->name);
  letter_store_clear(&search->letters);
  cla_status status = allocate_text(&search->name, reader->name, error);
  return status ? status : record_reader_letters(reader, &search->letters, error);
}

static cla_status search_all(record_search *search, record_reader *reader, cla_error *error) {
  for (;;) {
    bool found;
    cla_status status = record_reader_next(reader, &found, error);
    if (status || !found) return status;
    status = search_record(search, reader, error);
    if (status) return status;
    /* Nothing but names for the message is left to learn. */
    if (!search->selection && reader->records > LISTED_NAMES) return CLA_OK;
  }
}

/* Whether the search ended with one record to take. */
static cla_status search_verdict(const record_search *search, const record_reader *reader, cla_error *error) {
  const char *file = sequence_input_shown(reader->input);
  char selection[SHOWN_NAME_SIZE];
  if (reader->records == 0)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s is empty; give a FASTA or FASTQ file with at least one record", file);
  if (search->fit == FIT_ONLY && reader->records > 1)
    return error_set(error, CLA_ERROR_INPUT, "%s holds several records (%s); choose one as FILE:RECORD%s",
                     file, search->listed, search->selection ? ":FROM-TO" : "");
  if (search->fit == FIT_NONE)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds no record '%s'; it holds %s: choose one as FILE:RECORD or FILE:RECORD:FROM-TO",
                     file, shown_text(selection, sizeof selection, search->selection), search->listed);
  shown_text(selection, sizeof selection, search->name);
  if (search->same > 1)
    return error_set(error, CLA_ERROR_INPUT,
                     "%s holds %lld records named '%s'; rename them, so that the choice is clear", file,
                     (long long)search->same, selection);
  if (!*search->name)
    return error_set(error, CLA_ERROR_INPUT,
                     "the record of %s has no name; write one after the '%c' of its header", file,
                     reader->marker);
  return CLA_OK;
}

static cla_status search_take(cla_sequence **out, record_search *search, const record_reader *reader,
                              const char *location, cla_error *error) {
  char record[SHOWN_LOCATION_SIZE + SHOWN_NAME_SIZE + 32], name[SHOWN_NAME_SIZE];
  int64_t begin = 0, end = 0;
  cla_status status = search_verdict(search, reader, error);
  if (status) return status;
  (void)snprintf(record, sizeof record, "record '%s' of %s", shown_text(name, sizeof name, search->name),
                 sequence_input_shown(reader->input));
  status = letter_store_finish(&search->letters, record, error);
  if (status) return status;
  end = search->letters.length;
  const char *range = NULL;
  if (search->selection && search->fit == FIT_RANGE) range = search->selection + search->prefix + 1;
  if (search->selection && search->fit == FIT_ONLY) range = search->selection;
  if (range) status = sequence_range_parse(&begin, &end, range, end, record, error);
  return status ? status : sequence_create(out, search->name, location, &search->letters, begin, end, error);
}

static cla_status read_location(cla_sequence **out, const char *location, const letter_set *wanted,
                                bool allow_empty, cla_error *error) {
  sequence_location split = {0};
  sequence_input *input = NULL;
  record_reader reader = {0};
  record_search search = {.prefix = -1,
                          .letters = {.skip_blanks = true, .allow_empty = allow_empty, .alphabet = wanted}};
  *out = NULL;
  cla_status status = sequence_location_split(&split, location, error);
  if (status) goto done;
  search.selection = split.selection;
  const char *colon = split.selection ? strrchr(split.selection, ':') : NULL;
  if (colon) search.prefix = colon - split.selection;
  status = sequence_input_open(&input, split.file, error);
  if (status) goto done;
  record_reader_init(&reader, input);
  status = search_all(&search, &reader, error);
  if (!status) status = search_take(out, &search, &reader, location, error);
done:
  free(search.name);
  letter_store_clear(&search.letters);
  record_reader_free(&reader);
  sequence_input_close(input);
  sequence_location_free(&split);
  return status;
}

cla_status cla_sequence_read_with(cla_sequence **out, const char *location,
                                  const cla_sequence_options *options, cla_error *error) {
  letter_set room;
  const letter_set *wanted = NULL;
  *out = NULL;
  cla_status status = CLA_OK;
  if (options->known) status = alphabet_choose(&wanted, &room, options->alphabet, options->own, error);
  return status ? status : read_location(out, location, wanted, options->allow_empty, error);
}

cla_status cla_sequence_read(cla_sequence **out, const char *location, cla_error *error) {
  const cla_sequence_options options = {0};
  return cla_sequence_read_with(out, location, &options, error);
}

cla_status cla_sequence_read_as(cla_sequence **out, const char *location, cla_alphabet kind, const char *own,
                                cla_error *error) {
  const cla_sequence_options options = {.known = true, .alphabet = kind, .own = own};
  return cla_sequence_read_with(out, location, &options, error);
}
