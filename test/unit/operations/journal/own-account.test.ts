// A journal is compared with its own account, and with no other.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPinnedAccount } from '../../../../core/journal/pinned-account.ts'
import { assertOwnAccount } from '../../../../operations/journal/own-account.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

const TEST_KEY = 'svc_test_abc'
const keyOf = (account: string | undefined, kid = TEST_KEY) => ({
  accountOfKey: async () => account,
  keyInUse: async () => kid,
})

async function journalOf(account: string) {
  const store = createMemoryStore()
  await createPinnedAccount(store, randomUUID).settle(account, 'test')
  return { store }
}

test.each([
  ['of another account', keyOf('theirs'), /of account theirs \(test\), and the journal is of account ours \(test\)/],
  ['of the other environment', keyOf('ours', 'svc_live_abc'), /of account ours \(live\)/],
  ['of the other environment without a known account', keyOf(undefined, 'svc_live_abc'), /of an account \(live\)/],
])('a key %s is refused, since it would see none of the movements', async (_what, client, message) => {
  const refused = await assertOwnAccount(await journalOf('ours'), client).catch((error: unknown) => error)
  expect(refused).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test.each([
  ['of its account', keyOf('ours')],
  ['that may not read its account', keyOf(undefined)],
])('a key %s may check', async (_what, client) => {
  await expect(assertOwnAccount(await journalOf('ours'), client)).resolves.toBeUndefined()
})

test('a journal that was lost with its account may be checked with any key', async () => {
  await expect(assertOwnAccount({ store: createMemoryStore() }, keyOf('theirs'))).resolves.toBeUndefined()
})
