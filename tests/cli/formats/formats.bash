# shellcheck shell=bash
# Read in by the cases of this folder.

every_format="pair srspair paf sam bam cigar blast blast7 maf fasta chain vcf cla"
protein_formats="pair srspair paf cigar blast blast7 maf fasta chain cla"

# The Python that has Biopython: of Debian's packages it is the system's.
need_biopython() {
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import Bio' 2>/dev/null && return
  done
  skip "no Biopython"
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

# try_formats NAME QUERY TARGET "FORMAT ..." [option]...: aligns, writes and reads back.
try_formats() {
  local name=$1 query=$2 target=$3 formats=$4 outputs
  shift 4
  # shellcheck disable=SC2086
  outputs_of "$name" $formats
  clalign align --quiet "$@" "${outputs[@]}" "$query" "$target" || fail "align of $name"
  # shellcheck disable=SC2086
  read_back "$name" "${query%%:*}" "${target%%:*}" $formats
}

# turned FILE: the reverse complement of its record.
turned() {
  head -n 1 "$1"
  tail -n +2 "$1" | tr -d '\n' | rev | tr ACGT TGCA
  echo
}
