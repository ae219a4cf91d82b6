// Composes the text of a new version of a key secret from the one before: a new signing key or a new
// bearer secret, and everything else as it was. Pure; the result is checked before it is put.
import type { KeyRole } from '../../core/contract/treasury.ts'
import { parseStoredKey } from '../../core/keys/key-material.ts'
import type { KeyAlgorithm } from '../../core/keys/signer.ts'

export interface KeyChange {
  readonly secret?: string
  readonly privateKeyPem?: string
  readonly alg?: KeyAlgorithm
}

/** Changes the part of `baseText` that `role` uses. Without a base, a flat key. Throws Refused. */
export function draftKey(baseText: string | undefined, role: KeyRole, change: KeyChange): string {
  if (baseText === undefined) return JSON.stringify(change)
  const { material, entry, isFlat } = parseStoredKey(baseText, role)
  // The prefix follows from the secret, and would be the old one's.
  const { prefix: _, ...kept } = entry
  const changed = { ...kept, ...change }
  return JSON.stringify(isFlat ? changed : { ...material, [role]: changed })
}
