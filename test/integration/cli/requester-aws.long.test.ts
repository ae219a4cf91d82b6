// `run POLICY --aws`: the called function records the requester of a run, and a policy can require that another person
// approves it. Through the AWS SDK's own settings, on the embedded AWS.
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { idMadeOf } from '../../../operations/movements/intent-id.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const approval = { above: '1', requesterMayApprove: false }
const deployed = deployedAws('requester on AWS', (url) => ({
  service: { url, stage: 'test' },
  policies: {
    core: { kind: 'rebalance', weights: { BTC: '0.6', ETH: '0.4' }, approval },
    tilt: { kind: 'rebalance', weights: { SOL: '0.5', LTC: '0.5' } },
  },
}))
const MACHINE = 'sluice-rebalance'
const config = () => path.join(deployed().service.dir, 'deployed.json')
const onAws = (...args: string[]) => runInProcess([...args, '--aws', '--config', config()])
const ask = (id: string, ...more: string[]) => onAws('run', 'rebalance', 'core', '--id', id, '--json', ...more)
const decide = (verb: string, runId: string) => onAws(verb, runId, '--because', 'as agreed', '--yes', '--json')
const runOf = (id: string) => idMadeOf('rebalance', id)

beforeEach(() => deployed().actAs('ana'))

test('asked twice it is one run, and an id that another person asked for is refused', async () => {
  expect((await ask('twice')).exitCode).toBe(4)
  expect((await ask('twice')).exitCode).toBe(4)
  await decide('reject', runOf('twice'))
  const other = await onAws('run', 'rebalance', 'tilt', '--id', 'twice')
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('this id was used for another') })
})

test('nobody can approve a run that was started without the function, and the error says how to continue', async () => {
  const started = await ask('past', '--directly')
  expect(started.exitCode).toBe(4)
  deployed().actAs('bob')
  const result = await decide('approve', runOf('past'))
  expect(result).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('it has no recorded requester'),
  })
  expect(result.stderr).toContain('ask again with `sluice run` under another id')
  expect((await decide('reject', runOf('past'))).exitCode).toBe(0)
})

test('the requester cannot approve, another person can, and the run names both', async () => {
  const runId = runOf('month-end')
  const asked = await ask('month-end')
  expect(asked.exitCode).toBe(4)
  const requester = { kind: 'person', by: expect.stringMatching(/user\/ana$/) }
  expect(JSON.parse(asked.stdout)).toMatchObject({ runId, approval: { requester } })
  const own = await decide('approve', runId)
  expect(own.exitCode).toBe(1)
  expect(own.stderr).toMatch(/user\/ana asked for it, and .*another person must approve it; nothing was recorded/)
  const shown = await onAws('runs', 'show', runId)
  expect(shown.stdout).toContain('user/ana')
  deployed().actAs('bob')
  const another = await decide('approve', runId)
  expect(JSON.parse(another.stdout)).toMatchObject({ outcome: 'APPROVED', by: expect.stringMatching(/user\/bob$/) })
  const { execution } = JSON.parse(another.stdout)
  await deployed().aws.untilFinished(deployed().aws.findExecution(MACHINE, execution)?.executionArn ?? '')
  const ended = JSON.parse((await onAws('runs', 'show', runId, '--json')).stdout)
  expect(JSON.stringify(ended)).toMatch(/user\/ana.*user\/bob|user\/bob.*user\/ana/)
})

test('a given name is refused, because AWS identifies the caller', async () => {
  const result = await ask('named', '--by', 'grace')
  expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--by: expected none with --aws') })
})
