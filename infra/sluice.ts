// Owns the construct for any CDK app: the four stacks of a deployment, and what other stacks may do with them. Other
// stacks get names and never references, so that none of them holds a stack of ours in its place.

import { Annotations, type Environment, Stack, Stage, Token } from 'aws-cdk-lib'
import type { OnEventOptions, Rule } from 'aws-cdk-lib/aws-events'
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { Severity } from '../core/contract/alarms.ts'
import { givenNames } from '../core/contract/deployed-names.ts'
import type { Treasury, TreasuryInput } from '../core/contract/treasury.ts'
import { ConfigError, loadTreasury, parseTreasury, policiesOf, portsOf } from '../core/treasury/config.ts'
import type { Network, NetworkProps } from './constructs/network.ts'
import { declareStacks, type Stacks } from './declare-stacks.ts'
import { DeployedSluice, type DeployedSluiceProps, MACHINES, SluiceBase } from './deployed-sluice.ts'
import type { Deployer } from './workflow-stack.ts'

/** Context that names another folder of bundled functions than the package's own. The repository has no such folder. */
export const BUNDLES_CONTEXT = 'sluice:bundles'

export interface SluiceProps extends NetworkProps {
  /** The path of a treasury.json, or its content as an object. It is checked as `sluice setup` checks it. */
  readonly treasury: string | TreasuryInput
  /**
   * Encrypts secrets, the journal and logs, where `encryption` in treasury.json names no key. The account makes the key
   * and lets the deployment use it (docs/runbook.md), so its ARN is known here: `Key.fromKeyArn`.
   */
  readonly encryptionKey?: IKey
  /** Topics of yours that the alarms of a severity notify as well. They let CloudWatch publish. */
  readonly alarmTopics?: Readonly<Partial<Record<Severity, ITopic>>>
  /** Who deploys which commit, for the log of people, which shows it as not verified. Default: nobody. */
  readonly deployer?: Deployer
}

/**
 * A deployment of Sluice in four stacks of its own. Its scope is an app, a stage or a stack, in whose place they are.
 * @throws ConfigError for a treasury.json that cannot be used
 * @example
 * import { Sluice } from '@sluice/infra'
 * import { App, Stack } from 'aws-cdk-lib'
 * import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
 *
 * const app = new App()
 * const payments = new Stack(app, 'Payments')
 * const sluice = new Sluice(payments, 'Treasury', { treasury: 'treasury.json' })
 *
 * sluice.grantConvert(buyer) // a function or a role of yours
 * sluice.grantSweep(buyer, 'to-cold') // runs of a policy of treasury.json
 * sluice.onConversionEnded('Bought', { target: new LambdaFunction(bookkeeper) })
 */
export class Sluice extends SluiceBase {
  /**
   * The stacks `state`, `workflow`, `triggers` and `monitoring`, for tags, dependencies and aspects. Deploy `triggers`
   * before a stack that names the bus or starts an execution while it is deployed.
   */
  readonly stacks: Stacks
  protected readonly names: Construct
  readonly #treasury: Treasury

  constructor(scope: Construct, id: string, props: SluiceProps) {
    super(scope, id)
    this.#treasury = givenTreasury(props)
    this.#assertSoleUse()
    const { alarmTopics, deployer } = props
    const bundleDir = this.node.tryGetContext(BUNDLES_CONTEXT)
    this.stacks = declareStacks(this, {
      ...{ treasury: this.#treasury, env: placeOf(this), bundleDir, alarmTopics, deployer },
      network: networkOf(props, this.#treasury),
    })
    this.names = new Construct(this.stacks.triggers, 'Names')
  }

  /** A deployment of another app in this account and region, by its names alone: the same grants, rules and metrics. */
  static fromEnvironment(scope: Construct, id: string, props: DeployedSluiceProps = {}): SluiceBase {
    return new DeployedSluice(scope, id, props)
  }

  /** CloudFormation would refuse it too, at the deployment. */
  #assertSoleUse(): void {
    const { aws } = this.#treasury
    for (const other of this.node.root.node.findAll()) {
      if (!(other instanceof Sluice) || other === this) continue
      const there = other.#treasury.aws
      const { environment } = this.#treasury
      if (environment === other.#treasury.environment && this.#placeName() === other.#placeName()) {
        const named = environment === undefined ? 'no environment' : `the environment ${environment}`
        const expected = `expected another one for each deployment in a place; ${other.node.path} has ${named} too`
        throw new ConfigError([`treasury: environment: ${expected}`])
      }
      if (aws?.account !== there?.account || aws?.region !== there?.region) continue
      const [ours, theirs] = [givenNames(aws), givenNames(there)]
      const isShared = (what: 'bus' | 'journal') => ours[what] !== undefined && ours[what] === theirs[what]
      const shared = isShared('journal') ? 'journalTable' : isShared('bus') ? 'eventBus' : undefined
      if (shared === undefined) continue
      const expected = `expected one that no other deployment uses; ${other.node.path} uses ${aws?.[shared]} too`
      throw new ConfigError([`treasury.json: aws.${shared}: ${expected}`])
    }
  }

  /** Where it is deployed, as far as the synthesis knows. A stage may be for credentials of its own. */
  #placeName(): string {
    const { account, region } = this.#treasury.aws ?? placeOf(this)
    return [account, region, account === undefined ? Stage.of(this)?.node.path : ''].join(' ')
  }

  /** The rule is in the stack around this construct, or else in the stack of the bus. */
  protected override addRule(id: string, detailType: string, options: OnEventOptions = {}): Rule {
    const { triggers } = this.stacks
    const crossStackScope = options.crossStackScope ?? (stackAround(this) === undefined ? triggers : this)
    const rule = super.addRule(id, detailType, { ...options, crossStackScope })
    // A rule needs its bus, which it knows by name only.
    if (rule.stack !== triggers) rule.stack.addStackDependency(triggers)
    return rule
  }

  protected override grantRuns(grantee: IGrantable, key: 'rebalance' | 'sweep', policy: string): Grant {
    const policies = policiesOf(this.#treasury, MACHINES[key])
    if (!policies.includes(policy)) {
      throw new ConfigError([
        `treasury.json: policies: expected a policy "${policy}" of the machine ${MACHINES[key]}; it has ${policies.join(', ') || 'none'}`,
      ])
    }
    Annotations.of(this.stacks.triggers).addInfo(
      `${String(grantee.grantPrincipal)} may start ${policies.join(', ')}, and policies of its own within the guards of treasury.json, because IAM does not see the input of an execution: grantRequest allows deployed policies only.`,
    )
    return super.grantRuns(grantee, key, policy)
  }
}

function networkOf({ vpc, ...more }: SluiceProps, treasury: Treasury): Network | undefined {
  if (vpc === undefined) {
    const alone = (['vpcSubnets', 'securityGroups'] as const).find((name) => more[name] !== undefined)
    if (alone !== undefined) throw new ConfigError([`${alone}: expected vpc too`])
    return undefined
  }
  const { securityGroups, vpcSubnets } = more
  return { vpc, vpcSubnets, securityGroups, ports: portsOf(treasury) }
}

/** The account and region of the stack around `scope`, where it names them. */
function placeOf(scope: Construct): Environment {
  const { account, region } = stackAround(scope) ?? {}
  return {
    ...(account !== undefined && !Token.isUnresolved(account) && { account }),
    ...(region !== undefined && !Token.isUnresolved(region) && { region }),
  }
}

function stackAround(scope: Construct): Stack | undefined {
  return scope.node.scopes.findLast((each) => Stack.isStack(each))
}

/** @throws ConfigError */
function givenTreasury({ encryptionKey, treasury }: SluiceProps): Treasury {
  const given =
    typeof treasury === 'string'
      ? loadTreasury(treasury, 'name one by the property treasury')
      : parseTreasury(JSON.stringify(treasury), 'treasury')
  if (encryptionKey === undefined) return given
  const { keyArn } = encryptionKey
  // The vault of the backups has a part of the key's id in its name.
  if (Token.isUnresolved(keyArn)) {
    throw new ConfigError(['encryptionKey: expected a key whose ARN is known, such as one of Key.fromKeyArn'])
  }
  const encryption = { secrets: keyArn, journal: keyArn, logs: keyArn, ...given.encryption }
  return parseTreasury(JSON.stringify({ ...given, encryption }))
}
