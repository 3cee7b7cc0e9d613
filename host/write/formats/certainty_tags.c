/* The tags of PAF, SAM and BAM that say how certain an alignment is. */

#include "write/formats/certainty_tags.h"

#include <string.h>

#include "write/certain_runs.h"

/* Appends a run of margins and the letter of its block's class. */
static void put_run(text_memory *out, int64_t columns, int64_t margin, const cla_ambiguous_block *block,
                    const cla_scoring *scoring) {
  char *to = text_memory_room(out, TEXT_NUMBER_MOST + CLA_SCORE_TEXT_SIZE + 3);
  if (!to) return;
  char *const begin = to;
  if (out->used > 0) *to++ = ',';
  to = put_number(to, columns);
  *to++ = ':';
  cla_score_text(to, margin, scoring);
  to += strlen(to);
  if (block) *to++ = ambiguity_word(block)[0];
  out->used += (size_t)(to - begin);
}

void margins_text_make(text_memory *out, const cla_certificate *certificate, const cla_alignment *alignment) {
  certain_runs runs;
  certain_run run, joined = {0};
  out->used = 0;
  certain_runs_begin(&runs, certificate, alignment);
  while (certain_runs_next(&runs, &run)) {
    const bool goes_on = joined.columns > 0 && run.margin == joined.margin && run.block == joined.block;
    if (!goes_on && joined.columns > 0)
      put_run(out, joined.columns, joined.margin, joined.block, &alignment->scoring);
    const int64_t before = goes_on ? joined.columns : 0;
    joined = run;
    joined.columns += before;
  }
  if (joined.columns > 0) put_run(out, joined.columns, joined.margin, joined.block, &alignment->scoring);
}
