// Secrets and their versions in one file that only its owner can read. Every change is written to
// a new file that replaces the old one, so that a kill or a power cut leaves either. Values go nowhere else.
// Source: AWS Secrets Manager API Reference (versions and staging labels).
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { readOwnText } from '../own-file.ts'
import { parseStored } from '../stored-json.ts'

export const CURRENT = 'AWSCURRENT'
const PREVIOUS = 'AWSPREVIOUS'

/** AWS keeps about a hundred versions without labels; those are the ones it may drop. */
const VERSION_LIMIT = 100

export interface SecretVersion {
  readonly id: string
  /** Absent where it was given for an earlier boot alone. */
  readonly secretString?: string | undefined
  readonly stages: readonly string[]
  readonly createdMs: number
  /** Put at boot, by an option: what a later boot compares with what it is given. */
  readonly isGiven?: boolean
  /** SHA-256 of the value, hex. Present where the value is written to no disk: a later boot knows it again by this. */
  readonly digest?: string
}

/** By name of the secret, oldest version first. */
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

  /** Of every secret that has a version, or was made for one. */
  names(): readonly string[] {
    return Object.keys(this.#stored)
  }

  /** Empty, where there is none of this name. */
  create(name: string): void {
    if (!Object.hasOwn(this.#stored, name)) this.#write(name, [])
  }

  versions(name: string): readonly SecretVersion[] {
    return Object.hasOwn(this.#stored, name) ? (this.#stored[name] ?? []) : []
  }

  findByStage(name: string, stage: string): SecretVersion | undefined {
    return this.versions(name).find((version) => version.stages.includes(stage))
  }

  /** Adds a version and moves the labels to it; the first of a secret is the current one whatever its labels. */
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
      labelled.filter((each, index) => index >= surplus || each.stages.length > 0),
    )
  }

  /** Moves a label to a version, or takes it away where `to` is undefined. */
  moveStage(name: string, stage: string, to: string | undefined): void {
    this.#write(name, moved(this.versions(name), stage, to))
  }

  /** Takes every value of this secret that a boot was given off the disk. */
  forgetGiven(name: string): void {
    const versions = this.versions(name)
    const isKept = ({ digest, isGiven }: SecretVersion) => isGiven === true && digest === undefined
    if (!versions.some(isKept)) return
    const forgotten = versions.map((version) =>
      isKept(version) ? { ...version, digest: digestOf(version.secretString ?? '') } : version,
    )
    this.#write(name, forgotten)
  }

  /** Knows the value of a version again, for as long as this store is open. */
  recall(name: string, id: string, secretString: string): void {
    const versions = this.versions(name).map((each) => (each.id === id ? { ...each, secretString } : each))
    this.#stored = { ...this.#stored, [name]: versions }
  }

  #write(name: string, versions: readonly SecretVersion[]): void {
    const stored = { ...this.#stored, [name]: versions }
    const onDisk = Object.entries(stored).map(([each, all]) => [each, all.map(withoutUnkept)])
    this.#disk.replace(this.#file, JSON.stringify(Object.fromEntries(onDisk)))
    this.#stored = stored
  }
}

function withoutUnkept(version: SecretVersion): SecretVersion {
  if (version.digest === undefined) return version
  const { secretString: _, ...kept } = version
  return kept
}

export function digestOf(secretString: string): string {
  return createHash('sha256').update(secretString).digest('hex')
}

const REMEDY =
  'put it back from a copy, or move it out of the directory: values that are given at a start are then put again, and others, such as staged keys, are lost'

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

/** AWSPREVIOUS follows by itself to where AWSCURRENT was. */
function moved(versions: readonly SecretVersion[], stage: string, to: string | undefined): readonly SecretVersion[] {
  const from = versions.find((version) => version.stages.includes(stage))?.id
  const relabelled = versions.map((version) => {
    const others = version.stages.filter((each) => each !== stage)
    return { ...version, stages: version.id === to ? [...others, stage] : others }
  })
  return stage === CURRENT && from !== undefined && from !== to ? moved(relabelled, PREVIOUS, from) : relabelled
}
