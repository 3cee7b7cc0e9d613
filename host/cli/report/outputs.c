#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report/outputs.h"
#include "cli/report/report.h"

cla_status cli_parse_plot(const cli_option *option, const char *value, cla_error *error) {
  cli_plot *plot = option->destination;
  if (plot->count == OUTPUT_LIMIT)
    return cli_error(error, CLA_ERROR_OPTION, "more than %d files of --plot; leave some out", OUTPUT_LIMIT);
  plot->paths[plot->count++] = value;
  return CLA_OK;
}

cla_status cli_parse_plot_region(const cli_option *option, const char *value, cla_error *error) {
  cla_plot_options *options = option->destination;
  cli_region region;
  cli_option alone = *option;
  alone.destination = &region;
  cla_status status = cli_parse_region(&alone, value, error);
  if (status != CLA_OK) return status;
  const bool of_query = region.side == CLA_SIDE_QUERY;
  cla_plot_range *range = of_query ? &options->query : &options->target;
  if (region.end < 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s %s has no end; give FROM-TO", option->name, value);
  if (range->to > 0)
    return cli_error(error, CLA_ERROR_OPTION, "--%s is given twice for the %s; leave one out", option->name,
                     of_query ? "query" : "target");
  *range = (cla_plot_range){.from = region.begin, .to = region.end};
  return CLA_OK;
}

/* Returns the name of a --plot-... option that was given; NULL: none. */
static const char *option_of_plot(const cla_plot_options *options) {
  if (options->query.to > 0 || options->target.to > 0) return "region";
  if (options->title) return "title";
  if (options->size > 0) return "size";
  if (options->dpi > 0) return "dpi";
  return options->work ? "work" : options->dark ? "dark" : NULL;
}

/* Checks the plot's options and files before the alignment, which may take hours. `query` and `target` may be
 * NULL, as in cla_plot_check. */
static cla_status check_plot(const cli_plot *plot, const cla_sequence *query, const cla_sequence *target,
                             cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < plot->count && status == CLA_OK; i++)
    status = cla_plot_check(plot->paths[i], &plot->options, query, target, error);
  const char *given = plot->count == 0 ? option_of_plot(&plot->options) : NULL;
  if (!given) return status;
  return cli_error(error, CLA_ERROR_OPTION, "--plot-%s is about what --plot draws; give both", given);
}

void cli_plot_warn_empty(const cli_plot *plot) {
  char text[PATH_MAX + 64];
  for (int i = 0; i < plot->count; i++) {
    snprintf(text, sizeof text, "there is no alignment to plot: %s is not written", plot->paths[i]);
    cli_warn(text);
  }
}

/* Returns the length of a path's folder including the last slash; 0: no folder. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Copies a path's folder, or "." if it has none. Returns false if it is too long. */
static bool copy_folder(char *folder, const char *path) {
  size_t length = folder_length(path);
  if (length >= PATH_MAX) return false;
  memcpy(folder, path, length);
  if (length == 0) folder[length++] = '.';
  folder[length] = '\0';
  return true;
}

static bool same_inode(const char *a, const char *b) {
  struct stat a_status, b_status;
  return stat(a, &a_status) == 0 && stat(b, &b_status) == 0 && a_status.st_dev == b_status.st_dev &&
         a_status.st_ino == b_status.st_ino;
}

bool output_same_file(const char *a, const char *b) {
  struct stat status;
  char a_folder[PATH_MAX], b_folder[PATH_MAX];
  if (strcmp(a, b) == 0) return true;
  if (stat(a, &status) == 0) return S_ISREG(status.st_mode) && same_inode(a, b);
  return strcmp(a + folder_length(a), b + folder_length(b)) == 0 && copy_folder(a_folder, a) &&
         copy_folder(b_folder, b) && same_inode(a_folder, b_folder);
}

/* True if `file` is the output `path`. `facts` is the output's file status, if the file exists. */
static bool is_output(const char *path, const struct stat *facts, const char *file) {
  struct stat other;
  if (!facts) return output_same_file(path, file);
  if (strcmp(path, file) == 0) return true;
  return S_ISREG(facts->st_mode) && stat(file, &other) == 0 && other.st_dev == facts->st_dev &&
         other.st_ino == facts->st_ino;
}

/* True if `path` is the file in a location such as FILE, FILE:RECORD or FILE:RECORD:FROM-TO. */
static bool is_input(const char *path, const char *location) {
  struct stat facts;
  char file[PATH_MAX];
  if (strlen(location) >= sizeof file) return false;
  const struct stat *known = stat(path, &facts) == 0 ? &facts : NULL;
  strcpy(file, location);
  for (;;) {
    if (is_output(path, known, file)) return true;
    char *colon = strrchr(file, ':');
    if (!colon) return false;
    *colon = '\0';
  }
}

static cla_status cannot_write(const char *path, const char *reason, const char *remedy, cla_error *error) {
  return cli_error(error, CLA_ERROR_OUTPUT, "cannot write %s: %s; %s", path, reason, remedy);
}

cla_status output_path_check(const char *path, cla_error *error) {
  struct stat status;
  bool exists = stat(path, &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return cannot_write(path, "it is a directory", "give the name of a file", error);
  if (exists && !S_ISREG(status.st_mode)) {
    if (access(path, W_OK) == 0) return CLA_OK;
    return cannot_write(path, strerror(errno), "choose another file", error);
  }
  char folder[PATH_MAX];
  if (!copy_folder(folder, path))
    return cannot_write(path, "the name is too long", "choose a shorter one", error);
  if (!path[folder_length(path)])
    return cannot_write(path, "it names no file", "give the name of a file", error);
  if (stat(folder, &status) != 0)
    return cannot_write(path, strerror(errno), "create the folder first or choose another", error);
  if (access(folder, W_OK | X_OK) != 0)
    return cannot_write(path, strerror(errno), "choose a folder that you may write", error);
  return CLA_OK;
}

#define PATHS_LIMIT (2 * OUTPUT_LIMIT + 3 + PLANE_FILES_MOST)

/* Lists the paths of all outputs, at most PATHS_LIMIT; "" is standard output. */
static void list_paths(const char **paths, int *count, const cli_outputs *outputs) {
  *count = 0;
  for (int i = 0; i < outputs->count; i++)
    paths[(*count)++] = outputs->items[i].path ? outputs->items[i].path : "";
  if (outputs->save) paths[(*count)++] = outputs->save;
  if (outputs->graph && outputs->graph[0]) paths[(*count)++] = outputs->graph;
  for (int i = 0; i < outputs->plane_count; i++) paths[(*count)++] = outputs->planes[i];
  if (outputs->rotated) paths[(*count)++] = outputs->rotated;
  for (int i = 0; i < outputs->plot.count; i++) paths[(*count)++] = outputs->plot.paths[i];
}

bool outputs_replace_files(const cli_outputs *outputs) {
  const char *paths[PATHS_LIMIT];
  struct stat status;
  int count = 0;
  bool any = false;
  list_paths(paths, &count, outputs);
  for (int i = 0; i < count; i++)
    any = any || (paths[i][0] && stat(paths[i], &status) == 0 && S_ISREG(status.st_mode));
  return any;
}

cla_status outputs_check_input(const cli_outputs *outputs, const char *location, cla_error *error) {
  const char *paths[PATHS_LIMIT];
  int count = 0;
  list_paths(paths, &count, outputs);
  for (int i = 0; i < count; i++)
    if (paths[i][0] && is_input(paths[i], location))
      return cli_error(error, CLA_ERROR_OPTION, "output %s would replace the input %s; choose another file",
                       paths[i], location);
  return CLA_OK;
}

cla_status outputs_check_files(const cli_outputs *outputs, const char *matrix, const char *run_dir,
                               cla_error *error) {
  const char *paths[PATHS_LIMIT];
  char folder[PATH_MAX];
  int count = 0;
  list_paths(paths, &count, outputs);
  for (int i = 0; run_dir && i < count; i++)
    if (paths[i][0] && copy_folder(folder, paths[i]) && same_inode(folder, run_dir))
      return cli_error(error, CLA_ERROR_OPTION,
                       "output %s would be among the files of the run directory %s; choose another folder",
                       paths[i], run_dir);
  const bool is_file = matrix && access(matrix, F_OK) == 0; /* else a built-in matrix */
  return is_file ? outputs_check_input(outputs, matrix, error) : CLA_OK;
}

static cla_status check_paths(const cli_outputs *outputs, const char *const *inputs, int input_count,
                              cla_error *error) {
  const char *paths[PATHS_LIMIT];
  int count = 0;
  list_paths(paths, &count, outputs);
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i; j++) {
      if (!output_same_file(paths[i], paths[j])) continue;
      if (!paths[i][0])
        return cli_error(error, CLA_ERROR_OPTION,
                         "two formats go to standard output; follow one --format with --output FILE");
      return cli_error(error, CLA_ERROR_OPTION, "%s is the output of two results; give each its own file",
                       paths[i]);
    }
  }
  for (int k = 0; k < input_count; k++) {
    cla_status status = outputs_check_input(outputs, inputs[k], error);
    if (status != CLA_OK) return status;
  }
  for (int i = 0; i < count; i++) {
    cla_status status = paths[i][0] ? output_path_check(paths[i], error) : CLA_OK;
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* Refuses to write binary formats to a terminal. */
static cla_status check_terminal(const cli_outputs *outputs, cla_error *error) {
  for (int i = 0; i < outputs->count; i++) {
    const cla_format_facts *facts = cla_format_describe(outputs->items[i].format);
    if (facts->binary && !outputs->items[i].path && isatty(STDOUT_FILENO))
      return cli_error(error, CLA_ERROR_OPTION,
                       "--format %s is not text for a terminal; follow it with --output FILE", facts->name);
  }
  return CLA_OK;
}

/* Refuses formats that the command cannot write. */
static cla_status check_formats(const cli_outputs *outputs, cla_error *error) {
  bool bed = false;
  for (int i = 0; i < outputs->count; i++) {
    const cla_format_facts *facts = cla_format_describe(outputs->items[i].format);
    bed |= outputs->items[i].format == CLA_FORMAT_BED;
    if (facts->many_pairs && !outputs->tables)
      return cli_error(error, CLA_ERROR_OPTION,
                       "--format %s is a table of all pairs, for 'clalign batch --all-vs-all'; use tsv",
                       facts->name);
    if (facts->certified && !outputs->how.certified)
      return cli_error(
          error, CLA_ERROR_OPTION,
          "--format %s says how certain an alignment is: give --certify, too, to 'clalign align', "
          "'batch', 'compare' or 'show'",
          facts->name);
  }
  if (outputs->how.mask_below == 0 || bed) return CLA_OK;
  return cli_error(error, CLA_ERROR_OPTION,
                   "--mask-below leaves letters out of a BED; give --format bed, or leave it out");
}

cla_status outputs_prepare(cli_outputs *outputs, cla_format default_format, const char *const *inputs,
                           int input_count, cla_error *error) {
  cla_status status = outputs_name_formats(outputs, default_format, error);
  if (status == CLA_OK && outputs->callable) status = outputs_add_callable(outputs, error);
  if (status != CLA_OK) return status;
  status = check_formats(outputs, error);
  if (status != CLA_OK) return status;
  if (outputs->save && strcmp(outputs->save, "-") == 0)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--save needs the name of a file; a .cla is not text for a terminal");
  if (outputs->save_work && !outputs->save)
    return cli_error(error, CLA_ERROR_OPTION, "--save-work adds to the file of --save; give both");
  for (int i = 0; i < outputs->count && outputs->how.columns && status == CLA_OK; i++)
    status = cla_columns_check(outputs->items[i].format, outputs->how.columns, error);
  if (status == CLA_OK && outputs->save) status = outputs_check_save(outputs->save, error);
  if (status == CLA_OK) status = check_terminal(outputs, error);
  if (status == CLA_OK) status = check_plot(&outputs->plot, NULL, NULL, error);
  return status == CLA_OK ? check_paths(outputs, inputs, input_count, error) : status;
}

cla_status outputs_check_score_only(const cli_outputs *outputs, cla_error *error) {
  for (int i = 0; i < outputs->count; i++)
    if (cla_format_describe(outputs->items[i].format)->needs_path)
      return cli_error(
          error, CLA_ERROR_OPTION,
          "only --format json, tsv and cla can hold a score without an alignment; leave out --score-only or "
          "the other formats");
  return CLA_OK;
}

cla_status outputs_check_region(const cli_outputs *outputs, const cla_sequence *query,
                                const cla_sequence *target, cla_error *error) {
  return check_plot(&outputs->plot, query, target, error);
}

cla_status outputs_check_alphabet(const cli_outputs *outputs, cla_alphabet alphabet, cla_error *error) {
  for (int i = 0; i < outputs->count && alphabet != CLA_ALPHABET_DNA; i++) {
    const cla_format_facts *facts = cla_format_describe(outputs->items[i].format);
    if (facts->dna_only)
      return cli_error(
          error, CLA_ERROR_OPTION,
          "--format %s holds nucleotides only, and these sequences are no DNA; use paf, json or pair",
          facts->name);
  }
  return CLA_OK;
}

cla_status outputs_check_letters(const cli_outputs *outputs, const cla_sequence *query,
                                 const cla_sequence *target, cla_error *error) {
  const cla_sequence *const pair[] = {query, target};
  cla_status status = CLA_OK;
  for (int i = 0; i < 2 * outputs->count && status == CLA_OK; i++) {
    const cla_sequence *one = pair[i % 2];
    char what[1024];
    snprintf(what, sizeof what, "record '%.300s' of %.600s", cla_sequence_name(one),
             cla_sequence_location(one));
    status = cla_format_check_letters(outputs->items[i / 2].format, cla_sequence_length(one), what, error);
  }
  return status;
}

/* The errors of several outputs. The first is the command's error, further ones become warnings. */
typedef struct output_errors {
  cla_status first;
  cla_error *error; /* error of the first output that failed */
  cla_error further;
} output_errors;

/* Returns where to store the error of the next output. */
static cla_error *next_error(output_errors *errors) {
  return errors->first == CLA_OK ? errors->error : &errors->further;
}

static void add_status(output_errors *errors, cla_status status) {
  if (status == CLA_OK) return;
  if (errors->first == CLA_OK)
    errors->first = status;
  else if (status != CLA_ERROR_INTERRUPTED) /* an interrupt without a message is no error to print */
    cli_warn(errors->further.message);
}

static bool is_interrupted(output_errors *errors) {
  if (!interrupt_requested()) return false;
  if (errors->first == CLA_OK) errors->first = CLA_ERROR_INTERRUPTED;
  return true;
}

static cla_status write_stdout(cla_format format, const cla_results *found, const cla_write_options *options,
                               output_errors *errors) {
  cla_error *error = next_error(errors);
  interrupt_immediate(); /* nothing is left to clean up, and a pager may block the pipe for hours */
  if (interrupt_requested()) return CLA_ERROR_INTERRUPTED;
  cla_status status = cla_write(stdout, format, found, options, error);
  if (status == CLA_ERROR_OUTPUT && errors->first == CLA_OK) cli_end_if_reader_gone();
  if (status == CLA_OK) status = cli_flush_stdout(error);
  return status;
}

/* Writes the plots. Returns false if a signal came. */
static bool write_plots(const cli_plot *plot, const cla_results *found, output_errors *errors) {
  if (found->count == 0) cli_plot_warn_empty(plot);
  for (int i = 0; i < plot->count && found->count > 0; i++) {
    if (is_interrupted(errors)) return false;
    add_status(errors, cla_plot_write(plot->paths[i], found, &plot->options, next_error(errors)));
  }
  return true;
}

/* Warns and returns true if there is no alignment to write to a binary file, which needs one. An existing
 * file with that name is kept. */
static bool is_unsaved(const char *path, bool needs_one, size_t count) {
  char text[PATH_MAX + 64];
  if (!needs_one || count > 0) return false;
  snprintf(text, sizeof text, "there is no alignment to save: %s is not written",
           path ? path : "the standard output");
  cli_warn(text);
  return true;
}

static cla_status save(const cli_outputs *outputs, const cla_results *found, cla_error *error) {
  if (!outputs->save || is_unsaved(outputs->save, true, found->count)) return CLA_OK;
  return outputs->save_work
             ? cla_alignment_save_with_work(outputs->save, found->alignments, found->count, error)
             : cla_alignment_save(outputs->save, found->alignments, found->count, error);
}

/* Returns the results for a format. Margins along the target are those of the first alignment's columns. */
static cla_results results_of(const cli_outputs *outputs, cla_format format, const cla_results *found) {
  cla_results results = *found;
  const bool along =
      cla_format_describe(format)->certified || (format == CLA_FORMAT_BED && outputs->how.mask_below > 0);
  if (outputs->listed && along && results.count > 1) results.count = 1;
  return results;
}

/* If an output fails, the others are still written, because the work may have taken days. */
cla_status outputs_write(const cli_outputs *outputs, const cla_results *found,
                         const cla_write_options *options, cla_error *error) {
  output_errors errors = {.first = CLA_OK, .error = error};
  if (is_interrupted(&errors)) return errors.first;
  add_status(&errors, save(outputs, found, next_error(&errors)));
  if (!write_plots(&outputs->plot, found, &errors)) return errors.first;
  const cli_output *to_stdout = NULL;
  cla_write_options how = outputs->how;
  how.command = options->command;
  for (int i = 0; i < outputs->count; i++) {
    const cli_output *output = &outputs->items[i];
    if (is_unsaved(output->path, cla_format_describe(output->format)->needs_one, found->count)) continue;
    if (!output->path) {
      to_stdout = output;
      continue;
    }
    if (is_interrupted(&errors)) return errors.first;
    how.compressed = output->compressed;
    const cla_results results = results_of(outputs, output->format, found);
    add_status(&errors, cla_write_file(output->path, output->format, &results, &how, next_error(&errors)));
  }
  how.compressed = false;
  if (to_stdout) {
    const cla_results results = results_of(outputs, to_stdout->format, found);
    add_status(&errors, write_stdout(to_stdout->format, &results, &how, &errors));
  }
  return errors.first;
}
