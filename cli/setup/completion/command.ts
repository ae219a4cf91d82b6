// Defines `sluice setup completion`: options and help. Its code is loaded when it runs.

import { ExitCode } from '../../../place/exit-code.ts'
import { INVOCATION } from '../../terminal/command-line.ts'
import type { AddCommand } from '../../terminal/commander.ts'

export const addCompletion: AddCommand = (setup, context, endWith) => {
  setup
    .command('completion')
    .description('print what a shell needs to complete commands, options and names of policies')
    .argument('<shell>', 'bash, zsh or fish')
    .argument('[words...]', 'with "words" in place of a shell: suggestions for the end of these words')
    .addHelpText('before', `Example:\n  ${INVOCATION} setup completion bash\n`)
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string, words: readonly string[]) => {
      if (shell === 'words')
        await (await import('./completion.ts')).completeFirst(words, setup.parent ?? setup, context)
      else (await import('./completion.ts')).printScript(shell, context)
      endWith(ExitCode.Done)
    })
}

const COMPLETION_HELP = `
Where sluice is on the PATH (ln -s "$PWD/bin/sluice" ~/.local/bin/ puts it there):
  bash   add to ~/.bashrc:                  eval "$(sluice setup completion bash)"
  zsh    add to ~/.zshrc, after compinit:   eval "$(sluice setup completion zsh)"
  fish   once:  sluice setup completion fish > ~/.config/fish/completions/sluice.fish
Names of policies come from the file of --config, or of SLUICE_CONFIG. No service and no journal is asked.`
