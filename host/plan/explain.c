#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"

#define MIB(bytes) ((double)(bytes) / (1 << 20))

static void explain_scoring(FILE *text, const cla_scoring *scoring, const score_table *table) {
  static const char *const ambiguity[] = {"", ", ambiguous letters neutral",
                                          ", ambiguous letters by expectation"};
  char texts[2][CLA_SCORE_TEXT_SIZE];
  cla_score_text(texts[0], scoring->match, scoring);
  cla_score_text(texts[1], scoring->mismatch, scoring);
  if (scoring->matrix_size > 0)
    fprintf(text, "scores     matrix %s of %d letters", scoring->matrix_name, scoring->matrix_size);
  else
    fprintf(text, "scores     match %s, mismatch %s%s", texts[0], texts[1], ambiguity[scoring->ambiguity]);
  for (int k = 0; k < gap_pieces(scoring); k++) {
    cla_score_text(texts[0], scoring->gap[k].first, scoring);
    cla_score_text(texts[1], scoring->gap[k].ext, scoring);
    fprintf(text, "%s %s + (k - 1) x %s", k == 0 ? ", gap of k letters" : " or", texts[0], texts[1]);
  }
  fputc('\n', text);
  if (scoring_units(scoring) > 1)
    fprintf(text, "           computed in whole numbers of 1/%d points\n", scoring->units);
  cla_score_text(texts[0], table->match, scoring);
  cla_score_text(texts[1], table->mismatch, scoring);
  if (!table->needs_lookup && (scoring->matrix_size > 0 || scoring->ambiguity != CLA_AMBIGUITY_MISMATCH))
    fprintf(text, "           of the letters that occur: match %s, mismatch %s, nothing to look up\n",
            texts[0], texts[1]);
}

static void explain_time(FILE *text, const plan *what, const plan_input *input) {
  if (what->predicted.sweep_seconds < 0)
    fprintf(text, "time       not known: no tuning record timed this kernel so; '%s' makes one\n",
            plan_tune_command(input));
  else if (input->score_only)
    fprintf(text, "time       sweep %.3g s\n", what->predicted.sweep_seconds);
  else
    fprintf(text, "time       sweep %.3g s, traceback about %.3g s\n", what->predicted.sweep_seconds,
            what->predicted.traceback_seconds);
}

static void explain_panels(FILE *text, const plan *what, const plan_input *input) {
  const double part = (double)what->panel_rows / (double)input->rows;
  fprintf(text, "panels     %" PRId64 " rows are computed to their ends before those below",
          what->panel_rows);
  if (what->predicted.sweep_seconds >= 0)
    fprintf(text, ": %.3g s each", part * what->predicted.sweep_seconds);
  fputc('\n', text);
}

static void explain_pair(FILE *text, const plan_input *input) {
  cla_mode mode;
  fprintf(text, "pair       %lld x %lld = %.4g cells, %s, %s%s\n", (long long)input->rows,
          (long long)input->columns, (double)input->rows * (double)input->columns,
          cla_alphabet_name(input->alphabet), input->mode, input->score_only ? ", score only" : "");
  if (cla_mode_find(&mode, input->mode) && mode == CLA_MODE_FREE_ENDS)
    fprintf(text, "free ends %s%s%s%s\n", input->ends.query_start ? " query-start" : "",
            input->ends.query_end ? " query-end" : "", input->ends.target_start ? " target-start" : "",
            input->ends.target_end ? " target-end" : "");
  if (input->reverse) fprintf(text, "strand     reverse: the query's reverse complement\n");
  explain_scoring(text, input->scoring, input->table);
}

/* Closes the stream and sets *out to the finished text. */
static cla_status finish_text(char **out, FILE *text, char **buffer, cla_error *error) {
  if (fclose(text) != 0) {
    free(*buffer);
    return allocate_text(out, "", error);
  }
  *out = *buffer;
  return CLA_OK;
}

cla_status plan_explain_host(char **out, const plan_input *input, const char *why, cla_error *error) {
  size_t size = 0;
  char *buffer = NULL;
  *out = NULL;
  FILE *text = open_memstream(&buffer, &size);
  if (!text) return allocate_text(out, "", error);
  explain_pair(text, input);
  fprintf(text, "device     none: %s; --device or --kernel has a device do it\n", why);
  return finish_text(out, text, &buffer, error);
}

cla_status plan_explain(char **out, const plan *what, const plan_input *input, cla_error *error) {
  size_t size = 0;
  char *buffer = NULL;
  *out = NULL;
  FILE *text = open_memstream(&buffer, &size);
  if (!text) return allocate_text(out, "", error);
  const kernel_config *sweep = &what->sweep;
  explain_pair(text, input);
  fprintf(text, "device     %s, %d compute units\n", input->device->name, input->device->compute_units);
  fprintf(text, "kernel     %s: %s (%s)\n", sweep->variant->name, sweep->variant->summary, what->reason);
  fprintf(text, "strips     %d lanes x %d rows = %lld rows, tiles of %lld columns\n", sweep->lanes,
          sweep->alpha, (long long)kernel_strip_rows(sweep), (long long)sweep->tile_columns);
  if (sweep->launch == KERNEL_PERSISTENT)
    fprintf(text, "launch     persistent, %d strips in flight\n", sweep->groups);
  else
    fprintf(text, "launch     one for each diagonal of tiles\n");
  if (what->prune) {
    char bound[CLA_SCORE_TEXT_SIZE];
    cla_score_text(bound, what->bound, input->scoring);
    fprintf(text,
            "pruning    tiles are passed over that no path of score %s can use; about %.2g %% of the cells "
            "left\n",
            bound, 100 * what->prune_share);
    if (what->first_rows > 0)
      fprintf(text, "parts      the first %" PRId64 " rows are computed to their ends before the others\n",
              what->first_rows);
  }
  if (!input->score_only && what->blocks.variant != sweep->variant)
    fprintf(text, "blocks     %s, %d lanes x %d rows\n", what->blocks.variant->name, what->blocks.lanes,
            what->blocks.alpha);
  if (input->score_only && what->special_rows == 0)
    fprintf(text, "rows       none: no traceback\n");
  else if (what->special_rows > 0)
    fprintf(text, "rows       %lld special rows, one every %lld rows\n", (long long)what->special_rows,
            (long long)what->row_interval);
  else
    fprintf(text, "rows       no special rows; traceback keeps up to %lld of its own\n",
            (long long)what->trace.block_rows_kept);
  if (what->panel_rows > 0) explain_panels(text, what, input);
  if (what->matrix_block_rows > 0)
    fprintf(text, "matrix     kept in blocks of %lld rows: further alignments sweep those that change\n",
            (long long)what->matrix_block_rows);
  if (!input->score_only && what->trace.band_bytes > 0)
    fprintf(text, "bands      %lld blocks at once on %d host threads, up to %.1f MiB each\n",
            (long long)what->trace.blocks_ahead, what->trace.threads, MIB(what->trace.band_bytes));
  fprintf(text, "memory     host %.1f MiB of %.1f, device %.1f MiB of %.1f, disk ",
          MIB(what->predicted.host_bytes), MIB(input->memory_bytes), MIB(what->predicted.device_bytes),
          MIB(input->device_memory_bytes));
  if (input->disk_bytes > 0)
    fprintf(text, "at most %.1f MiB of %.1f\n", MIB(what->predicted.disk_bytes), MIB(input->disk_bytes));
  else
    fprintf(text, "none\n");
  fprintf(text, "cells      sweep %.4g, traceback about %.4g\n", (double)what->predicted.sweep_cells,
          what->predicted.traceback_cells);
  explain_time(text, what, input);
  return finish_text(out, text, &buffer, error);
}
