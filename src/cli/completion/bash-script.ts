/**
 * Ours, because the one of @bomb.sh/tab needs the bash-completion package, cannot be sourced twice and evaluates
 * what was typed. Works from bash 3.2 on.
 */
export function bashScript(name: string): string {
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}_complete() {
  local words=() word line
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash cuts --format=json into three words.
    if [[ \${#words[@]} -gt 0 && ( $word == = || \${words[\${#words[@]}-1]} == --*= ) ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* || -z $line ]] || COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${name} complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _${name}_complete ${name}`;
}
