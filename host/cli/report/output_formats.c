/* Chooses the format of each output, by --format or by the name of the file. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/report/outputs.h"
#include "cli/report/report.h"

const char *const output_cigar_words[] = {"=X", "M", NULL}; /* in the order of cla_cigar_letters */

static const char *const *list_names(const char **names, bool many_pairs, bool certified) {
  int count = 0;
  for (int i = 0; i < CLA_FORMAT_COUNT; i++) {
    const cla_format_facts *facts = cla_format_describe((cla_format)i);
    if ((many_pairs || !facts->many_pairs) && (certified || !facts->certified)) names[count++] = facts->name;
  }
  return names;
}

const char *const *output_certified_format_names(void) {
  static const char *names[CLA_FORMAT_COUNT + 1];
  return list_names(names, false, true);
}

const char *const *output_pair_format_names(void) {
  static const char *names[CLA_FORMAT_COUNT + 1];
  return list_names(names, false, false);
}

const char *const *output_many_format_names(void) {
  static const char *names[CLA_FORMAT_COUNT + 1];
  return list_names(names, true, true);
}

static bool is_stdout(const char *path) {
  return strcmp(path, "-") == 0;
}

/* Returns the last output so far; NULL: none. */
static cli_output *last_output(cli_outputs *outputs) {
  return outputs->count > 0 ? &outputs->items[outputs->count - 1] : NULL;
}

static cla_status add_output(cli_outputs *outputs, cli_output output, cla_error *error) {
  if (outputs->count == OUTPUT_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION, "more than %d outputs; leave some out", OUTPUT_LIMIT);
  outputs->items[outputs->count++] = output;
  return CLA_OK;
}

/* A --format applies to the output before it if that output has no --format and its name allows the format.
 * Otherwise it starts a new output. */
cla_status outputs_parse_format(const cli_option *option, const char *value, cla_error *error) {
  cli_outputs *outputs = option->destination;
  cli_output *last = last_output(outputs);
  cli_option with_words = *option;
  const char *names[CLA_FORMAT_COUNT + 1] = {NULL};
  int place = 0;
  with_words.words = list_names(names, true, true);
  cla_status status = cli_find_word(&place, &with_words, value, error);
  if (status != CLA_OK) return status;
  const cla_format format = (cla_format)place;
  if (!last || last->given || !cla_format_fits_path(format, last->path))
    return add_output(outputs, (cli_output){.format = format, .given = true}, error);
  last->format = format;
  last->given = true;
  return CLA_OK;
}

cla_status outputs_parse_output(const cli_option *option, const char *value, cla_error *error) {
  cli_outputs *outputs = option->destination;
  cli_output *last = last_output(outputs);
  if (!last || !last->given || last->path) return add_output(outputs, (cli_output){.path = value}, error);
  last->path = value;
  return CLA_OK;
}

/* Accepts the columns of both tables, because the option that selects the table may come later. */
cla_status outputs_parse_columns(const cli_option *option, const char *value, cla_error *error) {
  cla_error why;
  if (cla_columns_check(CLA_FORMAT_BLAST, value, &why) != CLA_OK &&
      cla_columns_check(CLA_FORMAT_TSV, value, NULL) != CLA_OK)
    return cli_error(error, CLA_ERROR_OPTION, "--%s: %s", option->name, why.message);
  return cli_parse_text(option, value, error);
}

bool outputs_want_expect(const cli_outputs *outputs) {
  bool wanted = false;
  for (int i = 0; i < outputs->count; i++)
    wanted |= outputs->items[i].format == CLA_FORMAT_BLAST || outputs->items[i].format == CLA_FORMAT_BLAST7;
  return wanted;
}

static cla_status conflict(const char *path, const char *by_name, const char *given, cla_error *error) {
  return cli_error(error, CLA_ERROR_OPTION,
                   "--output %s is %s by its name, and --format says %s; leave out --format, or name the "
                   "file otherwise",
                   path, by_name, given);
}

/* Sets the format of a file whose name has no known ending, or the ending of another format. */
static cla_status name_alone(cli_output *output, bool alone, cla_format default_format, cla_error *error) {
  cla_format by_name;
  bool compressed;
  cla_error no_plot;
  if (cla_plot_check(output->path, NULL, NULL, NULL, &no_plot) == CLA_OK)
    return cli_error(error, CLA_ERROR_OPTION, "cannot write %s: a picture is drawn by --plot; give --plot %s",
                     output->path, output->path);
  cla_status status =
      cla_format_of_file(&output->format, &output->compressed, output->path, default_format, error);
  if (status != CLA_OK || alone || cla_format_from_path(&by_name, &compressed, output->path)) return status;
  return cli_error(error, CLA_ERROR_OPTION,
                   "--output %s tells no format by its name; put a --format before it, or an ending such "
                   "as .paf behind it",
                   output->path);
}

/* Sets the format of an output that is a file. */
static cla_status name_format(cli_output *output, bool alone, cla_format default_format, cla_error *error) {
  cla_format by_name;
  const cla_format given = output->format;
  const bool known = cla_format_from_path(&by_name, &output->compressed, output->path);
  const bool fits = output->given && cla_format_fits_path(given, output->path);
  if (output->given && !fits && known)
    return conflict(output->path, cla_format_describe(by_name)->name, cla_format_describe(given)->name,
                    error);
  cla_status status = fits ? CLA_OK : name_alone(output, alone, default_format, error);
  if (status != CLA_OK) return status;
  const cla_format_facts *facts = cla_format_describe(output->format);
  if (output->compressed && facts->binary)
    return cli_error(error, CLA_ERROR_OPTION,
                     "cannot write %s: %s is compressed by itself; leave out the last ending", output->path,
                     facts->name);
  return CLA_OK;
}

cla_status outputs_check_save(const char *path, cla_error *error) {
  cla_format format;
  bool compressed;
  cla_status status = cla_format_of_file(&format, &compressed, path, CLA_FORMAT_CLA, error);
  if (status != CLA_OK || (format == CLA_FORMAT_CLA && !compressed)) return status;
  if (format == CLA_FORMAT_CLA)
    return cli_error(error, CLA_ERROR_OPTION,
                     "cannot write %s: cla is compressed by itself; leave out the last ending", path);
  return cli_error(error, CLA_ERROR_OPTION,
                   "--save writes a .cla, and %s is something else by its name; end it in .cla, or give "
                   "--output %s",
                   path, path);
}

/* Refuses a --format for standard output directly after an --output that has another format, because the user
 * probably meant this --format for that --output. */
static cla_status check_neighbours(const cli_outputs *outputs, int at, cla_error *error) {
  const cli_output *output = &outputs->items[at];
  cla_format by_name = output->format;
  bool compressed = false;
  if (at == 0 || !output->given || output->path || outputs->items[at - 1].given) return CLA_OK;
  const char *path = outputs->items[at - 1].path;
  if (!cla_format_from_path(&by_name, &compressed, path)) return CLA_OK;
  return conflict(path, cla_format_describe(by_name)->name, cla_format_describe(output->format)->name, error);
}

bool outputs_unasked(const cli_outputs *outputs) {
  const bool to_terminal = isatty(STDOUT_FILENO) && !outputs->quiet;
  return outputs->count == 0 && (outputs->plot.count > 0 || outputs->summary_alone || to_terminal);
}

bool outputs_want_qualities(const cli_outputs *outputs) {
  bool wanted = false;
  for (int i = 0; i < outputs->count; i++)
    wanted |= outputs->items[i].format == CLA_FORMAT_SAM || outputs->items[i].format == CLA_FORMAT_BAM;
  return wanted;
}

void outputs_print_hint(const cli_outputs *outputs) {
  if (outputs->count > 0 || outputs->plot.count > 0 || outputs->save) return;
  wrapped_lines(
      stderr,
      "  output   none on a terminal: --format pair prints the alignment, -o FILE.sam, .paf, .vcf.gz "
      "and others keep it\n",
      terminal_columns(STDERR_FILENO, INT_MAX), 11);
}

cla_status outputs_name_formats(cli_outputs *outputs, cla_format default_format, cla_error *error) {
  cla_status status = CLA_OK;
  if (outputs->count == 0 && !outputs_unasked(outputs))
    outputs->items[outputs->count++] = (cli_output){.format = default_format};
  for (int i = 0; i < outputs->count && status == CLA_OK; i++) {
    cli_output *output = &outputs->items[i];
    status = check_neighbours(outputs, i, error);
    if (status != CLA_OK || !output->path) continue;
    if (!is_stdout(output->path))
      status = name_format(output, outputs->count == 1, default_format, error);
    else if (!output->given)
      output->format = default_format;
  }
  for (int i = 0; i < outputs->count; i++)
    if (outputs->items[i].path && is_stdout(outputs->items[i].path)) outputs->items[i].path = NULL;
  return status;
}

/* Returns the length of a name without the endings of a VCF file. */
static int bare_letters(const char *path) {
  static const char *const endings[] = {".gz", ".bgz", ".vcf", NULL};
  size_t length = strlen(path);
  for (int i = 0; endings[i]; i++) {
    const size_t letters = strlen(endings[i]);
    if (length > letters && strncasecmp(path + length - letters, endings[i], letters) == 0) length -= letters;
  }
  return (int)length;
}

cla_status outputs_add_callable(cli_outputs *outputs, cla_error *error) {
  cla_status status = CLA_OK;
  const int given = outputs->count;
  for (int i = 0; i < given && status == CLA_OK; i++) {
    const cli_output *output = &outputs->items[i];
    cli_output bed = {.format = CLA_FORMAT_BED, .given = true};
    if (output->format != CLA_FORMAT_VCF || !output->path) continue;
    if (asprintf(&bed.owned, "%.*s.callable.bed", bare_letters(output->path), output->path) < 0)
      return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a file name; free some memory");
    bed.path = bed.owned;
    status = add_output(outputs, bed, error);
    if (status != CLA_OK) free(bed.owned);
  }
  return status;
}
