// What the sandbox does wrong to the tour's conversions, once each. That each fault was met, and by which request, is
// read from the sandbox's own log of requests.
import type { Progress } from '../terminal/progress.ts'
import type { MetFault, Mishap } from './witness.ts'

/** How long the order that is accepted and not settled takes: long enough to see it being polled. */
const SETTLES_AFTER_MS = 1_500

export const mishaps: readonly Mishap[] = [
  { path: '/v2/quotes', nth: 1, fault: { kind: 'expireQuote' }, text: 'one quote comes expired' },
  {
    path: '/v2/orders',
    nth: 1,
    fault: { kind: 'settleLater', afterMs: SETTLES_AFTER_MS, outcome: 'fill' },
    text: 'one order is answered 202',
  },
  { path: '/v2/orders', nth: 2, fault: { kind: 'dropAfterCommit' }, text: 'one answer is lost on its way' },
]

export const MISHAPS_TEXT = `to come: ${mishaps.map(({ text }) => text).join(', ')}`

/** The returned function gets all faults that were met so far, and reports each of them once. */
export function createMishapReporter(progress: Progress): (met: readonly MetFault[]) => void {
  let reported = 0
  return (met) => {
    for (const fault of met.slice(reported)) progress.line({ label: 'sandbox', text: metText(fault), tone: 'wait' })
    reported = met.length
  }
}

function metText({ kind, method, path, status, movementId }: MetFault): string {
  const what = mishaps.find(({ fault }) => fault.kind === kind)?.text ?? kind
  const answer = status === 0 ? 'not answered' : `answered ${status}`
  const order = movementId === undefined ? '' : `, order ${movementId} is accepted`
  return `met: ${what} (${method} ${path} ${answer}${order})`
}

/** A sentence for each mishap that was arranged and not met. Then the tour has not shown what it promised. */
export function unmetMishaps(met: readonly MetFault[]): string[] {
  const unmet = mishaps.filter(({ fault }) => !met.some(({ kind }) => kind === fault.kind))
  return unmet.map(({ text }) => `nothing met what was arranged: ${text}`)
}
