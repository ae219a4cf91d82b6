// `approve --aws`: a run that waits on AWS goes on there, through the AWS SDK's own settings, on the embedded AWS.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

/** The request brings its policy: the assembly's treasury.json has none. */
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

/** Enters the run, and gives how that execution ended. */
async function enter(name: string): Promise<string> {
  const input = JSON.stringify(request)
  const { executionArn } = await deployed().aws.startExecution({ stateMachine: MACHINE, name, input })
  return outcomeOf(executionArn)
}

async function outcomeOf(executionArn: string): Promise<string> {
  const { output = '{}' } = await deployed().aws.untilFinished(executionArn)
  return JSON.parse(output).outcome
}

const approve = (runId: string, ...more: string[]) =>
  runInProcess([
    ...['approve', runId, '--aws', '--config', config, '--by', 'ada', '--because', 'as agreed', '--yes', ...more],
  ])

test('a run that was entered again while it waited goes on under the next name that is free', async () => {
  expect(await enter('month-end')).toBe('AWAITING_APPROVAL')
  expect(await enter('month-end_2')).toBe('AWAITING_APPROVAL')
  expect(await enter('month-end_3')).toBe('AWAITING_APPROVAL')
  const { exitCode, stdout, stderr } = await approve('month-end', '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { runId, approval, execution } = JSON.parse(stdout)
  expect({ runId, approval }).toMatchObject({ runId: 'month-end', approval: { decision: 'approved', by: 'ada' } })
  expect(execution).toMatch(/:execution:sluice-rebalance:month-end_4$/)
  expect(await outcomeOf(execution)).toBe('SETTLED')

  const again = await approve('month-end', '--json')
  expect(again.exitCode).toBe(0)
  expect(JSON.parse(again.stdout)).toEqual({ runId: 'month-end', approval, outcome: 'SETTLED' })
  const ofAnother = await approve('month-end', '--plan-hash', 'another')
  expect(ofAnother).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ofAnother.stderr).toContain('run month-end is SETTLED: it waits for nobody')
})
