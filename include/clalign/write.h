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
  CLA_FORMAT_JSON,    /* a line with a JSON object for each alignment: docs/formats.md */
  CLA_FORMAT_PAIR,    /* text in blocks, as EMBOSS' pair */
  CLA_FORMAT_PAF,     /* PAF with the tag cg, and cs for DNA */
  CLA_FORMAT_SAM,     /* DNA only */
  CLA_FORMAT_CIGAR,   /* a line with the CIGAR of each alignment */
  CLA_FORMAT_BAM,     /* SAM, binary and compressed */
  CLA_FORMAT_BLAST,   /* BLAST's table of twelve columns (outfmt 6) */
  CLA_FORMAT_BLAST7,  /* BLAST's table with lines of comments (outfmt 7) */
  CLA_FORMAT_MAF,     /* Multiple Alignment Format */
  CLA_FORMAT_SRSPAIR, /* text in blocks, as EMBOSS' srspair */
  CLA_FORMAT_FASTA,   /* two records per alignment, with gaps */
  CLA_FORMAT_CHAIN,   /* UCSC's chain, for liftover from the target to the query */
  CLA_FORMAT_VCF,     /* the differences, with the target as reference; DNA only */
  CLA_FORMAT_BED,     /* the regions of the target in which the VCF file lists all differences */
  CLA_FORMAT_CLA,     /* the binary alignment, docs/internals/format-cla.md */
  CLA_FORMAT_TSV,     /* a table with a line of numbers for each alignment: docs/formats.md */
  CLA_FORMAT_MATRIX,  /* scores of many pairs, with a row for each query and a column for each target */
  CLA_FORMAT_PHYLIP,  /* distances (1 - identity) of all pairs of one file */
} cla_format;

/* The number of formats. */
#define CLA_FORMAT_COUNT 18

/* The names and limits of a format. */
typedef struct cla_format_facts {
  const char *name;    /* static */
  const char *endings; /* endings of the format's file names, with blanks between; static */
  bool needs_path;     /* not for alignments made with score_only */
  bool dna_only;       /* not for proteins or own letters */
  bool binary;         /* not for a terminal */
  bool needs_one;      /* requires at least one alignment */
  bool short_records;  /* not for records of more than 2^31 - 1 letters */
  bool along_records;  /* positions refer to the records without rotation: an alignment across the origin of a
                          circular record is cut in two at the origin */
  bool many_pairs;     /* only for cla_writer: a table of many pairs of numbered records */
} cla_format_facts;

/* Returns the facts of a format, static; NULL if there is no such format. */
const cla_format_facts *cla_format_describe(cla_format format);

/* Finds a format by its name; CLA_ERROR_OPTION lists the names. */
cla_status cla_format_from_name(cla_format *out, const char *name, cla_error *error);

/* Finds the first format with the ending of a file name, in either case. Returns false if no format has that
 * ending. *compressed is true if the name has a further ending .gz or .bgz, also if no format was found. */
bool cla_format_from_path(cla_format *out, bool *compressed, const char *path);

/* Finds the format of a file by its name, as cla_format_from_path does. A name without an ending has the
 * format `standard`, and so has .txt unless `standard` is binary. CLA_ERROR_OPTION, with a remedy, if no
 * format has that ending. */
cla_status cla_format_of_file(cla_format *out, bool *compressed, const char *path, cla_format standard,
                              cla_error *error);

/* Returns CLA_ERROR_OPTION if the format cannot hold a record of `letters` letters. `what` names the record
 * in the message. */
cla_status cla_format_check_letters(cla_format format, int64_t letters, const char *what, cla_error *error);

/* True if a file named `path` may hold the format. The name must have the format's ending, or no ending of
 * any format, including formats of other programs such as .bcf or .zst. Text of any format may be named .tsv.
 */
bool cla_format_fits_path(cla_format format, const char *path);

/* The letters of a CIGAR. */
typedef enum cla_cigar_letters {
  CLA_CIGAR_EQUAL = 0, /* = for matches and X for other pairs */
  CLA_CIGAR_M = 1,     /* M for all pairs */
} cla_cigar_letters;

/* The target side of a search, to which expected numbers refer. */
typedef struct cla_database {
  int64_t letters; /* total number over all targets */
  int64_t records; /* number of targets; 0: each target is a database of its own */
} cla_database;

/* Sets *expect to the expected number of local alignments, with at least the alignment's score, between an
 * unrelated query and all targets of `database`; NULL: the pair's target
 * (docs/internals/blast-statistics.md). Returns false if the number is not known: in other modes, and for
 * schemes that are not in BLAST's tables. */
bool cla_database_expect(double *expect, const cla_alignment *alignment, const cla_database *database);

/* Checks names of columns (cla_write_options). The message of CLA_ERROR_OPTION has the unknown name, and all
 * columns of the format. For formats without columns any names are valid. */
cla_status cla_columns_check(cla_format format, const char *names, cla_error *error);

/* Options of writing; all zero: the formats of docs/formats.md. Texts must outlive the call, or the writer.
 */
typedef struct cla_write_options {
  const char *command;     /* command line, written into the heads of SAM (@PG) and pair; NULL: none */
  bool compressed;         /* compress in blocks of gzip, like bgzip (BGZF); not with binary formats */
  cla_cigar_letters cigar; /* letters of the CIGAR in PAF, SAM, BAM and cigar */
  bool free_ends; /* in pair and srspair: show free ends as gaps and count them, as EMBOSS' needle does */
  /* Columns of tsv, or of BLAST's tables by BLAST+'s names, separated by commas. NULL: the usual columns. */
  const char *columns;
  bool score_only;              /* the usual columns of tsv are those for alignments without a path */
  const cla_database *database; /* for expected numbers, read with each alignment; NULL: the pair's target */
  const char *query_prefix, *target_prefix; /* written before names in MAF, with a dot; NULL: nothing */
  bool both_strands; /* alignments were sought on both strands: JSON counts the cells of both */
  bool one_file;     /* for matrix and phylip: all pairs of one file's records are put, each pair once */
  int threads;       /* threads that compress text, and BAM of many pairs; 0: the calling thread */
} cla_write_options;

/* Writes a pair's alignments to `file` (flushed, not closed). `options` may be NULL. Errors:
 * CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, CLA_ERROR_OPTION (alignments that the format cannot hold, or a
 * compressed binary format; nothing is written then). */
cla_status cla_write(FILE *file, cla_format format, const cla_results *results,
                     const cla_write_options *options, cla_error *error);

/* Writes a pair's alignments to the file `path`, as cla_write does. A temporary file beside `path` is renamed
 * when it is complete, so that `path` never holds a partial file. */
cla_status cla_write_file(const char *path, cla_format format, const cla_results *results,
                          const cla_write_options *options, cla_error *error);

/* An output of the alignments of many pairs. Parts such as a head are written once. */
typedef struct cla_writer cla_writer;

/* Opens an output to the file `path`, which gets its name when it is complete. If `path` is NULL, the output
 * goes to `file`, which must outlive the writer. The heads of SAM, BAM and VCF list the targets of all pairs.
 * So the records of these formats wait in a temporary file on the disk of `path` until cla_writer_finish. VCF
 * has one sample, and each record names its query. Errors: CLA_ERROR_OPTION (CLA_FORMAT_CLA, which holds one
 * pair; compressed BAM), CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. The caller frees *out with cla_writer_finish or
 * cla_writer_discard. */
cla_status cla_writer_open(cla_writer **out, cla_format format, const char *path, FILE *file,
                           const cla_write_options *options, cla_error *error);

/* Adds the alignments of a pair, perhaps none. Errors as cla_write. In formats whose positions refer to names
 * (all but json, tsv, pair, srspair, cigar and fasta), also CLA_ERROR_INPUT if an earlier target has the same
 * name but other letters. After CLA_ERROR_OUTPUT the output must be discarded; after other errors the output
 * is unchanged. */
cla_status cla_writer_put(cla_writer *writer, const cla_results *results, cla_error *error);

/* Writes to `file` the bytes that cla_writer_put would add. Several threads may call this function at once,
 * also while another thread adds to the writer. For formats whose records depend on other pairs, *made is
 * false, and nothing is written; such formats need cla_writer_put. Errors as cla_writer_put, without
 * CLA_ERROR_OUTPUT. */
cla_status cla_writer_make(bool *made, const cla_writer *writer, FILE *file, const cla_results *results,
                           cla_error *error);

/* Adds the bytes that cla_writer_make has written for a pair. Errors: CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY, and
 * CLA_ERROR_INPUT as cla_writer_put. */
cla_status cla_writer_add(cla_writer *writer, const cla_results *results, const char *made, size_t bytes,
                          cla_error *error);

/* The functions below add many short pairs at once, from arrays. The output is that of cla_writer_put for
 * each pair, but no pair needs an object. */

/* Pairs, each with an alignment or an error. Nothing is owned. */
typedef struct cla_aligned_block {
  int64_t count;                      /* number of pairs */
  const cla_record_block *records[2]; /* the queries, the targets; parsed, or filled by the program */
  const int64_t *of[2];  /* by pair: number of its record, from 0; NULL: the i-th, or the only record */
  const uint8_t *status; /* by pair: a cla_status; pairs with an error are skipped; NULL: all are CLA_OK */
  /* By pair; not 0: no alignment, for example because of a minimum score. NULL: all pairs have an alignment.
   */
  const uint8_t *none;
  const int64_t *score;    /* in the scheme's units */
  const int64_t *start[2]; /* start as in cla_side; NULL: -1 */
  const int64_t *end[2];   /* stop as in cla_side; NULL: the record's end */
  /* Paths one after the other, as BAM's CIGARs of I, D, = and X; NULL: no alignment has a path. */
  const uint32_t *runs;
  const int64_t *run_offsets;  /* index of each path's first run, and the end of the last path; count + 1 */
  const uint8_t *strand;       /* by pair: a cla_strand; NULL: all are forward */
  const cla_alignment *common; /* mode, alphabet, scoring and metrics of all alignments; the sides, score,
                                  strand and path in `common` are not used */
} cla_aligned_block;

/* The text of a block of pairs. Zero-initialise the struct, use it for one block after another, and free it
 * with cla_block_text_free. */
typedef struct cla_block_text {
  char *bytes;            /* text of all pairs; not zero-terminated */
  int64_t *ends;          /* by pair: end of its text */
  void *keys;             /* the library's keys of targets */
  void *hits;             /* the library's keys of queries, in SAM and BAM */
  bool made;              /* false: the format's records depend on other pairs, and are made when added */
  int64_t bytes_capacity; /* room in `bytes` */
  int64_t pair_capacity;  /* room in `ends` */
  int64_t key_capacity;   /* room in `keys` */
  int64_t hit_capacity;   /* room in `hits` */
} cla_block_text;

/* Frees the text's arrays; NULL is allowed. */
void cla_block_text_free(cla_block_text *text);

/* Makes the block's text. Several threads may call this function at once, also while another thread adds to
 * the writer. Errors: CLA_ERROR_OPTION (a format that needs paths), CLA_ERROR_MEMORY. */
cla_status cla_writer_make_block(cla_block_text *text, const cla_writer *writer,
                                 const cla_aligned_block *block, cla_error *error);

/* Adds the pairs of a block from index *next on; the caller sets *next to 0 first. `text` is the block's text
 * from cla_writer_make_block. Sets *next to `count`, or after an error to the index of the failed pair, which
 * was not added. The caller may continue with the pair after that one, except after CLA_ERROR_OUTPUT or
 * CLA_ERROR_MEMORY. Errors as cla_writer_put. */
cla_status cla_writer_add_block(cla_writer *writer, const cla_aligned_block *block,
                                const cla_block_text *text, int64_t *next, cla_error *error);

/* Takes what was found of a pair of a block, as an object that is valid during the call. */
typedef cla_status (*cla_results_taker)(int64_t pair, const cla_results *results, void *user,
                                        cla_error *error);

/* Calls `take` for each pair without an error, in order, until it returns another status than CLA_OK, which
 * is returned. CLA_ERROR_MEMORY. */
cla_status cla_aligned_block_each(const cla_aligned_block *block, cla_results_taker take, void *user,
                                  cla_error *error);

/* Completes the output and frees the writer in every case. After CLA_ERROR_OUTPUT there is no file `path`. */
cla_status cla_writer_finish(cla_writer *writer, cla_error *error);

/* Frees the writer, and removes its file under a path. NULL is allowed. */
void cla_writer_discard(cla_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
