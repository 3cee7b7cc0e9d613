# Every command's man page and every shell's completions name every option of its help.
commands=$(clalign help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
for shell in bash zsh fish; do clalign help --completion $shell >$shell || exit; done
bash -n bash || fail "bash cannot read its completions"
for command in $commands; do
  clalign help --man $command >man || exit
  for option in $(clalign help $command | grep -o '^  --[a-z0-9-]*'); do
    grep -q "^\.B[R]* ${option//-/\\\\-}" man || fail "$option of $command is not in its man page"
    grep -q -- "$option" bash || fail "$option of $command is not completed in bash"
    grep -qE -- "$option=?\[" zsh || fail "$option of $command is not completed in zsh"
    grep -q -- "from $command' -l ${option#--} " fish || fail "$option of $command is not completed in fish"
  done
done
grep -q "'--region=\[.*\]:SIDE\\\\:FROM-TO:" zsh || fail "zsh takes a colon of an argument for the next field"
# complete WORD...: what bash offers for the last one.
complete_in_bash() {
  bash -c 'source ./bash; COMP_WORDS=(clalign "$@"); COMP_CWORD=$#; _clalign; printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
complete_in_bash re
complete_in_bash align --mo
complete_in_bash align --mode ""
complete_in_bash help v
# With a sign between, which bash makes a word of its own; words and files; numbers, of which nothing is known.
complete_in_bash align --strand = r
complete_in_bash align --type =
touch BLOSUM.own
complete_in_bash align --matrix BLOSUM | sort
complete_in_bash align --lower-bound o
complete_in_bash align --free-ends query-
complete_in_bash align --kernel group
complete_in_bash align --max-alignments ""
echo letters >"sequence file.fa"
complete_in_bash align seq
clalign help --completion tcsh
echo "exit $?"
clalign help --completion bash align
echo "exit $?"
