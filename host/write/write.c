#include "clalign/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/files.h"
#include "result/alignment.h"
#include "result/path_check.h"
#include "write/certain_runs.h"
#include "write/certificate_part.h"
#include "write/writer.h"

/* The formats, indexed by cla_format. */
static const format_entry formats[CLA_FORMAT_COUNT] = {
    [CLA_FORMAT_JSON] = {{.name = "json", .endings = "json jsonl"},
                         write_json,
                         .by_pair = true,
                         .in_memory = true,
                         .names = {.free = true}},
    [CLA_FORMAT_PAIR] = {{.name = "pair", .endings = "pair", .needs_path = true},
                         write_pair,
                         .names = {.free = true}},
    [CLA_FORMAT_PAF] = {{.name = "paf", .endings = "paf", .needs_path = true, .along_records = true},
                        write_paf,
                        .by_pair = true,
                        .in_memory = true,
                        .from_runs = true},
    [CLA_FORMAT_SAM] = {{.name = "sam",
                         .endings = "sam",
                         .needs_path = true,
                         .dna_only = true,
                         .short_records = true,
                         .along_records = true},
                        write_sam,
                        .from_runs = true,
                        .names = {.query = CLEAN_SAM_QUERY, .target = CLEAN_SAM_REFERENCE}},
    [CLA_FORMAT_CIGAR] = {{.name = "cigar", .endings = "cigar", .needs_path = true},
                          write_cigar,
                          .by_pair = true,
                          .in_memory = true,
                          .from_runs = true,
                          .names = {.free = true}},
    [CLA_FORMAT_BAM] = {{.name = "bam",
                         .endings = "bam",
                         .needs_path = true,
                         .dna_only = true,
                         .binary = true,
                         .short_records = true,
                         .along_records = true},
                        write_bam,
                        .from_runs = true,
                        .names = {.query = CLEAN_SAM_QUERY, .target = CLEAN_SAM_REFERENCE}},
    [CLA_FORMAT_BLAST] = {{.name = "blast", .endings = "blast m8", .needs_path = true, .along_records = true},
                          write_blast,
                          .by_pair = true,
                          .columns = &blast_table,
                          .names = {.query = CLEAN_FIRST_COLUMN}},
    [CLA_FORMAT_BLAST7] =
        {{.name = "blast7", .endings = "blast7 blast", .needs_path = true, .along_records = true},
         write_blast7,
         .columns = &blast_table,
         .names = {.query = CLEAN_FIRST_COLUMN}},
    [CLA_FORMAT_MAF] = {.facts = {.name = "maf", .endings = "maf", .needs_path = true, .along_records = true},
                        .write = write_maf},
    [CLA_FORMAT_SRSPAIR] = {{.name = "srspair", .endings = "srspair pair", .needs_path = true},
                            write_srspair,
                            .names = {.free = true}},
    [CLA_FORMAT_FASTA] = {{.name = "fasta", .endings = "fasta fa", .needs_path = true},
                          write_fasta,
                          .by_pair = true,
                          .names = {.free = true}},
    [CLA_FORMAT_CHAIN] =
        {.facts = {.name = "chain", .endings = "chain", .needs_path = true, .along_records = true},
         .write = write_chain},
    [CLA_FORMAT_VCF] = {{.name = "vcf",
                         .endings = "vcf",
                         .needs_path = true,
                         .dna_only = true,
                         .short_records = true,
                         .along_records = true},
                        write_vcf,
                        .names = {.target = CLEAN_SAM_REFERENCE},
                        .along_target = true},
    [CLA_FORMAT_BED] = {{.name = "bed", .endings = "bed", .needs_path = true, .along_records = true},
                        write_bed,
                        .by_pair = true,
                        .names = {.target = CLEAN_SAM_REFERENCE},
                        .along_target = true},
    [CLA_FORMAT_CLA] = {.facts = {.name = "cla", .endings = "cla", .binary = true, .needs_one = true},
                        .write = write_cla},
    [CLA_FORMAT_TSV] = {{.name = "tsv", .endings = "tsv"},
                        write_tsv,
                        .by_pair = true,
                        .in_memory = true,
                        .from_runs = true,
                        .names = {.query = CLEAN_FIRST_COLUMN, .free = true},
                        .columns = &tsv_table},
    [CLA_FORMAT_BLOCKS] = {{.name = "blocks",
                            .endings = "blocks bed",
                            .needs_path = true,
                            .along_records = true,
                            .certified = true},
                           write_blocks,
                           .by_pair = true,
                           .names = {.target = CLEAN_SAM_REFERENCE},
                           .along_target = true},
    [CLA_FORMAT_BEDGRAPH] = {{.name = "bedgraph",
                              .endings = "bedgraph bg",
                              .needs_path = true,
                              .along_records = true,
                              .certified = true},
                             write_bedgraph,
                             .by_pair = true,
                             .names = {.target = CLEAN_SAM_REFERENCE},
                             .along_target = true},
    [CLA_FORMAT_MATRIX] = {{.name = "matrix", .endings = "matrix", .many_pairs = true},
                           .columns = &matrix_table},
    [CLA_FORMAT_PHYLIP] =
        {.facts = {.name = "phylip", .endings = "phylip phy", .needs_path = true, .many_pairs = true}},
};

const format_entry *format_entry_find(cla_format format) {
  const bool known = (int)format >= 0 && (int)format < CLA_FORMAT_COUNT;
  return known ? &formats[format] : NULL;
}

const cla_format_facts *cla_format_describe(cla_format format) {
  const format_entry *entry = format_entry_find(format);
  return entry ? &entry->facts : NULL;
}

cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error) {
  char names[256] = "";
  for (int index = 0; index < CLA_FORMAT_COUNT; index++) {
    const char *known = formats[index].facts.name;
    if (strcmp(known, name) == 0) {
      *out = (cla_format)index;
      return CLA_OK;
    }
    error_list_add(names, sizeof names, known, index + 1 < CLA_FORMAT_COUNT ? ", " : " and ");
  }
  return error_set(error, CLA_ERROR_OPTION, "unknown output format '%.256s'; the formats are %s", name,
                   names);
}

/* Returns the length of a path without .gz or .bgz at its end. */
static size_t bare_length(const char *path) {
  const size_t length = strlen(path);
  if (path_ends_in(path, ".gz")) return length - strlen(".gz");
  return path_ends_in(path, ".bgz") ? length - strlen(".bgz") : length;
}

/* Returns the ending of a file's name, after the last dot, and sets *length to the ending's length. Returns
 * NULL if there is no ending. */
static const char *path_ending(const char *path, size_t *length) {
  const size_t bare = bare_length(path);
  size_t begin = bare;
  while (begin > 0 && path[begin - 1] != '.' && path[begin - 1] != '/') begin--;
  *length = bare - begin;
  return begin > 0 && path[begin - 1] == '.' ? path + begin : NULL;
}

static bool has_word(const char *words, const char *word, size_t length) {
  for (const char *at = words; *at; at += strspn(at, " ")) {
    const size_t letters = strcspn(at, " ");
    if (letters == length && strncasecmp(at, word, length) == 0) return true;
    at += letters;
  }
  return false;
}

/* Returns a remedy if `ending` belongs to a file format that clalign does not write, else NULL. */
static const char *foreign_remedy(const char *ending, size_t length) {
  static const struct {
    const char *endings, *remedy;
  } foreign[] = {
      {"bcf cram", "write .bam or .vcf.gz, and have samtools or bcftools convert it"},
      {"zst zstd bz2 xz lzma lz4 br gzip z zip 7z tar tgz", "end it in .gz, or compress the file afterwards"},
      {"png svg pdf html", "a plot draws pictures"},
  };
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (has_word(foreign[i].endings, ending, length)) return foreign[i].remedy;
  return NULL;
}

bool cla_format_from_path(cla_format *out, bool *compressed, const char *path) {
  size_t length = 0;
  const char *ending = path_ending(path, &length);
  *compressed = bare_length(path) < strlen(path);
  for (int index = 0; ending && index < CLA_FORMAT_COUNT; index++)
    if (has_word(formats[index].facts.endings, ending, length)) {
      *out = (cla_format)index;
      return true;
    }
  return false;
}

cla_status cla_format_of_file(cla_format *out, bool *compressed, const char *path, cla_format standard,
                              cla_error *error) {
  size_t length = 0;
  if (cla_format_from_path(out, compressed, path)) return CLA_OK;
  const char *ending = path_ending(path, &length);
  const char *remedy = ending ? foreign_remedy(ending, length) : NULL;
  const bool text = ending && has_word("txt", ending, length);
  *out = standard;
  if (!ending || length == 0 || (text && !formats[standard].facts.binary)) return CLA_OK;
  if (remedy)
    return error_set(error, CLA_ERROR_OPTION, "cannot write %.1024s: %.*s is no format of clalign; %s", path,
                     (int)length, ending, remedy);
  return error_set(
      error, CLA_ERROR_OPTION,
      "cannot write %.1024s: no format has the ending .%.*s; name the format too, or end the file "
      "in .paf, .sam, .vcf.gz or another of the formats",
      path, (int)length, ending);
}

cla_status cla_format_check_letters(cla_format format, int64_t letters, const char *what, cla_error *error) {
  const cla_format_facts *facts = cla_format_describe(format);
  return facts && facts->short_records ? short_record_check(facts->name, letters, what, error) : CLA_OK;
}

cla_status cla_columns_check(cla_format format, const char *names, cla_error *error) {
  column_list unused;
  const format_entry *entry = format_entry_find(format);
  return entry && entry->columns ? column_list_parse(&unused, entry->columns, names, error) : CLA_OK;
}

bool cla_format_fits_path(cla_format format, const char *path) {
  const cla_format_facts *facts = cla_format_describe(format);
  cla_format by_name;
  size_t length = 0;
  bool compressed = false;
  const char *ending = path_ending(path, &length);
  if (!cla_format_from_path(&by_name, &compressed, path)) return !ending || !foreign_remedy(ending, length);
  if (by_name == CLA_FORMAT_TSV) return facts && !facts->binary; /* tables of any kind have this ending */
  return facts && has_word(facts->endings, ending, length);
}

/* True if the job cannot be written without certificates. */
static bool is_certified(const write_job *job, const cla_format_facts *facts) {
  return facts->certified || (facts == &formats[CLA_FORMAT_BED].facts && job->how->mask_below > 0);
}

static cla_status check_certificate(const write_job *job, size_t index, const cla_format_facts *facts,
                                    cla_error *error) {
  const cla_certificate *certificate = job_certificate(job, index);
  const cla_alignment *alignment = job->alignments[index];
  if (!certificate && is_certified(job, facts) && !path_is_empty(alignment))
    return error_set(error, CLA_ERROR_OPTION,
                     "the format %s needs a certificate, which alignment %zu does not have; make it with "
                     "cla_certify, or use the format %s",
                     facts->name, index + 1, facts->certified ? "bed" : "bed without mask_below");
  return certificate ? certificate_check(certificate, job->alignments[index], index + 1, error) : CLA_OK;
}

/* Checks that the format can store each of the job's alignments. */
static cla_status check_alignments(const write_job *job, const cla_format_facts *facts, cla_error *error) {
  for (size_t index = 0; index < job->count; index++) {
    const cla_alignment *alignment = job->alignments[index];
    if (!alignment->has_path && !facts->needs_path) continue;
    if (!alignment->has_path)
      return error_set(
          error, CLA_ERROR_OPTION,
          "the format %s needs an aligned path, which alignment %zu does not have; use the format "
          "json or cla, or align without score-only",
          facts->name, index + 1);
    cla_status status = path_check_fit(alignment, job->query, job->target, error);
    if (status == CLA_OK) status = check_certificate(job, index, facts, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

cla_status write_check_compressed(const format_entry *entry, bool compressed, cla_error *error) {
  if (!compressed || !entry->facts.binary) return CLA_OK;
  return error_set(error, CLA_ERROR_OPTION,
                   "the format %s is compressed by itself; write it without compressing it again",
                   entry->facts.name);
}

/* Checks the job. Alignments that the format cannot store are refused here, or by the writer before its first
 * byte. */
static cla_status check_job(const write_job *job, const format_entry *entry, cla_error *error) {
  if (!entry) return error_set(error, CLA_ERROR_OPTION, "unknown output format; use one of cla_format's");
  const cla_format_facts *facts = &entry->facts;
  cla_status status = write_check_compressed(entry, job->compressed, error);
  if (status != CLA_OK) return status;
  const cla_alphabet kind = cla_sequence_alphabet(job->query);
  if (facts->dna_only && kind != CLA_ALPHABET_DNA)
    return error_set(
        error, CLA_ERROR_OPTION,
        "the format %s holds nucleotides only, not sequences of %s; use the format paf, json or pair",
        facts->name, kind == CLA_ALPHABET_PROTEIN ? "proteins" : cla_alphabet_name(kind));
  if (facts->many_pairs && !job->body_only)
    return error_set(error, CLA_ERROR_OPTION,
                     "the format %s is a table of many pairs, for 'clalign batch --all-vs-all'; use tsv",
                     facts->name);
  if (facts->needs_one && job->count == 0)
    return error_set(error, CLA_ERROR_OPTION, "the format %s cannot say that there is no alignment; use json",
                     facts->name);
  return check_alignments(job, facts, error);
}

static cla_status check_rotation(const write_job *job, cla_error *error) {
  for (size_t index = 1; index < job->count; index++) {
    const cla_alignment *first = job->alignments[0], *alignment = job->alignments[index];
    if (alignment->query.rotation != first->query.rotation ||
        alignment->target.rotation != first->target.rotation)
      return error_set(error, CLA_ERROR_OPTION,
                       "alignments %d and %zu are of different rotations; write each by itself", 1,
                       index + 1);
  }
  return CLA_OK;
}

/* A part of one of the job's alignments. */
typedef struct cut_part {
  origin_part part;
  size_t whole; /* index of the job's alignment */
} cut_part;

static int compare_parts(const void *a, const void *b) {
  return alignments_compare(((const cut_part *)a)->part.alignment, ((const cut_part *)b)->part.alignment);
}

/* Cuts the job's alignments. The parts are owned by input->parts. */
static cla_status cut_alignments(cut_part *cuts, write_input *input, const write_job *job,
                                 bool query_anywhere, cla_error *error) {
  cla_status status = CLA_OK;
  for (size_t index = 0; index < job->count && status == CLA_OK; index++) {
    origin_part parts[ORIGIN_PARTS_MOST];
    size_t count = 0;
    status =
        alignment_along_records(parts, &count, job->alignments[index], query_anywhere, &input->pair, error);
    for (size_t i = 0; i < count; i++) {
      cuts[input->part_count] = (cut_part){parts[i], index};
      input->parts[input->part_count++] = parts[i].alignment;
    }
  }
  return status;
}

/* Orders the parts, and gives them certificates if the alignments have some. */
static cla_status order_parts(cut_part *cuts, write_input *input, const write_job *job, cla_error *error) {
  cla_status status = CLA_OK;
  if (input->part_count > 1) qsort(cuts, input->part_count, sizeof *cuts, compare_parts);
  if (job->certificates)
    status = ALLOCATE_ZEROS(&input->certificates, (int64_t)input->part_count, "certificates of parts", error);
  for (size_t i = 0; i < input->part_count; i++) {
    const cla_certificate *whole = job_certificate(job, cuts[i].whole);
    input->parts[i] = cuts[i].part.alignment;
    if (whole && status == CLA_OK)
      status = certificate_part_make(&input->certificates[i], whole, job->alignments[cuts[i].whole],
                                     &cuts[i].part, error);
  }
  return status;
}

/* Cuts alignments that cross the origin of a circular record, because the format's positions run along the
 * records. */
static cla_status along_records(write_job *job, write_input *input, const format_entry *entry,
                                cla_error *error) {
  const bool query_anywhere = entry->along_target;
  const int64_t most = (int64_t)job->count * ORIGIN_PARTS_MOST;
  cut_part *cuts = NULL;
  cla_status status = ALLOCATE_ZEROS(&input->parts, most, "the parts of a circle", error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&cuts, most, "the parts of a circle", error);
  if (status == CLA_OK) status = cut_alignments(cuts, input, job, query_anywhere, error);
  if (status == CLA_OK) status = order_parts(cuts, input, job, error);
  free(cuts);
  if (status != CLA_OK) return status;
  job->in_pieces |= job->count == 1;
  job->circular_target = job->alignments[0]->target.rotation > 0;
  job->alignments = (const cla_alignment *const *)input->parts;
  job->certificates = (const cla_certificate *const *)input->certificates;
  job->count = input->part_count;
  if (!query_anywhere || job->count == 0) return CLA_OK;
  /* If a path goes around the whole target, its query may have another rotation now, so the query is rotated
   * again. */
  const cla_sequence *query = job->query;
  rotated_pair_free(&input->pair);
  status = rotated_pair_make(&input->pair, job->alignments[0], query, job->target, error);
  job->query = input->pair.query;
  return status;
}

cla_status write_job_prepare(write_job *job, write_input *input, const format_entry *entry,
                             cla_error *error) {
  *input = (write_input){0};
  if (entry) job->names = entry->names;
  cla_status status = check_job(job, entry, error);
  if (status == CLA_OK) status = check_rotation(job, error);
  if (status != CLA_OK || job->count == 0) return status;
  const cla_alignment *first = job->alignments[0];
  const bool rotated = first->query.rotation > 0 || first->target.rotation > 0;
  job->in_pieces = first->has_split;
  status = rotated_pair_make(&input->pair, first, job->query, job->target, error);
  if (status != CLA_OK) return status;
  if (entry->facts.along_records && rotated) return along_records(job, input, entry, error);
  job->query = input->pair.query;
  job->target = input->pair.target;
  return CLA_OK;
}

void write_input_free(write_input *input) {
  rotated_pair_free(&input->pair);
  for (size_t i = 0; input->certificates && i < input->part_count; i++)
    certificate_part_free(input->certificates[i]);
  free(input->certificates);
  cla_alignments_free(input->parts, input->part_count);
  input->parts = NULL;
  input->certificates = NULL;
}

static write_job make_job(FILE *file, const cla_results *results, const cla_write_options *options) {
  static const cla_write_options none = {0};
  return (write_job){.file = file,
                     .how = options ? options : &none,
                     .alignments = results->alignments,
                     .certificates = results->certificates,
                     .count = results->count,
                     .query = results->query,
                     .target = results->target,
                     .command = options ? options->command : NULL,
                     .compressed = options && options->compressed};
}

/* Runs the writer of a prepared job. */
static cla_status write_prepared(const format_entry *entry, write_job *job, cla_error *error) {
  FILE *packed = NULL, *plain = job->file;
  if (!job->compressed) return entry->write(job, error);
  cla_status status = compressed_stream_open(&packed, plain, job->how->threads, error);
  if (status != CLA_OK) return status;
  job->file = packed;
  status = entry->write(job, error);
  job->file = plain;
  cla_error later;
  const cla_status closed = compressed_stream_close(packed, job->path, status == CLA_OK ? error : &later);
  return status == CLA_OK ? closed : status;
}

cla_status cla_write(FILE *file, cla_format format, const cla_results *results,
                     const cla_write_options *options, cla_error *error) {
  write_job job = make_job(file, results, options);
  const format_entry *entry = format_entry_find(format);
  write_input input;
  cla_status status = write_job_prepare(&job, &input, entry, error);
  if (status != CLA_OK) goto done;
  errno = 0;
  status = write_prepared(entry, &job, error);
  if (fflush(file) == 0 && !ferror(file)) goto done;
  status = output_failed(NULL, entry->facts.name, errno, error);
done:;
  const int error_number = errno;
  write_input_free(&input);
  errno = error_number;
  return status;
}

cla_status cla_write_file(const char *path, cla_format format, const cla_results *results,
                          const cla_write_options *options, cla_error *error) {
  atomic_file *file = NULL;
  write_job job = make_job(NULL, results, options);
  const format_entry *entry = format_entry_find(format);
  write_input input;
  cla_status status = write_job_prepare(&job, &input, entry, error);
  if (status == CLA_OK) status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) goto done;
  job.file = atomic_file_stream(file);
  job.path = path;
  status = write_prepared(entry, &job, error);
  if (status == CLA_OK)
    status = atomic_file_commit(file, error);
  else
    atomic_file_discard(file);
done:
  write_input_free(&input);
  return status;
}

cla_status cla_write_text(const char *path, const char *text, cla_error *error) {
  atomic_file *file = NULL;
  cla_status status = atomic_file_open(&file, path, error);
  if (status != CLA_OK) return status;
  fputs(text, atomic_file_stream(file));
  return atomic_file_commit(file, error);
}
