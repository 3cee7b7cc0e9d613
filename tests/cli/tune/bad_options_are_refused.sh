code_of clalign tune --effort hard
code_of clalign tune --mode sideways
code_of clalign tune --time-limit soon
code_of clalign tune --time-limit 0
code_of clalign tune --time-limit 10x
code_of clalign tune --lengths 10k,
code_of clalign tune --lengths 1k,many
code_of clalign tune --lengths 200M
code_of clalign tune --lengths 10 --output record.txt
code_of clalign tune --pace 0
code_of clalign tune --hang-limit -1
code_of clalign tune file
code_of clalign tune --device 99
code_of clalign tune --serve-requests
code_of clalign tune --matrix BLOSUM63
code_of clalign tune --type rna
code_of clalign tune --type protein --matrix EDNAFULL
printf '   A B\nA  1 -1\nB -1  1\n' >own.txt
code_of clalign tune --matrix own.txt --output record.txt
rm own.txt
list_files
