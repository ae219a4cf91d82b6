// Tests `approve --aws`: a run that waits on AWS continues there, through the AWS SDK's own settings, on the embedded
// AWS.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

/** The request contains its policy, because the assembly's treasury.json has no policies. */
const request = {
  policy: { kind: 'rebalance', weights: { BTC: '0.6', ETH: '0.4' }, approval: { above: '1' } },
  trigger: { by: 'call' },
}
const MACHINE = 'sluice-rebalance'

const deployed = deployedAws('approve on AWS')
let config: string
beforeAll(() => {
  const { service } = deployed()
  config = path.join(service.dir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test' } }))
})

/** Enters the run, and returns how that execution ended. */
async function enter(name: string, asked: object = request): Promise<string> {
  const input = JSON.stringify(asked)
  const { executionArn } = await deployed().aws.startExecution({ stateMachine: MACHINE, name, input })
  return outcomeOf(executionArn)
}

const ended = (name: string) => outcomeOf(deployed().aws.findExecution(MACHINE, name)?.executionArn ?? '')
const ADMINISTRATOR = 'arn:aws:iam::123456789012:user/administrator'

async function outcomeOf(executionArn: string): Promise<string> {
  const { output = '{}' } = await deployed().aws.untilFinished(executionArn)
  return JSON.parse(output).outcome
}

const approve = (runId: string, ...more: string[]) => decide('approve', runId, ...more)
const decide = (decision: string, runId: string, ...more: string[]) =>
  runInProcess([...[decision, runId, '--aws', '--config', config, '--because', 'as agreed', '--yes', ...more]])

test('a run that was entered again while it waited continues under the next free name', async () => {
  expect(await enter('month-end')).toBe('AWAITING_APPROVAL')
  expect(await enter('month-end_2')).toBe('AWAITING_APPROVAL')
  expect(await enter('month-end_3')).toBe('AWAITING_APPROVAL')
  const { exitCode, stdout, stderr } = await approve('month-end', '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ runId: 'month-end', outcome: 'APPROVED', by: ADMINISTRATOR })
  const { execution } = JSON.parse(stdout)
  expect(execution).toBe('month-end_4')
  expect(await ended(execution)).toBe('SETTLED')

  const again = await approve('month-end', '--json')
  expect(again.exitCode).toBe(0)
  const approval = { decision: 'approved', by: ADMINISTRATOR, because: 'as agreed' }
  expect(JSON.parse(again.stdout)).toMatchObject({ runId: 'month-end', approval, outcome: 'SETTLED' })
  const ofAnother = await approve('month-end', '--plan-hash', 'another')
  expect(ofAnother).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ofAnother.stderr).toContain('run month-end is SETTLED: it waits for nobody')
})

test('above the value for two, a run continues only after two identities have approved, as AWS identified them', async () => {
  const approval = { above: '1', twoAbove: '1', approvers: ['arn:aws:iam::*:user/a*', 'arn:aws:iam::*:user/b*'] }
  const policy = { ...request.policy, weights: { BTC: '0.4', ETH: '0.6' }, approval }
  expect(await enter('for-two', { ...request, policy })).toBe('AWAITING_APPROVAL')
  deployed().actAs('eve')
  expect(await approve('for-two')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("user/eve is not among the policy's approval.approvers; nothing was recorded"),
  })
  deployed().actAs('ana')
  for (const verb of ['approve', 'reject']) {
    expect(await decide(verb, 'for-two', '--terms-hash', '0'.repeat(64))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--terms-hash: expected none for for-two, which is a run'),
    })
  }
  for (const _ of ['once', 'again']) {
    const one = await approve('for-two', '--json')
    expect(one.exitCode).toBe(4)
    expect(JSON.parse(one.stdout)).toMatchObject({
      outcome: 'WAITS',
      needed: 2,
      approvals: [{ by: expect.stringMatching(/user\/ana$/) }],
    })
  }
  const own = JSON.parse((await approve('for-two', '--json')).stdout)
  expect(own).toMatchObject({ outcome: 'WAITS', before: { by: expect.stringMatching(/user\/ana$/) } })
  expect(await enter('for-two_2', { ...request, policy })).toBe('AWAITING_APPROVAL')
  deployed().actAs('bob')
  const two = await approve('for-two', '--json')
  expect(JSON.parse(two.stdout)).toMatchObject({ outcome: 'APPROVED', execution: 'for-two_3' })
  expect(await ended('for-two_3')).toBe('SETTLED')
})

test('a rejection ends the run in its next execution, and names the person', async () => {
  const policy = { ...request.policy, weights: { BTC: '0.7', ETH: '0.3' } }
  expect(await enter('refused', { ...request, policy })).toBe('AWAITING_APPROVAL')
  deployed().actAs('bob')
  const { exitCode, stdout } = await decide('reject', 'refused', '--json')
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    outcome: 'REJECTED',
    execution: 'refused_2',
  })
  expect(await ended('refused_2')).toBe('DISAPPROVED')
})

test('a given name is refused, because AWS identifies the caller', async () => {
  for (const command of [['approve', 'month-end'], ['halt'], ['resume']]) {
    const result = await runInProcess([...command, '--aws', '--config', config, '--because', 'mine', '--by', 'grace'])
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected none with --aws') })
  }
})

test('halts and resumes are recorded under the identity from AWS, and directly under the given name', async () => {
  const run = (...args: string[]) =>
    runInProcess([...args, '--aws', '--config', config, '--because', 'an audit', '--json'])
  deployed().actAs('ana')
  expect(JSON.parse((await run('halt')).stdout)).toMatchObject({
    scope: '*',
    by: expect.stringMatching(/user\/ana$/),
    halted: true,
  })
  deployed().actAs('bob')
  const resumed = await run('resume')
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    wasHalted: true,
    by: expect.stringMatching(/user\/bob$/),
    stillHalted: [],
  })
  const direct = await run('halt', '--directly', '--by', 'grace')
  expect(JSON.parse(direct.stdout)).toMatchObject({ by: 'grace (not verified)', halted: true })
  const shown = await runInProcess(['cases', 'list', '--aws', '--config', config, '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({ halts: [{ by: 'grace (not verified)' }] })
  const directly = (...args: string[]) =>
    runInProcess([...args, '--directly', '--by', 'grace', '--aws', '--config', config, '--because', 'an audit'])
  for (const words of [['resume'], ['halt'], ['resume', '--all', '--halts', '--yes']]) {
    const { exitCode, stderr } = await directly(...words)
    expect({ words, exitCode, stderr }).toEqual({
      ...{ words, exitCode: 0, stderr: expect.stringContaining('recorded in the name of grace (not verified)') },
    })
  }
})
