// `sluice proof check`: checks the signature of a proof, and whether its statement follows from its evidence. It needs only
// the file: it must not open a state directory or use the network.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { decodeText } from '../../core/treasury/decode-text.ts'
import { checkProof } from '../../operations/proof/check-proof.ts'
import { MOST_BYTES, PackFault, publicJwkOf, thumbprintOf } from '../../operations/proof/pack-file.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { systemCodeOf } from '../../place/files/disk-fault.ts'
import { failedWith, OperationError, unfit, usageError } from '../../place/operation-error.ts'
import { proofLines } from '../../views/proof-lines.ts'
import { printable } from '../../views/text/shown.ts'
import { INVOCATION, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'

interface CheckProofFlags {
  readonly key?: string
  readonly thumbprint?: string
  readonly decisionKey?: string
}

const MOST_KEY_BYTES = 16 * 1024

/** @throws OperationError: exit 1 for a file that was changed after it was signed, exit 2 for an unreadable file */
export async function showCheckedProof(
  file: string,
  flags: CheckProofFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output } = context
  const expected = expectedThumbprint(flags)
  const bytes = readBounded(file, 'file', MOST_BYTES)
  const { statement, thumbprint } = await checkProof(bytes).catch((error: unknown) => {
    throw error instanceof PackFault ? notProven(error.message) : error
  })
  if (expected !== undefined && expected !== thumbprint)
    throw notProven(`the signature: it is of the key ${thumbprint}, and not of the key that was named, ${expected}`)
  const decidedWith = statement.run?.decisionKey
  if (flags.decisionKey !== undefined && decidedWith !== undefined && flags.decisionKey !== decidedWith)
    throw notProven(`the decisions: they are of the key ${decidedWith}, and not of the key that was named`)
  const isPinned = expected !== undefined
  if (output.json) output.facts({ thumbprint, isPinned, statement })
  else for (const line of proofLines(statement)) output.text(printable(line))
  output.note(`whole: signed by the key ${thumbprint}, and the statement follows from the evidence`)
  if (!isPinned) {
    output.note('the file cannot say whose key that is: compare it with the published thumbprint')
    output.next([`${INVOCATION} proof check ${quoted(file)} --key PUBLIC.pem   # or --thumbprint TEXT`])
  }
  if (statement.contradictions.length > 0) return ExitCode.DoesNotTieOut
  return isPinned ? ExitCode.Done : ExitCode.NotPinned
}

/** Returns the thumbprint of the key that the person named; undefined if no key was named. */
function expectedThumbprint({ key, thumbprint }: CheckProofFlags): string | undefined {
  if (key === undefined) {
    if (thumbprint === undefined || /^[A-Za-z0-9_-]{43}$/.test(thumbprint)) return thumbprint
    throw unfit(
      'thumbprint',
      'expected 43 letters, digits, - and _; got something else',
      `${INVOCATION} proof check FILE --key PUBLIC.pem`,
    )
  }
  const fromFile = thumbprintOf(jwkOf(readBounded(key, '--key', MOST_KEY_BYTES)))
  if (thumbprint === undefined || thumbprint === fromFile) return fromFile
  throw unfit('thumbprint', 'expected that of --key; got something else', 'leave one of them out')
}

function jwkOf(pem: Buffer) {
  const next = 'give --key the public key that was published, in PEM (SPKI)'
  let key: KeyObject
  try {
    key = createPublicKey(decodeText(pem))
  } catch {
    throw usageError('keys', '--key: expected a public key in PEM; got something else', next)
  }
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : key.asymmetricKeyType === 'rsa' ? 'RS256' : undefined
  if (alg === undefined) throw usageError('keys', '--key: expected a key of Ed25519 or RSA; got something else', next)
  return publicJwkOf(key.export({ format: 'jwk' }), alg)
}

function readBounded(file: string, name: string, mostBytes: number): Buffer {
  try {
    // Without this flag, opening a pipe without a writer would block for ever.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = fstatSync(descriptor)
      if (!found.isFile() || found.size > mostBytes)
        throw usageError(
          'usage',
          `${name}: expected a file of at most ${mostBytes} bytes; got ${found.isFile() ? 'a larger one' : 'no file'}`,
          'check that this is the right file',
        )
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof OperationError) throw error
    throw usageError('usage', `${name}: cannot read ${file} (${systemCodeOf(error)})`, 'give a file that can be read')
  }
}

function notProven(message: string): OperationError {
  return failedWith('not_proven', message, 'trust nothing in this file, and ask for it again')
}
