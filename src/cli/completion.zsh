#compdef graze
# Completion for zsh, by the function for bash: zsh runs such functions itself.
autoload -U +X bashcompinit && bashcompinit
source "${GRAZE_COMPLETION:-${${(%):-%x}:A:h}/../../bash-completion/completions/graze}"
# Loaded by the first completion, it answers that one, too.
(( ${+compstate} )) && _bash_complete -o filenames -F _graze
