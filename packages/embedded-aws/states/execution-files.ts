// Where the files of executions lie: `<state machine>/unfinished` while they run, `finished`
// after that, so that a start of the process reads only what has to go on. The file of a name
// exists at most once, which is what makes a name start at most one execution.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { AwsError } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { Refusal } from '../refusal.ts'
import { describe } from './execution-description.ts'
import { DamagedLog, type LoggedExecution, readLog, repairLog, type Skimmed, skimLog } from './execution-log.ts'
import { statusAfter } from './history.ts'

export type Shelf = 'unfinished' | 'finished'

/** An execution of a list, of which only the first and the last line were read. */
export interface ListedExecution {
  readonly startMs: number
  /** Undefined where it cannot be read. */
  read(): LoggedExecution | undefined
  /** Whether it is known to have another status, by what was read before. */
  isOther(status: string): boolean
}

/** Those of a machine that were put away. */
interface PutAway {
  /** Of their directory, when they were listed. */
  readonly changedNs: bigint
  readonly bases: ReadonlySet<string>
  readonly latest: readonly ListedExecution[]
}

/** Changes that come sooner after each other may bear the same time. */
const SETTLED_MS = 1_000

/** What was read of an execution, and stays so while its file is where it is. */
interface Known {
  readonly startMs: number
  /** How one that was put away has ended. */
  ended?: string
}

export class ExecutionFiles {
  readonly disk: Disk
  readonly #root: string
  /** Of those that were listed, by machine and file. */
  readonly #known = new Map<string, Known>()
  /** As they were listed last, by machine: there may be a hundred thousand, and most lists ask for the same ones. */
  readonly #putAway = new Map<string, PutAway>()
  /** Met so far, with what is wrong. */
  readonly #damaged = new Map<string, DamagedLog>()

  constructor(root: string, disk: Disk = DURABLE) {
    this.#root = root
    this.disk = disk
  }

  /** Makes the directories of a state machine. */
  prepare(machineName: string): void {
    for (const shelf of ['unfinished', 'finished'] as const) {
      this.disk.makeFolder(this.#shelf(machineName, shelf))
    }
  }

  /** State machines that have files, whether the assembly still has them or not. */
  machineNames(): readonly string[] {
    return existsSync(this.#root) ? readdirSync(this.#root) : []
  }

  pathOf(machineName: string, name: string, shelf: Shelf): string {
    return path.join(this.#shelf(machineName, shelf), fileName(name))
  }

  /** Where the execution's file is; undefined when the name was never started. */
  find(machineName: string, name: string): string | undefined {
    return [this.pathOf(machineName, name, 'unfinished'), this.pathOf(machineName, name, 'finished')].find(existsSync)
  }

  move(machineName: string, name: string, to: Shelf): void {
    const from = to === 'finished' ? 'unfinished' : 'finished'
    this.#known.delete(keyOf(machineName, fileName(name)))
    this.#putAway.delete(machineName)
    this.disk.move(this.pathOf(machineName, name, from), this.pathOf(machineName, name, to))
  }

  /** What is wrong with the files that were met and cannot be read: they are left where they are. */
  damage(): readonly string[] {
    return [...this.#damaged.values()].map(({ message }) => message)
  }

  isDamaged(executionArn: string): boolean {
    const [, , , , , , machineName = '', name = ''] = executionArn.split(':')
    return this.#damaged.has(this.pathOf(machineName, name, 'unfinished'))
  }

  /** Of executions that have not ended, or of which nobody can tell; those by what their file is called. */
  unfinishedNames(machineName: string): readonly string[] {
    return this.#paths(machineName, 'unfinished').flatMap((file) => {
      const logged = this.#read(file)
      if (logged instanceof DamagedLog) return path.basename(file).split('.').slice(0, 1)
      return logged === undefined ? [] : [logged.header.name]
    })
  }

  /** Every execution of a machine that can be read, on one shelf or on both. */
  list(machineName: string, shelves: readonly Shelf[] = ['unfinished', 'finished']): readonly LoggedExecution[] {
    return shelves.flatMap((shelf) =>
      this.#paths(machineName, shelf).flatMap((file) => {
        const logged = this.#read(file)
        return logged === undefined || logged instanceof DamagedLog ? [] : [logged]
      }),
    )
  }

  /**
   * Every execution of a machine, latest started first. Of each file only the first and the last line are read, once,
   * and the whole file when its item is read. Another process may be putting files away meanwhile.
   */
  latest(machineName: string, shelves: readonly Shelf[] = ['unfinished', 'finished']): readonly ListedExecution[] {
    // One that is put away between the two lists is in the second.
    const unfinished = shelves.includes('unfinished') ? this.#paths(machineName, 'unfinished') : []
    const { bases, latest } = shelves.includes('finished') ? this.#listPutAway(machineName) : NOTHING_PUT_AWAY
    const others = unfinished.filter((file) => !bases.has(path.basename(file)))
    return [...others.map((file) => this.#listed(machineName, file)), ...latest].sort(byLatestStart)
  }

  #listPutAway(machineName: string): PutAway {
    const directory = this.#shelf(machineName, 'finished')
    const { mtimeNs: changedNs } = statSync(directory, { bigint: true, throwIfNoEntry: false }) ?? NEVER
    const known = this.#putAway.get(machineName)
    if (known?.changedNs === changedNs) return known
    const files = this.#paths(machineName, 'finished')
    const listed: PutAway = {
      changedNs,
      bases: new Set(files.map((file) => path.basename(file))),
      latest: files.map((file) => this.#listed(machineName, file)).sort(byLatestStart),
    }
    // Another process may put files away, and its change may have the time of the one before.
    if (Date.now() - Number(changedNs / NS_A_MS) > SETTLED_MS) this.#putAway.set(machineName, listed)
    return listed
  }

  #listed(machineName: string, file: string): ListedExecution {
    const base = path.basename(file)
    return {
      startMs: this.#startOf(machineName, base, file),
      read: () => this.#readAnywhere(machineName, base, file),
      isOther: (status) => this.#isOther(machineName, base, file, status),
    }
  }

  /**
   * Executions that a former process left running. Tidies what its death left half done: `onEnded` hears of those
   * that had ended and were not put away. One that cannot be read stays where it is: its name is taken, and all
   * others go on.
   */
  recover(machineName: string, onEnded: (logged: LoggedExecution) => void): readonly LoggedExecution[] {
    for (const file of this.#paths(machineName, 'unfinished')) {
      const logged = this.#read(file)
      if (logged instanceof DamagedLog) continue
      if (logged === undefined) {
        // Cut off before its start was complete: nothing of it was ever announced.
        rmSync(file)
      } else if (hasEnded(logged)) {
        onEnded(logged)
        this.move(machineName, logged.header.name, 'finished')
      } else {
        repairLog(file)
      }
    }
    return this.list(machineName, ['unfinished'])
  }

  #read(file: string): LoggedExecution | DamagedLog | undefined {
    try {
      return readExecution(file)
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error
      this.#damaged.set(file, error)
      return error
    }
  }

  #startOf(machineName: string, base: string, file: string): number {
    const key = keyOf(machineName, base)
    const known = this.#known.get(key)
    if (known !== undefined) return known.startMs
    const skimmed = skim(file)
    if (skimmed === undefined) return 0
    const { startMs, ended } = skimmed
    this.#known.set(key, { startMs, ...(isPutAway(file) && ended !== undefined && { ended }) })
    return startMs
  }

  #isOther(machineName: string, base: string, file: string, status: string): boolean {
    const ended = this.#known.get(keyOf(machineName, base))?.ended
    return ended !== undefined && ended !== status && isPutAway(file)
  }

  /** A file that is not there any more was put away. */
  #readAnywhere(machineName: string, base: string, file: string): LoggedExecution | undefined {
    for (const place of [file, path.join(this.#shelf(machineName, 'finished'), base)]) {
      try {
        const logged = this.#read(place)
        if (logged === undefined || logged instanceof DamagedLog) return undefined
        const known = this.#known.get(keyOf(machineName, base))
        if (known !== undefined && isPutAway(place)) known.ended = describe(logged).status
        return logged
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
    return undefined
  }

  #shelf(machineName: string, shelf: Shelf): string {
    return path.join(this.#root, machineName, shelf)
  }

  #paths(machineName: string, shelf: Shelf): readonly string[] {
    const directory = this.#shelf(machineName, shelf)
    if (!existsSync(directory)) return []
    return readdirSync(directory).map((file) => path.join(directory, file))
  }
}

const NOTHING_PUT_AWAY: Pick<PutAway, 'bases' | 'latest'> = { bases: new Set(), latest: [] }
const NEVER = { mtimeNs: 0n }
const NS_A_MS = 1_000_000n

const byLatestStart = (left: ListedExecution, right: ListedExecution) => right.startMs - left.startMs

const keyOf = (machineName: string, base: string) => `${machineName}/${base}`

function isPutAway(file: string): boolean {
  return path.basename(path.dirname(file)) === ('finished' satisfies Shelf)
}

/**
 * One execution; undefined where nothing of it ever happened.
 * @throws DamagedLog, also for one that was put away and whose end is not in its file
 */
export function readExecution(file: string): LoggedExecution | undefined {
  const logged = readLog(file)
  if (isPutAway(file) && (logged === undefined || !hasEnded(logged))) {
    throw new DamagedLog(`${file} lacks the end of its execution: the file was cut off`)
  }
  return logged
}

/** One that cannot be read has its name all the same. Throws ExecutionAlreadyExists for it. */
export function readStarted(file: string): LoggedExecution {
  try {
    const logged = readExecution(file)
    if (logged !== undefined) return logged
  } catch (error) {
    if (error instanceof DamagedLog) throw new AwsError('ExecutionAlreadyExists', error.message)
    throw error
  }
  throw new Error('a file of an execution without its start')
}

/**
 * Undefined also for one that another process has put away since it was listed: it is read where it is then. Whoever reads
 * one of another user hears that it is none.
 */
function skim(file: string): Skimmed | undefined {
  try {
    return skimLog(file)
  } catch (error) {
    if (isGone(error) || error instanceof Refusal) return undefined
    throw error
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function hasEnded(logged: LoggedExecution): boolean {
  const status = logged.events.map(statusAfter).findLast((found) => found !== undefined)
  return status !== 'RUNNING'
}

/** Readable, and unique also where a file system does not tell letter cases apart. */
function fileName(name: string): string {
  const readable = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  return `${readable}.${createHash('sha256').update(name).digest('hex').slice(0, 16)}.jsonl`
}
