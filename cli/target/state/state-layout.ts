// Where things lie under a state directory:
//   lock/                      who uses it
//   desk.json                  how others reach who uses it
//   assembly/<hash>/           synthesized cloud assemblies
//   built-in/                  the built-in sandbox, an account of its own: aws/, sandbox.log
//   account.json               the account at a service that the directory is known by, and the folder of its records
//   service/                   those records: aws/. Directories of before have <host>_<port>_<hash>/ in its place
//   start/                     the same for the tour, which begins afresh each time
//   reports/                   pages that tell of runs
//   proofs/                    proofs of runs and of movements, for others
//   proof-key.pem              the key that signs them
//   sandbox-proof-key.pem      the key that signs those of a sandbox and of the tour: play money
// Executions found unfinished in an aws/ folder go on as soon as a command that may move money boots it, so a folder
// must only ever meet the account that its executions were started for.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { serviceFolderName } from '../service/service-address.ts'
import { findAccountPin } from './account-pin.ts'
import { formerFolders } from './former-folders.ts'

export interface ServiceFolder {
  /** State of the embedded AWS. */
  readonly awsDir: string
  /** State of the built-in sandbox. */
  readonly sandboxFile: string
  /** ISO-8601, service time. What the account moved before it may be in another journal. Absent where it cannot be. */
  readonly newSince?: string
}

export function builtInFolder(stateDir: string): ServiceFolder {
  return folderAt(stateDir, 'built-in')
}

/**
 * Finds records by the address alone, without asking a key. Without an address it finds those of the built-in sandbox.
 * `undefined` where there are none, or where it is not certain which are meant.
 */
export function findFolder(stateDir: string, address: string | undefined): ServiceFolder | undefined {
  const name = address === undefined ? 'built-in' : findFolderName(stateDir, address)
  const folder = name === undefined ? undefined : folderAt(stateDir, name)
  return folder !== undefined && existsSync(folder.awsDir) ? folder : undefined
}

/** Whether a command has ever used the directory. Who has its lock may be about to make the first records. */
export function wasUsed(stateDir: string): boolean {
  return existsSync(lockFolder(stateDir))
}

export function lockFolder(stateDir: string): string {
  return path.join(stateDir, 'lock')
}

/** The pinned folder. In a directory of an older version, the folder of this address, or else the only one. */
export function findFolderName(stateDir: string, address: string): string | undefined {
  const pin = findAccountPin(stateDir)
  if (pin !== undefined) return pin.folder
  const names = formerFolders(stateDir).map(({ name }) => name)
  const own = serviceFolderName(address)
  if (names.includes(own)) return own
  return names.length === 1 ? names[0] : undefined
}

/** All records that a command may mean: those of the built-in sandbox, or those of a service at any address. */
export function keptFolders(stateDir: string, isNamed: boolean): ServiceFolder[] {
  if (!isNamed) return [builtInFolder(stateDir)]
  const pinned = findAccountPin(stateDir)?.folder
  const names = new Set([...(pinned === undefined ? [] : [pinned]), ...formerFolders(stateDir).map(({ name }) => name)])
  return [...names].map((name) => folderAt(stateDir, name))
}

export function tourFolder(stateDir: string): ServiceFolder & { readonly name: string; readonly configFile: string } {
  const name = 'start'
  return { ...folderAt(stateDir, name), name, configFile: path.join(stateDir, name, 'treasury.json') }
}

export function folderAt(stateDir: string, name: string): ServiceFolder {
  const dir = path.join(stateDir, name)
  return { awsDir: path.join(dir, 'aws'), sandboxFile: path.join(dir, 'sandbox.log') }
}

export function assemblyFolder(stateDir: string): string {
  return path.join(stateDir, 'assembly')
}

/** A run's id has only letters, digits and dashes, so it is safe as the name of a file. */
export function reportFile(stateDir: string, runId: string): string {
  return path.join(stateDir, 'reports', `${runId}.html`)
}

export function proofFile(stateDir: string, id: string): string {
  return path.join(stateDir, 'proofs', `${id}.proof`)
}

/** What a sandbox moved must never stand under the key that was published for money. */
export function proofKeyFile(stateDir: string, isSandbox: boolean): string {
  return path.join(stateDir, isSandbox ? 'sandbox-proof-key.pem' : 'proof-key.pem')
}
