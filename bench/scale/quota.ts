// What a quota is: a limit, the load that a workload puts on it, and what people see and do when it is near.
import type { Load } from './workload.ts'

export interface Source {
  /** An address without https, or a file of the repository. */
  readonly where: string
  /** `quoted`: read there. `remembered`: the page is known to say so, and was not read. `ours`: code. `assumed`: nobody says. */
  readonly how: 'quoted' | 'remembered' | 'ours' | 'assumed'
  /** When it was read or remembered, YYYY-MM. */
  readonly of: string
}

export interface Quota {
  readonly name: string
  /** What is limited, with its unit. */
  readonly what: string
  readonly limit: number
  readonly source: Source
  /** In the unit of the limit. It never falls as runs become more. */
  readonly load: (load: Load) => number
  /** What tells of it first. */
  readonly told: string
  readonly change: string
}

export const DOCS = 'docs.aws.amazon.com'

export const quoted = (where: string, of: string): Source => ({ where, how: 'quoted', of })
export const remembered = (where: string): Source => ({ where, how: 'remembered', of: '2026-11' })
export const ours = (where: string): Source => ({ where, how: 'ours', of: '2026-11' })
