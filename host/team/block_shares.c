#include "team/block_shares.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

void block_shares_add(const block_round *round) {
  for (int64_t i = 0; i < round->count && i < round->end; i++) {
    const block_run *b = round->blocks + i;
    team_member *member = round->r->team.members + b->where.device;
    if (!b->done) continue;
    block_part_add(&member->swept, round->devices + b->where.device, &b->where);
    member->swept_seconds += b->seconds;
    member->waited_seconds += b->waited;
  }
}

cla_status block_shares_tell(const strand_run *r, cla_error *error) {
  char *lines = NULL;
  size_t size = 0;
  if (!r->options->explain) return CLA_OK;
  FILE *text = open_memstream(&lines, &size);
  for (int i = 0; text && i < r->team.count; i++) {
    const team_member *member = r->team.members + i;
    fprintf(text, "%s %s: ", i == 0 ? "swept by  " : "          ", cla_device_describe(member->device)->name);
    block_part_print(text, &member->swept, member->plan.sweep.alpha, r->input.rows);
    fprintf(text, "; %.3g s, waited %.2g s\n", member->swept_seconds, member->waited_seconds);
  }
  const bool whole = text && fclose(text) == 0;
  if (whole) r->options->explain(lines, r->options->explain_user);
  free(lines);
  return whole ? CLA_OK
               : error_set(error, CLA_ERROR_MEMORY,
                           "cannot allocate the text of what devices did; free some memory");
}
