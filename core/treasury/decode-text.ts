// Decodes the bytes of a file that a person wrote, as editors and shells of any system write it: UTF-8 or UTF-16, with or
// without a mark. Only payout files are read otherwise, because there the wrong line is named
// (core/runs/payouts/payout-file.ts). Messages never quote the bytes, because they may be a secret.

/** Reports bytes that are no readable text. The message names the encoding, and starts in lower case. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError'
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Marks at the beginning of a file. The mark of UTF-32LE begins with the mark of UTF-16LE. */
const UTF_32_MARKS = ['fffe0000', '0000feff'] as const
const MARKS: readonly (readonly [mark: string, encoding: Encoding])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

/** Returns the text without its mark. @throws EncodingError */
export function decodeText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (UTF_32_MARKS.some((mark) => start === mark)) throw new EncodingError(expected('UTF-32'))
  const encoding = MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? unmarked(bytes)
  try {
    // The decoder removes the mark of its own encoding.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new EncodingError(
      expected(encoding === 'utf-8' ? 'another encoding, such as Windows-1252' : 'a part of UTF-16'),
    )
  }
}

/** JSON, a PEM and an address begin with an ASCII character, so a zero byte beside it tells UTF-16. */
function unmarked([first, second]: Uint8Array): Encoding {
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return 'utf-8'
  return second === 0 ? 'utf-16le' : 'utf-16be'
}

const expected = (got: string) => `expected text in UTF-8 (or UTF-16); got ${got}`
