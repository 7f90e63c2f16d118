# SPDX-License-Identifier: BSD-3-Clause
# bash completion for clustermark
_clustermark() {
    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'run figures report env --help --version' -- "$cur"))
        return
    fi
    # bash splits --name=value into three words at the =.
    if [[ $cur == = ]]; then cur=
    elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi
    case ${COMP_WORDS[1]} in
    run)
        case $option in
        --profile) COMPREPLY=($(compgen -W 'quick standard full' -- "$cur")); return ;;
        --hosts) COMPREPLY=($(compgen -A hostname -- "$cur")); return ;;
        --launcher) COMPREPLY=($(compgen -c -- "$cur")); return ;;
        --only | --ranks | --rails) return ;;
        esac
        if [[ $cur == -* ]]; then
            local options='--profile --hosts --ranks --launcher --rails --only --fresh --help'
            COMPREPLY=($(compgen -W "$options" -- "$cur"))
            return
        fi ;;
    figures | report) ;;
    *) return ;;
    esac
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}
complete -F _clustermark clustermark
