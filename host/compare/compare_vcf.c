/* Writes a comparison as VCF: small variants of each primary piece, events that are not in pieces, and
 * breakends, in the order of the target. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "clalign/version.h"
#include "compare/compare_texts.h"
#include "compare/events/events_internal.h"
#include "seq/sequence.h"
#include "write/formats/vcf_certainty.h"
#include "write/writer.h"

/* An event is written with its letters in REF and ALT if neither side has more letters than this. */
#define LETTERS_MOST 5000

/* A line of the VCF's body. */
typedef struct vcf_line {
  size_t contig;
  int64_t position;    /* from 1 */
  size_t begin, bytes; /* part of `text` with the line */
} vcf_line;

#define UNCERTIFIED "uncertified" /* the FILTER of events in a file with certificates */

typedef struct vcf_body {
  const compare_job *job;
  FILE *file; /* stream into memory; the lines wait there to be sorted */
  char *text; /* the lines; owned, once `file` is closed */
  size_t text_bytes;
  vcf_line *lines; /* owned */
  int64_t count, capacity;
  char **contigs;     /* names of target records in the form for VCF; owned */
  char **queries;     /* names of query records in the form for INFO; owned */
  const char *filter; /* FILTER of lines that no alignment has, so that no certificate tells of them */
} vcf_body;

static cla_status add_line(vcf_body *body, size_t contig, int64_t position, size_t begin, size_t bytes,
                           cla_error *error) {
  cla_status status =
      ALLOCATE_GROW(&body->lines, &body->capacity, body->count + 1, "the lines of VCF", error);
  if (status == CLA_OK) body->lines[body->count++] = (vcf_line){contig, position, begin, bytes};
  return status;
}

/* Adds the lines that were written after `begin`. */
static cla_status take_lines(vcf_body *body, size_t contig, size_t begin, cla_error *error) {
  cla_status status = CLA_OK;
  if (fflush(body->file) != 0)
    return error_set(error, CLA_ERROR_MEMORY, "no memory for the lines of VCF; free some");
  for (const char *at = body->text + begin, *end = body->text + body->text_bytes;
       at < end && status == CLA_OK;) {
    const char *after = memchr(at, '\n', (size_t)(end - at));
    after = after ? after + 1 : end;
    const char *position = memchr(at, '\t', (size_t)(after - at));
    status = add_line(body, contig, position ? strtoll(position + 1, NULL, 10) : 0, (size_t)(at - body->text),
                      (size_t)(after - at), error);
    at = after;
  }
  return status;
}

static cla_status put_piece(vcf_body *body, size_t block, size_t piece, cla_error *error) {
  static const cla_write_options none = {0};
  const cla_comparison *comparison = body->job->comparison;
  const cla_block *it = &comparison->blocks[block];
  const cla_alignment *alignment = it->pieces[piece];
  char info[96];
  const cla_certificate *const *certificates =
      it->certificates ? (const cla_certificate *const *)&it->certificates[piece] : NULL;
  write_input input;
  snprintf(info, sizeof info, ";BLOCK=%zu;PIECE=%zu", block + 1, piece + 1);
  write_job job = {.file = body->file,
                   .how = &none,
                   .alignments = &alignment,
                   .count = 1,
                   .certificates = certificates,
                   .query = comparison->query.records[it->query],
                   .target = comparison->target.records[it->target],
                   .body_only = true,
                   .info = info,
                   .reduced = true};
  const size_t begin = (size_t)ftello(body->file);
  cla_status status = write_job_prepare(&job, &input, format_entry_find(CLA_FORMAT_VCF), error);
  if (status == CLA_OK) status = write_vcf(&job, error);
  write_input_free(&input);
  return status == CLA_OK ? take_lines(body, it->target, begin, error) : status;
}

static cla_status put_pieces(vcf_body *body, cla_error *error) {
  const cla_comparison *comparison = body->job->comparison;
  cla_status status = CLA_OK;
  for (size_t b = 0; b < comparison->block_count; b++) {
    const cla_block *block = &comparison->blocks[b];
    for (size_t p = 0; block->role == CLA_BLOCK_PRIMARY && p < block->piece_count && status == CLA_OK; p++)
      status = put_piece(body, b, p, error);
  }
  return status;
}

static char target_letter(const vcf_body *body, size_t record, int64_t place) {
  return cla_sequence_letter(body->job->comparison->target.records[record], place);
}

/* Returns the letter of REF for a letter of the target. */
static char ref_letter(const vcf_body *body, size_t record, int64_t place) {
  return vcf_first_bases[sequence_codes(body->job->comparison->target.records[record])[place]];
}

/* Returns a letter of the query, on the event's strand. `at` counts from the event's first letter, and may be
 * just outside the event. */
static char event_letter(const vcf_body *body, const cla_event *it, int64_t at) {
  const cla_sequence *query = body->job->comparison->query.records[it->query];
  const bool reverse = it->strand == CLA_STRAND_REVERSE;
  const int64_t place = reverse ? it->query_end - 1 - at : it->query_begin + at;
  if (place < 0 || place >= cla_sequence_length(query)) return 'N';
  const uint8_t code = sequence_codes(query)[place];
  return vcf_letters[reverse ? nucleotide_complement[code] : code];
}

static void print_query_letters(const vcf_body *body, const cla_event *it) {
  for (int64_t i = 0; i < it->query_end - it->query_begin; i++) fputc(event_letter(body, it, i), body->file);
}

static void print_target_letters(const vcf_body *body, size_t record, int64_t from, int64_t to) {
  for (int64_t at = from; at < to; at++) fputc(ref_letter(body, record, at), body->file);
}

/* Prints the target's own letters to INFO, if REF has others. */
static void print_own_letters(const vcf_body *body, size_t record, int64_t from, int64_t to) {
  bool same = true;
  for (int64_t at = from; at < to && same; at++)
    same = ref_letter(body, record, at) == target_letter(body, record, at);
  if (!same) fputs(";" VCF_OWN_REF "=", body->file);
  for (int64_t at = from; at < to && !same; at++) fputc(target_letter(body, record, at), body->file);
}

/* Prints the query's part of INFO, and the columns after INFO. */
static void print_end(const vcf_body *body, size_t query, int64_t begin, int64_t end) {
  if (query != CLA_NO_RECORD) fprintf(body->file, ";QNAME=%s", body->queries[query]);
  if (query != CLA_NO_RECORD && begin < end)
    fprintf(body->file, ";QFROM=%" PRId64 ";QTO=%" PRId64, begin + 1, end);
  fputs("\tGT\t1\n", body->file);
}

/* Prints an insertion, a deletion or a replacement with its letters. If one side has no letters, also prints
 * the target letter next to it, as VCF demands. */
static void print_letters(const vcf_body *body, const cla_event *it) {
  const int64_t length = genome_letters(&body->job->comparison->target, it->target);
  const bool one_sided = it->query_begin == it->query_end || it->target_begin == it->target_end;
  const int64_t before = one_sided && it->target_begin > 0;
  const int64_t after = one_sided && it->target_begin == 0 && it->target_end < length;
  const int64_t from = it->target_begin - before, to = it->target_end + after;
  fprintf(body->file, "%s\t%" PRId64 "\t.\t", body->contigs[it->target], from + 1);
  print_target_letters(body, it->target, from, to);
  fputc('\t', body->file);
  print_target_letters(body, it->target, from, from + before);
  print_query_letters(body, it);
  print_target_letters(body, it->target, to - after, to);
  const int64_t more = (it->query_end - it->query_begin) - (it->target_end - it->target_begin);
  fprintf(body->file, "\t.\t%s\tSVTYPE=%s;SVLEN=%" PRId64, body->filter, more > 0 ? "INS" : "DEL", more);
  print_own_letters(body, it->target, from, to);
  print_end(body, it->query, it->query_begin, it->query_end);
}

/* Returns true if an event can be written with its letters: they are few, do not cross an origin, and have a
 * letter next to them. */
static bool has_letters(const vcf_body *body, const cla_event *it) {
  const cla_comparison *comparison = body->job->comparison;
  if (it->query == CLA_NO_RECORD || it->target == CLA_NO_RECORD) return false;
  const int64_t length = genome_letters(&comparison->target, it->target);
  const int64_t in_query = it->query_end - it->query_begin, in_target = it->target_end - it->target_begin;
  return it->query_end <= genome_letters(&comparison->query, it->query) && it->target_end <= length &&
         in_query <= LETTERS_MOST && in_target <= LETTERS_MOST && in_target < length;
}

/* Returns true if shifting an insertion or a deletion left by one letter gives the same sequence. */
static bool can_move_left(const vcf_body *body, const cla_event *it) {
  const int64_t in_query = it->query_end - it->query_begin, in_target = it->target_end - it->target_begin;
  if (it->target_begin < 2 || (in_query == 0) == (in_target == 0)) return false;
  const char before = target_letter(body, it->target, it->target_begin - 1);
  const char last = in_query > 0 ? event_letter(body, it, in_query - 1)
                                 : target_letter(body, it->target, it->target_end - 1);
  return before != 'N' && before == last && before == event_letter(body, it, -1);
}

/* Shifts an event to the left as far as possible, as VCF demands. */
static cla_event placed_left(const vcf_body *body, const cla_event *event) {
  cla_event it = *event;
  const int64_t step = it.strand == CLA_STRAND_REVERSE ? 1 : -1;
  while (can_move_left(body, &it)) {
    it.target_begin--;
    it.target_end--;
    it.query_begin += step;
    it.query_end += step;
  }
  return it;
}

/* Returns true if the event's letters of both genomes end, or begin, with equal letters, and both have more.
 */
static bool has_equal_end(const vcf_body *body, const cla_event *it, bool last) {
  const int64_t in_query = it->query_end - it->query_begin, in_target = it->target_end - it->target_begin;
  if (in_query < 2 || in_target < 2) return false;
  const char letter = target_letter(body, it->target, last ? it->target_end - 1 : it->target_begin);
  return letter != 'N' && letter == event_letter(body, it, last ? in_query - 1 : 0);
}

/* Returns the event without the letters that both genomes have at its ends. */
static cla_event trimmed(const vcf_body *body, const cla_event *event) {
  cla_event it = *event;
  const bool reverse = it.strand == CLA_STRAND_REVERSE;
  for (int last = 1; last >= 0; last--)
    while (has_equal_end(body, &it, last)) {
      *(last ? &it.target_end : &it.target_begin) += last ? -1 : 1;
      *((last == 1) != reverse ? &it.query_end : &it.query_begin) += (last == 1) != reverse ? -1 : 1;
    }
  return it;
}

/* Returns SVTYPE, which is also the symbol in ALT, for a kind; NULL: the kind has no symbol. */
static const char *symbol_of(cla_event_kind kind) {
  switch (kind) {
    case CLA_EVENT_INVERSION: return "INV";
    case CLA_EVENT_DUPLICATION: return "DUP";
    case CLA_EVENT_TANDEM_DUPLICATION: return "DUP:TANDEM";
    case CLA_EVENT_INSERTION: return "INS";
    case CLA_EVENT_DELETION:
    case CLA_EVENT_REPLACEMENT:
    case CLA_EVENT_LOST_COPY:
    case CLA_EVENT_LOST_TANDEM_COPY: return "DEL";
    default: return NULL;
  }
}

static void print_symbol(const vcf_body *body, const cla_event *it, const char *symbol) {
  const int64_t length = genome_letters(&body->job->comparison->target, it->target);
  const int64_t position = larger(it->target_begin, 1), end = smaller(it->target_end, length);
  const bool lost = strcmp(symbol, "DEL") == 0;
  fprintf(body->file, "%s\t%" PRId64 "\t.\t%c\t<%s>\t.\t%s\tSVTYPE=%.3s;END=%" PRId64 ";SVLEN=%" PRId64,
          body->contigs[it->target], position, ref_letter(body, it->target, position - 1), symbol,
          body->filter, symbol, larger(end, position),
          lost ? it->target_begin - it->target_end : it->letters);
  print_own_letters(body, it->target, position - 1, position);
  print_end(body, it->query, it->query_begin, it->query_end);
}

static cla_status put_event(vcf_body *body, const cla_event *it, cla_error *error) {
  const char *symbol = symbol_of(it->kind);
  const bool is_gap = it->kind <= CLA_EVENT_REPLACEMENT;
  if (!symbol || it->within_piece || it->target == CLA_NO_RECORD) return CLA_OK;
  const size_t begin = (size_t)ftello(body->file);
  if (is_gap && has_letters(body, it)) {
    const cla_event exact = trimmed(body, it), placed = placed_left(body, &exact);
    print_letters(body, &placed);
  } else {
    print_symbol(body, it, symbol);
  }
  return take_lines(body, it->target, begin, error);
}

/* Returns the 1-based position of the letter that is kept at a breakend. */
static int64_t kept_letter(const cla_breakend *end) {
  return end->before ? end->place : end->place + 1;
}

/* Writes the line of a breakend. In the query, the letters kept at this end are followed by those kept at its
 * mate. */
static cla_status put_breakend(vcf_body *body, const cla_adjacency *it, size_t number, int side,
                               cla_error *error) {
  const cla_breakend *end = &it->ends[side], *mate = &it->ends[!side];
  const int64_t kept = kept_letter(end);
  const char letter = ref_letter(body, end->target, kept - 1);
  const char bracket = mate->before ? ']' : '[';
  const size_t begin = (size_t)ftello(body->file);
  fprintf(body->file, "%s\t%" PRId64 "\tbnd%zu_%d\t%c\t", body->contigs[end->target], kept, number, side + 1,
          letter);
  if (end->before) fputc(letter, body->file);
  fprintf(body->file, "%c%s:%" PRId64 "%c", bracket, body->contigs[mate->target], kept_letter(mate), bracket);
  if (!end->before) fputc(letter, body->file);
  fprintf(body->file, "\t.\t%s\tSVTYPE=BND;MATEID=bnd%zu_%d", body->filter, number, 2 - side);
  print_own_letters(body, end->target, kept - 1, kept);
  print_end(body, it->query, it->query_begin, it->query_end);
  return take_lines(body, end->target, begin, error);
}

static cla_status put_all(vcf_body *body, cla_error *error) {
  const cla_events *events = body->job->events;
  cla_status status = put_pieces(body, error);
  for (size_t i = 0; i < events->count && status == CLA_OK; i++)
    status = put_event(body, &events->items[i], error);
  for (size_t i = 0; i < 2 * events->adjacency_count && status == CLA_OK; i++)
    status = put_breakend(body, &events->adjacencies[i / 2], i / 2 + 1, i % 2, error);
  return status;
}

static int compare_lines(const void *left, const void *right) {
  const vcf_line *one = left, *other = right;
  if (one->contig != other->contig) return one->contig < other->contig ? -1 : 1;
  if (one->position != other->position) return one->position < other->position ? -1 : 1;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

static const char head_lines[] =
    "##ALT=<ID=INV,Description=\"Letters in their place on the other strand\">\n"
    "##ALT=<ID=DUP,Description=\"The query has a further copy\">\n"
    "##ALT=<ID=DUP:TANDEM,Description=\"The query has a further copy beside the first one\">\n"
    "##ALT=<ID=DEL,Description=\"The query has no such letters\">\n"
    "##ALT=<ID=INS,Description=\"Letters of the query alone\">\n"
    "##INFO=<ID=QNAME,Number=1,Type=String,Description=\"The query\">\n"
    "##INFO=<ID=BLOCK,Number=1,Type=Integer,Description=\"The block whose letters differ here\">\n"
    "##INFO=<ID=PIECE,Number=1,Type=Integer,Description=\"The exact alignment of the block\">\n"
    "##INFO=<ID=" VCF_OWN_REF
    ",Number=1,Type=String,Description=\"The reference's own letters, where REF has the "
    "alphabetically first base that an IUPAC letter stands for\">\n"
    "##INFO=<ID=" VCF_OWN_ALT
    ",Number=1,Type=String,Description=\"ALT with the letters of both sequences, where ALT "
    "has other ones\">\n"
    "##INFO=<ID=SVTYPE,Number=1,Type=String,Description=\"Kind of the event\">\n"
    "##INFO=<ID=SVLEN,Number=1,Type=Integer,Description=\"Letters of the event, below 0 if they are lost\">\n"
    "##INFO=<ID=END,Number=1,Type=Integer,Description=\"Last letter of the event\">\n"
    "##INFO=<ID=QFROM,Number=1,Type=Integer,Description=\"First letter of the query\">\n"
    "##INFO=<ID=QTO,Number=1,Type=Integer,Description=\"Last letter of the query\">\n"
    "##INFO=<ID=MATEID,Number=1,Type=String,Description=\"The other breakend\">\n"
    "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"1: the query's letters\">\n"
    "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tquery\n";

static bool is_certified(const cla_comparison *comparison) {
  bool certified = false;
  for (size_t b = 0; b < comparison->block_count; b++)
    certified |= comparison->blocks[b].certificates != NULL;
  return certified;
}

static void print_sorted(const vcf_body *body) {
  const compare_job *job = body->job;
  fputs("##fileformat=VCFv4.2\n##source=clalign " CLA_VERSION_STRING "\n", job->file);
  if (job->command) fprintf(job->file, "##commandline=%s\n", job->command);
  for (size_t i = 0; i < job->comparison->target.count; i++)
    fprintf(job->file, "##contig=<ID=%s,length=%" PRId64 ">\n", body->contigs[i],
            genome_letters(&job->comparison->target, i));
  if (is_certified(job->comparison)) {
    vcf_certainty_head(job->file, NULL, NULL);
    fputs("##FILTER=<ID=" UNCERTIFIED
          ",Description=\"Not in an alignment, so no certificate tells of it\">\n",
          job->file);
  }
  fputs(head_lines, job->file);
  for (int64_t i = 0; i < body->count && !ferror(job->file); i++)
    fwrite(body->text + body->lines[i].begin, 1, body->lines[i].bytes, job->file);
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static cla_status check_contigs(const vcf_body *body, cla_error *error) {
  const cla_genome *target = &body->job->comparison->target;
  char **sorted = NULL;
  cla_status status = ALLOCATE_ARRAY(&sorted, (int64_t)target->count, "the names of records", error);
  for (size_t i = 0; i < target->count && status == CLA_OK; i++) {
    sorted[i] = body->contigs[i];
    status = cla_format_check_letters(CLA_FORMAT_VCF, genome_letters(target, i), body->contigs[i], error);
  }
  if (status == CLA_OK) qsort(sorted, target->count, sizeof *sorted, compare_names);
  for (size_t i = 1; i < target->count && status == CLA_OK; i++)
    if (strcmp(sorted[i - 1], sorted[i]) == 0)
      status = error_set(
          error, CLA_ERROR_INPUT,
          "two records of the target are called %s, and VCF cannot tell them apart; rename one", sorted[i]);
  free(sorted);
  return status;
}

/* Makes the names of both genomes' records in the form for VCF. Query names stand in INFO, so they contain
 * no separators of INFO. */
static cla_status make_names(vcf_body *body, cla_error *error) {
  const cla_comparison *comparison = body->job->comparison;
  const name_rules *rules = &format_entry_find(CLA_FORMAT_VCF)->names;
  cla_status status = compare_names_make(&body->contigs, &comparison->target, rules->target, "target", error);
  if (status == CLA_OK)
    status = compare_names_make(&body->queries, &comparison->query, rules->query, "query", error);
  for (size_t i = 0; i < comparison->query.count && status == CLA_OK; i++)
    for (char *at = body->queries[i]; *at; at++)
      if (strchr(";=,", *at)) *at = '_';
  return status;
}

static cla_status make_body(vcf_body *body, cla_error *error) {
  cla_status status = make_names(body, error);
  if (status == CLA_OK) status = check_contigs(body, error);
  if (status != CLA_OK) return status;
  body->file = open_memstream(&body->text, &body->text_bytes);
  if (!body->file) return error_set(error, CLA_ERROR_MEMORY, "no memory for the lines of VCF; free some");
  status = put_all(body, error);
  const bool failed = ferror(body->file) != 0;
  if ((fclose(body->file) != 0 || failed) && status == CLA_OK)
    status = error_set(error, CLA_ERROR_MEMORY, "no memory for the lines of VCF; free some");
  if (status == CLA_OK && body->count > 0)
    qsort(body->lines, (size_t)body->count, sizeof *body->lines, compare_lines);
  return status;
}

cla_status write_compare_vcf(const compare_job *job, cla_error *error) {
  vcf_body body = {.job = job, .filter = is_certified(job->comparison) ? UNCERTIFIED : "."};
  cla_status status = make_body(&body, error);
  if (status == CLA_OK) print_sorted(&body);
  compare_names_free(body.contigs, job->comparison->target.count);
  compare_names_free(body.queries, job->comparison->query.count);
  free(body.lines);
  free(body.text);
  return status;
}
