/* Plots: files that are what their names say, and texts and sizes of an SVG. */

#include "clalign/plot.h"

#include <unistd.h>

#include "base/extremes.h"
#include "result/alignment.h"
#include "support/made_alignment.h"
#include "support/test.h"

static char *folder;

static void set_up(void) {
  folder = made_folder();
}

static void tear_down(void) {
  made_folder_remove(folder);
}

TestSuite(plot, .init = set_up, .fini = tear_down);

/* Plots into `name` and gives back the file's bytes. */
static char *plotted(const char *name, const made_alignment *made, const cla_plot_options *options,
                     size_t *length) {
  const cla_alignment *alignments[] = {made->alignment};
  char *path = made_path(folder, name);
  assert_ok(cla_plot_write(
      path,
      &(cla_results){.alignments = alignments, .count = 1, .query = made->query, .target = made->target},
      options, &why));
  char *bytes = made_read(path, length);
  free(path);
  return bytes;
}

static cla_status status_of(const char *name, const made_alignment *made, const cla_plot_options *options,
                            cla_error *error) {
  const cla_alignment *alignments[] = {made->alignment};
  char *path = made_path(folder, name);
  const cla_status status = cla_plot_write(
      path,
      &(cla_results){.alignments = alignments, .count = 1, .query = made->query, .target = made->target},
      options, error);
  free(path);
  return status;
}

static made_alignment example(void) {
  return made_alignment_make("TTACGTACGTTACGT", "GGACGTGACGTACGT", CLA_MODE_LOCAL, 2, 2, "4P1T4P1Q4P");
}

static void expect_text(const char *bytes, const char *text) {
  cr_expect(strstr(bytes, text), "no %s", text);
}

/* As much of XML as the SVG uses: every tag is closed, and attributes hold no quote or sign that ends them.
 */
static void expect_well_formed(const char *bytes) {
  int open = 0;
  for (const char *at = bytes; (at = strchr(at, '<')); at++) {
    const char *end = strchr(at, '>');
    cr_assert_not_null(end);
    if (at[1] == '?') continue;
    const char *next = strchr(at + 1, '<');
    cr_assert(!next || next > end, "a tag within a tag: %.80s", at);
    open += at[1] == '/' ? -1 : end[-1] != '/';
    cr_assert_geq(open, 0);
  }
  cr_assert_eq(open, 0);
  for (const char *at = bytes; (at = strchr(at, '&')); at++)
    cr_assert(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0);
}

Test(plot, svg_has_names_marks_score_and_gaps_as_text) {
  OWNED_MADE made = example();
  made_alignment_rename(&made.alignment->query, "first strain");
  made_alignment_rename(&made.alignment->target, "second_strain");
  size_t length = 0;
  OWNED(free_memory) char *svg = plotted("a.svg", &made, NULL, &length);
  expect_well_formed(svg);
  expect_text(svg, ">first strain \xc3\x97 second_strain<");
  expect_text(svg, ">query first strain (bp)<");
  expect_text(svg, ">target second_strain (bp)<");
  expect_text(svg, ">local alignment, forward strand, score 2<");
  expect_text(svg, ">identity 85.71 % of 14 columns, 2 gaps of 2 letters<");
  for (int mark = 0; mark <= 15; mark += 5) {
    char text[16];
    snprintf(text, sizeof text, ">%d<", mark);
    expect_text(svg, text);
  }
  expect_text(svg, ">missing in<");
}

Test(plot, names_cannot_break_the_file) {
  OWNED_MADE made = example();
  char longest[2001];
  memset(longest, 'W', 2000);
  longest[2000] = 0;
  const char *const names[] = {"a<b>&\"c\"'d'",
                               "\xff\xfe\x80 half \xe2\x98",
                               "\xef\xbf\xbe\xef\xbf\xbf]]>\xef\xb7\x90\xf0\x9f\xbf\xbex",
                               "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\xa7\xac",
                               "new\nline\ttab\x01\x1b\x7f",
                               "</svg><script>",
                               "",
                               longest};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    made_alignment_rename(&made.alignment->query, names[i]);
    made_alignment_rename(&made.alignment->target, names[i]);
    for (int kind = 0; kind < 4; kind++) {
      static const char *const files[] = {"a.svg", "a.png", "a.pdf", "a.html"};
      size_t length = 0;
      OWNED(free_memory) char *bytes = plotted(files[kind], &made, NULL, &length);
      cr_assert_gt(length, 1000);
      if (kind == 0) {
        expect_well_formed(bytes);
        for (size_t at = 0; at < length; at++)
          cr_assert((unsigned char)bytes[at] >= ' ' || bytes[at] == '\n', "name %zu", i);
        cr_assert_null(strstr(bytes, "\xef\xbf\xbe"));
        cr_assert_null(strstr(bytes, "<script"));
      }
      /* The data are one line of JSON without a tag. */
      const char *data = kind == 3 ? strstr(bytes, "id=\"data\">") : NULL;
      if (kind == 3) cr_assert_not_null(data);
      if (kind == 3) cr_assert_eq(strchr(data, '<'), strstr(data, "</script>\n"));
    }
  }
}

Test(plot, long_names_keep_whole_characters) {
  OWNED_MADE made = example();
  char name[1201];
  for (int i = 0; i < 400; i++) memcpy(name + 3 * i, "\xe2\x98\x83", 4);
  for (int start = 0; start < 3; start++) {
    char shifted[1210] = "ab";
    strcpy(shifted + start, name);
    made_alignment_rename(&made.alignment->query, shifted);
    size_t length = 0;
    char *svg = plotted("a.svg", &made, NULL, &length);
    cr_assert_null(strstr(svg, "\xef\xbf\xbd")); /* nothing had to be replaced */
    cr_assert(strstr(svg, "\xe2\x98\x83\xe2\x80\xa6"), "no ellipsis behind a whole character");
    free(svg);
    free(plotted("a.png", &made, NULL, &length)); /* cairo refuses half characters */
  }
}

Test(plot, tells_that_a_device_is_full) {
  OWNED_MADE made = example();
  for (int kind = 0; kind < 4; kind++) {
    static const char *const files[] = {"a.svg", "a.png", "a.pdf", "a.html"};
    OWNED(free_memory) char *path = made_path(folder, files[kind]);
    cr_assert_eq(symlink("/dev/full", path), 0);
    assert_error(status_of(files[kind], &made, NULL, &why), CLA_ERROR_OUTPUT,
                 "No space left on device; free some space");
  }
}

Test(plot, the_name_decides_the_format) {
  OWNED_MADE made = example();
  static const struct {
    const char *name, *magic;
  } files[] = {{"a.png", "\x89PNG\r\n\x1a\n"},
               {"b.PDF", "%PDF-"},
               {"c.svg", "<?xml"},
               {"d.Svg", "<?xml"},
               {"e.html", "<!DOCTYPE html>"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    size_t length = 0;
    OWNED(free_memory) char *bytes = plotted(files[i].name, &made, NULL, &length);
    cr_expect_eq(memcmp(bytes, files[i].magic, strlen(files[i].magic)), 0, "%s", files[i].name);
  }
  static const char *const others[] = {"a.bmp", "svg", "a.svgz", "a", "png.", ".png.txt"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    why = (cla_error){0};
    cr_expect_eq(status_of(others[i], &made, NULL, &why), CLA_ERROR_OPTION, "%s", others[i]);
    cr_expect(strstr(why.message, ".svg"), "%s", why.message);
  }
  cr_expect_eq(made_folder_entries(folder), 5);
}

Test(plot, a_file_that_cannot_be_written_leaves_nothing) {
  OWNED_MADE made = example();
  const cla_alignment *alignments[] = {made.alignment};
  assert_error(
      cla_plot_write(
          "/dev/null/a.svg",
          &(cla_results){.alignments = alignments, .count = 1, .query = made.query, .target = made.target},
          NULL, &why),
      CLA_ERROR_OUTPUT, "/dev/null/a.svg");
  made.alignment->runs[0].length++; /* the alignment does not fit its sequences any more */
  cr_expect_eq(status_of("a.png", &made, NULL, &why), CLA_ERROR_VERIFICATION);
  cr_expect_eq(
      cla_plot_write(
          "a.svg",
          &(cla_results){.alignments = alignments, .count = 0, .query = made.query, .target = made.target},
          NULL, &why),
      CLA_ERROR_OPTION);
  cr_expect_eq(made_folder_entries(folder), 0);
}

Test(plot, the_same_input_gives_the_same_bytes) {
  OWNED_MADE made = example();
  static const char *const files[] = {"a.svg", "a.png", "a.pdf", "a.html"};
  for (int i = 0; i < 4; i++) {
    size_t first_length = 0, second_length = 0;
    OWNED(free_memory) char *first = plotted(files[i], &made, NULL, &first_length);
    OWNED(free_memory) char *second = plotted(files[i], &made, NULL, &second_length);
    cr_expect_eq(first_length, second_length);
    cr_expect_eq(memcmp(first, second, first_length), 0, "%s", files[i]);
  }
}

static cla_sequence *letters(const char *name, int64_t count) {
  cla_sequence *sequence = NULL;
  char *text = malloc((size_t)count + 1);
  for (int64_t i = 0; i < count; i++) text[i] = "ACGT"[i % 4];
  assert_ok(cla_sequence_from_letters_with(
      &sequence, name, text, count, &(cla_sequence_options){.known = true, .alphabet = CLA_ALPHABET_DNA},
      &why));
  free(text);
  return sequence;
}

/* Of so many letters of a query, in runs that repeat: pairs, query letters, pairs, target letters. */
static made_alignment repeated(int64_t rounds, int64_t pairs, int64_t gap) {
  made_alignment made = {0};
  cla_scoring scoring = default_scoring();
  const int64_t count = rounds * (2 * pairs + gap);
  made.query = letters("q", count);
  made.target = letters("t", count);
  assert_ok(alignment_create(&made.alignment, made.query, made.target, CLA_MODE_GLOBAL, &scoring, &why));
  cla_alignment *alignment = made.alignment;
  alignment->runs = calloc((size_t)(4 * rounds + 1), sizeof(cla_run));
  alignment->has_path = true;
  alignment->query.start = alignment->target.start = 0;
  alignment->query.stop = alignment->target.stop = count;
  for (int64_t i = 0; i < rounds; i++) {
    const cla_run runs[] = {
        {pairs, CLA_RUN_PAIR}, {gap, CLA_RUN_QUERY}, {pairs, CLA_RUN_PAIR}, {gap, CLA_RUN_TARGET}};
    memcpy(alignment->runs + alignment->run_count, runs, sizeof runs);
    alignment->run_count += 4;
  }
  return made;
}

/* As much as a record of the work can hold. */
static cla_work *full_work(int64_t rows, int64_t columns) {
  cla_work *work = NULL;
  assert_ok(work_record_create(&work, &work_room_most, &why));
  for (int64_t i = 0; i < CLA_WORK_BANDS_MOST; i++) {
    const int64_t row = rows * i / CLA_WORK_BANDS_MOST, after = rows * (i + 1) / CLA_WORK_BANDS_MOST;
    const int64_t column = columns / 2 * i / CLA_WORK_BANDS_MOST;
    work->bands[i] =
        (cla_work_band){.row = row, .rows = after - row, .column = column, .columns = columns / 2};
    work->special_rows[i] = after;
    work->cells += (after - row) * (columns / 2);
  }
  for (int64_t i = 0; i < CLA_WORK_CROSSPOINTS_MOST; i++)
    work->crosspoints[i] = (cla_crosspoint){.row = rows * i / CLA_WORK_CROSSPOINTS_MOST,
                                            .column = columns * i / CLA_WORK_CROSSPOINTS_MOST};
  work->band_count = CLA_WORK_BANDS_MOST;
  work->special_row_count = CLA_WORK_ROWS_MOST;
  work->crosspoint_count = CLA_WORK_CROSSPOINTS_MOST;
  work->special_rows_kept = 100000;
  work->crosspoints_met = 200000;
  for (int level = 0; level < CLA_LEVELS_MOST; level++) {
    work->levels[level] = (cla_work_level){.size = level < 2 ? (cla_level_size)level : CLA_LEVEL_FINE,
                                           .edits = level == 4,
                                           .cells = rows * columns / (level + 2),
                                           .band_count = CLA_WORK_BANDS_MOST};
    for (int64_t i = 0; i < CLA_WORK_BANDS_MOST; i++) {
      const int64_t away = columns / (4 + 2 * level + (i & 16));
      cla_work_band *band = &work->level_bands[level * CLA_WORK_BANDS_MOST + i];
      *band = work->bands[i];
      band->column = larger(columns * i / CLA_WORK_BANDS_MOST - away, 0);
      band->columns = smaller(2 * away, columns - band->column);
    }
  }
  work->level_count = CLA_LEVELS_MOST;
  work->level_band_count = CLA_LEVELS_MOST * CLA_WORK_BANDS_MOST;
  return work;
}

Test(plot, an_svg_of_30_mbp_and_a_million_gaps_is_small) {
  OWNED_MADE made = repeated(500000, 29, 2);
  made.alignment->work = full_work(made.alignment->query.length, made.alignment->target.length);
  size_t length = 0;
  char *svg = plotted("a.svg", &made, &(cla_plot_options){.work = true}, &length);
  cr_expect_lt(length, 300000);
  expect_well_formed(svg);
  expect_text(svg, ">query q (Mbp)<");
  expect_text(svg, ">The 10 largest of 1,000,000 gaps<");
  expect_text(svg, "100,000 drawn)<");
  expect_text(svg, ">left by the coarse level, by seeds (50.00 %)<");
  expect_text(svg, ">left by the middle level, by seeds (33.33 %)<");
  expect_text(svg, ">left by the fine level, by edits (16.67 %)<");
  expect_text(svg, ">left by the fine level, by seeds (14.29 %)<");
  free(svg);
  cla_plot_options part = {.query = {.from = 12000000, .to = 12000400}};
  svg = plotted("b.svg", &made, &part, &length);
  cr_expect_lt(length, 100000);
  expect_text(svg, ">12,000,100<");
  expect_text(svg, ">Only a part of the matrix is drawn, as are its gaps.<");
  free(svg);
  char *page = plotted("c.html", &made, NULL, &length);
  cr_expect_lt(length, 20000000);
  expect_text(page, "id=\"path0\">");
  cr_expect_null(strstr(page, "id=\"query\">"), "letters of so long sequences are left out");
  free(page);
}

Test(plot, a_page_has_path_letters_and_part) {
  OWNED_MADE made = example();
  made.alignment->work = full_work(15, 15);
  const cla_plot_options part = {.target = {3, 9}, .work = true, .dark = true, .title = "\"<&>\""};
  size_t length = 0;
  OWNED(free_memory) char *page = plotted("a.html", &made, &part, &length);
  expect_text(page, "<script type=\"text/plain\" id=\"path0\">4=1D4=1I4=</script>");
  expect_text(page, "id=\"query\">TTACGTACGTTACGT</script>");
  expect_text(page, "id=\"target\">GGACGTGACGTACGT</script>");
  expect_text(page, "\"target\":[3,9]");
  expect_text(page, "\"dark\":true");
  expect_text(page, "\"bands\":[[0,");
  expect_text(page, "\"levels\":[{\"text\":\"left by the coarse level, by seeds (49.78 %)\",\"bands\":[[0,");
  expect_text(page, "\"title\":\"\\\"\\u003c&>\\\"\"");
}

static int count_of(const char *bytes, const char *text) {
  int count = 0;
  for (; (bytes = strstr(bytes, text)); bytes++) count++;
  return count;
}

/* What a level leaves is one area with one border, drawn along diagonals as lines; without one, nothing is.
 */
Test(plot, levels_are_areas_one_within_the_other) {
  OWNED_MADE made = repeated(500, 29, 2);
  const int64_t rows = made.alignment->query.length, columns = made.alignment->target.length;
  cla_work *work = made.alignment->work = full_work(rows, columns);
  static const char *const fills[] = {"<path fill=\"#d9ece3\"", "<path fill=\"#b5dcc9\""};
  size_t length = 0;
  for (int64_t i = 0; i < 2 * CLA_WORK_BANDS_MOST; i++) { /* one diagonal on either side */
    cla_work_band *band = &work->level_bands[i];
    const int64_t away = columns / (i < CLA_WORK_BANDS_MOST ? 4 : 8);
    band->column = larger(band->row - away, 0);
    band->columns = smaller(band->row + band->rows + away, columns) - band->column;
  }
  for (int levels = 0; levels <= 2; levels++) {
    work->level_count = (size_t)levels;
    work->level_band_count = (size_t)levels * CLA_WORK_BANDS_MOST;
    OWNED(free_memory) char *svg = plotted("a.svg", &made, &(cla_plot_options){.work = true}, &length);
    cr_expect_eq(count_of(svg, ">left by the "), levels);
    cr_expect_eq(count_of(svg, "stroke=\"#009e73\""), levels);
    for (int i = 0; i < 2; i++) {
      const char *area = strstr(svg, fills[i]), *next = i ? NULL : area ? strstr(area, fills[1]) : NULL;
      cr_assert_eq(area != NULL, i < levels);
      if (!area) continue;
      cr_expect_lt(strcspn(area + 22, "\n"), 200, "an area of few lines: %.300s", area);
      if (levels == 2 && i == 0) cr_expect(next, "the finer level lies above");
    }
  }
}

/* A path whose points all lie far from each other, and from the diagonal. */
Test(plot, an_svg_of_a_path_that_turns_everywhere_is_small) {
  OWNED_MADE made = repeated(1500, 2, 9000);
  size_t length = 0;
  OWNED(free_memory) char *svg = plotted("a.svg", &made, NULL, &length);
  cr_expect_lt(length, 300000);
  expect_well_formed(svg);
}

Test(plot, extremes_can_be_drawn) {
  OWNED(free_memory) char *long_target = malloc(100001);
  memset(long_target, 'A', 100000);
  long_target[100000] = 0;
  struct {
    const char *query, *target;
    cla_mode mode;
    const char *path;
  } cases[] = {
      {"A", "A", CLA_MODE_GLOBAL, "1P"},
      {"A", "C", CLA_MODE_LOCAL, ""},
      {"A", "C", CLA_MODE_GLOBAL, "1Q1T"},
      {"ACGT", "AC", CLA_MODE_GLOBAL, "4Q2T"},
      {"A", "ACGTACGTAA", CLA_MODE_GLOBAL, "9T1P"},
      {"ACA", long_target, CLA_MODE_GLOBAL, "1P99997T2P"},
      {long_target, "ACA", CLA_MODE_GLOBAL, "1P99997Q2P"},
      {long_target, "AAAAA", CLA_MODE_LOCAL, "5P"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    made_alignment made =
        made_alignment_make(cases[i].query, cases[i].target, cases[i].mode, 0, 0, cases[i].path);
    size_t length = 0;
    char *svg = plotted("a.svg", &made, NULL, &length);
    expect_well_formed(svg);
    cr_expect_null(strstr(svg, "nan"));
    cr_expect_null(strstr(svg, "inf"));
    cr_expect_lt(length, 100000);
    free(svg);
    free(plotted("a.png", &made, NULL, &length));
    free(plotted("a.pdf", &made, NULL, &length));
    made_alignment_free(&made);
  }
}

Test(plot, sequences_without_letters_can_be_drawn) {
  OWNED_MADE made = {0};
  cla_scoring scoring = default_scoring();
  const cla_sequence_options empty = {.known = true, .alphabet = CLA_ALPHABET_DNA, .allow_empty = true};
  char *path = made_path(folder, "empty.fa");
  made_write(path, ">e\n", 3);
  assert_ok(cla_sequence_read_with(&made.query, path, &empty, &why));
  assert_ok(cla_sequence_read_with(&made.target, path, &empty, &why));
  free(path);
  assert_ok(alignment_create(&made.alignment, made.query, made.target, CLA_MODE_GLOBAL, &scoring, &why));
  made.alignment->has_path = true;
  made.alignment->query.start = made.alignment->target.start = 0;
  size_t length = 0;
  OWNED(free_memory) char *svg = plotted("a.svg", &made, NULL, &length);
  expect_well_formed(svg);
  cr_expect_null(strstr(svg, "nan"));
  expect_text(svg, ">no letters are aligned<");
}

Test(plot, a_score_without_a_path_can_be_drawn) {
  OWNED_MADE made = example();
  cla_alignment *alignment = made.alignment;
  free(alignment->runs);
  alignment->runs = NULL;
  alignment->run_count = 0;
  alignment->has_path = false;
  alignment->query.start = alignment->target.start = -1;
  size_t length = 0;
  OWNED(free_memory) char *svg = plotted("a.svg", &made, NULL, &length);
  expect_well_formed(svg);
  expect_text(svg, ">the score alone, without the alignment<");
  expect_text(svg, ">where the alignment ends<");
}

/* The width that an SVG begins with. */
static double width_of(const char *svg) {
  const char *at = strstr(svg, " width=\"");
  cr_assert_not_null(at);
  return strtod(at + 8, NULL);
}

Test(plot, title_size_and_ground_are_as_asked) {
  OWNED_MADE made = example();
  size_t length = 0;
  const cla_plot_options large = {.size = 1000, .title = "<Figure 1>", .dark = true};
  OWNED(free_memory) char *usual = plotted("a.svg", &made, NULL, &length);
  OWNED(free_memory) char *other = plotted("b.svg", &made, &large, &length);
  expect_well_formed(other);
  cr_expect_float_eq(width_of(other) - width_of(usual), 400, 1e-9);
  expect_text(other, ">&lt;Figure 1&gt;<");
  cr_expect_null(strstr(other, "\xc3\x97"));
  cr_expect_null(strstr(other, "#ffffff"), "a dark ground has no white");
  expect_text(usual, "#ffffff");
}

static uint32_t png_width(const char *bytes) {
  const unsigned char *at = (const unsigned char *)bytes + 16;
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

Test(plot, dots_an_inch_make_more_pixels) {
  OWNED_MADE made = example();
  size_t length = 0;
  OWNED(free_memory) char *usual = plotted("a.png", &made, NULL, &length);
  OWNED(free_memory) char *fine = plotted("b.png", &made, &(cla_plot_options){.dpi = 192}, &length);
  cr_expect_eq(png_width(fine), 2 * png_width(usual));
}

Test(plot, wrong_sizes_are_refused) {
  const cla_plot_options wrong[] = {{.size = 199}, {.size = 4001}, {.size = -1}, {.dpi = 47}, {.dpi = 601}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_error(cla_plot_check("a.png", &wrong[i], NULL, NULL, &why), CLA_ERROR_OPTION, "give ");
}

Test(plot, what_was_computed_is_drawn_where_it_is_asked_for_and_known) {
  OWNED_MADE made = example();
  size_t length = 0;
  const cla_plot_options asked = {.work = true};
  assert_error(status_of("a.svg", &made, &asked, &why), CLA_ERROR_OPTION, "--save-work");
  made.alignment->work = full_work(15, 15);
  OWNED(free_memory) char *clean = plotted("a.svg", &made, NULL, &length);
  OWNED(free_memory) char *work = plotted("b.svg", &made, &asked, &length);
  cr_expect_null(strstr(clean, ">computed by the sweep"));
  expect_text(work, ">computed by the sweep");
}

Test(plot, wrong_ranges_are_refused) {
  OWNED_MADE made = example();
  const cla_plot_range wrong[] = {{0, 16}, {5, 5}, {-1, 3}, {9, 4}, {15, 16}, {0, INT64_MAX}, {-5, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    for (int query = 0; query < 2; query++) {
      cla_plot_options options = {0};
      *(query ? &options.query : &options.target) = wrong[i];
      assert_error(cla_plot_check("a.svg", &options, made.query, made.target, &why), CLA_ERROR_OPTION,
                   query ? "query" : "target");
      cr_expect_eq(status_of("a.svg", &made, &options, &why), CLA_ERROR_OPTION);
    }
  cla_plot_options right = {.query = {0, 15}, .target = {14, 15}};
  assert_ok(cla_plot_check("a.svg", &right, made.query, made.target, &why));
  assert_ok(cla_plot_check("a.svg", NULL, NULL, NULL, &why));
  cr_expect_eq(made_folder_entries(folder), 0);
}
