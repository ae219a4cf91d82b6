// Lists whom a payouts policy may pay, for a template of its files. A contact is listed if the guards allow it, with the assets
// of the policy that can be sent to it. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { PayeeFacts } from '../../core/contract/payee.ts'
import { Refused } from '../../core/errors.ts'
import { payeeOf } from '../../core/movements/withdrawal/payee.ts'
import { routeOf } from '../../core/movements/withdrawal/route.ts'
import { contactFaults } from '../../core/policies/allowances.ts'
import type { Asset } from '../../core/service/assets.ts'
import { findPlace } from '../../place/place.ts'
import { withServiceClient } from '../../place/place-service.ts'
import type { Reader } from '../../place/reader.ts'
import { payeeText } from '../words/request-words.ts'
import { findPayoutsPolicy } from './payout-runs.ts'

export interface TemplatePayee {
  readonly contactId: string
  /** The reference, if it has one, and the alias, as the service has them. */
  readonly labels: readonly string[]
  /** Its labels and its destination in words. */
  readonly says: string
  /** Settled codes, at least one. */
  readonly assets: readonly string[]
}

/** In the service's order. @throws OperationError */
export async function readPayoutTemplate(name: string, { flags, context }: Reader): Promise<readonly TemplatePayee[]> {
  const treasury = await findPlace(flags, context).treasury()
  const policy = findPayoutsPolicy(name, treasury)
  const bounds = [treasury.guards, policy.guards ?? {}]
  return withServiceClient(
    flags,
    context,
    async (client) => {
      const assets = await mapBounded(policy.assets, READS_AT_ONCE, (code) => client.asset(code))
      const contacts = await client.contacts()
      return contacts.flatMap((contact): TemplatePayee[] => {
        const payee = payeeOf(contact)
        const sent = assets.filter((asset) => isSentTo(payee, asset)).map(({ assetSymbol }) => assetSymbol)
        if (sent.length === 0 || contactFaults([], contact.id, bounds).length > 0) return []
        const labels = [contact.reference, contact.alias].filter((label) => label !== null)
        return [{ contactId: contact.id, labels, says: payeeText(contact.id, payee), assets: sent }]
      })
    },
    'assets',
  )
}

function isSentTo(payee: PayeeFacts, asset: Asset): boolean {
  try {
    routeOf(payee, asset)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
