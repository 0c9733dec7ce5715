# Completion: commands, options, the values of options that have a list, files, and of the robot
# and the SRDF on the command line the names of joints, links and states. completion.zsh and
# completion.fish ask this file, too.

# The operand that is a robot: the first word behind the command that is a file and no option's.
_graze_robot() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
        *.urdf) [ -r "${COMP_WORDS[i]}" ] && [ "${COMP_WORDS[i - 1]}" != --world ] &&
            echo "${COMP_WORDS[i]}" && return ;;
        esac
    done
}

# What stands behind an option on the command line.
_graze_value() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i - 1]}" = "$1" ] && echo "${COMP_WORDS[i]}"
    done
}

# The names of elements of a kind, one a line: of a file, whose elements may be spread over lines.
_graze_names() {
    local kind="$1" file="$2"
    [ -r "$file" ] || return
    tr '\n' ' ' < "$file" | grep -o "<$kind [^>]*>" |
        sed -n "s/.*[[:space:]]name=[\"']\([^\"'[:space:]]*\)[\"'].*/\1/p" | sort -u
}

# A list A,B,...: what is written so far stays, the last name is completed; $2 is put behind it.
_graze_list() {
    local done="" last="$word"
    case "$word" in *,*) done="${word%,*}," last="${word##*,}" ;; esac
    COMPREPLY=($(compgen -P "$done" -S "$2" -W "$1" -- "$last"))
    compopt -o nospace 2> /dev/null
}

_graze() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}"
    local command="${COMP_WORDS[1]}" choices=""
    local robot="--srdf --package --package-path --collada --reader --use-visual --no-visuals --max-bytes --max-memory
        --max-depth --max-elements --max-triangles --import-seconds --no-sandbox --verbose --quiet --strict --help"
    local rules="--level --policy --margin --no-self --no-world --allow --attach --attach-at --domain --world --joints --rest --state --base"
    local answer="--format --output --picture --camera --dump --threads"

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "demo info check compile cspace lint srdf distance motion certify plan roadmap ik sweep view export verify bench planar help --help --version" -- "$word"))
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
        check | distance) choices="text json jsonl csv npy" ;;
        info | motion | certify | verify) choices="text json" ;;
        lint) choices="text json sarif junit" ;;
        srdf) choices="srdf json text" ;;
        plan | roadmap) choices="csv json" ;;
        planar)
            choices="text json"
            [ "${COMP_WORDS[2]}" = bench ] && choices="text csv json"
            ;;
        esac
        ;;
    --state | --start-state | --goal-state)
        COMPREPLY=($(compgen -W "$(_graze_names group_state "$(_graze_value --srdf)")" -- "$word"))
        return
        ;;
    --joints)
        _graze_list "$(_graze_names joint "$(_graze_robot)")" ""
        return
        ;;
    -q | --configuration | --grid | --rest | --start | --goal | --from | --to)
        _graze_list "$(_graze_names joint "$(_graze_robot)")" "="
        return
        ;;
    --link | --reachability)
        COMPREPLY=($(compgen -W "$(_graze_names link "$(_graze_robot)")" -- "$word"))
        return
        ;;
    --allow)
        _graze_list "$(_graze_names link "$(_graze_robot)")" ""
        return
        ;;
    --collada) choices="ros spec moveit auto" ;;
    --reader) choices="graze assimp" ;;
    --use-visual) choices="never missing always" ;;
    --turn) choices="shorter as-given" ;;
    --sampler) choices="random halton" ;;
    --level) choices="mesh bounds" ;;
    --geometry) choices="visual collision" ;;
    --camera) choices="front side top fit=" ;;
    --policy) choices="solid surface cap" ;;
    --configs | --edges | --worlds | --problems | --fetch | --csv | --verify | --srdf | --world | --suppressions | --output | --picture | --animation | --trajectory | --dump | --path | --profile | --states | --legend | -o | --package-path | --package)
        COMPREPLY=($(compgen -f -- "${word#*=}"))
        return
        ;;
    help) choices="demo info check compile cspace lint srdf distance motion certify plan roadmap ik sweep view export verify bench planar" ;;
    roadmap) choices="build query update info --help" ;;
    planar) choices="distance approach obstacle field constraint scene cspace --help" ;;
    --case) choices="clear-of-disk meets-disk clear-of-circle meets-circle" ;;
    esac
    if [ -z "$choices" ] && [ "${word#-}" != "$word" ]; then
        case "$command" in
        check)
            choices="--configuration --configs --all --explain --masked --suggest-allow --poses --enforce-limits --stats
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
        srdf) choices="--prove --samples --search --budget --seed --threads --verify --strict --format --output $robot" ;;
        info)
            choices="--configuration --pairs --loader-diff --cost --samples --seed --format --output $robot
                $rules"
            ;;
        distance)
            choices="--configuration --configs --all --nearest --reach --bound --gradient --depth --budget --stats
                --format --output $robot $rules"
            ;;
        motion)
            choices="--from --to --from-base --to-base --path --turn --moving --any --width --resolution --budget
                --certificate --stats --format --output $robot $rules"
            ;;
        certify)
            choices="--turn --ignore-limits --moving --any --width --resolution --budget --clearance --profile --picture
                --certificate --stats --format --output $robot $rules"
            ;;
        ik)
            choices="--link --pose --frame --position-only --count --starts --distinct --colliding
                --seed --output $robot $rules"
            ;;
        plan)
            choices="--start --goal --start-state --goal-state --goal-pose --start-base --goal-base --kineval --problems --problem
                --planar-base --base-range --step --resolution --no-proof --recheck --seed --sampler --time
                --iterations --shortcut --improve --good-length --smooth --animation --frames --trajectory --joint-limits --acceleration --velocity --jerk
                --base-velocity --base-acceleration --base-jerk --velocity-scale --corner $robot $rules $answer"
            ;;
        roadmap)
            choices="$robot ${rules/--joints --rest --state --base/}"
            case "${COMP_WORDS[2]}" in
            build | query) choices="$robot $rules" ;;&
            build)
                choices="--nodes --neighbours --planar-base --resolution --seed --samples --bytes --time --threads
                    --output $choices"
                ;;
            query)
                choices="--start --goal --start-state --goal-state --start-base --goal-base --neighbours --budget
                    --iterations --time --format --output $choices"
                ;;
            update) choices="--time --threads --output $choices" ;;
            esac
            ;;
        sweep)
            choices="--count --seed --configs --grid --worlds --pairs --motion --edges --distances --with-q
                --reachability --frame --voxel --box --directions --output --stats --chunk --shard
                --slurm --threads $robot $rules"
            ;;
        demo) choices="--output --help" ;;
        export) choices="--configuration --geometry --output $robot $rules" ;;
        view) choices="--configuration --path --trajectory --lint --output --port --no-browser $robot $rules" ;;
        compile) choices="--output --no-tables --visuals --verify --world $robot" ;;
        bench)
            choices="--srdf --package-path --configs --joints --seed --world --merge --problems --paths
                --fetch --rows --repeat --only --csv --help"
            ;;
        verify) choices="--kinematics --format --output --quiet --help" ;;
        planar)
            local scene="--scene --count --vertices --radii --edge --seed"
            local planar="--format --output --picture --help"
            case "${COMP_WORDS[2]}" in
            distance) choices="--first --second $planar" ;;
            approach)
                choices="--first --second --first-velocity --second-velocity --horizon $planar"
                ;;
            obstacle)
                choices="--first --second --first-velocity --second-velocity --horizon --size --range
                    --values $planar"
                ;;
            field)
                choices="--first --second --first-velocity --second-velocity --horizon --over --size
                    --range --values $planar"
                ;;
            constraint)
                choices="--segment --circle --case --margin --smoothing $planar"
                ;;
            scene) choices="$scene --pairs --save $planar" ;;
            cspace)
                choices="$scene --body --heading --lattice --no-walls --arm --base --width --link
                    --obstacle --self --joints --rest --at --start --goal --size --range --certified
                    --budget --threads --states --legend $planar"
                ;;
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
complete -o filenames -F _graze graze 2> /dev/null
