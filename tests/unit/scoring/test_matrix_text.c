/* Score matrices in NCBI's text form: what is read, and what is refused with file, line and column. */

#include <sys/stat.h>
#include <unistd.h>

#include "clalign/scoring.h"
#include "scoring/matrix.h"
#include "seq/random_stream.h"
#include "support/made_alignment.h"
#include "support/test.h"

static cla_status parse(cla_scoring *scoring, const char *text, bool asymmetric, cla_error *error) {
  cla_scoring_init(scoring);
  return matrix_text_parse(scoring, text, (int64_t)strlen(text), "'m.txt'", asymmetric, error);
}

static void expect_matrix(const char *text, const char *letters, const int32_t *scores) {
  cla_scoring scoring;
  assert_ok(parse(&scoring, text, true, &why));
  cr_assert_str_eq(scoring.letters, letters);
  const int size = (int)strlen(letters);
  cr_assert_eq(scoring.matrix_size, size);
  for (int i = 0; i < size * size; i++)
    cr_expect_eq(scoring.matrix[i / size * CLA_MATRIX_STRIDE + i % size], scores[i], "score %d of %s", i,
                 text);
  assert_ok(cla_scoring_check(&scoring, &why));
}

Test(matrix_text, is_read_with_comments_and_any_white_space) {
  const int32_t scores[] = {1, -2, -2, 3};
  expect_matrix("A C\nA 1 -2\nC -2 3\n", "AC", scores);
  expect_matrix("# a comment\n\n   A  C\nA  1 -2\n# another\n\nC -2  3", "AC", scores);
  expect_matrix("\tA\tC\nA\t+1\t-2\t\nC\t-2\t3\n", "AC", scores);
  expect_matrix("  a c\r\na 1 -2\r\nc -2 3\r\n", "AC", scores);
  expect_matrix("A C\rA 1 -2\rC -2 3\r", "AC", scores);
  expect_matrix("A C\n  # indented\nC -2 3\nA 1 -2\n", "AC", scores);
}

Test(matrix_text, may_have_one_or_thirty_two_letters) {
  const int32_t one[] = {1000000};
  const char *all = "0123456789abcdefghijklmnopqrstuv";
  OWNED(free_memory) char *text = NULL;
  size_t size = 0;
  expect_matrix("*\n* 1000000\n", "*", one);
  FILE *stream = open_memstream(&text, &size);
  for (const char *at = all; *at; at++) fprintf(stream, " %c", *at);
  for (const char *at = all; *at; at++) {
    fprintf(stream, "\n%c", *at);
    for (const char *other = all; *other; other++) fputs(at == other ? " 5" : " -4", stream);
  }
  fclose(stream);
  cla_scoring scoring;
  assert_ok(parse(&scoring, text, false, &why));
  cr_expect_eq(scoring.matrix_size, 32);
  cr_expect_eq(scoring.matrix[32 * CLA_MATRIX_STRIDE - 1], 5);
  cr_expect_eq(cla_scoring_alphabet(&scoring), CLA_ALPHABET_OWN);
}

/* In the fewest units that do for all, the gap costs that were there included. */
Test(matrix_text, may_have_fractions) {
  const int32_t halves[] = {2, -3, -3, 6}, many[] = {25, -400, -400, 602};
  const struct {
    const char *text;
    int32_t units;
    const int32_t *scores;
  } cases[] = {{"A C\nA 1.0 -1.5\nC -1.500 3\n", 2, halves},
               {"A C\nA +1. -1.5\nC -1.5 3.\n", 2, halves},
               {"A C\nA .125 -2\nC -2 3.01\n", 200, many}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_scoring scoring;
    expect_matrix(cases[i].text, "AC", cases[i].scores);
    assert_ok(parse(&scoring, cases[i].text, false, &why));
    cr_expect_eq(scoring.units, cases[i].units);
    cr_expect_eq(scoring.gap_first, 5 * cases[i].units);
    cr_expect_eq(scoring.gap_ext, 2 * cases[i].units);
  }
}

Test(matrix_text, of_two_directions_is_taken_when_asked_for) {
  const int32_t scores[] = {1, -2, -5, 3};
  expect_matrix("A C\nA 1 -2\nC -5 3\n", "AC", scores);
}

Test(matrix_text, that_is_none_is_refused_with_line_and_column) {
  const char *const cases[][2] = {
      {"", "holds no score matrix"},
      {"# nothing\n\n", "holds no score matrix, only 2 empty or comment lines"},
      {"AC G\nA 1 2\n", "line 1, column 1: 'AC' is no letter"},
      {"A C\nA 1 -2\nC -2\n", "line 3, column 5: the row of C ends after 1 of 2 scores"},
      {"A C\nA 1 -2 7\nC -2 3\n", "line 2, column 8: the row of A has more than 2 scores"},
      {"A C\nA 1 -2\n", "without a row for the letter C; a matrix is square"},
      {"A C\nA 1 -2\nC -2 3\nG 1 1\n", "line 4, column 1: a row for the letter G, which has no column"},
      {"A C\nA 1 -2\nC -2 3\na 1 -2\n", "line 4, column 1: a second row for the letter A, which line 2 has"},
      {"A C a\nA 1 -2 1\n", "line 1, column 5: the letter A is there twice"},
      {"A C\nA 1 -2\nC -3 3\n", "line 3: C with A scores -3, but line 2 has -2 for A with C"},
      {"A C\nA 1 -0.5\nC -2 3\n", "line 3: C with A scores -2, but line 2 has -0.5 for A with C"},
      {"A C\nA 1 0.1234\nC -2 3\n", "line 2, column 5: '0.1234' is no number with at most three decimals"},
      {"A C\nA 1 x\nC -2 3\n", "'x' is no number"},
      {"A C\nA 1 -\nC -2 3\n", "'-' is no number"},
      {"A C\nA 1 .\nC -2 3\n", "'.' is no number"},
      {"A C\nA 1 1.2.3\nC -2 3\n", "'1.2.3' is no number"},
      {"A C\nA 1 --2\nC -2 3\n", "'--2' is no number"},
      {"A C\nA 1 1e3\nC -2 3\n", "'1e3' is no number"},
      {"A C\nA 1000000.5 0\nC 0 3\n", "line 2, column 3: the score 1000000.5 is outside"},
      {"A C\nA 1.5 -600000\nC -600000 3\n",
       "line 2: the score -600000 of A with C is outside -1000000 to 1000000 when all scores are multiplied "
       "by 2"},
      {"A C\nA 1000001 0\nC 0 3\n", "line 2, column 3: the score 1000001 is outside -1000000 to 1000000"},
      {"A C\nA 99999999999999999999 0\nC 0 3\n", "the score 99999999999999999999 is outside"},
      {"A C\n1 -2\n-2 3\n", "line 2, column 1: a row for the letter 1, which has no column"},
      {"A C\n-1 -2\n", "line 2, column 1: '-1' is no letter"},
      {"A \x01\n", "line 1, column 3: '?' is no letter"},
      {"A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 1 2 3 4 5 6 7\n",
       "column 65: the matrix has more than 32"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cla_scoring scoring, before;
    cla_scoring_init(&before);
    assert_error(parse(&scoring, cases[i][0], false, &why), CLA_ERROR_INPUT, cases[i][1]);
    cr_expect(strstr(why.message, "'m.txt'") && !strchr(why.message, '\n'), "%s", why.message);
    cr_expect_arr_eq(&scoring, &before, sizeof scoring);
  }
}

/* Whatever bytes there are: a matrix that can be used, or a message. */
Test(matrix_text, that_is_damaged_ends_with_a_message_or_a_matrix) {
  const char *text = "# made\n   A  C  G  T\nA  5 -4 -4 -4\r\nC -4  5 -4 -4\nG -4 -4  5 -4\nT -4 -4 -4  5\n";
  const int64_t length = (int64_t)strlen(text);
  int accepted = 0;
  for (uint64_t seed = 0; seed < 20000; seed++) {
    char mutant[256];
    random_stream stream;
    random_stream_init(&stream, seed, 0);
    memcpy(mutant, text, (size_t)length);
    for (uint64_t changes = random_stream_below(&stream, 4); changes > 0; changes--)
      mutant[random_stream_below(&stream, (uint64_t)length)] =
          random_stream_below(&stream, 2) ? (char)random_stream_next(&stream)
                                          : " \t\n\r#-+059ACacN*"[random_stream_below(&stream, 16)];
    const int64_t kept = random_stream_below(&stream, 3)
                             ? length
                             : (int64_t)random_stream_below(&stream, (uint64_t)length + 1);
    cla_scoring scoring = default_scoring();
    why = (cla_error){0};
    const cla_status status = matrix_text_parse(&scoring, mutant, kept, "'m.txt'", seed % 2, &why);
    cr_assert(status == CLA_OK || status == CLA_ERROR_INPUT, "seed %llu", (unsigned long long)seed);
    cr_assert_eq(status == CLA_OK, !*why.message, "seed %llu", (unsigned long long)seed);
    cr_assert(!strchr(why.message, '\n'), "seed %llu", (unsigned long long)seed);
    if (status == CLA_OK) assert_ok(cla_scoring_check(&scoring, &why));
    accepted += status == CLA_OK;
  }
  cr_expect(accepted > 1000 && accepted < 19000, "%d", accepted);
}

static void set_up(void) {
  own_file_begin("m.txt");
}

TestSuite(matrix_file, .init = set_up, .fini = own_file_end);

Test(matrix_file, is_named_after_the_file) {
  const char *text = "A C G T\nA 5 -4 -4 -4\nC -4 5 -4 -4\nG -4 -4 5 -4\nT -4 -4 -4 5\n";
  made_write(own_path, text, strlen(text));
  cla_scoring scoring = default_scoring();
  assert_ok(cla_scoring_read_matrix(&scoring, own_path, false, &why));
  cr_expect_str_eq(scoring.matrix_name, "m.txt");
  cr_expect_eq(cla_scoring_alphabet(&scoring), CLA_ALPHABET_DNA);
  cr_expect_eq(scoring.gap_first, 20); /* EDNAFULL's, in halves of a point */
  cr_expect_eq(scoring.gap_ext, 1);
}

static void expect_refused(const char *part) {
  cla_error error = {.message = ""};
  cla_scoring scoring = default_scoring();
  cr_expect_eq(cla_scoring_read_matrix(&scoring, own_path, false, &error), CLA_ERROR_INPUT);
  cr_expect(strstr(error.message, part) && strstr(error.message, "m.txt"), "%s", error.message);
}

Test(matrix_file, that_is_something_else_is_refused) {
  static char large[(1 << 20) + 2];
  expect_refused("No such file");
  made_write(own_path, "", 0);
  expect_refused("is empty");
  made_write(own_path, "\x1f\x8b\x08\x00", 4);
  expect_refused("is compressed by gzip; decompress it");
  made_write(own_path, ">chr1\nACGT\n", 11);
  expect_refused("as a FASTA file does");
  made_write(own_path, "A C\0", 4);
  expect_refused("is no plain text");
  made_write(own_path,
             "\xff\xfe"
             "A\0\n\0", /* UTF-16 */
             6);
  expect_refused("is no plain text");
  memset(large, '\n', sizeof large);
  made_write(own_path, large, sizeof large);
  expect_refused("is larger than 1048576 bytes");
  cr_assert_eq(unlink(own_path), 0);
  cr_assert_eq(mkdir(own_path, 0700), 0);
  expect_refused("Is a directory; give a file");
  cr_assert_eq(rmdir(own_path), 0);
}
