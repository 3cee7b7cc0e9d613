# As other tools do: no message, and the end by SIGPIPE, also where the caller ignores that signal.
simulate_pair 1 40000
clalign align --quiet --format pair q.fa t.fa | head -n 1 | cut -c 1
echo "${PIPESTATUS[0]}"
(trap '' PIPE; clalign align --quiet --format pair q.fa t.fa; echo $? >code) | head -n 1 | cut -c 1
cat code
# The files are complete all the same.
clalign align --quiet --save out.cla --format pair --output - q.fa t.fa | head -n 1 | cut -c 1
clalign verify out.cla q.fa t.fa | cut -d ' ' -f 1
