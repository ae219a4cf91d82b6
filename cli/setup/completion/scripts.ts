// Returns the scripts that complete `sluice` in a shell. The scripts contain no names of commands: each asks `setup
// completion words` of the installed version, so they fit every version.
import { FILES } from './suggestions.ts'

const BASH = `# Completion of sluice for bash.
_sluice() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${FILES}' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" setup completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _sluice sluice`

const ZSH = `#compdef sluice
# Completion of sluice for zsh.
_sluice() {
  local line word files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line == '${FILES}' ]]; then
      files=1
    else
      word=\${line%%$'\\t'*}
      found+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <("\${words[1]}" setup completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe sluice found
  (( files )) && _files
}
compdef _sluice sluice`

const FISH = `# Completion of sluice for fish.
function __sluice_words
    set -l given (commandline -opc)
    set -l current (commandline -ct)
    command $given[1] setup completion words -- $given[2..-1] "$current" 2>/dev/null | while read -l line
        if test "$line" = '${FILES}'
            __fish_complete_path "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c sluice -f -a '(__sluice_words)'`

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const

export function isShell(name: string): name is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, name)
}
