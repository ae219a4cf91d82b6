// Policies from the shell, end to end: planned, run, approved, entered again, reported. The witness is a service in the test's
// process, which no kill reaches.
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../../core/contract/runs.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'
import { byScript, type Change, find, forged, rewrite } from './toured-proofs.ts'

const APPROVED_ABOVE_ONE = { approval: { above: '1' } }

const { service, place, keys, file, write } = useCommandsBeside()
let policies: Readonly<Record<string, object>>
beforeAll(async () => {
  writeTreasury({})
  const { stdout } = await runInProcess(['service', 'contacts', '--json', ...place(), ...keys()])
  const contacts: { id: string; reference: string }[] = JSON.parse(stdout)
  const idOf = (reference: string) => contacts.find((contact) => contact.reference === reference)?.id
  const sweep = (asset: string, target: string) => ({
    kind: 'sweep',
    rules: [{ assets: [asset], keep: { target }, contactId: idOf('subsidiary') }],
  })
  policies = {
    nightly: sweep('USDT', '1000'),
    careful: { ...sweep('EUR', '0'), ...APPROVED_ABOVE_ONE },
    refused: { ...sweep('SOL', '0'), ...APPROVED_ABOVE_ONE },
    differs: { ...sweep('LINK', '0'), approval: { above: '1', requesterMayApprove: false } },
    killed: sweep('ETH', '1'),
    core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } },
    misfit: { kind: 'sweep', rules: [{ assets: ['NVDASPV'], contactId: idOf('cold-usdc-polygon') }] },
    float: { kind: 'fund', asset: 'GBP', atLeast: '100', from: [{ asset: 'NVDASPV' }] },
    arrivals: { kind: 'convert-on-arrival', asset: 'COINSPV', into: 'CHF', keep: { target: '5' } },
    payout: { kind: 'convert-and-withdraw', from: 'SPYSPV', into: 'USD', contactId: idOf('house-bank-usd') },
    watched: { kind: 'rebalance', weights: { AAPLSPV: '0.5', TSLASPV: '0.5' }, mode: 'shadow' },
  }
  writeTreasury(policies)
})

function writeTreasury(policies: object): void {
  const treasury = { service: { ...SERVICE, shared: false }, policies }
  write('treasury.json', treasury)
}

const runArgs = (verb: string, policy: string, id: string) => {
  const input = file(`${id}.json`)
  writeFileSync(input, JSON.stringify({ policy }))
  return ['run', verb, '--id', id, '--input', input, ...place(), ...keys()]
}
const moved = async () => [...(await service.orderIds()), ...(await service.withdrawalIds())]

test('a plan is printed with its legs and moves nothing, as JSON too', async () => {
  const known = await moved()
  const { exitCode, stdout, stderr } = await runInProcess(['plan', 'nightly', ...place(), ...keys()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(/legs:\n {2}leg +phase +value in USD/)
  expect(stdout).toContain('all above the 1000 USDT that stay')
  const json = await runInProcess(['plan', 'nightly', '--json', ...place(), ...keys()])
  expect(json).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(json.stdout)).toMatchObject({ policy: 'nightly', legs: [{ request: { assetSymbol: 'USDT' } }] })
  expect(await moved()).toEqual(known)
})

test('a contact that does not take the asset is reported beside the plan, with its place', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['plan', 'misfit', ...place(), ...keys()])
  expect(exitCode).toBe(0)
  expect(stdout).toContain('the contact takes USDC, not NVDASPV')
  expect(stderr).toContain(
    'fail  policy misfit: policies.misfit.rules[0].contactId: "Cold storage USDC" is for USDC, not for NVDASPV',
  )
})

test('a sweep ends settled; the same id gives its report again and moves nothing', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('sweep', 'nightly', 'first'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({
    outcome: 'SETTLED',
    policy: 'nightly',
    tiesOut: true,
    legs: [{ outcome: 'COMPLETED' }],
  })
  expect(stderr).toMatch(/Withdraw +\[1\] sent 49000 USDT/)
  const known = await moved()
  expect(known).toContain(report.legs[0].withdrawal.withdrawalId)
  expect(await runInProcess(['--json', ...runArgs('sweep', 'nightly', 'first')])).toMatchObject({ exitCode: 0, stdout })
  expect(await moved()).toEqual(known)

  const other = await runInProcess(runArgs('sweep', 'killed', 'first'))
  expect(other).toMatchObject({ exitCode: 2, stdout: '' })
  expect(other.stderr).toContain('--id: this id was used for another sweep; it differs in policy')
})

test('a rebalance ends settled, its page is written, and planned again it has no legs', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('rebalance', 'core', 'core-1'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const { outcome, runId, legs, tiesOut } = JSON.parse(stdout)
  expect({ outcome, tiesOut }).toEqual({ outcome: 'SETTLED', tiesOut: true })
  expect(legs.length).toBeGreaterThan(0)
  const { stdout: file } = await runInProcess(['runs', 'report', runId, ...place()])
  const page = readFileSync(file.trim(), 'utf8')
  for (const leg of legs) expect(page).toContain(leg.conversion.orderId)
  const again = await runInProcess(['plan', 'core', '--json', ...place(), ...keys()])
  expect(JSON.parse(again.stdout).legs).toEqual([])
})

test.each([
  ['float', 'rebalance', ['sell-NVDASPV-USD', 'buy-GBP-USD']],
  ['arrivals', 'rebalance', ['sell-COINSPV-USD', 'buy-CHF-USD']],
  ['payout', 'sweep', ['convert-SPYSPV', 'withdraw-USD']],
])('the policy %s is carried out by run %s, leg by leg', async (policy, verb, keys) => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs(verb, policy, `${policy}-1`))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const { outcome, legs, tiesOut } = JSON.parse(stdout) as RunReport
  expect({ outcome, tiesOut }).toEqual({ outcome: 'SETTLED', tiesOut: true })
  expect(legs.map(({ leg }) => leg.key)).toEqual(keys)
})

test('a policy in shadow mode moves nothing and keeps its id free; live, the same id moves once', async () => {
  const known = await moved()
  const run = async () => {
    const { exitCode, stdout } = await runInProcess(runArgs('rebalance', 'watched', 'shadow'))
    return { exitCode, outcome: JSON.parse(stdout).outcome }
  }
  expect(await run()).toEqual({ exitCode: 0, outcome: 'SHADOWED' })
  expect(await run()).toEqual({ exitCode: 0, outcome: 'SHADOWED' })
  expect(await moved()).toEqual(known)
  writeTreasury({ ...policies, watched: { ...policies.watched, mode: 'live' } })
  expect(await run()).toEqual({ exitCode: 0, outcome: 'SETTLED' })
  const carriedOut = await moved()
  expect(carriedOut.length).toBeGreaterThan(known.length)
  expect(await run()).toEqual({ exitCode: 0, outcome: 'SETTLED' })
  expect(await moved()).toEqual(carriedOut)
})

test('a shadow run is entered again live by the person who asked for it, and by nobody else', async () => {
  const known = await moved()
  const run = (by: string) =>
    runInProcess(['run', 'rebalance', 'asked', '--id', 'asked', '--by', by, ...place(), ...keys()])
  const asked = { ...policies.watched, mode: 'shadow' }
  writeTreasury({ ...policies, asked })
  expect(JSON.parse((await run('ada')).stdout)).toMatchObject({ outcome: 'SHADOWED' })
  writeTreasury({ ...policies, asked: { ...asked, mode: 'live' } })
  const others = await run('bob')
  expect(others).toMatchObject({ exitCode: 1, stdout: '' })
  expect(others.stderr).toContain('was asked for by ada (not verified): ask under another id; nothing was started')
  expect(await moved()).toEqual(known)
  expect(JSON.parse((await run('ada')).stdout).outcome).not.toBe('SHADOWED')
})

const person = ['--by', 'ada', '--because', 'as agreed', '--yes']

test('a run above its bound waits with exit 4, and once approved moves what was approved', async () => {
  const known = await moved()
  const waiting = await runInProcess(runArgs('sweep', 'careful', 'careful-1'))
  expect(waiting.exitCode).toBe(4)
  const { outcome, runId, approval } = JSON.parse(waiting.stdout)
  expect(outcome).toBe('AWAITING_APPROVAL')
  expect(waiting.stderr).toContain(`approve ${runId} --because TEXT`)
  expect(await moved()).toEqual(known)

  const approved = await runInProcess(['approve', runId, ...person, ...place(), ...keys()])
  expect({ exitCode: approved.exitCode, stderr: approved.stderr }).toMatchObject({ exitCode: 0 })
  expect(approved.stderr).toContain(`plan hash     ${approval.planHash}`)
  expect(JSON.parse(approved.stdout)).toMatchObject({
    outcome: 'SETTLED',
    approval: { decision: 'approved', by: 'ada (not verified)', planHash: approval.planHash },
  })
  expect(await moved()).toHaveLength(known.length + 1)
  const again = await runInProcess(['approve', runId, ...person, ...place(), ...keys()])
  expect(again).toMatchObject({ exitCode: 0, stdout: approved.stdout })
  const otherwise = await runInProcess(['reject', runId, ...person, ...place()])
  expect(otherwise).toMatchObject({ exitCode: 1, stdout: '' })
  expect(otherwise.stderr).toContain(`run ${runId} is SETTLED: it waits for nobody`)
  expect(await moved()).toHaveLength(known.length + 1)
  expect(await runInProcess(runArgs('sweep', 'careful', 'careful-1'))).toMatchObject({
    exitCode: 0,
    stdout: approved.stdout,
  })
})

test('the proof of an approved run names the approver, and without that record it contradicts itself', async () => {
  const { stdout } = await runInProcess(['proof', 'make', 'careful-1', '--out', '-', ...place(), ...keys()])
  const proof = file('approved.proof')
  const check = async (bytes: Uint8Array | string) => {
    writeFileSync(proof, bytes)
    const { exitCode, stdout: printed } = await runInProcess(['proof', 'check', proof, '--json'])
    return { exitCode, script: byScript(proof).exitCode, ...JSON.parse(printed).statement }
  }
  const shown = await check(stdout)
  expect(shown).toMatchObject({ exitCode: 6, script: 6, contradictions: [] })
  expect(shown.run).toMatchObject({ decisions: [{ decision: 'approved', by: 'ada (not verified)' }] })
  const codesOf = async (change: Change) => {
    const { exitCode, script, contradictions } = await check(await forged(proof, change))
    expect({ exitCode, script }).toEqual({ exitCode: 5, script: 5 })
    return contradictions.map(({ code }: { code: string }) => code)
  }
  // Another record says that people decided on the run at all.
  const decisionRecord = /record D#[^"]*#[0-9a-f]{64}/.exec(stdout)?.[0] ?? ''
  const renamed = await codesOf((parts) => {
    find(parts, decisionRecord).record.words[0].by = 'eve'
  })
  // The record of the signed request names ada.
  expect(renamed).toEqual(['record_broken', 'not_approved'])
  writeFileSync(proof, stdout)
  const unsaid = await codesOf((parts) =>
    rewrite(parts, decisionRecord, (record) => {
      record.words[0].decision = 'rejected'
    }),
  )
  expect(unsaid).toEqual(['not_approved'])
})

test('a proof names no approver where the plan or its leg differs from what was approved', async () => {
  const { stdout } = await runInProcess(['proof', 'make', 'careful-1', '--out', '-', ...place(), ...keys()])
  const proof = file('redirected.proof')
  const shown = async (change: (run: ForgedRun) => void) => {
    writeFileSync(proof, stdout)
    writeFileSync(proof, await forged(proof, (parts) => rewrite(parts, 'record R#', change)))
    const { exitCode, stdout: printed } = await runInProcess(['proof', 'check', proof, '--json'])
    expect({ exitCode, script: byScript(proof).exitCode }).toEqual({ exitCode: 5, script: 5 })
    const { contradictions, run } = JSON.parse(printed).statement
    return { codes: contradictions.map(({ code }: { code: string }) => code).sort(), decisions: run.decisions }
  }
  const more = (leg: ForgedLeg) => ({ ...leg, request: { ...leg.request, amount: '9999', most: '9999' } })
  const otherPlan = await shown((run) => {
    run.plan.legs = run.plan.legs.map(more)
  })
  expect(otherPlan).toEqual({ codes: ['leg_differs', 'plan_differs'], decisions: [] })
  const otherLeg = await shown((run) => {
    for (const leg of run.phases.flatMap(({ legs }) => legs)) leg.leg = more(run.plan.legs[0] as ForgedLeg)
  })
  expect(otherLeg).toEqual({ codes: ['leg_differs'], decisions: [] })
  const otherRules = await shown((run) => {
    run.asPlanned.guards = { total: { largest: '1' } }
  })
  expect(otherRules).toEqual({ codes: ['plan_differs'], decisions: [] })
})

interface ForgedLeg {
  readonly request: object
}

interface ForgedRun {
  readonly plan: { legs: ForgedLeg[] }
  readonly phases: readonly { readonly legs: readonly { leg?: ForgedLeg }[] }[]
  readonly asPlanned: { guards: object }
}

test('a run that a person rejects moves nothing, even when it is entered again', async () => {
  const known = await moved()
  const { stdout } = await runInProcess(runArgs('sweep', 'refused', 'refused-1'))
  const { runId } = JSON.parse(stdout)
  const rejected = await runInProcess(['reject', runId, ...person, ...place()])
  expect(rejected).toMatchObject({ exitCode: 0 })
  expect(await runInProcess(['reject', runId, ...person, ...place()])).toMatchObject({
    exitCode: 0,
    stdout: rejected.stdout,
  })
  const again = await runInProcess(runArgs('sweep', 'refused', 'refused-1'))
  expect({ exitCode: again.exitCode, outcome: JSON.parse(again.stdout).outcome }).toEqual({
    exitCode: 1,
    outcome: 'DISAPPROVED',
  })
  expect(await moved()).toEqual(known)
})

test('approved, and killed after its withdrawal was booked, approving again reports that one movement', async () => {
  await service.control('/balance', { assetSymbol: 'EUR', balance: '500' })
  const { stdout } = await runInProcess(runArgs('sweep', 'careful', 'careful-2'))
  const { runId } = JSON.parse(stdout)
  const known = await moved()
  await service.arrange('/v2/withdrawals', { kind: 'delay', ms: 2_000, when: 'after' })
  const approve = ['approve', runId, ...person, ...place(), ...keys()]
  const approving = startSluice(approve)
  const movement = await service.untilMoved(known)
  approving.child.kill('SIGKILL')
  await approving.ended
  const again = await runInProcess(approve)
  expect({ exitCode: again.exitCode, stderr: again.stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ outcome: 'SETTLED', approval: { decision: 'approved' } },
    legs: [{ withdrawal: { withdrawalId: movement } }],
  })
  expect(await moved()).toEqual([...known, movement])
})

test('killed after its withdrawal was booked, the same command ends as that one movement', async () => {
  const known = await moved()
  await service.arrange('/v2/withdrawals', { kind: 'delay', ms: 2_000, when: 'after' })
  const running = startSluice(runArgs('sweep', 'killed', 'killed-1'))
  const movement = await service.untilMoved(known)
  running.child.kill('SIGKILL')
  await running.ended
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('sweep', 'killed', 'killed-1'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'SETTLED', legs: [{ withdrawal: { withdrawalId: movement } }] })
  expect(await moved()).toEqual([...known, movement])
})

test('the requester of a run cannot approve it where the policy says so, by any command, and another person can', async () => {
  await service.control('/balance', { assetSymbol: 'LINK', balance: '50' })
  const known = await moved()
  const asked = await runInProcess([...runArgs('sweep', 'differs', 'differs'), '--by', 'ana'])
  expect({ exitCode: asked.exitCode, stderr: asked.stderr }).toMatchObject({ exitCode: 4 })
  const { runId, approval } = JSON.parse(asked.stdout)
  expect(approval.requester).toMatchObject({ kind: 'person', by: 'ana (not verified)' })
  const approve = (by: string) =>
    runInProcess(['approve', runId, '--by', by, '--because', 'as agreed', '--yes', ...place(), ...keys()])
  const own = await approve('Ana')
  expect(own.exitCode).toBe(1)
  expect(own.stderr).toContain(
    'ana (not verified) asked for it, and approval.requesterMayApprove is false; another person must approve',
  )
  // When another person runs it again, it remains the run of the first requester.
  const again = await runInProcess([...runArgs('sweep', 'differs', 'differs'), '--by', 'bob'])
  expect(JSON.parse(again.stdout).approval.requester).toMatchObject({ by: 'ana (not verified)' })
  expect(await moved()).toEqual(known)
  const another = await approve('bob')
  expect({ exitCode: another.exitCode, stderr: another.stderr }).toMatchObject({ exitCode: 0 })
  const shown = await runInProcess(['movements', 'show', runId, ...place()])
  expect(shown.stdout).toMatch(
    /approved by bob \(not verified\) at \S+ \(asked for by ana \(not verified\)\): as agreed/,
  )
  const sentences = await runInProcess(['movements', 'show', runId, '--sentences', ...place()])
  expect(sentences.stdout).toContain('It was asked for by ana (not verified).')
  const proof = file('differs.proof')
  expect((await runInProcess(['proof', 'make', runId, '--out', proof, ...place(), ...keys()])).exitCode).toBe(0)
  const checked = await runInProcess(['proof', 'check', proof])
  expect(checked.stdout + checked.stderr).toMatch(/asked for by ana \(not verified\) \(person\) at/)
})
