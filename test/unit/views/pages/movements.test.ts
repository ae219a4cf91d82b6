// The list of movements calls a run by its policy, and by its time where its own row tells it.
import { expect, test } from 'vitest'
import type { RequestRow } from '../../../../operations/movements/request-row.ts'
import { movementsPage } from '../../../../views/pages/movements.ts'

const filters = { kind: '', outcome: '', since: '', before: '', text: '', shadow: '' }
const leg: RequestRow = {
  ...{ kind: 'convert', id: 'cv-1', at: '2026-01-31T09:00:05Z', asked: 'buy 1 ETH with USDC', state: 'DONE' },
  ...{ policy: 'core', run: 'run-1' },
}
const run: RequestRow = {
  kind: 'run',
  id: 'run-1',
  at: '2026-01-31T09:00:00Z',
  asked: 'core',
  state: 'SETTLED',
  policy: 'core',
}
const everywhere = { halts: [], journal: 'state', service: 'https://a.test', stage: 'test' } as const

test.each([
  ['by its policy and time beside its row', [leg, run], '<a href="/runs/run-1">core, 31 Jan 09:00</a> <code'],
  ['by its policy without its row', [leg], '<a href="/runs/run-1">of core</a> <code class="id">run-1</code>'],
])('the run of a movement is called %s', (_how, rows, link) => {
  const page = movementsPage({ ...everywhere, filters, rows, unreadable: [] })
  expect(page).toContain(`<span class="dim">run</span> ${link}`)
})
