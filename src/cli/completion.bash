# Completion for bash: commands, options, the values of options that have a list, and files.

_graze() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}"
    local command="${COMP_WORDS[1]}" choices=""
    local robot="--srdf --package --package-path --collada --reader --use-visual --max-bytes --max-memory
        --max-depth --max-elements --max-triangles --no-sandbox --quiet --help"
    local rules="--level --policy --margin --no-self --no-world --allow --attach --attach-at --domain --world --joints --rest --state --base"
    local answer="--format --output --picture --camera --dump --threads"

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "demo info check compile cspace lint srdf motion plan view export verify bench planar help --help --version" -- "$word"))
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
        info | motion | verify) choices="text json" ;;
        lint) choices="text json sarif junit" ;;
        srdf) choices="srdf json text" ;;
        plan) choices="csv json" ;;
        planar)
            choices="text json"
            [ "${COMP_WORDS[2]}" = bench ] && choices="text csv json"
            ;;
        esac
        ;;
    --collada) choices="ros spec moveit" ;;
    --reader) choices="graze assimp" ;;
    --use-visual) choices="never missing always" ;;
    --turn) choices="shorter as-given" ;;
    --level) choices="mesh bounds" ;;
    --geometry) choices="visual collision" ;;
    --camera) choices="front side top fit=" ;;
    --policy) choices="solid surface cap" ;;
    --configs | --problems | --fetch | --csv | --verify | --srdf | --world | --suppressions | --output | --picture | --dump | --path | --states | --legend | -o | --package-path | --package)
        COMPREPLY=($(compgen -f -- "${word#*=}"))
        return
        ;;
    help) choices="demo info check compile cspace lint srdf motion plan view export verify bench planar" ;;
    planar) choices="distance approach obstacle constraint scene cspace bench --help" ;;
    --method) choices="edges axes minkowski" ;;
    --case) choices="clear-of-disk meets-disk clear-of-circle meets-circle" ;;
    esac
    if [ -z "$choices" ] && [ "${word#-}" != "$word" ]; then
        case "$command" in
        check)
            choices="--configuration --configs --all --explain --masked --suggest-allow --enforce-limits --stats
                $robot $rules $answer"
            ;;
        lint)
            choices="--rule --tier --strict --suppressions --pair-samples --audit --samples --seed --fix
                --diff --rules --explain --format --output $robot"
            ;;
        cspace)
            choices="--size --range --certified --budget --path --states --legend --threads --output
                --picture $robot $rules"
            ;;
        srdf) choices="--samples --search --budget --seed --threads --verify --strict --format --output $robot" ;;
        info)
            choices="--pairs --no-visuals --loader-diff --cost --samples --seed --domain --format
                --output $robot"
            ;;
        motion)
            choices="--from --to --from-base --to-base --path --turn --any --width --resolution --budget
                --stats --format --output $robot $rules"
            ;;
        plan)
            choices="--start --goal --start-state --goal-state --start-base --goal-base --kineval
                --planar-base --base-range --step --resolution --no-proof --recheck --seed --time
                --iterations --shortcut $robot $rules $answer"
            ;;
        demo) choices="--output --help" ;;
        export) choices="--configuration --geometry --output $robot $rules" ;;
        view) choices="--configuration --path --output --port --no-browser $robot $rules" ;;
        compile) choices="--output --visuals --verify --world $robot" ;;
        bench)
            choices="--srdf --package-path --configs --joints --seed --world --merge --problems --paths
                --fetch --rows --repeat --only --csv --help"
            ;;
        verify) choices="--kinematics --format --output --quiet --help" ;;
        planar)
            local scene="--scene --count --vertices --radii --size --seed"
            local planar="--format --output --picture --help"
            case "${COMP_WORDS[2]}" in
            distance) choices="--first --second $planar" ;;
            approach | obstacle)
                choices="--first --second --first-velocity --second-velocity --horizon $planar"
                ;;
            constraint)
                choices="--segment --circle --case --margin --smoothing $planar"
                ;;
            scene) choices="$scene --method --pairs --save $planar" ;;
            cspace)
                choices="$scene --body --heading --start --goal --lattice --no-walls --arm --base
                    --disk --joints --rest --cells --npy $planar"
                ;;
            bench) choices="--repeats --pairs --seed $planar" ;;
            esac
            ;;
        esac
    fi
    if [ -n "$choices" ]; then
        COMPREPLY=($(compgen -W "$choices" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _graze graze
