# Completion for bash: commands, options, the values of options that have a list, and files.

_graze() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}"
    local command="${COMP_WORDS[1]}" choices=""
    local robot="--srdf --package --package-path --collada --use-visual --max-bytes --max-memory
        --max-depth --max-elements --max-triangles --quiet --help"
    local rules="--level --policy --no-self --no-world --allow --world --joints --rest --state --base"
    local answer="--format --output --picture --threads"

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "demo info check plan help --help --version" -- "$word"))
        return
    fi
    # --name=value arrives as three words.
    if [ "$word" = "=" ]; then
        word=""
    elif [ "$before" = "=" ]; then
        before="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
    case "$before" in
    --format)
        case "$command" in
        check) choices="text json jsonl csv npy" ;;
        info) choices="text json" ;;
        plan) choices="csv json" ;;
        esac
        ;;
    --collada) choices="ros spec moveit" ;;
    --use-visual) choices="never missing always" ;;
    --level) choices="mesh bounds" ;;
    --policy) choices="solid surface" ;;
    --configs | --srdf | --world | --output | --picture | -o | --package-path | --package)
        COMPREPLY=($(compgen -f -- "${word#*=}"))
        return
        ;;
    help) choices="demo info check plan" ;;
    esac
    if [ -z "$choices" ] && [ "${word#-}" != "$word" ]; then
        case "$command" in
        check)
            choices="--configuration --configs --all --explain --masked --enforce-limits --stats
                $robot $rules $answer"
            ;;
        info) choices="--pairs --no-visuals --format --output $robot" ;;
        plan)
            choices="--start --goal --start-state --goal-state --start-base --goal-base --kineval
                --planar-base --base-range --step --resolution --recheck --seed --time --iterations
                --shortcut $robot $rules $answer"
            ;;
        demo) choices="--output --help" ;;
        esac
    fi
    if [ -n "$choices" ]; then
        COMPREPLY=($(compgen -W "$choices" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _graze graze
