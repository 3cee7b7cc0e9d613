#include "cli/report/compare_outputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clalign/compare_write.h"
#include "cli/batch/batch_run.h"
#include "cli/report/report.h"

/* Files of --folder that are whole texts of the comparison. */
static const struct {
  const char *name;
  cla_comparison_text what;
} texts[] = {
    {"summary.txt", CLA_COMPARISON_SUMMARY},
    {"compare.json", CLA_COMPARISON_JSON},
    {"blocks.tsv", CLA_COMPARISON_BLOCKS},
    {"events.tsv", CLA_COMPARISON_EVENTS},
    {"unaligned.query.bed", CLA_COMPARISON_UNALIGNED_QUERY},
    {"unaligned.target.bed", CLA_COMPARISON_UNALIGNED_TARGET},
};
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const char *const folder_outputs[] = {"alignments.paf", "variants.vcf.gz", "target-to-query.chain"};
static const char *const folder_plots[] = {"figure.png", "figure.svg", "page.html"};

/* Joins a folder and a name. The caller frees *out. */
static cla_status path_in(char **out, const char *folder, const char *name, cla_error *error) {
  if (asprintf(out, "%s/%s", folder, name) >= 0) return CLA_OK;
  *out = NULL;
  return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a file name; free some memory");
}

/* Makes the folder and adds its outputs and plots. Their paths are never freed. */
static cla_status add_folder(compare_outputs *out, cla_error *error) {
  cli_outputs *outputs = &out->outputs;
  cla_status status = cli_folder_make(&out->made_folder, out->folder, "folder", error);
  for (size_t i = 0; i < 3 && status == CLA_OK; i++) {
    if (outputs->count == OUTPUT_LIMIT || outputs->plot.count == OUTPUT_LIMIT)
      return cli_error(error, CLA_ERROR_OPTION, "too many outputs beside those of --folder; leave some out");
    cli_output item = {.path = NULL};
    char *plot = NULL;
    status = path_in(&item.owned, out->folder, folder_outputs[i], error);
    if (status == CLA_OK) status = path_in(&plot, out->folder, folder_plots[i], error);
    if (status != CLA_OK) return status;
    item.path = item.owned;
    outputs->items[outputs->count++] = item;
    outputs->plot.paths[outputs->plot.count++] = plot;
  }
  return status;
}

void compare_outputs_abandon(const compare_outputs *out) {
  if (out->made_folder) (void)rmdir(out->folder); /* fails, as wanted, if the folder contains a file */
}

/* Returns the VCF file that --prove reads; NULL: none. */
static const char *vcf_path(const compare_outputs *out) {
  if (out->proven) return out->proven;
  for (int i = 0; i < out->outputs.count; i++)
    if (out->outputs.items[i].format == CLA_FORMAT_VCF && out->outputs.items[i].path)
      return out->outputs.items[i].path;
  return NULL;
}

/* Checks the file of --tracks before the genomes are compared. What is no regular file is read only once, for
 * the pictures. */
static cla_status check_tracks(const compare_outputs *out, cla_error *error) {
  struct stat facts;
  if (!out->tracks) return CLA_OK;
  if (access(out->tracks, R_OK) != 0 || stat(out->tracks, &facts) != 0)
    return cli_error(error, CLA_ERROR_INPUT, "cannot read %.1024s: %s; give --tracks a file of BED or GFF",
                     out->tracks, strerror(errno));
  if (out->outputs.plot.count == 0)
    return cli_error(error, CLA_ERROR_OPTION,
                     "--tracks adds features to a picture; give --folder or --plot, too");
  return S_ISREG(facts.st_mode) ? feature_tracks_add(NULL, out->tracks, error) : CLA_OK;
}

cla_status compare_outputs_prepare(compare_outputs *out, const char *const *inputs, int input_count,
                                   cla_error *error) {
  cla_status status = CLA_OK;
  out->outputs.callable = true;
  out->outputs.summary_alone = true;
  out->outputs.quiet = out->quiet;
  out->prove |= out->proven != NULL;
  if (out->folder) status = add_folder(out, error);
  if (status == CLA_OK) status = outputs_prepare(&out->outputs, CLA_FORMAT_PAF, inputs, input_count, error);
  if (status == CLA_OK) status = check_tracks(out, error);
  if (status == CLA_OK && out->prove && !vcf_path(out))
    return cli_error(error, CLA_ERROR_OPTION,
                     "--prove reads a written VCF again; give --folder DIR or --output FILE.vcf.gz");
  return status;
}

/* True if the output is one text about the whole comparison. *what: which text. */
static bool is_of_comparison(cla_comparison_text *what, const cli_output *item) {
  *what = item->format == CLA_FORMAT_VCF ? CLA_COMPARISON_VCF : CLA_COMPARISON_CALLABLE;
  return item->format == CLA_FORMAT_VCF || item->format == CLA_FORMAT_BED;
}

/* Writes the outputs that consist of the blocks' alignments, one after another. */
static cla_status write_alignments(const compare_outputs *out, const cla_comparison *found,
                                   const char *command_line, cla_error *error) {
  cli_outputs rest = out->outputs;
  cla_comparison_text what;
  batch_outputs writers;
  rest.count = rest.plot.count = 0;
  for (int i = 0; i < out->outputs.count; i++)
    if (!is_of_comparison(&what, &out->outputs.items[i])) rest.items[rest.count++] = out->outputs.items[i];
  cla_status status = batch_outputs_open(&writers, &rest, NULL, command_line, error);
  for (size_t i = 0; i < found->block_count && status == CLA_OK; i++) {
    const cla_block *block = &found->blocks[i];
    if (block->piece_count == 0 || (block->role != CLA_BLOCK_PRIMARY && !out->copies)) continue;
    const cla_results results = {.alignments = (const cla_alignment *const *)block->pieces,
                                 .count = block->piece_count,
                                 .query = found->query.records[block->query],
                                 .target = found->target.records[block->target],
                                 .certificates = (const cla_certificate *const *)block->certificates};
    status = batch_outputs_put(&writers, (int64_t)i + 1, NULL, &results, error);
  }
  if (status == CLA_OK) status = batch_outputs_finish(&writers, error);
  batch_outputs_discard(&writers);
  return status;
}

/* True if one of the plots is an HTML page, which can show letters. */
static bool has_page(const cli_plot *plots) {
  bool found = false;
  for (int i = 0; i < plots->count; i++) {
    const char *ending = strrchr(plots->paths[i], '.');
    found = found || (ending && strcasecmp(ending, ".html") == 0);
  }
  return found;
}

/* Adds all records, so that the plot knows those without an alignment. */
static cla_status add_records(cla_records_plot *plot, const cla_comparison *found, cla_error *error) {
  const cla_genome *query = &found->query, *target = &found->target;
  cla_status status = CLA_OK;
  for (size_t i = 0; i < query->count && status == CLA_OK; i++)
    status = cla_records_plot_add(plot, NULL, 0, query->records[i], target->records[0], error);
  for (size_t i = 0; i < target->count && status == CLA_OK; i++)
    status = cla_records_plot_add(plot, NULL, 0, query->records[0], target->records[i], error);
  return status;
}

/* Adds all alignments to the plot, each in the colour of its event. */
static cla_status fill_plot(cla_records_plot *plot, const cla_comparison *found, const cla_events *events,
                            cla_error *error) {
  static const cla_plot_kind kinds[] = {CLA_PLOT_SYNTENIC, CLA_PLOT_INVERTED, CLA_PLOT_RELOCATED,
                                        CLA_PLOT_TRANSLOCATED, CLA_PLOT_COPY};
  cla_status status = add_records(plot, found, error);
  for (size_t b = 0; b < found->block_count; b++) {
    const cla_block *block = &found->blocks[b];
    const cla_piece_role *roles = events->piece_roles + events->first_pieces[b];
    for (size_t p = 0; p < block->piece_count && status == CLA_OK; p++)
      status =
          cla_records_plot_add_as(plot, block->pieces[p], kinds[roles[p]], found->query.records[block->query],
                                  found->target.records[block->target], error);
  }
  return status;
}

static cla_status write_plots(const compare_outputs *out, const cla_comparison *found,
                              const cla_events *events, cla_error *error) {
  const cli_plot *plots = &out->outputs.plot;
  cla_records_plot *plot = NULL;
  if (plots->count == 0) return CLA_OK;
  cla_status status = cla_records_plot_begin(&plot, error);
  if (status == CLA_OK && has_page(plots)) cla_records_plot_keep_letters(plot);
  if (status == CLA_OK) status = fill_plot(plot, found, events, error);
  if (status == CLA_OK && out->tracks) status = feature_tracks_add(plot, out->tracks, error);
  const bool none = status == CLA_OK && cla_records_plot_alignments(plot) == 0;
  if (none) cli_plot_warn_empty(plots);
  for (int i = 0; i < plots->count && status == CLA_OK && !none; i++)
    status = cla_records_plot_write(plots->paths[i], plot, &plots->options, error);
  cla_records_plot_free(plot);
  return status;
}

static cla_status write_wholes(const compare_outputs *out, const cla_comparison *found,
                               const cla_events *events, const char *command_line, cla_error *error) {
  cla_status status = CLA_OK;
  for (int i = 0; i < out->outputs.count && status == CLA_OK; i++) {
    const cli_output *item = &out->outputs.items[i];
    cla_write_options how = out->outputs.how;
    cla_comparison_text what;
    if (!is_of_comparison(&what, item)) continue;
    how.command = command_line;
    how.compressed = item->compressed;
    status = item->path ? cla_comparison_write_file(item->path, what, found, events, &how, error)
                        : cla_comparison_write(stdout, what, found, events, &how, error);
  }
  return status;
}

static cla_status write_texts(const compare_outputs *out, const cla_comparison *found,
                              const cla_events *events, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t i = 0; out->folder && i < TEXT_COUNT && status == CLA_OK; i++) {
    char *path = NULL;
    status = path_in(&path, out->folder, texts[i].name, error);
    if (status == CLA_OK) status = cla_comparison_write_file(path, texts[i].what, found, events, NULL, error);
    free(path);
  }
  return status;
}

/* Returns where to print the summary: standard output, unless a result is written there. NULL: nowhere. */
static FILE *summary_stream(const compare_outputs *out) {
  for (int i = 0; i < out->outputs.count; i++)
    if (!out->outputs.items[i].path) return out->quiet ? NULL : stderr;
  const bool only = out->outputs.count == 0 && out->outputs.plot.count == 0 && !out->folder;
  return out->quiet && !only ? NULL : stdout;
}

/* Writes the BED of the parts that are not proven, in the folder or beside the VCF. */
static cla_status write_unproven(const compare_outputs *out, const cla_proof *proof,
                                 const cla_comparison *found, cla_error *error) {
  const char *vcf = vcf_path(out), *slash = strrchr(vcf, '/'), *ending = strstr(slash ? slash : vcf, ".vcf");
  char *path = NULL;
  cla_status status = CLA_OK;
  if (out->folder)
    status = path_in(&path, out->folder, "unproven.bed", error);
  else if (asprintf(&path, "%.*s.unproven.bed", (int)(ending ? ending - vcf : (ptrdiff_t)strlen(vcf)), vcf) <
           0)
    return cli_error(error, CLA_ERROR_MEMORY, "out of memory for a file name; free some memory");
  if (status == CLA_OK) status = cla_proof_write_file(path, proof, found, error);
  free(path);
  return status;
}

static void print_proof(FILE *file, const cla_proof *proof) {
  if (!file) return;
  fprintf(file,
          "proven: %" PRId64 " of %" PRId64
          " letters of the query rebuilt from the target and the VCF; %zu of %zu "
          "blocks equal\n",
          proof->proven, proof->letters, proof->blocks - proof->different, proof->blocks);
}

static cla_status prove(const compare_outputs *out, const cla_comparison *found, FILE *summary,
                        cla_error *error) {
  cla_proof proof;
  cla_status status = cla_comparison_prove(&proof, found, vcf_path(out), error);
  if (status != CLA_OK) return status;
  status = write_unproven(out, &proof, found, error);
  print_proof(summary, &proof);
  if (status == CLA_OK && proof.different > 0)
    status =
        cli_error(error, CLA_ERROR_VERIFICATION,
                  "%zu of %zu blocks cannot be rebuilt from the target and %.512s: %s; do not use this VCF, "
                  "and please report it with the two files",
                  proof.different, proof.blocks, vcf_path(out), proof.first);
  cla_proof_free(&proof);
  return status;
}

cla_status compare_outputs_write(const compare_outputs *out, const cla_comparison *found,
                                 const char *command_line, cla_error *error) {
  cla_events events;
  FILE *summary = summary_stream(out);
  cla_status status = cla_events_find(&events, found, out->least, error);
  if (status != CLA_OK) return status;
  status = write_wholes(out, found, &events, command_line, error);
  if (status == CLA_OK) status = write_texts(out, found, &events, error);
  if (status == CLA_OK) status = write_alignments(out, found, command_line, error);
  if (status == CLA_OK) status = write_plots(out, found, &events, error);
  if (status == CLA_OK && summary)
    status = cla_comparison_write(summary, CLA_COMPARISON_SUMMARY, found, &events, NULL, error);
  if (status == CLA_OK && out->prove) status = prove(out, found, summary, error);
  if (status == CLA_OK) status = cli_flush_stdout(error);
  cla_events_free(&events);
  return status;
}
