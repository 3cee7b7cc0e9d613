clalign help >help.txt || exit
clalign --help | cmp - help.txt || exit
clalign -h | cmp - help.txt || exit
cat help.txt
