// Asks STS who owns the AWS credentials in use: the identity that the functions record with a decision.
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { clientConfigAt } from './aws-address.ts'

/** The ARN. @throws the SDK's own error, as other reads with the credentials do */
export async function findCaller(environment: string | undefined): Promise<string> {
  const client = new STSClient(clientConfigAt({ environment }))
  try {
    return (await client.send(new GetCallerIdentityCommand({}))).Arn ?? ''
  } finally {
    client.destroy()
  }
}
