#include "seq/foreign_format.h"

#include <string.h>

#include "base/error.h"

typedef struct foreign_format {
  const char *magic;
  int64_t magic_length;
  const char *name, *remedy;
} foreign_format;

#define TO_FASTA "convert it with samtools fasta"
#define DECOMPRESS "decompress it, or compress it with gzip or bgzip instead"
#define EXTRACT "convert it to FASTA, for example with EMBOSS seqret"
#define NO_SEQUENCE "give a FASTA or FASTQ file"

/* SAM's header lines begin with '@' as FASTQ's do; the tab tells them apart. */
static const foreign_format formats[] = {
    {"@HD\t", 4, "a SAM file", TO_FASTA},
    {"@SQ\t", 4, "a SAM file", TO_FASTA},
    {"@RG\t", 4, "a SAM file", TO_FASTA},
    {"@PG\t", 4, "a SAM file", TO_FASTA},
    {"@CO\t", 4, "a SAM file", TO_FASTA},
    {"BAM\1", 4, "a BAM file", TO_FASTA},
    {"CRAM", 4, "a CRAM file", TO_FASTA},
    {"\x1f\x8b", 2, "a truncated gzip file", "get it again"},
    {"BZh", 3, "compressed by bzip2", DECOMPRESS},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", DECOMPRESS},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", DECOMPRESS},
    {"PK\3\4", 4, "a zip archive", DECOMPRESS},
    {"LOCUS  ", 7, "a GenBank file", EXTRACT},
    {"ID   ", 5, "an EMBL file", EXTRACT},
    {"CLUSTAL", 7, "a Clustal alignment", NO_SEQUENCE},
    {"\x43\x27\x41\x1a", 4, "a 2bit file", "convert it with twoBitToFa"},
    {"\x7f"
     "ELF",
     4, "a program (ELF)", NO_SEQUENCE},
    {"%PDF", 4, "a PDF document", NO_SEQUENCE},
    {"\xef\xbb\xbf", 3, "text with a byte-order mark", "save it as plain ASCII text"},
    {"\xff\xfe", 2, "UTF-16 text", "save it as plain ASCII text"},
};

cla_status foreign_format_check(const unsigned char *bytes, int64_t count, const char *shown,
                                cla_error *error) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const foreign_format *format = &formats[i];
    if (count >= format->magic_length && memcmp(bytes, format->magic, (size_t)format->magic_length) == 0)
      return error_set(error, CLA_ERROR_INPUT, "%s is %s, not FASTA or FASTQ; %s", shown, format->name,
                       format->remedy);
  }
  return CLA_OK;
}
