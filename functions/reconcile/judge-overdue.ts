// Says of an open intent whether somebody should have settled it by now. Pure.
import { IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { orderFenceMs, withdrawalFenceMs } from '../../core/journal/fence.ts'
import { attemptOf } from '../../core/journal/intent.ts'
import { SETTLING_MS } from './audit-window.ts'
import { type AnyIntent, isConversion } from './judge-terms.ts'

/** One sentence where it is overdue, else `undefined`. `nowMs`: service time. */
export function overdueText(intent: AnyIntent, nowMs: number, timing: Timing): string | undefined {
  const notAfterMs = Date.parse(intent.notAfter)
  if (intent.state === IntentState.Ready) {
    if (nowMs <= notAfterMs + SETTLING_MS) return undefined
    return `READY, and its time ran out at ${intent.notAfter}: no run has ended it`
  }
  if (intent.state !== IntentState.Armed) return undefined
  const fenceMs = fenceOf(intent, timing)
  if (nowMs <= fenceMs + SETTLING_MS) return undefined
  return `ARMED, and its fence passed at ${new Date(fenceMs).toISOString()}: money may have moved, and no run has settled it`
}

function fenceOf(intent: AnyIntent, timing: Timing): number {
  return isConversion(intent) ? orderFenceMs(attemptOf(intent), timing) : withdrawalFenceMs(attemptOf(intent), timing)
}
