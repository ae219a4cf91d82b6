// Reads the small text files that a command is given: a path, or `-` for standard input. It reads no more than 64 KiB.
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { CommandError, usageError } from './command-error.ts'

/** Far more than the input of a run or a key file needs. */
const TEXT_BYTES = 64 * 1024

/** The flag that named the file. Every kind except input holds secrets. */
type Kind = 'input' | 'keys' | 'bearer' | 'address'

/** @throws CommandError (exit 2) naming the flag, when it cannot be read or is larger than 64 KiB. */
export async function readText(file: string, kind: Kind, stdin: Readable): Promise<string> {
  const flag = `--${kind}`
  try {
    const bytes = file === '-' ? await readBounded(stdin) : await readFileBounded(file)
    if (bytes.length > TEXT_BYTES) {
      throw usageError(
        codeOf(kind),
        `${flag}: expected at most ${TEXT_BYTES} bytes; got more`,
        'check that this is the right file',
      )
    }
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error && 'code' in error)) throw error
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

async function readFileBounded(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    return await readBounded(handle.createReadStream({ autoClose: false, end: TEXT_BYTES }))
  } finally {
    await handle.close()
  }
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
