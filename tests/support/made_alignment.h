#ifndef TESTS_SUPPORT_MADE_ALIGNMENT_H
#define TESTS_SUPPORT_MADE_ALIGNMENT_H

#include <stdint.h>
#include "clalign/alignment.h"

#include "clalign/work.h"
#include "clalign/write.h"
#include "result/alignment.h"

/* Two sequences and an alignment of them that a test wrote down. Failing calls fail the test. */
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
 * the mode. A local path takes a part of the range. It depends on the arguments alone. */
made_alignment made_alignment_random(uint64_t seed, int64_t max_length);

/* Makes it the same alignment of the other strand of the query, whose letters are turned around. */
void made_alignment_turn(made_alignment *made);

void made_alignment_free(made_alignment *made);

/* Begins the declaration of one that its block owns (support/test.h). */
#define OWNED_MADE OWNED(made_alignment_free) made_alignment

/* Whether two alignments agree in everything but their metrics, their work and their allocators. */
bool made_alignment_same(const cla_alignment *a, const cla_alignment *b);

/* Gives a side of the alignment another name. */
void made_alignment_rename(cla_side *side, const char *name);

/* Writes the alignment, `count` times (1 or 2) and with that command in the head, to *text, which the caller
 * frees whatever the status is. */
cla_status made_alignment_write(char **text, const made_alignment *made, cla_format format, size_t count,
                                const char *command, cla_error *error);

/* That text, where writing must not fail; in short of one and without a command. */
char *made_alignment_written_with(const made_alignment *made, cla_format format, size_t count,
                                  const char *command);
char *made_alignment_written(const made_alignment *made, cla_format format);

/* Expects that `part` is in it. */
void made_alignment_expect(const made_alignment *made, cla_format format, const char *part);

/* A new temporary folder under TMPDIR or /tmp, and its removal with everything directly in it. The caller
 * frees the name with made_folder_remove. */
char *made_folder(void);
void made_folder_remove(char *folder);

/* Removes what a run has written into its directory but the manifest and rows. */
void made_folder_forget_result(const char *folder);

/* "folder/name"; the caller frees it. */
char *made_path(const char *folder, const char *name);

/* Entries of a folder, "." and ".." excluded. */
int made_folder_entries(const char *folder);

/* A file's bytes with a zero after them; the caller frees them. */
char *made_read(const char *path, size_t *length);
void made_write(const char *path, const void *bytes, size_t length);

/* For suites whose tests have one file each: its path, in a folder of the test's own. */
extern char *own_folder, *own_path;

/* Makes the folder, but not the file; for a suite's .init. */
void own_file_begin(const char *name);

/* Removes both; a suite's .fini. */
void own_file_end(void);

/* Room for as much as a record of the work can hold. */
extern const work_room work_room_most;

/* Fails the test unless the record fits a matrix of that size. Its bands must follow each other and lie
 * inside. So must special rows, crosspoints and the levels' bands. */
void expect_sound_work(const cla_work *work, int64_t rows, int64_t columns);

#endif
