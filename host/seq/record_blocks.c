#include "clalign/record_blocks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/allocate.h"
#include "base/error.h"
#include "seq/record_reader.h"
#include "seq/sequence_internal.h"

/* This file cuts and parses records of the usual form. All other records, and those with errors, go through
 * record_reader, which reads their bytes from memory. So record_reader alone decides what a record is. */

struct cla_record_blocks {
  char *path;
  sequence_input *input;
  bool qualities;
  char marker;         /* '>' or '@'; 0 before the first record */
  unsigned char *rest; /* bytes that have been read and belong to later blocks */
  int64_t rest_count, rest_capacity;
  /* Number, from 0, of the next block's first record; number, from 1, of its first line. */
  int64_t next, line;
  bool zeros;        /* a zero byte was read, so record_reader must check all headers */
  bool ended;        /* the file contains no more bytes */
  cla_error failure; /* if `ended` is set: the error that ended the reading; CLA_OK: the file has ended */
  bool broken;       /* a record had an error, so no further records are cut */
};

cla_status cla_record_blocks_open(cla_record_blocks **out, const char *path, bool qualities,
                                  cla_error *error) {
  cla_record_blocks *file = NULL;
  *out = NULL;
  cla_status status = ALLOCATE_ZEROS(&file, 1, "a sequence file", error);
  if (status) return status;
  file->qualities = qualities;
  file->line = 1;
  status = allocate_text(&file->path, path, error);
  if (!status) status = sequence_input_open(&file->input, path, error);
  if (status)
    cla_record_blocks_close(file);
  else
    *out = file;
  return status;
}

void cla_record_blocks_close(cla_record_blocks *file) {
  if (!file) return;
  sequence_input_close(file->input);
  free(file->rest);
  free(file->path);
  free(file);
}

void cla_record_block_clear(cla_record_block *block) {
  for (int64_t i = 0; block->sources && i < block->count; i++) cla_sequence_free(block->sources[i].sequence);
  block->count = 0;
  block->letters_met = 0;
}

void cla_record_block_free(cla_record_block *block) {
  if (!block) return;
  if (block->sources) cla_record_block_clear(block);
  void *const arrays[] = {block->codes,  block->offsets,      block->qualities, block->lower,
                          block->names,  block->name_offsets, block->status,    block->bytes,
                          block->places, block->failure,      block->sources};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  *block = (cla_record_block){0};
}

static cla_status reserve(void *array, int64_t *capacity, int64_t needed, int64_t size, cla_error *error) {
  void *moved;
  if (needed > 0 && needed <= *capacity) return CLA_OK;
  memcpy(&moved, array, sizeof moved);
  if (needed == 0) { /* 0: the array is not needed */
    free(moved);
    moved = NULL;
    *capacity = 0;
  }
  cla_status status = allocate_grow(&moved, capacity, needed, size, "a block of records", error);
  memcpy(array, &moved, sizeof moved);
  return status;
}

/* The state of cla_record_block_cut. */
typedef struct cutting {
  cla_record_block *block;
  cla_record_blocks *file;
  int64_t at, end; /* start and end of the current record in the block's bytes */
} cutting;

/* Reads until the block contains at least `least` bytes or the file ends. An error of reading is stored in
 * file->failure; the function itself fails only with CLA_ERROR_MEMORY. */
static cla_status read_on(cutting *cut, int64_t least, cla_error *error) {
  cla_record_block *block = cut->block;
  cla_record_blocks *file = cut->file;
  cla_status status = CLA_OK;
  while (!status && !file->ended && block->byte_count < least) {
    int64_t count = 0;
    status =
        reserve(&block->bytes, &block->byte_capacity, block->byte_count + SEQUENCE_INPUT_PIECE, 1, error);
    if (status) break;
    unsigned char *bytes = block->bytes + block->byte_count;
    if (sequence_input_take(file->input, bytes, &count, &file->failure)) count = 0;
    file->ended = count == 0;
    if (memchr(bytes, '\0', (size_t)count)) file->zeros = true;
    block->byte_count += count;
  }
  return status;
}

typedef enum record_form { RECORD_USUAL, RECORD_ODD, RECORD_LONGER } record_form;

/* Finds the end of a FASTA record, which is the next '>' at the start of a line. */
static cla_status find_fasta(cutting *cut, record_form *form, cla_error *error) {
  cla_status status = CLA_OK;
  const cla_record_block *block = cut->block;
  int64_t from = cut->at + 1;
  bool found = false;
  while (!found && !status) {
    const unsigned char *next = memchr(block->bytes + from, '>', (size_t)(block->byte_count - from));
    from = next ? next - block->bytes : block->byte_count;
    found = next ? next[-1] == '\n' : cut->file->ended;
    if (next && !found) from++;
    if (!next && !found) status = read_on(cut, from + 1, error);
  }
  cut->end = from;
  const bool odd = cut->file->zeros || from - cut->at > RECORD_NAME_MOST || from == block->byte_count;
  *form = odd ? RECORD_ODD : RECORD_USUAL;
  return status;
}

/* Finds the end of a FASTQ record of the usual form, which has four lines, with no blanks in letters and
 * qualities. */
static record_form find_four_lines(cutting *cut) {
  const cla_record_block *block = cut->block;
  const unsigned char *at = block->bytes + cut->at, *end = block->bytes + block->byte_count;
  const unsigned char *lines[3];
  for (int i = 0; i < 3; i++) {
    const unsigned char *line_end = memchr(at, '\n', (size_t)(end - at));
    if (!line_end) return RECORD_LONGER;
    at = lines[i] = line_end + 1;
    if (i == 1 && at < end && *at != '+') return RECORD_ODD;
  }
  const int64_t letters = lines[1] - lines[0] - 1;
  if (end - at <= letters) return RECORD_LONGER;
  const bool odd = at[letters] != '\n' || lines[0][0] == '+' || cut->file->zeros ||
                   lines[0] - (block->bytes + cut->at) > RECORD_NAME_MOST ||
                   bytes_outside(lines[0], letters, QUALITY_LEAST, UCHAR_MAX) ||
                   bytes_outside(at, letters, QUALITY_LEAST, QUALITY_MOST);
  cut->end = at + letters + 1 - block->bytes;
  return odd ? RECORD_ODD : RECORD_USUAL;
}

/* Reads a record from the bytes up to `stop` by record_reader, to find its end. *left receives the number of
 * bytes after the record. */
static cla_status read_odd(cutting *cut, int64_t stop, int64_t *left, bool *found, cla_error *error) {
  cla_record_blocks *file = cut->file;
  const unsigned char *bytes = cut->block->bytes;
  const bool fails = file->failure.status && stop == cut->block->byte_count;
  sequence_input *input = NULL;
  letter_store letters = {.skip_blanks = true, .keep_qualities = true};
  cla_status status = sequence_input_open_bytes(&input, bytes + cut->at, stop - cut->at,
                                                fails ? &file->failure : NULL, file->input, error);
  if (status) return status;
  record_reader reader;
  record_reader_init(&reader, input);
  reader.marker = file->marker;
  reader.records = file->next + cut->block->count;
  reader.line = file->line + bytes_within(bytes, cut->at, '\n', '\n');
  status = record_reader_next(&reader, found, error);
  if (!status && *found) status = record_reader_letters(&reader, file->qualities ? &letters : NULL, error);
  *left = sequence_input_left(input);
  letter_store_clear(&letters);
  record_reader_free(&reader);
  sequence_input_close(input);
  return status;
}

/* Finds the end of a record that does not have the usual form. An error in the record is stored in the
 * block, and cutting ends with this record. */
static cla_status cut_odd(cutting *cut, bool fasta, bool *found, cla_error *error) {
  cla_record_block *block = cut->block;
  int64_t left = 0;
  cla_error why = {.status = CLA_OK};
  for (;;) {
    const int64_t stop = fasta ? cut->end : block->byte_count;
    cla_status status = read_odd(cut, stop, &left, found, &why);
    if (status == CLA_ERROR_MEMORY) {
      if (error) *error = why;
      return status;
    }
    cut->end = stop - left;
    block->failed = status != CLA_OK;
    if (fasta || left > 0 || cut->file->ended) break;
    status = read_on(cut, 2 * block->byte_count - cut->at, error);
    if (status) return status;
  }
  if (!block->failed) return CLA_OK;
  *found = true;
  cut->file->broken = true;
  if (!block->failure) {
    cla_status status = ALLOCATE_ZEROS(&block->failure, 1, "an error", error);
    if (status) return status;
  }
  *block->failure = why;
  return CLA_OK;
}

/* Finds where the next record starts and ends; *found is false at the end of the file. */
static cla_status find_record(cutting *cut, bool *found, cla_error *error) {
  const cla_record_block *block = cut->block;
  cla_record_blocks *file = cut->file;
  cla_status status = CLA_OK;
  record_form form = RECORD_ODD;
  *found = false;
  for (;;) {
    while (cut->at < block->byte_count && record_space(block->bytes[cut->at])) cut->at++;
    if (cut->at < block->byte_count || file->ended) break;
    status = read_on(cut, cut->at + 1, error);
    if (status) return status;
  }
  const char byte = cut->at < block->byte_count ? (char)block->bytes[cut->at] : '\0';
  if (cut->at == block->byte_count && !file->failure.status) return CLA_OK;
  if (!file->marker && (byte == '>' || byte == '@') && cut->at < block->byte_count) file->marker = byte;
  const bool begins = file->marker && byte == file->marker, fasta = begins && byte == '>';
  if (fasta) status = find_fasta(cut, &form, error);
  while (begins && !fasta && !status) {
    form = find_four_lines(cut);
    if (form != RECORD_LONGER || file->ended) break;
    status = read_on(cut, 2 * block->byte_count - cut->at, error);
  }
  if (status) return status;
  *found = form == RECORD_USUAL;
  return *found ? CLA_OK : cut_odd(cut, fasta, found, error);
}

static cla_status put_back(cutting *cut, cla_error *error) {
  cla_record_blocks *file = cut->file;
  cla_record_block *block = cut->block;
  const int64_t count = block->byte_count - cut->at;
  cla_status status = reserve(&file->rest, &file->rest_capacity, count, 1, error);
  if (status) return status;
  if (count > 0) memcpy(file->rest, block->bytes + cut->at, (size_t)count);
  file->rest_count = count;
  block->byte_count = cut->at;
  return CLA_OK;
}

static cla_status take_back(cutting *cut, cla_error *error) {
  cla_record_blocks *file = cut->file;
  cla_record_block *block = cut->block;
  cla_status status = reserve(&block->bytes, &block->byte_capacity, file->rest_count + 1, 1, error);
  if (status) return status;
  if (file->rest_count > 0) memcpy(block->bytes, file->rest, (size_t)file->rest_count);
  block->byte_count = file->rest_count;
  return CLA_OK;
}

cla_status cla_record_block_cut(cla_record_block *block, cla_record_blocks *file, int64_t most_records,
                                int64_t most_bytes, cla_error *error) {
  cutting cut = {block, file, 0, 0};
  block->file = file;
  block->path = file->path;
  block->first = file->next;
  block->count = 0;
  block->failed = false;
  cla_status status = take_back(&cut, error);
  while (!status && block->count < most_records && !file->broken) {
    bool found = false;
    status = find_record(&cut, &found, error);
    if (status || !found) break;
    if (block->count > 0 && cut.end > most_bytes && !block->failed) break;
    status = reserve(&block->places, &block->place_capacity, block->count + 2, sizeof *block->places, error);
    if (status) break;
    block->places[block->count++] = cut.at;
    block->places[block->count] = cut.at = cut.end;
  }
  if (!status) status = put_back(&cut, error);
  if (status) return status;
  block->is_fastq = file->marker == '@';
  file->line += bytes_within(block->bytes, cut.at, '\n', '\n');
  file->next += block->count;
  return CLA_OK;
}

cla_status cla_record_block_read(cla_sequence **out, const cla_record_block *block, int64_t index,
                                 const cla_sequence_options *options, cla_error *error) {
  static const cla_sequence_options none = {0};
  cla_sequence_options how = options ? *options : none;
  sequence_input *input = NULL;
  cla_sequence_file *file = NULL;
  *out = NULL;
  how.qualities = block->file->qualities;
  if (block->failed && index == block->count - 1) {
    if (error) *error = *block->failure;
    return block->failure->status;
  }
  cla_status status = sequence_input_open_bytes(&input, block->bytes + block->places[index],
                                                block->places[index + 1] - block->places[index], NULL,
                                                block->file->input, error);
  if (status) return status;
  status = sequence_file_open_input(&file, block->file->path, input, block->first + index, error);
  if (status) {
    sequence_input_close(input);
    return status;
  }
  status = cla_sequence_file_next(out, file, &how, error);
  cla_sequence_file_close(file);
  return status;
}

/* Reserves the arrays with an element for each record. `sources`: also that of the records' sources. */
static cla_status reserve_records(cla_record_block *block, int64_t needed, bool sources, cla_error *error) {
  cla_status status = CLA_OK;
  int64_t capacity = block->record_capacity;
  struct {
    void *array;
    int64_t size;
  } const lists[] = {{&block->offsets, sizeof *block->offsets},
                     {&block->name_offsets, sizeof *block->name_offsets},
                     {&block->status, sizeof *block->status},
                     {&block->sources, sizeof *block->sources}};
  const size_t count = sizeof lists / sizeof *lists - !sources;
  for (size_t i = 0; i < count && !status; i++) {
    capacity = block->record_capacity;
    status = reserve(lists[i].array, &capacity, needed, lists[i].size, error);
  }
  if (!status) block->record_capacity = capacity;
  return status;
}

/* Reserves arrays large enough for anything that the block's bytes may contain. */
static cla_status make_room(cla_record_block *block, const cla_sequence_options *options, cla_error *error) {
  const bool qualities = block->is_fastq && block->file->qualities;
  const int64_t bytes = block->byte_count + 1, count = block->count + 1;
  struct {
    void *array;
    int64_t *capacity, needed, size;
  } const arrays[] = {{&block->codes, &block->code_capacity, bytes, 1},
                      {&block->names, &block->name_capacity, bytes, 1},
                      {&block->qualities, &block->quality_capacity, qualities ? bytes : 0, 1},
                      {&block->lower, &block->lower_capacity, options->keep_case ? bytes : 0, 1}};
  cla_status status = CLA_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; i++)
    status = reserve(arrays[i].array, arrays[i].capacity, arrays[i].needed, arrays[i].size, error);
  return status ? status : reserve_records(block, count, false, error);
}

/* Memory for a record's letters, their qualities and their case. */
typedef struct record_room {
  uint8_t *codes, *qualities, *lower; /* NULL: not needed */
} record_room;

/* Parses the lines that contain a record's letters and qualities. Returns the number of letters, or -1 if the
 * lines contain anything else; record_reader must then read the record. */
static int64_t parse_letters(const record_room *room, const letter_set *set, const unsigned char *at,
                             const unsigned char *end, bool fastq) {
  int64_t length = 0;
  if (fastq && at < end && *at == '+') return -1;
  while (at < end) {
    const int64_t count = letter_codes_of(room->codes + length, set, at, end - at);
    if (room->lower) letter_store_case(room->lower + length, at, count);
    length += count;
    at += count;
    if (at < end && *at++ != '\n') return -1;
    if (fastq) break;
  }
  if (!fastq) return length;
  const unsigned char *line = at < end && *at == '+' ? memchr(at, '\n', (size_t)(end - at)) : NULL;
  if (!line || end - line <= length) return -1;
  if (!room->qualities) return length;
  if (bytes_outside(line + 1, length, QUALITY_LEAST, QUALITY_MOST)) return -1;
  for (int64_t i = 0; i < length; i++) room->qualities[i] = (uint8_t)(line[1 + i] - QUALITY_LEAST);
  return length;
}

/* Like parse_letters, but by record_reader, for records that parse_letters cannot parse. */
static int64_t read_letters(uint8_t *record_status, const record_room *room, const cla_record_block *block,
                            int64_t index, const cla_sequence_options *options) {
  cla_sequence *sequence = NULL;
  *record_status = (uint8_t)cla_record_block_read(&sequence, block, index, options, NULL);
  if (*record_status) return 0;
  const int64_t length = cla_sequence_length(sequence);
  const struct {
    uint8_t *to;
    const uint8_t *from;
  } arrays[] = {{room->codes, sequence_codes(sequence)},
                {room->qualities, sequence_qualities(sequence)},
                {room->lower, sequence_lower(sequence)}};
  for (int i = 0; i < 3; i++)
    if (arrays[i].to && arrays[i].from) memcpy(arrays[i].to, arrays[i].from, (size_t)length);
  cla_sequence_free(sequence);
  return length;
}

/* Copies the name from a header, and advances *name to the end of the copy. Returns the end of the header's
 * line. */
static const unsigned char *parse_header(char **name, const unsigned char *at, const unsigned char *end) {
  char *to = *name;
  while (at < end && *at != '\n' && record_space(*at)) at++;
  while (at < end && !record_space(*at)) *to++ = (char)*at++;
  *to++ = '\0';
  *name = to;
  if (at < end && *at == '\n') return at + 1;
  const unsigned char *line_end = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
  return line_end ? line_end + 1 : end;
}

static int64_t parse_record(cla_record_block *block, int64_t index, const letter_set *set,
                            const cla_sequence_options *options, char **name) {
  const int64_t at = block->offsets[index];
  const bool is_fastq = block->is_fastq, failed = block->failed && index == block->count - 1;
  const char *begin = *name;
  const record_room room = {block->codes + at,
                            is_fastq && block->file->qualities ? block->qualities + at : NULL,
                            options->keep_case ? block->lower + at : NULL};
  const unsigned char *bytes = block->bytes + block->places[index];
  const unsigned char *end = block->bytes + block->places[index + 1];
  block->status[index] = CLA_OK;
  if (failed) {
    *(*name)++ = '\0';
    block->status[index] = (uint8_t)block->failure->status;
    return 0;
  }
  bytes = parse_header(name, bytes + 1, end);
  const int64_t length = *begin ? parse_letters(&room, set, bytes, end, is_fastq) : -1;
  if (length > 0 || (length == 0 && options->allow_empty)) return length;
  return read_letters(&block->status[index], &room, block, index, options);
}

/* Returns the set of codes whose letters stand for no nucleotide. */
static uint32_t amino_codes(const letter_set *set) {
  uint32_t codes = 0;
  for (int code = 0; set->letters[code]; code++)
    if (alphabet_is_amino_only(set->letters[code])) codes |= UINT32_C(1) << code;
  return codes;
}

/* True if a record was read as a protein, but its letters show that it is none. Most proteins have, near
 * their start, a letter that stands only for an amino acid. Such a letter ends the check. */
static bool is_no_protein(const uint8_t *codes, int64_t count, uint32_t amino) {
  const letter_set *found = NULL;
  letter_tally tally = {.letters = 0};
  cla_error ignored;
  for (int64_t i = 0; i < count; i++)
    if (amino >> codes[i] & 1) return false;
  if (count == 0) return false;
  letter_tally_add(&tally, codes, count);
  return alphabet_tell(&found, &tally, "", &ignored) != CLA_OK || found != &alphabet_protein;
}

cla_status cla_record_block_parse(cla_record_block *block, const cla_sequence_options *options,
                                  cla_error *error) {
  letter_set own;
  const letter_set *set = NULL;
  const bool told = !options->known && options->alphabet == CLA_ALPHABET_PROTEIN;
  if ((!options->known && !told) || options->range_alone)
    return error_set(
        error, CLA_ERROR_OPTION,
        "records in blocks take a known alphabet, and all letters; give it, without range_alone");
  cla_status status = alphabet_choose(&set, &own, options->alphabet, options->own, error);
  if (!status) status = make_room(block, options, error);
  if (status) return status;
  char *name = block->names;
  block->offsets[0] = block->name_offsets[0] = 0;
  const uint32_t amino = told ? amino_codes(set) : 0;
  for (int64_t index = 0; index < block->count; index++) {
    int64_t letters = parse_record(block, index, set, options, &name);
    if (told && is_no_protein(block->codes + block->offsets[index], letters, amino)) {
      block->status[index] = CLA_ERROR_INPUT;
      letters = 0;
    }
    block->offsets[index + 1] = block->offsets[index] + letters;
    block->name_offsets[index + 1] = name - block->names;
  }
  block->letters_met = letter_codes_met(block->codes, block->offsets[block->count]);
  return CLA_OK;
}

/* A record to be copied into a block's arrays. */
typedef struct added_record {
  const char *name;
  const uint8_t *codes;
  int64_t letters;
  uint32_t met; /* set of codes that may occur, one bit each */
} added_record;

static added_record describe(const cla_record_source *source) {
  const cla_sequence *sequence = source ? source->sequence : NULL;
  if (!source) return (added_record){.name = ""};
  if (sequence)
    return (added_record){cla_sequence_name(sequence),
                          sequence_codes(sequence) + cla_sequence_begin(sequence),
                          sequence_range_letters(sequence), sequence_letters_met(sequence)};
  const cla_record_block *from = source->block;
  const int64_t *offset = from->offsets + source->index;
  return (added_record){from->names + from->name_offsets[source->index], from->codes + offset[0],
                        offset[1] - offset[0], from->letters_met};
}

cla_status cla_record_block_add(cla_record_block *block, const cla_record_source *source, cla_status read,
                                cla_error *error) {
  const int64_t at = block->count;
  const added_record record = describe(source);
  const int64_t name = (int64_t)strlen(record.name) + 1;
  cla_status status = reserve_records(block, at + 2, true, error);
  if (!status && at == 0) block->offsets[0] = block->name_offsets[0] = 0;
  if (!status)
    status = reserve(&block->codes, &block->code_capacity, block->offsets[at] + record.letters + 1, 1, error);
  if (!status)
    status = reserve(&block->names, &block->name_capacity, block->name_offsets[at] + name, 1, error);
  if (status) {
    if (source) cla_sequence_free(source->sequence);
    return status;
  }
  if (record.letters > 0) memcpy(block->codes + block->offsets[at], record.codes, (size_t)record.letters);
  memcpy(block->names + block->name_offsets[at], record.name, (size_t)name);
  block->offsets[at + 1] = block->offsets[at] + record.letters;
  block->name_offsets[at + 1] = block->name_offsets[at] + name;
  block->status[at] = (uint8_t)read;
  block->sources[at] = source ? *source : (cla_record_source){0};
  block->letters_met |= record.met;
  block->count++;
  return CLA_OK;
}

uint64_t cla_record_block_mark(const cla_record_block *block, int64_t index) {
  const int64_t *offset = block->offsets + index, *name = block->name_offsets + index;
  const cla_sequence *sequence = block->sources ? block->sources[index].sequence : NULL;
  const int64_t begin = sequence ? cla_sequence_begin(sequence) : 0;
  const uint64_t of_name =
      XXH3_64bits_withSeed(block->names + name[0], (size_t)(name[1] - name[0]), (uint64_t)begin);
  return XXH3_64bits_withSeed(block->codes + offset[0], (size_t)(offset[1] - offset[0]), of_name);
}
