// The one thing that a person means by an id. Where the id is of several, they are named and the person says which; where
// it is of none, it is said where was looked. Reads only.

import { printable } from '../../core/printable.ts'
import { nearestName } from '../../core/treasury/nearest-name.ts'
import type { JournalConnection } from '../connection/journal/journal-connection.ts'
import { findRun } from '../connection/named-run.ts'
import { ID_EXPECTATION, isId } from '../connection/service/service-id.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError, usageError } from '../operation-error.ts'
import { type ConnectionFlags, commandIn, quoted } from '../words/command-line.ts'
import { AskedKind } from './asked-kind.ts'
import { type Asked, type ForeignMovement, findAsked, type LookedThrough, type Wanted } from './find-asked.ts'

export type OneAsked = Asked | { readonly kind: 'foreign'; readonly foreign: ForeignMovement }

/** @throws OperationError (exit 2) for what cannot be an id. To be asked before anything is opened. */
export function assertId(id: string, flags: ConnectionFlags): void {
  if (isId(id)) return
  throw usageError('usage', `id: expected ${ID_EXPECTATION}; got another`, commandIn('movements list', flags))
}

/** @throws OperationError: exit 2 for an id of several, exit 1 for one of none */
export async function findOneAsked(
  id: string,
  wanted: Wanted,
  flags: ConnectionFlags,
  connection: JournalConnection,
): Promise<OneAsked> {
  const { asked, foreign, lookedThrough } = await findAsked(id, connection, wanted)
  const all: readonly OneAsked[] = [...asked, ...foreign.map((one) => ({ kind: 'foreign', foreign: one }) as const)]
  const [only, ...others] = all
  if (only === undefined) throw await unknown(id, { wanted, lookedThrough, flags, connection })
  // An id of the record itself is that record, whatever else may be called so.
  const [own, ...owns] = asked.filter((one) => one.id === id)
  if (owns.length > 0)
    throw several(
      id,
      [own, ...owns].filter((one) => one !== undefined),
    )
  if (others.length > 0 && own === undefined) throw several(id, all)
  return own ?? only
}

function several(id: string, all: readonly OneAsked[]): OperationError {
  const kinds = [...new Set(all.map((one) => (one.kind === 'foreign' ? one.foreign.kind : one.kind)))]
  const byKind = kinds.length === all.length ? `--kind ${kinds.join(' or --kind ')}` : 'one of the ids above'
  return usageError(
    'usage',
    [`the id ${printable(id)} is of more than one; which is meant is not said:`, ...all.map(candidateText)].join('\n'),
    `the same command with ${byKind}`,
  )
}

function candidateText(one: OneAsked): string {
  if (one.kind === 'foreign') return `${one.foreign.kind}: a movement that is claimed for others`
  return `${one.kind} ${printable(one.id)}: the id is ${one.as}`
}

interface Unknown {
  readonly wanted: Wanted
  readonly lookedThrough: LookedThrough | undefined
  readonly flags: ConnectionFlags
  readonly connection: JournalConnection
}

async function unknown(id: string, { wanted, lookedThrough, flags, connection }: Unknown): Promise<OperationError> {
  const { after, kind } = wanted
  const { records = 0, upTo } = lookedThrough ?? {}
  // A person easily gives a policy's name instead of its run's id: then the hint says so.
  const isPolicy = nearestName(id, Object.keys(connection.treasury.policies)) !== undefined
  if (isPolicy && (kind ?? AskedKind.Run) === AskedKind.Run) {
    const refused: unknown = await findRun(id, flags, connection).catch((error: unknown) => error)
    if (refused instanceof OperationError) return refused
  }
  if (upTo !== undefined) {
    const words = [
      'movements show',
      quoted(id),
      ...(kind === undefined ? [] : ['--kind', kind]),
      '--after',
      quoted(upTo),
    ]
    const looked =
      records === 1
        ? 'the one record that was looked through has it not'
        : `none of the ${records} records that were looked through has it`
    return new OperationError({
      exitCode: ExitCode.Failed,
      code: 'refused',
      message: `no key of the journal in ${connection.name} is ${printable(id)}, and ${looked}; there are more`,
      next: `${commandIn(words.join(' '), flags)}   # goes on behind them; ids of intents, runs, executions and proven movements are keys`,
    })
  }
  const what = { convert: 'conversion', withdraw: 'withdrawal', run: 'run' }
  const none = kind === undefined ? 'no intent, run, execution, order or withdrawal' : `no ${what[kind]}`
  const rest = after === undefined ? '' : 'other '
  const looked = records === 1 ? `its one ${rest}record was` : `all ${records} ${rest}records were`
  return new OperationError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the journal in ${connection.name} has ${none} that goes by ${printable(id)}; ${looked} looked through`,
    next: commandIn('movements list', flags),
  })
}
