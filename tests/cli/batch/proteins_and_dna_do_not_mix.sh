fasta p MKVLAWEEQRRRLLKDDEFWMKVLAWEEQ >p.fa
fasta d ACGTTGCATTGACCATGACA >d.fa
printf 'p.fa\tp.fa\nd.fa\td.fa\np.fa\td.fa\np.fa\tp.fa:3-20\n' >protein_first.tsv
printf 'd.fa\td.fa\np.fa\tp.fa\nd.fa:2-9\td.fa\n' >dna_first.tsv
code_of clalign batch --quiet --format json --output a.json protein_first.tsv
jq -c '[.type, .score, .cigar]' a.json
code_of clalign batch --quiet --format json --output b.json dna_first.tsv
jq -c '[.type, .score, .cigar]' b.json
# What is known of the letters is said.
code_of clalign batch --quiet --type protein --format json --output c.json protein_first.tsv
jq -c '[.type, .score]' c.json
code_of clalign batch --quiet --type dna --output d.paf dna_first.tsv
# A format for DNA is refused before anything is written.
code_of clalign batch --quiet --format sam --output a.sam protein_first.tsv
list_files
