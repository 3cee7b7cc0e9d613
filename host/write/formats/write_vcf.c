/* VCF: the differences between the query and the target, which is the reference. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/version.h"
#include "result/path_check.h"
#include "seq/sequence.h"
#include "write/formats/sam_record.h"
#include "write/formats/vcf_certainty.h"
#include "write/writer.h"

/* A path whose differences are written as records, and the positions where the path starts and ends. */
typedef struct vcf_records {
  FILE *file;
  const char *contig;     /* not owned */
  const char *query_name; /* name in each record; NULL: no name */
  const char *info;       /* text after the query's name; "" for no text */
  bool reduced;           /* REF has bases instead of IUPAC letters */
  strand_letters query, target;
  int64_t query_start, target_start, target_stop;
  vcf_difference *gaps;       /* owned */
  const vcf_difference *list; /* the differences in their final form, at the end of `gaps` */
  size_t count;               /* number of differences in `list` */
  vcf_columns columns;        /* columns of the path, if it has a certificate */
} vcf_records;

const char vcf_letters[] = "ACGTNNNNNNNNNNN";
const char vcf_first_bases[] = "ACGTACCAGACAAAN";

static char query_letter(const vcf_records *records, int64_t position) {
  return vcf_letters[strand_code(&records->query, position)];
}

static char target_letter(const vcf_records *records, int64_t position) {
  return SEQUENCE_LETTERS[strand_code(&records->target, position)];
}

/* True if the pair is not a known difference. Either its letters are equal in VCF, or the target's letter
 * is an IUPAC letter other than N that stands for the query's base. */
static bool is_equal(const vcf_records *records, int64_t query, int64_t target) {
  const uint8_t code = strand_code(&records->target, target), base = strand_code(&records->query, query);
  if (vcf_letters[base] == vcf_letters[code]) return true;
  return SEQUENCE_LETTERS[code] != 'N' && base < SEQUENCE_UNAMBIGUOUS && nucleotide_bases[code] >> base & 1;
}

/* True for an insertion or a deletion, which VCF writes together with a neighbouring letter that both
 * sequences have. */
static bool is_one_sided(const vcf_difference *it) {
  return (it->deleted == 0) != (it->inserted == 0);
}

static bool is_nothing(const vcf_difference *it) {
  return it->deleted == 0 && it->inserted == 0;
}

/* Removes equal letters from the end, then from the start. */
static void trim(const vcf_records *records, vcf_difference *it) {
  while (it->deleted > 0 && it->inserted > 0 &&
         is_equal(records, it->query + it->inserted - 1, it->target + it->deleted - 1)) {
    it->deleted--;
    it->inserted--;
  }
  while (it->deleted > 0 && it->inserted > 0 && is_equal(records, it->query, it->target)) {
    it->target++;
    it->query++;
    it->deleted--;
    it->inserted--;
  }
}

/* True if an insertion or deletion can be moved one letter to the left without becoming another difference.
 * After the move, the difference's last letter is paired instead of the letter before the difference. */
static bool can_move_left(const vcf_records *records, const vcf_difference *it) {
  const int64_t query = it->query + it->inserted - 1, target = it->target + it->deleted - 1;
  if (!is_equal(records, it->query - 1, it->target - 1) || !is_equal(records, query, target)) return false;
  return target_letter(records, it->target - 1) == target_letter(records, target) &&
         query_letter(records, it->query - 1) == query_letter(records, query);
}

/* Joins two differences: returns the difference from the start of the first to the end of the second,
 * including the pairs between them. */
static vcf_difference joined(const vcf_difference *first, const vcf_difference *second) {
  return (vcf_difference){.target = first->target,
                          .deleted = second->target + second->deleted - first->target,
                          .query = first->query,
                          .inserted = second->query + second->inserted - first->query};
}

/* Gives *it, the last of `count` differences, its final form: moves it to the left, and joins it with
 * earlier differences that it reaches. Returns the number of earlier differences that remain. */
static size_t settle_last(const vcf_records *records, vcf_difference *it, const vcf_difference *list,
                          size_t count) {
  for (size_t others = count - 1;;) {
    trim(records, it);
    if (!is_one_sided(it)) return others;
    const vcf_difference *previous = others > 0 ? &list[others - 1] : NULL;
    int64_t pairs = it->target - (previous ? previous->target + previous->deleted : records->target_start);
    while (pairs > 0 && can_move_left(records, it)) {
      it->target--;
      it->query--;
      pairs--;
    }
    if (pairs == 0 && !previous) return others;
    if (pairs == 0) {
      *it = joined(previous, it);
      others--;
    } else if (is_equal(records, it->query - 1, it->target - 1)) {
      return others;
    } else {
      *it = joined(&(vcf_difference){.target = it->target - 1, .query = it->query - 1}, it);
    }
  }
}

/* Gives an insertion or deletion at the contig's first letter its final form. No letter comes before it, so
 * it includes the letter after it. Another difference that needs the same letter is joined with it. Returns
 * the index of the first remaining difference. */
static size_t settle_contig_start(const vcf_records *records, vcf_difference *list, size_t first,
                                  size_t count) {
  while (first < count && list[first].target == 0 && is_one_sided(&list[first])) {
    vcf_difference *it = &list[first], *next = first + 1 < count ? &list[first + 1] : NULL;
    const int64_t query = it->query + it->inserted;
    const int64_t pairs = (next ? next->target : records->target_stop) - it->deleted;
    if (next && (pairs == 0 || (pairs == 1 && is_one_sided(next)))) {
      *next = joined(it, next);
      first++;
    } else if (pairs > 0 && !is_equal(records, query, it->deleted)) {
      it->deleted++;
      it->inserted++;
    } else {
      break;
    }
    trim(records, &list[first]);
    if (is_nothing(&list[first])) first++;
  }
  return first;
}

/* Gives the path's gaps, which are in `list`, their final form; touching gaps must be joined already. Each
 * gap becomes the shortest possible difference, as far left as possible, and is joined with the mismatches
 * and gaps that it touches there. Returns the number of remaining differences, which are at the end of the
 * list. */
static size_t settle_differences(const vcf_records *records, vcf_difference *list, size_t count) {
  size_t first = count;
  for (size_t left = count; left > 0;) {
    vcf_difference it = list[left - 1];
    left = settle_last(records, &it, list, left);
    if (!is_nothing(&it)) list[--first] = it;
  }
  return count - settle_contig_start(records, list, first, count);
}

/* Prints ALT's letter next to a gap: the query's letter if the path pairs a base with an IUPAC letter, else
 * the target's letter. */
static void print_beside(const vcf_records *records, const char *letters, int64_t query, int64_t target) {
  const bool paired = target >= records->target_start && target < records->target_stop;
  const char base = paired ? query_letter(records, query) : 'N';
  fputc(base == 'N' ? letters[strand_code(&records->target, target)] : base, records->file);
}

/* Prints ALT. `letters` and `beside`: letters by codes, of the query and of the target beside a gap. */
static void print_alt(const vcf_records *records, const vcf_difference *it, const char *letters,
                      const char *beside) {
  const bool before = is_one_sided(it) && it->target > 0, after = is_one_sided(it) && it->target == 0;
  if (before) print_beside(records, beside, it->query - 1, it->target - 1);
  strand_print(records->file, &records->query, letters, it->query, it->inserted);
  if (after) print_beside(records, beside, it->query + it->inserted, it->target + it->deleted);
}

/* True if one of the letters is neither a base nor N. */
static bool has_ambiguous(const strand_letters *strand, int64_t start, int64_t count) {
  for (int64_t i = start; i < start + count; i++)
    if (vcf_first_bases[strand_code(strand, i)] != SEQUENCE_LETTERS[strand_code(strand, i)]) return true;
  return false;
}

/* Prints the sequences' own letters to INFO, if REF or ALT has others. */
static void print_own(const vcf_records *records, const vcf_difference *it, int64_t start, int64_t count) {
  const bool ref = has_ambiguous(&records->target, start, count);
  if (ref) {
    fputs(";" VCF_OWN_REF "=", records->file);
    strand_print(records->file, &records->target, SEQUENCE_LETTERS, start, count);
  }
  if (!ref && !has_ambiguous(&records->query, it->query, it->inserted)) return;
  fputs(";" VCF_OWN_ALT "=", records->file);
  print_alt(records, it, SEQUENCE_LETTERS, SEQUENCE_LETTERS);
}

/* Prints a record's line. */
static void print_record(const vcf_records *records, const vcf_difference *it) {
  FILE *file = records->file;
  const char *letters = records->reduced ? vcf_first_bases : SEQUENCE_LETTERS;
  const int64_t start = it->target - (is_one_sided(it) && it->target > 0);
  const int64_t count = it->deleted + is_one_sided(it);
  fprintf(file, "%s\t%" PRId64 "\t.\t", records->contig, start + 1);
  strand_print(file, &records->target, letters, start, count);
  fputc('\t', file);
  print_alt(records, it, vcf_letters, letters);
  fputs("\t.\t", file);
  if (records->columns.certificate)
    vcf_certainty_print(file, &records->columns, it, &records->target);
  else
    fputs(".\t", file);
  if (records->query_name)
    fprintf(file, "%sQNAME=%s%s", records->columns.certificate ? ";" : "", records->query_name,
            records->info);
  else if (!records->columns.certificate)
    fputc('.', file);
  if (records->reduced) print_own(records, it, start, count);
  fputs("\tGT\t1\n", file);
}

/* Prints the mismatches from positions `query` and `target` up to `target_stop`, if they are within the
 * part. */
static void print_pairs(const vcf_records *records, int64_t query, int64_t target, int64_t target_stop,
                        const callable_part *part) {
  const int64_t skipped = larger(part->from - target, 0), stop = smaller(target_stop, part->to);
  query += skipped;
  target += skipped;
  for (; target < stop && !ferror(records->file); query++, target++)
    if (!is_equal(records, query, target))
      print_record(records, &(vcf_difference){.target = target, .deleted = 1, .query = query, .inserted = 1});
}

/* True if a difference is wholly within the part. The letter before the difference must be within the part,
 * too, unless the path starts at the difference. */
static bool is_within(const vcf_records *records, const vcf_difference *it, const callable_part *part) {
  const int64_t before = is_one_sided(it) && it->target > records->target_start;
  return it->target - before >= part->from && it->target + it->deleted <= part->to &&
         (it->target < part->to || part->to == records->target_stop);
}

/* Prints the differences in their final form, and the mismatches between them, in the order of their
 * positions. */
static void print_records(const vcf_records *records, const callable_part *part) {
  int64_t query = records->query_start, target = records->target_start;
  for (size_t index = 0; index < records->count && target <= part->to && !ferror(records->file); index++) {
    const vcf_difference *it = &records->list[index];
    print_pairs(records, query, target, it->target, part);
    if (is_within(records, it, part)) print_record(records, it);
    query = it->query + it->inserted;
    target = it->target + it->deleted;
  }
  print_pairs(records, query, target, records->target_stop, part);
}

/* Lists the gaps along the path; touching gaps become one difference. */
static size_t list_gaps(vcf_difference *list, const cla_alignment *alignment, const vcf_records *records) {
  vcf_difference gap = {.query = records->query_start, .target = records->target_start};
  size_t count = 0;
  for (size_t index = 0; index < alignment->run_count; index++) {
    const cla_run *run = &alignment->runs[index];
    if (run->kind == CLA_RUN_QUERY) gap.inserted += run->length;
    if (run->kind == CLA_RUN_TARGET) gap.deleted += run->length;
    if (run->kind != CLA_RUN_PAIR) continue;
    if (gap.inserted + gap.deleted > 0) list[count++] = gap;
    gap = (vcf_difference){.query = gap.query + gap.inserted + run->length,
                           .target = gap.target + gap.deleted + run->length};
  }
  if (gap.inserted + gap.deleted > 0) list[count++] = gap;
  return count;
}

/* Sets *out to the alignment with every gap as far left as possible, also over pairs of unequal letters. So
 * the records do not depend on the placement of gaps. Texts are shared; the caller frees the runs. */
static cla_status place_left(cla_alignment *out, const cla_alignment *alignment, const write_job *job,
                             cla_error *error) {
  const int64_t count = (int64_t)alignment->run_count;
  void *runs = NULL;
  *out = (cla_alignment){.mode = alignment->mode,
                         .free_ends = alignment->free_ends,
                         .strand = alignment->strand,
                         .scoring = alignment->scoring,
                         .score = alignment->score,
                         .has_split = alignment->has_split,
                         .split_drop = alignment->split_drop,
                         .query = alignment->query,
                         .target = alignment->target,
                         .has_path = true,
                         .run_count = alignment->run_count};
  out->query.rotation = 0; /* the job's query is already rotated */
  cla_status status = allocate_array(&runs, count, sizeof *out->runs, "a path", error);
  if (status != CLA_OK) return status;
  if (count > 0) memcpy(runs, alignment->runs, alignment->run_count * sizeof *out->runs);
  out->runs = runs;
  return cla_alignment_place_gaps(out, CLA_GAPS_LEFT, job->query, job->target, error);
}

static cla_status check_target(const cla_alignment *alignment, cla_error *error) {
  const cla_side *query = &alignment->query, *target = &alignment->target;
  cla_status status = short_record_check("vcf", target->length, "the target", error);
  if (status != CLA_OK) return status;
  const bool both = query->start < query->stop && target->length > 0;
  if (both || alignment->run_count == 0 || target->start > 0 || target->stop < target->length) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "the format vcf needs a letter of the target beside a gap, and all of them are in gaps; "
                   "use paf or json");
}

/* Makes a path's differences in their final form. */
static cla_status make_records(vcf_records *records, const write_job *job, size_t number,
                               const name_pair *names, cla_error *error) {
  const cla_alignment *alignment = job->alignments[number];
  cla_alignment placed = {0};
  *records = (vcf_records){.file = job->file,
                           .contig = names->target,
                           .query_name = job->body_only ? names->query : NULL,
                           .info = job->info ? job->info : "",
                           .reduced = job->reduced,
                           .query = strand_query(alignment, job->query),
                           .target = strand_target(job->target),
                           .query_start = strand_query_start(alignment),
                           .target_start = alignment->target.start,
                           .target_stop = alignment->target.stop};
  records->query.lower = records->target.lower = NULL; /* readers expect upper case */
  cla_status status = place_left(&placed, alignment, job, error);
  const int64_t most = (int64_t)placed.run_count / 2 + 1; /* gaps with pairs between them */
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&records->gaps, most, "a path's differences", error);
  if (status == CLA_OK) {
    const size_t gaps = list_gaps(records->gaps, &placed, records);
    records->count = settle_differences(records, records->gaps, gaps);
    records->list = records->gaps + gaps - records->count;
  }
  if (status == CLA_OK)
    status = vcf_columns_make(&records->columns, job, number, records->query_start, error);
  free(placed.runs);
  return status;
}

/* Prints the records of all callable parts; `all` has an element for each alignment. */
static cla_status print_parts(vcf_records *all, const write_job *job, const name_pair *names,
                              const callable_part *parts, size_t count, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < count && status == CLA_OK && !ferror(job->file); index++) {
    const size_t number = parts[index].alignment;
    if (!all[number].gaps) status = make_records(&all[number], job, number, names, error);
    if (status == CLA_OK) print_records(&all[number], &parts[index]);
  }
  for (size_t index = 0; index < job->count; index++) {
    free(all[index].gaps);
    free(all[index].columns.columns);
  }
  return status;
}

static cla_status print_body(const write_job *job, const name_pair *names, cla_error *error) {
  callable_part *parts = NULL;
  vcf_records *all = NULL;
  size_t count = 0;
  cla_status status = callable_parts_list(&parts, &count, job, error);
  if (status == CLA_OK) status = ALLOCATE_ZEROS(&all, (int64_t)job->count, "alignments' differences", error);
  if (status == CLA_OK) status = print_parts(all, job, names, parts, count, error);
  free(all);
  free(parts);
  return status;
}

/* Prints a head line for an alignment, with 1-based positions that include both ends. */
static void print_part(FILE *file, const cla_alignment *alignment, size_t number) {
  const cla_side *target = &alignment->target;
  char score[CLA_SCORE_TEXT_SIZE];
  int64_t query_start, query_stop;
  cla_side_positions(&alignment->query, &query_start, &query_stop);
  cla_score_text(score, alignment->score, &alignment->scoring);
  fprintf(file,
          "##alignment=<ID=%zu,Score=%s,TargetFrom=%" PRId64 ",TargetTo=%" PRId64 ",QueryFrom=%" PRId64
          ",QueryTo=%" PRId64 ",Strand=%c>\n",
          number, score, target->start + 1, target->stop, query_start + 1, query_stop,
          alignment->strand == CLA_STRAND_REVERSE ? '-' : '+');
}

static void print_first_lines(FILE *file, const char *command) {
  fputs("##fileformat=VCFv4.2\n##source=clalign " CLA_VERSION_STRING "\n", file);
  if (command) fprintf(file, "##commandline=%s\n", command);
}

static void print_contig(FILE *file, const char *name, int64_t length) {
  if (length > 0) fprintf(file, "##contig=<ID=%s,length=%" PRId64 ">\n", name, length);
}

static void print_genotype(FILE *file) {
  fputs("##FORMAT=<ID=GT,Number=1,Type=String,Description=\"1: the query's letters\">\n", file);
}

static void print_columns(FILE *file, const char *sample) {
  fprintf(file, "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t%s\n", sample);
}

static void print_head(const write_job *job, const name_pair *names) {
  print_first_lines(job->file, names->command);
  print_contig(job->file, names->target, cla_sequence_length(job->target));
  if (job->count > 0 && job_certificate(job, 0))
    vcf_certainty_head(job->file, job_certificate(job, 0), &job->alignments[0]->scoring);
  print_genotype(job->file);
  for (size_t index = 0; index < job->count; index++)
    print_part(job->file, job->alignments[index], index + 1);
  print_columns(job->file, names->query);
}

void write_vcf_head(FILE *file, const char *command, const head_targets *targets, bool certified) {
  print_first_lines(file, command);
  const char *name = targets->names.bytes;
  for (int64_t i = 0; i < targets->count; i++, name += strlen(name) + 1)
    print_contig(file, name, abs(targets->lengths[i]));
  fputs("##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n", file);
  if (certified) vcf_certainty_head(file, NULL, NULL);
  print_genotype(file);
  print_columns(file, "query");
}

/* Replaces characters of the query's name that have a meaning in INFO. */
static cla_status clean_info(name_pair *names, cla_error *error) {
  if (!names->owned[0]) {
    cla_status status = allocate_text(&names->owned[0], names->query, error);
    if (status != CLA_OK) return status;
    names->query = names->owned[0];
  }
  for (char *at = names->owned[0]; *at; at++)
    if (*at == ';' || *at == '=' || *at == ',') *at = '_';
  return CLA_OK;
}

cla_status write_vcf(const write_job *job, cla_error *error) {
  name_pair names = {0};
  cla_status status = CLA_OK;
  for (size_t index = 0; index < job->count && status == CLA_OK; index++)
    status = check_target(job->alignments[index], error);
  if (status == CLA_OK) status = name_pair_make(&names, job, error);
  if (status == CLA_OK && job->body_only) status = clean_info(&names, error);
  if (status == CLA_OK && !job->body_only) print_head(job, &names);
  if (status == CLA_OK) status = print_body(job, &names, error);
  name_pair_free(&names);
  return status;
}
