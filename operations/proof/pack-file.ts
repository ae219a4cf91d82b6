// Makes the bytes of a proof's file, and checks them again. The file has one line of JSON for each named part, then the
// list of the parts with their hashes, and last a signature over the hash of that list. The signature covers bytes, so no
// canonical form is needed. This code touches no disk, and does not interpret the parts.
import { createHash } from 'node:crypto'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { KeyAlgorithm } from '../../core/keys/signer.ts'

const PROOF_FORMAT = 'sluice-proof/1'
/** Type in the header of the signature. Tokens for the service have another type, so none of them passes as a proof. */
const PROOF_TYPE = 'sluice-proof+jws'

/** Maximum size of the file: far more than the run with the most legs needs. */
export const MOST_BYTES = 32 * 1024 * 1024
const MOST_LINE_BYTES = 4 * 1024 * 1024
const MOST_PARTS = 10_000
const MOST_DEPTH = 64

type PublicJwk = { readonly [field: string]: string }

export interface ProofSigner {
  readonly alg: KeyAlgorithm
  readonly jwk: PublicJwk
  signBytes(bytes: Uint8Array): Promise<Uint8Array>
}

export interface Part {
  readonly part: string
  readonly [field: string]: unknown
}

export interface OpenedPack {
  readonly parts: ReadonlyMap<string, Part>
  /** RFC 7638: thumbprint of the key that signed. The file cannot say whose key it is. */
  readonly thumbprint: string
}

/** Reports that the file is not what was signed, or is no proof. `where` names the faulty part of the file. */
export class PackFault extends Error {
  override readonly name = 'PackFault'
  readonly where: string
  constructor(where: string, message: string) {
    super(`${where}: ${message}`)
    this.where = where
  }
}

/** @throws PackFault if openPack refuses the file that was made of these parts: a programming error */
export async function sealPack(parts: readonly Part[], signer: ProofSigner): Promise<Buffer> {
  const lines = parts.map((part) => Buffer.from(JSON.stringify(part), 'utf8'))
  const listed = parts.map(({ part }, index) => [part, lines[index]?.length, hashOf(lines[index] ?? Buffer.of())])
  const contents = Buffer.from(JSON.stringify({ contents: listed }), 'utf8')
  const header = { alg: signer.alg, typ: PROOF_TYPE, jwk: signer.jwk }
  const payload = { format: PROOF_FORMAT, contents: hashOf(contents) }
  const signed = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(payload))}`
  const signature = encoded(await signer.signBytes(Buffer.from(signed, 'ascii')))
  const file = Buffer.concat(
    [...lines, contents, Buffer.from(`${signed}.${signature}`, 'ascii')].flatMap((line) => [line, LINE_END]),
  )
  await openPack(file)
  return file
}

/** @throws PackFault, which names the changed part */
export async function openPack(file: Uint8Array): Promise<OpenedPack> {
  const lines = linesOf(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  const jws = lines.at(-1)
  const contents = lines.at(-2)
  if (jws === undefined || contents === undefined)
    throw new PackFault('the file', 'it has no list of contents and no signature')
  const { thumbprint, contentsHash } = await readSignature(jws.toString('latin1'))
  if (hashOf(contents) !== contentsHash) throw new PackFault('the list of contents', 'it is not what was signed')
  const listed = listedIn(contents)
  const parts = new Map<string, Part>()
  for (const [index, [name, bytes, hash]] of listed.entries()) {
    const line = lines[index]
    const where = `part ${index + 1} (${name})`
    if (line === undefined || index >= lines.length - 2) throw new PackFault(where, 'it is missing')
    if (line.length !== bytes || hashOf(line) !== hash) throw new PackFault(where, 'it is not what was signed')
    const part = parsedLine(line, where)
    if (part.part !== name || parts.has(name))
      throw new PackFault(where, 'it does not bear its name, or is there twice')
    parts.set(name, { ...part, part: name })
  }
  if (listed.length !== lines.length - 2) throw new PackFault('the file', 'it has lines that nobody signed')
  return { parts, thumbprint }
}

const LINE_END = Buffer.from('\n')

function linesOf(file: Buffer): Buffer[] {
  if (file.length > MOST_BYTES)
    throw new PackFault('the file', `expected at most ${MOST_BYTES} bytes; got ${file.length}`)
  if (file.at(-1) !== LINE_END[0])
    throw new PackFault('the signature', 'the file does not end with it and a line break')
  const lines: Buffer[] = []
  for (let from = 0; from < file.length; ) {
    const to = file.indexOf(LINE_END, from)
    if (to - from > MOST_LINE_BYTES)
      throw new PackFault(`line ${lines.length + 1}`, `it is longer than ${MOST_LINE_BYTES} bytes`)
    if (lines.length > MOST_PARTS + 2) throw new PackFault('the file', `it has more than ${MOST_PARTS} parts`)
    lines.push(file.subarray(from, to))
    from = to + 1
  }
  return lines
}

async function readSignature(jws: string): Promise<{ readonly thumbprint: string; readonly contentsHash: string }> {
  const where = 'the signature'
  const segments = jws.split('.')
  // Bits that base64url leaves unused could be changed without changing what is signed.
  if (segments.length !== 3 || segments.some((text) => text === '' || encoded(Buffer.from(text, 'base64url')) !== text))
    throw new PackFault(where, 'the last line is no signature, or it was changed')
  const header = parsedLine(Buffer.from(segments[0] ?? '', 'base64url'), where)
  const { alg, typ, jwk, ...others } = header
  if (alg !== 'EdDSA' && alg !== 'RS256')
    throw new PackFault(where, 'it is of no algorithm that is taken (EdDSA, RS256)')
  if (typ !== PROOF_TYPE || Object.keys(others).length > 0)
    throw new PackFault(where, 'it is not the signature of a proof')
  const key = publicJwkOf(jwk, alg)
  const verified = await verifiedBy(key, alg, jws).catch(() => {
    throw new PackFault(where, 'it does not fit its key: it was changed, or something that it signs was')
  })
  const payload = parsedLine(Buffer.from(verified), where)
  if (payload.format !== PROOF_FORMAT || typeof payload.contents !== 'string')
    throw new PackFault(where, `it is of another format than ${PROOF_FORMAT}`)
  return { thumbprint: thumbprintOf(key), contentsHash: payload.contents }
}

/** Verifies the signature. Throws, too, for a key that is no point of its curve. */
async function verifiedBy(key: PublicJwk, alg: KeyAlgorithm, jws: string): Promise<Uint8Array> {
  const imported = await importJWK({ ...key, kty: key.kty ?? '' }, alg)
  return (await compactVerify(jws, imported, { algorithms: [alg] })).payload
}

/** Required fields of a public key, in the order of RFC 7638. */
const FIELDS_OF_KEY = { EdDSA: ['crv', 'kty', 'x'], RS256: ['e', 'kty', 'n'] } as const

/** Accepts only the required fields, so a private key is refused. @throws PackFault */
export function publicJwkOf(jwk: unknown, alg: KeyAlgorithm): PublicJwk {
  const fields = FIELDS_OF_KEY[alg]
  const given: Readonly<Record<string, unknown>> = typeof jwk === 'object' && jwk !== null ? { ...jwk } : {}
  const isKey =
    Object.keys(given).length === fields.length &&
    fields.every((field) => typeof given[field] === 'string') &&
    (alg === 'EdDSA' ? given.kty === 'OKP' && given.crv === 'Ed25519' : given.kty === 'RSA')
  if (!isKey) throw new PackFault('the signature', `it names no public key for ${alg}`)
  return Object.fromEntries(fields.map((field) => [field, String(given[field])]))
}

export function thumbprintOf(jwk: PublicJwk): string {
  const sorted = Object.fromEntries(Object.entries(jwk).sort(([left], [right]) => (left < right ? -1 : 1)))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
}

function listedIn(contents: Buffer): [name: string, bytes: number, hash: string][] {
  const where = 'the list of contents'
  const { contents: listed } = parsedLine(contents, where)
  if (!Array.isArray(listed)) throw new PackFault(where, 'it is no list')
  return listed.map((row: unknown) => {
    const [name, bytes, hash, ...more] = Array.isArray(row) ? row : []
    if (typeof name !== 'string' || typeof bytes !== 'number' || typeof hash !== 'string' || more.length > 0)
      throw new PackFault(where, 'an entry is not a name, a length and a hash')
    return [name, bytes, hash]
  })
}

/** Reads one JSON object. Its depth is checked first, because later code visits it by recursion. */
function parsedLine(line: Buffer, where: string): Readonly<Record<string, unknown>> {
  if (depthOf(line) > MOST_DEPTH) throw new PackFault(where, `it is nested deeper than ${MOST_DEPTH}`)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  } catch {
    throw new PackFault(where, 'it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new PackFault(where, 'it is no object')
  // Another program may read other values from a line with a repeated name, or with another spelling. For example, it may
  // take the first of two values of one name.
  if (!Buffer.from(JSON.stringify(value)).equals(line))
    throw new PackFault(where, 'it has a name twice, or is written otherwise than JSON.stringify writes it')
  return { ...value }
}

function depthOf(line: Buffer): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at]
    if (isInText) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) isInText = false
    } else if (byte === 0x22) isInText = true
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth -= 1
  }
  return deepest
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function encoded(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
