// Starts the purchase of a scheduled time. It does not wait for the end: a rule on the bus of Sluice hears of it.
import { createClient } from '@sluice/client'

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })

interface Tick {
  /** The scheduled time, in UTC, such as 2026-11-30T08:00:00Z. It is the same in each attempt. */
  readonly time: string
  readonly amount: string
}

export async function handler({ time, amount }: Tick): Promise<void> {
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount } as const
  await sluice.convert(request, { id: `weekly-${time.slice(0, 10)}` })
}
