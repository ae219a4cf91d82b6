// The journal is pinned to an account, and schedules start, only after the deployed keys have worked.
import { expect, test } from 'vitest'
import { JOURNAL_FORM } from '../../../../core/contract/records.ts'
import { KeyFault, Transient } from '../../../../core/errors.ts'
import { otherForm } from '../../../../core/journal/table-identity.ts'
import { factsCheck, judgeAccounts, settleAccount } from '../../../../operations/doctor/deployed/accounts.ts'

const read = { prefix: 'svc_test_Read', roles: ['read'], account: 'a-1' }
const trade = { prefix: 'svc_test_Trade', roles: ['trade', 'transfer'], account: 'a-1' }
const silent = { prefix: 'svc_test_Trade', roles: ['trade'] }
const agreed = { account: 'a-1', stage: 'test' }

test('keys of one account agree, with the journal or without one', () => {
  const checks = [{ check: 'account of the keys', status: 'ok', detail: 'a-1 (test)', next: null }]
  expect(judgeAccounts([read, trade], undefined)).toEqual({ checks, agreed })
  expect(judgeAccounts([read, trade], agreed)).toEqual({ checks, agreed })
})

test('a key that may not read its account is named, and delays nothing', () => {
  const { checks, ...rest } = judgeAccounts([read, silent], undefined)
  expect(rest).toEqual({ agreed })
  expect(checks).toMatchObject([{ status: 'warn', detail: expect.stringContaining('svc_test_Trade (trade)') }])
})

test.each([
  ['keys of several accounts', [read, { ...trade, account: 'a-2' }], undefined, 'fail', /svc_test_Trade .* of a-2/],
  ['keys that show no account', [silent], undefined, 'warn', /no key may read/],
  ['keys of another account', [read, trade], { account: 'a-9', stage: 'test' }, 'fail', /journal is of account a-9/],
  ['keys of another stage', [read], { account: 'a-1', stage: 'live' }, 'fail', /a-1 \(live\)$/],
])('%s agree on no account', (_what, keys, pin, status, detail) => {
  expect(judgeAccounts(keys, pin)).toEqual({
    checks: [expect.objectContaining({ status, detail: expect.stringMatching(detail) })],
  })
})

const record = (settle: () => Promise<void>) => ({
  find: () => Promise.reject(new TypeError('not asked again')),
  settle,
})
const never = record(() => Promise.reject(new TypeError('nothing may be written')))
const fresh = { pin: undefined, isVerified: false }
const common = { facts: fresh, agreed, obstacle: undefined, config: undefined, nowMs: 0 }

test('nothing is written where a check failed, or where the journal does not answer', async () => {
  const waits = { status: 'fail', detail: expect.stringMatching(/; schedules wait$/) }
  expect(await settleAccount({ ...common, record: never, obstacle: 'key to trade failed' })).toMatchObject(waits)
  expect(await settleAccount({ ...common, record: never, facts: 'no answer' })).toMatchObject(waits)
})

test('earlier verification stays, whatever fails now', async () => {
  const facts = { pin: agreed, isVerified: true }
  expect(await settleAccount({ ...common, record: never, facts, obstacle: 'two-factor failed' })).toMatchObject({
    status: 'fail',
    detail: 'not verified: two-factor failed; schedules start all the same, as they did',
  })
})

test('keys that work and may not read their account let schedules start', async () => {
  const asked: unknown[] = []
  const kept = { ...never, settle: async (account: unknown) => void asked.push(account) }
  expect(await settleAccount({ ...common, record: kept, agreed: undefined })).toMatchObject({
    status: 'ok',
    detail: 'not known yet, as no key tells it, verified now: schedules start from now on',
  })
  expect(asked).toEqual([undefined])
})

test.each([[new Transient('the journal did not answer')], [new KeyFault('this journal is of account a-9')]])(
  'a write that fails, or that meets the account of another process, is reported: %s',
  async (error) => {
    expect(await settleAccount({ ...common, record: record(() => Promise.reject(error)) })).toMatchObject({
      status: 'fail',
      detail: `not verified: ${error.message}; schedules wait`,
    })
  },
)

test.each([
  [fresh, 'warn', 'not known yet, and no key was verified: schedules wait'],
  [{ pin: agreed, isVerified: true }, 'ok', 'a-1 (test): schedules start'],
  [{ pin: undefined, isVerified: true }, 'ok', 'not known yet, as no key tells it: schedules start'],
  ['no answer', 'warn', 'not known (no answer)'],
  [
    otherForm(JOURNAL_FORM + 1).message,
    'fail',
    `the journal has records of form ${JOURNAL_FORM + 1}, and this release reads form ${JOURNAL_FORM} alone`,
  ],
])('for %j it is reported whether schedules start', (facts, status, detail) => {
  expect(factsCheck(facts, undefined)).toMatchObject({ status, detail })
})
