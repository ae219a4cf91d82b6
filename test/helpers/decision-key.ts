// A key of decisions in this process. Its bytes are fixed, so that all threads of a campaign have the same key.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type DecisionKey, decisionBytes, type Subject } from '../../core/runs/approval/signed-decision.ts'
import type { Decision } from '../../core/runs/approval/standing.ts'

/** PKCS#8 of Ed25519 up to its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const keyOf = (byte: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.alloc(32, byte)]), format: 'der', type: 'pkcs8' })
const OURS = keyOf(1)
const OF_SOMEBODY_ELSE = keyOf(2)

const keyWith = (key: KeyObject): DecisionKey => ({
  publicKey: async () => createPublicKey(key),
  sign: async (bytes) => sign(null, bytes, key),
})
export const decisionKey = keyWith(OURS)
export const otherKey = keyWith(OF_SOMEBODY_ELSE)

export const signed = (word: Decision, subject: Subject): Decision => signedBy(OURS, word, subject)
/** As somebody does who may write the journal, and has a key of his own. */
export const forged = (word: Decision, subject: Subject): Decision => signedBy(OF_SOMEBODY_ELSE, word, subject)

function signedBy(key: KeyObject, word: Decision, subject: Subject): Decision {
  return { ...word, signed: sign(null, decisionBytes(word, subject), key).toString('base64url') }
}
