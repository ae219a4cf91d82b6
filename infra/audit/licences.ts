// Judges the licences of all locked packages, on every platform: those that run in the product, and those that only
// build and test it. Pure.
import { ALLOWED_LICENSES } from '../third-parties.ts'

/** They ask for no more than their text, or for changes to their own files, of which there are none here. */
const ALLOWED_FOR_DEVELOPMENT: readonly string[] = [...ALLOWED_LICENSES, 'BlueOak-1.0.0', 'MIT-0', 'MPL-2.0']

export interface LockFile {
  /** By the place where the package is installed; the project itself is at ''. */
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  /** An SPDX expression. */
  readonly license?: unknown
  /** Whether only development needs it. */
  readonly dev?: boolean
  /** A workspace, which is locked under its own folder as well. */
  readonly link?: boolean
}

export interface LicenceFindings {
  /** The number of packages that were judged. */
  readonly judged: number
  /** A sentence for each package whose licence is not allowed. */
  readonly findings: readonly string[]
}

export function judgeLicences({ packages }: LockFile): LicenceFindings {
  const locked = Object.entries(packages).filter(([place, { link }]) => place !== '' && link !== true)
  const findings = locked.flatMap(([place, { dev, license, version }]) => {
    const allowed = dev === true ? ALLOWED_FOR_DEVELOPMENT : ALLOWED_LICENSES
    if (isAllowed(license, allowed)) return []
    const name = place.split('node_modules/').at(-1)
    const what = license === undefined ? 'names no licence' : `is under the licence ${JSON.stringify(license)}`
    return [`${name} ${version} ${what}: do without it, or allow the licence in infra/audit/licences.ts`]
  })
  return { judged: locked.length, findings: [...new Set(findings)] }
}

/** Of several licences to choose from, one is enough. Any other expression is refused. */
function isAllowed(license: unknown, allowed: readonly string[]): boolean {
  if (typeof license !== 'string') return false
  const choices = license.replace(/^\(([^()]*)\)$/, '$1')
  // With parentheses within, OR chooses only between parts of what is asked for.
  return !/[()]/.test(choices) && choices.split(' OR ').some((choice) => allowed.includes(choice))
}
