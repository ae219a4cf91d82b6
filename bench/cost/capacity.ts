// Computes capacity units of DynamoDB from the items themselves.
// Source: DynamoDB Developer Guide, "Read and write operations", "DynamoDB item sizes and formats" and, for global
// secondary indexes, "Write throughput considerations".

/** An item as the API writes it. Each value has one of the types S, N, BOOL, NULL, L, M, SS. */
export type Item = Readonly<Record<string, AttributeValue>>
type AttributeValue = Readonly<Record<string, unknown>>

export interface IndexedTable {
  /** The keys of each index, which holds only keys. */
  readonly indexes: readonly (readonly string[])[]
}

const READ_BYTES = 4_096
const WRITE_BYTES = 1_024
/** DynamoDB adds this to a list or a map, and one byte to each of its members. */
const NESTED_BYTES = 3

/** For a strongly consistent read. A missing item costs one unit. */
export function readUnits(item: Item | undefined): number {
  return Math.max(1, Math.ceil(bytesOf(item ?? {}) / READ_BYTES))
}

/** For a put over an existing item. The table pays for the larger of both, and each changed index pays too. */
export function writeUnits(table: IndexedTable, before: Item | undefined, item: Item): number {
  const own = Math.ceil(Math.max(bytesOf(before ?? {}), bytesOf(item)) / WRITE_BYTES)
  return table.indexes.reduce((units, keys) => units + indexWrites(keys, before, item), own)
}

/**
 * Entries hold only keys. An entry with other keys is deleted and put, and an entry with the same keys is left alone.
 */
function indexWrites(keys: readonly string[], before: Item | undefined, item: Item): number {
  const [was, is] = [before, item].map((each) => {
    const values = keys.map((key) => each?.[key])
    return values.includes(undefined) ? undefined : JSON.stringify(values)
  })
  if (was === is) return 0
  return (was === undefined ? 0 : 1) + (is === undefined ? 0 : 1)
}

/** The size of an item as DynamoDB counts it. */
export function bytesOf(item: Item): number {
  return Object.entries(item).reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + valueBytes(value), 0)
}

function valueBytes(value: AttributeValue): number {
  const [[type, held] = []] = Object.entries(value)
  if (type === 'S') return Buffer.byteLength(String(held))
  if (type === 'N') return Math.ceil(String(held).length / 2) + 1
  if (type === 'L') return (held as AttributeValue[]).reduce((sum, each) => sum + 1 + valueBytes(each), NESTED_BYTES)
  if (type === 'M') return NESTED_BYTES + bytesOf(held as Item) + Object.keys(held as Item).length
  return 1
}
