// Ensures that a live key crosses a network only with encryption.
import { Refused } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'
import type { Transport } from './http.ts'

/** @throws Refused, before anything is sent, for a live key where the address is neither https nor on this machine */
export function refuseLiveKeyUnencrypted(key: ServiceKey, transport: Transport): void {
  if (transport.isEncryptedOrLocal || !key.prefix.startsWith('svc_live_')) return
  throw new Refused('service address: expected https, as the key is a live one; nothing was sent')
}
