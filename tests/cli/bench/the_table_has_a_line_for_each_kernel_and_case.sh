clalign bench --quiet --sizes 300,1k,200x1k --relation both --kernels group32 --repeat 1 >table.txt || exit
sed -n '/sequences$/,$p' table.txt | awk '{print $1, $2, $3}'
awk '/group32/ && !($4 > 0 && $5 > 0 && $6 > 0 && $7 > 0 && NF == 7) {print "not a figure:", $0}' table.txt
awk 'length > 80 && !/^(device|driver)/ {print "too wide:", $0}' table.txt
clalign bench --quiet --sizes 300 --modes local --kernels group32 --repeat 1 --full | grep -c 'group32.*[0-9]$'
