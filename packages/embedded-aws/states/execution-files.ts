// Where the files of executions are: `<state machine>/unfinished` while they run, then `finished`, so that a start of
// the process reads only those to continue. A name has at most one file, so it starts at most one execution.

import { createHash } from 'node:crypto'
import { existsSync, opendirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { AwsError, Refusal } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { describe } from './execution-description.ts'
import { DamagedLog, type LogEnds, type LoggedExecution, readLog, readLogEnds, repairLog } from './execution-log.ts'
import { statusAfter } from './history.ts'

export type LogFolder = 'unfinished' | 'finished'

/** An execution in a list. Only the first and last line of its file were read. */
export interface ListedExecution {
  readonly startMs: number
  /** Reads the execution; undefined when it cannot be read. */
  read(): LoggedExecution | undefined
  /** Whether earlier reads show that its status differs from this one. */
  isOther(status: string): boolean
}

/** The finished executions of a machine. */
interface FinishedList {
  /** Modification time of their directory when they were listed, in nanoseconds. */
  readonly changedNs: bigint
  readonly bases: ReadonlySet<string>
  readonly latest: readonly ListedExecution[]
}

/** Changes within this time of each other may have the same modification time. */
const SETTLED_MS = 1_000

/** Facts read from an execution's file. They are forgotten when the file moves. */
interface Known {
  readonly startMs: number
  /** The final status of a finished execution. */
  ended?: string
}

export class ExecutionFiles {
  readonly disk: Disk
  readonly #root: string
  /** Facts of listed executions, by machine and file. */
  readonly #known = new Map<string, Known>()
  /**
   * The last lists of finished executions, by machine. There may be a hundred thousand, and most requests list the same
   * ones.
   */
  readonly #finished = new Map<string, FinishedList>()
  /** Damaged files found so far, with the damage. */
  readonly #damaged = new Map<string, DamagedLog>()

  constructor(root: string, disk: Disk = DURABLE) {
    this.#root = root
    this.disk = disk
  }

  /** Creates the directories of a state machine. */
  prepare(machineName: string): void {
    for (const folder of ['unfinished', 'finished'] as const) {
      this.disk.makeFolder(this.#folder(machineName, folder))
    }
  }

  /** Whether an execution was ever started. The folders alone say nothing: a start of the process makes them. */
  hasAny(): boolean {
    const folders = ['unfinished', 'finished'] as const
    return this.machineNames().some((machine) => folders.some((folder) => hasEntry(this.#folder(machine, folder))))
  }

  /** Returns the state machines that have folders, even if the assembly no longer has them. */
  machineNames(): readonly string[] {
    return existsSync(this.#root) ? readdirSync(this.#root) : []
  }

  pathOf(machineName: string, name: string, folder: LogFolder): string {
    return path.join(this.#folder(machineName, folder), fileName(name))
  }

  /** Returns the path of an execution's file; undefined when the name was never started. */
  find(machineName: string, name: string): string | undefined {
    return [this.pathOf(machineName, name, 'unfinished'), this.pathOf(machineName, name, 'finished')].find(existsSync)
  }

  move(machineName: string, name: string, to: LogFolder): void {
    const from = to === 'finished' ? 'unfinished' : 'finished'
    const key = keyOf(machineName, fileName(name))
    // A list that was made before still has them.
    delete this.#known.get(key)?.ended
    this.#known.delete(key)
    this.#finished.delete(machineName)
    this.disk.move(this.pathOf(machineName, name, from), this.pathOf(machineName, name, to))
  }

  /** Describes the damage of the unreadable files found so far. They stay where they are. */
  damage(): readonly string[] {
    return [...this.#damaged.values()].map(({ message }) => message)
  }

  isDamaged(executionArn: string): boolean {
    const [, , , , , , machineName = '', name = ''] = executionArn.split(':')
    return this.#damaged.has(this.pathOf(machineName, name, 'unfinished'))
  }

  /**
   * Returns the names of executions that have not ended, or whose end is unknown. A damaged one is named by its file.
   */
  unfinishedNames(machineName: string): readonly string[] {
    return this.#paths(machineName, 'unfinished').flatMap((file) => {
      const logged = this.#read(file)
      if (logged instanceof DamagedLog) return path.basename(file).split('.').slice(0, 1)
      return logged === undefined ? [] : [logged.header.name]
    })
  }

  /** Returns every readable execution of a machine, in one directory or both. */
  list(machineName: string, folders: readonly LogFolder[] = ['unfinished', 'finished']): readonly LoggedExecution[] {
    return folders.flatMap((folder) =>
      this.#paths(machineName, folder).flatMap((file) => {
        const logged = this.#read(file)
        return logged === undefined || logged instanceof DamagedLog ? [] : [logged]
      }),
    )
  }

  /**
   * Returns every execution of a machine, latest start first. It reads only the first and last line of each file, once;
   * the whole file is read with the item. Another process may move files meanwhile.
   */
  latest(machineName: string, folders: readonly LogFolder[] = ['unfinished', 'finished']): readonly ListedExecution[] {
    // A file that moves while the lists are read is in the second list.
    const unfinished = folders.includes('unfinished') ? this.#paths(machineName, 'unfinished') : []
    const { bases, latest } = folders.includes('finished') ? this.#listFinished(machineName) : NO_FINISHED
    const others = unfinished.filter((file) => !bases.has(path.basename(file)))
    if (others.length === 0) return latest
    return [...others.map((file) => this.#listed(machineName, file)), ...latest].sort(byLatestStart)
  }

  #listFinished(machineName: string): FinishedList {
    const directory = this.#folder(machineName, 'finished')
    const { mtimeNs: changedNs } = statSync(directory, { bigint: true, throwIfNoEntry: false }) ?? NEVER
    const known = this.#finished.get(machineName)
    if (known?.changedNs === changedNs) return known
    const files = this.#paths(machineName, 'finished')
    const listed: FinishedList = {
      changedNs,
      bases: new Set(files.map((file) => path.basename(file))),
      latest: files.map((file) => this.#listed(machineName, file)).sort(byLatestStart),
    }
    // Another process may move files, and its change may have the same modification time.
    if (Date.now() - Number(changedNs / NS_PER_MS) > SETTLED_MS) this.#finished.set(machineName, listed)
    return listed
  }

  #listed(machineName: string, file: string): ListedExecution {
    const base = path.basename(file)
    const known = this.#factsOf(machineName, base, file)
    return {
      startMs: known.startMs,
      read: () => this.#readAnywhere(machineName, base, file),
      // Called for each of a hundred thousand executions at each request.
      isOther: (status) => known.ended !== undefined && known.ended !== status,
    }
  }

  /**
   * Returns the executions that an earlier process left running, and finishes what its death interrupted. `onEnded`
   * gets those that had ended without being moved. An unreadable file stays: its name is taken, and all others
   * continue.
   */
  recover(machineName: string, onEnded: (logged: LoggedExecution) => void): readonly LoggedExecution[] {
    for (const file of this.#paths(machineName, 'unfinished')) {
      const logged = this.#read(file)
      if (logged instanceof DamagedLog) continue
      if (logged === undefined) {
        // Cut off before its start was complete, so nothing of it was announced.
        this.disk.remove(file)
      } else if (hasEnded(logged)) {
        onEnded(logged)
        this.move(machineName, logged.header.name, 'finished')
      } else {
        repairLog(this.disk, file)
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

  #factsOf(machineName: string, base: string, file: string): Known {
    const key = keyOf(machineName, base)
    const known = this.#known.get(key)
    // Another process may have moved the file back since, because its execution was redriven.
    if (known !== undefined && (known.ended === undefined || isFinished(file))) return known
    const ends = readEnds(file)
    if (ends === undefined) return { startMs: 0 }
    const { startMs, ended } = ends
    const found = { startMs, ...(isFinished(file) && ended !== undefined && { ended }) }
    this.#known.set(key, found)
    return found
  }

  /** Reads an execution's file at its place, or among the finished ones if it was moved. */
  #readAnywhere(machineName: string, base: string, file: string): LoggedExecution | undefined {
    for (const place of [file, path.join(this.#folder(machineName, 'finished'), base)]) {
      try {
        const logged = this.#read(place)
        if (logged === undefined || logged instanceof DamagedLog) return undefined
        const known = this.#known.get(keyOf(machineName, base))
        if (known !== undefined && isFinished(place)) known.ended = describe(logged).status
        return logged
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
    return undefined
  }

  #folder(machineName: string, folder: LogFolder): string {
    return path.join(this.#root, machineName, folder)
  }

  #paths(machineName: string, folder: LogFolder): readonly string[] {
    const directory = this.#folder(machineName, folder)
    if (!existsSync(directory)) return []
    return readdirSync(directory).map((file) => path.join(directory, file))
  }
}

/** Reads one entry at most, because a folder may have a hundred thousand. */
function hasEntry(folder: string): boolean {
  if (!existsSync(folder)) return false
  const directory = opendirSync(folder)
  try {
    return directory.readSync() !== null
  } finally {
    directory.closeSync()
  }
}

const NO_FINISHED: Pick<FinishedList, 'bases' | 'latest'> = { bases: new Set(), latest: [] }
const NEVER = { mtimeNs: 0n }
const NS_PER_MS = 1_000_000n

const byLatestStart = (left: ListedExecution, right: ListedExecution) => right.startMs - left.startMs

const keyOf = (machineName: string, base: string) => `${machineName}/${base}`

function isFinished(file: string): boolean {
  return path.basename(path.dirname(file)) === ('finished' satisfies LogFolder)
}

/**
 * Reads an execution; undefined when nothing of it ever happened.
 * @throws DamagedLog, even for a finished one whose end is not in its file
 */
export function readExecution(file: string): LoggedExecution | undefined {
  const logged = readLog(file)
  if (isFinished(file) && (logged === undefined || !hasEnded(logged))) {
    throw new DamagedLog(`${file} lacks the end of its execution: the file was cut off`)
  }
  return logged
}

/** Reads an execution whose name is taken. Throws ExecutionAlreadyExists when it cannot be read. */
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
 * Returns undefined also for a file that another process has moved since it was listed; it is read at its new place
 * then. A file of another user counts as unreadable.
 */
function readEnds(file: string): LogEnds | undefined {
  try {
    return readLogEnds(file)
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

/** Returns a readable file name, unique even on file systems that ignore letter case. */
function fileName(name: string): string {
  const readable = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  return `${readable}.${createHash('sha256').update(name).digest('hex').slice(0, 16)}.jsonl`
}
