// State PollOrder: looks at a proven order for some seconds, then leaves the wait to the state
// machine. Writes nothing and sends nothing.
import type { ConvertReport, PollOrderInput } from '../contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../contract/outcomes.ts'
import type { Timing } from '../contract/timing.ts'
import type { Clock } from '../shared/clock.ts'
import type { ConvertIntent } from '../shared/conversion/convert-intent.ts'
import { reportOrder } from '../shared/conversion/order-report.ts'
import { Defect } from '../shared/errors.ts'
import type { Journal } from '../shared/journal/journal.ts'
import type { ConversionService } from '../shared/service/ports.ts'

export interface PollOrderPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly service: Pick<ConversionService, 'findOrder' | 'fillsOf'>
  readonly clock: Clock
  readonly timing: Timing
}

/** Looks within one invocation: after 0.2, 0.4, 0.8, then every 1.6 s. */
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 1600

/** @returns FILLED, FAILED, PROCESSING with `waitSeconds`, or STUCK after the last wait. @throws Transient, Defect */
export async function pollOrder(input: PollOrderInput, ports: PollOrderPorts): Promise<ConvertReport> {
  const { clock, timing } = ports
  const waits = input.waits ?? 0
  const intent = await ports.journal.find<ConvertIntent>(input.intentId)
  if (!intent) throw new Defect(`intent ${input.intentId} is not in the journal`)

  const deadlineMs = clock.nowMs() + timing.pollInsideSeconds * 1000
  let report = await reportOrder(intent, ports.service)
  for (let pauseMs = FIRST_LOOK_MS; isMoving(report); pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
    if (clock.nowMs() + pauseMs > deadlineMs) break
    await clock.sleep(pauseMs)
    report = await reportOrder(intent, ports.service)
  }
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    return { ...report, outcome: ConvertEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}

function isMoving(report: ConvertReport): boolean {
  return report.outcome === ConvertStep.Processing
}

/** Doubles from the first wait to the longest. */
export function waitAfter(
  waits: number,
  timing: Pick<Timing, 'pollFirstWaitSeconds' | 'pollLongestWaitSeconds'>,
): number {
  return Math.min(timing.pollFirstWaitSeconds * 2 ** Math.min(waits, 12), timing.pollLongestWaitSeconds)
}
