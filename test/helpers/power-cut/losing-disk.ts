// Provides a disk under a program whose power a test may cut. What the program has not synced is lost.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../folders.ts'
import { compileDisk, isSystemAbsent } from './failing-disk.ts'
import { DISK_VARIABLE, type Names, ROOT_VARIABLE, rebuild } from './kept.ts'

/**
 * Where syncs are observed. `program`: the program's calls to Node and LevelDB, visible on every machine. `system`: the
 * calls to the operating system, which need a C compiler to observe.
 */
export type Witness = 'program' | 'system'

export const WITNESSES: readonly { readonly witness: Witness; readonly isAbsent: boolean }[] = [
  { witness: 'program', isAbsent: false },
  { witness: 'system', isAbsent: isSystemAbsent },
]

/** The witness that sees most on this machine. The system receives only what its program asked for. */
export const STRONGEST_WITNESS: Witness = isSystemAbsent ? 'program' : 'system'

export interface LosingDisk {
  /** The folder whose content may be lost. */
  readonly rootDir: string
  /** For the environment of the program. */
  readonly variables: Readonly<Record<string, string>>
  /** After the program was killed: a copy of the root as it is when the power is back. */
  afterPowerCut(names: Names): string
}

/** Removed when the test ends. */
export function losingDisk(witness: Witness): LosingDisk {
  const directory = temporaryFolder()
  const [rootDir, diskDir] = [path.join(directory, 'root'), path.join(directory, 'disk')]
  for (const each of [rootDir, diskDir]) mkdirSync(each)
  return {
    rootDir,
    variables: { [ROOT_VARIABLE]: rootDir, [DISK_VARIABLE]: diskDir, ...watching(witness, directory) },
    afterPowerCut(names) {
      const into = path.join(directory, `after-${names}`)
      rebuild(rootDir, diskDir, into, names)
      return into
    },
  }
}

function watching(witness: Witness, directory: string): Record<string, string> {
  if (witness === 'program') {
    return { NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'watch-syncs.ts'))}` }
  }
  return { LD_PRELOAD: compileDisk(directory) }
}
