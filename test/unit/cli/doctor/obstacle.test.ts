// Only faults of the keys and the journal keep the doctor from its conversion.
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { obstacleIn } from '../../../../operations/doctor/after-deploy/after-deploy.ts'
import { fail, ok, warn } from '../../../../operations/doctor/check.ts'

const service = { url: 'https://service.example', stage: 'test' }
const sweep = { kind: 'sweep', rules: [{ assets: ['ETH'], contactId: 'contact-1' }] }
const converting = parseTreasury(JSON.stringify({ service }))
const withdrawing = parseTreasury(JSON.stringify({ service, policies: { sweep } }))
const noTransferKey = warn('key to transfer', 'there is none', 'put one')

test('a failure of the keys or the journal is an obstacle, and no other failure is', () => {
  const keys = [ok('key to read', 'is there')]
  const resources = [fail('alarms', 'none', 'deploy')]
  expect(obstacleIn({ keys, resources }, converting)).toBeUndefined()
  const failed = {
    keys: [...keys, fail('two-factor', 'off', 'on')],
    resources: [fail('journal table', 'gone', 'find')],
  }
  expect(obstacleIn(failed, converting)).toBe('journal table, two-factor failed')
})

test('a key to transfer is needed where a policy withdraws', () => {
  expect(obstacleIn({ keys: [noTransferKey], resources: [] }, converting)).toBeUndefined()
  expect(obstacleIn({ keys: [noTransferKey], resources: [] }, withdrawing)).toBe('key to transfer failed')
})
