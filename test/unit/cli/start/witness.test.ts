// The tour shows each mishap with the request that met it, and one that did not happen is a finding.
import { expect, test } from 'vitest'
import { createMishapReporter, type MetFault, mishaps, unmetMishaps } from '../../../../cli/start/witness.ts'
import type { ProgressLine } from '../../../../place/context.ts'

const expired: MetFault = { kind: 'expireQuote', method: 'POST', path: '/v2/quotes', status: 201 }
const lost: MetFault = {
  ...{ kind: 'dropAfterCommit', method: 'POST', path: '/v2/orders', status: 0 },
  movementId: 'order/1 x',
}

test('each met fault is reported once, with its request and the accepted movement', () => {
  const lines: ProgressLine[] = []
  const tellNew = createMishapReporter({ line: (line) => lines.push(line), live: () => {}, end: () => {} })
  for (const met of [[], [expired], [expired], [expired, lost], [expired, lost]]) tellNew(met)
  expect(lines.map(({ text }) => text)).toEqual([
    'met: one quote comes expired (POST /v2/quotes answered 201)',
    'met: one answer is lost on its way (POST /v2/orders not answered, order order/1 x is accepted)',
  ])
})

test('each unmet fault is a finding', () => {
  expect(unmetMishaps(mishaps.map(({ fault: { kind } }) => ({ ...expired, kind })))).toEqual([])
  expect(unmetMishaps([expired, lost])).toEqual(['no request met the arranged fault: one order is answered 202'])
})
