// A state directory is removed or replaced under a command that has sent. It is then unknown what has moved, and the command
// says so. A person who read "failed, run it again" would send it again.
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const treasury = { service: { url: 'https://api.example.com', stage: 'test' } }

/** Each test has its own service, because a new directory on an account with movements would wait. */
let service: ArrangedService
const file = (name: string) => path.join(service.dir, name)
beforeEach(async () => {
  service = await startArrangedService('removed')
  writeFileSync(file('input.json'), JSON.stringify(request))
  writeFileSync(file('treasury.json'), JSON.stringify(treasury))
})
afterEach(() => service.stop())

async function countMovements(): Promise<number> {
  const { movements } = (await service.control('/oracle')) as { readonly movements: readonly object[] }
  return movements.length
}

test.each([
  ['an id of its own', 'own', ['--id', 'removed'], false],
  ['no id', 'none', [], false],
  ['an id, where another directory stands in its place', 'replaced', ['--id', 'replaced'], true],
])(
  'a run with %s whose directory is removed after its send needs a person: exit 3',
  async (_, name, id, isReplaced) => {
    const ANSWERS_AFTER_MS = 600_000
    await service.control('/rules', {
      match: { method: 'POST', path: '/v2/orders', times: 1 },
      fault: { kind: 'delay', ms: ANSWERS_AFTER_MS, when: 'after' },
    })
    const stateDir = file(name)
    const place = ['--state', stateDir, '--config', file('treasury.json'), ...service.flags()]
    const running = startInProcess(['--json', 'run', 'convert', ...id, '--input', file('input.json'), ...place])
    await expect.poll(countMovements).toBe(1)
    rmSync(stateDir, { recursive: true, maxRetries: 5 })
    if (isReplaced) mkdirSync(path.join(stateDir, 'lock'), { recursive: true })
    const { exitCode, stdout, stderr } = await running.ended
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({
      code: 'in_doubt',
      message: expect.stringContaining(`${stateDir} was removed or replaced while this command used it`),
    })
    expect(`${error.message} ${error.next}`).not.toMatch(/nothing was|same command again|go on with/)
  },
)

test.each(['moved away', 'replaced by a copy of it'])(
  'a serve whose directory is %s stops, so that no two keep the schedules of one account',
  async (way) => {
    const stateDir = file('served')
    const serving = startInProcess(['serve', '--state', stateDir, '--config', file('treasury.json')])
    await serving.firstLine
    const elsewhere = file('elsewhere')
    renameSync(stateDir, elsewhere)
    if (way !== 'moved away') cpSync(elsewhere, stateDir, { recursive: true })
    const { exitCode, stderr } = await serving.ended
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 3 })
    expect(stderr).toContain(`${stateDir} was removed or replaced while this command used it`)
  },
)

test('a serve whose directory is replaced announces itself again', async () => {
  const place = ['--state', file('served'), '--config', file('treasury.json')]
  const serving = startInProcess(['serve', ...place])
  await serving.firstLine
  rmSync(file('served/desk.json'))
  expect(await runInProcess(['halt', '--by', 'ada', ...place])).toMatchObject({ exitCode: 0 })
  expect(await serving.interrupt()).toMatchObject({ exitCode: 0 })
})
