// Makes ids in different forms. The API promises only that ids are unique within their kind, and opaque.
import type { Manners } from './manners.ts'

/** Kinds with counted ids. All start from the same number, so ids of different kinds can be equal. */
const COUNTED_KINDS: ReadonlySet<string> = new Set(['quote', 'withdrawal', 'fill', 'deposit', 'adjustment'])
const COUNTED_FROM = 1_000_001

export interface Mint {
  readonly kind: string
  /** The number of earlier ids of this kind. */
  readonly made: number
  /** 64 hexadecimal digits, unique to this id. */
  readonly hex: string
}

export function mintId(manner: Manners['ids'], { kind, made, hex }: Mint): string {
  if (manner === 'counter' && COUNTED_KINDS.has(kind)) return String(COUNTED_FROM + made)
  if (manner === 'odd') return oddId(made, hex)
  return grouped(manner === 'uuid' ? asVersion4(hex) : hex)
}

function grouped(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** Sets version and variant of a UUID (RFC 9562). */
function asVersion4(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`
}

/**
 * Ids that need percent-encoding as a whole and must never be read as a path, a query or a number. At most 256
 * characters. They contain no dot segment, encoded or not, because no client could send it safely through a proxy.
 */
const ODD_SHAPES: readonly ((text: string) => string)[] = [
  (text) => `..${text}/..a`,
  (text) => `a../${text}..`,
  (text) => `/${text}/`,
  (text) => `a..%2F..b%2F${text}`,
  (text) => `${text}%2f`,
  (text) => `a b/${text}?page=1&limit=1#c`,
  (text) => ` ${text} `,
  (text) => `Zürich–${text}`,
  (text) => `注文 ${text} 😀`,
  (text) => `"${text}'\\+`,
  (text) => `${text}.`,
  (text) => text.padEnd(250, '~'),
]

/** Uses one shape after the other. */
function oddId(made: number, hex: string): string {
  const shape = ODD_SHAPES[made % ODD_SHAPES.length] as (text: string) => string
  return shape(hex.slice(0, 16))
}
