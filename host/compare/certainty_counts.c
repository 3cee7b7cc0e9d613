/* Counts how many of a comparison's differences are certain. */

#include "base/extremes.h"
#include "clalign/certain.h"
#include "compare/compare_texts.h"
#include "result/cigar_reader.h"

/* The columns of a piece, with the next ambiguous block. */
typedef struct column_reader {
  const cla_certificate *certificate;
  int64_t column, block;
} column_reader;

/* Notes the step's columns as ambiguous differences, and passes them. */
static void count_step(certainty_counts *out, column_reader *at, const cigar_step *step) {
  const cla_certificate *it = at->certificate;
  const int64_t end = at->column + step->length;
  bool shift = false, alternative = false;
  while (at->block < it->block_count &&
         it->blocks[at->block].first_column + it->blocks[at->block].columns <= at->column)
    at->block++;
  for (int64_t i = at->block; i < it->block_count && it->blocks[i].first_column < end; i++) {
    if (it->blocks[i].columns == 0) continue;
    *(it->blocks[i].kind == CLA_AMBIGUITY_SHIFT ? &shift : &alternative) = true;
  }
  const bool is_gap = step->operation == 'I' || step->operation == 'D';
  if (is_gap) out->gaps++;
  if (is_gap && alternative)
    out->ambiguous_gaps++;
  else if (is_gap && shift)
    out->moving_gaps++;
  for (int64_t i = at->column; step->operation == 'X' && i < end; i++)
    out->ambiguous_snps += it->margins[i] == 0;
  at->column = end;
}

static void count_blocks(certainty_counts *out, const cla_certificate *certificate, size_t target) {
  for (int64_t i = 0; i < certificate->block_count; i++) {
    const cla_ambiguous_block *block = &certificate->blocks[i];
    const bool shift = block->kind == CLA_AMBIGUITY_SHIFT;
    const int64_t letters =
        larger(block->query_stop - block->query_start, block->target_stop - block->target_start);
    out->shifts += shift;
    out->alternatives += !shift;
    if (shift || letters <= out->longest_letters) continue;
    out->longest_letters = letters;
    out->longest = (cla_interval){target, block->target_start, block->target_stop};
  }
}

static void count_piece(certainty_counts *out, const cla_comparison *comparison, const cla_block *block,
                        size_t piece) {
  const cla_certificate *certificate = block->certificates[piece];
  column_reader at = {.certificate = certificate};
  cigar_reader reader;
  cigar_step step;
  cigar_reader_begin(&reader, block->pieces[piece], comparison->query.records[block->query],
                     comparison->target.records[block->target]);
  while (cigar_reader_next(&reader, &step)) count_step(out, &at, &step);
  count_blocks(out, certificate, block->target);
  out->columns += certificate->column_count;
  out->ambiguous_columns += certificate->ambiguous;
  out->delta = out->pieces == 0 ? certificate->delta : smaller(out->delta, certificate->delta);
  out->units = block->pieces[piece]->scoring.units;
  out->pieces++;
}

bool certainty_count(certainty_counts *out, const cla_comparison *comparison) {
  bool certified = false;
  *out = (certainty_counts){.longest = {CLA_NO_RECORD, 0, 0}};
  for (size_t b = 0; b < comparison->block_count; b++) {
    const cla_block *block = &comparison->blocks[b];
    if (block->role != CLA_BLOCK_PRIMARY || !block->certificates) continue;
    certified = true;
    for (size_t p = 0; p < block->piece_count; p++) count_piece(out, comparison, block, p);
  }
  return certified;
}
