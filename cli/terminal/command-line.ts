// Spells steps as commands that the person can paste into a shell, for the place of the command that is running.
import path from 'node:path'
import type { Variables } from '../../place/context.ts'
import { type ConnectionFlags, type Spell, type Step, spelledBy } from '../../place/next-step.ts'

/** The words before the arguments of `sluice`, as the person would start it again. */
export const INVOCATION = invocationOf(process.argv[1], process.env)

/** The command that is running, as it was given. */
export interface GivenCommand {
  readonly argv: readonly string[]
  readonly flags: ConnectionFlags
  /** Whether it takes a key file. Otherwise a person has to add one to a step that asks the service. */
  readonly takesKeys: boolean
}

type Doing<Do extends Step['do']> = Extract<Step, { readonly do: Do }>

/** The words of each step that is a command of ours, without the flags that name a place. */
const WORDS: {
  readonly [Do in Exclude<Step['do'], 'bootstrap' | 'call-aws' | 'deploy' | 'same' | 'verify-deployed'>]: (
    step: Doing<Do>,
  ) => string
} = {
  'accept-journal': () => "journal verify --accept --by NAME --because 'what was seen'",
  'adopt-keys': () => 'keys adopt --because TEXT',
  approve: ({ id }) => `approve ${quoted(id)}`,
  audit: ({ since }) => `journal audit${optional('since', since)}`,
  'check-payouts': ({ file, policy }) => `payouts check ${quoted(file)} --policy ${policy}`,
  'check-setup': () => 'setup doctor',
  'compare-configuration': () => 'setup diff',
  decide: ({ id }) => `approve ${quoted(id)} --because TEXT`,
  'declare-foreign': () => 'cases foreign ID --because TEXT',
  'drop-letter': ({ id }) => `events dead-letters drop${operand(id)}`,
  'enter-again': ({ id, kind }) => `cases again ${id === undefined ? '--armed' : quoted(id)}${optional('kind', kind)}`,
  'export-journal': () => 'journal export --to FOLDER',
  'generate-keys': () => 'keys generate --role ROLE',
  halt: ({ given }) => `halt${optionals(given)}`,
  'list-cases': () => 'cases list',
  'list-letters': () => 'events dead-letters list',
  'list-movements': ({ given, isShadow }) => `movements list${optionals(given)}${isShadow === true ? ' --shadow' : ''}`,
  'list-payouts': ({ file, policy }) => `payouts results ${quoted(file)} --policy ${policy} --csv`,
  'list-policies': () => 'policies',
  'list-runs': ({ policy }) => `runs list${optional('policy', policy)}`,
  plan: ({ policy }) => `plan ${policy}`,
  'protect-keys': () => 'keys protect',
  query: ({ query, id }) => `service ${query}${operand(id)}`,
  'publish-key': () => 'proof make --public-key',
  'rebuild-journal': ({ isWritten, before }) =>
    `journal rebuild${isWritten === true ? ` --write${before === undefined ? ' --by NAME' : ''}` : ''}${optional('before', before)}`,
  release: ({ policy }) => `cases release ${quoted(policy)} --because TEXT`,
  'report-run': ({ id }) => `runs report ${quoted(id)}`,
  resolve: ({ id, finding, isSameAccount }) =>
    [
      `cases resolve ${quoted(id)}`,
      finding === 'nothing moved' ? '--none' : `--movement ${finding === undefined ? 'ID' : quoted(finding.movement)}`,
      ...(isSameAccount === true ? ['--same-account'] : []),
      '--because TEXT',
    ].join(' '),
  resume: ({ policy, isAll }) => `resume${isAll === true ? ' --all' : ''}${optional('policy', policy)}`,
  run: ({ verb, policy, input, id }) =>
    `run ${verb} ${input === undefined ? (policy ?? 'FILE') : '-'} --id ${quoted(id ?? 'ID')}`,
  'run-payouts': ({ file = 'FILE', policy, id = 'ID' }) =>
    `payouts run ${quoted(file)} --policy ${policy} --id ${quoted(id)}`,
  serve: () => 'serve',
  'set-notice': ({ notice }) => `events notices set ${notice} --address FILE`,
  'show-movement': ({ id, kind, after, isInSentences }) =>
    `movements show ${quoted(id)}${optional('kind', kind)}${optional('after', after)}${isInSentences === true ? ' --sentences' : ''}`,
  'resend-letter': ({ id }) => `events dead-letters resend ${quoted(id)}`,
  'show-letter': ({ id }) => `events dead-letters show ${quoted(id)}`,
  'show-logs': ({ isFollowed }) => `logs${isFollowed === true ? ' -f' : ''}`,
  'show-run': ({ id }) => `runs show ${quoted(id)}`,
  'stage-keys': () => 'keys stage --role ROLE',
  'test-notice': ({ notice }) => `events notices test ${notice}`,
  tour: () => 'start',
  'verify-journal': ({ before, export: folder }) =>
    `journal verify${optional('before', before)}${optional('export', folder)}`,
}

/** The steps that ask the service, and take a key file. */
const ASKING: ReadonlySet<Step['do']> = new Set([
  ...([
    'adopt-keys',
    'approve',
    'audit',
    'check-payouts',
    'check-setup',
    'decide',
    'declare-foreign',
    'enter-again',
    'plan',
    'query',
  ] as const),
  ...(['rebuild-journal', 'resolve', 'run', 'run-payouts', 'serve', 'verify-journal'] as const),
])

/** Spells steps and options in advice. */
export function spelledFor(given: GivenCommand): Spell {
  const spell: Spell = (told) =>
    spelledBy(told, {
      step: (step) => `${commandOf(step, given)}${step.why === undefined ? '' : `   # ${spell(step.why)}`}`,
      option: ({ option, value }) => `--${option}${value === undefined ? '' : ` ${value}`}`,
    })
  return spell
}

function commandOf(step: Step, { argv, flags: ofCommand, takesKeys }: GivenCommand): string {
  if (step.do === 'same') return sameCommand(argv, step.id)
  if (step.do === 'call-aws') return `aws ${step.call}${optionals(step.options)}`
  if (step.do === 'bootstrap') {
    const stack = step.qualifier && `CDKToolkit-${step.qualifier}`
    return `npx cdk bootstrap ${step.environment}${optional('qualifier', step.qualifier)}${optional('toolkit-stack-name', stack)}`
  }
  if (step.do === 'deploy') return deployCommand(step.config)
  if (step.do === 'verify-deployed') return verifyCommand(step.config)
  const words = (WORDS[step.do] as (known: Step) => string)(step)
  const input = step.do === 'run' && step.input !== undefined ? `echo ${quoted(JSON.stringify(step.input))} | ` : ''
  const { keys, ...place } = step.at ?? ofCommand
  const isKeyMissing = place.service !== undefined && step.at === undefined && (step.needsKeys ?? !takesKeys)
  const flags = ASKING.has(step.do)
    ? { ...place, ...(keys !== undefined && { keys }), ...(isKeyMissing && { keys: 'FILE' }) }
    : place
  return `${input}${commandWith(words, flags)}`
}

function optionals(values: Readonly<Record<string, string | undefined>> = {}): string {
  return Object.entries(values)
    .map(([name, value]) => optional(name, value))
    .join('')
}

function operand(value: string | undefined): string {
  return value === undefined ? '' : ` ${quoted(value)}`
}

function optional(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` --${name} ${quoted(value)}`
}

/**
 * An id in an example. Conversions and withdrawals are named after their purpose, runs of policies after their time.
 */
const EXAMPLE_IDS: Readonly<Record<string, string>> = { convert: 'invoice-2041', withdraw: 'payout-17' }

export function exampleWords(verb: string): string {
  const id = EXAMPLE_IDS[verb]
  return `run ${verb} ${id === undefined ? 'month-end --id 2026-01' : `${verb}.json --id ${id}`}`
}

/** The same command again, with the id that continues its run. The content of standard input must be given again. */
export function sameCommand(argv: readonly string[], runId: string): string {
  const hasId = argv.some((argument) => argument === '--id' || argument.startsWith('--id='))
  const words = hasId ? argv : [...argv, '--id', runId]
  const given = argv.some((word, at) => word === '--input=-' || (word === '-' && argv[at - 1] !== '--keys'))
  return [...(given ? ['echo INPUT |'] : []), INVOCATION, ...words.map(quoted)].join(' ')
}

/** A command that only reads, for the connection that these flags name. It needs no keys. */
export function commandIn(words: string, { keys: _keys, ...connectionFlags }: ConnectionFlags): string {
  return commandWith(words, connectionFlags)
}

/** A command that asks the same service with the same keys. */
export function commandWith(words: string, flags: ConnectionFlags): string {
  const given = (['state', 'service', 'keys', 'config'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, quoted(value)]
  })
  return [INVOCATION, words, ...(flags.aws === true ? ['--aws'] : []), ...given].join(' ')
}

/** The next command of a rotation, for the same secret. */
export function keysCommand(
  name: string,
  { role, config, embedded, ...place }: ConnectionFlags & { readonly role?: string; readonly embedded?: true },
): string {
  const where = optionals({ state: place.state, service: place.service })
  return `${INVOCATION} keys ${name}${optionals({ role, config })}${embedded === true ? ' --embedded' : ''}${where}`
}

export function deployCommand(configFile: string | undefined): string {
  return commandIn('deploy', configFile === undefined ? {} : { config: configFile })
}

/** The command that checks whether the deployment of the same file works. */
export function verifyCommand(configFile: string | undefined): string {
  return commandIn('setup doctor --aws --after-deploy', configFile === undefined ? {} : { config: configFile })
}

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
