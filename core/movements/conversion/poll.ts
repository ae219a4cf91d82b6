// Reads a proven order for some seconds, and says how long the state machine waits before the next read. Order and PollOrder
// use it. Writes nothing and sends nothing.
import type { ConvertReport } from '../../contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../contract/outcomes.ts'
import type { Timing } from '../../contract/timing.ts'
import type { ConvertIntent } from '../../journal/intent.ts'
import { assertOwnAccount, withOneKey } from '../../journal/own-key.ts'
import type { ConversionService, KeyReads } from '../../service/ports.ts'
import { type Polling, pollUntilSettled, readOrUnseen, waitAfter } from '../polling.ts'
import { knownOf, reportOrder } from './report.ts'

export interface OrderPolling extends Polling {
  readonly service: Pick<ConversionService, keyof KeyReads | 'findOrder' | 'fillsOf'>
  readonly timing: Timing
}

/**
 * `waits`: between reads, begun so far.
 * @returns FILLED, FAILED, NEEDS_ATTENTION, PROCESSING with `waitSeconds`, or STUCK after the last wait.
 * @throws Transient, KeyFault, Refused, Defect
 */
export async function reportPolledOrder(
  intent: ConvertIntent,
  waits: number,
  ports: OrderPolling,
): Promise<ConvertReport> {
  const { service, timing } = ports
  const report = await withOneKey(service, async () => {
    await assertOwnAccount(intent.frozen.account, intent.attempt?.kid, service)
    return pollUntilSettled(() => reportOrder(intent, service), isMoving, ports)
  })
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    return { ...report, outcome: ConvertEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}

/** For the step that has sent the order: what it cannot read is left to PollOrder. @throws RateLimited, Refused, Defect */
export function reportSentOrder(intent: ConvertIntent, ports: OrderPolling): Promise<ConvertReport> {
  return readOrUnseen(
    () => reportPolledOrder(intent, 0, ports),
    (unseen) => ({ ...knownOf(intent), outcome: ConvertStep.Processing, ...unseen }),
  )
}

function isMoving(report: ConvertReport): boolean {
  return report.outcome === ConvertStep.Processing
}
