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
 * `waits`: between reads, begun so far. What cannot be read now is read after the next wait.
 * @returns FILLED, FAILED, NEEDS_ATTENTION, PROCESSING with `waitSeconds`, or STUCK after the last wait.
 * @throws RateLimited, Refused, Defect
 */
export async function reportPolledOrder(
  intent: ConvertIntent,
  waits: number,
  ports: OrderPolling,
): Promise<ConvertReport> {
  const { service, timing } = ports
  const look = () =>
    withOneKey(service, async () => {
      await assertOwnAccount(intent.frozen.account, intent.attempt?.kid, service)
      return pollUntilSettled(() => reportOrder(intent, service), isMoving, ports)
    })
  const report = await readOrUnseen<ConvertReport>(look, (unseen) => ({
    ...knownOf(intent),
    outcome: ConvertStep.Processing,
    ...unseen,
  }))
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    return { ...report, outcome: ConvertEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}

function isMoving(report: ConvertReport): boolean {
  return report.outcome === ConvertStep.Processing
}
