// Tests the effects of a missing permission, of a function or of a state machine.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointCall } from '@sluice/embedded-aws'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { StateMachine } from '../../core/contract/states.ts'
import { settingsOfAws } from '../helpers/aws-settings.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { startMachines } from '../helpers/running-machines.ts'
import { runInProcess } from '../unit/cli/run-in-process.ts'
import { useMachines } from './machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const DENIED = { errorType: 'AccessDeniedException', status: 400 }

const machine = useMachines()

/** From now on the journal refuses this operation to this function. */
function deny(functionName: string, operation: string, phase: EndpointCall['phase'] = 'before'): void {
  machine.hook = (call) =>
    call.functionName === functionName && call.operation === operation && call.phase === phase ? DENIED : undefined
}

/** The command line on this AWS, for one test. */
function cli() {
  const { endpointUrl, region, credentials } = machine.aws
  settingsOfAws(endpointUrl, { region, credentials })
  onTestFinished(() => void vi.unstubAllEnvs())
  const config = join(machine.stateDir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: machine.sandbox.baseUrl, stage: 'test' } }))
  return (...words: string[]) => runInProcess([...words, '--aws', '--json', '--config', config])
}

test.each([
  ['sluice-quote', 'PutItem'],
  ['sluice-order', 'GetItem'],
  ['sluice-order', 'PutItem'],
])(
  'a conversion whose function %s lacks dynamodb:%s fails as OWN_FAULT, and continues once it has it',
  async (name, operation) => {
    const id = `denied-${name}-${operation}`
    const movedBefore = (await machine.movements()).length
    deny(name, operation)
    // Its time is longer than the waits, of about 23 minutes each.
    const request = { ...BUY, notAfter: new Date(Date.now() + 10 * 86_400_000).toISOString() }
    const { status, error, report } = await machine.run(id, request)
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'OWN_FAULT' })
    expect(report).toMatchObject({ outcome: 'OWN_FAULT', intentId: id })
    expect(report.why).toMatch(/^nothing is sent until that is put right; .*OwnFault: .*\(AccessDeniedException\)$/)
    expect(await machine.movements()).toHaveLength(movedBefore)

    machine.hook = undefined
    const { report: filled } = await machine.run(`${id}_2`, request)
    expect(filled).toMatchObject({ outcome: 'FILLED', intentId: id })
    expect((await machine.movements()).slice(movedBefore).map(({ orderId }) => orderId)).toEqual([filled.orderId])
  },
)

test('attention lists an intent that a fault kept out of the journal, and again starts it once', async () => {
  const give = cli()
  const unopened = async () => JSON.parse((await give('cases', 'list')).stdout).unopened

  const movedBefore = (await machine.movements()).length
  deny('sluice-quote', 'PutItem')
  expect((await machine.run('kept-out', BUY)).error).toBe('OWN_FAULT')
  machine.hook = undefined
  expect(await unopened()).toMatchObject([{ intentId: 'kept-out', kind: 'convert' }])
  const entered = await give('cases', 'again', 'kept-out')
  expect(entered).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(entered.stdout).entered).toMatchObject([{ id: 'kept-out', was: 'not begun', outcome: 'FILLED' }])
  expect(await unopened()).toEqual([])
  expect(await give('cases', 'again', 'kept-out')).toMatchObject({ exitCode: 0 })
  expect(await machine.movements()).toHaveLength(movedBefore + 1)
})

test('an execution whose key is revoked before its first record is shown under its own id', async () => {
  const give = cli()
  await machine.control('/rules', {
    match: { method: 'GET', path: '/v2/markets/BTC-USDC/price', times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 401, code: 'key_revoked' },
  })
  expect((await machine.run('revoked', { ...BUY, maxSlippageBps: 100 })).error).toBe('OWN_FAULT')
  await machine.clearRules()

  for (const noun of ['movements', 'runs']) {
    const { exitCode, stdout } = await give(noun, 'show', 'revoked')
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ kind: 'convert', id: 'revoked', asked: 'buy BTC with 250 USDC', state: 'NOT_BEGUN', needsPerson: true },
      why: expect.stringContaining('401 key_revoked'),
      executions: [{ name: 'revoked', status: 'FAILED', error: 'OWN_FAULT' }],
    })
  }
  const { sentences } = JSON.parse((await give('movements', 'show', 'revoked', '--sentences')).stdout)
  expect(sentences.at(-1).sentence).toContain('Nothing has moved')
  const rowsOf = async (...words: string[]) => JSON.parse((await give('movements', 'list', ...words)).stdout).asked
  expect(await rowsOf('--outcome', 'not-begun')).toMatchObject([{ id: 'revoked', kind: 'convert' }])
  expect(await rowsOf('--kind', 'withdraw')).toEqual([])
  expect(JSON.parse((await give('cases', 'list')).stdout).unopened).toMatchObject([{ intentId: 'revoked' }])
  expect(await give('movements', 'show', 'unknown')).toMatchObject({ exitCode: 1, stdout: '' })
  expect(await give('proof', 'make', 'revoked')).toMatchObject({ exitCode: 1, stdout: '' })
})

test('a run that a fault kept out of the journal is listed, and has a page under its own id', async () => {
  const give = cli()
  machine.hook = ({ operation }) => (operation === 'PutItem' ? DENIED : undefined)
  const named = { stateMachine: StateMachine.Rebalance, name: 'kept-out-run' }
  const input = JSON.stringify({ policy: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } } })
  const { executionArn } = await machine.aws.startExecution({ ...named, input })
  expect((await machine.aws.untilFinished(executionArn)).status).toBe('FAILED')
  machine.hook = undefined
  const { runs } = JSON.parse((await give('runs', 'list')).stdout)
  expect(runs).toMatchObject([{ runId: 'kept-out-run', outcome: 'NOT_BEGUN' }])
  expect(JSON.parse((await give('runs', 'list', '--policy', 'core')).stdout || '{}').runs ?? []).toEqual([])
})

test('a permission that is lost after the send leaves a doubt, and no second order', async () => {
  const movedBefore = (await machine.movements()).length
  let isSent = false
  await machine.control('/rules', {
    match: { method: 'POST', path: '/v2/orders', times: 1 },
    fault: { kind: 'dropAfterCommit' },
  })
  machine.hook = ({ functionName, operation, phase, body }) => {
    if (functionName !== 'sluice-order') return undefined
    if (isSent) return DENIED
    isSent = operation === 'PutItem' && phase === 'after' && JSON.stringify(body).includes('"ARMED"')
    return undefined
  }
  const { error, report } = await machine.run('lost-permission', BUY)
  expect(isSent).toBe(true)
  expect(error).toBe('NEEDS_ATTENTION')
  expect(report.why).toContain('AccessDeniedException')
  machine.hook = undefined
  const { report: found } = await machine.run('lost-permission_2', BUY)
  expect(found).toMatchObject({ outcome: 'FILLED' })
  expect((await machine.movements()).slice(movedBefore).map(({ orderId }) => orderId)).toEqual([found.orderId])
})

test('a machine that may not call a function fails as OWN_FAULT', async () => {
  const folder = temporaryFolder()
  cpSync(inject('assemblyDir'), folder, { recursive: true })
  const file = join(folder, 'SluiceWorkflow.template.json')
  const { Resources: resources, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  const [policy] = Object.keys(resources).filter((name) => name.startsWith('ConvertRoleDefaultPolicy'))
  const [invoke] = resources[policy ?? ''].Properties.PolicyDocument.Statement
  expect(invoke.Action).toBe('lambda:InvokeFunction')
  invoke.Resource = invoke.Resource.filter((arn: unknown) => !JSON.stringify(arn).includes('OrderFunction'))
  writeFileSync(file, JSON.stringify({ ...rest, Resources: resources }))
  const denied = await startMachines(folder)
  onTestFinished(() => denied.stop())

  const { error, report } = await denied.run('never-called', BUY)
  expect(error).toBe('OWN_FAULT')
  expect(report.why).toContain('AccessDeniedException')
  expect(denied.statesOf('never-called')).toEqual(['Quote', 'Order', 'Conclude', 'ConcludeOutcome', 'OwnFault'])
  expect(await denied.movements()).toEqual([])
})
