// Who signed a request to the URL of a function with AuthType AWS_IAM: checks the signature, and that a function's role
// may call it. Users of the account may. Source: AWS Lambda Developer Guide, "Control access to Lambda function URLs".
import { createHash } from 'node:crypto'
import type { Access } from '../endpoint/access.ts'
import type { Authentication } from '../endpoint/authentication.ts'
import type { ExamineSigner } from './function-url.ts'

export interface SignerPorts {
  readonly authentication: Authentication
  readonly access: Access
  readonly deployment: { readonly account: string }
}

export function examineSigners({ authentication, access, deployment: { account } }: SignerPorts): ExamineSigner {
  return (request, body, functionArn) => {
    const { method = '', rawHeaders, url = '' } = request
    const examined = authentication.examine({ method, target: url, rawHeaders }, 'lambda')
    examined.assertSigned(body)
    const { accessKeyId: accessKey, caller, userName = '' } = examined
    if (caller === 'administrator') {
      const userId = idOf('AIDA', userName)
      const userArn = `arn:aws:iam::${account}:user/${userName}`
      return { accessKey, accountId: account, callerId: userId, userArn, userId }
    }
    const { functionName, roleArn } = caller
    for (const action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction']) {
      access.authorise(caller, { action, resource: functionArn })
    }
    const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1)
    const userId = `${idOf('AROA', roleName)}:${functionName}`
    const userArn = `arn:aws:sts::${account}:assumed-role/${roleName}/${functionName}`
    return { accessKey, accountId: account, callerId: userId, userArn, userId }
  }
}

/** As long as AWS's, and always the same for one name. */
function idOf(prefix: string, name: string): string {
  return `${prefix}${createHash('sha256').update(name).digest('hex').slice(0, 17).toUpperCase()}`
}
