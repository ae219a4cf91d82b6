// Refuses a list that takes longer to read than one call has, and says how many rows, or which rate, would fit. Without it
// Lambda would end the call without a reason, and each retry would begin anew. Pure, but for the clock.
import { READS_AT_ONCE } from '../../bounded.ts'
import { Transient } from '../../errors.ts'
import type { ServiceClock } from '../../service/ports.ts'

/** Milliseconds for reading the payees. A call lives for 240 s, and prices and balances take some thirty reads more. */
const MOST_MS_OF_PAYEES = 205_000
/** Milliseconds until the pace is judged: a single slow read counts for little then. */
const FIRST_MS = 60_000

/** It takes longer than a call has. Nothing was planned. */
export class TooSlow extends Transient {}

interface ReadingTime {
  /** `of`: how many reads the list takes. The returned function is called after each of them. @throws TooSlow */
  begin(of: number): () => void
}

export function createReadingTime(clock: Pick<ServiceClock, 'nowMs'>, rows: number): ReadingTime {
  const begunMs = clock.nowMs()
  return {
    begin(of) {
      const listMs = clock.nowMs()
      let done = 0
      return () => {
        done += 1
        const nowMs = clock.nowMs()
        // Reads that are under way count as done, so that a list is refused only where it surely takes too long.
        const ahead = Math.min(done + READS_AT_ONCE - 1, of)
        const msPerRead = (nowMs - listMs) / ahead
        const wholeMs = nowMs - begunMs + msPerRead * (of - ahead)
        if (nowMs - begunMs < FIRST_MS || wholeMs <= MOST_MS_OF_PAYEES) return
        throw new TooSlow(tooSlowText(rows, wholeMs, 1_000 / msPerRead))
      }
    },
  }
}

function tooSlowText(rows: number, wholeMs: number, perSecond: number): string {
  const share = MOST_MS_OF_PAYEES / wholeMs
  const most = Math.max(Math.floor(rows * share * 0.9), 1)
  const needed = Math.ceil(perSecond / share / 0.9)
  const seconds = (ms: number) => Math.round(ms / 1000)
  return (
    `reading whom ${rows} rows pay would take ${seconds(wholeMs)} s, and a plan has ${seconds(MOST_MS_OF_PAYEES)} s: ` +
    `the service answers ${perSecond.toFixed(1)} reads a second. Pay at most ${most} rows in one file, ` +
    `or have the limit of the key raised to ${needed} reads a second`
  )
}
