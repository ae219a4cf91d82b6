// Checks the signer of a request to a function URL or to an HTTP API: the signature, and the permission to call it. Returns the
// identity that the function learns.

import type { Access } from '../endpoint/access.ts'
import type { Authentication } from '../endpoint/authentication.ts'
import { identityOf } from '../endpoint/identity.ts'
import type { ExamineSigner } from './function-url.ts'

interface SignerPorts {
  readonly authentication: Authentication
  readonly access: Access
  readonly deployment: { readonly account: string }
}

/** For requests to HTTP APIs. */
export function examineApiSigners(ports: SignerPorts): ExamineSigner {
  return signersFor(ports, 'execute-api', ['execute-api:Invoke'])
}

/** For requests to function URLs. */
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
