/* Seeds of what people write: sequences, matrices, tuning records. */

#include <stdlib.h>
#include <string.h>

#include "clalign/scoring.h"
#include "seeds.h"

/* A record whose lines and line ends cross the ends of the buffers that files are read into. */
static void long_sequence(void) {
  static char text[70000];
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = i % 61 == 59 ? '\r' : i % 61 == 60 ? '\n' : "ACGT"[i % 4];
  memcpy(text, ">long\n", 6);
  seeds_put("sequence", "00", text, sizeof text);
  seeds_put("sequence", "1000", text, sizeof text);
}

/* After the letters of the alphabet that is asked for and the length of a selection, as fuzz_sequence.c has
 * it. */
static void sequences(void) {
  static const char fasta[] = ">one first\nACGTNRYacgtn\nAC GT\n";
  static const char several[] = ";comment\n>one\nACGT\r\nTTTT\r\n\r\n>two words\nMKVLAW\n>one\nA\n";
  static const char fastq[] = "@one\nACGT\nAC\n+\nIIII\n@>\n@two\nAC\n+two\n@I\n";
  static const char protein[] = ">p\nMKWVTFISLLFLFSSAYS*\n>x\nBZJUOX\n";
  seeds_put_text("sequence", "0000", fasta);
  seeds_put_text("sequence", "01", fasta);
  seeds_put_text("sequence", "10", fasta);
  seeds_put_text("sequence", "2003", "one>one\nACGTACGT\n");
  seeds_put_text("sequence", "2007", "two:2-3>one\nAC\n>two\nMKVLAW\n");
  seeds_put_text("sequence", "2006", "2-1,00>one\nACGTACGTACGT\n");
  seeds_put_text("sequence", "2002", "2->one\nACGTACGTACGT\n");
  seeds_put_text("sequence", "00", several);
  seeds_put_text("sequence", "2003", "oneACGT");
  seeds_put_text("sequence", "00", fastq);
  seeds_put_text("sequence", "2003", "two@one\nACGT\n+\nIIII\n@two\nAC\n+\n@I\n");
  seeds_put_text("sequence", "03", protein);
  seeds_put_text("sequence", "00", protein);
  seeds_put_text("sequence", "05", ">own\nABCDEEDCBA**\n");
  seeds_put_text("sequence", "08", ">empty\n");
  seeds_put_text("sequence", "1020", fastq);
  seeds_put_text("sequence", "00", "LOCUS       AB\nORIGIN\n        1 acgt\n//\n");
  seeds_put_text("sequence", "00", "ID   AB; SV 1\nSQ   Sequence\n     acgt  4\n//\n");
}

/* The built-in matrices as NCBI has them. */
static void matrices(void) {
  for (const char *const *name = cla_matrix_names(); *name; name++) {
    cla_scoring scoring;
    char score[CLA_SCORE_TEXT_SIZE], text[1 << 14] = "#  a matrix\n  ";
    size_t used = strlen(text);
    cla_scoring_init(&scoring);
    fuzz_demand(cla_scoring_set_matrix(&scoring, *name, NULL) == CLA_OK, "a matrix is missing");
    for (int i = 0; i < scoring.matrix_size; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, " %c", scoring.letters[i]);
    for (int i = 0; i < scoring.matrix_size; i++) {
      used += (size_t)snprintf(text + used, sizeof text - used, "\n%c", scoring.letters[i]);
      for (int j = 0; j < scoring.matrix_size; j++) {
        cla_score_text(score, scoring.matrix[i * CLA_MATRIX_STRIDE + j], &scoring);
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", score);
      }
    }
    seeds_put_text("matrix", "00", text);
  }
  seeds_put_text("matrix", "01", "   A   B   *\nA  1.5 -2  -3\nB -.125 4  0\n* -1 -1  1\n");
  seeds_put_text("matrix", "00",
                 "  A C G T\r\nA 5 -4 -4 -4\r\nC -4 5 -4 -4\r\nG -4 -4 5 -4\r\nT -4 -4 -4 5\r\n");
  seeds_put_text("matrix", "00", "A C\n1 -1000000\n-1000000 1\n");
}

/* Annotations on a chain and on a line of PAF, each with its length. */
static void lifts(void) {
  static const char chain[] = "chain 9 t 90 + 10 40 q 99 - 10 37 1\n10 5 2\n15\n\n",
                    paf[] = "q\t99\t10\t37\t-\tt\t90\t10\t40\t25\t32\t60\tcg:Z:10=5D2I15=\n",
                    bed[] = "t\t10\t40\tx\t0\t-\t12\t30\t0\t2\t4,15,\t0,15,\nt 15 15\n",
                    gff[] =
                        "##sequence-region t 1 90\nt\ts\texon\t11\t20\t.\t+\t.\tParent=a,b\n"
                        "t\ts\tgene\t11\t40\t.\t+\t.\tID=a\n###\n",
                    gtf[] =
                        "t\ts\texon\t11\t20\t.\t+\t.\tgene_id \"a\"; transcript_id \"b\";\n"
                        "t\ts\tgene\t11\t40\t.\t+\t.\tgene_id \"a\";\n";
  const char *const maps[] = {chain, paf}, *const annotations[] = {bed, gff, gtf};
  for (int i = 0; i < 6; i++) {
    char head[8], text[512];
    (void)snprintf(head, sizeof head, "%02x%02x00", 2 * (i / 2), (unsigned)strlen(maps[i % 2]));
    (void)snprintf(text, sizeof text, "%s%s", maps[i % 2], annotations[i / 2]);
    seeds_put_text("lift", head, text);
  }
}

/* A shipped record, and a short one of the device that fuzz_tuning.c asks for. */
static void tuning(const char *folder) {
  static const char head[] =
      "clalign tuning record 1\nplatform NVIDIA CUDA\ndevice NVIDIA H200\ndriver 580.82\nunits "
      "132\nsignature any\nrate band-cell 1.8e-10\nrate fit-cell 2e-10\n";
  static const char entries[] =
      "local 10000 wave32 32 4 64 diagonals 0 1e-05 1e-9 2e-9 1.5e-12\n"
      "local matrix 1000000 wave32 32 8 256 diagonals 0 0 0 0 1e-12\nglobal 100000 wave16 64 8 256 "
      "diagonals 0 1 0 0 0\n";
  char path[1024], text[2048];
  size_t count = 0;
  (void)snprintf(path, sizeof path, "%s/nvidia_h200.txt", folder);
  char *shipped = seeds_read(path, &count);
  seeds_put("tuning", "000a10", shipped, count);
  seeds_put("tuning", "008a90", shipped, count);
  free(shipped);
  (void)snprintf(text, sizeof text, "%s# fastest first\n%send\n", head, entries);
  seeds_put_text("tuning", "010d01", text);
  seeds_put_text("tuning", "014d01", text);
  seeds_put_text("tuning", "00cd01",
                 "clalign tuning record 1\nplatform *\ndevice NVIDIA*[HB]?00\ndriver *\nunits any\nsignature "
                 "any\nend\n");
  seeds_put_text(
      "tuning", "00cd02",
      "clalign tuning record 1\nplatform *\ndevice *\nchip sm_9?\ndriver *\nunits any 66\nsignature "
      "any\nend\n");
}

void seeds_of_text(const char *tuning_folder) {
  sequences();
  long_sequence();
  matrices();
  lifts();
  tuning(tuning_folder);
}
