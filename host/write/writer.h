#ifndef HOST_WRITE_WRITER_H
#define HOST_WRITE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/alignment.h"
#include "clalign/arrays.h"
#include "clalign/certain.h"
#include "clalign/status.h"
#include "clalign/write.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "write/column_list.h"
#include "write/record_names.h"

/* A growing text in memory. The caller initialises the struct with zeros, and frees `bytes`. */
typedef struct text_memory {
  char *bytes;
  size_t used, capacity;
  bool failed; /* memory ran out, and text is lost */
} text_memory;

/* Makes room for `count` more bytes, and returns the place where the caller may write them; NULL if memory
 * runs out. The caller increases `used`. */
char *text_memory_room(text_memory *memory, size_t count);

/* The input of every writer. Alignments with a path fit their sequences (path_check_fit), and the format can
 * store all alignments (cla_format_facts). */
typedef struct write_job {
  FILE *file;
  const char *path; /* path of the file, for messages; NULL: the caller's stream */
  const cla_alignment *const *alignments;
  size_t count;
  const cla_certificate *const *certificates; /* by alignment; an entry or the array may be NULL */
  const cla_sequence *query, *target;
  const cla_write_options *how; /* never NULL */
  const char *command;          /* NULL: none */
  bool compressed;
  name_rules names;           /* the format's rules for names */
  bool body_only;             /* one pair of many: write no head and no tail of the file */
  int64_t *numbered;          /* with body_only: number of alignments numbered in the file so far */
  text_memory *memory;        /* with body_only, for formats with in_memory: the output; NULL: the file */
  const column_list *columns; /* columns of how->columns, for many pairs; NULL: not parsed yet */
  bool plain_names[2]; /* [0] the query's name, [1] the target's name is printable ASCII without blanks;
                          false: not known */
  const uint32_t
      *runs;        /* runs of the only alignment, in BAM's form; NULL: the alignments have their own runs */
  const char *info; /* additional text for INFO in VCF, starting with ';'; NULL: none */
  bool reduced;     /* VCF has bases instead of IUPAC letters in REF, and the letters themselves in INFO */
  bool in_pieces;   /* the alignments are pieces of one alignment; set by write_job_prepare */
  bool circular_target; /* the target is known to be circular; set by write_job_prepare */
} write_job;

/* Returns the certificate of the job's alignment `index`; NULL: there is none. */
static inline const cla_certificate *job_certificate(const write_job *job, size_t index) {
  return job->certificates ? job->certificates[index] : NULL;
}

/* The writers. Output errors only set the stream's error flag, which the caller checks. But write_bam, which
 * does not write through the stream, returns output errors. Other errors: CLA_ERROR_MEMORY; CLA_ERROR_OPTION
 * for alignments that the format cannot store, before the first byte is written. */
cla_status write_json(const write_job *job, cla_error *error);
cla_status write_pair(const write_job *job, cla_error *error);
cla_status write_srspair(const write_job *job, cla_error *error);
cla_status write_paf(const write_job *job, cla_error *error);
cla_status write_sam(const write_job *job, cla_error *error);
cla_status write_bam(const write_job *job, cla_error *error);
cla_status write_cigar(const write_job *job, cla_error *error);
cla_status write_blast(const write_job *job, cla_error *error);
cla_status write_blast7(const write_job *job, cla_error *error);
cla_status write_maf(const write_job *job, cla_error *error);
cla_status write_fasta(const write_job *job, cla_error *error);
cla_status write_chain(const write_job *job, cla_error *error);
cla_status write_vcf(const write_job *job, cla_error *error);
cla_status write_bed(const write_job *job, cla_error *error);
cla_status write_cla(const write_job *job, cla_error *error);
cla_status write_tsv(const write_job *job, cla_error *error);
cla_status write_blocks(const write_job *job, cla_error *error);
cla_status write_bedgraph(const write_job *job, cla_error *error);

/* VCF's letters of ALT by the codes of nucleotides: A, C, G, T, and N for all others. */
extern const char vcf_letters[];

/* VCF's letters of REF by the codes of nucleotides: the alphabetically first base that an IUPAC letter stands
 * for, as the specification demands, and N for N. */
extern const char vcf_first_bases[];

/* Names in INFO of the letters of REF and ALT as they are in the sequences. */
#define VCF_OWN_REF "OWNREF"
#define VCF_OWN_ALT "OWNALT"

/* Write the head and the tail of a file of many pairs. `command` has no line ends, or is NULL; `pairs` is the
 * number of pairs. */
void write_maf_head(FILE *file, const char *command);
void write_pair_head(FILE *file, const char *command);
void write_srspair_head(FILE *file, const char *command);
void write_tsv_head(FILE *file, const column_list *columns);
void write_pair_tail(FILE *file, int64_t pairs);
void write_blast7_tail(FILE *file, int64_t pairs);

/* Chooses the columns of tsv; `paths` is true if the alignments have paths. CLA_ERROR_OPTION. */
cla_status tsv_columns_choose(column_list *out, const cla_write_options *how, bool paths, cla_error *error);

/* A format: its properties, and the function that writes it. */
typedef struct format_entry {
  cla_format_facts facts;
  cla_status (*write)(const write_job *job, cla_error *error);
  const column_table *columns; /* the columns that cla_write_options may name; NULL: no columns */
  bool by_pair;      /* in an output of many pairs, the text of each pair depends only on that pair */
  bool in_memory;    /* the whole text is written through a text_buffer */
  bool from_runs;    /* the writer can take the path from job->runs */
  bool along_target; /* with along_records: only the target is cut at its origin; the query is rotated */
  name_rules names;
} format_entry;

/* Returns the format's entry; NULL if there is no such format. */
const format_entry *format_entry_find(cla_format format);

/* Returns CLA_ERROR_OPTION if `compressed` is set for a binary format. */
cla_status write_check_compressed(const format_entry *entry, bool compressed, cla_error *error);

/* Opens a stream that writes its bytes to `plain` as blocks of gzip (BGZF), and an end mark when it is
 * closed. `threads` threads compress. CLA_ERROR_MEMORY. */
cla_status compressed_stream_open(FILE **out, FILE *plain, int threads, cla_error *error);

/* Closes a compressed stream; `plain` remains open. CLA_ERROR_OUTPUT if any byte was lost, with the errno of
 * the failure. `name` is the output's name, or NULL. */
cla_status compressed_stream_close(FILE *stream, const char *name, cla_error *error);

/* Data that a prepared job needs until it is written. */
typedef struct write_input {
  rotated_pair pair;
  cla_alignment **parts; /* written instead of the caller's alignments; NULL: the caller's are written */
  size_t part_count;
  cla_certificate **certificates; /* by part; NULL: the parts have none */
} write_input;

/* Refuses a job that the format cannot store (CLA_ERROR_OPTION). Then rotates the job's sequences so that
 * they fit the alignments' positions, or cuts the alignments if the format's positions run along the records.
 * `entry` may be NULL. The caller calls write_input_free, even after an error. */
cla_status write_job_prepare(write_job *job, write_input *input, const format_entry *entry, cla_error *error);
void write_input_free(write_input *input);

/* Prints a name in a column of `width` letters, padded with spaces; a longer name is cut if `cut` is set. A
 * UTF-8 character counts as one letter, even if it has several bytes. */
void print_name(FILE *file, const char *name, int width, bool cut);

/* Returns the number of characters of a text in UTF-8. */
int text_letters(const char *text);

/* The names of both sequences, and the command line, in a form that the format allows. */
typedef struct name_pair {
  const char *query, *target; /* names of the alignments or sequences; those that are not clean are replaced
                                 by names in `owned` */
  char *command;              /* owned; NULL: none */
  char *owned[2];             /* memory of names that were changed; NULL: the name is clean */
} name_pair;

/* Makes the names by the job's rules; an empty name becomes "query" or "target". CLA_ERROR_MEMORY. The caller
 * calls name_pair_free, also after an error. */
cla_status name_pair_make(name_pair *out, const write_job *job, cla_error *error);
void name_pair_free(name_pair *names);

/* Returns the fraction of columns that are not matches, 0 .. 1, counting each gap as one column, like
 * minimap2's tag de. Returns 0 if there are no columns. */
double gap_compressed_difference(const cla_statistics *counts);

/* A buffer of text for a stream. Without it, calling stdio for each number would take longer than aligning
 * short pairs. Output errors only set the stream's error flag. The caller calls text_flush at the end. */

#define TEXT_BUFFER_SIZE 16384
#define TEXT_NUMBER_MOST 20 /* maximum number of characters of a number: "-9223372036854775808" */

typedef struct text_buffer {
  FILE *file;
  text_memory *memory; /* destination of the text; NULL: the file */
  size_t used;
  char bytes[TEXT_BUFFER_SIZE];
} text_buffer;

/* True if text of the job was lost. */
static inline bool job_failed(const write_job *job) {
  return job->memory ? job->memory->failed : ferror(job->file) != 0;
}

static inline void text_begin(text_buffer *text, const write_job *job) {
  text->file = job->file;
  text->memory = job->memory;
  text->used = 0;
}

/* Writes the buffered text to its destination. */
void text_flush(text_buffer *text);

/* These functions write any number of bytes, or a string without the terminating zero. */
void text_put_bytes(text_buffer *text, const char *bytes, size_t count);
void text_put(text_buffer *text, const char *string);

static inline void text_put_char(text_buffer *text, char byte) {
  if (text->used == TEXT_BUFFER_SIZE) text_flush(text);
  text->bytes[text->used++] = byte;
}

/* Writes a number below 1000 (most numbers are) without a branch for the tens digit. Returns the end of the
 * text. */
static inline char *put_small_number(char *to, uint32_t number) {
  const uint32_t rest = number % 100;
  if (number > 99) *to++ = (char)('0' + number / 100);
  *to = (char)('0' + rest / 10);
  to += number > 9;
  *to = (char)('0' + rest % 10);
  return to + 1;
}

char *put_any_number(char *to, int64_t number);

/* Writes a number in at most TEXT_NUMBER_MOST characters. Returns the end of the text. */
static inline char *put_number(char *to, int64_t number) {
  return number >= 0 && number <= 999 ? put_small_number(to, (uint32_t)number) : put_any_number(to, number);
}

static inline void text_put_number(text_buffer *text, int64_t number) {
  if (TEXT_BUFFER_SIZE - text->used < TEXT_NUMBER_MOST) text_flush(text);
  text->used = (size_t)(put_number(text->bytes + text->used, number) - text->bytes);
}

/* Writes a number with six significant digits in at most REAL_MOST characters, with a decimal point in every
 * locale, for example 0, 1.30103 or 2.5e-7. Returns the end of the text. */
#define REAL_MOST 24
char *put_real(char *to, double value);

/* Writes a score or cost in points, exactly. */
void text_put_score(text_buffer *text, int64_t score, const cla_scoring *scoring);

/* Writes value / one with all decimals. `value` is at least 0, and `one` is a power of ten. */
void text_put_decimals(text_buffer *text, int64_t value, int64_t one);

/* Writes the extended CIGAR of an alignment, for example "12=1X3I7="; writes nothing for an empty alignment.
 * The alignment must have a path that fits its sequences (path_check_fit). */
void cigar_put(text_buffer *text, const cla_alignment *alignment, const cla_sequence *query,
               const cla_sequence *target);

/* A reader of the operations of a job's alignment, for all forms in which a job may have them. */
typedef struct path_steps {
  const uint32_t *next, *end; /* next and end of the job's runs; NULL: `reader` is used */
  int64_t query, target;      /* start of the next operation */
  cigar_reader reader;
} path_steps;

/* Starts reading. With `letters`, only equal letters are matches (cigar_reader_begin_letters). */
void path_steps_begin(path_steps *steps, const write_job *job, const cla_alignment *alignment, bool letters);

/* The letters of the operations of packed runs, indexed by BAM's numbers. */
#define PACKED_OPERATIONS "MIDNSHP=XB"

static inline bool path_steps_next(path_steps *steps, cigar_step *step) {
  if (!steps->next) return cigar_reader_next(&steps->reader, step);
  if (steps->next == steps->end) return false;
  const uint32_t run = *steps->next++;
  *step = (cigar_step){PACKED_OPERATIONS[run & 15], run >> 4, steps->query, steps->target};
  if (step->operation != 'D') steps->query += step->length;
  if (step->operation != 'I') steps->target += step->length;
  return true;
}

/* Like alignment_count, for a job's alignment. With packed runs, only matches, mismatches, gaps and columns
 * are counted. */
cla_status job_count(cla_statistics *out, const write_job *job, const cla_alignment *alignment,
                     cla_error *error);

/* Like cigar_put, with the CIGAR letters that the job's options select. */
void job_cigar_put(text_buffer *text, const write_job *job, const cla_alignment *alignment);

/* Letters of a sequence along the path. */

/* Returns the target's letters, like strand_query for the query. */
strand_letters strand_target(const cla_sequence *target);

/* Prints `count` letters of the strand, starting at position `start`; `letters` maps codes to letters. */
void strand_print(FILE *file, const strand_letters *strand, const char *letters, int64_t start,
                  int64_t count);

typedef enum gapped_side { GAPPED_QUERY, GAPPED_TARGET } gapped_side;

/* Prints one row of the alignment: a side's letters along the path, with '-' in gaps. If `line_letters` is
 * above 0, prints lines of that number of letters, each with a line end; otherwise prints no line end. */
void gapped_row_print(const write_job *job, const cla_alignment *alignment, gapped_side side,
                      int line_letters);

/* Target letters whose differences to the query are known from an alignment. */
typedef struct callable_part {
  int64_t from, to; /* 0-based, half-open */
  size_t alignment; /* index of the alignment */
} callable_part;

/* Lists the parts in the order of the target. No two parts share a letter. Only the strand with the larger
 * sum of scores is used. An alignment's part is the letters that no earlier alignment covers. A single
 * alignment always has a part, even without letters. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status callable_parts_list(callable_part **out, size_t *count, const write_job *job, cla_error *error);

#endif
