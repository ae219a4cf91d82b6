// Where things lie under a state directory:
//   lock/                      who uses it
//   assembly/<hash>/           synthesized cloud assemblies
//   built-in/  <service>/      one folder a service: aws/, account, and sandbox.log for the built-in one
//   start/                     the same for the tour, which begins afresh each time
//   reports/                   pages that tell of runs
// Executions found unfinished in an aws/ folder go on as soon as a command that may move money boots it, so a folder
// must only ever meet the service that its executions were started against.
import path from 'node:path'
import { serviceFolderName } from '../service-address.ts'

export interface ServiceFolder {
  /** State of the embedded AWS. */
  readonly awsDir: string
  /** State of the built-in sandbox. */
  readonly sandboxFile: string
  /** Says whose runs these are, with a service that is not built in. */
  readonly accountFile: string
}

/** `address` absent: the built-in sandbox. */
export function serviceFolder(stateDir: string, address: string | undefined): ServiceFolder {
  return folderAt(stateDir, address === undefined ? 'built-in' : serviceFolderName(address))
}

export function tourFolder(stateDir: string): ServiceFolder & { readonly configFile: string } {
  return { ...folderAt(stateDir, 'start'), configFile: path.join(stateDir, 'start', 'treasury.json') }
}

function folderAt(stateDir: string, name: string): ServiceFolder {
  const dir = path.join(stateDir, name)
  return {
    awsDir: path.join(dir, 'aws'),
    sandboxFile: path.join(dir, 'sandbox.log'),
    accountFile: path.join(dir, 'account'),
  }
}

export function assemblyFolder(stateDir: string): string {
  return path.join(stateDir, 'assembly')
}

/** A run's id keeps to letters, digits and dashes. */
export function reportFile(stateDir: string, runId: string): string {
  return path.join(stateDir, 'reports', `${runId}.html`)
}
