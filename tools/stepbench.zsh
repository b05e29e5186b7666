#compdef stepbench
# Completion of stepbench in zsh: the program itself says what may follow, plug-ins included.
_stepbench() {
    local -a candidates
    candidates=("${(@f)$(${~words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $candidates ]]; then
        compadd -U -S '' -a candidates
    else
        _files
    fi
}
_stepbench "$@"
