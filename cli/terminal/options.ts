// Has the options that several commands share: the service to ask with its keys, the journal to read, lists, and consent.

/** An option or an operand: its form, its line of the help, and how its value is read or what it is without one. */
export type OptionRow = readonly [form: string, what: string, read?: typeof collect | string]

type Options = readonly OptionRow[]

export const CONFIG: OptionRow = ['--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]']

/** For a command that asks a service. */
export const SERVICE: Options = [
  ['--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]'],
  ['--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]'],
  ['--state <dir>', 'the state directory of the built-in sandbox (default: .sluice) [SLUICE_STATE]'],
  CONFIG,
]

/** For a command that reads a journal. */
export const JOURNAL: Options = [
  ['--aws', "the deployed journal, by the AWS SDK's own configuration, instead of a state directory"],
  ['--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]'],
  ['--service <url>', 'the service whose runs are meant (default: the built-in sandbox) [SLUICE_SERVICE]'],
  CONFIG,
]

/** For a command that reads a journal, and then acts at the service. */
export const KEYS: OptionRow = ['--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]']

/** For a command that reads a journal, and what the service shows. */
export const READING: Options = [...JOURNAL, ['--keys <file>', 'with --service: its key file, as JSON [SLUICE_KEYS]']]

/** For a command that prints tables and other text. */
export const WIDE: Options = [
  ['--wide', 'all columns side by side and every digit, also where the terminal is narrower'],
]

export const LIST: Options = [
  ...WIDE,
  ['--columns <names>', 'these columns only, in this order, such as policy,outcome'],
  ['--csv', 'the list as CSV (RFC 4180), with a line of titles'],
]

/** For a command that asks for consent before it records something. */
export const CONSENT: Options = [
  ['--yes', 'do not ask'],
  ['--no-input', 'never ask: without --yes nothing is recorded'],
]

/** For a person's decision. */
export const DECISION: Options = [
  ['--because <text>', 'what was seen, and where'],
  ['--by <name>', 'who decides (default: $USER); on AWS that is the identity of the credentials'],
]

export const OUT: OptionRow = ['--out <file>', 'write to this file, which is replaced whole (default: standard output)']

export const ID: OptionRow = [
  '--id <id>',
  'names the run: the same id gives the first result again, also after a crash',
]
export const ASKED_BY: OptionRow = [
  '--by <name>',
  'who asks (default: $USER); on AWS that is the identity of the credentials',
]

export const SHADOW: OptionRow = ['--shadow', 'also runs in shadow mode, and plans that people asked for']

/** For a list over a time. `what`: such as `acts`. */
export function period(what: string): Options {
  return [
    ['--since <time>', `${what} from then on: 2026-01-31 (UTC), or 2026-01-31T09:00:00Z`],
    ['--before <time>', `${what} before then`],
  ]
}

/** Collects the values of an option that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]
