// Judges the licences of all locked packages, on every platform: those in the product, and those that only build and
// test it. Pure.
import { ALLOWED_LICENSES } from '../../infra/bundle/third-parties.ts'

/**
 * Licences allowed for development. They require only that their text is shown, or that changes to their own files are
 * published. We do not change these files.
 */
const ALLOWED_FOR_DEVELOPMENT: readonly string[] = [...ALLOWED_LICENSES, 'BlueOak-1.0.0', 'MIT-0', 'MPL-2.0']

export interface LockFile {
  /** Packages by their installation folder; the project itself is at ''. */
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
    const fault = license === undefined ? 'names no licence' : `is under the licence ${JSON.stringify(license)}`
    return [`${name} ${version} ${fault}: do without it, or allow the licence in test/dependencies/licences.ts`]
  })
  return { judged: locked.length, findings: [...new Set(findings)] }
}

/** Whether one of the licences to choose from is allowed. Any other expression is refused. */
function isAllowed(license: unknown, allowed: readonly string[]): boolean {
  if (typeof license !== 'string') return false
  const choices = license.replace(/^\(([^()]*)\)$/, '$1')
  // With inner parentheses, OR chooses only between parts of the terms.
  return !/[()]/.test(choices) && choices.split(' OR ').some((choice) => allowed.includes(choice))
}
