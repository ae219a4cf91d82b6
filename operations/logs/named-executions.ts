// Picks the executions of one id: an intent, a run of a policy, one execution by its name, or a request with this id by
// `sluice run` or an event.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { RequestEvent } from '../../core/contract/events.ts'
import { executionName, intentId, MOST_ENTRIES } from '../../core/contract/fields.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import { requestedName } from '../../core/triggers/names.ts'
import { usageError } from '../../place/operation-error.ts'
import { idMadeOf } from '../movements/intent-id.ts'
import type { Picker } from './latest-executions.ts'
import type { LogReader } from './log-reader.ts'
import type { LogSource } from './log-source.ts'

/** Maximum characters of an event's id. */
const MOST_LETTERS = 256

/** @throws OperationError (exit 2) */
export function parseId(text: string): string {
  if (text.length > 0 && text.length <= MOST_LETTERS && !/\p{Cc}/u.test(text)) return text
  const expected = `expected 1 to ${MOST_LETTERS} printable characters; got ${text.length}`
  throw usageError('usage', `id: ${expected}`, 'correct the id, or leave it out to see the last executions')
}

/** A possible name of an execution, for one state machine. */
interface Candidate {
  readonly stateMachine: StateMachine
  /** Also with `_2` to `_99`, unless it is the name of one entry. */
  readonly name: string
  readonly mostEntries: number
}

export function createNamedPicker(id: string, reader: LogReader): Picker {
  const entries = new Map<string, number>()

  async function pickCandidate({ mostEntries, name, stateMachine }: Candidate, source: LogSource): Promise<void> {
    const key = `${stateMachine} ${name}`
    const known = entries.get(key) ?? 0
    const find = async (execution: string) => {
      if (mostEntries === 1 && execution !== name) return undefined
      const executionArn = (await source.findExecution(stateMachine, execution))?.executionArn
      if (executionArn !== undefined) reader.add({ executionArn, redrives: 0 })
      return executionArn
    }
    // The id may be of a leg: its first execution is a later entry where its run waited for approval.
    const { entry } = await findLastEntry(name, find, { from: known + 1, isLeg: mostEntries > 1 })
    if (entry > 0) entries.set(key, entry)
  }

  return {
    hasMore: false,
    get hasFound() {
      return entries.size > 0
    },
    async pick(source) {
      const candidates = candidatesOf(id, await source.account())
      await mapBounded(candidates, READS_AT_ONCE, (candidate) => pickCandidate(candidate, source))
    },
  }
}

function candidatesOf(id: string, account: string | undefined): Candidate[] {
  const given = Object.values(StateMachine).map((stateMachine) => ({ stateMachine, name: id }))
  if (intentId.safeParse(id).success) {
    return [...given, ...askedBy(id, account)].map((candidate) => ({ ...candidate, mostEntries: MOST_ENTRIES }))
  }
  if (executionName.safeParse(id).success) return given.map((candidate) => ({ ...candidate, mostEntries: 1 }))
  return askedBy(id, account).map((candidate) => ({ ...candidate, mostEntries: MOST_ENTRIES }))
}

const ASKED = [
  { verb: 'convert', detailType: RequestEvent.Conversion, stateMachine: StateMachine.Convert },
  { verb: 'withdraw', detailType: RequestEvent.Withdrawal, stateMachine: StateMachine.Withdraw },
  { verb: 'rebalance', detailType: RequestEvent.Rebalance, stateMachine: StateMachine.Rebalance },
  { verb: 'sweep', detailType: RequestEvent.Sweep, stateMachine: StateMachine.Sweep },
] as const

/**
 * The names that `sluice run` and the deployed trigger make of an id. Requesters of other accounts have other names.
 */
function askedBy(id: string, account: string | undefined): Pick<Candidate, 'stateMachine' | 'name'>[] {
  return ASKED.flatMap(({ detailType, stateMachine, verb }) => [
    { stateMachine, name: idMadeOf(verb, id) },
    ...(account === undefined ? [] : [{ stateMachine, name: requestedName({ detailType, account, id }) }]),
  ])
}
