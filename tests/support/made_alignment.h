#ifndef TESTS_SUPPORT_MADE_ALIGNMENT_H
#define TESTS_SUPPORT_MADE_ALIGNMENT_H

#include <stdint.h>
#include "clalign/alignment.h"

#include "clalign/work.h"
#include "clalign/write.h"
#include "result/alignment.h"

/* Two sequences and their alignment, written down by a test. Failing calls fail the test. */
typedef struct made_alignment {
  cla_sequence *query, *target;
  cla_alignment *alignment;
} made_alignment;

/* Aligns `query` and `target` (named "q" and "t") from the given starts along `path`: runs such as
 * "5P2Q3P1T", P pairs, Q query letters against a gap, T target letters against a gap; "" for none. The
 * score is the default scheme's, added up column by column. The caller frees with made_alignment_free. */
made_alignment made_alignment_make(const char *query, const char *target, cla_mode mode, int64_t query_start,
                                   int64_t target_start, const char *path);

/* A random pair of up to `max_length` letters, N and R among them, with a random consistent path that fits
 * the mode. A local path takes a part of the range. It depends only on the arguments. */
made_alignment made_alignment_random(uint64_t seed, int64_t max_length);

/* Reverse-complements the query, and changes the alignment to that strand. */
void made_alignment_turn(made_alignment *made);

void made_alignment_free(made_alignment *made);

/* Begins the declaration of a made_alignment that is freed at the end of its block (support/test.h). */
#define OWNED_MADE OWNED(made_alignment_free) made_alignment

/* True if two alignments are equal in everything but metrics, work and allocators. */
bool made_alignment_same(const cla_alignment *a, const cla_alignment *b);

/* Gives a side of the alignment another name. */
void made_alignment_rename(cla_side *side, const char *name);

/* Writes the alignment `count` times (1 or 2), with `command` in the head, to *text. The caller frees *text,
 * whatever the status. */
cla_status made_alignment_write(char **text, const made_alignment *made, cla_format format, size_t count,
                                const char *command, cla_error *error);

/* Return that text; writing must not fail. The second writes one alignment without a command. */
char *made_alignment_written_with(const made_alignment *made, cla_format format, size_t count,
                                  const char *command);
char *made_alignment_written(const made_alignment *made, cla_format format);

/* Expects that the written text holds `part`. */
void made_alignment_expect(const made_alignment *made, cla_format format, const char *part);

/* Makes a new temporary folder under TMPDIR or /tmp. made_folder_remove removes it with its files, and frees
 * the name. */
char *made_folder(void);
void made_folder_remove(char *folder);

/* Removes all files of a run directory except manifest and rows. */
void made_folder_forget_result(const char *folder);

/* "folder/name"; the caller frees it. */
char *made_path(const char *folder, const char *name);

/* Number of entries of a folder, without "." and "..". */
int made_folder_entries(const char *folder);

/* Reads a file's bytes and appends a zero; the caller frees them. */
char *made_read(const char *path, size_t *length);
void made_write(const char *path, const void *bytes, size_t length);

/* For suites whose tests have one file each: the test's folder, and the file's path. */
extern char *own_folder, *own_path;

/* Makes the folder but not the file; for a suite's .init. */
void own_file_begin(const char *name);

/* Removes folder and file; for a suite's .fini. */
void own_file_end(void);

/* The largest room that a record of the work can have. */
extern const work_room work_room_most;

/* Fails the test unless the record fits a matrix of that size: bands, special rows, crosspoints and the
 * levels' bands must be in order and lie inside. */
void expect_sound_work(const cla_work *work, int64_t rows, int64_t columns);

#endif
