// Reads the filters of the table of movements, and says whether a row passes them. Pure.
import { sameCode } from '../../../core/contract/fields.ts'
import { ConvertEnd, WithdrawEnd } from '../../../core/contract/outcomes.ts'
import { IntentState } from '../../../core/contract/records.ts'
import { nearestHint } from '../../../core/treasury/nearest-name.ts'
import { unfit } from '../../../place/operation-error.ts'
import { readSpan } from '../list-requests.ts'
import { readIntentKind } from '../record-kind.ts'
import { type MovementRow, RowState } from './movement-row.ts'

/** The filters as texts, before they are checked. */
export interface ExportFilters {
  readonly kind?: string
  readonly policy?: string
  /** In either spelling of an equity. */
  readonly asset?: string
  /** A contact's alias, reference or id. */
  readonly payee?: string
  /** A state of a row. */
  readonly outcome?: string
  /** ISO-8601. */
  readonly since?: string
  readonly before?: string
}

export interface MovementFilter extends Pick<ExportFilters, 'policy' | 'asset' | 'payee'> {
  readonly kind: ReturnType<typeof readIntentKind>
  readonly state: string | undefined
  /** Epoch ms: from then on. */
  readonly sinceMs: number | undefined
  /** Epoch ms: before then. */
  readonly beforeMs: number | undefined
}

/** Every state that a row of the table may have. */
export const TABLE_STATES: readonly string[] = [
  ...new Set<string>(
    [IntentState, ConvertEnd, WithdrawEnd, RowState].flatMap((states): string[] => Object.values(states)),
  ),
]

/** @throws OperationError (exit 2) for a filter that is not valid */
export function readExportFilter(filters: ExportFilters): MovementFilter {
  const { kind, outcome, since: _since, before: _before, ...named } = filters
  return {
    ...named,
    kind: readIntentKind(kind),
    state: readState(outcome),
    ...readSpan(filters),
  }
}

function readState(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const word = text.toUpperCase().replaceAll(/[ -]/g, '_')
  if (TABLE_STATES.includes(word)) return word
  const problem = `expected one of ${TABLE_STATES.join(', ')}; got something else${nearestHint(word, TABLE_STATES)}`
  throw unfit('outcome', problem)
}

export function isWanted(row: MovementRow, filter: MovementFilter): boolean {
  if (!isInTime(row.at, filter)) return false
  // Nobody knows which policy, asset or payee it has.
  if (row.state === RowState.Unreadable) return true
  const { policy, asset, payee, state } = filter
  return (
    (policy === undefined || row.policy === policy) &&
    (state === undefined || row.state === state) &&
    (asset === undefined || [row.assetOut, row.assetIn, row.rebasedAsset].some((code) => isCode(code, asset))) &&
    (payee === undefined || [row.payee, row.payeeReference, row.contactId].includes(payee))
  )
}

function isInTime(at: string | null, { sinceMs, beforeMs }: MovementFilter): boolean {
  const atMs = Date.parse(at ?? '')
  // A time that cannot be read excludes nothing.
  return !(atMs < (sinceMs ?? Number.NEGATIVE_INFINITY)) && !(atMs >= (beforeMs ?? Number.POSITIVE_INFINITY))
}

function isCode(code: string | null, asked: string): boolean {
  return code !== null && sameCode(code, asked)
}
