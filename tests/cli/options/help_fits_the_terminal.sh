script -q -e -c true typescript </dev/null >/dev/null 2>&1 || skip "no pseudo-terminal"
for columns in 80 40; do
  script -q -e -c "stty columns $columns; clalign help align; clalign help" typescript </dev/null >/dev/null || fail "help"
  tr -d '\r' <typescript | sed '1d;$d' >lines
  # Words, terms and examples are not broken.
  awk -v most=$columns 'length($0) > most && !/^(usage:|  --|  clalign )/ { print "too long: " $0 }' lines
done
clalign help align | awk 'length($0) > 80 && !/^  clalign / { print "too long in a file: " $0 }'
