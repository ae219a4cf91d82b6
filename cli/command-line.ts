// How a command is spelled back to the person who ran it, ready to be pasted.

/** What stands before the arguments of `sluice` in this repo. */
export const INVOCATION = 'npm run sluice --'

export const EXAMPLE = exampleOf('convert')

export function exampleOf(verb: string): string {
  return `${INVOCATION} run ${verb} --input ${verb}.json --id invoice-2041`
}

/** The same command again, with the id that continues its run. */
export function sameCommand(argv: readonly string[], runId: string): string {
  const hasId = argv.some((argument) => argument === '--id' || argument.startsWith('--id='))
  const words = hasId ? argv : [...argv, '--id', runId]
  return [INVOCATION, ...words.map(quoted)].join(' ')
}

/** Flags by which a command is told where it looks. */
export interface WhereFlags {
  readonly aws?: true
  readonly state?: string
  readonly service?: string
  readonly keys?: string
  readonly config?: string
}

/** The command that lists what halted, in the place that these flags of a run name. */
export function attentionCommand(flags: WhereFlags): string {
  return commandIn('attention', flags)
}

/** A command that only looks, in the place that these flags name, ready to be pasted: it needs no keys. */
export function commandIn(words: string, { keys: _keys, ...place }: WhereFlags): string {
  return commandWith(words, place)
}

/** A command that asks the same service with the same keys. */
export function commandWith(words: string, flags: WhereFlags): string {
  const given = (['state', 'service', 'keys', 'config'] as const).flatMap((name) => {
    const value = flags[name]
    return value === undefined ? [] : [`--${name}`, quoted(value)]
  })
  return [INVOCATION, words, ...(flags.aws === true ? ['--aws'] : []), ...given].join(' ')
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
