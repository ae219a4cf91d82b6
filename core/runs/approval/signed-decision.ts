// Owns what the key of decisions signs. On AWS the function Decide alone may sign with that key, so a writer of the journal
// speaks for nobody. One function makes the bytes, and one verifies them. The private half is in KMS, and never here.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IntentKind } from '../../contract/records.ts'
import { hashParams } from '../../params-hash.ts'
import type { Decision } from './standing.ts'

/** The plan or the movement that people decide on, as their requests name it. */
export type Subject =
  | { readonly run: string; readonly planHash: string }
  | { readonly kind: IntentKind; readonly intent: string; readonly termsHash: string }

export interface DecisionKey {
  /** Read once a process, and only where a decision is counted. @throws Transient, KeyFault */
  publicKey(): Promise<KeyObject>
  /** The bare signature of Ed25519. @throws Transient, KeyFault */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

export type DecisionVerifier = Pick<DecisionKey, 'publicKey'>

/** Everything that the decision means. `spoken` names the request, which nobody can make a second time. */
export function decisionBytes(
  { decision, by, because, at, secondBecause, spoken }: Decision,
  subject: Subject,
): Buffer {
  const word = { decision, by, because, at, secondBecause, spoken }
  return Buffer.from(`sluice-decision/1 ${hashParams({ ...subject, word })}`)
}

/** Returns the decision with the signature of the key. */
export async function signDecision(word: Decision, subject: Subject, { sign }: DecisionKey) {
  const signed = Buffer.from(await sign(decisionBytes(word, subject))).toString('base64url')
  return { ...word, signed }
}

export function isSignedBy(key: KeyObject, word: Decision, subject: Subject): boolean {
  return (
    word.signed !== undefined && verify(null, decisionBytes(word, subject), key, Buffer.from(word.signed, 'base64url'))
  )
}

/** The text by which a proof carries the public half: `x` of its JWK (RFC 8037). */
export function decisionKeyText(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? ''
}

export function decisionKeyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
