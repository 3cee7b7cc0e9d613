#include "cli/commands/command.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

static cla_status out_of_memory(cla_error *error) {
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for the arguments; free some memory");
}

/* Converts bytes to text in which each byte is the code point of the same number, because arguments may
 * contain any bytes but JSON contains only UTF-8. */
static json_t *bytes_as_json(const char *bytes) {
  const size_t length = strlen(bytes);
  char *text = malloc(2 * length + 1), *at = text;
  if (!text) return NULL;
  for (size_t i = 0; i < length; i++) {
    const unsigned char byte = (unsigned char)bytes[i];
    if (byte >= 0x80) *at++ = (char)(0xC0 | byte >> 6);
    *at++ = byte >= 0x80 ? (char)(0x80 | (byte & 0x3F)) : bytes[i];
  }
  *at = '\0';
  json_t *value = json_string(text);
  free(text);
  return value;
}

/* The reverse of bytes_as_json. Returns NULL if the value was not made by it, or if memory is short. */
static char *bytes_from_json(const json_t *value) {
  const char *text = json_string_value(value);
  char *bytes = text ? malloc(strlen(text) + 1) : NULL, *at = bytes;
  for (; bytes && *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    const bool pair = byte >= 0x80 && text[1];
    *at++ = pair ? (char)((byte & 3) << 6 | (text[1] & 0x3F)) : *text;
    text += pair;
  }
  if (bytes) *at = '\0';
  return bytes;
}

cla_status run_arguments_text(char **out, const char *name, const char *line, int count, char **arguments,
                              cla_error *error) {
  char folder[PATH_MAX];
  *out = NULL;
  if (!getcwd(folder, sizeof folder))
    return cli_error(error, CLA_ERROR_INPUT, "the working folder is gone; change to one that is there");
  json_t *items = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(items, bytes_as_json(arguments[i]));
  json_t *object = json_pack("{s:o, s:o, s:o}", "folder", bytes_as_json(folder), "line", bytes_as_json(line),
                             "arguments", items);
  if (object && name) json_object_set_new(object, "command", json_string(name));
  if (object) *out = json_dumps(object, JSON_COMPACT);
  json_decref(object);
  return *out ? CLA_OK : out_of_memory(error);
}

cla_status run_arguments_append(run_arguments *into, const char *argument, cla_error *error) {
  char **grown = realloc(into->items, (size_t)(into->count + 1) * sizeof *grown);
  if (!grown) return out_of_memory(error);
  into->items = grown;
  into->items[into->count] = strdup(argument);
  return into->items[into->count++] ? CLA_OK : out_of_memory(error);
}

cla_status run_arguments_read(run_arguments *out, const char *text, cla_error *error) {
  json_t *object = json_loads(text, 0, NULL);
  const json_t *items = json_object_get(object, "arguments");
  memset(out, 0, sizeof *out);
  out->folder = bytes_from_json(json_object_get(object, "folder"));
  out->line = bytes_from_json(json_object_get(object, "line"));
  out->command = bytes_from_json(json_object_get(object, "command"));
  cla_status status = CLA_OK;
  if (!out->folder || !out->line || !json_is_array(items))
    status = cli_error(error, CLA_ERROR_INPUT,
                       "the run was not begun by 'clalign align'; resume it with the program that began it");
  for (size_t i = 0; i < json_array_size(items) && status == CLA_OK; i++) {
    char *argument = bytes_from_json(json_array_get(items, i));
    status = argument ? run_arguments_append(out, argument, error) : out_of_memory(error);
    free(argument);
  }
  json_decref(object);
  return status;
}

void run_arguments_free(run_arguments *arguments) {
  for (int i = 0; i < arguments->count; i++) free(arguments->items[i]);
  free(arguments->items);
  free(arguments->folder);
  free(arguments->line);
  free(arguments->command);
  memset(arguments, 0, sizeof *arguments);
}

static bool is_named(const cli_option *option, const char *const *names) {
  for (; option && *names; names++)
    if (strcmp(option->name, *names) == 0) return true;
  return false;
}

cla_status run_arguments_add(run_arguments *into, const cli_syntax *syntax, const run_arguments *from,
                             bool positionals, const char *const *leave_out, cla_error *error) {
  cla_status status = CLA_OK;
  bool only_positionals = false;
  char **arguments = from->items;
  const int count = from->count;
  for (int i = 0; i < count && status == CLA_OK; i++) {
    const char *argument = arguments[i], *value = NULL;
    const bool is_option = !only_positionals && cli_is_option(argument);
    if (is_option && strcmp(argument, "--") == 0) {
      only_positionals = true;
      continue;
    }
    const cli_option *option = is_option ? cli_option_find(syntax, argument, &value) : NULL;
    const bool has_value = option && option->argument && !option->alone && !value && i + 1 < count;
    const bool wanted = is_option ? !positionals && !is_named(option, leave_out) : positionals;
    if (wanted) status = run_arguments_append(into, arguments[i], error);
    if (has_value) i++;
    if (wanted && has_value && status == CLA_OK) status = run_arguments_append(into, arguments[i], error);
  }
  return status;
}
