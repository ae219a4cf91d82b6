// Calls an act by the name of its run or movement, with the id beside.

import { readName } from '../operations/movements/movements.ts'
import type { RequestKind } from '../operations/movements/record-kind.ts'
import type { Reader } from '../place/reader.ts'
import type { Deed } from '../views/pages/acted.ts'

/** Where the name cannot be read, the act is called by the id alone, and itself says what is wrong. */
export async function namedDeed(
  reader: Reader,
  verb: string,
  id: string,
  kind?: RequestKind,
): Promise<Pick<Deed, 'what' | 'subject'>> {
  const name = await readName(reader, id, kind).catch(() => undefined)
  return name === undefined ? { what: `${verb} ${id}` } : { what: `${verb}: ${name}`, subject: id }
}
