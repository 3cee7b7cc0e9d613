#include "write/certain_runs.h"

#include "base/error.h"
#include "base/extremes.h"

void certain_runs_begin(certain_runs *runs, const cla_certificate *certificate,
                        const cla_alignment *alignment) {
  *runs = (certain_runs){.certificate = certificate, .alignment = alignment};
  runs->left = alignment->run_count > 0 ? alignment->runs[0].length : 0;
}

/* Returns the block with the next column, NULL if there is none. Sets *end to the column where that ends. */
static const cla_ambiguous_block *block_here(certain_runs *runs, int64_t *end) {
  const cla_certificate *certificate = runs->certificate;
  const cla_ambiguous_block *blocks = certificate->blocks;
  while (runs->block < certificate->block_count &&
         blocks[runs->block].first_column + blocks[runs->block].columns <= runs->column)
    runs->block++;
  *end = certificate->column_count;
  if (runs->block == certificate->block_count) return NULL;
  const cla_ambiguous_block *block = &blocks[runs->block];
  const bool within = block->first_column <= runs->column;
  *end = within ? block->first_column + block->columns : block->first_column;
  return within ? block : NULL;
}

static void pass(certain_runs *runs, int64_t columns, cla_run_kind kind) {
  runs->column += columns;
  runs->left -= columns;
  if (kind != CLA_RUN_TARGET) runs->query += columns;
  if (kind != CLA_RUN_QUERY) runs->target += columns;
  if (runs->left > 0 || ++runs->run == runs->alignment->run_count) return;
  runs->left = runs->alignment->runs[runs->run].length;
}

bool certain_runs_next(certain_runs *runs, certain_run *out) {
  int64_t end, columns = 1;
  if (runs->column == runs->certificate->column_count) return false;
  const int64_t *margins = runs->certificate->margins + runs->column;
  const cla_ambiguous_block *block = block_here(runs, &end);
  const int64_t most = smaller(end - runs->column, runs->left);
  while (columns < most && margins[columns] == margins[0]) columns++;
  *out = (certain_run){.columns = columns,
                       .query = runs->query,
                       .target = runs->target,
                       .kind = runs->alignment->runs[runs->run].kind,
                       .margin = margins[0],
                       .block = block};
  pass(runs, columns, out->kind);
  return true;
}

const char *ambiguity_word(const cla_ambiguous_block *block) {
  return block->kind == CLA_AMBIGUITY_SHIFT ? "shift" : "alternative";
}

cla_status certificate_check(const cla_certificate *certificate, const cla_alignment *alignment,
                             size_t number, cla_error *error) {
  int64_t columns = 0;
  for (size_t i = 0; i < alignment->run_count; i++) columns += alignment->runs[i].length;
  if (certificate->column_count == columns) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "alignment %zu has %lld columns and its certificate %lld; give each alignment its own",
                   number, (long long)columns, (long long)certificate->column_count);
}
