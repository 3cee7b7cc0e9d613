mkdir folder
code_of clalign simulate
code_of clalign simulate --output-query a.fa
code_of clalign simulate --output-query a.fa --output-target ./a.fa
code_of clalign simulate --output-query a.fa --output-target a.fa
code_of clalign simulate --output-query a.fa --output-target b.fa --length -1
code_of clalign simulate --output-query a.fa --output-target b.fa --length 10x
code_of clalign simulate --output-query a.fa --output-target b.fa --substitution-rate 1.5
code_of clalign simulate --output-query a.fa --output-target b.fa --substitution-rate nan
code_of clalign simulate --output-query a.fa --output-target b.fa --indel-mean 0
code_of clalign simulate --output-query a.fa --output-target b.fa --query-name 'two words'
code_of clalign simulate --output-query a.fa --output-target folder
code_of clalign simulate --output-query a.fa --output-target nowhere/b.fa
list_files
