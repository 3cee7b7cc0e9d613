# A device that is named twice stands for two.
clalign bench --quiet --json --batch 30 --repeat 1 --device 0,0 --timeline line.svg >batch.json || exit
jq -r '[.schedule, .pairs, (.devices | length)] | map(tostring) | join(" ")' batch.json
jq -e -n 'def near(a; b): (a - b | fabs) <= 1e-3 * (b | fabs);
  def sum(f): [.devices[] | f] | add;
  [inputs] | all(near(sum(.cells_share); 1) and .work_seconds > 0 and .predicted_seconds > 0 and
    near(sum(.work_seconds); .work_seconds) and near(sum(.predicted_seconds); .predicted_seconds) and
    near(.error_percent + 100; 100 * .predicted_seconds / .work_seconds) and
    .piece_error_percent >= 0.999 * (.error_percent | fabs))' batch.json >/dev/null ||
  fail "figures that do not fit: $(cat batch.json)"
python3 -c 'import xml.dom.minidom, sys; xml.dom.minidom.parse(sys.argv[1])' line.svg || fail "no picture"
grep -Eo '>device [12], thread 1<' line.svg
clalign bench --quiet --batch 5 --repeat 1 --device 0,0 | grep -Eo '^(device [12]|fcfs|static|toss|model|  on [12])'
code_of clalign bench --device 0,0
