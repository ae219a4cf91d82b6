// A person's word about a withdrawal is accepted only where the rows and the fence allow it.
import { beforeEach, describe, expect, test } from 'vitest'
import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import { Defect, Refused, Transient } from '../../../../core/errors.ts'
import type { OpenWithdrawal } from '../../../../core/journal/intent.ts'
import type { KeyStatement } from '../../../../core/journal/own-key.ts'
import { examineWithdrawal } from '../../../../core/movements/withdrawal/examine-withdrawal.ts'
import type { WithdrawalState } from '../../../../core/service/ports.ts'
import { WITHDRAWAL } from '../../../helpers/intents.ts'

const EXP = Date.parse('2026-01-01T00:00:30Z') / 1000
/** exp, 60 s of leeway and 60 s of visibility. */
const FENCE_MS = Date.parse('2026-01-01T00:02:45Z')

const intent: OpenWithdrawal = {
  ...{ intentId: 'intent-1', kind: 'withdraw', paramsHash: '', version: 3, attemptNumber: 1, state: 'ESCALATED' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' },
  params: { assetSymbol: 'USDC', amount: '100', contactId: 'c-1' },
  frozen: {
    ...WITHDRAWAL.frozen,
    ...{ account: 'a-1', stage: 'test', subTypes: ['EXTERNAL_CRYPTO'], networkId: 'ETH', fee: '1', total: '100' },
  },
  attempt: {
    ...{ owner: 'o', nonce: 'n', kid: 'svc_test_0123456789ab', iat: EXP - 30, exp: EXP, bodySha256: '' },
    fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
    ...{ fee: '1', since: '2025-12-31T00:00:00Z', known: [{ id: 'before', at: '2025-12-31T12:00:00Z' }] },
  },
}
const ROW: WithdrawalState = {
  ...{ id: 'w-1', subType: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'ETH' },
  ...{ amount: '99', fee: '1', total: '100', status: 'COMPLETED', createdAt: '2026-01-01T00:00:01Z' },
  ...{ transactionHash: '0xabc', bankReference: null },
}

/** A row from before the send, and therefore in every complete list. */
const BEFORE: WithdrawalState = { ...ROW, id: 'before', createdAt: '2025-12-31T12:00:00Z' }

let rows: WithdrawalState[]
let lacksBefore: boolean
let claims: Record<string, string>
/** The others of the lane that have sent. */
let beside: readonly OpenWithdrawal[]
let reachedMs: number
let listFault: Error | undefined
let key: { kid: string; account: string | undefined }
beforeEach(() => {
  listFault = undefined
  lacksBefore = false
  key = { kid: 'svc_test_0123456789ab', account: undefined }
  rows = [ROW]
  claims = {}
  beside = []
  reachedMs = FENCE_MS + 1
})

const examine = (
  movementId: string | undefined,
  state: OpenWithdrawal['state'] = 'ESCALATED',
  change: Partial<OpenWithdrawal> = {},
  word?: KeyStatement,
) => {
  const clock = {
    measure: anything,
    ensure: anything,
    nowMs: () => reachedMs,
    reachedMs: () => reachedMs,
    atMostMs: () => reachedMs,
  }
  const service = {
    clock,
    keyInUse: async () => key.kid,
    forgetKeys: () => undefined,
    accountOfKey: async () => key.account,
    listWithdrawals: async () => {
      if (listFault) throw listFault
      return lacksBefore ? rows : [...rows, BEFORE]
    },
    findWithdrawal: async (id: string) => rows.find((row) => row.id === id),
  }
  const journal = { findClaim: async (_: string, id: string) => claims[id] }
  const lanes = { findSenders: async () => beside }
  return examineWithdrawal({ journal, lanes, service, timing: timingSchema.parse({}), ...(word && { word }) })(
    { ...intent, state, ...change },
    movementId,
  )
}
const anything = async () => undefined

test.each(['w-1', undefined])('before the fence no decision is accepted: %s', async (movementId) => {
  reachedMs = FENCE_MS
  await expect(examine(movementId)).rejects.toThrow('until 2026-01-01T00:02:45.000Z a copy of the request may still be')
})

describe('the decision that nothing moved', () => {
  test('is refused while a row matches, or is similar', async () => {
    await expect(examine(undefined)).rejects.toThrow('1 withdrawals that no other intent has claimed may be it: w-1')
    rows = [{ ...ROW, fee: '2', amount: '98' }]
    await expect(examine(undefined)).rejects.toThrow('may be it: w-1')
  })

  test.each(['usdc', 'USDC ', 'USDT'])(
    'is not taken while the list has a row that names the asset %j',
    async (code) => {
      rows = [{ ...ROW, assetSymbol: code }]
      await expect(examine(undefined)).rejects.toThrow('may be it: w-1')
    },
  )

  test('is refused while the intent itself has claimed a row', async () => {
    claims = { 'w-1': 'intent-1' }
    await expect(examine(undefined)).rejects.toThrow('may be it: w-1')
  })

  test('is refused if the rows cannot be read, and the refusal names the possible decisions', async () => {
    listFault = new Defect('GET /v2/withdrawals: more than 10000 items')
    const refused = await examine(undefined).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect((refused as Error).message).toMatch(/GET .v2.withdrawals: more than 10000 items.*--movement ID/)
    await expect(examine(undefined, 'ARMED')).rejects.toThrow('--movement ID')
  })

  test('is refused if the list lacks a row from before the send, or one that was seen since', async () => {
    rows = []
    lacksBefore = true
    await expect(examine(undefined)).rejects.toThrow('lacks before, which is one of them')
    lacksBefore = false
    await expect(examine(undefined)).resolves.toBeUndefined()
    const { attempt } = intent
    const seen = attempt && { ...attempt, seen: [{ id: 'w-1', at: ROW.createdAt }] }
    await expect(examine(undefined, 'ESCALATED', { ...(seen && { attempt: seen }) })).rejects.toThrow('lacks w-1')
  })

  test('is accepted if no row is similar, or each is another intent’s or older', async () => {
    rows = [ROW, { ...ROW, id: 'w-2', amount: '5', total: '6' }]
    claims = { 'w-1': 'intent-2' }
    await expect(examine(undefined)).resolves.toBeUndefined()
  })
})

describe('beside another withdrawal in flight', () => {
  const requested = { ...intent.frozen, amount: '98.3', total: '98.3' }
  const other: OpenWithdrawal = { ...intent, intentId: 'intent-2', state: 'ARMED', frozen: requested }
  const itsRow: WithdrawalState = { ...ROW, id: 'w-2', amount: '97.3', total: '98.3' }

  test('a row that is exactly what the other requested does not keep a person from saying that nothing moved', async () => {
    rows = [itsRow]
    await expect(examine(undefined)).rejects.toThrow('may be it: w-2')
    beside = [other]
    await expect(examine(undefined)).resolves.toBeUndefined()
  })

  test('that row cannot be named as the movement, because the other would then be sent again', async () => {
    rows = [itsRow]
    await expect(examine('w-2')).resolves.toBeUndefined()
    beside = [other]
    await expect(examine('w-2')).rejects.toThrow('w-2 is exactly what intent-2 requested')
  })

  test('a row that is only like both cannot be named while the other is in doubt, and no person decides about it', async () => {
    rows = [{ ...ROW, id: 'cut', amount: '94', total: '95' }]
    beside = [other]
    await expect(examine('cut')).rejects.toThrow('cut may be the movement of intent-2, which is in doubt too')
    beside = [{ ...other, state: 'ESCALATED' }]
    await expect(examine('cut')).resolves.toBeUndefined()
    beside = [{ ...other, state: 'EXHAUSTED' }]
    await expect(examine('cut')).resolves.toBeUndefined()
  })

  test('a row that is exactly this one’s can be named though it is like what the other requested', async () => {
    rows = [ROW]
    beside = [other]
    await expect(examine('w-1')).resolves.toBeUndefined()
  })

  test.each(['ARMED', 'DONE', 'EXHAUSTED'] as const)(
    'nobody can say that nothing moved by a list that lacks a row which the other, %s, has seen',
    async (state) => {
      rows = []
      const attempt = other.attempt && { ...other.attempt, known: [{ id: 'later', at: ROW.createdAt }] }
      beside = [{ ...other, state, ...(attempt && { attempt }) }]
      await expect(examine(undefined)).rejects.toThrow('lacks later, which is one of them')
      rows = [{ ...ROW, id: 'later', amount: '6', total: '7' }]
      await expect(examine(undefined)).resolves.toBeUndefined()
    },
  )

  test('a list that lacks the row of the other counts once that one was sent before this one’s fence', async () => {
    rows = []
    const sentAt = (iat: number) => other.attempt && { ...other.attempt, iat, exp: iat + 30 }
    const settledAt = (iat: number): OpenWithdrawal => {
      const attempt = sentAt(iat)
      return { ...other, state: 'DONE', ref: 'w-2', ...(attempt && { attempt }) }
    }
    beside = [settledAt(FENCE_MS / 1000)]
    await expect(examine(undefined)).rejects.toThrow('lacks w-2, which is one of them')
    beside = [settledAt(FENCE_MS / 1000 + 1)]
    await expect(examine(undefined)).resolves.toBeUndefined()
  })

  test('a row that a list has shown to one who sent after the fence must be there, unless its date is past this list', async () => {
    rows = []
    const shownLater = (at: string): OpenWithdrawal => {
      const iat = FENCE_MS / 1000 + 1
      const attempt = other.attempt && { ...other.attempt, iat, exp: iat + 30, known: [{ id: 'w-1', at }] }
      return { ...other, ...(attempt && { attempt }) }
    }
    beside = [shownLater(ROW.createdAt)]
    await expect(examine(undefined)).rejects.toThrow('lacks w-1, which is one of them')
    beside = [shownLater(new Date(FENCE_MS + 37 * 3_600_000).toISOString())]
    await expect(examine(undefined)).resolves.toBeUndefined()
  })
})

describe('a movement', () => {
  test('is accepted if it matches, or is similar, even among several', async () => {
    await expect(examine('w-1')).resolves.toBeUndefined()
    rows = [
      { ...ROW, fee: '2', amount: '98' },
      { ...ROW, id: 'w-2' },
    ]
    await expect(examine('w-1')).resolves.toBeUndefined()
  })

  test('is accepted if it names another asset, and the service has listed it under the asset', async () => {
    rows = [{ ...ROW, assetSymbol: 'USDT' }]
    await expect(examine('w-1')).rejects.toThrow('is of USDT, not of USDC')
    const evidence = [{ ...ROW, assetSymbol: undefined }]
    await expect(examine('w-1', 'ESCALATED', { evidence })).resolves.toBeUndefined()
  })

  test('a movement that is exactly the requested one is accepted while a list lacks rows', async () => {
    lacksBefore = true
    await expect(examine('w-1', 'ARMED')).resolves.toBeUndefined()
    rows = [{ ...ROW, fee: '2', amount: '98', total: '100.5' }]
    await expect(examine('w-1', 'ARMED')).rejects.toThrow('lacks before')
  })

  test('is refused among several while a step may still settle the intent', async () => {
    await expect(examine('w-1', 'ARMED')).resolves.toBeUndefined()
    rows = [ROW, { ...ROW, id: 'w-2' }]
    await expect(examine('w-1', 'ARMED')).rejects.toThrow('enter it again first')
  })

  test.each<[string, string, Partial<WithdrawalState>, string]>([
    ['does not exist', 'w-9', {}, 'the service has no withdrawal w-9'],
    ['is of another asset', 'w-1', { assetSymbol: 'BTC' }, 'is of BTC, not of USDC'],
    ['was there before the send', 'before', { id: 'before' }, 'was there before the send, or is unlike'],
    ['is of another amount', 'w-1', { amount: '29', total: '30' }, 'is unlike the 100 USDC asked for'],
  ])('that %s is refused', async (_, movementId, change, why) => {
    rows = [{ ...ROW, ...change }]
    await expect(examine(movementId)).rejects.toThrow(why)
  })

  test.each([
    ['too long', new Defect('more than 10000 items')],
    ['never whole', new Transient('the list changes while it is read')],
  ])(
    'is accepted by its id if the list is %s: for a halted intent, and for an armed one only exactly as requested',
    async (_, fault) => {
      listFault = fault
      await expect(examine('w-1')).resolves.toBeUndefined()
      await expect(examine('w-1', 'ARMED')).resolves.toBeUndefined()
      rows = [{ ...ROW, fee: '2', amount: '98', total: '100.5' }]
      await expect(examine('w-1')).resolves.toBeUndefined()
      await expect(examine('w-1', 'ARMED')).rejects.toThrow(fault.message)
      rows = [ROW]
      claims = { 'w-1': 'intent-2' }
      await expect(examine('w-1', 'ARMED')).rejects.toThrow('already claimed by intent intent-2')
    },
  )

  test('a movement that another intent has claimed is refused', async () => {
    claims = { 'w-1': 'intent-2' }
    await expect(examine('w-1')).rejects.toThrow('withdrawal w-1 is already claimed by intent intent-2')
  })
})

describe('with another key than the one that signed', () => {
  test.each(['w-1', undefined])(
    'no decision is accepted unless it is known to belong to the account: %s',
    async (movementId) => {
      rows = movementId === undefined ? [] : [ROW]
      key = { kid: 'svc_test_anotherkey00', account: undefined }
      await expect(examine(movementId)).rejects.toThrow('nothing shows that both are of one account')
      key.account = 'a-2'
      await expect(examine(movementId)).rejects.toThrow('it is of account a-2 (test), not of account a-1 (test)')
      key.account = 'a-1'
      await expect(examine(movementId)).resolves.toBeUndefined()
    },
  )
})

describe('a row that the service named with its yes, different from the request', () => {
  const attempt = { ...(intent.attempt as NonNullable<OpenWithdrawal['attempt']>), accepted: true }
  const named = { ...ROW, amount: '29', total: '30' }
  const halted = { attempt, evidence: [named] }
  beforeEach(() => {
    rows = [named]
  })

  test('may be declared to be the movement', async () => {
    await expect(examine('w-1', 'ESCALATED', halted)).resolves.toBeUndefined()
  })

  test('contradicts the declaration that nothing moved, until another intent or a person has claimed it', async () => {
    await expect(examine(undefined, 'ESCALATED', halted)).rejects.toThrow('may be it: w-1')
    claims = { 'w-1': '(foreign)' }
    await expect(examine(undefined, 'ESCALATED', halted)).resolves.toBeUndefined()
  })

  test('does not count if it existed before the send', async () => {
    const known = ['before', 'w-1'].map((id) => ({ id, at: BEFORE.createdAt }))
    const before = { ...halted, attempt: { ...attempt, known } }
    await expect(examine('w-1', 'ESCALATED', before)).rejects.toThrow('was there before the send')
    await expect(examine(undefined, 'ESCALATED', before)).resolves.toBeUndefined()
  })
})

test('with a key that may not read its account, a person’s declaration that it is the same one lets the rows decide', async () => {
  key = { kid: 'svc_test_newkeynewkey', account: undefined }
  const word = { isSameAccount: true, pinned: { account: 'a-1', stage: 'test' } }
  await expect(examine('w-1')).rejects.toThrow('sluice cases resolve INTENT --same-account')
  await expect(examine('w-1', 'ESCALATED', {}, word)).resolves.toBeUndefined()
  await expect(examine(undefined, 'ESCALATED', {}, word)).rejects.toThrow('may be it: w-1')
  rows = []
  await expect(examine(undefined, 'ESCALATED', {}, word)).resolves.toBeUndefined()
  key.account = 'a-2'
  await expect(examine(undefined, 'ESCALATED', {}, word)).rejects.toThrow('of account a-2 (test), not of account a-1')
})
