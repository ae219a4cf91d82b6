// Pays an invoice that is due. The payment's id is the invoice's, so the same event twice is one payment. It does not wait:
// the end comes as an event.
import { createClient } from '@sluice/client'
import type { EventBridgeEvent } from 'aws-lambda'

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })

interface Invoice {
  readonly number: string
  readonly amount: string
  readonly asset: string
  /** The reference of the payee's contact. Live stages need its id (`contactId`). */
  readonly payee: string
}

export async function handler({ detail }: EventBridgeEvent<'Invoice Due', Invoice>): Promise<void> {
  const { number, amount, asset, payee } = detail
  await sluice.withdraw({ assetSymbol: asset, amount, contactReference: payee }, { id: `invoice-${number}` })
}
