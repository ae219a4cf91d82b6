// A journal's runs of policies, from the command line: listed, shown, written as a page, and decided by a person. It is a real
// journal, with runs in the form of the functions.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import type { PlanLeg } from '../../../core/contract/plan.ts'
import { policy } from '../../../core/contract/policies.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { hashPlan, hashPolicy } from '../../../core/planning/plan-hash.ts'
import { boundLeg } from '../../../core/runs/approval/ask.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import type { RunMove } from '../../../core/runs/record/run-record.ts'
import { createRuns, type NewRun } from '../../../core/runs/record/runs.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { plan } from '../../unit/views/runs/sample-run.ts'
import { useCommands } from './commands.ts'

const policies = {
  core: { kind: 'rebalance', weights: { BTC: '0.6', ETH: '0.4' }, approval: { above: '1000' } },
  other: {
    kind: 'rebalance',
    weights: { SOL: '1' },
    schedule: { expression: 'at(2999-01-01T09:00:00)' },
    mode: 'shadow',
  },
}
const asPlanned = policy.parse(policies.core)
/** The plan that people approve, with the bounds of each leg. */
const bound = BigInt(asPlanned.approval?.priceBoundBps ?? 0)
const shown = { ...plan, legs: plan.legs.map((leg) => ({ ...leg, request: boundLeg(leg, bound).request }) as PlanLeg) }
const guardsHash = 'f'.repeat(64)
const expiresAt = '2999-01-01T00:00:00Z'
const PLAN_HASH = hashPlan(shown, { policyHash: hashPolicy(asPlanned), guardsHash, expiresAt })

const { dir, file, run } = useCommands({ policies })
beforeAll(() => fillJournal(builtInFolder(file('state')).awsDir))

function fillJournal(awsDir: string): Promise<void> {
  return makeKeptJournal(awsDir, async (store) => {
    const runs = createRuns(store, randomUUID)
    const put = async (runId: string, startedAt: string, move: RunMove) =>
      runs.advance(await runs.open({ ...newRun, runId, startedAt }), move)
    const [sell, buy] = plan.legs
    if (sell === undefined || buy === undefined) throw new TypeError('no sample')
    const phases = [
      { phase: 1, legs: [{ key: sell.key, intentId: 'leg-sell' }] },
      { phase: 2, legs: [{ key: buy.key, intentId: 'leg-buy' }] },
    ]
    await put('run-settled', hoursAgo(48), {
      ...{ outcome: 'SETTLED', endedAt: '2026-01-30T09:00:09Z', plan, phases, tiesOut: true },
      results: { 'leg-sell': { outcome: 'FILLED' }, 'leg-buy': { outcome: 'FILLED' } },
    })
    const why = 'GET /v2/assets: the service does not answer'
    await put('run-failed', hoursAgo(47), { outcome: 'FAILED', endedAt: hoursAgo(47), why })
    const planOnly = { ...newRun, runId: 'run-plan', request: { ...newRun.request, shadow: true } as const }
    await runs.advance(await runs.open({ ...planOnly, startedAt: hoursAgo(46) }), { outcome: 'SHADOWED' })
    const awaiting = { outcome: 'AWAITING_APPROVAL', plan: shown, guardsHash, why: 'it is above 1000 USD' } as const
    await put('run-waiting', hoursAgo(24), { ...awaiting, approval: { planHash: PLAN_HASH, expiresAt } })
    const late = { planHash: PLAN_HASH, expiresAt: '2026-01-31T10:00:00Z' }
    await put('run-late', hoursAgo(25), { ...awaiting, approval: late })
    const former = { ...newRun, runId: 'run-former', policy: 'former', startedAt: hoursAgo(72) }
    await runs.advance(await runs.open(former), { outcome: 'NOTHING_TO_DO', endedAt: hoursAgo(72) })
    const records = createPolicyRecords(store, randomUUID)
    const remembered = { holder: 'run-waiting', lastRunId: 'run-settled', failuresInRow: 0 }
    await records.advance(await records.find('core'), { ...remembered, lastTradedAt: '2026-01-30T09:00:09Z' })
    await createHalts(store, randomUUID).halt({
      scope: 'other',
      by: 'ada',
      because: 'audit',
      at: '2026-01-31T00:00:00Z',
    })
  })
}

/** Within the months that are read, whenever this test runs. */
const hoursAgo = (hours: number) => new Date(systemClock.nowMs() - hours * 3_600_000).toISOString()

const newRun: NewRun = {
  ...{ outcome: 'RUNNING', runId: '', policy: 'core', kind: 'rebalance', startedAt: '', entry: 1 },
  ...{ request: { policy: 'core' }, asPlanned, policyHash: 'p', notAfter: '2026-01-31T09:15:00Z' },
}

test('policies are listed with their runs under way, halts, and the newest run that ended, counted or not', async () => {
  const { exitCode, stdout } = await run('policies', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).policies).toMatchObject([
    {
      ...{ policy: 'core', kind: 'rebalance', mode: 'live', schedule: null, holder: 'run-waiting' },
      ...{ lastRun: 'run-failed', lastOutcome: 'FAILED', lastTradedAt: '2026-01-30T09:00:09Z', halted: null },
    },
    {
      ...{ policy: 'other', mode: 'shadow', schedule: 'at(2999-01-01T09:00:00)', holder: null, lastRun: null },
      nextStart: '2999-01-01T09:00:00.000Z',
      halted: 'by ada since 2026-01-31T00:00:00Z: audit',
    },
  ])
})

test('policies are listed before anything ran', async () => {
  const { exitCode, stdout } = await runInProcess([
    ...['policies', '--state', file('empty'), '--config', file('treasury.json')],
  ])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/core +rebalance +live +none +never/)
})

test('runs are listed latest first, of one policy where it is named, and say how many there are', async () => {
  const { stdout } = await run('runs', 'list', '--json')
  const { runs, hasMore } = JSON.parse(stdout)
  expect(runs.map(({ runId }: { runId: string }) => runId)).toEqual([
    ...['run-waiting', 'run-late', 'run-failed', 'run-settled', 'run-former'],
  ])
  expect({ hasMore, first: runs[0] }).toMatchObject({
    hasMore: false,
    first: { outcome: 'AWAITING_APPROVAL', turnover: { amount: '9600.5', asset: 'USD' } },
  })
  const idsOf = async (...flags: string[]) =>
    JSON.parse((await run('runs', 'list', '--json', ...flags)).stdout).runs.map(({ runId }: { runId: string }) => runId)
  // The index gives the open runs, and month by month the ended ones.
  expect(await idsOf('--policy', 'core')).toEqual(['run-waiting', 'run-late', 'run-failed', 'run-settled'])
  expect(await idsOf('--policy', 'core', '--limit', '1')).toEqual(['run-waiting'])
  expect(await idsOf('--policy', 'other')).toEqual([])
  const { stderr } = await run('runs', 'list', '--limit', '1')
  expect(stderr).toContain('the latest 1; there are more')
})

test('plans that wait for approval are cases, with exit 4 where no other case exists', async () => {
  expect((await run('cases', 'list', '--json')).exitCode).toBe(3)
  expect((await run('resume', '--policy', 'other', '--by', 'ada')).exitCode).toBe(0)
  const { exitCode, stdout } = await run('cases', 'list', '--json')
  expect(exitCode).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({
    intents: [],
    approvals: [{ runId: 'run-waiting', policy: 'core', planHash: PLAN_HASH }, { runId: 'run-late' }],
  })
  expect((await run('cases', 'list')).stderr).toContain(
    'run run-waiting of policy core waits for approval until 2999-01-01',
  )
})

test('a run is shown in its current state, with the exit code of its end', async () => {
  const settled = await run('movements', 'show', 'run-settled')
  expect(settled.exitCode).toBe(0)
  expect(settled.stdout).toMatch(/^SETTLED {2}every leg moved what it should\n/)
  expect(settled.stdout).toContain('intent leg-sell')
  const waiting = await run('movements', 'show', 'run-waiting', '--json')
  expect(waiting.exitCode).toBe(4)
  expect(JSON.parse(waiting.stdout)).toMatchObject({ outcome: 'AWAITING_APPROVAL', plan, legs: [] })
  expect(await run('movements', 'show', 'nothing')).toMatchObject({ exitCode: 1, stdout: '' })
  expect(await run('movements', 'show', '../run')).toMatchObject({ exitCode: 2, stdout: '' })
})

test.each([
  ['halt', '--by', 'ada', '--policy', 'cor'],
  ['resume', '--by', 'ada', '--policy', 'cor'],
  ['runs', 'list', '--policy', 'cor'],
  ['plan', 'cor'],
])('%s of an unknown policy is refused with the nearest name', async (...argv) => {
  const { exitCode, stdout, stderr } = await run(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/expected the name of a policy; did you mean "core"\?/)
})

test('a halt of an unknown policy lists the known policies, and halts nothing', async () => {
  const { exitCode, stderr } = await run('halt', '--by', 'ada', '--policy', 'quite-another')
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('treasury.json has core, other'),
  })
  expect((await run('halt', '--by', 'ada', '--policy', 'constructor')).exitCode).toBe(2)
  expect((await run('policies', '--json')).stdout).not.toContain('no reason was given')
})

test('a policy of the journal that treasury.json no longer has can still be halted, resumed and shown', async () => {
  expect(await run('halt', '--by', 'ada', '--policy', 'former')).toMatchObject({ exitCode: 0 })
  expect(await run('resume', '--by', 'ada', '--policy', 'former')).toMatchObject({ exitCode: 0 })
  expect((await run('runs', 'list', '--policy', 'former', '--json')).stdout).toContain('run-former')
})

test("asking for a run by its policy's name is reported as such", async () => {
  const { stderr } = await run('movements', 'show', 'cor')
  expect(stderr).toMatch(/has no run cor; did you mean a run of policy core\?\n.*runs list --policy core/s)
})

test.each([
  ['movements', 'show', 'run-unknown'],
  ['movements', 'show', '../run'],
  ['movements', 'show', 'run-unknown', '--sentences'],
])('%s with the unknown id %s suggests to list the same state directory', async (...argv) => {
  const { stderr } = await run(...argv)
  const [state, config] = [file('state'), file('treasury.json')]
  expect(stderr).toMatch(new RegExp(`npx sluice movements list --state ${state} --config ${config}$`, 'm'))
})

test.each([
  ['movements', 'show', 'cor'],
  ['runs', 'report', 'cor'],
  ['approve', 'run-unknown', '--by', 'ada', '--because', 'it is small'],
])('%s with %s, which is not a run, suggests the same state directory', async (...argv) => {
  const { stderr } = await run(...argv)
  const [state, config] = [file('state'), file('treasury.json')]
  expect(stderr).toMatch(new RegExp(`npx sluice runs list( --policy core)? --state ${state} --config ${config}$`, 'm'))
})

test('a report is written below the state directory, to a file, or to standard output', async () => {
  const { exitCode, stdout } = await run('runs', 'report', 'run-settled')
  const file = path.join(dir, 'state', 'reports', 'run-settled.html')
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${file}\n` })
  const page = readFileSync(file, 'utf8')
  expect(page).toMatch(/<title>core, \d+ \w{3} \d\d:\d\d: settled \(run-settled\)<\/title>/)
  expect((await run('runs', 'report', 'run-settled', '--out', '-')).stdout).toBe(page)
  const named = path.join(dir, 'deep', 'page.html')
  expect(JSON.parse((await run('runs', 'report', 'run-settled', '--out', named, '--json')).stdout)).toEqual({
    runId: 'run-settled',
    file: named,
  })
  const unwritable = await run('runs', 'report', 'run-settled', '--out', path.join(file, 'below'))
  expect(unwritable).toMatchObject({ exitCode: 2, stdout: '' })
  expect(unwritable.stderr).toContain('--out: cannot write')
})

const person = ['--by', 'ada', '--because', 'as agreed']

test('a plan is shown with its hash before a person is asked, and without consent nothing is recorded', async () => {
  const { exitCode, stdout, stderr } = await run('reject', 'run-waiting', ...person)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(`plan hash     ${PLAN_HASH}`)
  expect(stderr).toContain(plan.legs[0]?.reason)
  expect(stderr).toContain(`--yes: expected consent to reject plan ${PLAN_HASH} of run run-waiting?`)
  expect((await run('movements', 'show', 'run-waiting')).exitCode).toBe(4)
})

test.each([
  [['run-settled'], 'run run-settled is SETTLED: it waits for nobody; nothing was recorded'],
  [['run-waiting', '--plan-hash', 'other'], 'run run-waiting has another plan than you have seen'],
  [['run-late'], 'the time to approve run run-late ended at 2026-01-31T10:00:00Z'],
  // Its record and treasury.json together give another hash than the shown one.
  [['run-waiting'], 'the plan of run run-waiting no longer holds: the guards have changed since; nothing was recorded'],
])('approve %j is refused with the reason, before anybody is asked', async (words, why) => {
  const { exitCode, stdout, stderr } = await run('approve', ...words, ...person)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(why)
})

test('a run whose plan a person rejects ends, with the person and the reason', async () => {
  const { exitCode, stdout } = await run('reject', 'run-waiting', ...person, '--yes', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'DISAPPROVED',
    approval: { decision: 'rejected', by: 'ada (not verified)', because: 'as agreed', planHash: PLAN_HASH },
  })
  const late = await run('approve', 'run-waiting', ...person, '--yes')
  expect(late.stderr).toContain('run run-waiting is DISAPPROVED: it waits for nobody')
  expect((await run('policies', '--json')).stdout).toContain('"holder":null')
})
