# Completion for shinpan: every value is asked of the program, which knows the store, the match and the game.
function __shinpan_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l lines (env _SHINPAN_TAB=fish $program $words "$current" 2>/dev/null)
    set -l files $lines[1]
    set -e lines[1]
    printf '%s\n' $lines
    switch "$files"
        case files
            __fish_complete_path "$current"
        case dirs
            __fish_complete_directories "$current"
    end
end
complete -c shinpan -e
complete -c shinpan -f -k -a '(__shinpan_complete)'
