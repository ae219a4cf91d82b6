// Seals records with a code (HMAC, RFC 2104) whose key is derived from a service key. A writer of the table who cannot
// read the secret of that key cannot make a seal. It must never show the service key, and the derived key opens nothing.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Refused } from '../errors.ts'
import type { KeySource, ServiceKey } from './key-source.ts'

const DIGEST = 'sha256'
const KEY_BYTES = 32

interface Seal {
  /** Prefix of the service key. */
  readonly by: string
  readonly code: string
}

interface SealKeys {
  readonly present: KeySource
  /** The key that the present one replaced. Throws Refused where no key was replaced. */
  readonly former: KeySource
  /** Names the table: a seal of one table does not fit another that is used with the same key. */
  readonly about: string
}

export function createSeals({ present, former, about }: SealKeys) {
  const sealOf = ({ prefix, secret }: ServiceKey, text: string): Seal => {
    const key = Buffer.from(hkdfSync(DIGEST, secret, '', `sluice-record-seal ${about}`, KEY_BYTES))
    return { by: prefix, code: createHmac(DIGEST, key).update(text).digest('base64url') }
  }
  const isOf = (key: ServiceKey, text: string, seal: Seal): boolean =>
    key.prefix === seal.by && isEqual(sealOf(key, text).code, seal.code)

  return {
    /** @throws Transient, Refused */
    async make(text: string): Promise<Seal> {
      return sealOf(await present.current(), text)
    },
    /** @throws Transient, Refused */
    async isOwn(text: string, seal: Seal): Promise<boolean> {
      // The key may have been replaced since it was read.
      present.forget()
      if (isOf(await present.current(), text, seal)) return true
      former.forget()
      const replaced = await former.current().catch((error: unknown) => {
        if (error instanceof Refused) return undefined
        throw error
      })
      return replaced !== undefined && isOf(replaced, text, seal)
    },
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
