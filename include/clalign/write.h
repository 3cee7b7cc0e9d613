#ifndef CLALIGN_WRITE_H
#define CLALIGN_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "clalign/alignment.h"
#include "clalign/record_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An output format. */
typedef enum cla_format {
  CLA_FORMAT_JSON,     /* a line with a JSON object for each alignment: docs/formats.md */
  CLA_FORMAT_PAIR,     /* text in blocks, like EMBOSS' pair */
  CLA_FORMAT_PAF,      /* PAF with the tag cg, and cs for DNA */
  CLA_FORMAT_SAM,      /* DNA only */
  CLA_FORMAT_CIGAR,    /* a line with the CIGAR of each alignment */
  CLA_FORMAT_BAM,      /* SAM, binary and compressed */
  CLA_FORMAT_BLAST,    /* BLAST's table of twelve columns (outfmt 6) */
  CLA_FORMAT_BLAST7,   /* BLAST's table with lines of comments (outfmt 7) */
  CLA_FORMAT_MAF,      /* Multiple Alignment Format */
  CLA_FORMAT_SRSPAIR,  /* text in blocks, like EMBOSS' srspair */
  CLA_FORMAT_FASTA,    /* two records per alignment, with gaps */
  CLA_FORMAT_CHAIN,    /* UCSC's chain, for liftover from the target to the query */
  CLA_FORMAT_VCF,      /* the differences, with the target as reference; DNA only */
  CLA_FORMAT_BED,      /* the regions of the target in which the VCF file lists all differences */
  CLA_FORMAT_CLA,      /* the binary alignment, docs/internals/format-cla.md */
  CLA_FORMAT_TSV,      /* a table with a line of numbers for each alignment: docs/formats.md */
  CLA_FORMAT_MATRIX,   /* scores of many pairs, with a row for each query and a column for each target */
  CLA_FORMAT_PHYLIP,   /* distances (1 - identity) of all pairs of one file */
  CLA_FORMAT_BLOCKS,   /* BED with further columns: the ambiguous parts of the target (clalign/certain.h) */
  CLA_FORMAT_BEDGRAPH, /* the margins of the target's letters (clalign/certain.h) */
} cla_format;

/* The number of formats. */
#define CLA_FORMAT_COUNT 20

/* The name and the limits of a format. */
typedef struct cla_format_facts {
  const char *name;    /* static */
  const char *endings; /* endings of the format's file names, with blanks between; static */
  bool needs_path;     /* requires alignments with a path, not made with score_only */
  bool dna_only;       /* only DNA, neither proteins nor user-defined letters */
  bool binary;         /* not suitable for a terminal */
  bool needs_one;      /* requires at least one alignment */
  bool short_records;  /* records of at most 2^31 - 1 letters */
  bool along_records;  /* positions refer to the records without rotation: an alignment across the origin of a
                          circular record is cut in two at the origin */
  bool certified;      /* requires alignments with certificates (cla_results) */
  bool many_pairs;     /* only for cla_writer: a table of many pairs of numbered records */
} cla_format_facts;

/* Returns the facts of a format, which are static, or NULL if there is no such format. */
const cla_format_facts *cla_format_describe(cla_format format);

/* Finds a format by its name. If there is none, the message of CLA_ERROR_OPTION lists the names. */
cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error);

/* Finds the first format with the ending of a file name, in either case. Returns false if no format has that
 * ending. *compressed is true if the name also ends in .gz or .bgz, even if no format was found. */
bool cla_format_from_path(cla_format *out, bool *compressed, const char *path);

/* Finds the format of a file by its name, like cla_format_from_path. The format is `standard` if the name has
 * no ending, or ends in .txt and `standard` is not binary. CLA_ERROR_OPTION, with a remedy, if no format has
 * that ending. */
cla_status cla_format_of_file(cla_format *out, bool *compressed, const char *path, cla_format standard,
                              cla_error *error);

/* Returns CLA_ERROR_OPTION if the format cannot store a record of `letters` letters. `what` is the name of
 * the record in the message. */
cla_status cla_format_check_letters(cla_format format, int64_t letters, const char *what, cla_error *error);

/* True if a file named `path` may contain the format. The name must have the format's ending, or an ending
 * that belongs to no format. Endings of other programs' formats, such as .bcf or .zst, are not allowed. Text
 * of any format may be named .tsv. */
bool cla_format_fits_path(cla_format format, const char *path);

/* The letters of a CIGAR. */
typedef enum cla_cigar_letters {
  CLA_CIGAR_EQUAL = 0, /* = for matches and X for other pairs */
  CLA_CIGAR_M = 1,     /* M for all pairs */
} cla_cigar_letters;

/* The size of all targets of a search. Expected numbers depend on this size. */
typedef struct cla_database {
  int64_t letters; /* total number of letters of all targets */
  int64_t records; /* number of targets; 0: each target is a separate database */
} cla_database;

/* Sets *expect to the expected number of local alignments that score at least as high as `alignment`, between
 * an unrelated query and all targets of `database`. If `database` is NULL, it is the pair's target
 * (docs/internals/blast-statistics.md). Returns false if the number is not known: in other modes, and for
 * schemes that are not in BLAST's tables. */
bool cla_database_expect(double *expect, const cla_alignment *alignment, const cla_database *database);

/* Checks names of columns (cla_write_options). The message of CLA_ERROR_OPTION contains the unknown name, and
 * all columns of the format. For formats without columns, all names are valid. */
cla_status cla_columns_check(cla_format format, const char *names, cla_error *error);

/* Options of writing; all zero: the formats of docs/formats.md. Texts must outlive the call, or the writer.
 */
typedef struct cla_write_options {
  const char *command;     /* command line, written into the heads of SAM (@PG) and pair; NULL: none */
  bool compressed;         /* compress in blocks of gzip, like bgzip (BGZF); not with binary formats */
  cla_cigar_letters cigar; /* letters of the CIGAR in PAF, SAM, BAM and cigar */
  bool free_ends; /* in pair and srspair: show free ends as gaps and count them, like EMBOSS' needle */
  /* Columns of tsv, or of BLAST's tables with the names of BLAST+, separated by commas. NULL: the usual
   * columns. */
  const char *columns;
  bool score_only;              /* the usual columns of tsv are those for alignments without a path */
  const cla_database *database; /* for expected numbers, read for each alignment; NULL: the pair's target */
  const char *query_prefix, *target_prefix; /* written before names in MAF, with a dot; NULL: nothing */
  bool both_strands; /* alignments were searched on both strands, so JSON counts the cells of both */
  bool one_file;  /* for matrix and phylip: the pairs are all pairs of one file's records, each pair once */
  bool certified; /* alignments of many pairs have certificates, whose fields the head of VCF explains */
  /* With bed: leaves out letters of the target whose margin is less, in thousandths of a point. The
   * alignments then need certificates. 0: leaves out nothing. */
  int64_t mask_below;
  int threads; /* number of threads that compress text and BAM of many pairs; 0: the calling thread */
} cla_write_options;

/* Writes a pair's alignments to `file`, which is flushed but not closed. `options` may be NULL. Errors:
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. CLA_ERROR_OPTION if the format cannot store the alignments, or if a
 * binary format is to be compressed; in this case nothing is written. */
cla_status cla_write(FILE *file, cla_format format, const cla_results *results,
                     const cla_write_options *options, cla_error *error);

/* Like cla_write, but writes to the file `path`. A temporary file next to `path` is renamed when it is
 * complete, so that `path` never contains a partial file. */
cla_status cla_write_file(const char *path, cla_format format, const cla_results *results,
                          const cla_write_options *options, cla_error *error);

/* Writes a text to the file `path`, which then appears complete, or stays as it was. CLA_ERROR_OUTPUT,
 * CLA_ERROR_MEMORY. */
cla_status cla_write_text(const char *path, const char *text, cla_error *error);

/* An output of the alignments of many pairs. A head, for example, is written only once. */
typedef struct cla_writer cla_writer;

/* Opens an output to the file `path`, which appears under this name when it is complete. If `path` is NULL,
 * the output goes to `file`, which must outlive the writer. The heads of SAM, BAM and VCF list the targets of
 * all pairs. So the records of these formats wait in a temporary file on the disk of `path` until
 * cla_writer_finish. VCF has a single sample, and each record contains the name of its query. Errors:
 * CLA_ERROR_OPTION for CLA_FORMAT_CLA, which contains only one pair, or for compressed BAM; CLA_ERROR_OUTPUT;
 * CLA_ERROR_MEMORY. The caller frees *out with cla_writer_finish or cla_writer_discard. */
cla_status cla_writer_open(cla_writer **out, cla_format format, const char *path, FILE *file,
                           const cla_write_options *options, cla_error *error);

/* Adds the alignments of a pair; there may be none. Errors are those of cla_write. In all formats but json,
 * tsv, pair, srspair, cigar and fasta, positions refer to names. For these formats the call also returns
 * CLA_ERROR_INPUT if an earlier target has the same name but other letters. After CLA_ERROR_OUTPUT the output
 * must be discarded; after other errors the output is unchanged. */
cla_status cla_writer_put(cla_writer *writer, const cla_results *results, cla_error *error);

/* Writes to `file` the bytes that cla_writer_put would add to the output. Several threads may call this
 * function at the same time, also while another thread adds to the writer. For formats whose records depend
 * on other pairs, *made is false, and nothing is written; such formats need cla_writer_put. Errors are those
 * of cla_writer_put, except CLA_ERROR_OUTPUT. */
cla_status cla_writer_make(bool *made, const cla_writer *writer, FILE *file, const cla_results *results,
                           cla_error *error);

/* Adds the bytes that cla_writer_make has written for a pair. Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, and
 * CLA_ERROR_INPUT as in cla_writer_put. */
cla_status cla_writer_add(cla_writer *writer, const cla_results *results, const char *made, size_t bytes,
                          cla_error *error);

/* The functions below add many short pairs in one call, from arrays. The output is the same as with
 * cla_writer_put for each pair, but no objects are made for pairs. */

/* Pairs, each with an alignment or an error. The struct owns nothing. */
typedef struct cla_aligned_block {
  int64_t count;                      /* number of pairs */
  const cla_record_block *records[2]; /* [0] the queries, [1] the targets; parsed, or filled by the program */
  /* By pair: 0-based number of its record. NULL: pair i has record i, or all pairs have the only record. */
  const int64_t *of[2];
  const uint8_t *status; /* by pair: a cla_status; pairs with an error are skipped; NULL: all are CLA_OK */
  /* By pair: 0, or another number if the pair has no alignment, for example because of a minimum score. NULL:
   * all pairs have an alignment. */
  const uint8_t *none;
  const int64_t *score;    /* in the scheme's units */
  const int64_t *start[2]; /* start as in cla_side; NULL: -1 */
  const int64_t *end[2];   /* stop as in cla_side; NULL: the record's end */
  /* The paths, one after the other, as CIGARs of BAM with I, D, = and X; NULL: no alignment has a path. */
  const uint32_t *runs;
  const int64_t *run_offsets; /* start of each path's runs, and end of the last path: count + 1 elements */
  const uint8_t *strand;      /* by pair: a cla_strand; NULL: all are forward */
  const struct cla_certificate *const *certificates; /* by pair (clalign/certain.h); an entry or the array
                                                        may be NULL */
  const cla_alignment *common; /* mode, alphabet, scoring and metrics of all alignments; the sides, score,
                                  strand and path in `common` are not used */
} cla_aligned_block;

/* The text of a block of pairs. The caller initialises the struct with zeros, may use it for one block after
 * another, and frees it with cla_block_text_free. */
typedef struct cla_block_text {
  char *bytes;   /* text of all pairs; not zero-terminated */
  int64_t *ends; /* by pair: end of its text */
  void *keys;    /* the library's keys of targets */
  void *hits;    /* the library's keys of queries, in SAM and BAM */
  bool made; /* false: the format's records depend on other pairs, and are made when the pairs are added */
  int64_t bytes_capacity; /* allocated size of `bytes` */
  int64_t pair_capacity;  /* allocated size of `ends` */
  int64_t key_capacity;   /* allocated size of `keys` */
  int64_t hit_capacity;   /* allocated size of `hits` */
} cla_block_text;

/* Frees the text's arrays; NULL is allowed. */
void cla_block_text_free(cla_block_text *text);

/* Makes the block's text. Several threads may call this function at the same time, also while another thread
 * adds to the writer. Errors: CLA_ERROR_OPTION if the format needs paths and there are none;
 * CLA_ERROR_MEMORY. */
cla_status cla_writer_make_block(cla_block_text *text, const cla_writer *writer,
                                 const cla_aligned_block *block, cla_error *error);

/* Adds the pairs of a block, starting at index *next; the caller sets *next to 0 before the first call.
 * `text` is the block's text from cla_writer_make_block. Sets *next to `count`, or after an error to the
 * index of the failed pair, which was not added. The caller may continue with the pair after the failed one,
 * except after CLA_ERROR_OUTPUT or CLA_ERROR_MEMORY. Errors are those of cla_writer_put. */
cla_status cla_writer_add_block(cla_writer *writer, const cla_aligned_block *block,
                                const cla_block_text *text, int64_t *next, cla_error *error);

/* A function that receives the results of a pair of a block, as an object that is valid during the call. */
typedef cla_status (*cla_results_taker)(int64_t pair, const cla_results *results, void *user,
                                        cla_error *error);

/* Calls `take` for each pair without an error, in order. If `take` returns a status other than CLA_OK, the
 * function stops and returns that status. CLA_ERROR_MEMORY. */
cla_status cla_aligned_block_each(const cla_aligned_block *block, cla_results_taker take, void *user,
                                  cla_error *error);

/* Completes the output and frees the writer in every case. After CLA_ERROR_OUTPUT there is no file `path`. */
cla_status cla_writer_finish(cla_writer *writer, cla_error *error);

/* Frees the writer, and removes the output if it is a file at a path; NULL is allowed. */
void cla_writer_discard(cla_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
