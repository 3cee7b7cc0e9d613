#include <jansson.h>
#include <unistd.h>

#include "clalign/write.h"
#include "support/made_alignment.h"
#include "support/test.h"

/*  query   TT ACGT-ACGTTACNT G   (a local path of the middle, with all four operations)
 *  target  GG ACGTGACGT-AGNT GG */
static made_alignment example(void) {
  made_alignment made =
      made_alignment_make("TTACGTACGTTACNTG", "GGACGTGACGTAGNTGG", CLA_MODE_LOCAL, 2, 2, "4P1T4P1Q4P");
  cr_assert_eq(made.alignment->score, 4 + 4 - 10 + 1 - 3 - 3 + 1);
  /* A score above 0 is part of the local rules; a cheaper scheme gives one. */
  made.alignment->scoring.mismatch = -1;
  made.alignment->scoring.gap_first = 2;
  made.alignment->scoring.gap_ext = 1;
  made.alignment->score = 4 + 4 - 4 + 1 - 1 - 1 + 1;
  assert_ok(cla_alignment_verify(made.alignment, made.query, made.target, &why));
  return made;
}

static made_alignment empty_example(void) {
  return made_alignment_make("AAAA", "CCC", CLA_MODE_LOCAL, 0, 0, "");
}

static made_alignment score_only_example(void) {
  made_alignment made = empty_example();
  made.alignment->has_path = false;
  made.alignment->mode = CLA_MODE_GLOBAL;
  made.alignment->score = -14;
  made.alignment->query.start = made.alignment->target.start = -1;
  made.alignment->query.stop = 4;
  made.alignment->target.stop = 3;
  return made;
}

static void expect_written(const made_alignment *made, cla_format format, const char *expected) {
  OWNED(free_memory) char *text = made_alignment_written(made, format);
  cr_expect_str_eq(text, expected);
}

Test(write, finds_formats_by_name) {
  cla_format found;
  for (int format = 0; format < CLA_FORMAT_COUNT; format++) {
    const cla_format_facts *facts = cla_format_describe((cla_format)format);
    cr_assert_not_null(facts);
    assert_ok(cla_format_from_name(&found, facts->name, &why));
    cr_expect_eq((int)found, format, "%s", facts->name);
  }
  cr_expect_null(cla_format_describe((cla_format)CLA_FORMAT_COUNT));
  assert_error(cla_format_from_name(&found, "bas", &why), CLA_ERROR_OPTION, "'bas'");
  cr_expect(strstr(why.message, "json, pair, paf, sam, cigar, bam, blast,") &&
                strstr(why.message, "blocks and bedgraph"),
            "%s", why.message);
}

Test(write, finds_formats_by_the_endings_of_names) {
  static const struct {
    const char *path, *name; /* NULL: none */
    bool compressed;
  } cases[] = {{"a.bam", "bam", false},     {"dir.sam/a.PAF", "paf", false},
               {"a.b.vcf.gz", "vcf", true}, {"a.maf.BGZ", "maf", true},
               {"x.fa", "fasta", false},    {".json", "json", false},
               {"a.blast", "blast", false}, {"a.pair", "pair", false},
               {"a.m8", "blast", false},    {"bam", NULL, false},
               {"a.bam/out", NULL, false},  {"a.gz", NULL, true},
               {"a.sa", NULL, false},       {"a.samx", NULL, false},
               {"", NULL, false},           {"a.callable.bed", "bed", false},
               {"a.", NULL, false},         {"a.vcf.gz.txt", NULL, false},
               {"a.bg", "bedgraph", false}, {"a.blocks.gz", "blocks", true},
               {"sam.gz", NULL, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_format found = CLA_FORMAT_COUNT;
    bool compressed = !cases[i].compressed;
    cr_expect_eq(cla_format_from_path(&found, &compressed, cases[i].path), cases[i].name != NULL, "%s",
                 cases[i].path);
    cr_expect_eq(compressed, cases[i].compressed, "%s", cases[i].path);
    if (cases[i].name) cr_expect_str_eq(cla_format_describe(found)->name, cases[i].name);
  }
  cr_expect(cla_format_fits_path(CLA_FORMAT_BLAST7, "a.blast") &&
            cla_format_fits_path(CLA_FORMAT_SAM, "a.txt"));
  cr_expect_not(cla_format_fits_path(CLA_FORMAT_SAM, "a.bam") ||
                cla_format_fits_path(CLA_FORMAT_PAF, "a.vcf.gz"));
}

Test(write, finds_the_format_of_a_file_or_refuses_its_ending) {
  static const struct {
    const char *path, *name; /* NULL: refused */
  } cases[] = {{"a.vcf.gz", "vcf"}, {"a", "pair"},    {"a.txt", "pair"},   {"a.TXT.gz", "pair"},
               {"dir.b/a", "pair"}, {"a.gz", "pair"}, {"a.psl", NULL},     {"a.paf.zst", NULL},
               {"a.bcf", NULL},     {"a.paf~", NULL}, {"a.vcf.bz2", NULL}, {"a.svg", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_format found;
    bool compressed;
    cla_error error;
    const cla_status status = cla_format_of_file(&found, &compressed, cases[i].path, CLA_FORMAT_PAIR, &error);
    cr_expect_eq(status, cases[i].name ? CLA_OK : CLA_ERROR_OPTION, "%s", cases[i].path);
    if (cases[i].name) cr_expect_str_eq(cla_format_describe(found)->name, cases[i].name);
    if (!cases[i].name) cr_expect(strstr(error.message, cases[i].path), "%s", error.message);
    cr_expect_eq(cla_format_of_file(&found, &compressed, "a.txt", CLA_FORMAT_CLA, &error), CLA_ERROR_OPTION);
  }
  cr_expect(cla_format_fits_path(CLA_FORMAT_PAF, "a.psl"));
  cr_expect_not(cla_format_fits_path(CLA_FORMAT_PAF, "a.paf.zst"));
}

Test(write, refuses_to_compress_what_is_compressed) {
  OWNED_MADE made = example();
  const cla_alignment *alignment = made.alignment;
  const cla_write_options options = {.compressed = true};
  assert_error(
      cla_write(
          stderr, CLA_FORMAT_BAM,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          &options, &why),
      CLA_ERROR_OPTION, "compressed by itself");
  cla_writer *writer = NULL;
  assert_error(cla_writer_open(&writer, CLA_FORMAT_BAM, NULL, stderr, &options, &why), CLA_ERROR_OPTION,
               "compressed by itself");
  assert_error(
      cla_write_file(
          "/dev/full", CLA_FORMAT_PAF,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          &options, &why),
      CLA_ERROR_OUTPUT, "cannot write /dev/full: No space");
}

Test(write, refuses_all_that_need_a_path_without_one) {
  OWNED_MADE made = score_only_example();
  int refused = 0;
  for (int format = 0; format < CLA_FORMAT_COUNT; format++) {
    char *text = NULL;
    const cla_format_facts *facts = cla_format_describe((cla_format)format);
    if (!facts->needs_path || facts->many_pairs) continue;
    assert_error(made_alignment_write(&text, &made, (cla_format)format, 1, NULL, &why), CLA_ERROR_OPTION,
                 "score-only");
    cr_expect_str_eq(text, "");
    free(text);
    refused++;
  }
  cr_expect_eq(refused, CLA_FORMAT_COUNT - 5, "all but json, tsv, cla and tables of many pairs");
}

Test(write, refuses_an_alignment_that_does_not_fit) {
  OWNED_MADE made = example(), other = empty_example();
  const cla_alignment *alignment = made.alignment;
  cr_expect_eq(
      cla_write(
          stderr, CLA_FORMAT_CIGAR,
          &(cla_results){.alignments = &alignment, .count = 1, .query = other.query, .target = other.target},
          NULL, &why),
      CLA_ERROR_VERIFICATION);
  made.alignment->runs[1].length = 100;
  cr_expect_eq(
      cla_write(
          stderr, CLA_FORMAT_CIGAR,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          NULL, &why),
      CLA_ERROR_VERIFICATION);
}

Test(write, tells_that_a_device_is_full) {
  static const cla_format formats[] = {CLA_FORMAT_JSON, CLA_FORMAT_PAIR,  CLA_FORMAT_PAF,
                                       CLA_FORMAT_SAM,  CLA_FORMAT_CIGAR, CLA_FORMAT_BAM};
  OWNED_MADE made = example();
  const cla_alignment *alignment = made.alignment;
  for (size_t index = 0; index < sizeof formats / sizeof *formats; index++)
    for (int unbuffered = 0; unbuffered < 2; unbuffered++) {
      FILE *file = fopen("/dev/full", "w");
      cr_assert_not_null(file);
      if (unbuffered) setvbuf(file, NULL, _IONBF, 0);
      assert_error(
          cla_write(file, formats[index],
                    &(cla_results){
                        .alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
                    NULL, &why),
          CLA_ERROR_OUTPUT, "No space left on device; free some space");
      fclose(file);
      assert_error(cla_write_file(
                       "/dev/full", formats[index],
                       &(cla_results){
                           .alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
                       NULL, &why),
                   CLA_ERROR_OUTPUT, "cannot write /dev/full: No space");
    }
}

Test(write, to_a_file_leaves_nothing_after_a_failure) {
  char *folder = made_folder(), *path = made_path(folder, "out.paf"),
       *missing = made_path(folder, "no/out.paf");
  OWNED_MADE made = example(), bare = score_only_example();
  const cla_alignment *alignment = made.alignment, *without = bare.alignment;
  assert_error(
      cla_write_file(
          missing, CLA_FORMAT_PAF,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          NULL, &why),
      CLA_ERROR_OUTPUT, missing);
  cr_expect_eq(
      cla_write_file(
          path, CLA_FORMAT_PAF,
          &(cla_results){.alignments = &without, .count = 1, .query = bare.query, .target = bare.target},
          NULL, &why),
      CLA_ERROR_OPTION);
  made_alignment_rename(&made.alignment->query, "");
  made.alignment->query.name = realloc(made.alignment->query.name, 300);
  memset(made.alignment->query.name, 'n', 299);
  made.alignment->query.name[299] = 0;
  cr_expect_eq(
      cla_write_file(
          path, CLA_FORMAT_SAM,
          &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target},
          NULL, &why),
      CLA_ERROR_OPTION);
  cr_expect_eq(made_folder_entries(folder), 0);
  assert_ok(cla_write_file(
      path, CLA_FORMAT_CIGAR,
      &(cla_results){.alignments = &alignment, .count = 1, .query = made.query, .target = made.target}, NULL,
      &why));
  char *text = made_read(path, NULL);
  cr_expect_str_eq(text, "4=1D4=1I1=2X1=\n");
  free(text);
  made_folder_remove(folder);
  free(path);
  free(missing);
}

Test(cigar, has_one_line_per_alignment) {
  OWNED_MADE made = example(), empty = empty_example();
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_CIGAR, 2, NULL);
  cr_expect_str_eq(text, "4=1D4=1I1=2X1=\n4=1D4=1I1=2X1=\n");
  expect_written(&empty, CLA_FORMAT_CIGAR, "\n");
}

Test(paf, has_twelve_columns_and_tags) {
  OWNED_MADE made = example(), empty = empty_example();
  made_alignment_rename(&made.alignment->query, "a name\twith\ngaps");
  made_alignment_rename(&made.alignment->target, "");
  made.alignment->metrics.seconds = 5; /* nothing that varies is written */
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_PAF, 2, NULL);
  cr_expect_str_eq(
      text,
      "a_name_with_gaps\t16\t2\t15\t+\ttarget\t17\t2\t15\t10\t14\t255\ttp:A:P\tNM:i:4\tde:f:0.2857\t"
      "AS:i:4\tcg:Z:4=1D4=1I1=2X1=\tcs:Z::4-g:4+t:1*gc*nn:1\n"
      "a_name_with_gaps\t16\t2\t15\t+\ttarget\t17\t2\t15\t10\t14\t255\ttp:A:S\tNM:i:4\tde:f:0.2857\t"
      "AS:i:4\tcg:Z:4=1D4=1I1=2X1=\tcs:Z::4-g:4+t:1*gc*nn:1\n");
  expect_written(&empty, CLA_FORMAT_PAF, "");
}

/* Readers part columns with Python's split, which does so at any blank of Unicode. */
Test(paf, has_names_without_any_blank) {
  OWNED_MADE made = example();
  made_alignment_rename(&made.alignment->query,
                        "a\xc2\xa0"
                        "b\xc2\x85"
                        "c\xe2\x80\xa8"
                        "d\xe3\x80\x80"
                        "e");
  made_alignment_rename(&made.alignment->target,
                        "\xe2\x80\x80\xe1\x9a\x80\xe2\x81\x9f\xe2\x80\xaf\xe2\x80\xa9 \x1c"
                        "\xe2\x80\x8b\xc3\xa9\xe2\x98\x83\xa0");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_PAF);
  cr_expect(strstr(text, "a__b__c___d___e\t16\t") == text, "%s", text);
  cr_expect(strstr(text, "\t_________________\xe2\x80\x8b\xc3\xa9\xe2\x98\x83\xa0\t17\t"), "%s", text);
}

Test(blast, has_no_name_that_makes_its_line_a_comment) {
  OWNED_MADE made = example();
  made_alignment_rename(&made.alignment->query, "#q#");
  made_alignment_rename(&made.alignment->target, "#t");
  OWNED(free_memory) char *table = made_alignment_written(&made, CLA_FORMAT_BLAST);
  OWNED(free_memory) char *commented = made_alignment_written(&made, CLA_FORMAT_BLAST7);
  cr_expect(strstr(table, "_q#\t#t\t") == table, "%s", table);
  cr_expect(strstr(commented, "\n_q#\t#t\t"), "%s", commented);
}

Test(json, has_the_documented_keys_in_order) {
  OWNED_MADE made = example();
  made.alignment->metrics = (cla_metrics){.cells = 272000000,
                                          .cells_computed = 544000000,
                                          .pruned = true,
                                          .lower_bound = 3,
                                          .seconds = 0.25,
                                          .sweep_seconds = 0.125,
                                          .build_seconds = 2.5,
                                          .search = {.cells = 1, .seconds = 0.5},
                                          .blocks = {.cells = 2, .seconds = 0.75},
                                          .bands = {.cells = 3, .seconds = 1.5},
                                          .device = "a device"};
  expect_written(
      &made, CLA_FORMAT_JSON,
      "{\"score\":4,\"mode\":\"local\",\"type\":\"dna\","
      "\"query\":{\"name\":\"q\",\"length\":16,\"start\":2,\"end\":15,\"strand\":\"+\",\"rotation\":0},"
      "\"target\":{\"name\":\"t\",\"length\":17,\"start\":2,\"end\":15,\"strand\":\"+\",\"rotation\":0},"
      "\"matches\":10,\"mismatches\":2,\"positives\":10,\"gap_opens\":2,\"gap_letters\":2,\"columns\":14,"
      "\"gap_compressed_identity\":0.714286,\"cigar\":\"4=1D4=1I1=2X1=\",\"gap_placement\":\"canonical\","
      "\"scoring\":{\"match\":1,\"mismatch\":-1,\"gap_first\":2,\"gap_ext\":1,"
      "\"gap_first2\":null,\"gap_ext2\":null,\"matrix\":null,"
      "\"ambiguity\":\"mismatch\"},"
      "\"cells\":272000000,\"cells_computed\":544000000,\"verified\":\"path\",\"lower_bound\":3,\"seconds\":"
      "0.25,\"build_seconds\":2.5,\"gcups\":1.088,"
      "\"gcups_raw\":2.176,"
      "\"stages\":{\"bounds\":{\"cells\":0,\"seconds\":0.0},\"sweep\":{\"cells\":543999994,\"seconds\":0.125}"
      ",\"search\":{\"cells\":1,\"seconds\":0.5}"
      ","
      "\"blocks\":{\"cells\":2,\"seconds\":0.75},\"bands\":{\"cells\":3,\"seconds\":1.5}},"
      "\"device\":\"a device\",\"exact\":true}\n");
}

Test(json, has_the_levels_of_the_bounds) {
  OWNED_MADE made = example();
  cla_metrics *metrics = &made.alignment->metrics;
  *metrics = (cla_metrics){.cells = 272, .cells_computed = 544, .bounds = {.cells = 7, .seconds = 0.5}};
  metrics->levels[0] = (cla_bound_level){.left = 0.125, .seconds = 0.25};
  metrics->levels[1] = (cla_bound_level){.size = CLA_LEVEL_MIDDLE,
                                         .edits = true,
                                         .left = 0.0625,
                                         .cells = 7,
                                         .exact_cells = 5,
                                         .seconds = 0.125};
  for (int end = CLA_LEVEL_UNLIKE; end <= CLA_LEVEL_ENOUGH; end++)
    metrics->levels[end + 1] =
        (cla_bound_level){.size = CLA_LEVEL_FINE, .end = (cla_level_end)end, .left = 1};
  metrics->level_count = CLA_LEVEL_ENOUGH + 2;
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_JSON);
  static const char left_out[] =
      "{\"size\":\"fine\",\"by\":\"seeds\",\"left\":null,\"cells\":0,\"exact_cells\":0,"
      "\"seconds\":0.0,\"left_out\":\"%s\"}%s";
  char want[2000] =
      "\"bounds\":{\"cells\":7,\"seconds\":0.5,\"levels\":["
      "{\"size\":\"coarse\",\"by\":\"seeds\",\"left\":0.125,\"cells\":0,\"exact_cells\":0,"
      "\"seconds\":0.25,\"left_out\":null},"
      "{\"size\":\"middle\",\"by\":\"edits\",\"left\":0.0625,\"cells\":7,\"exact_cells\":5,"
      "\"seconds\":0.125,\"left_out\":null},";
  static const char *const words[] = {"unlike", "time", "memory", "enough"};
  for (int i = 0; i < 4; i++)
    snprintf(want + strlen(want), sizeof want - strlen(want), left_out, words[i], i < 3 ? "," : "]},");
  cr_expect(strstr(text, want), "%s", text);
}

static json_t *parsed(const made_alignment *made) {
  char *text = made_alignment_written(made, CLA_FORMAT_JSON);
  json_error_t error;
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  cr_assert_not_null(object, "%s: %s", error.text, text);
  char *newline = strchr(text, '\n');
  cr_expect(newline && newline[1] == 0);
  free(text);
  return object;
}

Test(json, has_nulls_for_what_a_path_is_needed_for) {
  static const char *const keys[] = {
      "matches", "mismatches", "gap_opens", "gap_letters", "columns", "cigar", "gap_compressed_identity"};
  OWNED_MADE made = score_only_example();
  json_t *object = parsed(&made);
  for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
    cr_expect(json_is_null(json_object_get(object, keys[index])));
  json_t *query = json_object_get(object, "query");
  cr_expect(json_is_null(json_object_get(query, "start")));
  cr_expect_eq(json_integer_value(json_object_get(query, "end")), 4);
  cr_expect_eq(json_integer_value(json_object_get(object, "score")), -14);
  cr_expect_str_eq(json_string_value(json_object_get(object, "mode")), "global");
  json_decref(object);
}

Test(json, says_how_a_score_alone_was_verified) {
  static const char *const words[] = {
      [CLA_VERIFIED_NOT] = NULL, [CLA_VERIFIED_END] = "end", [CLA_VERIFIED_PATH] = "path"};
  OWNED_MADE made = example();
  made.alignment->has_path = false;
  for (int how = CLA_VERIFIED_NOT; how <= CLA_VERIFIED_PATH; how++) {
    made.alignment->metrics.verified = (cla_verified)how;
    json_t *object = parsed(&made), *value = json_object_get(object, "verified");
    cr_assert_not_null(value);
    if (words[how])
      cr_expect_str_eq(json_string_value(value), words[how]);
    else
      cr_expect(json_is_null(value));
    json_decref(object);
  }
}

Test(json, has_nulls_for_what_was_not_measured) {
  static const char *const keys[] = {"cells_computed", "lower_bound", "seconds", "build_seconds",
                                     "gcups",          "gcups_raw",   "stages",  "device"};
  OWNED_MADE made = example();
  json_t *object = parsed(&made);
  for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
    json_t *value = json_object_get(object, keys[index]);
    cr_expect(value && json_is_null(value), "%s", keys[index]);
  }
  cr_expect_eq(json_integer_value(json_object_get(object, "cells")), 16 * 17);
  json_decref(object);
  made.alignment->metrics = (cla_metrics){.cells = 272, .cells_computed = 300, .device = "d"};
  object = parsed(&made); /* too fast for the clock: no rate */
  cr_expect(json_is_null(json_object_get(object, "gcups")));
  cr_expect_eq(json_real_value(json_object_get(object, "seconds")), 0);
  cr_expect_eq(json_integer_value(json_object_get(object, "cells_computed")), 300);
  json_decref(object);
}

Test(json, of_an_empty_alignment_has_zeros_and_an_empty_cigar) {
  OWNED_MADE made = empty_example();
  json_t *object = parsed(&made);
  json_t *target = json_object_get(object, "target");
  cr_expect_eq(json_integer_value(json_object_get(target, "start")), 0);
  cr_expect(json_is_integer(json_object_get(target, "start")));
  cr_expect_eq(json_integer_value(json_object_get(target, "end")), 0);
  cr_expect_str_eq(json_string_value(json_object_get(object, "cigar")), "");
  cr_expect_eq(json_integer_value(json_object_get(object, "columns")), 0);
  json_decref(object);
}

Test(json, escapes_names_and_replaces_bytes_that_are_no_utf8) {
  static const char *const cases[][2] = {
      {"a\"b\\c\td\x01", "a\"b\\c\td\x01"},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa7\xac", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa7\xac"},
      {"caf\xe9", "caf\xef\xbf\xbd"},
      {"\xff\xfe"
       "x",
       "\xef\xbf\xbd\xef\xbf\xbdx"},
      {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* overlong */
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* surrogate */
      {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* above U+10FFFF */
      {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* cut off */
      {"", ""},
  };
  OWNED_MADE made = example();
  for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    made_alignment_rename(&made.alignment->query, cases[index][0]);
    json_t *object = parsed(&made);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(object, "query"), "name")),
                     cases[index][1], "case %zu", index);
    json_decref(object);
  }
}

Test(json, holds_a_whole_matrix) {
  OWNED_MADE made = example();
  cla_scoring *scoring = &made.alignment->scoring;
  scoring->matrix_size = 2;
  strcpy(scoring->letters, "A*");
  strcpy(scoring->matrix_name, "mine");
  scoring->matrix[0] = 5;
  scoring->matrix[1] = -4;
  scoring->matrix[CLA_MATRIX_STRIDE] = -3;
  scoring->matrix[CLA_MATRIX_STRIDE + 1] = 1;
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_JSON);
  cr_expect(strstr(text,
                   "\"scoring\":{\"match\":null,\"mismatch\":null,\"gap_first\":2,\"gap_ext\":1,"
                   "\"gap_first2\":null,\"gap_ext2\":null,\"matrix\":{\"name\":\"mine\",\"letters\":\"A*\","
                   "\"scores\":[[5,-4],[-3,1]]},"
                   "\"ambiguity\":null}"),
            "%s", text);
}

Test(json, has_one_object_per_line) {
  OWNED_MADE made = example();
  OWNED(free_memory) char *text = made_alignment_written_with(&made, CLA_FORMAT_JSON, 2, NULL);
  size_t half = strlen(text) / 2;
  cr_expect_eq(strlen(text), 2 * half);
  cr_expect_eq(text[half - 1], '\n');
  cr_expect_arr_eq(text, text + half, half);
}
