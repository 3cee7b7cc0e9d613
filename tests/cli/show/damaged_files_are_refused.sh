simulate_pair 1 400
clalign align --quiet --save a.cla --format cigar --output a.txt q.fa t.fa || exit
size=$(stat -c %s a.cla)
head -c $((size - 1)) a.cla >truncated.cla
{ cat a.cla; echo; } >longer.cla
: >empty.cla
mkdir folder.cla
cp a.cla altered.cla
printf '\377' | dd of=altered.cla bs=1 seek=$((size / 2)) conv=notrunc status=none
for file in truncated.cla longer.cla empty.cla folder.cla altered.cla q.fa missing.cla; do
  code_of clalign verify $file q.fa t.fa
  code_of clalign show --output out.txt $file
done
list_files | grep -c ^out
