// Counts what runs read and write of the journal, by the key that they share. A key that every run uses is in one
// partition, which bears only so much. A key of one run's own is counted with all of its kind.
import type { EndpointHook } from '@sluice/embedded-aws'
import { bytesOf, type IndexedTable, type Item, readUnits, writeUnits } from '../cost/capacity.ts'

/** Capacity units. */
export interface Units {
  readonly reads: number
  readonly writes: number
}

/** By the name of a key, or of a list of an index. */
export type UnitsByKey = Readonly<Record<string, Units>>

/** Of each run there is one: only how many there are grows with the runs. */
const OF_ONE_RUN = new Set(['I', 'C', 'R', 'D', 'Q', 'E'])
const DAY = /\d{4}-\d\d-\d\d/
const MONTH = /\d{4}-\d\d/

export class JournalKeys {
  readonly #items = new Map<string, Item>()
  #units = new Map<string, { reads: number; writes: number }>()
  #table: IndexedTable = { indexes: [] }

  /** The indexes that a write also changes: known once the machines are there. */
  watch(table: IndexedTable): void {
    this.#table = table
  }

  /** For each call of the endpoints. */
  readonly hook: EndpointHook = ({ body, functionName, operation, phase }) => {
    if (phase !== 'after' || functionName === undefined) return undefined
    const { Item: item, Key: key, ExpressionAttributeValues: values } = body as CallBody
    if (operation === 'GetItem' && key?.pk !== undefined)
      this.#add(nameOf(textOf(key.pk)), { reads: readUnits(this.#items.get(textOf(key.pk))), writes: 0 })
    if (operation === 'Query') this.#add(nameOf(textOf(Object.values(values ?? {})[0])), { reads: 1, writes: 0 })
    if (operation === 'PutItem' && item?.pk !== undefined) this.#put(textOf(item.pk), item)
    return undefined
  }

  /** What was counted since the last time that it was asked. */
  take(): UnitsByKey {
    const units = Object.fromEntries(
      [...this.#units].toSorted(([one], [other]) => (one < other ? -1 : one === other ? 0 : 1)),
    )
    this.#units = new Map()
    return units
  }

  /** Bytes of the largest record whose key begins so; 0 where there is none. */
  largest(prefix: string): number {
    return [...this.#items].reduce(
      (most, [pk, item]) => (pk.startsWith(prefix) ? Math.max(most, bytesOf(item)) : most),
      0,
    )
  }

  #put(pk: string, item: Item): void {
    const before = this.#items.get(pk)
    this.#add(nameOf(pk), { reads: 0, writes: writeUnits({ indexes: [] }, before, item) })
    for (const [hash = ''] of this.#table.indexes) {
      const [was, is] = [before?.[hash], item[hash]].map((value) => (value === undefined ? undefined : textOf(value)))
      if (was === is) continue
      if (was !== undefined) this.#add(nameOf(was), { reads: 0, writes: 1 })
      if (is !== undefined) this.#add(nameOf(is), { reads: 0, writes: 1 })
    }
    this.#items.set(pk, item)
  }

  #add(name: string, { reads, writes }: Units): void {
    const known = this.#units.get(name) ?? { reads: 0, writes: 0 }
    this.#units.set(name, { reads: known.reads + reads, writes: known.writes + writes })
  }
}

interface CallBody {
  readonly Item?: Item
  readonly Key?: Item
  readonly ExpressionAttributeValues?: Item
}

function textOf(value: unknown): string {
  return String((value as { readonly S?: unknown } | undefined)?.S ?? '')
}

/** The same for every day, month and hour: what is hot is hot in each of them. */
function nameOf(key: string): string {
  const [kind = '', ...rest] = key.split('#')
  if (OF_ONE_RUN.has(kind)) return `${kind}#`
  if (kind === 'DONE') return 'DONE#HOUR'
  // The account's id is the sandbox's own.
  if (kind === 'L') return `L#ACCOUNT#${rest.at(-1)}`
  return key.replace(DAY, 'DAY').replace(MONTH, 'MONTH')
}
