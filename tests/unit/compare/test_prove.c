#include "clalign/compare_write.h"
#include "clalign/prove.h"
#include "support/made_alignment.h"
#include "support/made_comparison.h"
#include "support/test.h"

#define COUNT(parts) (sizeof(parts) / sizeof *(parts))
#define OWNED_PROOF OWNED(cla_proof_free) cla_proof

static void begin(void) {
  own_file_begin("variants.vcf");
}

TestSuite(prove, .init = begin, .fini = own_file_end);

/* Substitutions on both strands, gaps of either side, and letters without a piece. */
static void make_varied(made_comparison *made, bool turned) {
  const made_part parts[] = {{.to = 1000, .changed = true},
                             {.from = 70},
                             {.from = 1000, .to = 2000, .joined = true, .changed = true},
                             {.from = 2003, .to = 3000, .joined = true},
                             {.from = 200},
                             {.from = 3000, .to = 4000, .reverse = true, .changed = true},
                             {.from = 4000, .to = 5000}};
  *made = (made_comparison){.seed = 21};
  made_comparison_target(made, 5000, false);
  made_comparison_query(made, parts, COUNT(parts), false, turned);
}

static void write_vcf_of(const made_comparison *made, bool compressed) {
  OWNED(cla_events_free) cla_events events;
  const cla_write_options how = {.compressed = compressed};
  assert_ok(cla_events_find(&events, &made->comparison, 0, &why));
  assert_ok(cla_comparison_write_file(own_path, CLA_COMPARISON_VCF, &made->comparison, &events, &how, &why));
}

Test(prove, rebuilds_the_letters_of_pieces_on_both_strands) {
  for (int turned = 0; turned < 2; turned++) {
    OWNED_COMPARISON made;
    OWNED_PROOF proof;
    make_varied(&made, turned);
    write_vcf_of(&made, turned);
    assert_ok(cla_comparison_prove(&proof, &made.comparison, own_path, &why));
    cr_expect_eq(proof.different, 0, "%s", proof.first);
    cr_expect_eq(proof.blocks, 3);
    cr_expect_eq(proof.letters, 5267);
    cr_expect_eq(proof.proven, 5067);
    cr_expect_eq(proof.records, 32);
    cr_expect_eq(proof.unproven_count, 1);
    cr_expect_eq((int)proof.unproven[0].reason, (int)CLA_UNPROVEN_NO_BLOCK);
    cr_expect_eq(proof.unproven[0].interval.begin, turned ? 5267 - 3267 : 3067);
  }
}

/* The line of the n-th record of blocks. */
static char *find_record(char *text, int n) {
  char *at = text;
  while ((at = strstr(at, ";BLOCK=")))
    if (n-- == 0)
      break;
    else
      at++;
  cr_assert_not_null(at);
  while (at > text && at[-1] != '\n') at--;
  return at;
}

static char *column(char *line, int number) {
  for (int i = 0; i < number; i++) line = strchr(line, '\t') + 1;
  return line;
}

static void expect_different(const made_comparison *made, const char *text, const char *part) {
  OWNED_PROOF proof;
  made_write(own_path, text, strlen(text));
  assert_ok(cla_comparison_prove(&proof, &made->comparison, own_path, &why));
  cr_expect_eq(proof.different, 1);
  cr_expect_not_null(strstr(proof.first, part), "%s", proof.first);
  cr_expect_lt(proof.proven, 5067);
  bool told = false;
  for (size_t i = 0; i < proof.unproven_count; i++)
    told |= proof.unproven[i].reason == CLA_UNPROVEN_DIFFERENT;
  cr_expect(told);
}

Test(prove, notices_each_kind_of_wrong_record) {
  OWNED_COMPARISON made;
  size_t length;
  make_varied(&made, false);
  write_vcf_of(&made, false);
  for (int n = 0; n < 32; n++) {
    /* Another letter in ALT. */
    OWNED(free_memory) char *text = made_read(own_path, &length);
    OWNED(free_memory) char *saved = strdup(text);
    char *line = find_record(text, n), *alt = column(line, 4);
    while (alt[1] != '\t') alt++;
    *alt = *alt == 'A' ? 'C' : 'A';
    expect_different(&made, text, "differs");
    /* Another letter in REF. */
    strcpy(text, saved);
    char *ref = column(find_record(text, n), 3);
    *ref = *ref == 'A' ? 'C' : 'A';
    expect_different(&made, text, "does not fit");
    /* No record. */
    strcpy(text, saved);
    line = find_record(text, n);
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    expect_different(&made, text, "differs");
    made_write(own_path, saved, strlen(saved));
  }
}

Test(prove, ambiguous_letters_are_not_proven) {
  OWNED_COMPARISON made = {.seed = 21};
  OWNED_PROOF proof;
  made_comparison_target(&made, 1000, false);
  made_comparison_query(&made, (const made_part[]){{.to = 1000}}, 1, false, false);
  made.target_letters[0][500] = 'R';
  cla_sequence_free(made.targets[0]);
  assert_ok(cla_sequence_from_letters(&made.targets[0], "t1", made.target_letters[0], 1000, &why));
  write_vcf_of(&made, false);
  assert_ok(cla_comparison_prove(&proof, &made.comparison, own_path, &why));
  cr_expect_eq(proof.different, 0, "%s", proof.first);
  cr_expect_eq(proof.proven, 999);
  cr_expect_eq((int)proof.unproven[0].reason, (int)CLA_UNPROVEN_AMBIGUOUS);
  OWNED(free_memory) char *path = made_path(own_folder, "unproven.bed");
  assert_ok(cla_proof_write_file(path, &proof, &made.comparison, &why));
  size_t length;
  OWNED(free_memory) char *text = made_read(path, &length);
  cr_expect_str_eq(text, "q1\t500\t501\tambiguous-letter\n");
}

Test(prove, what_is_no_vcf_of_the_comparison_is_refused) {
  OWNED_COMPARISON made;
  OWNED(free_memory) char *text = NULL;
  size_t length;
  cla_proof proof;
  make_varied(&made, false);
  assert_error(cla_comparison_prove(&proof, &made.comparison, own_path, &why), CLA_ERROR_INPUT,
               "cannot be read");
  made_write(own_path, "no VCF\n", 7);
  assert_error(cla_comparison_prove(&proof, &made.comparison, own_path, &why), CLA_ERROR_INPUT,
               "cannot be read");
  write_vcf_of(&made, false);
  text = made_read(own_path, &length);
  strstr(text, ";BLOCK=")[7] = '9';
  made_write(own_path, text, length);
  assert_error(cla_comparison_prove(&proof, &made.comparison, own_path, &why), CLA_ERROR_INPUT,
               "no block of this");
}
