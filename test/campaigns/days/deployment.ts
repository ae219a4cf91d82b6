// Runs the embedded AWS during the days. Each edit of treasury.json deploys again: work under way stops, and the next
// process continues it from the same state directory.

import { randomUUID } from 'node:crypto'
import { type EmbeddedAws, type EmbeddedAwsOptions, startEmbeddedAws } from '@sluice/embedded-aws'
import { recordVerification } from '../../../core/journal/verification.ts'
import { ConfigError } from '../../../core/treasury/config.ts'
import { declared } from '../../helpers/declared-journal.ts'
import type { Assemble } from './assemblies.ts'
import type { FileInForce, TreasuryFile } from './treasury-file.ts'
import type { VirtualTime } from './virtual-time.ts'
import { withStore } from './with-store.ts'

export interface DeploymentParts {
  readonly assemble: Assemble
  readonly file: TreasuryFile
  readonly time: VirtualTime
  readonly options: Omit<EmbeddedAwsOptions, 'assemblyDir'>
}

type Change = (file: TreasuryFile) => TreasuryFile
type Renamed = Readonly<Record<string, string>>

export class Deployment {
  readonly files: FileInForce[] = []
  readonly refusals: string[] = []
  readonly #parts: DeploymentParts
  #file: TreasuryFile
  /** Directory of the last accepted file's assembly. */
  #dir: string | undefined
  #aws: EmbeddedAws | undefined
  #restarting: Promise<void> = Promise.resolve()
  readonly #edits: (readonly [Change, Renamed])[] = []

  constructor(parts: DeploymentParts) {
    this.#parts = parts
    this.#file = parts.file
  }

  get aws(): EmbeddedAws {
    if (this.#aws === undefined) throw new Error('nothing is deployed')
    return this.#aws
  }

  /** Call it before virtual time starts. Returns false for a refused file. */
  assemble(): boolean {
    this.#assemble(this.#file, {})
    return this.#dir !== undefined
  }

  async start(): Promise<void> {
    if (this.#dir === undefined) throw new Error('no file was taken')
    const { options, time } = this.#parts
    const aws = await startEmbeddedAws({ ...options, assemblyDir: this.#dir })
    // While this runs, time flows as on the host, whose clock the SDK signs by.
    time.begin()
    try {
      this.#aws = await declared(Promise.resolve(aws), undefined, () => time.nowMs())
      const at = new Date(time.nowMs()).toISOString()
      await withStore(aws, time, (store) => recordVerification(store, randomUUID, at))
    } finally {
      time.end()
    }
    this.#aws.schedules.start()
  }

  /** Stops everything at once, and continues under the new file after some seconds of virtual time. */
  edit(change: Change, renamed: Renamed = {}): void {
    this.#edits.push([change, renamed])
    if (this.#edits.length > 1) return
    const { time } = this.#parts
    time.begin()
    this.#aws?.halt()
    this.#restarting = this.#restart().finally(() => time.end())
    // `settled` reports the error.
    this.#restarting.catch(() => {})
  }

  /** Rejects if a restart failed. */
  settled(): Promise<void> {
    return this.#restarting
  }

  async stop(): Promise<void> {
    await this.#restarting.catch(() => {})
    await this.#aws?.stop()
  }

  async #restart(): Promise<void> {
    // Leaves the stack of the listener that asked for it.
    await new Promise((resolve) => setImmediate(resolve))
    await this.#aws?.stop()
    for (const [change, renamed] of this.#edits.splice(0)) this.#assemble(change(structuredClone(this.#file)), renamed)
    await this.start()
  }

  #assemble(file: TreasuryFile, renamed: Renamed): void {
    try {
      const { dir, treasury } = this.#parts.assemble(file)
      this.files.push({ atMs: this.#parts.time.nowMs(), treasury, renamed })
      this.#file = file
      this.#dir = dir
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.refusals.push(error.message)
    }
  }
}
