#compdef shinpan
# Completion for shinpan: every value is asked of the program, which knows the store, the match and the game.
_shinpan() {
    local -a lines found open
    local line entry
    lines=("${(@f)$(_SHINPAN_TAB=zsh command ${(Q)~words[1]} "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in "${(@)lines[2,-1]}"; do
        entry=${${line%%$'\t'*}//:/\\:}
        [[ $line == *$'\t'* ]] && entry+=":${line#*$'\t'}"
        if [[ ${line%%$'\t'*} == *[=@] ]]; then
            open+=("$entry")
        else
            found+=("$entry")
        fi
    done
    (( $#found )) && _describe -V shinpan found
    (( $#open )) && _describe -V shinpan open -S ''
    case ${lines[1]} in
        files) _files ;;
        dirs) _files -/ ;;
    esac
}
if [[ ${funcstack[1]} == _shinpan ]]; then
    _shinpan "$@"
else
    compdef _shinpan shinpan
fi
