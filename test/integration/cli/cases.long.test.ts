// People decide, from the shell: cases are listed with their evidence, a decision that the evidence contradicts is refused,
// and a halt stops sending.
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }

const { service, place, keys, file, write } = useCommandsBeside({ service: { ...SERVICE, shared: true }, timing })
beforeAll(async () => {
  write('send.json', send)
})

const runArgs = (id: string) => [
  ...['run', 'withdraw', '--id', id, '--input', file('send.json')],
  ...place(),
  ...keys(),
]
const resolve = (intentId: string, ...flags: string[]) =>
  runInProcess([
    'cases',
    'resolve',
    intentId,
    '--by',
    'ada',
    '--because',
    'seen in the dashboard',
    ...flags,
    ...place(),
    ...keys(),
  ])

test('where nothing ever ran there is no journal, which is reported', async () => {
  const { exitCode, stderr } = await runInProcess(['cases', 'list', ...place()])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('keeps no runs against')
})

test('a withdrawal that a person must find is listed with its candidate, and ends as that movement', async () => {
  await service.arrange('/v2/withdrawals', { kind: 'dropAfterCommit' })
  const halted = await runInProcess(runArgs('halted'))
  expect(halted.exitCode).toBe(3)
  const { intentId } = JSON.parse(halted.stdout)
  const [movementId] = await service.withdrawalIds()

  const listed = await runInProcess(['cases', 'list', '--json', ...place()])
  expect(listed).toMatchObject({ exitCode: 3, stderr: '' })
  expect(JSON.parse(listed.stdout)).toMatchObject({
    intents: [
      {
        ...{ intentId, kind: 'withdraw', state: 'ESCALATED', attempt: 1 },
        params: send,
        candidates: [{ id: movementId, total: '100', status: 'COMPLETED' }],
        window: { since: expect.any(String), until: expect.any(String) },
        nonce: expect.any(String),
      },
    ],
  })
  const shown = await runInProcess(['cases', 'list', ...place()])
  expect(shown.stdout).toContain(`candidate  ${movementId}  subType INTERNAL`)

  const none = await resolve(intentId, '--none', '--yes')
  expect(none).toMatchObject({ exitCode: 1, stdout: '' })
  expect(none.stderr).toContain(`may be it: ${movementId}; nothing was recorded`)
  const other = await resolve(intentId, '--movement', 'no-such-id', '--yes')
  expect(other.stderr).toContain('the service has no withdrawal no-such-id; nothing was recorded')
  const silent = await resolve(intentId, '--movement', String(movementId))
  expect(silent.exitCode).toBe(2)
  expect(silent.stderr).toContain(`--yes: expected consent to settle intent ${intentId}`)

  const resolved = await resolve(intentId, '--movement', String(movementId), '--yes')
  expect(resolved).toMatchObject({ exitCode: 0, stdout: `${intentId} is DONE with movement ${movementId}\n` })
  expect(await runInProcess(['cases', 'list', ...place()])).toMatchObject({ exitCode: 0, stdout: '' })
  const again = await runInProcess(runArgs('halted'))
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'COMPLETED', withdrawalId: movementId })
  expect(await service.withdrawalIds()).toEqual([movementId])
  const late = await resolve(intentId, '--none', '--yes')
  expect(late.stderr).toContain('is DONE: nothing is in doubt about it')
})

test('a row that a person declares foreign no longer prevents the decision that nothing moved', async () => {
  const known = await service.withdrawalIds()
  await service.arrange('/v2/withdrawals', { kind: 'dropAfterCommit' })
  const { intentId } = JSON.parse((await runInProcess(runArgs('by-hand'))).stdout)
  const movementId = (await service.withdrawalIds()).find((id) => !known.includes(id))
  const foreign = (id: string, ...flags: string[]) =>
    runInProcess(['cases', 'foreign', id, '--by', 'ada', '--because', 'paid by hand', ...flags, ...place(), ...keys()])

  expect(await foreign('no-such-id', '--yes')).toMatchObject({ exitCode: 1, stdout: '' })
  const unnamed = await foreign(String(movementId), '--yes')
  expect(unnamed).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unnamed.stderr).toContain(`may be the movement of intent ${intentId}`)
  expect(unnamed.stderr).toContain(`--not-of ${intentId}; nothing was recorded`)
  const named = ['--not-of', intentId]
  const silent = await foreign(String(movementId), ...named)
  expect(silent.exitCode).toBe(2)
  expect(silent.stderr).toContain(`though it may be the movement of ${intentId}`)
  expect((await resolve(intentId, '--none', '--yes')).exitCode).toBe(1)

  expect(await foreign(String(movementId), ...named, '--yes')).toMatchObject({ exitCode: 0 })
  expect(await foreign(String(movementId), ...named, '--yes')).toMatchObject({ exitCode: 0 })
  const late = await resolve(intentId, '--movement', String(movementId), '--yes')
  expect(late.stderr).toContain('is already claimed by intent (foreign)')
  expect(await resolve(intentId, '--none', '--yes')).toMatchObject({ exitCode: 0, stdout: `${intentId} is REJECTED\n` })
})

test('while sending is halted a withdrawal waits its turn, also after it was interrupted', async () => {
  const known = await service.withdrawalIds()
  const halt = await runInProcess(['halt', '--by', 'ada', '--because', 'an audit', ...place()])
  expect(halt).toMatchObject({ exitCode: 0, stdout: 'halted: everything\n' })
  const waiting = startSluice(runArgs('waits'))
  await waiting.seen(/Withdraw +waits its turn: sending is halted by ada \(not verified\) since .*: an audit/)
  waiting.child.kill('SIGINT')
  expect(await waiting.ended).toMatchObject({ exitCode: 130 })
  expect(await service.withdrawalIds()).toEqual(known)
  const resumed = await runInProcess(['resume', '--by', 'ada', '--json', ...place()])
  expect(JSON.parse(resumed.stdout)).toMatchObject({ scope: '*', halted: false, by: 'ada (not verified)' })
})
