// Reads the deployed treasury.json as a whole, and the facts of the deployment. Steps that move money never import it,
// because building the shape of the whole file would delay each of their starts.
import * as z from 'zod/mini'
import { commit, deployer } from '../../core/contract/deployment.ts'
import { Environment } from '../../core/contract/environment.ts'
import { asNotVerified } from '../../core/contract/person.ts'
import { type Treasury, treasury } from '../../core/contract/treasury.ts'
import type { Deployed } from '../../core/people/configurations.ts'
import { present, readBeside, readRelease, readVariable, type Variables } from './environment.ts'

/**
 * treasury.json as it was deployed. Read once, while the function initialises.
 * @throws Defect with the variable or field that is wrong
 */
export const readTreasuryFile = (env: Variables): Treasury => readBeside(env, treasury)

/** Reads the facts of the deployment. Who deployed it is a claim, and is marked as not verified. */
export function readDeployed(env: Variables): Omit<Deployed, 'treasury'> {
  const by = readVariable(env, Environment.DeployedBy, z.optional(deployer))
  return {
    release: readRelease(env),
    by: by === undefined ? undefined : asNotVerified(by),
    commit: readVariable(env, Environment.DeployedCommit, z.optional(commit)),
    stack: readVariable(env, Environment.Stack, z.optional(present)),
  }
}
