#include "runs/run_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "runs/sealed_json.h"
#include "scoring/gap_costs.h"
#include "scoring/score_table.h"

#define FORMAT "clalign run"
#define NAME "manifest.json"

bool run_manifest_exists(const char *folder) {
  return path_exists_in(folder, NAME);
}

/* Converts bytes to a JSON text whose code points have the bytes' values. Names may hold any bytes, but JSON
 * only UTF-8. */
static json_t *bytes_as_json(const char *bytes) {
  char *text = malloc(2 * strlen(bytes) + 1), *at = text;
  if (!text) return NULL;
  for (; *bytes; bytes++) {
    const unsigned char byte = (unsigned char)*bytes;
    if (byte >= 0x80) *at++ = (char)(0xC0 | byte >> 6);
    *at++ = byte >= 0x80 ? (char)(0x80 | (byte & 0x3F)) : *bytes;
  }
  *at = '\0';
  json_t *value = json_string(text);
  free(text);
  return value;
}

static cla_status bytes_from_json(char **out, const json_t *value, cla_error *error) {
  const char *text = json_string_value(value);
  if (!text) return error_set(error, CLA_ERROR_INPUT, "lacks something");
  cla_status status = allocate_text(out, text, error);
  if (status != CLA_OK) return status;
  char *at = *out;
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte >= 0x80 && text[1]) {
      *at++ = (char)((byte & 3) << 6 | (text[1] & 0x3F));
      text++;
    } else {
      *at++ = *text;
    }
  }
  *at = '\0';
  return CLA_OK;
}

static json_t *side_as_json(const cla_side *side) {
  char checksum[33];
  for (size_t i = 0; i < sizeof side->checksum; i++) snprintf(checksum + 2 * i, 3, "%02x", side->checksum[i]);
  return json_pack("{s:o, s:o, s:I, s:I, s:I, s:s}", "location", bytes_as_json(side->location), "name",
                   bytes_as_json(side->name), "length", (json_int_t)side->length, "begin",
                   (json_int_t)side->begin, "end", (json_int_t)side->end, "letters_xxh3_128", checksum);
}

static cla_status side_from_json(cla_side *side, json_t *value, cla_error *error) {
  json_int_t length = 0, begin = 0, end = 0;
  const char *checksum = NULL;
  if (json_unpack(value, "{s:I, s:I, s:I, s:s}", "length", &length, "begin", &begin, "end", &end,
                  "letters_xxh3_128", &checksum) != 0 ||
      strlen(checksum) != 2 * sizeof side->checksum)
    return error_set(error, CLA_ERROR_INPUT, "lacks something");
  side->length = length;
  side->begin = begin;
  side->end = end;
  for (size_t i = 0; i < sizeof side->checksum; i++) {
    const char digits[3] = {checksum[2 * i], checksum[2 * i + 1]};
    side->checksum[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  cla_status status = bytes_from_json(&side->location, json_object_get(value, "location"), error);
  if (status == CLA_OK) status = bytes_from_json(&side->name, json_object_get(value, "name"), error);
  return status;
}

static json_t *scoring_as_json(const cla_scoring *scoring) {
  json_t *matrix = json_array();
  for (int i = 0; i < scoring->matrix_size; i++)
    for (int j = 0; j < scoring->matrix_size; j++)
      json_array_append_new(matrix, json_integer(scoring->matrix[i * CLA_MATRIX_STRIDE + j]));
  json_t *object = json_pack("{s:i, s:i, s:s, s:o}", "match", scoring->match, "mismatch", scoring->mismatch,
                             "letters", scoring->matrix_size > 0 ? scoring->letters : "", "matrix", matrix);
  bool failed = false;
  if (object && scoring->ambiguity != CLA_AMBIGUITY_MISMATCH)
    failed = json_object_set_new(object, "ambiguity", json_integer(scoring->ambiguity)) != 0;
  if (object && scoring_units(scoring) > 1)
    failed |= json_object_set_new(object, "units", json_integer(scoring->units)) != 0;
  for (int k = 0; object && k < gap_pieces(scoring); k++)
    failed |= json_object_set_new(object, gap_names[k][0], json_integer(scoring->gap[k].first)) != 0 ||
              json_object_set_new(object, gap_names[k][1], json_integer(scoring->gap[k].ext)) != 0;
  if (!failed) return object;
  json_decref(object);
  return NULL;
}

static cla_status scoring_from_json(cla_scoring *scoring, json_t *value, cla_error *error) {
  const char *letters = NULL;
  json_t *matrix = NULL;
  if (json_unpack(value, "{s:i, s:i, s:i, s:i, s:s, s:o}", "match", &scoring->match, "mismatch",
                  &scoring->mismatch, gap_names[0][0], &scoring->gap[0].first, gap_names[0][1],
                  &scoring->gap[0].ext, "letters", &letters, "matrix", &matrix) != 0 ||
      strlen(letters) > CLA_MATRIX_STRIDE || json_array_size(matrix) != strlen(letters) * strlen(letters))
    return error_set(error, CLA_ERROR_INPUT, "lacks something");
  const size_t size = strlen(letters);
  scoring->matrix_size = (int32_t)size;
  scoring->ambiguity = (cla_ambiguity)json_integer_value(json_object_get(value, "ambiguity"));
  const json_t *units = json_object_get(value, "units");
  scoring->units = units ? (int32_t)json_integer_value(units) : 1;
  for (int k = 1; k < CLA_GAP_PIECES; k++) {
    scoring->gap[k].first = (int32_t)json_integer_value(json_object_get(value, gap_names[k][0]));
    scoring->gap[k].ext = (int32_t)json_integer_value(json_object_get(value, gap_names[k][1]));
  }
  strcpy(scoring->letters, letters);
  for (size_t i = 0; i < size * size; i++)
    scoring->matrix[i / size * CLA_MATRIX_STRIDE + i % size] =
        (int32_t)json_integer_value(json_array_get(matrix, i));
  return CLA_OK;
}

static const char *const strand_names[] = {
    [CLA_STRAND_FORWARD] = "forward", [CLA_STRAND_REVERSE] = "reverse", [CLA_STRAND_BOTH] = "both"};

/* Returns an object with all that defines the result. The order of keys does not matter. Options that later
 * versions added are left out if they have their default value, so that older runs keep their key. */
static json_t *definition_as_json(const cla_run_directory *run) {
  json_t *claim = run->claimed ? json_integer(run->claimed_score) : json_null();
  json_t *object =
      json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "mode", cla_mode_name(run->mode), "score_only",
                run->score_only, "claimed_bound", claim, "scoring", scoring_as_json(&run->scoring), "query",
                side_as_json(&run->query), "target", side_as_json(&run->target));
  if (object && run->strand != CLA_STRAND_FORWARD &&
      json_object_set_new(object, "strand", json_string(strand_names[run->strand])) != 0) {
    json_decref(object);
    return NULL;
  }
  if (object && run->free_ends != 0 &&
      json_object_set_new(object, "free_ends", json_integer(run->free_ends)) != 0) {
    json_decref(object);
    return NULL;
  }
  if (object && run->alphabet != CLA_ALPHABET_DNA &&
      json_object_set_new(object, "alphabet", json_integer(run->alphabet)) != 0) {
    json_decref(object);
    return NULL;
  }
  return object;
}

static cla_status out_of_memory(cla_error *error) {
  return error_set(error, CLA_ERROR_MEMORY, "out of memory for a run directory; free some memory");
}

cla_status run_manifest_key(uint8_t key[16], const cla_run_directory *run, cla_error *error) {
  json_t *definition = definition_as_json(run);
  if (!definition) return out_of_memory(error);
  cla_status status = sealed_json_checksum(key, definition, error);
  json_decref(definition);
  return status;
}

cla_status run_manifest_write(const char *folder, const cla_run_directory *run, cla_error *error) {
  char *path = NULL;
  json_t *object = json_pack("{s:s, s:o, s:o}", "program", run->program, "definition",
                             definition_as_json(run), "text", bytes_as_json(run->text));
  cla_status status = object ? path_join(&path, folder, NAME, error) : out_of_memory(error);
  if (status == CLA_OK) status = sealed_json_write(path, FORMAT, object, error);
  json_decref(object);
  free(path);
  return status;
}

static cla_status run_from_json(cla_run_directory *run, const json_t *object, cla_error *error) {
  const json_t *definition = json_object_get(object, "definition");
  const char *mode = json_string_value(json_object_get(definition, "mode"));
  if (!mode) return error_set(error, CLA_ERROR_INPUT, "lacks something");
  if (!cla_mode_find(&run->mode, mode))
    return error_set(error, CLA_ERROR_INPUT, "has the mode %.64s, which this version does not know", mode);
  run->free_ends = (int)json_integer_value(json_object_get(definition, "free_ends"));
  const char *strand = json_string_value(json_object_get(definition, "strand"));
  for (int i = 0; strand && i < (int)(sizeof strand_names / sizeof *strand_names); i++)
    if (strcmp(strand, strand_names[i]) == 0) run->strand = (cla_strand)i;
  run->alphabet = (cla_alphabet)json_integer_value(json_object_get(definition, "alphabet"));
  run->score_only = json_is_true(json_object_get(definition, "score_only"));
  run->claimed = json_is_integer(json_object_get(definition, "claimed_bound"));
  run->claimed_score = json_integer_value(json_object_get(definition, "claimed_bound"));
  cla_status status = scoring_from_json(&run->scoring, json_object_get(definition, "scoring"), error);
  if (status == CLA_OK) status = side_from_json(&run->query, json_object_get(definition, "query"), error);
  if (status == CLA_OK) status = side_from_json(&run->target, json_object_get(definition, "target"), error);
  if (status == CLA_OK) status = bytes_from_json(&run->program, json_object_get(object, "program"), error);
  if (status == CLA_OK) status = bytes_from_json(&run->text, json_object_get(object, "text"), error);
  return status;
}

cla_status cla_run_directory_read(cla_run_directory **out, const char *folder, cla_error *error) {
  cla_error reason = {.message = ""};
  cla_run_directory *run = NULL;
  char *path = NULL;
  json_t *object = NULL;
  *out = NULL;
  if (!run_manifest_exists(folder))
    return error_set(
        error, CLA_ERROR_INPUT,
        "%.1024s is no run directory: it has no " NAME "; give the folder of an earlier --run-dir", folder);
  cla_status status = path_join(&path, folder, NAME, &reason);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&run, 1, "a run", &reason);
  if (status == CLA_OK) status = sealed_json_read(&object, path, FORMAT, &reason);
  if (status == CLA_OK) status = run_from_json(run, object, &reason);
  if (status != CLA_OK) sealed_json_explain(error, status, path, &reason);
  json_decref(object);
  free(path);
  if (status == CLA_OK)
    *out = run;
  else
    cla_run_directory_free(run);
  return status;
}

void cla_run_directory_free(cla_run_directory *run) {
  if (!run) return;
  free(run->query.name);
  free(run->query.location);
  free(run->target.name);
  free(run->target.location);
  free(run->program);
  free(run->text);
  free(run);
}
