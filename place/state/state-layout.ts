// The files under a state directory. plain-words-ignore: this is a table.
//   lock/                      the process that uses it
//   desk.json                  how other processes reach that process
//   assembly/<hash>/           synthesized cloud assemblies
//   built-in/                  the built-in sandbox, an account of its own: aws/, sandbox.log, release (who wrote it last)
//   account.json               the account at a service that the directory is pinned to
//   service/                   the records of that account: aws/
//   start/                     the same for the tour, which starts from nothing each time
//   reports/                   pages about runs
//   proofs/                    proofs of runs and of movements, for others
//   proof-key.pem              the key that signs them
//   sandbox-proof-key.pem      the key that signs those of a sandbox and of the tour: play money

// Unfinished executions in an aws/ folder continue as soon as a command that may move money boots it. So a folder must
// only ever meet the account that its executions were started for.
import { existsSync } from 'node:fs'
import path from 'node:path'

export interface ServiceFolder {
  readonly awsDir: string
  readonly sandboxFile: string
  /**
   * ISO-8601, service time. Earlier movements of the account may be in another journal. Absent where they cannot be.
   */
  readonly newSince?: string
}

export function builtInFolder(stateDir: string): ServiceFolder {
  return folderAt(stateDir, 'built-in')
}

/** The one service of the directory's account, at whatever address. */
export function serviceFolder(stateDir: string): ServiceFolder {
  return folderAt(stateDir, 'service')
}

/**
 * Finds the records of a service, or without an address those of the built-in sandbox; undefined for a missing folder.
 */
export function findFolder(stateDir: string, address: string | undefined): ServiceFolder | undefined {
  const folder = address === undefined ? builtInFolder(stateDir) : serviceFolder(stateDir)
  return existsSync(folder.awsDir) ? folder : undefined
}

/** Whether a command has ever used the directory. The holder of its lock may be about to make the first records. */
export function wasUsed(stateDir: string): boolean {
  return existsSync(lockFolder(stateDir))
}

export function lockFolder(stateDir: string): string {
  return path.join(stateDir, 'lock')
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

/** A sandbox's movements must never be signed with the key that was published for money. */
export function proofKeyFile(stateDir: string, isSandbox: boolean): string {
  return path.join(stateDir, isSandbox ? 'sandbox-proof-key.pem' : 'proof-key.pem')
}
