// The objects of a bucket: each content in a file of its own, and a list of the versions. Both are on disk before the sender
// gets an answer. A bucket without versioning keeps the latest content of each key only.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStoredLines, readOwnBytes, readOwnText } from '../own-file.ts'

/** A bucket, as its template declares it. */
export interface BucketDefinition {
  readonly name: string
  readonly arn: string
  readonly isVersioned: boolean
  /** Whether EventBridge's default bus hears of every new object. */
  readonly notifiesBus: boolean
  readonly notified: readonly NotifiedTarget[]
}

/** A function or a queue that hears of new objects whose keys have the prefix and the suffix. */
export interface NotifiedTarget {
  readonly targetArn: string
  readonly prefix: string
  readonly suffix: string
}

export interface ObjectVersion {
  readonly key: string
  /** `null` without versioning, as on AWS. */
  readonly versionId: string
  /** MD5 as hex, without the quotes of the wire. */
  readonly etag: string
  readonly size: number
  readonly contentType: string
  readonly metadata: Readonly<Record<string, string>>
  readonly writtenMs: number
  /** Grows with each object of the bucket. */
  readonly sequence: number
  /** Name of the file with the content. */
  readonly file: string
}

export type NewObject = Pick<ObjectVersion, 'key' | 'contentType' | 'metadata'> & {
  readonly content: Buffer
  /** Whether the key must be free. */
  readonly mustBeNew: boolean
}

export const UNVERSIONED = 'null'
/** Maximum versions of a bucket. It bounds mistakes of a machine's owner. */
const MOST_VERSIONS = 10_000
/** S3's maximum bytes of a key. */
const MOST_KEY_BYTES = 1024

export class BucketStore {
  readonly definition: BucketDefinition
  readonly #folder: string
  readonly #list: string
  readonly #clock: AwsClock
  readonly #newId: () => string
  readonly #disk: Disk
  /** Oldest first. */
  #versions: readonly ObjectVersion[]

  constructor(
    directory: string,
    definition: BucketDefinition,
    clock: AwsClock,
    newId: () => string,
    disk: Disk = DURABLE,
  ) {
    this.definition = definition
    this.#folder = path.join(directory, definition.name)
    this.#list = path.join(this.#folder, 'versions.jsonl')
    this.#clock = clock
    this.#newId = newId
    this.#disk = disk
    this.#versions = this.#read()
  }

  /** Throws PreconditionFailed, KeyTooLongError or OverLimit. */
  put({ content, contentType, key, metadata, mustBeNew }: NewObject): ObjectVersion {
    if (Buffer.byteLength(key) > MOST_KEY_BYTES) throw new AwsError('KeyTooLongError', 'Your key is too long')
    const known = this.find(key)
    if (mustBeNew && known !== undefined) {
      throw new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412)
    }
    if (this.#versions.length >= MOST_VERSIONS) {
      throw new AwsError('OverLimit', `The embedded AWS keeps ${MOST_VERSIONS} versions in a bucket`)
    }
    const file = hashOf('sha256', this.#newId())
    const version = {
      ...{ key, contentType, metadata, file },
      versionId: this.definition.isVersioned ? versionIdOf(file) : UNVERSIONED,
      etag: hashOf('md5', content),
      size: content.length,
      writtenMs: this.#clock.nowMs(),
      sequence: (this.#versions.at(-1)?.sequence ?? 0) + 1,
    }
    this.#disk.makeFolder(this.#folder)
    this.#disk.create(path.join(this.#folder, file), content)
    this.#disk.append(this.#list, `${JSON.stringify(version)}\n`)
    this.#versions = kept([...this.#versions, version])
    if (known?.versionId === UNVERSIONED && version.versionId === UNVERSIONED) this.#remove(known.file)
    return version
  }

  /** Returns the latest version of a key, or the named one. */
  find(key: string, versionId?: string): ObjectVersion | undefined {
    return this.#versions.findLast(
      (version) => version.key === key && (versionId === undefined || version.versionId === versionId),
    )
  }

  contentOf({ file }: ObjectVersion): Buffer {
    return readOwnBytes(path.join(this.#folder, file))
  }

  /** Returns all versions by key, and the latest of each key first, as S3 lists them. */
  versions(): readonly ObjectVersion[] {
    const latestFirst = this.#versions.toReversed()
    // S3 orders keys by their bytes. The sort keeps the order within a key.
    return latestFirst.sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)))
  }

  #read(): readonly ObjectVersion[] {
    if (!existsSync(this.#folder)) return []
    const text = existsSync(this.#list) ? readOwnText(this.#list) : ''
    const versions = kept(parseStoredLines(text, this.#list, isVersion, 'remove that line; its object is lost'))
    this.#disk.replace(this.#list, versions.map((version) => `${JSON.stringify(version)}\n`).join(''))
    // A kill between the content and the list leaves a file that no version names.
    const named = new Set([path.basename(this.#list), ...versions.map(({ file }) => file)])
    for (const file of readdirSync(this.#folder)) if (!named.has(file)) this.#remove(file)
    return versions
  }

  #remove(file: string): void {
    this.#disk.remove(path.join(this.#folder, file))
  }
}

/** Without versioning a new content replaces the earlier one. */
function kept(versions: readonly ObjectVersion[]): readonly ObjectVersion[] {
  const replaced = new Map(
    versions.filter(({ versionId }) => versionId === UNVERSIONED).map((version) => [version.key, version]),
  )
  return versions.filter(
    (version) => version.versionId !== UNVERSIONED || replaced.get(version.key)?.file === version.file,
  )
}

/** Returns an id with the characters of S3's ids, among them the dot and the underscore. */
function versionIdOf(file: string): string {
  return Buffer.from(file, 'hex').subarray(0, 24).toString('base64url').replaceAll('-', '.')
}

function hashOf(algorithm: 'md5' | 'sha256', content: string | Buffer): string {
  return createHash(algorithm).update(content).digest('hex')
}

function isVersion(value: unknown): value is ObjectVersion {
  return isObject(value) && typeof value.key === 'string' && /^[0-9a-f]{64}$/.test(String(value.file))
}
