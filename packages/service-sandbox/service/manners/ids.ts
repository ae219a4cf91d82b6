// What ids look like. All are unique within their kind; only that and their being opaque is promised.
import type { Manners } from './manners.ts'

/** Kinds whose ids may be counted: each from the same number on, so that ids of different kinds are equal. */
const COUNTED_KINDS: ReadonlySet<string> = new Set(['quote', 'withdrawal', 'fill', 'deposit', 'adjustment'])
const COUNTED_FROM = 1_000_001

export interface Mint {
  readonly kind: string
  /** How many of the kind there have been. */
  readonly made: number
  /** 64 hexadecimal digits that no other id has. */
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

/** RFC 9562: version and variant in their places. */
function asVersion4(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`
}

/**
 * Each has to be percent-encoded whole, and none may be read as a path, a query or a number. At most 256 characters.
 * None is or holds a dot segment, encoded or not: no client could send one safely through a proxy.
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

/** One shape after the other. */
function oddId(made: number, hex: string): string {
  const shape = ODD_SHAPES[made % ODD_SHAPES.length] as (text: string) => string
  return shape(hex.slice(0, 16))
}
