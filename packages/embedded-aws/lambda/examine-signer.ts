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

/** The same for HTTP APIs: the caller's role needs `execute-api:Invoke` on the request. */
export function examineApiSigners(ports: SignerPorts): ExamineSigner {
  return signersFor(ports, 'execute-api', ['execute-api:Invoke'])
}

export function examineSigners(ports: SignerPorts): ExamineSigner {
  return signersFor(ports, 'lambda', ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'])
}

function signersFor(
  { authentication, access, deployment: { account } }: SignerPorts,
  service: string,
  actions: readonly string[],
): ExamineSigner {
  return (request, body, resource) => {
    const { method = '', rawHeaders, url = '' } = request
    const examined = authentication.examine({ method, target: url, rawHeaders }, service)
    examined.assertSigned(body)
    const { accessKeyId: accessKey, caller } = examined
    if (caller !== 'administrator') {
      for (const action of actions) access.authorise(caller, { action, resource })
    }
    const { arn: userArn, userId } = identityOf(examined, account)
    return { accessKey, accountId: account, callerId: userId, userArn, userId }
  }
}
