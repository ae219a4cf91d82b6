// Writes the access key of a served state directory, in the format of the SDKs and the AWS CLI. Only the owner can read
// the file, and the key is valid as long as this process serves.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Credentials } from '@sluice/embedded-aws'

const FILE = 'credentials'
const OWNER_ONLY = 0o600

/** @returns the file's path */
export function writeCredentialsFile(awsDir: string, { accessKeyId, secretAccessKey }: Credentials): string {
  const file = path.resolve(awsDir, FILE)
  // A new file gets its mode, and a process that has the former file open does not see the new key.
  rmSync(file, { force: true })
  const lines = ['[default]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`, '']
  writeFileSync(file, lines.join('\n'), { mode: OWNER_ONLY, flag: 'wx' })
  return file
}
