// Secrets and their versions in one file that only its owner can read. Every change is written to
// a new file that replaces the old one, so that a kill or a power cut leaves either. Values go nowhere else.
// Source: AWS Secrets Manager API Reference (versions and staging labels).
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
  readonly secretString: string
  readonly stages: readonly string[]
  readonly createdMs: number
  /** Put at boot, by an option: what a later boot compares with what it is given. */
  readonly isGiven?: boolean
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

  #write(name: string, versions: readonly SecretVersion[]): void {
    const stored = { ...this.#stored, [name]: versions }
    this.#disk.replace(this.#file, JSON.stringify(stored))
    this.#stored = stored
  }
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
    typeof value.secretString === 'string' &&
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
