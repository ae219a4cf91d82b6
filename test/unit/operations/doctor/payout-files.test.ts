// The doctor checks that the bucket of payout files keeps versions and sends events.
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { checkOf, payoutFileChecks } from '../../../../operations/doctor/deployed/payout-files.ts'

test.each([
  [true, true, 'ok', /keeps versions, and sends events/],
  [true, false, 'fail', /no events to EventBridge/],
  [false, true, 'fail', /no versions/],
  [false, false, 'fail', /no events to EventBridge/],
])('a bucket with versions %s and events %s is %s', (keepsVersions, sendsEvents, status, detail) => {
  expect(checkOf({ bucket: 'company-payouts', keepsVersions, sendsEvents })).toMatchObject({
    ...{ check: 'payout files company-payouts', status, detail: expect.stringMatching(detail) },
  })
})

test('without payout files AWS is not asked', async () => {
  expect(await payoutFileChecks(parseTreasury('{"service":{"url":"https://service.example","stage":"test"}}'))).toEqual(
    [],
  )
})
