# Completion for fish, by the function for bash, which is asked in a shell of its own.
set -l folder (dirname (status --current-filename))
set -g __graze_completion "$folder/../../bash-completion/completions/graze"
set -q GRAZE_COMPLETION; and set -g __graze_completion $GRAZE_COMPLETION

function __graze_complete
    set -l words (commandline -opc) (commandline -ct)
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _graze
        printf "%s\n" "${COMPREPLY[@]}"' bash $__graze_completion $words
end

complete -c graze -f -a '(__graze_complete)'
