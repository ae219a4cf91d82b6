// Keeps a state directory to its owner. Its files are for the owner only. But anybody who may write to the directory
// could replace them, and anybody who may read it sees its content. Each command checks the first 10,000 entries before
// it trusts them, because a directory that was open once may still hold files of others. It closes its own files that
// were readable at most, removes drafts that a crash left, and refuses everything else by name.

import { chmodSync, lstatSync, opendirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { isDraft, Refusal, readOwnText } from '@sluice/embedded-aws'
import { ExitCode } from '../exit-code.ts'
import { systemCodeOf } from '../files/disk-fault.ts'
import { type Advice, advice, option } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'

const OWNER_ONLY = 0o700
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
/** On a folder such as /tmp or /dev/shm, which others need unchanged. */
const STICKY = 0o1000
/**
 * Maximum entries that one command checks, in some 30 ms. The deepest folders come last. They hold executions, whose
 * files are checked again whenever one is opened (packages/embedded-aws/own-file.ts).
 */
export const MOST_ENTRIES = 10_000
/** A draft is renamed at once. A draft older than ten minutes was left by a killed process. */
const ABANDONED_AFTER_MS = 600_000

/**
 * Call it before anything in the directory is trusted. `onRepaired` gets a message where the directory was open to
 * others.
 * @throws OperationError (exit 2) that names the entry and the remedy, where others may change it
 */
export function keepPrivate(stateDir: string, onRepaired: (words: string) => void): void {
  const user = process.getuid?.()
  // Other systems have other kinds of permissions.
  if (user === undefined) return
  assertNamedByOwner(stateDir, user)
  const { mode, uid } = statSync(stateDir)
  if (uid !== user) {
    throw refused(
      `${stateDir} belongs to another user (${uid}), who could put other records and keys there`,
      `run this command as that user, or make it yours: chown -R ${user} ${stateDir}`,
    )
  }
  const isOpen = (mode & OTHERS) !== 0
  if (isOpen) assertRepairable(stateDir, mode)
  const { open, abandoned } = lookBelow({ stateDir, user, isOpen })
  if (isOpen) chmodSync(stateDir, OWNER_ONLY)
  for (const [file, { mode: was }] of open) change(() => chmodSync(file, was & OWNER_ONLY))
  for (const draft of abandoned) change(() => rmSync(draft, { force: true }))
  if (isOpen)
    onRepaired(
      `${stateDir} was open to others (mode ${octal(mode)}); it is for its owner only now (${octal(OWNER_ONLY)})`,
    )
}

/** The owner of a link in a shared folder decides where it leads. */
function assertNamedByOwner(stateDir: string, user: number): void {
  const named = lstatSync(stateDir)
  if (!named.isSymbolicLink() || named.uid === user) return
  throw refused(
    `${stateDir} is a symbolic link of another user (${named.uid})`,
    advice`give ${option('state')} the directory itself`,
  )
}

function assertRepairable(stateDir: string, mode: number): void {
  const isShared = (mode & STICKY) !== 0
  const entries = readdirSync(stateDir)
  if (isShared || !entries.every((name) => OWN.test(name))) {
    const why = isShared ? 'is there for all users of this machine to share' : "has files that are not Sluice's"
    throw refused(
      `${stateDir} is open to others (mode ${octal(mode)}), and ${why}`,
      advice`give ${option('state')} a directory of its own, such as one below it`,
    )
  }
  if ((mode & OTHERS_WRITE) === 0 || entries.length === 0) return
  throw refused(
    `${stateDir} is open to others (mode ${octal(mode)}), who could take records away and put others there`,
    `put it back from a copy; or, where you know that all is as you left it, close it: chmod -R go= ${stateDir}`,
  )
}

interface Checked {
  /** Entries that only have to be closed. */
  readonly open: ReadonlyMap<string, Stats>
  /** Drafts that nobody will rename. */
  readonly abandoned: readonly string[]
}

/** @throws OperationError (exit 2) that names the first entry that others own or may have changed */
function lookBelow(place: Place): Checked {
  const open = new Map<string, Stats>()
  const abandoned: string[] = []
  const folders = [place.stateDir]
  let count = 0
  for (const folder of folders) {
    for (const name of namesIn(folder, MOST_ENTRIES - count)) {
      const file = path.join(folder, name)
      // Another process may have removed it meanwhile.
      const found = lstatSync(file, { throwIfNoEntry: false })
      if (found === undefined) continue
      count += 1
      assertOwn(file, found, place)
      if (found.isDirectory()) folders.push(file)
      if ((found.mode & OTHERS) !== 0) open.set(file, found)
      if (isDraft(name) && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) abandoned.push(file)
    }
  }
  return { open, abandoned }
}

function* namesIn(folder: string, most: number): Generator<string> {
  if (most <= 0) return
  const opened = change(() => opendirSync(folder, { bufferSize: 512 }))
  try {
    for (let count = 0; count < most; count += 1) {
      const entry = opened?.readSync()
      if (!entry) return
      yield entry.name
    }
  } finally {
    opened?.closeSync()
  }
}

/** A state directory as it was found. */
interface Place {
  readonly stateDir: string
  readonly user: number
  /** Whether others can get into it. */
  readonly isOpen: boolean
}

/** @throws OperationError (exit 2) */
function assertOwn(file: string, found: Stats, { stateDir, user, isOpen }: Place): void {
  if (found.uid !== user) {
    throw refused(
      `${file} belongs to another user (${found.uid}), who may have put it there`,
      `remove it: rm -r ${file}; or, where you know that it is yours, such as from a copy that another user made: chown -hR ${user} ${file}`,
    )
  }
  if (!found.isDirectory() && !found.isFile()) {
    const kind = found.isSymbolicLink() ? 'a symbolic link, and may lead out of the directory' : 'no file and no folder'
    throw refused(`${file} is ${kind}`, `put the file itself there, or remove it: rm ${file}`)
  }
  // For a moment a number of the lock also has the name of its draft.
  if (found.isFile() && found.nlink > 1 && path.basename(path.dirname(file)) !== LOCK) {
    throw refused(
      `${file} has another name too (a hard link), and what is written to it would be written there`,
      `put a copy in its place, or remove it: cp -p ${file} ${file}.copy && mv ${file}.copy ${file}`,
    )
  }
  if (!isOpen) return
  const isWritable = (found.mode & OTHERS_WRITE) !== 0
  if (!isWritable && (found.isDirectory() || (found.mode & OTHERS) === 0)) return
  // A file that another user has open stays open to them, whatever its permissions become. A copy is another file.
  const aside = `${stateDir}.open`
  throw refused(
    `${stateDir} is open to others, and so is ${file} in it (mode ${octal(found.mode)}): they may still have it open`,
    `stop what uses the directory, and continue with a copy that is yours alone: mv ${stateDir} ${aside} && (umask 077 && cp -R ${aside} ${stateDir}); never use ${aside} again`,
  )
}

/**
 * Text of a file of this user; undefined where it does not exist.
 * @throws OperationError (exit 2) for a file of another user, or for a link
 */
export function readOwn(file: string): string | undefined {
  try {
    return readOwnText(file)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error instanceof Refusal ? refused(error.message, `rm ${file}, where you do not know it`) : error
  }
}

/** Does a change that another process may have done already. */
function change<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The folder of state-lock.ts, at any depth in this directory. */
const LOCK = 'lock'

/** Names that Sluice creates (state-layout.ts). An empty directory gets only these. */
const OWN =
  /^(?:lock|assembly|built-in|service|start|reports|proofs|(?:sandbox-)?proof-key\.pem|(?:account|desk)\.json(?:\.[0-9a-f]{16}\.new)?)$/

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0')
}

function refused(problem: string, next: Advice): OperationError {
  const message = advice`${option('state')}: ${problem}`
  return new OperationError({ exitCode: ExitCode.Usage, code: 'state_unusable', message, next })
}
