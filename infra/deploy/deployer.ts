// Reads who deploys which commit from the two variables that `npm run deploy` sets, and pipelines may set. Nobody verifies
// it: the log of people shows it as a claim. Pure.
import { commit, deployer } from '../../core/contract/deployment.ts'
import { Environment } from '../../core/contract/environment.ts'
import { ConfigError } from '../../core/treasury/config.ts'
import type { Deployer } from '../workflow-stack.ts'

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
