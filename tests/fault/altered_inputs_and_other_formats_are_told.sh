. "$CASES/faults.bash"
need_failing_device
make_reference 20000 "${slow[@]}"
begin_and_fail 600 "${slow[@]}"
# Another letter, another name, no file.
cp q.fa q.was
for change in 's/A/C/' 's/^>query/>other/'; do
  sed -i "$change" q.fa
  code_of clalign resume --quiet run
  cp q.was q.fa
done
rm t.fa
code_of clalign resume --quiet run
clalign simulate --unrelated --seed 7 --length 20000 --output-query q.fa --output-target t.fa
# Other formats and no run.
cp run/manifest.json manifest
sed -i 's/"version": 1/"version": 2/' run/manifest.json
code_of clalign resume --quiet run
sed -i 's/"clalign run"/"other"/' run/manifest.json
code_of clalign resume --quiet run
mkdir none
code_of clalign resume --quiet none
code_of clalign resume --quiet
cp manifest run/manifest.json
# A row of another run.
mv run first
begin_and_fail 600 "${slow[@]}" --mode global
row=$(cd run && find . -name 'row-*' | sort | tail -n 1)
cp "run/$row" first/
rm -rf run
mv first run
clalign resume --quiet run || fail "cannot resume"
check_results "a row of another run and resume"
code_of clalign align --quiet --run-dir new - t.fa
code_of clalign align --quiet --disk 1G q.fa t.fa
