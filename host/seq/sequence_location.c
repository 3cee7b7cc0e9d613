#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/record_index.h"
#include "seq/record_reader.h"
#include "seq/sequence_internal.h"

static bool exists(const char *file, int *problem) {
  struct stat facts;
  if (strcmp(file, "-") == 0 || stat(file, &facts) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR) *problem = errno;
  return false;
}

static cla_status report_missing(const char *location, int problem, cla_error *error) {
  char shown[SHOWN_LOCATION_SIZE];
  shown_text(shown, sizeof shown, location);
  if (!*location)
    return error_set(error, CLA_ERROR_INPUT,
                     "the name of a sequence file is empty; give FILE or FILE:RECORD");
  if (problem)
    return error_set(error, CLA_ERROR_INPUT, "cannot read '%s': %s; check the path and its permissions",
                     shown, strerror(problem));
  if (strchr(location, ':'))
    return error_set(
        error, CLA_ERROR_INPUT,
        "cannot read '%s': neither a file of that name nor one named by a part before a colon exists; "
        "check the path",
        shown);
  return error_set(error, CLA_ERROR_INPUT, "cannot read '%s': there is no such file; check the path", shown);
}

cla_status sequence_location_split(sequence_location *out, const char *location, cla_error *error) {
  int problem = 0;
  *out = (sequence_location){0};
  cla_status status = allocate_text(&out->file, location, error);
  if (status || exists(out->file, &problem)) return status;
  for (size_t colon = strlen(location); colon-- > 1;) {
    if (location[colon] != ':') continue;
    out->file[colon] = '\0';
    if (!exists(out->file, &problem)) continue;
    out->selection = location + colon + 1;
    return CLA_OK;
  }
  sequence_location_free(out);
  return report_missing(location, problem, error);
}

void sequence_location_free(sequence_location *location) {
  free(location->file);
  *location = (sequence_location){0};
}

/* cla_sequence_read finds the record that a location selects, and the record's range. The file is read only
 * once, because it may be a pipe. It is always read to its end: a later record may fit the selection
 * equally well or better, and only the end shows whether the file is complete. */

typedef struct record_search {
  record_choice choice;
  char *name;                                /* owned; name of the record held */
  char description[RECORD_DESCRIPTION_SIZE]; /* description of the record held */
  int64_t number;                            /* 1-based number of the record held */
  letter_store letters;                      /* letters of the record held */
  bool range_alone;                          /* keep only the letters of `range` */
  letter_range range;
} record_search;

/* Sets the range to keep, if only a range of this record is needed. An impossible range is reported later,
 * when the number of letters is known. */
static void search_range(record_search *search, const record_reader *reader) {
  cla_error unused;
  int64_t begin, end;
  const char *range = record_choice_range(&search->choice);
  search->letters.range = NULL;
  if (!search->range_alone || reader->marker != '>' || !range ||
      sequence_range_parse(&begin, &end, range, INT64_MAX, "", &unused) != CLA_OK)
    return;
  letter_range_begin(&search->range, begin, end);
  search->letters.range = &search->range;
}

static cla_status search_record(record_search *search, record_reader *reader, cla_error *error) {
  record_choice *choice = &search->choice;
  const record_fit fit = record_choice_fit(choice, reader->name, reader->records);
  record_choice_list(choice, reader->name, reader->records);
  if (fit != FIT_NONE && fit == choice->fit) choice->same++;
  if (fit <= choice->fit) return record_reader_letters(reader, NULL, error);
  choice->fit = fit;
  choice->same = 1;
  search->number = reader->records;
  free(search->name);
  letter_store_clear(&search->letters);
  search_range(search, reader);
  cla_status status = allocate_text(&search->name, reader->name, error);
  memcpy(search->description, reader->description, sizeof search->description);
  return status ? status : record_reader_letters(reader, &search->letters, error);
}

static cla_status search_all(record_search *search, record_reader *reader, cla_error *error) {
  for (;;) {
    bool found;
    cla_status status = record_reader_next(reader, &found, error);
    if (status || !found) return status;
    status = search_record(search, reader, error);
    if (status) return status;
  }
}

static cla_status search_take(cla_sequence **out, record_search *search, const record_reader *reader,
                              const char *location, cla_error *error) {
  char record[SHOWN_LOCATION_SIZE + SHOWN_NAME_SIZE + 32], name[SHOWN_NAME_SIZE];
  int64_t begin = 0, end = 0;
  cla_status status = record_choice_verdict(&search->choice, reader->records, search->name, reader->marker,
                                            sequence_input_shown(reader->input), error);
  if (status) return status;
  (void)snprintf(record, sizeof record, "record '%s' of %s", shown_text(name, sizeof name, search->name),
                 sequence_input_shown(reader->input));
  status = letter_store_finish(&search->letters, record, error);
  if (status) return status;
  end = letter_store_letters(&search->letters);
  const char *range = record_choice_range(&search->choice);
  if (range) status = sequence_range_parse(&begin, &end, range, end, record, error);
  const sequence_label label = {.name = search->name,
                                .location = location,
                                .description = search->description,
                                .begin = begin,
                                .end = end,
                                .number = search->number};
  return status ? status : sequence_create(out, &label, &search->letters, error);
}

static cla_status read_location(cla_sequence **out, const char *location, const letter_set *wanted,
                                const cla_sequence_options *options, cla_error *error) {
  sequence_location split = {0};
  sequence_input *input = NULL;
  record_reader reader = {0};
  record_search search = {.range_alone = options->range_alone,
                          .letters = {.skip_blanks = true,
                                      .allow_empty = options->allow_empty,
                                      .keep_qualities = options->qualities,
                                      .keep_case = options->keep_case,
                                      .alphabet = wanted}};
  *out = NULL;
  cla_status status = sequence_location_split(&split, location, error);
  if (status) goto done;
  record_choice_begin(&search.choice, split.selection);
  status = sequence_input_open(&input, split.file, error);
  if (status) goto done;
  record_reader_init(&reader, input);
  status = search_all(&search, &reader, error);
  if (!status) status = search_take(out, &search, &reader, location, error);
done:
  free(search.name);
  letter_store_clear(&search.letters);
  letter_range_free(&search.range);
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
  return status ? status : read_location(out, location, wanted, options, error);
}

cla_status cla_sequence_read(cla_sequence **out, const char *location, cla_error *error) {
  const cla_sequence_options options = {0};
  return cla_sequence_read_with(out, location, &options, error);
}
