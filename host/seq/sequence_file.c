#include "seq/sequence_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/record_index.h"
#include "seq/record_reader.h"

struct cla_sequence_file {
  char *path;
  sequence_input *input;
  record_reader reader;
  int64_t next;       /* number of the next record */
  bool can_seek;      /* places of records are stored, and the input is seekable */
  bool in_order;      /* cla_sequence_file_next was called first, so the input need not be seekable */
  bool broken;        /* an error prevents further reading */
  record_index index; /* records found so far, if can_seek is set */
  bool indexed;       /* `index` contains all records, and names can be found */
};

cla_status sequence_file_open_input(cla_sequence_file **out, const char *path, sequence_input *input,
                                    int64_t first, cla_error *error) {
  cla_sequence_file *file = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&file, 1, "a sequence file", error);
  if (status) return status;
  status = allocate_text(&file->path, path, error);
  if (status) {
    free(file);
    return status;
  }
  file->input = input;
  file->next = first;
  record_reader_init(&file->reader, input);
  *out = file;
  return CLA_OK;
}

cla_status cla_sequence_file_open(cla_sequence_file **out, const char *path, cla_error *error) {
  sequence_input *input = NULL;
  *out = NULL;
  cla_status status = sequence_input_open(&input, path, error);
  if (status) return status;
  status = sequence_file_open_input(out, path, input, 0, error);
  if (status) sequence_input_close(input);
  return status;
}

void cla_sequence_file_close(cla_sequence_file *file) {
  if (!file) return;
  record_reader_free(&file->reader);
  sequence_input_close(file->input);
  record_index_free(&file->index);
  free(file->path);
  free(file);
}

const char *sequence_file_shown(const cla_sequence_file *file) {
  return sequence_input_shown(file->input);
}

/* Reads the next header, and adds its record to the index unless it is already there. */
static cla_status next_header(cla_sequence_file *file, bool *found, cla_error *error) {
  const int64_t line = file->reader.line;
  int64_t place = 0;
  *found = false;
  if (file->broken) return CLA_OK;
  cla_status status = file->can_seek ? sequence_input_tell(file->input, &place, error) : CLA_OK;
  if (!status) status = record_reader_next(&file->reader, found, error);
  if (!status && *found && file->can_seek && file->next == file->index.count)
    status = record_index_add(&file->index, place, line, file->reader.name, error);
  file->next += *found;
  file->broken = status != CLA_OK;
  return status;
}

/* Reads the letters of the record whose header was read, or skips them. */
static cla_status pass_letters(cla_sequence_file *file, letter_store *letters, cla_error *error) {
  const cla_status status = record_reader_letters(&file->reader, letters, error);
  if (status) file->broken = true;
  return status;
}

static cla_status pass_record(cla_sequence_file *file, bool *found, cla_error *error) {
  const cla_status status = next_header(file, found, error);
  return status || !*found ? status : pass_letters(file, NULL, error);
}

static cla_status take_letters(cla_sequence **out, cla_sequence_file *file, letter_store *letters,
                               cla_error *error) {
  char record[SHOWN_LOCATION_SIZE + SHOWN_NAME_SIZE + 32], shown[SHOWN_NAME_SIZE];
  const bool is_right = letters->alphabet && letters->length > 0 && letters->bad_position == 0;
  const char *name = file->reader.name;
  void *location = NULL;
  if (!*name)
    return error_set(error, CLA_ERROR_INPUT,
                     "record %lld of %s has no name; write one after the '%c' of its header",
                     (long long)file->next, sequence_file_shown(file), file->reader.marker);
  record[0] = '\0';
  if (!is_right) /* the text is made only for an error, to save time */
    (void)snprintf(record, sizeof record, "record '%s' of %s", shown_text(shown, sizeof shown, name),
                   sequence_file_shown(file));
  cla_status status = letter_store_finish(letters, record, error);
  if (status) return status;
  const size_t path = strlen(file->path), size = path + strlen(name) + 2;
  status = allocate_array(&location, (int64_t)size, 1, "a location", error);
  if (status) return status;
  memcpy(location, file->path, path);
  ((char *)location)[path] = ':';
  memcpy((char *)location + path + 1, name, size - path - 1);
  status = sequence_create(out,
                           &(sequence_label){.name = name,
                                             .location = location,
                                             .description = file->reader.description,
                                             .end = letters->length,
                                             .number = file->next},
                           letters, error);
  free(location);
  return status;
}

static cla_status read_next(cla_sequence **out, cla_sequence_file *file, const cla_sequence_options *options,
                            cla_error *error) {
  static const cla_sequence_options none = {0};
  letter_set room;
  letter_store letters = {.skip_blanks = true};
  bool found = false;
  if (!options) options = &none;
  letters.allow_empty = options->allow_empty;
  letters.keep_qualities = options->qualities;
  letters.keep_case = options->keep_case;
  cla_status status = CLA_OK;
  if (options->known)
    status = alphabet_choose(&letters.alphabet, &room, options->alphabet, options->own, error);
  if (!status) status = next_header(file, &found, error);
  if (status || !found) return status;
  status = pass_letters(file, &letters, error);
  if (!status) status = take_letters(out, file, &letters, error);
  letter_store_clear(&letters);
  return status;
}

cla_status cla_sequence_file_next(cla_sequence **out, cla_sequence_file *file,
                                  const cla_sequence_options *options, cla_error *error) {
  *out = NULL;
  file->in_order = true;
  return read_next(out, file, options, error);
}

/* Makes the input seekable and starts to store the places of records. Fails with CLA_ERROR_INPUT if records
 * have already been read in order. */
static cla_status begin_seeking(cla_sequence_file *file, cla_error *error) {
  if (file->can_seek) return CLA_OK;
  if (file->in_order)
    return error_set(error, CLA_ERROR_INPUT,
                     "records of %s were read in their order, and now one by its number; read all by numbers",
                     sequence_file_shown(file));
  cla_status status = sequence_input_keep(file->input, error);
  file->can_seek = status == CLA_OK;
  return status;
}

static cla_status go_to(cla_sequence_file *file, int64_t number, cla_error *error) {
  if (number == file->next && !file->broken) return CLA_OK;
  const record_place *place = &file->index.places[number];
  cla_status status = sequence_input_seek(file->input, place->place, error);
  file->next = number;
  file->reader.records = number;
  file->reader.line = place->line;
  file->broken = status != CLA_OK;
  return status;
}

cla_status cla_sequence_file_read(cla_sequence **out, cla_sequence_file *file, int64_t number,
                                  const cla_sequence_options *options, cla_error *error) {
  *out = NULL;
  cla_status status = begin_seeking(file, error);
  if (status) return status;
  if (number < file->index.count) {
    status = go_to(file, number, error);
    return status ? status : read_next(out, file, options, error);
  }
  const int64_t last = file->index.count - 1;
  if (last >= 0 && (file->next < last || file->broken)) status = go_to(file, last, error);
  for (bool found = true; !status && found && file->next < number;) status = pass_record(file, &found, error);
  return status || file->next < number ? status : read_next(out, file, options, error);
}

/* Skips all records that have not been read, so that the index contains them. */
static cla_status find_all(cla_sequence_file *file, cla_error *error) {
  cla_status status = begin_seeking(file, error);
  if (!status && file->index.count > 0) status = go_to(file, file->index.count - 1, error);
  for (bool found = true; !status && found;) status = pass_record(file, &found, error);
  return status;
}

cla_status cla_sequence_file_count(int64_t *count, cla_sequence_file *file, cla_error *error) {
  cla_status status = find_all(file, error);
  *count = file->index.count;
  return status;
}

static cla_status index_names(cla_sequence_file *file, cla_error *error) {
  if (file->indexed) return CLA_OK;
  cla_status status = find_all(file, error);
  if (!status) status = record_index_finish(&file->index, error);
  file->indexed = status == CLA_OK;
  return status;
}

cla_status sequence_file_choose(int64_t *number, record_choice *choice, cla_sequence_file *file,
                                cla_error *error) {
  const record_index *index = &file->index;
  const char *selection = choice->selection;
  cla_status status = index_names(file, error);
  if (status) return status;
  *number = -1;
  if (selection) *number = record_index_find(index, &choice->same, selection, (int64_t)strlen(selection));
  if (*number < 0 && choice->prefix >= 0)
    *number = record_index_find(index, &choice->same, selection, choice->prefix);
  if (*number < 0 && index->count > 0) {
    *number = record_choice_number(choice, index->count);
    if (*number < 0) *number = 0;
    choice->same = 1;
  }
  const char *name = *number < 0 ? "" : record_index_name(index, *number);
  if (*number >= 0) choice->fit = record_choice_fit(choice, name, *number + 1);
  for (int64_t i = 0; i < index->count && i <= LISTED_NAMES; i++)
    record_choice_list(choice, record_index_name(index, i), i + 1);
  return record_choice_verdict(choice, index->count, name, file->reader.marker, sequence_file_shown(file),
                               error);
}
