#ifndef HOST_WRITE_VCF_HEAD_H
#define HOST_WRITE_VCF_HEAD_H

#include <htslib/sam.h>
#include <stdio.h>

/* The head of a VCF file of many pairs: the targets that `targets` lists, and one sample, "query", because
 * each record names its query. `command` has no line ends, or is NULL. */
void write_vcf_head(FILE *file, const char *command, const sam_hdr_t *targets);

#endif
