// `sluice journal audit` reports unclaimed movements once they are old enough, and says what it left open.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, arrangeMovements, type Movements, startArrangedService } from './arranged-service.ts'

let service: ArrangedService
let movements: Movements
let config: string
/** Before everything that moved. */
const since = new Date(systemClock.nowMs() - 86_400_000).toISOString()
beforeAll(async () => {
  service = await startArrangedService('audit')
  movements = await arrangeMovements(service)
  config = path.join(service.dir, 'treasury.json')
  // The text that many tests use, so that its assembly is synthesized once for all of them.
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))
})
afterAll(() => service?.stop())

const audit = (...more: string[]) =>
  runInProcess(['journal', 'audit', ...service.flags(), '--state', `${service.dir}/state`, '--config', config, ...more])

test('unclaimed movements are left alone while they are young, then reported, with exit 5', async () => {
  const young = await audit('--json', '--since', since)
  expect(young.exitCode).toBe(ExitCode.Done)
  const { youngSince, allFrom, ...report } = JSON.parse(young.stdout)
  expect(report).toMatchObject({ outcome: 'TIES_OUT', findings: [] })
  const lagMs = Date.parse(allFrom) - Date.parse(youngSince)
  expect(lagMs / 2).toBeGreaterThan(15 * 60_000)

  await service.control('/clock', { advanceMs: 3_600_000 })
  const { exitCode, stdout, stderr } = await audit()
  expect(exitCode).toBe(ExitCode.DoesNotTieOut)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain(`unclaimed_movement  no intent claims order ${movements.orderId}`)
  expect(lines[1]).toContain(`unclaimed_movement  no intent claims withdrawal ${movements.withdrawalId}`)
  expect(stderr).toContain('FINDINGS  1 orders, 1 withdrawals')
  expect(stderr).toMatch(/; 1 fills were read\n/)
  expect(stderr).toContain('docs/runbook.md')
  expect(stderr).toContain(`--service ${service.sandbox.baseUrl} --keys `)

  const next = await audit()
  // Nothing new is found, and nobody has settled what was.
  expect([next.exitCode, next.stdout]).toEqual([ExitCode.DoesNotTieOut, ''])
  for (const id of [movements.orderId, movements.withdrawalId])
    expect(next.stderr).toMatch(new RegExp(`still open: unclaimed_movement.*${id}`))
})

test('young movements are reported before the verdict, with the time when they are judged', async () => {
  const young = new Date(systemClock.nowMs() + 3_600_000 - 60_000).toISOString()
  const { exitCode, stderr } = await audit('--since', young)
  expect(exitCode).toBe(ExitCode.Done)
  const [first, verdict] = stderr.split('\n').filter((line) => /not judged|TIES_OUT/.test(line))
  expect(first).toMatch(
    /^not judged: what moved after (\S+Z) is too young: an audit from (\S+Z) on judges all that has moved by now$/,
  )
  expect(verdict).toMatch(/^TIES_OUT {2}nothing that moved after \S+ is old enough to be judged; \d+ intents? checked$/)

  const whole = await audit('--since', since)
  expect(whole.exitCode).toBe(ExitCode.DoesNotTieOut)
  expect(whole.stderr).toContain('FINDINGS  1 orders, 1 withdrawals, ')
  expect(whole.stderr).toContain(` after ${since} through `)
})

test('a wrong time is named, with the correct command', async () => {
  const { exitCode, stderr } = await audit('--since', 'yesterday')
  expect(exitCode).toBe(ExitCode.Usage)
  expect(stderr).toContain('--since: expected an ISO-8601 time')
})

test('a service that stops answering reads says that nothing was recorded', async () => {
  const rule = {
    match: { path: '/v2/fills', times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' },
  }
  await service.control('/rules', rule)
  const { exitCode, stdout, stderr } = await audit('--json', '--since', since)
  expect([exitCode, stdout]).toEqual([ExitCode.Failed, ''])
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'refused', next: expect.stringContaining('nothing was recorded') },
  })
})
