// Reads the service's health: GET /v2/health (section "System and public"). Its time is in service-clock.ts.
import * as z from 'zod/mini'
import { text } from './fields.ts'
import type { Reader } from './reader.ts'

const health = z.object({
  /** Open set. `MAINTENANCE` means that every other route answers 503. */
  status: text,
})
export type Health = z.output<typeof health>

/** Works also during maintenance, and without a key. */
export function readHealth(reader: Reader): Promise<Health> {
  return reader.readOpenly({ endpoint: 'GET /v2/health', target: '/v2/health', shape: health })
}
