// `sluice setup completion SHELL`: prints the script that completes commands in a shell. Answers the first completion
// from the definitions of the commands, and keeps their outline for the next ones.

import type { Command } from 'commander'
import { withdrawingKinds } from '../../../core/policies/setups.ts'
import { usageError } from '../../../place/operation-error.ts'
import { INVOCATION } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { keep, outlineOf } from './kept-outline.ts'
import { FILES } from './suggestions.ts'
import { complete } from './words.ts'

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

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const

function isShell(name: string): name is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, name)
}

/** @throws OperationError (exit 2) for a shell that has no script */
export function printScript(shell: string, { output }: CommandContext): void {
  if (!isShell(shell)) {
    const expected = Object.keys(SCRIPTS).join(', ')
    throw usageError(
      'usage',
      `shell: expected one of ${expected}; got something else`,
      `${INVOCATION} setup completion bash`,
    )
  }
  const script = SCRIPTS[shell]
  if (output.json) output.facts({ shell, script })
  else output.data(script)
}

export async function completeFirst(words: readonly string[], program: Command, { stdout, variables }: CommandContext) {
  const known = { program: outlineOf(program), withdrawingKinds }
  keep(known)
  await complete(words, known, { write: (text) => void stdout.write(text), variables })
}
