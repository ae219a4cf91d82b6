// Brings the execution of one intent to its end, whatever state an earlier run left it in. An execution is named after
// its intent. After an early stop the intent is entered again under the next name. That is safe, because each step
// reads the journal before it acts.

import { entryName, MOST_ENTRIES } from '../../core/contract/fields.ts'
import { MOST_ROWS_IN_REQUEST } from '../../core/contract/payouts.ts'
import type { StateMachine } from '../../core/contract/states.ts'
import { printable } from '../../core/printable.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { advice, option } from '../../place/next-step.ts'
import { OperationError } from '../../place/operation-error.ts'
import type { FinishedExecution } from './operation.ts'
import { differingFields } from './run-input.ts'

export interface KeptExecution extends FinishedExecution {
  readonly executionArn: string
  readonly input: string
}

/** The operations that both the embedded AWS and Step Functions offer. */
export interface Executions {
  findExecution(
    stateMachine: StateMachine,
    name: string,
  ): Promise<KeptExecution | undefined> | KeptExecution | undefined
  startExecution(request: {
    stateMachine: StateMachine
    name: string
    input: string
  }): Promise<{ executionArn: string }>
  untilFinished(executionArn: string): Promise<KeptExecution>
}

/** How this run found the execution. */
export type Found = 'new' | 'finished' | 'under way' | 'failed' | 'unsettled'

interface FollowRequest {
  readonly stateMachine: StateMachine
  readonly intentId: string
  readonly request: object
  /** Names an operation of this kind in errors. */
  readonly noun: string
  readonly onFound: (found: Found) => void
  /** Whether another entry may change the result of an execution that succeeded. Absent where it never can. */
  readonly mayChange?: ((execution: KeptExecution) => Promise<boolean>) | undefined
}

/** @throws OperationError (exit 2) when the id was used for another request. */
export async function followExecution(aws: Executions, options: FollowRequest): Promise<KeptExecution> {
  const { stateMachine, intentId, request, noun, onFound, mayChange } = options
  const { kept, entry } = await findLastEntry(intentId, (name) => aws.findExecution(stateMachine, name))
  const enter = async (name: string): Promise<KeptExecution> => {
    const { executionArn } = await aws.startExecution({ stateMachine, name, input: JSON.stringify(request) })
    return aws.untilFinished(executionArn)
  }
  if (kept === undefined) {
    onFound('new')
    return enter(entryName(intentId, 1))
  }
  assertSameRequest(kept, request, noun)
  switch (kept.status) {
    case 'SUCCEEDED':
      if (entry < MOST_ENTRIES && (await mayChange?.(kept))) {
        onFound('unsettled')
        return enter(entryName(intentId, entry + 1))
      }
      onFound('finished')
      return kept
    case 'RUNNING':
      onFound('under way')
      return aws.untilFinished(kept.executionArn)
    default:
      if (entry === MOST_ENTRIES) return kept
      onFound('failed')
      return enter(entryName(intentId, entry + 1))
  }
}

/** Fields of a request that have the rows of a payout file, or name them. */
const ROWS: ReadonlySet<string> = new Set(['rows', 'pages'])

function assertSameRequest(kept: KeptExecution, request: object, noun: string): void {
  const first = JSON.parse(kept.input)
  const fields = differingFields(first, request)
  if (fields.length === 0) return
  if (fields.every((field) => ROWS.has(field)))
    throw new OperationError({
      exitCode: ExitCode.Usage,
      code: 'id_in_use',
      message: advice`${option('id')}: this id was used for other rows${otherPageText(first, request) ?? otherRowText(rowsIn(first), rowsIn(request))}; nothing was sent`,
      next: advice`give a corrected file another ${option('id')}: whatever id paid a row, the row is left out`,
    })
  throw new OperationError({
    exitCode: ExitCode.Usage,
    code: 'id_in_use',
    message: advice`${option('id')}: this id was used for another ${noun}; it differs in ${fields.join(', ')}; nothing was sent`,
    next: advice`use the first input to see its result; another ${option('id')} makes another ${noun}, beside the first`,
  })
}

/** A long file is known by the hashes of its pages: undefined where either has none. */
function otherPageText(first: object, second: object): string | undefined {
  if (!('pages' in first && 'pages' in second && Array.isArray(first.pages) && Array.isArray(second.pages)))
    return undefined
  const pages: readonly unknown[] = second.pages
  const at = first.pages.findIndex((page, index) => page !== pages[index])
  const page = at < 0 ? first.pages.length : at
  return `: the first difference is among its rows ${page * MOST_ROWS_IN_REQUEST + 1} to ${(page + 1) * MOST_ROWS_IN_REQUEST}`
}

type Rows = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** By their ids, where the request has them itself. */
function rowsIn(request: object): Rows {
  const rows = 'rows' in request && Array.isArray(request.rows) ? request.rows : []
  return new Map(rows.map((row) => [String(row.id), row]))
}

/** The first row that differs. Each command resolves labels, so a label may lead to another contact. */
function otherRowText(first: Rows, second: Rows): string {
  for (const [id, row] of second) {
    const was = first.get(id)
    if (was === undefined) return `: row ${id} was not among them`
    const [field] = differingFields(was, row)
    if (field === undefined) continue
    const label = row.contactReference
    const isMoved = field === 'contactId' && label !== undefined && label === was.contactReference
    const text = (value: unknown) => (value === undefined ? 'nothing' : printable(String(value)))
    const moved = isMoved ? `: its label ${text(label)} now names another contact` : ''
    return `: row ${id} had ${field} ${text(was[field])}, and has ${text(row[field])}${moved}`
  }
  const gone = [...first.keys()].find((id) => !second.has(id))
  return gone === undefined ? '' : `: row ${gone} is no longer among them`
}
