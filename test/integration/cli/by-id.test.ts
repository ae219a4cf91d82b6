// Tests that records of a journal are found by any id: listed, shown as facts, and as sentences. The journal is real,
// with records as the functions write them, and without executions.
import { randomUUID } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { FOREIGN, IntentKind } from '../../../core/contract/records.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { answeredMove, doneMove, escalateMove, zeroMove } from '../../../core/journal/moves.ts'
import { idMadeOf } from '../../../operations/movements/intent-id.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { armed, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'

/** The id of both an order and a withdrawal. */
const TWIN = 'twin-1'
const LOST_ID = idMadeOf('convert', 'lost')
const ZERO_ID = idMadeOf('convert', 'zero')
const PAID_ID = idMadeOf('withdraw', 'paid')
const reply = { code: 'no_answer', business: false, text: 'no answer \u001b[31m\u202e' }

const { file, place, run, json } = useCommands()
beforeAll(async () => {
  await makeKeptJournal(builtInFolder(file('state')).awsDir, (store) => fill(createJournal(store, randomUUID)))
})

async function fill(journal: Journal): Promise<void> {
  const open = (kind: IntentKind, intentId: string, minute: number, asked: object = {}): Promise<Intent> => {
    const { params, frozen } = kind === IntentKind.Convert ? CONVERSION : WITHDRAWAL
    const createdAt = `2026-01-01T00:0${minute}:00Z`
    const request = { intentId, kind, params: { ...params, ...asked }, frozen, createdAt }
    return journal.open<IntentKind>({ ...request, notAfter: '2026-01-01T00:15:00Z' })
  }
  const arm = async (intent: Intent, orderId: string) => journal.advance(intent, armed(intent, orderId))
  const done = async (intent: Intent, movementId: string) => {
    await journal.claim(intent.kind, movementId, intent.intentId)
    await journal.advance(intent, doneMove(intent, movementId))
  }
  const lost = await arm(await open(IntentKind.Convert, LOST_ID, 1), 'order-1')
  await done(await journal.advance(lost, answeredMove(lost, reply, undefined)), 'order-1')
  const zero = await arm(await open(IntentKind.Convert, ZERO_ID, 2), 'order-2')
  const answered = await journal.advance(zero, answeredMove(zero, reply, undefined))
  await journal.advance(answered, zeroMove(answered, 'EXHAUSTED', 'EXPIRED_OUT', '5 attempts moved nothing'))
  await done(await arm(await open(IntentKind.Withdraw, PAID_ID, 3, { requestId: 'event-7' }), ''), 'w-1')
  await done(await arm(await open(IntentKind.Convert, 'cv-twin', 4), TWIN), TWIN)
  await done(await arm(await open(IntentKind.Withdraw, 'wd-twin', 5), ''), TWIN)
  const stuck = await arm(await open(IntentKind.Withdraw, 'wd-doubt', 6), '')
  const rows = [
    { id: 'w-8', total: '100' },
    { id: 'w-9', total: '100' },
  ]
  await journal.advance(
    stuck,
    escalateMove(stuck, 'NEEDS_ATTENTION', 'new rows that match this withdrawal: 2; that are like it: 0', rows),
  )
  await journal.claim(IntentKind.Withdraw, 'w-foreign', FOREIGN)
  await journal.keepForeign(IntentKind.Withdraw, 'w-foreign', {
    by: 'ada',
    because: 'paid by hand',
    at: '2026-01-01T00:00:00.000Z',
  })
  await journal.claim(IntentKind.Withdraw, 'w-hidden', FOREIGN)
}

test('a conversion whose answer was lost is found by its given id, its order, its execution and its nonce', async () => {
  const arn = `arn:aws:states:us-east-1:123456789012:execution:sluice-convert:${LOST_ID}_2`
  for (const id of ['lost', LOST_ID, `${LOST_ID}_2`, arn, 'order-1']) {
    expect({ id, ...(await json('movements', 'show', id)) }).toMatchObject({
      ...{ kind: 'convert', intentId: LOST_ID, state: 'DONE', movementId: 'order-1', claimedBy: LOST_ID },
      ...{ asked: CONVERSION.params, attempts: 1, executions: [] },
    })
  }
  const { exitCode, stdout, stderr } = await run('movements', 'show', 'lost')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^DONE {2}the service accepted it, exactly once\n/)
  expect(stdout).toMatch(/\n {2}proven +it was found at the service\n/)
  expect(stderr).toContain('npx sluice service orders order-1 ')
  const shown = await run('movements', 'show', 'lost', '--sentences')
  expect(shown.exitCode).toBe(0)
  expect(shown.stdout).toMatch(/^2026-01-01 \(UTC\)\n00:01:00 {2}A conversion was asked for: buy 0\.1 BTC with USDC\./)
  expect(shown.stdout).toContain('Sluice looked at the service and found it: order order-1.')
})

test('text of the service cannot steer the terminal', async () => {
  for (const words of [
    ['movements', 'show', 'lost'],
    ['movements', 'show', 'lost', '--sentences'],
    ['movements', 'show', 'lost', '--json'],
  ]) {
    const { stdout } = await run(...words)
    expect(stdout).toContain('\\u202e')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in the output
    expect(stdout).not.toMatch(/\u001b\[31m|\u202e/)
  }
})

test('a certified zero is shown with exit 1, also by the id of its order, which never existed', async () => {
  const { exitCode, stdout } = await run('movements', 'show', 'order-2')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^EXHAUSTED {2}its attempts or its time are over, and it is certain that nothing moved\n/)
  const { foundAs, facts } = await json('movements', 'show', 'order-2')
  expect(foundAs).toBe('the order of its last attempt')
  expect(facts.at(-1)).toMatchObject({ fact: 'zero', outcome: 'EXPIRED_OUT', evidence: 'looked' })
  const shown = await run('movements', 'show', 'zero', '--sentences')
  expect(shown.exitCode).toBe(1)
  expect(shown.stdout).toContain(
    'the service had no such order. No copy of the request can be accepted any more, so nothing moved.',
  )
})

test('a withdrawal is found by its own id and by the event that asked', async () => {
  expect(await json('movements', 'show', 'w-1')).toMatchObject({
    kind: 'withdraw',
    intentId: PAID_ID,
    movementId: 'w-1',
  })
  expect(await json('movements', 'show', 'event-7')).toMatchObject({
    intentId: PAID_ID,
    foundAs: 'the event that asked for it',
  })
  expect((await run('movements', 'show', 'paid')).stdout).toMatch(
    /\nto +"Treasury" \(account at the service, last changed .*, id c-1\)\n/,
  )
})

test('where an order and a withdrawal share an id, both are named, and --kind selects one', async () => {
  for (const flags of [[], ['--sentences']]) {
    const { exitCode, stdout, stderr } = await run('movements', 'show', TWIN, ...flags)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('the id twin-1 is ambiguous')
    expect(stderr).toContain('convert cv-twin: the id is its order')
    expect(stderr).toContain('withdraw wd-twin: the id is its withdrawal')
    expect(stderr).toMatch(/next: {2}the same command with --kind convert or --kind withdraw\n/)
  }
  expect(await json('movements', 'show', TWIN, '--kind', 'order')).toMatchObject({ intentId: 'cv-twin' })
  expect(await json('movements', 'show', TWIN, '--sentences', '--kind', 'withdrawal')).toMatchObject({
    kind: 'withdraw',
    id: 'wd-twin',
  })
})

test('a withdrawal in doubt is found by its candidates, and needs a person', async () => {
  const { exitCode, stdout, stderr } = await run('movements', 'show', 'w-9')
  expect(exitCode).toBe(3)
  expect(stdout).toContain('candidates:\n  id w-8, total 100\n  id w-9, total 100\n')
  expect(stderr).toContain('npx sluice cases list')
  const shown = await run('movements', 'show', 'wd-doubt', '--sentences')
  expect(shown.exitCode).toBe(3)
  expect(shown.stdout).toContain(
    'A person must decide what it moved: new rows that match this withdrawal: 2; that are like it: 0. Candidates: w-8, w-9.',
  )
})

test('a foreign movement is shown as foreign', async () => {
  const { exitCode, stdout } = await run('movements', 'show', 'w-foreign')
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      "w-foreign (withdraw): ada declared this movement to be somebody else's at 2026-01-01T00:00:00.000Z: paid by hand; no intent of this journal has it\n",
  })
  expect((await run('movements', 'show', 'w-foreign', '--sentences')).exitCode).toBe(0)
})

test("a movement that is claimed for others without a person's decision is shown as such", async () => {
  const { exitCode, stdout } = await run('movements', 'show', 'w-hidden')
  expect({ exitCode, stdout }).toEqual({
    exitCode: 3,
    stdout:
      'w-hidden (withdraw): the journal claims this movement for others, by no word of a person; no intent of this journal has it\n',
  })
})

test('an unknown id is searched everywhere, and the places are named', async () => {
  const { exitCode, stdout, stderr } = await run('movements', 'show', 'no-such-thing')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(
    `the journal in ${file('state')} has no intent, run, execution, order or withdrawal that goes by no-such-thing; all 6 records were searched`,
  )
  expect(stderr).toMatch(/\nnext: {2}npx sluice movements list --state /)
  // It exists, with another kind.
  expect(await run('movements', 'show', 'lost', '--kind', 'withdraw')).toMatchObject({ exitCode: 1, stdout: '' })
  expect(await run('movements', 'show', 'lost', '--sentences', '--kind', 'nonsense')).toMatchObject({
    exitCode: 2,
    stdout: '',
  })
  expect(await run('movements', 'show', '')).toMatchObject({ exitCode: 2, stdout: '' })
})

test('everything is listed, newest first, and a list that is cut off says how to continue', async () => {
  const { asked, hasMore } = await json('movements', 'list')
  expect(hasMore).toBe(false)
  expect(asked.map(({ id }: { id: string }) => id)).toEqual([
    ...['wd-doubt', 'wd-twin', 'cv-twin', PAID_ID, ZERO_ID, LOST_ID],
  ])
  expect(asked[0]).toMatchObject({ kind: 'withdraw', state: 'ESCALATED', outcome: 'NEEDS_ATTENTION' })
  expect(asked[3]).toMatchObject({ requestId: 'event-7', movementId: 'w-1', asked: expect.stringMatching(/^send 100/) })
  const cut = await run('movements', 'list', '--limit', '2', '--kind', 'conversion')
  expect(cut.stderr).toContain('the newest 2; there are more, requested before 2026-01-01T00:02:00Z\n')
  expect(cut.stderr).toContain(
    'npx sluice movements list --kind conversion --limit 2 --before 2026-01-01T00:02:00Z --state ',
  )
  const rest = await json(
    'movements',
    'list',
    '--kind',
    'conversion',
    '--limit',
    '2',
    '--before',
    '2026-01-01T00:02:00Z',
  )
  expect(rest).toMatchObject({ asked: [{ id: LOST_ID }], hasMore: false })
})

test('a list is filtered by kind, outcome and time, and a wrong filter is refused', async () => {
  const idsOf = async (...flags: string[]) =>
    (await json('movements', 'list', ...flags)).asked.map(({ id }: { id: string }) => id)
  expect(await idsOf('--outcome', 'expired-out')).toEqual([ZERO_ID])
  expect(await idsOf('--outcome', 'DONE', '--kind', 'withdraw')).toEqual(['wd-twin', PAID_ID])
  expect(await idsOf('--since', '2026-01-01T00:05:00Z')).toEqual(['wd-doubt', 'wd-twin'])
  expect(await idsOf('--kind', 'run')).toEqual([])
  for (const flags of [
    ['--outcome', 'x'],
    ['--kind', 'x'],
    ['--since', 'x'],
    ['--before', 'x'],
    ['--limit', '0'],
  ]) {
    expect({ flags, ...(await run('movements', 'list', ...flags)) }).toMatchObject({ exitCode: 2, stdout: '' })
  }
})

test('a list fits 80 columns of a terminal, and is CSV with --csv', async () => {
  const { stdout } = await runInProcess(['movements', 'list', ...place()], {}, { isTTY: true, columns: 80 })
  for (const line of stripVTControlCharacters(stdout).split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  const csv = await run('movements', 'list', '--csv', '--columns', 'kind,outcome,movement', '--limit', '1')
  expect(csv.stdout).toBe('kind,outcome,movement\r\nwithdraw,NEEDS_ATTENTION,\r\n')
})
