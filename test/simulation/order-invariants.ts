// What must hold of conversions at their end, beyond what every world's witness sees: that what a
// run said is what moved, also of what moved after it had said so.
import type { ConvertReport } from '../../functions/contract/convert.ts'
import { ConvertEnd } from '../../functions/contract/outcomes.ts'
import type { ConvertSchedule } from './convert-world.ts'
import type { OrderModel } from './order-model.ts'
import type { Ended, Stage } from './world.ts'

const CERTIFIED_ZERO: ReadonlySet<string> = new Set([
  ConvertEnd.Rejected,
  ConvertEnd.ExpiredOut,
  ConvertEnd.PriceRefused,
])
const FINAL: ReadonlySet<string> = new Set([...CERTIFIED_ZERO, ConvertEnd.Filled, ConvertEnd.Failed])
/** The only reasons for which a person is asked. */
const CAUSES: readonly RegExp[] = [
  /nothing could be certified within \d+ waits$/,
  /^an order may have been placed and could not be looked up: /,
]

export function findEndViolations(
  service: OrderModel,
  { witness, journal }: Stage,
  { truth, entries }: ConvertSchedule,
  { ends, lastEnds }: Ended<ConvertReport>,
): string[] {
  const judge = (end: ConvertReport): string[] => {
    const moved = witness.intents.get(end.intentId)?.movements ?? []
    const saysZero = CERTIFIED_ZERO.has(end.outcome) || (end.outcome === ConvertEnd.Failed && end.fills?.length === 0)
    if (saysZero) return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
    if (end.outcome === ConvertEnd.NeedsAttention)
      return CAUSES.some((cause) => cause.test(end.why ?? '')) ? [] : [`halted for no cause of the list: ${end.why}`]
    // FAILED without any fills told is the end of an intent that a fault closed before it sent.
    if (end.outcome === ConvertEnd.Failed && end.orderId === undefined)
      return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
    // FILLED, STUCK, and FAILED with fills speak of an order.
    if (moved.length !== 1 || moved[0]?.id !== end.orderId) return [`${end.outcome}, though ${moved.length} moved`]
    if (end.outcome !== ConvertEnd.Stuck && end.outcome !== truth.endsAs)
      return [`${end.outcome}, though the order ended ${truth.endsAs}`]
    return []
  }
  const found = ends.flatMap(judge)
  // Entered once more when all faults are over, an intent comes to one of the closed ends.
  for (const end of lastEnds) {
    if (!FINAL.has(end.outcome)) found.push(`entered again without faults: ${end.outcome}, ${end.why}`)
  }
  const intents = new Set(entries.map(({ intentId }) => intentId)).size
  if (lastEnds.length !== intents) found.push(`${lastEnds.length} of ${intents} intents came to an end`)
  for (const { record, movements } of witness.intents.values()) {
    const moved = service.movements.find(({ id }) => id === movements[0]?.id)
    const givenUp = truth.side === 'SELL' ? '1' : moved?.quoteAmount
    found.push(...witness.guards.judgeEnd(record, moved && givenUp, journal.records))
  }
  return found
}
