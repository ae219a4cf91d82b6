// Spells a command so that the person who ran it can paste the line into a shell.
import path from 'node:path'
import type { Variables } from '../context.ts'

/** The words before the arguments of `sluice`, as the person would start it again. */
export const INVOCATION = invocationOf(process.argv[1], process.env)

/**
 * An id in an example. Conversions and withdrawals are named after their purpose, runs of policies after their time.
 */
const EXAMPLE_IDS: Readonly<Record<string, string>> = { convert: 'invoice-2041', withdraw: 'payout-17' }

export const EXAMPLE = exampleOf('convert')

export function exampleOf(verb: string, flags: ConnectionFlags = {}): string {
  const id = EXAMPLE_IDS[verb]
  return commandWith(`run ${verb} ${id === undefined ? 'month-end --id 2026-01' : `${verb}.json --id ${id}`}`, flags)
}

/** The same command again, with the id that continues its run. The content of standard input must be given again. */
export function sameCommand(argv: readonly string[], runId: string): string {
  const hasId = argv.some((argument) => argument === '--id' || argument.startsWith('--id='))
  const words = hasId ? argv : [...argv, '--id', runId]
  const given = argv.some((word, at) => word === '--input=-' || (word === '-' && argv[at - 1] !== '--keys'))
  return [...(given ? ['echo INPUT |'] : []), INVOCATION, ...words.map(quoted)].join(' ')
}

export interface ConnectionFlags {
  readonly aws?: true
  readonly state?: string
  readonly service?: string
  readonly keys?: string
  readonly config?: string
}

/** A command that only reads, for the connection that these flags name. It needs no keys. */
export function commandIn(words: string, { keys: _keys, ...connectionFlags }: ConnectionFlags): string {
  return commandWith(words, connectionFlags)
}

/**
 * A command that asks the service, after a command without keys, or with keys that may not do what it needs. The person
 * fills in the key file.
 */
export function commandNeedingKeys(words: string, flags: ConnectionFlags): string {
  return `${commandIn(words, flags)}${flags.service === undefined ? '' : ' --keys FILE'}`
}

/** A command that asks the same service with the same keys. */
export function commandWith(words: string, flags: ConnectionFlags): string {
  const given = (['state', 'service', 'keys', 'config'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, quoted(value)]
  })
  return [INVOCATION, words, ...(flags.aws === true ? ['--aws'] : []), ...given].join(' ')
}

export function deployCommand(configFile: string | undefined): string {
  return commandIn('deploy', configFile === undefined ? {} : { config: configFile })
}

/** The command that checks whether the deployment of the same file works. */
export function verifyCommand(configFile: string | undefined): string {
  return commandIn('setup doctor --aws --after-deploy', configFile === undefined ? {} : { config: configFile })
}

/** Both for the default file. */
export const [DEPLOY, VERIFY] = [deployCommand(undefined), verifyCommand(undefined)]

export function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * How a person starts this installation: `sluice` where a link to `bin/sluice` is on the PATH, and
 * `npx sluice` otherwise, which works in the repository. `script` is the file that Node was given, before links are
 * followed.
 */
export function invocationOf(script: string | undefined, { npm_command: npmCommand }: Variables): string {
  const isLink = script !== undefined && path.basename(script) === 'sluice'
  // npx, and the scripts of a package, start a link in a folder that is not on the person's own PATH.
  const isOnPath = isLink && npmCommand === undefined && path.basename(path.dirname(script)) !== '.bin'
  return isOnPath ? 'sluice' : 'npx sluice'
}
