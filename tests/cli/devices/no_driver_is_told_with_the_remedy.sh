# An empty folder of drivers is a machine without any.
mkdir none
export OCL_ICD_VENDORS=$PWD/none
fasta q ACGT >q.fa
clalign devices
echo "exit $?"
clalign align --output out.txt q.fa q.fa
echo "exit $?"
list_files
