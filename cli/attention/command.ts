// The words, flags and help of the commands by which people decide: attention, resolve, foreign,
// release, halt, resume.
// Loads a command's own module only when it runs.
import type { Command } from 'commander'
import type { ForeignFlags } from '../foreign/foreign.ts'
import type { HaltFlags } from '../halt/halt.ts'
import type { ReleaseFlags } from '../release/release.ts'
import type { ResolveFlags } from '../resolve/resolve.ts'
import type { PlaceFlags } from '../target/journal/journal-target.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'

type EndWith = (code: ExitCode) => void

const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** First words of these commands. */
export const ATTENTION_WORDS: readonly string[] = ['attention', 'resolve', 'foreign', 'release', 'halt', 'resume']

export function addAttentionCommands(program: Command, context: CommandContext, endWith: EndWith): void {
  withPlace(program.command('attention').description('list what halted and waits for a person, with the evidence'))
    .addHelpText('before', `Example:\n  ${INVOCATION} attention\n`)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing waits for a person, 3 something does, 4 only plans wait for approval.',
    )
    .action(async (flags: PlaceFlags) =>
      endWith(await (await import('./show-attention.ts')).showAttention(flags, context)),
    )

  withPlace(program.command('resolve').description('record what a person found out about an intent in doubt'))
    .argument('<intent>', 'the intent, as attention shows it')
    .option('--movement <id>', 'the withdrawal or order that is its movement')
    .option('--none', 'nothing moved for it')
    .option('--same-account', 'on your word: the key in use and the key that signed are of one account')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER)')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .option('--yes', 'do not ask')
    .option('--no-input', 'never ask: without --yes nothing is recorded')
    .addHelpText(
      'before',
      `Example:\n  ${INVOCATION} resolve wd-2b05f662 --movement ID --because 'seen on chain, tx 0x…'\n`,
    )
    .addHelpText('after', `\n${RESOLVE_HELP}`)
    .action(async (intent: string, flags: ResolveFlags) =>
      endWith(await (await import('../resolve/resolve.ts')).resolve(intent, flags, context)),
    )

  withPlace(program.command('foreign').description("declare a movement on the account to be others' business"))
    .argument('<movement>', 'id of the withdrawal or order, as attention and reconcile show it')
    .option('--kind <kind>', 'order or withdrawal, where both have that id')
    .option('--not-of <intent>', 'an intent in doubt that did not make it; may be repeated', collect)
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER)')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .option('--yes', 'do not ask')
    .option('--no-input', 'never ask: without --yes nothing is recorded')
    .addHelpText('before', `Example:\n  ${INVOCATION} foreign wd_5f66 --because 'paid by hand on Monday'\n`)
    .addHelpText('after', `\n${FOREIGN_HELP}`)
    .action(async (movement: string, flags: ForeignFlags) =>
      endWith(await (await import('../foreign/foreign.ts')).foreign(movement, flags, context)),
    )

  withPlace(
    program.command('release').description("declare what runs of a policy left on their way to be others' business"),
  )
    .argument('<policy>', 'the policy, as attention shows it')
    .option('--because <text>', 'what was seen, and where')
    .option('--by <name>', 'who decides (default: $USER)')
    .option('--yes', 'do not ask')
    .option('--no-input', 'never ask: without --yes nothing is recorded')
    .addHelpText('before', `Example:\n  ${INVOCATION} release old-sweep --because 'sent by hand on Monday'\n`)
    .addHelpText('after', `\n${RELEASE_HELP}`)
    .action(async (policy: string, flags: ReleaseFlags) =>
      endWith(await (await import('../release/release.ts')).release(policy, flags, context)),
    )

  addSwitch(program, 'halt', 'stop sending, for everything or for one policy', context, endWith)
  addSwitch(program, 'resume', 'let sending go on', context, endWith)
}

function addSwitch(
  program: Command,
  name: 'halt' | 'resume',
  what: string,
  context: CommandContext,
  endWith: EndWith,
): void {
  withPlace(program.command(name).description(what))
    .option('--policy <name>', 'that policy only')
    .option('--because <text>', 'why')
    .option('--by <name>', 'who does it (default: $USER)')
    .addHelpText('before', `Example:\n  ${INVOCATION} ${name} --because 'key rotation'\n`)
    .action(async (flags: HaltFlags) => endWith(await (await import('../halt/halt.ts'))[name](flags, context)))
}

/** Adds the options that say which journal is meant. */
export function withPlace(command: Command): Command {
  return command
    .option('--aws', "the deployed journal, by the AWS SDK's own configuration, instead of a state directory")
    .option('--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]')
    .option('--service <url>', 'whose runs in it (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

const FOREIGN_HELP = `It then stands in the way of no intent in doubt, and the audit counts it as others'. Refused where an intent has
claimed it, or one that is not settled may be it. Of each intent that waits for a person and may be it, --not-of says
that it is not: --yes alone does not. It sends nothing.`

const RELEASE_HELP = `No later run takes it up, and neither plans nor attention tell of it again. It sends nothing.`

const RESOLVE_HELP = `The evidence is examined first, and again before anything is written: the movement must exist, be like what was
asked for, and belong to no other intent; --none needs the time past which nothing can arrive, and no movement left
that may be it. What speaks against it is told, with exit 1. It sends nothing.
--same-account is for a key that was replaced where the old or the new one may not read its account (accounts:read):
evidence that the new one sees then counts on your word, which is recorded. It counts for no key that is known to be
of another account, or of the other environment.`
