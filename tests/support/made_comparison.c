#include "support/made_comparison.h"

#include "result/alignment.h"
#include "result/path_check.h"
#include "support/test.h"

static char draw(made_comparison *made) {
  made->seed = made->seed * 1664525u + 1013904223u;
  return "ACGT"[made->seed >> 30];
}

void made_comparison_target(made_comparison *made, int64_t length, bool circular) {
  cla_comparison *it = &made->comparison;
  const size_t number = it->target.count++;
  char *letters = calloc((size_t)length + 1, 1);
  for (int64_t i = 0; i < length; i++) letters[i] = draw(made);
  made->target_letters[number] = letters;
  made->circular[1][number] = circular;
  assert_ok(cla_sequence_from_letters(&made->targets[number], test_text("t%zu", number + 1), letters, length,
                                      &why));
  it->target.records = made->targets;
  it->target.circular = made->circular[1];
}

static char complement(char letter) {
  return letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
}

static void turn_letters(char *letters, int64_t count) {
  for (int64_t i = 0, j = count - 1; i <= j; i++, j--) {
    const char letter = complement(letters[i]);
    letters[i] = complement(letters[j]);
    letters[j] = letter;
  }
}

static int64_t part_letters(const made_part *part) {
  return part->to == 0 ? part->from : part->to - part->from;
}

static void write_part(made_comparison *made, char *to, const made_part *part) {
  const int64_t count = part_letters(part);
  for (int64_t i = 0; i < count; i++)
    to[i] = part->to == 0 ? draw(made) : made->target_letters[part->record][part->from + i];
  for (int64_t i = 50; part->changed && i < count; i += 100) to[i] = complement(to[i]);
  if (part->reverse) turn_letters(to, count);
}

/* Where a part lies in the query record as it is at last. */
typedef struct placed_part {
  const made_part *part;
  int64_t begin, end;
  bool reverse;
} placed_part;

static void add_run(cla_alignment *piece, cla_run_kind kind, int64_t length) {
  if (length == 0) return;
  const bool more = piece->run_count > 0 && piece->runs[piece->run_count - 1].kind == kind;
  if (!more) piece->runs[piece->run_count++] = (cla_run){.kind = kind};
  piece->runs[piece->run_count - 1].length += length;
}

/* Adds the part behind or, on the reverse strand of the target's order, before the others. */
static void extend(cla_alignment *piece, const placed_part *it) {
  cla_side *query = &piece->query, *target = &piece->target;
  const int64_t in_query = it->reverse ? query->start - it->end : it->begin - query->stop;
  add_run(piece, CLA_RUN_QUERY, in_query);
  add_run(piece, CLA_RUN_TARGET, it->part->from - target->stop);
  add_run(piece, CLA_RUN_PAIR, it->end - it->begin);
  target->stop = it->part->to;
  if (it->reverse)
    query->start = it->begin;
  else
    query->stop = it->end;
}

static void finish(made_comparison *made, cla_alignment *piece, size_t query) {
  const cla_comparison *it = &made->comparison;
  const cla_block *block = &made->blocks[it->block_count - 1];
  const cla_sequence *target = made->targets[block->target];
  piece->query.begin = piece->query.start;
  piece->query.end = piece->query.stop;
  piece->target.begin = piece->target.start;
  piece->target.end = piece->target.stop;
  assert_ok(alignment_rescore(&piece->score, piece, made->queries[query], target, &why));
  assert_ok(cla_alignment_verify(piece, made->queries[query], target, &why));
}

static void set_block(cla_block *block, const cla_alignment *piece) {
  block->query_begin = piece->query.start;
  block->query_end = piece->query.stop;
  block->target_begin = piece->target.start;
  block->target_end = piece->target.stop;
}

static cla_alignment *begin_piece(made_comparison *made, const placed_part *it, size_t query) {
  const cla_scoring scoring = default_scoring();
  cla_comparison *out = &made->comparison;
  cla_alignment *piece = NULL;
  const size_t number = out->block_count++;
  cr_assert_lt(number, MADE_PIECES);
  assert_ok(alignment_create(&piece, made->queries[query], made->targets[it->part->record], CLA_MODE_GLOBAL,
                             &scoring, &why));
  piece->runs = calloc(2 * MADE_PIECES, sizeof *piece->runs);
  piece->has_path = true;
  piece->strand = it->reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  piece->query.start = piece->query.stop = it->reverse ? it->end : it->begin;
  piece->target.start = piece->target.stop = it->part->from;
  made->pieces[number] = piece;
  made->blocks[number] = (cla_block){.query = query,
                                     .target = it->part->record,
                                     .strand = piece->strand,
                                     .role = it->part->role,
                                     .pieces = &made->pieces[number],
                                     .piece_count = 1};
  out->blocks = made->blocks;
  return piece;
}

/* Parts joined on the reverse strand come in the order of the target. */
static void add_pieces(made_comparison *made, const placed_part *parts, size_t count, size_t query) {
  cla_alignment *piece = NULL;
  for (size_t i = 0; i < count; i++) {
    const placed_part *it = &parts[i];
    if (it->part->to == 0 || it->part->unknown) continue;
    if (piece && !it->part->joined) finish(made, piece, query);
    if (!piece || !it->part->joined) piece = begin_piece(made, it, query);
    extend(piece, it);
    set_block(&made->blocks[made->comparison.block_count - 1], piece);
  }
  if (piece) finish(made, piece, query);
}

void made_comparison_query(made_comparison *made, const made_part *parts, size_t count, bool circular,
                           bool turned) {
  cla_comparison *it = &made->comparison;
  const size_t number = it->query.count++;
  placed_part placed[MADE_PIECES];
  int64_t length = 0, at = 0;
  for (size_t i = 0; i < count; i++) length += part_letters(&parts[i]);
  char *letters = calloc((size_t)length + 1, 1);
  for (size_t i = 0; i < count; i++) {
    write_part(made, letters + at, &parts[i]);
    placed[i] = (placed_part){&parts[i], at, at + part_letters(&parts[i]), parts[i].reverse};
    at = placed[i].end;
  }
  if (turned) turn_letters(letters, length);
  for (size_t i = 0; turned && i < count; i++)
    placed[i] = (placed_part){&parts[i], length - placed[i].end, length - placed[i].begin, !parts[i].reverse};
  made->circular[0][number] = circular;
  assert_ok(cla_sequence_from_letters(&made->queries[number], test_text("q%zu", number + 1), letters, length,
                                      &why));
  free(letters);
  it->query.records = made->queries;
  it->query.circular = made->circular[0];
  add_pieces(made, placed, count, number);
}

void made_comparison_free(made_comparison *made) {
  for (size_t i = 0; i < MADE_RECORDS; i++) {
    cla_sequence_free(made->queries[i]);
    cla_sequence_free(made->targets[i]);
    free(made->target_letters[i]);
  }
  for (size_t i = 0; i < MADE_PIECES; i++) cla_alignment_free(made->pieces[i]);
}
