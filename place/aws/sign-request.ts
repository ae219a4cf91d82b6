// Signs a person's request to a function with the caller's own AWS credentials. It is signed as a request to STS, which
// the function sends to learn who the caller is (core/people/signed-request.ts). The SDK's own signer signs. Nothing is
// sent from here.

import { randomUUID } from 'node:crypto'
import { STSClient, type STSClientConfig } from '@aws-sdk/client-sts'
import type { SignedRequest } from '../../core/contract/people.ts'
import {
  addressOfSts,
  calledFunction,
  IDENTITY_REQUEST,
  IDENTITY_TYPE,
  isDeskAddress,
  requestHeaders,
} from '../../core/people/signed-request.ts'
import { withClient } from './with-client.ts'

/**
 * `said`: JSON text. `config`: for an SDK client, with the clock's offset where it is known. Throws the SDK's error
 * where there are no credentials.
 */
export async function signRequest(functionArn: string, said: string, config: STSClientConfig): Promise<SignedRequest> {
  const { region } = calledFunction(functionArn)
  return withClient(new STSClient({ ...config, region }), async (client) => {
    const address = await addressOf(client, region)
    const signer = await client.config.signer()
    const nonce = randomUUID()
    const { headers } = await signer.sign(
      {
        ...{ method: 'POST', protocol: address.protocol, hostname: address.hostname, path: '/', query: {} },
        ...(address.port !== '' && { port: Number(address.port) }),
        headers: {
          host: address.host,
          'content-type': IDENTITY_TYPE,
          ...requestHeaders(functionArn, { nonce, said }),
        },
        body: IDENTITY_REQUEST,
      },
      { signingDate: new Date(Date.now() + client.config.systemClockOffset) },
    )
    const securityToken = headers['x-amz-security-token']
    return {
      ...{ said, nonce, authorization: headers.authorization ?? '', date: headers['x-amz-date'] ?? '' },
      ...(securityToken !== undefined && { securityToken }),
    }
  })
}

/**
 * The address that the function uses: that of the region, or of a desk on this machine. Any other address is not
 * accepted for STS.
 */
async function addressOf({ config }: STSClient, region: string): Promise<URL> {
  const given = config.endpoint === undefined ? undefined : await config.endpoint()
  if (given !== undefined) return new URL(`${given.protocol}//${given.hostname}${given.port ? `:${given.port}` : ''}`)
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_STS = AWS_ENDPOINT_URL } = process.env
  const isOfADesk = AWS_ENDPOINT_URL_STS !== undefined && isDeskAddress(AWS_ENDPOINT_URL_STS)
  return new URL(isOfADesk ? AWS_ENDPOINT_URL_STS : addressOfSts(region))
}
