// A decision of people is carried out by itself once nothing stands against it: after a halt, after a lost start, and by two
// at once. Time is virtual: waits of the state machines advance the service's clock.
import { expect, test } from 'vitest'
import { type LookAgainReport, lookAgainReport } from '../../core/contract/look-again.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { useMachines } from './machines.ts'

const EXPIRES_SECONDS = 7_200
const HALT = { action: 'halt', scope: '*', because: 'an audit' } as const

const machine = useMachines()

async function recordOf(runId: string) {
  const table = journalTable(machine.aws)
  const run = await createRunJournal(table).runs.find(runId)
  table.client.destroy()
  if (run === undefined) throw new Error(`no run ${runId}`)
  return run
}

/** A run that waits for people. Its weights are its own, so that each run has something to move. */
async function waitingRun(
  runId: string,
  [btc, eth]: readonly [string, string],
): Promise<{ readonly planHash: string; readonly run: string }> {
  const approval = { above: '1', expiresAfterSeconds: EXPIRES_SECONDS, priceBoundBps: 500 }
  const policy = { kind: 'rebalance', weights: { BTC: btc, ETH: eth }, approval }
  await end(await begin(runId, { policy }))
  const { outcome, approval: waits } = await recordOf(runId)
  expect(outcome).toBe('AWAITING_APPROVAL')
  return { run: runId, planHash: waits?.planHash ?? '' }
}

async function begin(name: string, input: object): Promise<string> {
  const stateMachine = StateMachine.Rebalance
  return (await machine.aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })).executionArn
}

const end = (executionArn: string) => machine.aws.untilFinished(executionArn)

async function allEnded(): Promise<void> {
  await machine.aws.untilDelivered()
  for (const stateMachine of Object.values(StateMachine)) {
    for (const { executionArn } of machine.aws.listExecutions(stateMachine)) await end(executionArn)
  }
  await machine.aws.untilDelivered()
}

async function look(): Promise<LookAgainReport> {
  return lookAgainReport.parse(JSON.parse(await machine.aws.invokeFunction('sluice-look-again', '{}')))
}

async function halted(): Promise<() => Promise<unknown>> {
  const { resume, throwSwitch } = peopleDoor(machine.aws)
  const { by, at } = await throwSwitch(HALT)
  const halts = [{ scope: '*', by, at, because: HALT.because }]
  return () => resume({ action: 'resume', scope: '*', because: 'it is over', halts })
}

const approve = (asked: { readonly run: string; readonly planHash: string }) =>
  peopleDoor(machine.aws).decide({ ...asked, decision: 'approved', because: 'seen' })

/** Each filled leg is one movement, and nothing else moved since. */
async function expectMovedOnce(runId: string, before: number): Promise<void> {
  const run = await recordOf(runId)
  const results = Object.values(run.results)
  expect(run.outcome).toBe('SETTLED')
  expect(results.length).toBeGreaterThan(0)
  expect(await machine.movements()).toHaveLength(before + results.length)
}

test('approved while everything is halted, it is carried out by itself right after people resume', async () => {
  const before = (await machine.movements()).length
  const waits = await waitingRun('in-halt', ['0.6', '0.4'])
  const resume = await halted()
  expect(await approve(waits)).toMatchObject({ outcome: 'APPROVED', execution: 'in-halt_2' })
  await allEnded()
  expect(await recordOf('in-halt')).toMatchObject({
    outcome: 'AWAITING_APPROVAL',
    approval: { decision: 'approved' },
  })
  // During the halt no further entry is spent on it.
  expect((await look()).entered).toEqual([])
  await resume()
  await allEnded()
  expect(machine.aws.findExecution(StateMachine.Rebalance, 'in-halt_3')).toMatchObject({ status: 'SUCCEEDED' })
  await expectMovedOnce('in-halt', before)
})

test('approved, and the function died before it entered the run: the next look carries it out', async () => {
  const before = (await machine.movements()).length
  const waits = await waitingRun('lost-start', ['0.55', '0.45'])
  machine.hook = ({ operation, functionName, phase }) =>
    operation === 'StartExecution' && functionName === 'sluice-decide' && phase === 'before'
      ? 'kill-function'
      : undefined
  await expect(approve(waits)).rejects.toThrow()
  machine.hook = undefined
  await machine.pass(600_000)
  expect((await look()).entered).toEqual([{ stateMachine: 'sluice-rebalance', execution: 'lost-start_2' }])
  await allEnded()
  await expectMovedOnce('lost-start', before)
})

test('an approved run that two looks and a person enter at once moves once', async () => {
  const before = (await machine.movements()).length
  const waits = await waitingRun('at-once', ['0.5', '0.5'])
  const resume = await halted()
  await approve(waits)
  await allEnded()
  await resume()
  await Promise.allSettled([approve(waits), look(), look(), begin('at-once_7', (await recordOf('at-once')).request)])
  await allEnded()
  await expectMovedOnce('at-once', before)
})

test('a run whose approval has become too old during the halt ends, moves nothing, and says so', async () => {
  const before = (await machine.movements()).length
  const waits = await waitingRun('too-old', ['0.45', '0.55'])
  const resume = await halted()
  await approve(waits)
  for (const _ of [1, 2]) await machine.pass((EXPIRES_SECONDS * 1000) / 2)
  await resume()
  await allEnded()
  expect(await recordOf('too-old')).toMatchObject({
    outcome: 'APPROVAL_VOID',
    why: expect.stringMatching(/^nobody carried it out until /),
  })
  expect(await machine.movements()).toHaveLength(before)
})

test('a plan that nobody approved in time ends by itself', async () => {
  await waitingRun('unheard', ['0.4', '0.6'])
  expect((await look()).entered).toEqual([])
  for (const _ of [1, 2]) await machine.pass((EXPIRES_SECONDS * 1000) / 2)
  expect((await look()).entered).toEqual([{ stateMachine: 'sluice-rebalance', execution: 'unheard_2' }])
  await allEnded()
  expect(await recordOf('unheard')).toMatchObject({
    outcome: 'APPROVAL_VOID',
    why: expect.stringMatching(/^nobody approved it until /),
  })
  expect(await look()).toMatchObject({ outcome: 'NOTHING_OPEN' })
})
