// Hears the ends of conversions on the bus of Sluice, and ends the Tasks that wait for them.
import type { EventBridgeEvent } from 'aws-lambda'
import { type End, keepEnd, reportEnd } from './waits.js'

/** `id`: of the request. It is absent where code, a person or a run started the conversion. */
type Ended = End & { readonly id?: string }

export async function handler({ detail }: EventBridgeEvent<'Conversion Ended', Ended>): Promise<void> {
  const { endedAt, id, result } = detail
  if (id !== undefined) await reportEnd(await keepEnd(id, { endedAt, result }))
}
