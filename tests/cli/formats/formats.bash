# shellcheck shell=bash
# Read in by the cases of this folder.

every_format="pair srspair paf sam bam cigar blast blast7 maf fasta chain vcf bed cla tsv"
protein_formats="pair srspair paf cigar blast blast7 maf fasta chain bed cla tsv"

# The Python that has Biopython and bx-python: of Debian's packages it is the system's.
need_biopython() {
  for python in python3 /usr/bin/python3; do
    "$python" -W ignore -c 'import Bio, bx.align.maf, bx.align.epo' 2>/dev/null && return
  done
  skip "no Biopython and bx-python"
}

# The outputs of one run: NAME.json and NAME.FORMAT for each of the formats.
outputs_of() {
  local name=$1 format
  shift
  outputs=(--format json --output "$name.json")
  for format in "$@"; do outputs+=(--format "$format" --output "$name.$format"); done
}

# read_back NAME QUERY.fa TARGET.fa FORMAT...: what was written is the alignment of NAME.json.
read_back() {
  local name=$1 query=$2 target=$3 files=() format
  shift 3
  for format in "$@"; do files+=("$format=$name.$format"); done
  "$python" "$CASES/read_back.py" "$name.json" "$query" "$target" "${files[@]}" >"$name.read" || fail "$name"
  [ "$(wc -l <"$name.read")" -eq $# ] || fail "not every format of $name was read"
  echo "$name $(sort -u -k 2 <"$name.read" | cut -d ' ' -f 2)"
}

# taken NAME TARGET: samtools and bcftools find nothing wrong in NAME.bam and NAME.vcf, nor anything to mend.
taken() {
  local name=$1 contig
  samtools quickcheck "$name.bam" || fail "quickcheck of $name"
  contig=$(samtools view -H "$name.bam" | sed -n 's/^@SQ\tSN:\([^\t]*\).*/\1/p')
  { echo ">$contig" && tail -n +2 "${2%%:*}"; } >"$name.reference.fa"
  samtools calmd "$name.bam" "$name.reference.fa" 2>"$name.complaints" >/dev/null || fail "calmd of $name"
  grep -i different "$name.complaints" && fail "calmd finds another NM or MD of $name"
  samtools stats -r "$name.reference.fa" "$name.bam" >"$name.stats" || fail "stats of $name"
  [ "$(sed -n 's/^SN\tmismatches:\t\([0-9]*\).*/\1/p' "$name.stats")" = "$(json '.mismatches + .gap_letters' "$name.json")" ] ||
    fail "stats counts other differences of $name"
  bcftools norm -c e -f "$name.reference.fa" "$name.vcf" >/dev/null 2>"$name.complaints" || fail "norm of $name"
  # Of a range bcftools does not know, and moves a gap at its start out of it.
  [[ $2 == *:* ]] || grep -qE '^Lines .*/0/0/0$' "$name.complaints" || fail "bcftools would change $name"
}

# try_formats NAME QUERY TARGET "FORMAT ..." [option]...: aligns, writes and reads back.
try_formats() {
  local name=$1 query=$2 target=$3 formats=$4 outputs
  shift 4
  # shellcheck disable=SC2086
  outputs_of "$name" $formats
  clalign align --quiet "$@" "${outputs[@]}" "$query" "$target" || fail "align of $name"
  # shellcheck disable=SC2086
  read_back "$name" "${query%%:*}" "${target%%:*}" $formats
  [[ " $formats " != *" bam "* ]] || taken "$name" "$target"
}

# turned FILE: the reverse complement of its record.
turned() {
  head -n 1 "$1"
  tail -n +2 "$1" | tr -d '\n' | rev | tr ACGT TGCA
  echo
}
