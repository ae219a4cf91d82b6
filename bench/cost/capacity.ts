// Capacity units of DynamoDB, from the items themselves.
// Source: DynamoDB Developer Guide, "Read and write operations", "DynamoDB item sizes and formats" and, of global
// secondary indexes, "Write throughput considerations".

/** As the API spells values: one of S, N, BOOL, NULL, L, M, SS. */
export type Item = Readonly<Record<string, AttributeValue>>
type AttributeValue = Readonly<Record<string, unknown>>

export interface IndexedTable {
  /** The keys of each index, which hold keys alone. */
  readonly indexes: readonly (readonly string[])[]
}

const READ_BYTES = 4_096
const WRITE_BYTES = 1_024
/** DynamoDB adds it to a list or a map, and to each of its members one byte. */
const NESTED_BYTES = 3

/** Of a strongly consistent read; what is not there costs one. */
export function readUnits(item: Item | undefined): number {
  return Math.max(1, Math.ceil(bytesOf(item ?? {}) / READ_BYTES))
}

/** Of a put over what was there before: the table's own, the larger of both, and those of each index that changes. */
export function writeUnits(table: IndexedTable, before: Item | undefined, item: Item): number {
  const own = Math.ceil(Math.max(bytesOf(before ?? {}), bytesOf(item)) / WRITE_BYTES)
  return table.indexes.reduce((units, keys) => units + indexWrites(keys, before, item), own)
}

/** Entries hold keys alone: one of other keys is deleted and put, one of the same is left alone. */
function indexWrites(keys: readonly string[], before: Item | undefined, item: Item): number {
  const [was, is] = [before, item].map((each) => {
    const values = keys.map((key) => each?.[key])
    return values.includes(undefined) ? undefined : JSON.stringify(values)
  })
  if (was === is) return 0
  return (was === undefined ? 0 : 1) + (is === undefined ? 0 : 1)
}

/** Of an item as DynamoDB counts it. */
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
