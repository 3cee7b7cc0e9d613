. "$CASES/faults.bash"
need_failing_device
make_reference 20000 "${slow[@]}"

# flip FILE OFFSET: inverts a bit.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  # shellcheck disable=SC2059
  printf "\\x$(printf %02x $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# try WHAT: resumes a damaged copy, which must tell and give the right result, or tell and refuse; `sound` is the
# file before.
try() {
  cp -r run damaged
  if clalign resume --quiet run 2>err; then
    check_results "$1"
    told=$((told + 1))
  else
    [ "$file" = manifest.json ] || fail "$1: $(cat err)"
    refused=$((refused + 1))
    rm -rf run
    cp -r damaged run
    cp "sound/$file" run/
    clalign resume --quiet run || fail "$1, restored: cannot resume"
    check_results "$1, restored"
  fi
  grep -q "${shown:-$file}" err || fail "$1 was not told: $(cat err)"
  [ "$(wc -l <err)" -eq 1 ] || fail "$1: $(cat err)"
  rm -rf run damaged
}

# damage_all: every file of the folder `sound`, in several ways.
damage_all() {
  local size offset
  for file in $(cd sound && ls); do
    [ "$file" = result.cla ] && continue # nothing reads it
    shown=$file
    [[ $file = row-* ]] && shown="special row $((10#$(tr -dc 0-9 <<<"$file"))) in"
    size=$(stat -c %s "sound/$file")
    for offset in 0 9 $((size / 3)) $((size - 20)) $((size - 2)); do
      cp -r sound run
      flip "run/$file" "$offset"
      try "$file with a bit flipped at $offset of $size"
    done
    for offset in 0 7 $((size / 2)) $((size - 3)); do
      cp -r sound run
      truncate -s "$offset" "run/$file"
      try "$file cut to $offset of $size"
    done
  done
}

told=0 refused=0
begin_and_fail 600 "${slow[@]}" --special-rows 3
mv run sound
damage_all
rm -rf sound
# Finished: state.json and path.clp are there.
begin "${slow[@]}" || fail "no run"
rm got.*
mv run sound
damage_all
rm -rf sound
# Reading fails: a folder has the file's name.
begin_and_fail 600 "${slow[@]}" --special-rows 3
row=$(cd run && find . -name 'row-*' | sort | head -n 1)
rm "run/$row"
mkdir "run/$row"
clalign resume --quiet run 2>err || fail "cannot resume: $(cat err)"
grep -q 'cannot be read' err || fail "not told: $(cat err)"
check_results "a row that cannot be read"
[ $told -ge 36 ] && [ $refused -eq 18 ] || fail "$told told, $refused refused"
echo same
