/* Seeds of alignments: in the files that are loaded, and as lower bounds. */

#include <htslib/bgzf.h>
#include <stdlib.h>
#include <string.h>

#include "clalign/write.h"
#include "result/alignment.h"
#include "result/alignment_codec.h"
#include "scoring/pair_problem.h"
#include "seeds.h"
#include "seq/sequence.h"
#include "support/reference_path.h"

cla_alignment *seeds_align(const fuzz_pair *pair, cla_mode mode, bool reverse) {
  cla_sequence *strand = NULL;
  cla_scoring scoring;
  score_table table;
  reference_alignment best;
  cla_alignment *out = NULL;
  cla_scoring_init(&scoring);
  const letter_set *letters = sequence_alphabet(pair->query);
  score_table_build(&table, &scoring, letters->letters, letters->unambiguous);
  const int64_t rows = cla_sequence_length(pair->query), columns = cla_sequence_length(pair->target);
  fuzz_demand(sequence_reverse_complement(&strand, pair->query, NULL) == CLA_OK &&
                  reference_align(&best,
                                  &(pair_problem){sequence_codes(reverse ? strand : pair->query),
                                                  sequence_codes(pair->target),
                                                  rows,
                                                  columns,
                                                  {&scoring, &table, path_ends_make(mode, 0)}},
                                  NULL) == CLA_OK &&
                  alignment_create(&out, pair->query, pair->target, mode, &scoring, NULL) == CLA_OK,
              "no alignment for a seed");
  out->has_path = true;
  out->strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  out->score = best.score;
  out->query.start = reverse ? rows - best.query_end : best.query_start;
  out->query.stop = reverse ? rows - best.query_start : best.query_end;
  out->target.start = best.target_start;
  out->target.stop = best.target_end;
  out->runs = best.runs;
  out->run_count = best.run_count;
  cla_sequence_free(strand);
  fuzz_demand(cla_alignment_verify(out, pair->query, pair->target, NULL) == CLA_OK,
              "a seed's alignment is wrong");
  return out;
}

/* A .cla file as it is, without its digest, and its payload. */
static void put_saved(cla_alignment *const *alignments, size_t count) {
  byte_sink payload = {.status = CLA_OK};
  char head[16];
  size_t size = 0;
  int version = 1;
  const cla_alignment *const *all = (const cla_alignment *const *)alignments;
  fuzz_demand(cla_alignment_save_with_work(seeds_path("seed.cla"), all, count, NULL) == CLA_OK,
              "cannot save a seed");
  char *file = seeds_read(seeds_path("seed.cla"), &size);
  (void)remove(seeds_path("seed.cla"));
  seeds_put("alignment", "00", file, size);
  seeds_put("alignment", "01", file, size - 16);
  seeds_put("bound_path", "02", file, size);
  free(file);
  for (size_t i = 0; i < count; i++)
    if (alignment_codec_version(all[i], true) > version) version = alignment_codec_version(all[i], true);
  for (size_t i = 0; i < count; i++) alignment_encode(&payload, all[i], version, true);
  for (int form = 2; form <= 3; form++) {
    (void)snprintf(head, sizeof head, "%02x%02x%02x", (unsigned)form, (unsigned)version, (unsigned)count);
    seeds_put("alignment", head, payload.bytes, (size_t)payload.length);
  }
  free(payload.bytes);
}

/* SAM and PAF, plain and packed. */
static void put_written(const fuzz_pair *pair, const cla_alignment *alignment) {
  static const cla_format formats[] = {CLA_FORMAT_SAM, CLA_FORMAT_PAF};
  char path[1024];
  size_t size = 0;
  (void)snprintf(path, sizeof path, "%s", seeds_path("seed.text"));
  for (int i = 0; i < 2; i++) {
    fuzz_demand(cla_write_file(
                    path, formats[i],
                    &(cla_results){
                        .alignments = &alignment, .count = 1, .query = pair->query, .target = pair->target},
                    NULL, NULL) == CLA_OK,
                "cannot write a seed");
    char *text = seeds_read(path, &size);
    seeds_put("bound_path", "02", text, size);
    seeds_put("bound_path", "06", text, size);
    seeds_put("bound_path", "4a", text, size);
    seeds_put("aligned_records", "", text, size);
    BGZF *packed = bgzf_open(path, "w");
    fuzz_demand(packed && bgzf_write(packed, text, size) >= 0 && bgzf_close(packed) == 0,
                "cannot pack a seed");
    free(text);
    text = seeds_read(path, &size);
    seeds_put("bound_path", "02", text, size);
    free(text);
    (void)remove(path);
  }
}

/* Chain, MAF and delta. */
static void put_records(const fuzz_pair *pair, const cla_alignment *alignment) {
  static const cla_format formats[] = {CLA_FORMAT_CHAIN, CLA_FORMAT_MAF};
  char path[1024];
  size_t size = 0;
  (void)snprintf(path, sizeof path, "%s", seeds_path("seed.text"));
  for (int i = 0; i < 2; i++) {
    fuzz_demand(cla_write_file(
                    path, formats[i],
                    &(cla_results){
                        .alignments = &alignment, .count = 1, .query = pair->query, .target = pair->target},
                    NULL, NULL) == CLA_OK,
                "cannot write a seed");
    char *text = seeds_read(path, &size);
    seeds_put("aligned_records", "", text, size);
    free(text);
    (void)remove(path);
  }
  seeds_put_text("aligned_records", "",
                 "t.fa q.fa\nNUCMER\n>t q 125 120\n1 125 1 120 9 9 0\n61\n1\n1\n1\n1\n0\n");
  seeds_put_text("aligned_records", "", "t.fa q.fa\nNUCMER\n>t q 125 120\n1 60 60 2 9 9 0\n-4\n0\n");
}

/* With a record of the work. */
static void put_work(cla_alignment *one) {
  cla_work_band bands[] = {{20, 30, 0, 40}, {50, 10, 0, 0}, {60, 60, 50, 75}};
  int64_t rows[] = {50, 60};
  cla_crosspoint crosspoints[] = {{50, 50}, {60, 64}};
  cla_work_level levels[] = {{CLA_LEVEL_COARSE, false, 900, 2}, {CLA_LEVEL_FINE, true, 400, 1}};
  cla_work_band level_bands[] = {{0, 30, 0, 40}, {30, 50, 10, 30}, {0, 80, 5, 40}};
  cla_work work = {.unknown_rows = 20,
                   .cells = 1000,
                   .bands = bands,
                   .band_count = 3,
                   .special_rows_kept = 4,
                   .special_rows = rows,
                   .special_row_count = 2,
                   .crosspoints_met = 3,
                   .crosspoints = crosspoints,
                   .crosspoint_count = 2,
                   .levels = levels,
                   .level_count = 2,
                   .level_bands = level_bands,
                   .level_band_count = 3};
  one->work = &work;
  put_saved(&one, 1);
  one->work = NULL;
}

/* What few alignments have: matrices, two pieces of gap costs, bands, gap placement, and scores without a
 * path. */
static void put_others(const fuzz_pair *pair) {
  cla_alignment *one = seeds_align(pair, CLA_MODE_GLOBAL, false);
  put_work(one);
  one->has_band = true;
  one->band = 9;
  one->gap_placement = CLA_GAPS_LEFT;
  one->scoring.gap_first2 = 9;
  one->scoring.gap_ext2 = 1;
  put_saved(&one, 1);
  one->query.rotation = 7;
  put_saved(&one, 1);
  one->query.rotation = 0;
  one->has_split = true;
  one->split_drop = 3;
  put_saved(&one, 1);
  one->has_split = false;
  one->alphabet = CLA_ALPHABET_PROTEIN;
  cla_scoring_init_for(&one->scoring, CLA_ALPHABET_PROTEIN);
  put_saved(&one, 1);
  one->alphabet = CLA_ALPHABET_OWN;
  one->scoring.matrix_size = 4;
  strcpy(one->scoring.letters, "ABC*");
  put_saved(&one, 1);
  one->has_path = false;
  one->query.start = one->target.start = -1;
  free(one->runs);
  one->runs = NULL;
  one->run_count = 0;
  put_saved(&one, 1);
  cla_alignment_free(one);
}

void seeds_of_alignments(void) {
  fuzz_pair pair;
  cla_alignment *all[2 * CLA_MODE_FREE_ENDS];
  int count = 0;
  fuzz_pair_make(&pair);
  for (int mode = CLA_MODE_LOCAL; mode < CLA_MODE_FREE_ENDS; mode++)
    for (int reverse = 0; reverse < 2; reverse++) all[count++] = seeds_align(&pair, (cla_mode)mode, reverse);
  for (int i = 0; i < count; i++) put_saved(&all[i], 1);
  for (int i = 0; i < 2; i++) {
    put_written(&pair, all[i]);
    put_records(&pair, all[i]);
  }
  put_saved(all, (size_t)count);
  put_others(&pair);
  for (int i = 0; i < count; i++) cla_alignment_free(all[i]);
  fuzz_pair_free(&pair);
}
