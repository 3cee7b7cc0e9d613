version 1.1

# Exact pairwise alignment of DNA and protein sequences by clalign.

task align {
  meta {
    description: "Aligns two sequences exactly, on any OpenCL device."
  }
  parameter_meta {
    query: "FASTA or FASTQ with one sequence, plain or gzip"
    target: "likewise"
    extra: "further options of clalign align, as --mode global"
  }
  input {
    File query
    File target
    String name = "alignment"
    String extra = ""
    Int threads = 2
    Int memory_gib = 4
    String docker = "clalign/clalign:0.1.0"
  }
  command <<<
    set -euo pipefail
    clalign align --quiet --threads ~{threads} --memory ~{memory_gib * 512}M ~{extra} \
      -o '~{name}.paf' -o '~{name}.bam' -o '~{name}.vcf.gz' --save '~{name}.cla' \
      '~{query}' '~{target}'
  >>>
  output {
    File paf = "~{name}.paf"
    File bam = "~{name}.bam"
    File vcf = "~{name}.vcf.gz"
    File alignment = "~{name}.cla"
  }
  runtime {
    container: docker
    cpu: threads
    memory: "~{memory_gib} GiB"
  }
}

task batch {
  meta {
    description: "Aligns each sequence of a file exactly with those of another one."
  }
  parameter_meta {
    query: "FASTA or FASTQ, plain or gzip"
    target: "likewise"
    extra: "further options of clalign batch"
  }
  input {
    File query
    File target
    String name = "alignments"
    String extra = "--strand both"
    Int threads = 2
    Int memory_gib = 4
    String docker = "clalign/clalign:0.1.0"
  }
  command <<<
    set -euo pipefail
    clalign batch --quiet --all-vs-all --threads ~{threads} --memory ~{memory_gib * 512}M ~{extra} \
      -o '~{name}.paf' -o '~{name}.bam' '~{query}' '~{target}'
  >>>
  output {
    File paf = "~{name}.paf"
    File bam = "~{name}.bam"
  }
  runtime {
    container: docker
    cpu: threads
    memory: "~{memory_gib} GiB"
  }
}

workflow clalign {
  input {
    File query
    File target
    File? contigs
  }
  call align { input: query = query, target = target }
  if (defined(contigs)) {
    call batch { input: query = select_first([contigs]), target = target }
  }
  output {
    File paf = align.paf
    File bam = align.bam
    File vcf = align.vcf
    File alignment = align.alignment
    File? contigs_paf = batch.paf
  }
}
