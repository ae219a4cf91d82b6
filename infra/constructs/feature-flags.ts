// Owns the feature flags of the CDK for our stacks. Each stack sets them itself, so that its template is the same in
// every app, whatever flags that app has. A flag can replace a resource, and the journal's table must never be replaced.
import type { Stack } from 'aws-cdk-lib'
import { CURRENT_VERSION_EXPIRED_FLAGS, FLAGS, futureFlagDefault } from 'aws-cdk-lib/cx-api'

/**
 * Flags that differ from the defaults of the CDK. They are here and not in cdk.json, so that `node infra/synth.ts` and
 * `cdk deploy` give one assembly.
 */
export const OWN_FLAGS = {
  '@aws-cdk/core:enablePartitionLiterals': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  // The embedded run and the tests look resources up by this path.
  'aws:cdk:enable-path-metadata': true,
  // The cdk command sets this too. It is repeated here, so that templates are the same whoever synthesizes.
  'aws:cdk:enable-asset-metadata': true,
}

/**
 * Says how references between stacks are written. The app decides it, because such references are between its stacks
 * and ours.
 */
const OF_THE_APP = '@aws-cdk/core:defaultCrossStackReferences'

/** Call this function before anything is created in the stack. */
export function setFeatureFlags(stack: Stack): void {
  const left = [...CURRENT_VERSION_EXPIRED_FLAGS, OF_THE_APP]
  const flags = Object.keys(FLAGS).filter((flag) => !left.includes(flag))
  const defaults = Object.fromEntries(flags.map((flag) => [flag, futureFlagDefault(flag)]))
  for (const [flag, value] of Object.entries({ ...defaults, ...OWN_FLAGS })) stack.node.setContext(flag, value)
}
