# Completion of stepbench in bash: the program itself says what may follow, plug-ins included.
_stepbench() {
    local line=${COMP_LINE:0:COMP_POINT} word prefix candidate
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[-1]}
    # bash replaces what stands behind the last ':' or '=' alone.
    prefix=${word%"${word##*[:=]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$prefix"}")
        [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
    done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _stepbench stepbench
