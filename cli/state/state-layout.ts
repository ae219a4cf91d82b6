// Where things lie under a state directory:
//   lock/                      who uses it
//   assembly/<hash>/           synthesized cloud assemblies
//   built-in/  <service>/      one folder a service: aws/, and sandbox.log for the built-in one
// Executions found unfinished in an aws/ folder go on as soon as it boots, so a folder must only
// ever meet the service that its executions were started against.
import path from 'node:path'
import { serviceFolderName } from '../service-address.ts'

export interface ServiceFolder {
  /** State of the embedded AWS. */
  readonly awsDir: string
  /** State of the built-in sandbox. */
  readonly sandboxFile: string
}

/** `address` absent: the built-in sandbox. */
export function serviceFolder(stateDir: string, address: string | undefined): ServiceFolder {
  const folder = path.join(stateDir, address === undefined ? 'built-in' : serviceFolderName(address))
  return { awsDir: path.join(folder, 'aws'), sandboxFile: path.join(folder, 'sandbox.log') }
}

export function assemblyFolder(stateDir: string): string {
  return path.join(stateDir, 'assembly')
}
