// Tests a plan that people approve or leave during a halt, at a desk without `serve`. The resume carries out what
// people decided.
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const { service, desk, file, write } = useCommandsBeside()
beforeAll(async () => {
  const asks = (weights: object) => ({ kind: 'rebalance', weights, approval: { above: '1' } })
  const policies = { core: asks({ BTC: '0.6', USDC: '0.4' }), other: asks({ ETH: '0.5', EUR: '0.5' }) }
  const treasury = { service: { ...SERVICE, shared: false }, policies }
  write('treasury.json', treasury)
})

const sluice = (...args: string[]) => runInProcess([...args, ...desk(), ...['--service', service.baseUrl]])
const withKeys = (...args: string[]) => sluice(...args, '--keys', file('keys.json'))
const outcomeOf = async (runId: string) => JSON.parse((await sluice('runs', 'show', runId, '--json')).stdout).outcome
const WORD = ['--because', 'seen', '--by', 'ada']

/** A run that was approved while everything is halted. */
async function approvedInHalt(policy: string): Promise<string> {
  const planned = await withKeys('run', 'rebalance', policy, '--id', policy, '--json')
  expect(planned.exitCode).toBe(4)
  const { runId } = JSON.parse(planned.stdout) as { runId: string }
  await sluice('halt', ...WORD)
  const approved = await withKeys('approve', runId, ...WORD, '--yes')
  expect(approved.stdout).toContain('AWAITING_APPROVAL')
  expect(approved.stderr).toContain('the approval is recorded')
  expect(await outcomeOf(runId)).toBe('AWAITING_APPROVAL')
  return runId
}

test('the resume carries out a plan that was approved during the halt, once', async () => {
  const known = await service.orderIds()
  const runId = await approvedInHalt('core')
  expect(await service.orderIds()).toEqual(known)
  const { stderr } = await sluice('cases', 'list')
  expect(stderr).toContain(
    `run ${runId} of policy core was approved, and waits: sending is halted (everything), by ada`,
  )
  // The keys come from the environment: a resume takes none itself.
  const resumed = await runInProcess(['resume', ...WORD, ...desk()], {
    SLUICE_SERVICE: service.baseUrl,
    SLUICE_KEYS: file('keys.json'),
  })
  expect(resumed.stdout).toContain('resumed: everything')
  expect(resumed.stderr).toContain(`(${runId}), which people decided on during the halt, ended: settled`)
  expect(resumed.exitCode).toBe(0)
  expect(await outcomeOf(runId)).toBe('SETTLED')
  const moved = (await service.orderIds()).length - known.length
  const again = await withKeys('approve', runId, ...WORD, '--yes')
  expect(again.stdout).toContain('SETTLED')
  expect((await service.orderIds()).length - known.length).toBe(moved)
})

test('a resume without keys names the command that carries it out, and that command does', async () => {
  const runId = await approvedInHalt('other')
  const resumed = await sluice('resume', ...WORD)
  expect(resumed.stdout).toContain('resumed: everything')
  expect(resumed.stderr).toContain(`(${runId}), which people decided on during the halt, did not continue`)
  expect(resumed.stderr).toContain(`cases again ${runId}`)
  expect(await outcomeOf(runId)).toBe('AWAITING_APPROVAL')
  expect((await withKeys('cases', 'again', runId)).stdout).toContain('SETTLED')
  expect(await outcomeOf(runId)).toBe('SETTLED')
})
