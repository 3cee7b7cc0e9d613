#include "cli/batch/batch_run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

/* Gives standard output a larger buffer than the C library's. A terminal keeps its usual buffer, because it
 * shows each line immediately. Must be called before anything is printed. */
static void buffer_stdout(void) {
  static char buffer[1 << 16];
  if (!isatty(STDOUT_FILENO)) (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

cla_status batch_outputs_open(batch_outputs *out, const cli_outputs *outputs, const char *save,
                              const char *command_line, cla_error *error) {
  bool made = false;
  *out = (batch_outputs){.outputs = outputs, .save = save};
  cla_status status = save ? cli_folder_make(&made, save, "save", error) : CLA_OK;
  for (int i = 0; i < outputs->count && status == CLA_OK; i++) {
    const cli_output *item = &outputs->items[i];
    cla_write_options options = outputs->how;
    options.command = command_line;
    options.compressed = item->compressed;
    out->to_stdout |= !item->path;
    if (!item->path) buffer_stdout();
    status = cla_writer_open(&out->writers[i], item->format, item->path, stdout, &options, error);
  }
  if (status == CLA_OK && outputs->plot.count > 0) status = cla_records_plot_begin(&out->plot, error);
  return status;
}

static cla_status save_pair(const batch_outputs *out, int64_t number, const cla_alignment *const *alignments,
                            size_t count, cla_error *error) {
  char path[PATH_MAX];
  if (!out->save || count == 0) return CLA_OK;
  if (snprintf(path, sizeof path, "%s/%08" PRId64 ".cla", out->save, number) >= (int)sizeof path)
    return cli_error(error, CLA_ERROR_OUTPUT, "the name of the folder %.256s... is too long; give another",
                     out->save);
  return cla_alignment_save(path, alignments, count, error);
}

static cla_status check_stdout(const batch_outputs *out, cla_error *error) {
  if (!out->lost) return CLA_OK;
  return cli_error(error, CLA_ERROR_OUTPUT,
                   "cannot write to standard output: %s; free space or use --output FILE",
                   strerror(out->lost));
}

/* Writes the head of the records and then each output's records. The caller fills in the head. */
static bool make_records(batch_records *records, FILE *stream, const batch_outputs *out,
                         const cla_results *found) {
  static const batch_records empty;
  cla_error ignored; /* batch_outputs_put makes the records again and reports the error */
  bool right = fwrite(&empty, sizeof empty, 1, stream) == 1;
  for (int i = 0; i < out->outputs->count && right; i++) {
    records->of[i].begin = (size_t)ftell(stream) - sizeof empty;
    right = cla_writer_make(&records->of[i].made, out->writers[i], stream, found, &ignored) == CLA_OK;
    records->of[i].end = (size_t)ftell(stream) - sizeof empty;
  }
  return right && !ferror(stream);
}

batch_records *batch_outputs_make(const batch_outputs *out, const cla_results *found) {
  batch_records records = {.bytes = 0};
  char *memory = NULL;
  size_t bytes = 0;
  if (atomic_load(&out->made) >= out->made_most) return NULL;
  FILE *stream = open_memstream(&memory, &bytes);
  if (!stream) return NULL;
  const bool right = make_records(&records, stream, out, found);
  if (fclose(stream) == 0 && right) {
    records.bytes = bytes - sizeof records;
    memcpy(memory, &records, sizeof records);
    return (batch_records *)(void *)memory;
  }
  free(memory);
  return NULL;
}

bool batch_records_complete(const batch_outputs *out, const batch_records *records) {
  bool all = records != NULL;
  for (int i = 0; all && i < out->outputs->count; i++) all = records->of[i].made;
  return all;
}

void batch_outputs_made(batch_outputs *out, size_t *counted, const batch_records *records) {
  const size_t bytes = records ? records->bytes : 0;
  atomic_fetch_add(&out->made, (long long)bytes - (long long)*counted);
  *counted = bytes;
}

cla_status batch_outputs_keep(batch_outputs *out, int64_t number, const cla_results *found,
                              cla_error *error) {
  cla_status status = save_pair(out, number, found->alignments, found->count, error);
  if (status != CLA_OK || !out->plot) return status;
  return cla_records_plot_add(out->plot, found->alignments, found->count, found->query, found->target, error);
}

cla_status batch_outputs_put(batch_outputs *out, int64_t number, const batch_records *records,
                             const cla_results *found, cla_error *error) {
  cla_status status = check_stdout(out, error);
  if (status == CLA_OK) status = batch_outputs_keep(out, number, found, error);
  if (status != CLA_OK) return status;
  for (int i = 0; i < out->outputs->count; i++) {
    cla_error why = {.status = CLA_OK};
    const bool made = records && records->of[i].made;
    const cla_status put = made ? cla_writer_add(out->writers[i], found, records->text + records->of[i].begin,
                                                 records->of[i].end - records->of[i].begin, &why)
                                : cla_writer_put(out->writers[i], found, &why);
    const bool ends_all = put == CLA_ERROR_OUTPUT || put == CLA_ERROR_MEMORY;
    if (put == CLA_OK || (status != CLA_OK && !ends_all)) continue;
    status = put;
    *error = why;
    if (ends_all) break;
  }
  return status;
}

void batch_outputs_flush(batch_outputs *out) {
  errno = 0;
  if (out->to_stdout && !out->lost && fflush(stdout) != 0) out->lost = errno ? errno : EIO;
}

void batch_outputs_discard(batch_outputs *out) {
  for (int i = 0; i < OUTPUT_LIMIT; i++) {
    cla_writer_discard(out->writers[i]);
    out->writers[i] = NULL;
  }
  cla_records_plot_free(out->plot);
  out->plot = NULL;
}

static cla_status write_plots(const batch_outputs *out, cla_error *error) {
  const cli_plot *plot = &out->outputs->plot;
  cla_status status = CLA_OK;
  const bool any = out->plot && cla_records_plot_alignments(out->plot) > 0;
  if (!any) cli_plot_warn_empty(plot);
  for (int i = 0; i < plot->count && any && status == CLA_OK; i++)
    status = cla_records_plot_write(plot->paths[i], out->plot, &plot->options, error);
  return status;
}

cla_status batch_outputs_finish(batch_outputs *out, cla_error *error) {
  cla_status status = check_stdout(out, error);
  if (status == CLA_OK) status = write_plots(out, error);
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < out->outputs->count && status == CLA_OK; i++) {
      const bool is_file = out->outputs->items[i].path != NULL;
      if (is_file != (turn == 0)) continue;
      status = cla_writer_finish(out->writers[i], error);
      out->writers[i] = NULL;
    }
  batch_outputs_discard(out);
  if (out->to_stdout && status == CLA_ERROR_OUTPUT) cli_end_if_reader_gone();
  return status == CLA_OK && out->to_stdout ? cli_flush_stdout(error) : status;
}
