// Identifies who signed a request to a function URL with AuthType AWS_IAM: checks the signature, and that a function's
// role may call it. Users of the account may always. Source: AWS Lambda Developer Guide, "Control access to Lambda
// function URLs".
import type { Access } from '../endpoint/access.ts'
import type { Authentication } from '../endpoint/authentication.ts'
import { identityOf } from '../endpoint/identity.ts'
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
    const { accessKeyId: accessKey, caller } = examined
    if (caller !== 'administrator') {
      for (const action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction']) {
        access.authorise(caller, { action, resource: functionArn })
      }
    }
    const { arn: userArn, userId } = identityOf(examined, account)
    return { accessKey, accountId: account, callerId: userId, userArn, userId }
  }
}
