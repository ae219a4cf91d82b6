// Ensures that a live key never crosses a network without encryption.
import { Refused } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'
import type { Transport } from './http.ts'

/** Throws Refused, before anything is sent, for a live key on an unencrypted address outside this machine. */
export function refuseLiveKeyInTheClear(key: ServiceKey, transport: Transport): void {
  if (transport.isPrivate || !key.prefix.startsWith('svc_live_')) return
  throw new Refused('service address: expected https, as the key is a live one; nothing was sent')
}
