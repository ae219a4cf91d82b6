// IAM's identity of a signed request: a user by its name, or a worker by the session of its function's role.
import { createHash } from 'node:crypto'
import type { Examined } from './authentication.ts'

export interface Identity {
  readonly accountId: string
  readonly arn: string
  readonly userId: string
}

export function identityOf({ caller, userName = '' }: Examined, accountId: string): Identity {
  if (caller === 'administrator') {
    return { accountId, arn: `arn:aws:iam::${accountId}:user/${userName}`, userId: idOf('AIDA', userName) }
  }
  const { functionName, roleArn } = caller
  const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1)
  const arn = `arn:aws:sts::${accountId}:assumed-role/${roleName}/${functionName}`
  return { accountId, arn, userId: `${idOf('AROA', roleName)}:${functionName}` }
}

/** Returns an id as long as AWS's, always the same for one name. */
function idOf(prefix: string, name: string): string {
  return `${prefix}${createHash('sha256').update(name).digest('hex').slice(0, 17).toUpperCase()}`
}
