// Secrets and their versions, in one file that only its owner can read. Each change replaces the file, so a kill or power cut
// leaves the old or the new content. Values are written nowhere else.
// Source: AWS Secrets Manager API Reference (versions and staging labels).
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStored, readOwnText } from '../own-file.ts'

export const CURRENT = 'AWSCURRENT'
const PREVIOUS = 'AWSPREVIOUS'

/** Maximum versions kept. AWS keeps about a hundred versions without labels, and may drop only those. */
const VERSION_LIMIT = 100

export interface SecretVersion {
  readonly id: string
  /** Absent for a value of an earlier boot, of which only the digest is kept. */
  readonly secretString?: string | undefined
  readonly stages: readonly string[]
  readonly createdMs: number
  /** True for a value put at boot by an option. A later boot compares it with its own option. */
  readonly isGiven?: boolean
  /** SHA-256 of the value, hex. Set when the value is not on disk, so that a later boot can recognise it. */
  readonly digest?: string
}

/** Versions by the secret's name, oldest first. */
type Stored = Readonly<Record<string, readonly SecretVersion[]>>

export class SecretStore {
  readonly #file: string
  readonly #disk: Disk
  #stored: Stored

  constructor(file: string, disk: Disk = DURABLE) {
    this.#file = file
    this.#disk = disk
    this.#stored = existsSync(file) ? parseStored(readOwnText(file), file, isStored, REMEDY) : {}
  }

  /** Returns the names of secrets with a version, or created without one. */
  names(): readonly string[] {
    return Object.keys(this.#stored)
  }

  /** Creates an empty secret if the name is new. */
  create(name: string): void {
    if (!Object.hasOwn(this.#stored, name)) this.#write(name, [])
  }

  versions(name: string): readonly SecretVersion[] {
    return Object.hasOwn(this.#stored, name) ? (this.#stored[name] ?? []) : []
  }

  findByStage(name: string, stage: string): SecretVersion | undefined {
    return this.versions(name).find((version) => version.stages.includes(stage))
  }

  /** Adds a version and moves labels to it. A secret's first version is current, in addition to its labels. */
  add(name: string, version: SecretVersion): void {
    const empty = { ...version, stages: [] }
    const stages = this.versions(name).length === 0 ? new Set([...version.stages, CURRENT]) : version.stages
    const labelled = [...stages].reduce<readonly SecretVersion[]>(
      (versions, stage) => moved(versions, stage, version.id),
      [...this.versions(name), empty],
    )
    const surplus = labelled.length - VERSION_LIMIT
    this.#write(
      name,
      labelled.filter((version, index) => index >= surplus || version.stages.length > 0),
    )
  }

  /** Moves a label to a version, or removes it when `to` is undefined. */
  moveStage(name: string, stage: string, to: string | undefined): void {
    this.#write(name, moved(this.versions(name), stage, to))
  }

  /** Removes every value of this secret that was given at a boot from the disk. */
  forgetGiven(name: string): void {
    const versions = this.versions(name)
    const isOnDisk = ({ digest, isGiven }: SecretVersion) => isGiven === true && digest === undefined
    if (!versions.some(isOnDisk)) return
    const forgotten = versions.map((version) =>
      isOnDisk(version) ? { ...version, digest: digestOf(version.secretString ?? '') } : version,
    )
    this.#write(name, forgotten)
  }

  /** Holds a version's value again, in memory only. */
  recall(name: string, id: string, secretString: string): void {
    const versions = this.versions(name).map((version) => (version.id === id ? { ...version, secretString } : version))
    this.#stored = { ...this.#stored, [name]: versions }
  }

  #write(name: string, versions: readonly SecretVersion[]): void {
    const stored = { ...this.#stored, [name]: versions }
    const onDisk = Object.entries(stored).map(([version, all]) => [version, all.map(asStored)])
    this.#disk.replace(this.#file, JSON.stringify(Object.fromEntries(onDisk)))
    this.#stored = stored
  }
}

/** A value whose digest is kept is not written. */
function asStored(version: SecretVersion): SecretVersion {
  if (version.digest === undefined) return version
  const { secretString: _, ...kept } = version
  return kept
}

export function digestOf(secretString: string): string {
  return createHash('sha256').update(secretString).digest('hex')
}

const REMEDY =
  'restore it from a copy, or move it out of the directory: then values given at a start are put again, and others, such as staged keys, are lost'

function isStored(value: unknown): value is Stored {
  return (
    isObject(value) && Object.values(value).every((versions) => Array.isArray(versions) && versions.every(isVersion))
  )
}

function isVersion(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    (typeof value.secretString === 'string' || typeof value.digest === 'string') &&
    Array.isArray(value.stages)
  )
}

/** Moves a label. When AWSCURRENT moves, AWSPREVIOUS moves to the version that it left. */
function moved(versions: readonly SecretVersion[], stage: string, to: string | undefined): readonly SecretVersion[] {
  const from = versions.find((version) => version.stages.includes(stage))?.id
  const relabelled = versions.map((version) => {
    const others = version.stages.filter((version) => version !== stage)
    return { ...version, stages: version.id === to ? [...others, stage] : others }
  })
  return stage === CURRENT && from !== undefined && from !== to ? moved(relabelled, PREVIOUS, from) : relabelled
}
