// Tests a command that only reads, on a state directory in which a conversion was cut off. The key of the command may
// not trade, so a conversion that continued with it would be refused, and certified to have moved nothing.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { ServiceKey } from '../../../core/keys/key-source.ts'
import { idMadeOf } from '../../../operations/movements/intent-id.ts'
import { ownRelease } from '../../../place/context.ts'
import { withWhatMoved } from '../../../place/desk/what-moved.ts'
import { OperationError } from '../../../place/operation-error.ts'
import { writeAccountPin } from '../../../place/state/account-pin.ts'
import { serviceFolder } from '../../../place/state/state-layout.ts'
import { lockState } from '../../../place/state/state-lock.ts'
import { declared } from '../../helpers/declared-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'
import { COMMANDS_TREASURY } from './commands-treasury.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const INTENT = idMadeOf('convert', 'cut-off')

let service: ArrangedService
let stateDir: string
let awsDir: string
beforeAll(async () => {
  service = await startArrangedService('unfinished')
  const { baseUrl, keys } = service.sandbox
  stateDir = path.join(service.dir, 'state')
  awsDir = serviceFolder(stateDir).awsDir
  const prefixes = [keys.readonly, keys.full].map(({ secret }) => new ServiceKey(secret, undefined).prefix)
  writeAccountPin(stateDir, { keys: prefixes, addresses: [baseUrl], newSince: '2020-01-01T00:00:00.000Z' })
  writeFileSync(path.join(service.dir, 'treasury.json'), COMMANDS_TREASURY)
  writeFileSync(path.join(service.dir, 'input.json'), JSON.stringify(request))
  mkdirSync(awsDir, { recursive: true })
  const aws = await declared(
    startEmbeddedAws({
      assemblyDir: inject('assemblyDir'),
      stateDir: awsDir,
      parameters: { ServiceUrl: baseUrl },
      secrets: { 'sluice/service-key': JSON.stringify(keys.full) },
    }),
  )
  await aws.startExecution({ stateMachine: StateMachine.Convert, name: INTENT, input: JSON.stringify(request) })
  // The conversion is cut off in its first state.
  await aws.stop()
})
afterAll(() => service?.stop())

const place = () => ['--state', stateDir, '--config', path.join(service.dir, 'treasury.json')]
const reading = () => service.flags(service.sandbox.keys.readonly)
const tradingFlags = () => service.flags(service.sandbox.keys.full)

/** The files of the conversion, as long as it is unfinished. */
function unfinished(): string[] {
  const dir = path.join(awsDir, 'executions', StateMachine.Convert, 'unfinished')
  return readdirSync(dir).map((file) => readFileSync(path.join(dir, file), 'utf8'))
}

async function movements(): Promise<unknown[]> {
  return ((await service.control('/oracle')) as { movements: unknown[] }).movements
}

test.each([
  ['plan', ['plan', 'core']],
  ['journal audit', ['journal', 'audit']],
])('%s leaves a cut-off conversion where it was, and names the command that continues it', async (_name, words) => {
  const before = unfinished()
  expect(before).toHaveLength(1)
  const { exitCode, stderr } = await runInProcess([...words, ...place(), ...reading()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(unfinished()).toEqual(before)
  expect(stderr).toMatch(
    /found +unfinished executions that this command leaves where they are: 1;.* serve .* --keys FILE /,
  )
  expect(stderr).not.toContain('go on meanwhile')
})

test('where another process has the directory, a conversion under way may move: exit 3', async () => {
  const lock = await lockState({ stateDir, clock: systemClock })
  const failure = new OperationError({
    exitCode: 1,
    code: 'state_in_use',
    message: 'in use; nothing was started',
    next: 'wait',
  })
  const command = { flags: { state: stateDir, service: service.sandbox.baseUrl }, again: { do: 'serve' } as const }
  const context = { clock: systemClock, variables: {} }
  try {
    const reported = await withWhatMoved(failure, { ...command, intentId: INTENT }, context)
    expect(reported).toMatchObject({ exitCode: 3, code: 'in_doubt' })
    expect(reported.message).toBe(`in use\nexecution ${INTENT} is under way or was cut off: it may have moved money`)
    expect(await withWhatMoved(failure, { ...command, intentId: 'cv-another' }, context)).toBe(failure)
  } finally {
    lock.release()
  }
})

test.each([
  ['release 0.0.1', '0.0.1'],
  // Releases before 0.4.0 did not name themselves.
  ['an earlier release', undefined],
])('a conversion of %s is left to that release, in one line, and it moves nothing', async (named, release) => {
  const file = path.join(path.dirname(awsDir), 'release')
  rmSync(file, { force: true })
  if (release !== undefined) writeFileSync(file, release)
  const before = unfinished()
  const { exitCode, stderr } = await runInProcess(['serve', ...place(), ...tradingFlags()])
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`error: executions of ${named} under way: 1; this command is release ${ownRelease()}`)
  expect(unfinished()).toEqual(before)
  expect(await movements()).toEqual([])
  writeFileSync(file, ownRelease())
})

test('the same command continues it afterwards, as one movement', async () => {
  const args = ['run', 'convert', '--id', 'cut-off', '--input', path.join(service.dir, 'input.json')]
  const { exitCode, stdout, stderr } = await runInProcess([...args, ...place(), ...tradingFlags()])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).toContain('an earlier run was cut off: continuing where it stopped')
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED', intentId: INTENT, attempts: 1 })
  expect(unfinished()).toEqual([])
  expect(await movements()).toHaveLength(1)
})
