// The configuration of the tour fits its sandbox and passes every check.
import { loadParts } from '@sluice/service-sandbox'
import { expect, test } from 'vitest'
import { ARRIVALS, BALANCED, PAYOUT, SEED, tourTreasury } from '../../../../cli/start/tour-policies.ts'
import type { SweepPolicy } from '../../../../core/contract/policies.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'

const { seededContacts } = await loadParts()

const user = parseTreasury(
  JSON.stringify({
    service: { url: 'https://treasury.example.com', stage: 'test', keySecret: 'mine' },
    timing: { attempts: 3 },
    policies: { own: { kind: 'rebalance', weights: { BTC: '1' } } },
  }),
)
const tour = parseTreasury(tourTreasury(user))

test("the tour's configuration is the user's with the tour's policies, and passes the checks", () => {
  expect(Object.keys(tour.policies)).toEqual([BALANCED, PAYOUT, ARRIVALS])
  expect(tour).toMatchObject({
    service: user.service,
    timing: { ...user.timing, pollFirstWaitSeconds: 1 },
  })
})

test('the sweep of the tour goes to a contact of its sandbox, on a network with a fee', () => {
  const { rules } = tour.policies[PAYOUT] as SweepPolicy
  const contact = seededContacts(SEED, 0).find(({ id }) => id === rules[0]?.contactId)
  expect(contact).toMatchObject({ reference: 'exchange-usdc-eth', assetSymbol: 'USDC', networkId: 'ETH' })
})
