// State PollOrder: looks at a proven order for some seconds, then leaves the wait to the state
// machine. Writes nothing and sends nothing.

import type { Clock } from '../../core/clock.ts'
import type { ConvertReport, PollOrderInput } from '../../core/contract/convert.ts'
import { ConvertEnd, ConvertStep } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { IntentLost } from '../../core/errors.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { assertOwnAccount, withOneKey } from '../../core/journal/own-key.ts'
import { reportOrder } from '../../core/movements/conversion/report.ts'
import { lookUntilSettled, waitAfter } from '../../core/movements/polling.ts'
import type { ConversionService, KeyReads } from '../../core/service/ports.ts'

export interface PollOrderPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly service: Pick<ConversionService, keyof KeyReads | 'findOrder' | 'fillsOf'>
  readonly clock: Clock
  readonly timing: Timing
}

/** @returns FILLED, FAILED, PROCESSING with `waitSeconds`, or STUCK after the last wait. @throws Transient, IntentLost, Defect */
export async function pollOrder(input: PollOrderInput, ports: PollOrderPorts): Promise<ConvertReport> {
  const { timing } = ports
  const waits = input.waits ?? 0
  const intent = await ports.journal.find(input.intentId, IntentKind.Convert)
  if (!intent) throw new IntentLost(input.intentId)

  const report = await withOneKey(ports.service, async () => {
    await assertOwnAccount(intent.frozen.account, intent.attempt?.kid, ports.service)
    return lookUntilSettled(() => reportOrder(intent, ports.service), isMoving, ports)
  })
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    return { ...report, outcome: ConvertEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}

function isMoving(report: ConvertReport): boolean {
  return report.outcome === ConvertStep.Processing
}
