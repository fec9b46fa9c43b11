# Completion for shinpan: every value is asked of the program, which knows the store, the match and the game.
_shinpan() {
    local line files="" first=1
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -n $first ]]; then
            files=$line first=""
        else
            COMPREPLY+=("$line")
        fi
    done < <(_SHINPAN_TAB=bash command "${1/#\~/$HOME}" "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=@] ]]; then
        compopt -o nospace 2>/dev/null
    fi
    if [[ -n $files ]]; then
        local kind=-f
        [[ $files == dirs ]] && kind=-d
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done < <(compgen "$kind" -- "$2")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _shinpan shinpan
