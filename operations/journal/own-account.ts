// Checks that the key that reads the service belongs to the journal's account. With another key every movement would be
// missing, and a table could be accepted in which nobody claims what moved. Reads only.
import { stageOf } from '../../core/journal/own-key.ts'
import { findPin } from '../../core/journal/pinned-account.ts'
import { printable } from '../../core/printable.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { RecordAccess } from '../../place/journal/journal-parts.ts'
import { usageError } from '../../place/operation-error.ts'

/**
 * @throws OperationError (exit 2) for a key of another account or environment. A key that may not read its account
 * passes.
 */
export async function assertOwnAccount(
  { store }: Pick<RecordAccess, 'store'>,
  client: Pick<ServiceClient, 'accountOfKey' | 'keyInUse'>,
): Promise<void> {
  const pin = await findPin(store)
  if (pin === undefined) return
  const [account, kid] = await Promise.all([client.accountOfKey(), client.keyInUse()])
  const stage = stageOf(kid)
  if (stage === pin.stage && (account === undefined || account === pin.account)) return
  const theirs = account === undefined ? 'an account' : `account ${printable(account)}`
  throw usageError(
    'usage',
    `the key in use is of ${theirs} (${stage}), and the journal is of account ${printable(pin.account)} (${pin.stage}): what moved there cannot be read with it; nothing was written`,
    'put a key of that account in its place: docs/runbook.md, "The key that looks"',
  )
}
