// The access key of a served state directory, in the form in which the SDKs and the AWS CLI read one. Only the owner
// can read the file, and the key is good for as long as this process serves.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Credentials } from '@sluice/embedded-aws'

const FILE = 'credentials'
const OWNER_ONLY = 0o600

/** Gives its path. */
export function writeCredentialsFile(awsDir: string, { accessKeyId, secretAccessKey }: Credentials): string {
  const file = path.resolve(awsDir, FILE)
  // Made anew: the mode is that of a new file, and nobody who has the former one open sees this one.
  rmSync(file, { force: true })
  const lines = ['[default]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`, '']
  writeFileSync(file, lines.join('\n'), { mode: OWNER_ONLY, flag: 'wx' })
  return file
}
