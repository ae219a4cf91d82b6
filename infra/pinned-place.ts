// Refuses to write an assembly for another account or region than treasury.json pins. The cdk command passes the
// account of its credentials and its region in two variables. Without them nothing is deployed, so nothing is refused.
// Two more say who deploys and from which commit.

import { commit, deployer } from '../core/contract/deployment.ts'
import { Environment } from '../core/contract/environment.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { ConfigError } from '../core/treasury/config.ts'
import type { Deployer } from './workflow-stack.ts'

/** @throws ConfigError */
export function assertMayDeployTo(
  pinned: Treasury['aws'],
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: Readonly<Record<string, string | undefined>>,
): void {
  if (pinned === undefined) return
  const findings = [
    ...(account === undefined || account === pinned.account
      ? []
      : [
          `treasury.json: aws.account: expected the account of the credentials, ${account}; got ${pinned.account}: set AWS_PROFILE`,
        ]),
    ...(region === undefined || region === pinned.region
      ? []
      : [
          `treasury.json: aws.region: expected the region of the deployment, ${region}; got ${pinned.region}: set AWS_REGION`,
        ]),
  ]
  if (findings.length > 0) throw new ConfigError(findings)
}

/** @throws ConfigError for a variable that is set to another form */
export function readDeployer(variables: Readonly<Record<string, string | undefined>>): Deployer {
  const by = variables[Environment.DeployedBy] || undefined
  const source = variables[Environment.DeployedCommit] || undefined
  if (by !== undefined && !deployer.safeParse(by).success)
    throw new ConfigError([`${Environment.DeployedBy}: expected a name or an ARN of at most 300 printable characters`])
  if (source !== undefined && !commit.safeParse(source).success)
    throw new ConfigError([
      `${Environment.DeployedCommit}: expected the 40 hex digits of a commit, perhaps with -dirty`,
    ])
  return { ...(by !== undefined && { by }), ...(source !== undefined && { commit: source }) }
}
