# What a batch takes beyond one of a single small pair is less than --memory, and half of that for what an
# allocator leaves: with many short pairs whose results wait for a long one, the first, and all that is kept of
# records that pairs have in common.
need_program python3
[ -z "${CLALIGN_SANITIZED:-}" ] || skip "AddressSanitizer keeps what is freed"
clalign simulate --seed 3 --length 8000000 --output-query all_q.fa --output-target all_t.fa || fail "no letters"
records() { grep -v '>' "$1" | tr -d '\n' | fold -w 800 | awk -v name="$2" '{ printf ">%s%d\n%s\n", name, NR, $0 }'; }
records all_q.fa q >q.fa
records all_q.fa t >t.fa
clalign simulate --seed 4 --length 60000 --output-query long_q.fa --output-target long_t.fa || fail "no long pair"
cat long_q.fa q.fa >first_q.fa
cat long_t.fa t.fa >first_t.fa
head -n 2 q.fa >one_q.fa
head -n 2 t.fa >one_t.fa
memory=$((32 << 10)) # KiB

# resident COMMAND...: the most KiB that it had.
resident() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# check KIND FILES OPTION...: a batch beside one of a single pair; kernels are built before.
check() {
  local most one=(clalign batch --quiet --output one.out "${@:3}" --pairwise one_q.fa one_t.fa) few
  # shellcheck disable=SC2206
  local many=(clalign batch --quiet --memory ${memory}K --output many.out "${@:3}" "$1" $2)
  "${one[@]}" && "${many[@]}" || fail "no batch"
  few=$(resident "${one[@]}") && most=$(resident "${many[@]}") || fail "no batch"
  [ $((most - few)) -le $((memory + memory / 2)) ] ||
    fail "$*: $most KiB, a single pair $few KiB, with --memory ${memory}K"
}

check --pairwise "first_q.fa first_t.fa"
wc -l <many.out
check --all-vs-all "one_q.fa t.fa" --score-only
wc -l <many.out
