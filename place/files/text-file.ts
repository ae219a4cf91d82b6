// Reads the small text files of a command: a path, or `-` for standard input. It refuses more than 64 KiB.
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { decodeText, EncodingError } from '../../core/treasury/decode-text.ts'
import { OperationError, usageError } from '../operation-error.ts'

const AS_UTF8 = 'save the file as UTF-8 and run the command again; nothing was sent'
/** Far more than the input of a run or a key file needs. */
const TEXT_BYTES = 64 * 1024

/** The flag that named the file. Every kind except input holds secrets. */
type Kind = 'input' | 'keys' | 'bearer' | 'address'

/** @throws OperationError (exit 2) naming the flag, when it cannot be read or is larger than 64 KiB. */
export async function readText(file: string, kind: Kind, stdin: Readable): Promise<string> {
  const flag = `--${kind}`
  try {
    const bytes = file === '-' ? await readBounded(stdin) : await readFileBounded(file, kind)
    if (bytes.length > TEXT_BYTES) {
      throw usageError(
        codeOf(kind),
        `${flag}: expected at most ${TEXT_BYTES} bytes; got more`,
        'check that this is the right file',
      )
    }
    return decodeText(bytes)
  } catch (error) {
    if (error instanceof EncodingError) throw usageError(codeOf(kind), `${flag}: ${error.message}`, AS_UTF8)
    if (error instanceof OperationError || !(error instanceof Error && 'code' in error)) throw error
    // The name of a key file is not repeated, because somebody may have given the secret itself.
    const named = kind === 'input' ? file : 'that file'
    throw usageError(
      codeOf(kind),
      `${flag}: cannot read ${named} (${error.code})`,
      `give ${flag} a file that can be read, or - for standard input`,
    )
  }
}

function codeOf(kind: Kind): 'input' | 'keys' {
  return kind === 'input' ? 'input' : 'keys'
}

async function readFileBounded(file: string, kind: Kind): Promise<Buffer> {
  const handle = await open(file)
  try {
    if (kind !== 'input') assertPrivate(await handle.stat(), file, kind)
    return await readBounded(handle.createReadStream({ autoClose: false, end: TEXT_BYTES }))
  } finally {
    await handle.close()
  }
}

/**
 * Checks that a file with a secret is for its owner only, who is this user or root. Anything else, such as a shell's
 * `<(...)`, is read unchanged.
 * @throws OperationError (exit 2) that names the file and the remedy
 */
function assertPrivate(found: Stats, file: string, kind: Kind): void {
  const user = process.getuid?.()
  // Other systems have other kinds of permissions.
  if (user === undefined || !found.isFile()) return
  const stdin = `to leave it unchanged, give it on standard input: --${kind} - < ${file}`
  if (found.uid !== user && found.uid !== 0) {
    throw usageError(
      codeOf(kind),
      `--${kind}: ${file} belongs to another user (${found.uid}), who can read and change it`,
      `give --${kind} a file of your own; ${stdin}`,
    )
  }
  if ((found.mode & 0o077) === 0) return
  const mode = (found.mode & 0o777).toString(8)
  throw usageError(
    codeOf(kind),
    `--${kind}: ${file} holds a secret, and is open to other users (mode ${mode})`,
    `chmod 600 ${file}, and put another secret in its place if they may have read it; ${stdin}`,
  )
}

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > TEXT_BYTES) break
  }
  return Buffer.concat(chunks)
}
