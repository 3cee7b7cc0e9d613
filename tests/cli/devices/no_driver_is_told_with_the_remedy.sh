# An empty folder of drivers is a machine without any.
mkdir none
export OCL_ICD_VENDORS=$PWD/none
fasta q ACGT >q.fa
clalign devices
echo "exit $?"
clalign align --output out.txt q.fa q.fa
echo "exit $?"
# A driver that is listed and cannot be loaded is not one that is missing, and one without devices is neither.
mkdir broken
echo libnothere.so.1 >broken/some.icd
OCL_ICD_VENDORS=$PWD/broken code_of clalign devices
OCL_ICD_VENDORS=$PWD/broken/some.icd code_of clalign align q.fa q.fa
OCL_ICD_VENDORS=$PWD/broken code_of clalign align --device cpu q.fa q.fa
list_files
