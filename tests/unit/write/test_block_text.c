/* What is written of blocks of arrays against cla_writer_put of the same alignments, byte for byte. */

#include <htslib/sam.h>
#include <inttypes.h>

#include "clalign/write.h"
#include "result/cigar_reader.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

#define PAIRS 60
#define LETTERS_MOST 70
#define BLOCK_PAIRS 7
#define NAME_BYTES 260

/* The same pairs as objects and as arrays. */
typedef struct both_forms {
  made_alignment made[PAIRS];
  uint8_t codes[2][PAIRS * LETTERS_MOST], status[PAIRS], none[PAIRS], strand[PAIRS];
  char names[2][PAIRS * NAME_BYTES];
  int64_t offsets[2][PAIRS + 1], name_offsets[2][PAIRS + 1], of[PAIRS];
  int64_t score[PAIRS], start[2][PAIRS], end[2][PAIRS], run_offsets[PAIRS + 1];
  uint32_t runs[PAIRS * 2 * LETTERS_MOST];
  cla_record_block records[2];
} both_forms;

static void add_record(both_forms *forms, int side, int pair, const cla_sequence *sequence,
                       const char *name) {
  const int64_t at = forms->offsets[side][pair], length = cla_sequence_length(sequence);
  memcpy(forms->codes[side] + at, sequence_codes(sequence), (size_t)length);
  forms->offsets[side][pair + 1] = at + length;
  char *to = forms->names[side] + forms->name_offsets[side][pair];
  forms->name_offsets[side][pair + 1] = forms->name_offsets[side][pair] + (int64_t)strlen(name) + 1;
  strcpy(to, name);
}

/* The same letters by another name. */
static void rename_sequence(cla_sequence **sequence, const char *name) {
  char letters[LETTERS_MOST];
  const cla_sequence_options options = {.known = true};
  const int64_t length = cla_sequence_length(*sequence);
  cla_sequence_letters(letters, *sequence, 0, length);
  cla_sequence_free(*sequence);
  assert_ok(cla_sequence_from_letters_with(sequence, name, letters, length, &options, &why));
}

static void add_runs(both_forms *forms, int pair) {
  const made_alignment *made = &forms->made[pair];
  cigar_reader reader;
  cigar_step step;
  int64_t count = forms->run_offsets[pair];
  cigar_reader_begin(&reader, made->alignment, made->query, made->target);
  while (cigar_reader_next(&reader, &step)) {
    static const uint32_t operations[] = {['I'] = 1, ['D'] = 2, ['='] = 7, ['X'] = 8};
    forms->runs[count++] = (uint32_t)step.length << 4 | operations[(int)step.operation];
  }
  forms->run_offsets[pair + 1] = count;
}

/* What a pair is made of. */
typedef struct pair_plan {
  uint64_t seed;
  bool turned;
  char names[2][NAME_BYTES];
} pair_plan;

static pair_plan plan_pair(random_stream *stream, int pair, uint64_t seed) {
  static const char *const odd[] = {"#a", "a\"b", "q\xc3\xa9", "x\xc2\xa0y", "*z", "a=b;c,d", "@f"};
  pair_plan plan = {.seed = seed, .turned = random_stream_below(stream, 3) == 0};
  const bool strange = random_stream_below(stream, 4) == 0;
  for (int side = 0; side < 2; side++) {
    const uint64_t number = random_stream_below(stream, 8) ? (uint64_t)pair : random_stream_below(stream, 6);
    (void)snprintf(plan.names[side], 32, "%c%" PRIu64 "%s", "qt"[side], number,
                   strange ? odd[random_stream_below(stream, sizeof odd / sizeof *odd)] + side : "");
    if (strange && number == 5) plan.names[side][0] = '\0';
    const bool long_name = random_stream_below(stream, 30) == 0; /* SAM has 254 letters */
    if (long_name) memset(plan.names[side], 'a' + pair, 255 - random_stream_below(stream, 2));
  }
  return plan;
}

/* Some pairs are there again: then records of one query have ranks. */
static both_forms *make_forms(cla_mode mode, uint64_t seed, bool paths) {
  static pair_plan plans[PAIRS];
  both_forms *forms = calloc(1, sizeof *forms);
  random_stream stream;
  cr_assert_not_null(forms);
  random_stream_init(&stream, seed, 0);
  for (int pair = 0; pair < PAIRS; pair++) {
    made_alignment *made = &forms->made[pair];
    plans[pair] = plan_pair(&stream, pair, seed);
    if (pair > 0 && random_stream_below(&stream, 6) == 0)
      plans[pair] = plans[random_stream_below(&stream, (uint64_t)pair)];
    for (*made = made_alignment_random(plans[pair].seed, LETTERS_MOST); made->alignment->mode != mode;
         *made = made_alignment_random(++plans[pair].seed, LETTERS_MOST))
      made_alignment_free(made);
    if (plans[pair].seed >= seed) seed = plans[pair].seed + 1;
    if (plans[pair].turned) made_alignment_turn(made);
    cla_alignment *alignment = made->alignment;
    cla_side *sides[] = {&alignment->query, &alignment->target};
    for (int side = 0; side < 2; side++) {
      const char *name = plans[pair].names[side];
      made_alignment_rename(sides[side], name);
      rename_sequence(side ? &made->target : &made->query, name);
      add_record(forms, side, pair, side ? made->target : made->query, name);
    }
    if (!paths) {
      free(alignment->runs);
      alignment->runs = NULL;
      alignment->run_count = 0;
      alignment->has_path = false;
      if (mode != CLA_MODE_LOCAL || alignment->score != 0) sides[0]->start = sides[1]->start = -1;
      if (alignment->strand == CLA_STRAND_REVERSE) alignment->strand = CLA_STRAND_FORWARD;
      sides[0]->stop = sides[0]->length;
      sides[1]->stop = sides[1]->length;
    } else {
      add_runs(forms, pair);
    }
    for (int side = 0; side < 2; side++) {
      forms->start[side][pair] = sides[side]->start;
      forms->end[side][pair] = sides[side]->stop;
    }
    forms->score[pair] = alignment->score;
    forms->strand[pair] = (uint8_t)alignment->strand;
    forms->none[pair] = random_stream_below(&stream, 10) == 0;
    forms->status[pair] = random_stream_below(&stream, 10) ? CLA_OK : CLA_ERROR_INPUT;
    forms->of[pair] = pair;
  }
  for (int side = 0; side < 2; side++)
    forms->records[side] = (cla_record_block){.count = PAIRS,
                                              .codes = forms->codes[side],
                                              .offsets = forms->offsets[side],
                                              .names = forms->names[side],
                                              .name_offsets = forms->name_offsets[side],
                                              .letters_met = (1 << 15) - 1};
  return forms;
}

static void free_forms(both_forms *forms) {
  for (int pair = 0; pair < PAIRS; pair++) made_alignment_free(&forms->made[pair]);
  free(forms);
}

static void tell(FILE *errors, int64_t pair, cla_status status, const cla_error *error) {
  if (status != CLA_OK) fprintf(errors, "pair %" PRId64 ": %s\n", pair, error->message);
}

static void put_objects(const both_forms *forms, cla_writer *writer, FILE *errors) {
  for (int pair = 0; pair < PAIRS; pair++) {
    const made_alignment *made = &forms->made[pair];
    const cla_alignment *alignments[] = {made->alignment};
    if (forms->status[pair]) continue;
    const cla_status status = cla_writer_put(writer,
                                             &(cla_results){.alignments = alignments,
                                                            .count = !forms->none[pair],
                                                            .query = made->query,
                                                            .target = made->target},
                                             &why);
    tell(errors, pair, status, &why);
  }
}

static void put_blocks(both_forms *forms, cla_writer *writer, bool paths, FILE *errors) {
  cla_block_text text = {0};
  for (int first = 0; first < PAIRS; first += BLOCK_PAIRS) {
    const int64_t count = PAIRS - first < BLOCK_PAIRS ? PAIRS - first : BLOCK_PAIRS;
    const cla_aligned_block block = {.count = count,
                                     .records = {&forms->records[0], &forms->records[1]},
                                     .of = {forms->of + first, forms->of + first},
                                     .status = forms->status + first,
                                     .none = forms->none + first,
                                     .score = forms->score + first,
                                     .start = {forms->start[0] + first, forms->start[1] + first},
                                     .end = {forms->end[0] + first, forms->end[1] + first},
                                     .runs = paths ? forms->runs : NULL,
                                     .run_offsets = forms->run_offsets + first,
                                     .strand = forms->strand + first,
                                     .common = forms->made[0].alignment};
    assert_ok(cla_writer_make_block(&text, writer, &block, &why));
    for (int64_t next = 0; next < count; next++) {
      const cla_status status = cla_writer_add_block(writer, &block, &text, &next, &why);
      tell(errors, first + next, status, &why);
      if (status == CLA_OK) cr_assert_eq(next, count);
    }
  }
  cla_block_text_free(&text);
}

/* The output, and behind it the errors; *bytes in all. */
static char *written(both_forms *forms, cla_format format, const cla_write_options *how, bool blocks,
                     bool paths, size_t *bytes) {
  cla_writer *writer = NULL;
  char *told = NULL;
  size_t told_bytes = 0;
  FILE *stream = tmpfile(), *errors = open_memstream(&told, &told_bytes);
  cr_assert(stream && errors);
  assert_ok(cla_writer_open(&writer, format, NULL, stream, how, &why));
  if (blocks)
    put_blocks(forms, writer, paths, errors);
  else
    put_objects(forms, writer, errors);
  assert_ok(cla_writer_finish(writer, &why));
  fclose(errors);
  const size_t count = (size_t)ftell(stream);
  char *all = calloc(1, count + told_bytes + 1);
  rewind(stream);
  cr_assert_eq(fread(all, 1, count, stream), count);
  fclose(stream);
  memcpy(all + count, told, told_bytes);
  free(told);
  *bytes = count + told_bytes;
  return all;
}

static void check(cla_format format, cla_mode mode, const cla_write_options *how, bool paths) {
  for (uint64_t seed = 1; seed < 400; seed += 100) {
    both_forms *forms = make_forms(mode, seed, paths);
    size_t bytes, other_bytes, same = 0;
    OWNED(free_memory) char *one = written(forms, format, how, false, paths, &bytes);
    OWNED(free_memory) char *other = written(forms, format, how, true, paths, &other_bytes);
    while (same < bytes && same < other_bytes && one[same] == other[same]) same++;
    const bool equal = same == bytes && same == other_bytes;
    while (same > 0 && one[same - 1] != '\n') same--;
    cr_expect(equal, "%s: %.300s\ninstead of %.300s", cla_format_describe(format)->name, other + same,
              one + same);
    cr_expect_gt(bytes, 100);
    free_forms(forms);
  }
}

Test(block_text, is_that_of_alignments_in_every_format) {
  static const cla_write_options with_m = {.cigar = CLA_CIGAR_M};
  for (int format = 0; format < CLA_FORMAT_COUNT; format++) {
    const cla_format_facts *facts = cla_format_describe((cla_format)format);
    if (format == CLA_FORMAT_CLA || facts->many_pairs || facts->certified) continue;
    check((cla_format)format, CLA_MODE_LOCAL, NULL, true);
    check((cla_format)format, CLA_MODE_GLOBAL, &with_m, true);
  }
}

/* By htslib: the text as BAM. */
static void convert(const char *bam_path, const char *sam_path) {
  samFile *in = sam_open(sam_path, "r"), *out = sam_open(bam_path, "wb");
  sam_hdr_t *header = sam_hdr_read(in);
  bam1_t *record = bam_init1();
  kstring_t text = KS_INITIALIZE, line = KS_INITIALIZE;
  size_t bytes;
  OWNED(free_memory) char *whole = made_read(sam_path, &bytes);
  int records = 0, found;
  cr_assert(header && sam_hdr_write(out, header) == 0);
  for (; (found = sam_read1(in, header, record)) >= 0; records++) {
    cr_assert_geq(sam_format1(header, record, &line), 0);
    kputsn(line.s, line.l, &text);
    kputc('\n', &text);
    cr_assert_geq(sam_write1(out, header, record), 0);
  }
  cr_expect_eq(found, -1);
  cr_expect_gt(records, PAIRS / 2);
  cr_expect_str_eq(text.s, strchr(strstr(whole, "@PG"), '\n') + 1);
  ks_free(&text);
  ks_free(&line);
  bam_destroy1(record);
  sam_hdr_destroy(header);
  cr_assert(sam_close(in) >= 0 && sam_close(out) >= 0);
}

static void write_path(both_forms *forms, const char *path, cla_format format, const cla_write_options *how) {
  char *told = NULL;
  size_t told_bytes = 0;
  cla_writer *writer = NULL;
  FILE *errors = open_memstream(&told, &told_bytes);
  assert_ok(cla_writer_open(&writer, format, path, NULL, how, &why));
  put_blocks(forms, writer, true, errors);
  assert_ok(cla_writer_finish(writer, &why));
  fclose(errors);
  free(told);
}

Test(block_text, of_sam_and_bam_is_that_of_htslib) {
  static const cla_write_options ways[] = {{.threads = 1}, {.threads = 3, .cigar = CLA_CIGAR_M}};
  char *folder = made_folder(), *sam = made_path(folder, "a.sam"), *bam = made_path(folder, "a.bam");
  char *by_htslib = made_path(folder, "b.bam");
  for (uint64_t seed = 1; seed < 2000; seed += 100) {
    both_forms *forms = make_forms(seed % 200 == 1 ? CLA_MODE_LOCAL : CLA_MODE_GLOBAL, seed, true);
    size_t length = 0, wanted_length = 0;
    write_path(forms, sam, CLA_FORMAT_SAM, &ways[seed / 100 % 2]);
    write_path(forms, bam, CLA_FORMAT_BAM, &ways[seed / 100 % 2]);
    convert(by_htslib, sam);
    OWNED(free_memory) char *bytes = made_read(bam, &length);
    OWNED(free_memory) char *wanted = made_read(by_htslib, &wanted_length);
    cr_expect(length == wanted_length && memcmp(bytes, wanted, length) == 0, "seed %" PRIu64, seed);
    free_forms(forms);
  }
  made_folder_remove(folder);
  free(sam);
  free(bam);
  free(by_htslib);
}

Test(block_text, scores_alone_are_written_too) {
  static const cla_write_options scores = {.score_only = true};
  check(CLA_FORMAT_JSON, CLA_MODE_GLOBAL, &scores, false);
  check(CLA_FORMAT_TSV, CLA_MODE_GLOBAL, &scores, false);
  check(CLA_FORMAT_TSV, CLA_MODE_GLOBAL, NULL, false);
}

Test(block_text, has_the_columns_that_are_asked_for) {
  static const cla_write_options some = {.columns = "target strand columns,matches query_length std"};
  static const cla_write_options blast = {.columns = "qseqid,score,qseq,evalue"};
  check(CLA_FORMAT_TSV, CLA_MODE_LOCAL, &some, true);
  check(CLA_FORMAT_BLAST, CLA_MODE_LOCAL, &blast, true);
}

Test(block_text, of_a_format_with_paths_is_refused_without) {
  both_forms *forms = make_forms(CLA_MODE_GLOBAL, 1, false);
  cla_writer *writer = NULL;
  cla_block_text text = {0};
  assert_ok(cla_writer_open(&writer, CLA_FORMAT_PAF, NULL, stdout, NULL, &why));
  const cla_aligned_block block = {.count = 1,
                                   .records = {&forms->records[0], &forms->records[1]},
                                   .score = forms->score,
                                   .common = forms->made[0].alignment};
  assert_error(cla_writer_make_block(&text, writer, &block, &why), CLA_ERROR_OPTION,
               "paf needs aligned paths");
  cla_writer_discard(writer);
  free_forms(forms);
}

Test(tsv, has_a_head_and_numbers) {
  OWNED_MADE made = made_alignment_make("ACGTT", "ACCGT", CLA_MODE_GLOBAL, 0, 0, "2P1T2P1Q");
  OWNED(free_memory) char *text = made_alignment_written(&made, CLA_FORMAT_TSV);
  cr_expect_str_eq(
      text,
      "#query\ttarget\tscore\tquery_start\tquery_end\ttarget_start\ttarget_end\tidentity\tcigar\n"
      "q\tt\t-6\t0\t5\t0\t5\t66.667\t2=1D2=1I\n");
}
