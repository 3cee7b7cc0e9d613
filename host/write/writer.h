#ifndef HOST_WRITE_WRITER_H
#define HOST_WRITE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clalign/alignment.h"
#include "clalign/arrays.h"
#include "clalign/status.h"
#include "clalign/write.h"
#include "result/alignment.h"
#include "result/cigar_reader.h"
#include "write/column_list.h"
#include "write/record_names.h"

/* Text in memory, which grows. Zero-initialise; the caller frees `bytes`. */
typedef struct text_memory {
  char *bytes;
  size_t used, capacity;
  bool failed; /* there is no memory */
} text_memory;

/* Where so many more bytes may be put, which are not counted as used yet; NULL: there is no memory. */
char *text_memory_room(text_memory *memory, size_t count);

/* The input of every writer. Alignments with a path fit their sequences (path_check_fit), and the format's
 * cla_format_facts allow them. */
typedef struct write_job {
  FILE *file;
  const char *path; /* of the file, for messages; NULL: a stream of the caller's */
  const cla_alignment *const *alignments;
  size_t count;
  const cla_sequence *query, *target;
  const cla_write_options *how; /* never NULL */
  const char *command;          /* NULL: none */
  bool compressed;
  name_rules names;           /* the format's */
  bool body_only;             /* one pair of many: without what stands once at a file's begin and end */
  int64_t *numbered;          /* with body_only: how many alignments the file has numbered so far */
  text_memory *memory;        /* with body_only, what a format of in_memory adds to; NULL: the file */
  const column_list *columns; /* what how->columns says, of many pairs; NULL: it is not read yet */
  bool plain_names[2];  /* the query's, the target's is of printable ASCII without blanks; false: not known */
  const uint32_t *runs; /* the only alignment's, which then has none itself, as BAM has them; NULL: it has */
  const char *info;     /* more of VCF's INFO, which begins with ';'; NULL: nothing */
  bool in_pieces;       /* the alignments are pieces of one; set by write_job_prepare */
  bool circular_target; /* the target is known to be a circle; set by write_job_prepare */
} write_job;

/* The writers. Output errors are left in the stream's error flag, which the caller examines; write_bam, which
 * writes past the stream, returns them. Errors: CLA_ERROR_MEMORY, CLA_ERROR_OPTION (what the format cannot
 * hold; found before the first byte). */
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

/* The head and the tail of a file of many pairs. `command` has no line ends, or is
 * NULL; `pairs` is how many there were. */
void write_maf_head(FILE *file, const char *command);
void write_pair_head(FILE *file, const char *command);
void write_srspair_head(FILE *file, const char *command);
void write_tsv_head(FILE *file, const column_list *columns);
void write_pair_tail(FILE *file, int64_t pairs);
void write_blast7_tail(FILE *file, int64_t pairs);

/* The columns of tsv, `paths` where alignments have some. CLA_ERROR_OPTION. */
cla_status tsv_columns_choose(column_list *out, const cla_write_options *how, bool paths, cla_error *error);

/* A format: what it can hold, and who writes it. */
typedef struct format_entry {
  cla_format_facts facts;
  cla_status (*write)(const write_job *job, cla_error *error);
  const column_table *columns; /* the columns that cla_write_options may name; NULL: the format has none */
  bool by_pair;                /* of many pairs, the text of each depends on it alone */
  bool in_memory;              /* the whole text goes through a text_buffer */
  bool from_runs;              /* in_memory, and of the path only job->runs is needed */
  bool along_target;           /* with along_records: along the target alone, wherever the query begins */
  name_rules names;
} format_entry;

/* NULL if there is no such format. */
const format_entry *format_entry_find(cla_format format);

/* CLA_ERROR_OPTION if a compressed output is asked for of a format that is binary. */
cla_status write_check_compressed(const format_entry *entry, bool compressed, cla_error *error);

/* A stream whose bytes arrive in `plain` as blocks of gzip (BGZF), with the mark of its end once it is
 * closed. `threads` threads compress. CLA_ERROR_MEMORY. */
cla_status compressed_stream_open(FILE **out, FILE *plain, int threads, cla_error *error);

/* Ends and frees it; `plain` stays open. CLA_ERROR_OUTPUT if any byte was lost, with errno as it was set;
 * `name` is the output's, or NULL. */
cla_status compressed_stream_close(FILE *stream, const char *name, cla_error *error);

/* The error of an output that cannot be written: `path`'s, or where that is NULL the format's or what `what`
 * says. error_number: as errno was set, or 0. Sets errno, so that a caller may end quietly on EPIPE. */
cla_status output_failed(const char *path, const char *what, int error_number, cla_error *error);

/* What a prepared job needs until it is written. */
typedef struct write_input {
  rotated_pair pair;
  cla_alignment **parts; /* written in place of the caller's alignments; NULL: none are */
  size_t part_count;
} write_input;

/* Refuses a job that the format cannot hold (CLA_ERROR_OPTION). Then rotates its sequences as the alignments'
 * positions need them, or cuts its alignments where the format's positions are along the records. `entry` may
 * be NULL. End with write_input_free, also after an error. */
cla_status write_job_prepare(write_job *job, write_input *input, const format_entry *entry, cla_error *error);
void write_input_free(write_input *input);

/* Prints a name in a column of so many letters, cut if it has more and `cut`, else with spaces behind it. A
 * letter of UTF-8 may be several bytes, and counts as one. */
void print_name(FILE *file, const char *name, int width, bool cut);

/* The letters of a text of UTF-8. */
int text_letters(const char *text);

/* The names of the two sequences, and the command line, as a format can hold them. */
typedef struct name_pair {
  const char *query, *target; /* names of the alignments or sequences if they are clean, else `owned` */
  char *command;              /* owned; NULL: none */
  char *owned[2];             /* memory of names that were changed; NULL: the name is clean */
} name_pair;

/* By the job's rules; an empty name becomes "query" or "target". CLA_ERROR_MEMORY. Ends with
 * name_pair_free, also after an error. */
cla_status name_pair_make(name_pair *out, const write_job *job, cla_error *error);
void name_pair_free(name_pair *names);

/* What of an alignment's columns is unlike if each gap counts as one: from 0 to 1, minimap2's de. 0 without
 * columns. */
double gap_compressed_difference(const cla_statistics *counts);

/* Text on its way to a stream: a call of stdio for each number would take longer than to align short pairs.
 * Output errors stay in the stream's error flag. End with text_flush. */

#define TEXT_BUFFER_SIZE 16384
#define TEXT_NUMBER_MOST 20 /* letters of a number: "-9223372036854775808" */

typedef struct text_buffer {
  FILE *file;
  text_memory *memory; /* NULL: the file */
  size_t used;
  char bytes[TEXT_BUFFER_SIZE];
} text_buffer;

/* Whether text of a job was lost. */
static inline bool job_failed(const write_job *job) {
  return job->memory ? job->memory->failed : ferror(job->file) != 0;
}

static inline void text_begin(text_buffer *text, const write_job *job) {
  text->file = job->file;
  text->memory = job->memory;
  text->used = 0;
}

/* Hands over what is there. */
void text_flush(text_buffer *text);

/* Any number of bytes; text, without its zero. */
void text_put_bytes(text_buffer *text, const char *bytes, size_t count);
void text_put(text_buffer *text, const char *string);

static inline void text_put_char(text_buffer *text, char byte) {
  if (text->used == TEXT_BUFFER_SIZE) text_flush(text);
  text->bytes[text->used++] = byte;
}

/* Puts a number below 1000, which most are, without a branch for its tens; returns where the text goes on. */
static inline char *put_small_number(char *to, uint32_t number) {
  const uint32_t rest = number % 100;
  if (number > 99) *to++ = (char)('0' + number / 100);
  *to = (char)('0' + rest / 10);
  to += number > 9;
  *to = (char)('0' + rest % 10);
  return to + 1;
}

char *put_any_number(char *to, int64_t number);

/* At most TEXT_NUMBER_MOST letters. */
static inline char *put_number(char *to, int64_t number) {
  return number >= 0 && number <= 999 ? put_small_number(to, (uint32_t)number) : put_any_number(to, number);
}

static inline void text_put_number(text_buffer *text, int64_t number) {
  if (TEXT_BUFFER_SIZE - text->used < TEXT_NUMBER_MOST) text_flush(text);
  text->used = (size_t)(put_number(text->bytes + text->used, number) - text->bytes);
}

/* value / one with all its decimals, of value >= 0 and a power of ten. */
void text_put_decimals(text_buffer *text, int64_t value, int64_t one);

/* The extended CIGAR of an alignment with a path that fits its sequences (path_check_fit), for example
 * "12=1X3I7="; nothing for an empty alignment. */
void cigar_put(text_buffer *text, const cla_alignment *alignment, const cla_sequence *query,
               const cla_sequence *target);

/* The operations of a job's alignment, from wherever the job has them. */
typedef struct path_steps {
  const uint32_t *next, *end; /* of the job's runs; NULL: `reader` has them */
  int64_t query, target;      /* where the next one begins */
  cigar_reader reader;
} path_steps;

/* With `letters` only equal letters are matches (cigar_reader_begin_letters). */
void path_steps_begin(path_steps *steps, const write_job *job, const cla_alignment *alignment, bool letters);

/* Operations of packed runs, as BAM numbers them. */
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

/* alignment_count of a job's alignment. Of packed runs matches, mismatches, gaps and columns alone. */
cla_status job_count(cla_statistics *out, const write_job *job, const cla_alignment *alignment,
                     cla_error *error);

/* cigar_put as the job's options have it. */
void job_cigar_put(text_buffer *text, const write_job *job, const cla_alignment *alignment);

/* Letters of a sequence as the path goes through them. */

/* The target's, as those of the query (strand_query). */
strand_letters strand_target(const cla_sequence *target);

/* Prints `count` letters from a position of the strand on; `letters` has them by their codes. */
void strand_print(FILE *file, const strand_letters *strand, const char *letters, int64_t start,
                  int64_t count);

typedef enum gapped_side { GAPPED_QUERY, GAPPED_TARGET } gapped_side;

/* Prints one row of the alignment: a side's letters along the path, '-' where it has a gap. With a
 * `line_letters` above 0 there are so many on a line, and each line ends; otherwise there is no line end. */
void gapped_row_print(const write_job *job, const cla_alignment *alignment, gapped_side side,
                      int line_letters);

/* Target letters of which the differences are known, and from which alignment. */
typedef struct callable_part {
  int64_t from, to; /* 0-based, half-open */
  size_t alignment; /* index of the alignment */
} callable_part;

/* The parts in the order of the target, of which none share a letter: of the strand whose alignments score
 * more together, what each covers and no earlier one does. The only alignment has its part also where that
 * has no letter. The caller frees *out. CLA_ERROR_MEMORY. */
cla_status callable_parts_list(callable_part **out, size_t *count, const write_job *job, cla_error *error);

#endif
