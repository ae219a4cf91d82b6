// Buys what an invoice needs, and waits for the end while the function may run. Call it again with the same invoice after
// any error: it is the same purchase.
import { createClient } from '@sluice/client'
import type { Context } from 'aws-lambda'

/** Milliseconds for the answer, before Lambda stops the function. */
const SPARE_MS = 5_000

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })

interface Invoice {
  readonly invoice: string
  readonly amount: string
}

export async function handler({ invoice, amount }: Invoice, context: Context): Promise<object> {
  const purchase = await sluice.convert(
    { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount, maxSlippageBps: 50 },
    { id: `invoice-${invoice}` },
  )
  return purchase.result({ withinMs: Math.max(0, context.getRemainingTimeInMillis() - SPARE_MS) })
}
