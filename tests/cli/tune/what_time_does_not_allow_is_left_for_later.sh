# Sixty size classes in a second cannot be done, and one always is. The exit code says that there is more to do.
lengths=1000
for ((k = 1; k < 30; k++)); do lengths=$lengths,$((1000 + k)); done
code_of clalign tune --quiet --effort quick --time-limit 1 --lengths $lengths --output record.txt
[ "$(grep -Ec '^(local|global)' record.txt)" -gt 0 ] || fail "no class is in the record"
tail -n 1 record.txt
