// Signs what a person asks of a function, with the AWS credentials of whoever calls: as a request to STS, which the function
// sends to learn whose word it is (core/people/signed-word.ts). The SDK's own signer signs. Nothing is sent from here.
import { randomUUID } from 'node:crypto'
import { STSClient, type STSClientConfig } from '@aws-sdk/client-sts'
import type { SignedWord } from '../../core/contract/people.ts'
import { addressOfSts, IDENTITY_REQUEST, IDENTITY_TYPE, wordHeaders } from '../../core/people/signed-word.ts'

/**
 * `said`: JSON text. `config`: for an SDK client, with the clock's offset where one is known. Throws the SDK's error where
 * there are no credentials or no region.
 */
export async function signWord(functionArn: string, said: string, config: STSClientConfig): Promise<SignedWord> {
  const client = new STSClient(config)
  try {
    const address = await addressOf(client)
    const signer = await client.config.signer()
    const nonce = randomUUID()
    const { headers } = await signer.sign(
      {
        ...{ method: 'POST', protocol: address.protocol, hostname: address.hostname, path: '/', query: {} },
        ...(address.port !== '' && { port: Number(address.port) }),
        headers: {
          host: address.host,
          'content-type': IDENTITY_TYPE,
          ...wordHeaders(functionArn, { nonce, said }),
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
  } finally {
    client.destroy()
  }
}

/** Of the region, as the function makes it; a desk gives its own. */
async function addressOf(client: STSClient): Promise<URL> {
  const given = client.config.endpoint === undefined ? undefined : await client.config.endpoint()
  if (given !== undefined) return new URL(`${given.protocol}//${given.hostname}${given.port ? `:${given.port}` : ''}`)
  return new URL(addressOfSts(await client.config.region()))
}
