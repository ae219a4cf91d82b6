// Asks for the purchase of an order by an event on the bus of Sluice, and keeps the token of the Task that waits for it. The
// order's id is the movement's, so the event may be put twice.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { keepToken, reportEnd } from './waits.js'

const events = new EventBridgeClient({})

/** The Task tries again after this error. */
class BusRefused extends Error {
  override readonly name = 'BusRefused'
}

interface Asked {
  readonly order: string
  readonly amount: string
  readonly token: string
}

export async function handler({ order, amount, token }: Asked): Promise<void> {
  const waits = await keepToken(order, token)
  // An earlier execution may have bought for this order already, and its end may be here.
  if (waits.end !== undefined) return reportEnd(waits)
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount, maxSlippageBps: 50 }
  const entry = {
    EventBusName: process.env.SLUICE_BUS,
    Source: 'example-orders',
    DetailType: 'Conversion Requested',
    Detail: JSON.stringify({ version: 1, id: order, request }),
  }
  const { Entries = [] } = await events.send(new PutEventsCommand({ Entries: [entry] }))
  const code = Entries[0]?.ErrorCode
  if (code !== undefined) throw new BusRefused(`the bus refused the request: ${code}`)
}
