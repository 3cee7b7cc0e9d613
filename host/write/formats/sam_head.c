/* Makes the heads of SAM and BAM, and opens BAM's output. */

#include <errno.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_endian.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "clalign/version.h"
#include "write/formats/sam_record.h"

cla_status head_targets_add(head_targets *targets, const char *name, int64_t length, cla_error *error) {
  const size_t bytes = strlen(name) + 1;
  cla_status status =
      ALLOCATE_GROW(&targets->lengths, &targets->capacity, targets->count + 1, "an output's head", error);
  char *to = status == CLA_OK ? text_memory_room(&targets->names, bytes) : NULL;
  if (!to) return status == CLA_OK ? sam_out_of_memory(error) : status;
  memcpy(to, name, bytes);
  targets->names.used += bytes;
  targets->lengths[targets->count++] = (int32_t)length;
  return CLA_OK;
}

void head_targets_free(head_targets *targets) {
  free(targets->names.bytes);
  free(targets->lengths);
}

static void put_target(text_buffer *text, const char *name, int32_t length) {
  text_put(text, "@SQ\tSN:");
  text_put(text, name);
  text_put(text, "\tLN:");
  text_put_number(text, abs(length));
  text_put(text, length < 0 ? "\tTP:circular\n" : "\n");
}

cla_status sam_head_make(text_memory *out, const head_targets *targets, const char *command,
                         cla_error *error) {
  text_buffer text;
  const char *name = targets->names.bytes;
  text_begin(&text, &(write_job){.memory = out});
  text_put(&text, "@HD\tVN:1.6\tSO:unknown\n");
  for (int64_t i = 0; i < targets->count; i++, name += strlen(name) + 1)
    put_target(&text, name, targets->lengths[i]);
  text_put(&text, "@PG\tID:clalign\tPN:clalign\tVN:" CLA_VERSION_STRING);
  if (command) text_put(&text, "\tCL:");
  text_put(&text, command ? command : "");
  text_put_char(&text, '\n');
  text_flush(&text);
  return out->failed || out->used > INT32_MAX ? sam_out_of_memory(error) : CLA_OK;
}

static void put_word(text_buffer *text, int64_t number) {
  uint8_t bytes[4];
  u32_to_le((uint32_t)number, bytes);
  text_put_bytes(text, (const char *)bytes, sizeof bytes);
}

/* Makes BAM's head, which contains SAM's head. */
static cla_status make_bam_head(text_memory *out, const head_targets *targets, const char *command,
                                cla_error *error) {
  text_memory lines = {0};
  text_buffer text;
  cla_status status = sam_head_make(&lines, targets, command, error);
  if (status == CLA_OK) {
    text_begin(&text, &(write_job){.memory = out});
    text_put_bytes(&text, "BAM\1", 4);
    put_word(&text, (int64_t)lines.used);
    text_put_bytes(&text, lines.bytes, lines.used);
    put_word(&text, targets->count);
    const char *name = targets->names.bytes;
    for (int64_t i = 0; i < targets->count; i++) {
      const size_t bytes = strlen(name) + 1;
      put_word(&text, (int64_t)bytes);
      text_put_bytes(&text, name, bytes);
      put_word(&text, abs(targets->lengths[i]));
      name += bytes;
    }
    text_flush(&text);
    if (out->failed) status = sam_out_of_memory(error);
  }
  free(lines.bytes);
  return status;
}

static cla_status open_blocks(struct BGZF **out, FILE *file, cla_error *error) {
  errno = 0;
  if (fflush(file) != 0) return CLA_ERROR_OUTPUT;
  const int copy = dup(fileno(file));
  hFILE *raw = copy >= 0 ? hdopen(copy, "w") : NULL;
  if (!raw) {
    const int number = errno;
    if (copy >= 0) close(copy);
    errno = number;
    return CLA_ERROR_OUTPUT;
  }
  *out = bgzf_hopen(raw, "w");
  if (*out) return CLA_OK;
  hclose_abruptly(raw);
  return sam_out_of_memory(error);
}

cla_status bam_output_open(struct BGZF **out, FILE *file, const head_targets *targets, const char *command,
                           cla_error *error) {
  text_memory head = {0};
  *out = NULL;
  cla_status status = make_bam_head(&head, targets, command, error);
  if (status == CLA_OK) status = open_blocks(out, file, error);
  if (status == CLA_OK &&
      (bgzf_write(*out, head.bytes, head.used) != (ssize_t)head.used || bgzf_flush(*out) != 0))
    status = CLA_ERROR_OUTPUT;
  const int error_number = errno;
  free(head.bytes);
  errno = error_number;
  return status;
}
