// Finds out who deploys which commit, for the log of people, and passes it to the synthesis in two variables. Nobody
// verifies it: CloudTrail has the proof. Where it cannot be found, the deployment goes on without it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { commit, deployer } from '../../core/contract/deployment.ts'
import { Environment } from '../../core/contract/environment.ts'

/** Milliseconds for Git, and for STS. */
const TIMEOUT_MS = 10_000

/** The variables of the two claims. Values that a person or a pipeline has set stay. */
export async function claimOf(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const { [Environment.DeployedBy]: by, [Environment.DeployedCommit]: source } = variables
  const [caller, head] = await Promise.all([by || findCaller(), source || findCommit()])
  return {
    ...(caller !== undefined && { [Environment.DeployedBy]: caller }),
    ...(head !== undefined && { [Environment.DeployedCommit]: head }),
  }
}

async function findCaller(): Promise<string | undefined> {
  const client = new STSClient({ requestHandler: { requestTimeout: TIMEOUT_MS, connectionTimeout: TIMEOUT_MS } })
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand({}))
    return deployer.safeParse(Arn).data
  } catch {
    return undefined
  } finally {
    client.destroy()
  }
}

async function findCommit(): Promise<string | undefined> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { timeout: TIMEOUT_MS })).stdout.trim()
  try {
    const head = await git('rev-parse', 'HEAD')
    const changed = await git('status', '--porcelain')
    return commit.safeParse(changed === '' ? head : `${head}-dirty`).data
  } catch {
    return undefined
  }
}
