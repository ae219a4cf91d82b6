// State PollOrder: polls a proven order for some seconds, then leaves the wait to the state machine. Writes nothing and
// sends nothing.

import type { ConvertReport, PollOrderInput } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { IntentLost } from '../../core/errors.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { type OrderPolling, reportPolledOrder } from '../../core/movements/conversion/poll.ts'
import { assertClaimed, assertFollows } from '../../core/movements/follows.ts'

interface PollOrderPorts extends OrderPolling {
  readonly journal: Pick<Journal, 'find' | 'findClaim'>
}

/** @returns the report of `reportPolledOrder`. @throws Transient, IntentLost, KeyFault, Refused, Defect */
export async function pollOrder(input: PollOrderInput, ports: PollOrderPorts): Promise<ConvertReport> {
  const intent = await ports.journal.find(input.intentId, IntentKind.Convert)
  if (!intent) throw new IntentLost(input.intentId)
  assertFollows(intent)
  await assertClaimed(intent, ports.journal)
  return reportPolledOrder(intent, input.waits ?? 0, ports)
}
