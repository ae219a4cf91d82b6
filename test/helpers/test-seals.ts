// Seals with a key that only the test has.
import type { Seals } from '../../core/journal/watermarks.ts'
import { hashParams } from '../../core/params-hash.ts'

/** `key`: the name of the present key. */
export function testSeals(key: () => string = () => 'key'): Seals {
  const codeOf = (text: string) => hashParams([key(), text])
  return {
    make: async (text) => ({ by: key(), code: codeOf(text) }),
    isOwn: async (text, { by, code }) => by === key() && code === codeOf(text),
  }
}
