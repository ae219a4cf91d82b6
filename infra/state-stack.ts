// Owns the resources that must outlive every deployment: the journal, its backups, and the key of decisions. No deployment replaces
// or deletes them.
// Also owns the home role, which keeps an environment in one region. The functions that use them are in workflow-stack.ts. The
// secrets of the service's keys belong to no deployment: `sluice keys` creates them, so that a change of treasury.json can
// neither lose a secret nor collide with its name.
import { Fn, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { HOME_ROLE } from '../core/contract/deployed-names.ts'
import { journalPolicy } from '../core/contract/journal-policy.ts'
import { ASKED_AT_KEY, ASKED_INDEX, ASKED_KEY, LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../core/contract/records.ts'
import { ConfigError } from '../core/treasury/config.ts'
import { isGiven, journalIn, nameIn } from './constructs/deployed-name.ts'
import { JournalBackups } from './constructs/journal-backups.ts'
import { declareDecisionKey } from './constructs/key-access.ts'
import { underOwnKey } from './constructs/own-keys.ts'
import { SoleUse } from './constructs/sole-use.ts'
import { SluiceStack, type SluiceStackProps } from './sluice-stack.ts'

/**
 * Keeps a resource when its stack is updated or deleted. A failed creation leaves nothing behind, because the remains
 * would block the next.
 */
const OUTLIVES = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

export class StateStack extends SluiceStack {
  constructor(scope: Construct, props: SluiceStackProps) {
    super(scope, 'SluiceState', {
      description: 'Sluice: the journal. Outlives every deployment.',
      terminationProtection: true,
      ...props,
    })
    // The role comes first, so that a second region fails before it creates a journal, which deletion protection would
    // keep.
    const home = this.declareHome()
    const journal = isGiven(this, 'journal') ? this.takeJournal() : this.declareJournal(settingsOf(props))
    journal.node.addDependency(home)
    const copyRegion = props.treasury.journal?.copyRegion
    declareDecisionKey(this, OUTLIVES)
    new JournalBackups(this, 'Backups', { journal, copyRegion, removalPolicy: OUTLIVES })
  }

  /**
   * Declares the home role. Role names are unique in an account, so a deployment in a second region fails on the name
   * before it creates a journal. Its journal would not know the first region's movements, and would repeat them. The
   * role must not be retained, or another region would import it. `sluice setup doctor --aws` reads its tags
   * (cli/doctor/service-account).
   */
  private declareHome(): Role {
    return new Role(this, 'Home', {
      roleName: nameIn(this, HOME_ROLE),
      description: 'Keeps this environment in one region. Nobody can assume it, and it may do nothing.',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com', {
        // No function has this ARN.
        conditions: { ArnEquals: { 'aws:SourceArn': 'arn:aws:lambda:::function:none' } },
      }),
    })
  }

  /** Takes the account's own table. What it must be like: docs/deployment.md, "A bus, topics or a table of your own". */
  private takeJournal(): ITable {
    const name = journalIn(this)
    new SoleUse(this, 'journal', name)
    return Table.fromTableName(this, 'Journal', name)
  }

  private declareJournal({ deployRoles = [], rolePath }: Partial<AwsSettings>): ITable {
    const ownKey = underOwnKey(this, 'journal')
    const journal = new Table(this, 'Journal', {
      // With a fixed name CloudFormation refuses to create a second table. A deployment must never start over with an
      // empty journal, because it would repeat movements that it does not remember.
      tableName: journalIn(this),
      partitionKey: { name: RECORD_KEY, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...(ownKey.encryptionKey !== undefined && { encryption: TableEncryption.CUSTOMER_MANAGED, ...ownKey }),
      resourcePolicy: PolicyDocument.fromJson(
        journalPolicy({
          ...{ account: this.account, partition: this.partition, region: this.region, rolePath },
          deployRoles: [...this.rolesOfSynthesizer(deployRoles), ...deployRoles],
          table: journalIn(this),
          named: (name) => nameIn(this, name),
        }),
      ),
      removalPolicy: OUTLIVES,
    })
    // A sparse index: only records in a list carry its key. It holds only ids, because facts are read from the records
    // themselves.
    journal.addGlobalSecondaryIndex({
      indexName: LISTED_INDEX,
      partitionKey: { name: LISTED_KEY, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    // Lists requests by kind and month, then by time, so that people can list the newest of any number.
    journal.addGlobalSecondaryIndex({
      indexName: ASKED_INDEX,
      partitionKey: { name: ASKED_KEY, type: AttributeType.STRING },
      sortKey: { name: ASKED_AT_KEY, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    // CDK's types are inexact about `undefined`.
    return journal as ITable
  }

  /** CloudFormation's role, where the app's synthesizer names another one than `cdk bootstrap` makes. */
  private rolesOfSynthesizer(named: readonly string[]): readonly string[] {
    const { synthesizer } = this
    if (!('cloudFormationExecutionRoleArn' in synthesizer)) {
      if (named.length > 0) return []
      const expected =
        'expected the roles that deploy, because the synthesizer of the stack names no role of CloudFormation'
      throw new ConfigError([`treasury.json: aws.deployRoles: ${expected}`])
    }
    const role = String(synthesizer.cloudFormationExecutionRoleArn)
    return OF_BOOTSTRAP.test(role) ? [] : [role.includes('${') ? Fn.sub(role) : role]
  }
}

/** The policy of the journal admits this role anyway. */
const OF_BOOTSTRAP = /:role\/cdk-[^/]+-cfn-exec-role-/

type AwsSettings = NonNullable<SluiceStackProps['treasury']['aws']>

function settingsOf({ isDesk, treasury }: SluiceStackProps): Partial<AwsSettings> {
  return (isDesk === true ? undefined : treasury.aws) ?? {}
}
