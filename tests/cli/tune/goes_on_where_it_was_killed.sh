# What is killed in the middle has written the classes that were done, leaves no lock, and the next call adds
# what is missing. The limit of time is far away, so nothing here depends on the machine's speed.
options="--effort quick --pace 0.02 --lengths 700,2k --mode local --time-limit 1h"
clalign tune $options --output record.txt 2>log &
tuner=$!
for ((tenths = 0; tenths < 1200; tenths++)); do
  grep -q '^clalign: local .*time model' log && break
  sleep 0.1
done
kill -9 $tuner
wait $tuner 2>/dev/null
grep -q '^local 700 ' record.txt || fail "the first class is not in the record"
tail -n 1 record.txt
clalign tune $options --output record.txt || exit
for length in 700 2000; do
  grep -q "^local $length " record.txt || fail "$length is not in the record"
done
clalign tune --quiet $options --output record.txt
code_of clalign tune --quiet $options --restart --output record.txt
list_files
