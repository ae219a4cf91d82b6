import { expect, test } from 'vitest'
import { judgeAccounts, pinCheck, settleAccount } from '../../../../cli/doctor/deployed/accounts.ts'
import { KeyFault, Transient } from '../../../../core/errors.ts'

const read = { prefix: 'svc_test_Read', roles: ['read'], account: 'a-1' }
const trade = { prefix: 'svc_test_Trade', roles: ['trade', 'transfer'], account: 'a-1' }
const silent = { prefix: 'svc_test_Trade', roles: ['trade'] }
const agreed = { account: 'a-1', stage: 'test' }

test('keys of one account agree, with the journal or without one', () => {
  const checks = [{ check: 'account of the keys', status: 'ok', detail: 'a-1 (test)', next: null }]
  expect(judgeAccounts([read, trade], undefined)).toEqual({ checks, agreed })
  expect(judgeAccounts([read, trade], agreed)).toEqual({ checks, agreed })
})

test('a key that may not read its account is named, and is no reason to wait', () => {
  const { checks, ...rest } = judgeAccounts([read, silent], undefined)
  expect(rest).toEqual({ agreed })
  expect(checks).toMatchObject([{ status: 'warn', detail: expect.stringContaining('svc_test_Trade (trade)') }])
})

test.each([
  ['keys of several accounts', [read, { ...trade, account: 'a-2' }], undefined, 'fail', /svc_test_Trade .* of a-2/],
  ['keys that tell no account', [silent], undefined, 'warn', /no key may read/],
  ['keys of another account', [read, trade], { account: 'a-9', stage: 'test' }, 'fail', /journal is of account a-9/],
  ['keys of another stage', [read], { account: 'a-1', stage: 'live' }, 'fail', /a-1 \(live\)$/],
])('%s agree on none', (_what, keys, pin, status, detail) => {
  expect(judgeAccounts(keys, pin)).toEqual({
    checks: [expect.objectContaining({ status, detail: expect.stringMatching(detail) })],
  })
})

const record = (settle: () => Promise<string | undefined>) => ({ find: async () => undefined, settle })
const never = record(() => Promise.reject(new TypeError('nothing may be written')))
const common = { pin: undefined, agreed, obstacle: undefined, config: undefined }

test('nothing is written where a check failed, where the account is not known, or where the journal has one', async () => {
  const waits = { status: 'fail', detail: expect.stringMatching(/; schedules wait$/) }
  expect(await settleAccount({ ...common, record: never, obstacle: 'key to trade failed' })).toMatchObject(waits)
  expect(await settleAccount({ ...common, record: never, agreed: undefined })).toMatchObject(waits)
  expect(await settleAccount({ ...common, record: never, pin: 'no answer' })).toMatchObject(waits)
  expect(await settleAccount({ ...common, record: never, pin: agreed })).toEqual(pinCheck(agreed, undefined))
})

test('a write that fails, or that meets the account of another process, is told', async () => {
  const lost = record(() => Promise.reject(new Transient('the journal did not answer')))
  expect(await settleAccount({ ...common, record: lost })).toMatchObject({
    status: 'fail',
    detail: 'not known yet: the journal did not answer; schedules wait',
  })
  const other = record(() => Promise.reject(new KeyFault('this journal is of account a-9')))
  expect(await settleAccount({ ...common, record: other })).toMatchObject({
    status: 'fail',
    detail: 'this journal is of account a-9',
  })
})
