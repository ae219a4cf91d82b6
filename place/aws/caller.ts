// Asks STS who owns the AWS credentials in use: the identity that the functions record with a decision.

import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { withClient } from './with-client.ts'

/** The ARN. @throws the SDK's own error, as other reads with the credentials do */
export async function findCaller(): Promise<string> {
  return withClient(
    new STSClient(requestLimits(AWS_LIMITS)),
    async (client) => (await client.send(new GetCallerIdentityCommand({}))).Arn ?? '',
  )
}
