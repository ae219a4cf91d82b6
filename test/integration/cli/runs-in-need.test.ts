// Runs that were settled with a stuck leg: they are cases until they are settled again, and are in their policy's list.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { policy } from '../../../core/contract/policies.ts'
import type { RunMove } from '../../../core/runs/record/run-record.ts'
import { createRuns, type NewRun } from '../../../core/runs/record/runs.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { plan } from '../../unit/views/runs/sample-run.ts'
import { useCommands } from './commands.ts'

const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', ETH: '0.4' } } }
const startedAt = new Date(Date.now() - 3_600_000).toISOString()
const run: NewRun = {
  ...{ outcome: 'RUNNING', runId: '', policy: 'core', kind: 'rebalance', startedAt, entry: 1, policyHash: 'h' },
  ...{ request: { policy: 'core' }, asPlanned: policy.parse(policies.core), notAfter: startedAt },
}
const [sell] = plan.legs
const phases = [{ phase: 1, legs: [{ key: String(sell?.key), intentId: 'leg' }] }]
const why = 'sell-BTC is STUCK (it is PENDING)'
const stuck: RunMove = { outcome: 'NEEDS_ATTENTION', plan, phases, why, results: { leg: { outcome: 'STUCK' } } }

const { file, place } = useCommands({ policies })
beforeAll(async () => {
  await makeKeptJournal(builtInFolder(file('state')).awsDir, async (store) => {
    const runs = createRuns(store, randomUUID)
    const put = async (runId: string, move: RunMove) => runs.advance(await runs.open({ ...run, runId }), move)
    await put('stuck', stuck)
    await runs.advance(await put('settled-since', stuck), {
      outcome: 'SETTLED',
      results: { leg: { outcome: 'FILLED' } },
    })
    // A rebuild closes a run so, without records to settle it by.
    await put('rebuilt', { outcome: 'NEEDS_ATTENTION', why: 'rebuilt from its executions' })
  })
})

const sluice = (...argv: string[]) => runInProcess([...argv, ...place()])

test('cases list names each, with the command that settles it, and needs a person', async () => {
  const { exitCode, stdout } = await sluice('cases', 'list', '--json')
  expect({ exitCode, runs: JSON.parse(stdout).runs }).toEqual({
    exitCode: 3,
    runs: [{ runId: 'stuck', policy: 'core', startedAt: expect.any(String), why }],
  })
  const shown = await sluice('cases', 'list')
  expect(shown.stdout).toMatch(/^stuck +run +NEEDS_ATTENTION\n +asked +policy core\n +why +sell-BTC is STUCK/)
  expect(shown.stdout).toMatch(/again stuck .*# once its legs are settled/)
})

test('the list of the policy has them as well', async () => {
  const { stdout } = await sluice('runs', 'list', '--policy', 'core', '--json')
  const found = JSON.parse(stdout).runs as readonly { readonly runId: string }[]
  expect(found.map(({ runId }) => runId).sort()).toEqual(['rebuilt', 'settled-since', 'stuck'])
})
