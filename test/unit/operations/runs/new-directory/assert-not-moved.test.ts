// The checks of a new directory before an id is run there, with a service on a real socket and a kept journal.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type EmbeddedJournal, startEmbeddedJournal } from '@sluice/embedded-aws'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { IntentState } from '../../../../../core/contract/records.ts'
import { timing } from '../../../../../core/contract/timing.ts'
import { createJournal, type Journal } from '../../../../../core/journal/journal.ts'
import { readError } from '../../../../../core/service/classify.ts'
import {
  assertNotMoved,
  mayHaveMoved,
  type NewDirectory,
} from '../../../../../operations/runs/new-directory/assert-not-moved.ts'
import { testOfConversion, testOfWithdrawal } from '../../../../../operations/runs/new-directory/movement-test.ts'
import { findCandidates, hasMovedElsewhere } from '../../../../../operations/runs/new-directory/unknown-movements.ts'
import { withConnection } from '../../../../../place/service/service-connection.ts'
import { armed, attemptAt, CONVERSION, WITHDRAWAL as OPENED } from '../../../../helpers/intents.ts'
import { makeKeptJournal } from '../../../../helpers/kept-journal.ts'
import { answerJson, type LocalServer, startLocalServer } from '../../../../helpers/local-server.ts'
import { manualClock } from '../../../../helpers/manual-clock.ts'
import { makeKey } from '../../../../helpers/service-keys.ts'
import { ORDER, WITHDRAWAL } from '../../../../integration/client/movement-answers.ts'

const STEPS = { foreign: { do: 'declare-foreign' }, attention: { do: 'list-cases' } } as const

/** Service time. */
const NOW = '2026-03-01T09:00:00.000Z'
/** At this time, every earlier send from elsewhere shows. */
const BORN = '2026-03-01T08:00:00.000Z'
const PAID_AT = '2026-02-26T09:00:00.000Z'

interface Row {
  readonly id: string
  readonly asset?: string
  readonly amount: string
  readonly createdAt?: string
}

/** The account's movements, newest first. */
let withdrawals: readonly Row[]
let orders: readonly object[]
/** Runs before a page of withdrawals is answered. */
let onPage: (page: number) => void
/** Whether the service refuses the key. */
let isRefused: boolean
let service: LocalServer
beforeAll(async () => {
  service = await startLocalServer(({ target }, response) => {
    response.setHeader('date', new Date(NOW).toUTCString())
    const { pathname, searchParams } = new URL(target, 'http://service')
    const page = Number(searchParams.get('page'))
    if (pathname === '/v2/time') return answerJson(response, 200, { time: NOW })
    if (isRefused)
      return answerJson(response, 401, { status: 401, code: 'key_revoked', title: 'The key has been revoked.' })
    if (pathname === '/v2/withdrawals') onPage(page)
    const all = pathname === '/v2/withdrawals' ? withdrawals : pathname === '/v2/orders' ? orders : []
    const limit = Number(searchParams.get('limit'))
    const totalPages = Math.ceil(all.length / limit)
    const pagination = { page, limit, totalItems: all.length, totalPages }
    const rows = all.slice((page - 1) * limit, page * limit)
    const data = pathname === '/v2/withdrawals' ? (rows as Row[]).map(shown) : rows
    answerJson(response, 200, { data, pagination })
  })
})
afterAll(() => service.stop())

function shown({ id, asset = 'USDC', amount, createdAt = PAID_AT }: Row): object {
  const figures = { amount, fee: '0', total: amount }
  const base = { asset, ...figures }
  return { ...WITHDRAWAL, id, subType: 'INTERNAL', createdAt, ...figures, base, withdrawalData: { networkId: null } }
}

let dir: string
let kept: EmbeddedJournal | undefined
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-not-moved-'))
  withdrawals = []
  orders = []
  isRefused = false
  onPage = () => undefined
})
afterEach(async () => {
  await kept?.stop()
  kept = undefined
  rmSync(dir, { recursive: true, force: true })
})

const payout = testOfWithdrawal({ assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' })

/** Asks for a withdrawal of 100 USDC, or another movement, under a new id. `fill` puts records in the journal first. */
async function ask(fill: (journal: Journal) => Promise<unknown> = async () => undefined, test = payout): Promise<void> {
  let stamps = 0
  await makeKeptJournal(dir, (store) => fill(createJournal(store, () => `stamp-${++stamps}`)))
  kept = await startEmbeddedJournal(dir)
  if (kept === undefined) throw new TypeError('the journal was just made')
  const place: NewDirectory = {
    ...{ stateDir: dir, newSince: BORN, url: service.baseUrl, readKey: makeKey().key },
    ...{ journal: kept, timing: timing.parse({}), clock: manualClock(Date.parse(NOW)) },
    ...{ progress: { line: () => undefined, live: () => undefined, end: () => undefined } },
    ...STEPS,
  }
  return assertNotMoved('wd-asked', test, place)
}

/** A withdrawal of 100 USDC that this journal has sent. */
async function sent(journal: Journal, state: IntentState, knownIds: readonly string[] = []): Promise<void> {
  const times = { createdAt: BORN, notAfter: NOW }
  const opened = await journal.open({ ...OPENED, intentId: 'wd-sent', ...times })
  const attempt = {
    ...attemptAt('none'),
    fee: '0',
    since: '2026-02-27T09:00:00.000Z',
    known: knownIds.map((id) => ({ id, at: BORN })),
  }
  const inDoubt = await journal.advance(opened, { state: 'ARMED', attempt })
  if (state !== IntentState.Armed) await journal.advance(inDoubt, { state, why: 'a person is asked' })
}

const othersRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `other-${at}`, asset: 'EURC', amount: '7' }))

test.each([
  ['key_revoked', { name: 'KeyFault' }],
  ['insufficient_scope', true],
])('whether the account is in use is not waited for with a key that is refused: %s', async (code, told) => {
  const problem = { endpoint: 'GET /v2/orders', status: 401, code, isDocument: true, extensions: {} }
  const client = {
    walkOrders: () => {
      throw readError(problem)
    },
  }
  const records = { journal: {} as never, openIntents: async () => [] }
  const found = hasMovedElsewhere(Date.parse(BORN), records, client as never).catch((error: unknown) => error)
  expect(await found).toEqual(told === true ? true : expect.objectContaining(told))
})

test('a command whose key is refused says that it has sent nothing', async () => {
  isRefused = true
  await expect(ask()).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('; this command has sent nothing'),
  })
})

test('an id continues in a new directory of an account with more than 10,000 withdrawals in the 30 days before', async () => {
  withdrawals = othersRows(10_100)
  await ask()
})

test('of 10,101 withdrawals, the possible match for the id is named', async () => {
  withdrawals = [...othersRows(10_100), { id: 'paid', amount: '100' }]
  await expect(ask()).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('withdrawal paid: 100 USDC'),
    next: expect.arrayContaining([{ do: 'declare-foreign' }]),
  })
})

test('a withdrawal is found that the pages hide while others arrive', async () => {
  // The withdrawal is on page 2 while page 1 is read, and on page 1 afterwards. Each such pass adds a row.
  const older = othersRows(150)
  withdrawals = [...older, { id: 'paid', amount: '100' }]
  let passes = 0
  onPage = (page) => {
    if (page !== 2) return
    passes += 1
    if (passes === 1) withdrawals = [{ id: 'paid', amount: '100' }, { id: 'new', asset: 'EURC', amount: '7' }, ...older]
  }
  await expect(ask()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('withdrawal paid') })
})

test('beyond the reading limit, a refusal counts only the movements that it searched', async () => {
  withdrawals = Array.from({ length: 1_500 }, (_, at) => ({ id: `paid-${at}`, amount: '100' }))
  let looks = 0
  const findClaim = async () => {
    looks += 1
    return undefined
  }
  const records = { journal: { find: async () => undefined, findClaim }, openIntents: async () => [] }
  const span = { sinceMs: Date.parse(PAID_AT), untilMs: Date.parse(NOW) }
  const connection = { baseUrl: service.baseUrl, key: makeKey().key, clock: manualClock(Date.parse(NOW)) }
  const candidates = await withConnection(connection, (client) => findCandidates(payout, span, records, client))
  // Claims are read before and after the intents are read.
  expect({ found: candidates.length, looks }).toEqual({ found: 1_000, looks: 2_000 })
  const place = { stateDir: dir, newSince: BORN, ...STEPS }
  expect(mayHaveMoved(candidates, place)).toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/1000 or more may be/),
  })
})

test.each([IntentState.Armed, IntentState.Escalated])(
  'what an own intent that is %s may have made is not offered as foreign: that intent is settled first',
  async (state) => {
    withdrawals = [
      { id: 'own', amount: '100', createdAt: NOW },
      { id: 'paid', amount: '100' },
    ]
    await expect(ask((journal) => sent(journal, state))).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/withdrawal own: 100 USDC.*: it may be the movement of intent wd-sent/),
      next: ['settle intent wd-sent first: ', { do: 'list-cases' }, expect.any(String)],
    })
  },
)

test('an own intent whose record was lost is settled before a movement of its asset is called foreign', async () => {
  withdrawals = [{ id: 'own', amount: '100', createdAt: NOW }]
  const lose = (assetSymbol: string) => (journal: Journal) =>
    journal.open(
      {
        ...{ intentId: 'wd-lost', kind: 'withdraw', params: { assetSymbol }, frozen: {} },
        ...{ createdAt: BORN, notAfter: BORN },
      },
      { state: IntentState.Escalated, why: 'a person is asked' },
    )
  await expect(ask(lose('USDC'))).rejects.toMatchObject({
    exitCode: 3,
    next: ['settle intent wd-lost first: ', { do: 'list-cases' }, expect.any(String)],
  })
  await kept?.stop()
  rmSync(dir, { recursive: true, force: true })
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-not-moved-'))
  await expect(ask(lose('EURC'))).rejects.toMatchObject({ next: expect.arrayContaining([{ do: 'declare-foreign' }]) })
})

test('a movement from before the send of an own intent in doubt does not belong to that intent', async () => {
  withdrawals = [{ id: 'paid', amount: '100', createdAt: NOW }]
  await expect(ask((journal) => sent(journal, IntentState.Escalated, ['paid']))).rejects.toMatchObject({
    exitCode: 3,
    next: expect.arrayContaining([{ do: 'declare-foreign' }]),
  })
})

test('an order that this journal placed belongs to no other id, but an unknown order may', async () => {
  orders = [{ ...ORDER, id: 'order-1', createdAt: NOW }]
  const purchase = testOfConversion({
    ...{ baseAsset: 'AAPLSPV', quoteAsset: 'USD', side: 'BUY', amountAsset: 'AAPLSPV', amount: '2' },
  })
  const place = async (journal: Journal) => {
    const times = { createdAt: BORN, notAfter: NOW }
    const opened = await journal.open({ ...CONVERSION, intentId: 'cv-sent', ...times })
    await journal.advance(opened, armed(opened, 'order-1'))
  }
  await ask(place, purchase)
  orders = [...orders, { ...ORDER, id: 'order-2', createdAt: NOW }]
  await kept?.stop()
  await expect(ask(async () => undefined, purchase)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/1 may be.*order order-2/s),
  })
})
