// Owns what all stacks of a deployment have in common: the name, and the settings that their constructs look up. The
// stacks refer to each other by names that never change, because an imported value can never change.
import { Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { deployedName, givenNames } from '../core/contract/deployed-names.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { applyAccountSettings } from './constructs/account-settings.ts'
import { setEnvironment } from './constructs/deployed-name.ts'
import { setFeatureFlags } from './constructs/feature-flags.ts'
import { namedNetwork } from './constructs/named-network.ts'
import { type Network, setNetwork } from './constructs/network.ts'
import { setOwnKeys } from './constructs/own-keys.ts'
import { setWayOut } from './constructs/way-out.ts'

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
