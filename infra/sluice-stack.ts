// Owns what all stacks of a deployment have in common: the name, and the settings that their constructs look up. The
// stacks refer to each other by names that never change, because an imported value can never change.
import { Stack, type StackProps } from 'aws-cdk-lib'
import { SecurityGroup, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2'
import { CURRENT_VERSION_EXPIRED_FLAGS, FLAGS, futureFlagDefault } from 'aws-cdk-lib/cx-api'
import { Construct } from 'constructs'
import { deployedName, givenNames } from '../core/contract/deployed-names.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { portsOf } from '../core/treasury/config.ts'
import { applyAccountSettings } from './constructs/account-settings.ts'
import { setEnvironment } from './constructs/deployed-name.ts'
import { type Network, setNetwork, setWayOut } from './constructs/network.ts'
import { setOwnKeys } from './constructs/own-keys.ts'

/**
 * Flags that differ from the defaults of the CDK. They are here and not in cdk.json, so that `node infra/synth.ts` and
 * `cdk deploy` give one assembly.
 */
const OWN_FLAGS = {
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
function setFeatureFlags(stack: Stack): void {
  const left = [...CURRENT_VERSION_EXPIRED_FLAGS, OF_THE_APP]
  const flags = Object.keys(FLAGS).filter((flag) => !left.includes(flag))
  const defaults = Object.fromEntries(flags.map((flag) => [flag, futureFlagDefault(flag)]))
  for (const [flag, value] of Object.entries({ ...defaults, ...OWN_FLAGS })) stack.node.setContext(flag, value)
}

export interface SluiceStackProps extends StackProps {
  readonly treasury: Treasury
  /** True for a state directory. Each is a separate environment, so its names carry no prefix. Default false. */
  readonly isDesk?: boolean
  /** The VPC of the functions. Absent: that of treasury.json, or none. */
  readonly network?: Network | undefined
}

export class SluiceStack extends Stack {
  /** `name`: the stack's name without the environment's prefix. */
  constructor(scope: Construct, name: string, { isDesk = false, network, treasury, ...props }: SluiceStackProps) {
    const environment = isDesk ? undefined : treasury.environment
    const stackName = deployedName(name, environment)
    // A desk is on one machine, whatever the file says of an account on AWS.
    const { tags } = (isDesk ? undefined : treasury.aws) ?? {}
    super(scope, stackName, { ...props, stackName, ...(tags !== undefined && { tags }) })
    setFeatureFlags(this)
    setEnvironment(this, environment, givenNames(isDesk ? undefined : treasury.aws))
    setOwnKeys(this, treasury.encryption)
    if (!isDesk) applyAccountSettings(this, treasury.aws)
    let named: Network | undefined
    const makeNamed = () => {
      named ??= isDesk ? undefined : namedNetwork(this, treasury)
      return named
    }
    setNetwork(this, network ?? makeNamed)
    setWayOut(this, isDesk ? undefined : treasury.aws)
  }
}

/** Undefined where the file names none. */
function namedNetwork(stack: Stack, treasury: Treasury): Network | undefined {
  const { aws: { vpc } = {} } = treasury
  if (vpc === undefined) return undefined
  const { id, securityGroups, subnets } = vpc
  const named = new Construct(stack, 'Network')
  return {
    vpc: Vpc.fromVpcAttributes(named, 'Vpc', {
      vpcId: id,
      privateSubnetIds: subnets,
      // No template names the zones.
      availabilityZones: subnets.map((_, at) => `zone-${at}`),
    }),
    vpcSubnets: { subnets: subnets.map((subnet) => Subnet.fromSubnetId(named, subnet, subnet)) },
    securityGroups: securityGroups?.map((group) => SecurityGroup.fromSecurityGroupId(named, group, group)),
    ports: portsOf(treasury),
  }
}
