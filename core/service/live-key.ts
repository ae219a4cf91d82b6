// Owns one guard: nothing made from a live key crosses a network in the clear.
import { Refused } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'
import type { Transport } from './http.ts'

/** Throws Refused, before anything is sent, for a live key on an address that is not private. */
export function refuseLiveKeyInTheClear(key: ServiceKey, transport: Transport): void {
  if (transport.isPrivate || !key.prefix.startsWith('svc_live_')) return
  throw new Refused('service address: expected https, as the key is a live one; nothing was sent')
}
