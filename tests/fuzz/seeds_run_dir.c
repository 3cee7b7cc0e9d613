/* Seeds of a run directory's files, as they are and without their seals. */

#include <stdlib.h>
#include <string.h>

#include "clalign/batch_directory.h"
#include "rows/row_file.h"
#include "runs/run_state.h"
#include "runs/sealed_file.h"
#include "seeds.h"

enum { MANIFEST, STATE, ROW, PATH }; /* as in fuzz_run_dir.c */

#define NODES 40

static const sealed_kind run = {.name = "ROW1", .key = {1, 2, 3}};

static void put(const char *name, unsigned flags) {
  char head[8];
  size_t size = 0;
  char *bytes = seeds_read(seeds_path(name), &size);
  (void)snprintf(head, sizeof head, "%02x", flags);
  seeds_put("run_dir", head, bytes, size);
  if (flags % 4 == MANIFEST || flags % 4 == STATE) {
    (void)snprintf(head, sizeof head, "%02x", flags | 4);
    seeds_put("run_dir", head, bytes, size);
  } else {
    (void)snprintf(head, sizeof head, "%02x", flags | 4 | 8);
    seeds_put("run_dir", head, bytes + sizeof(sealed_header),
              size - sizeof(sealed_header) - sizeof(sealed_end));
  }
  free(bytes);
}

/* The content of a binary file. */
static void put_content(const char *name, const sealed_kind *kind, unsigned flags) {
  char head[8];
  size_t size = 0;
  sealed_end end;
  sealed_reader *reader = NULL;
  char *bytes = seeds_read(seeds_path(name), &size);
  memcpy(&end, bytes + size - sizeof end, sizeof end);
  free(bytes);
  bytes = fuzz_allocate((size_t)end.content_bytes);
  fuzz_demand(sealed_reader_open(&reader, seeds_path(name), kind, NULL) == CLA_OK &&
                  sealed_reader_get(reader, bytes, end.content_bytes, NULL) == CLA_OK,
              "cannot read a seed's content");
  sealed_reader_close(reader);
  (void)snprintf(head, sizeof head, "%02x", flags | 4);
  seeds_put("run_dir", head, bytes, (size_t)end.content_bytes);
  free(bytes);
}

/* A row with a gap between two segments. */
static void put_row(bool two_pieces) {
  cla_scoring scoring;
  uint32_t h[NODES], f[NODES], f2[NODES];
  sealed_kind kind = run;
  kept_row row = {.row = 7, .best_score = 3, .best_row = 2, .best_column = 5, .seconds = 0.5};
  cla_scoring_init(&scoring);
  if (two_pieces) {
    scoring.gap_first2 = 9;
    scoring.gap_ext2 = 1;
  }
  const row_shape shape = {.nodes = NODES, .largest_score = 1, .scoring = &scoring, .floor = true};
  for (int i = 0; i < NODES; i++) {
    h[i] = (uint32_t)i % 5;
    f[i] = h[i] - (uint32_t)scoring.gap_first;
    f2[i] = h[i] - (uint32_t)scoring.gap_first2;
  }
  for (int part = 0; part < 2; part++) {
    const region_row_part values = {.row = 7,
                                    .column = part * 30,
                                    .count = 10 - part * 5,
                                    .h = h,
                                    .f = {f, two_pieces ? f2 : NULL},
                                    .lane_bits = 32};
    fuzz_demand(kept_row_append(&row, &shape, &values, NULL) == CLA_OK, "cannot make a row");
  }
  memcpy(kind.name, row_file_kind(&shape), sizeof kind.name);
  fuzz_demand(row_file_write(seeds_path("row"), &kind, &row, &shape, NULL) == CLA_OK, "cannot write a row");
  kept_row_free(&row);
  put("row", ROW | (two_pieces ? 16 : 0));
  put_content("row", &kind, ROW | (two_pieces ? 16 : 0));
  (void)remove(seeds_path("row"));
}

static void put_manifest(const char *folder, bool much) {
  cla_run_directory manifest = {
      .program = "0.1.0",
      .text = "{\"folder\":\"/\",\"line\":\"clalign\",\"arguments\":[\"q.fa\",\"t.fa\"]}",
      .mode = much ? CLA_MODE_FREE_ENDS : CLA_MODE_LOCAL,
      .free_ends = much ? 3 : 0,
      .query = {.name = "q", .location = "q.fa", .length = 9, .end = 9},
      .target = {.name = "t\xff", .location = "t.fa:t", .length = 8, .begin = 2, .end = 5}};
  cla_scoring_init_for(&manifest.scoring, much ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA);
  manifest.alphabet = much ? CLA_ALPHABET_PROTEIN : CLA_ALPHABET_DNA;
  manifest.claimed = much;
  manifest.strand = much ? CLA_STRAND_FORWARD : CLA_STRAND_REVERSE;
  fuzz_demand(run_manifest_write(folder, &manifest, NULL) == CLA_OK, "cannot write a manifest");
  put("manifest.json", MANIFEST);
  (void)remove(seeds_path("manifest.json"));
}

/* A unit with an alignment and a pair without any. */
static void put_batch(void) {
  char folder[1024];
  fuzz_pair pair;
  cla_batch_directory *directory = NULL;
  cla_pairs_mark mark = {{0}};
  size_t size = 0;
  fuzz_pair_make(&pair);
  cla_alignment *alignment = seeds_align(&pair, CLA_MODE_LOCAL, false);
  const cla_alignment *const alignments[] = {alignment};
  (void)snprintf(folder, sizeof folder, "%s", seeds_path("run"));
  fuzz_demand(cla_batch_directory_begin(&directory, folder, "", NULL) == CLA_OK &&
                  cla_batch_directory_put(directory, 4, alignments, 1, NULL) == CLA_OK &&
                  cla_batch_directory_put(directory, 3, NULL, 0, NULL) == CLA_OK &&
                  cla_batch_directory_finish_unit(directory, 3, 20, &mark, NULL) == CLA_OK &&
                  cla_batch_directory_close(directory, NULL) == CLA_OK,
              "cannot write a batch");
  char *bytes = seeds_read(seeds_path("run/journal.clj"), &size);
  seeds_put("batch", "00", bytes + 32, size - 32); /* after the journal's first bytes */
  seeds_put("batch", "01", bytes + 64, size - 64); /* after the entry's first bytes */
  (void)remove(seeds_path("run/journal.clj"));
  (void)remove(seeds_path("run/batch.json"));
  (void)remove(seeds_path("run"));
  free(bytes);
  cla_alignment_free(alignment);
  fuzz_pair_free(&pair);
}

void seeds_of_run_directories(void) {
  char folder[1024];
  cla_run runs[] = {{5, CLA_RUN_PAIR}, {2, CLA_RUN_QUERY}, {1, CLA_RUN_TARGET}, {7, CLA_RUN_PAIR}};
  const run_state state = {
      .score = 5, .row = 6, .column = 7, .cells = 42, .sweep_seconds = 0.5, .seconds = 1.5};
  const saved_path path = {
      .row = 3, .column = 4, .value = 2, .in_query_gap = QUERY_GAP, .runs = runs, .count = 4};
  sealed_kind kind = run;
  (void)snprintf(folder, sizeof folder, "%s", seeds_path("."));
  put_manifest(folder, false);
  put_manifest(folder, true);
  fuzz_demand(run_state_write(folder, &run, &state, NULL) == CLA_OK &&
                  saved_path_write(folder, &run, &path, NULL) == CLA_OK,
              "cannot write a state");
  put(RUN_STATE_NAME, STATE);
  put(SAVED_PATH_NAME, PATH);
  memcpy(kind.name, "PATH", sizeof kind.name);
  put_content(SAVED_PATH_NAME, &kind, PATH);
  (void)remove(seeds_path(RUN_STATE_NAME));
  (void)remove(seeds_path(SAVED_PATH_NAME));
  put_row(false);
  put_row(true);
  put_batch();
}
