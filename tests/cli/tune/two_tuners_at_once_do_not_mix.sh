# The second one says so and ends; the lock goes with the process that holds it, however that ends.
clalign tune --quiet --pace 100 --output record.txt &
first=$!
for ((tenths = 0; tenths < 600; tenths++)); do
  [ -e record.txt.lock ] && break
  sleep 0.1
done
code_of clalign tune --quiet --output record.txt
# Ctrl-C, or another signal that asks: nothing was done yet.
kill -TERM $first
wait $first
echo "exit $?"
list_files
clalign tune --quiet --pace 100 --output record.txt &
first=$!
for ((tenths = 0; tenths < 600; tenths++)); do
  [ -e record.txt.lock ] && break
  sleep 0.1
done
kill -KILL $first
wait $first 2>/dev/null
list_files
code_of clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local --output record.txt
list_files
