// Owns what must outlive every deployment: the journal and its backups. Nothing here is ever replaced or deleted by a deployment; the
// functions that use it are in workflow-stack.ts. The secrets of the service's keys are no part of a deployment:
// `sluice keys` makes them, so that a change of treasury.json neither loses one nor meets its name.
import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { HOME_ROLE } from '../core/contract/deployed-names.ts'
import { journalPolicy } from '../core/contract/journal-policy.ts'
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  JOURNAL_TABLE,
  LISTED_INDEX,
  LISTED_KEY,
  RECORD_KEY,
} from '../core/contract/records.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { JournalBackups } from './constructs/journal-backups.ts'
import { underOwnKey } from './constructs/own-keys.ts'

/** Kept whatever becomes of the stack; but a creation that fails leaves nothing behind that would block the next. */
const OUTLIVES = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

export interface StateStackProps extends StackProps {
  readonly treasury: Pick<Treasury, 'journal'>
}

export class StateStack extends Stack {
  constructor(scope: Construct, id: string, { treasury, ...props }: StateStackProps) {
    super(scope, id, props)
    // First, so that a second region fails before it has a journal, which deletion protection would keep.
    const home = this.declareHome()
    const journal = this.declareJournal()
    journal.node.addDependency(home)
    const copyRegion = treasury.journal?.copyRegion
    new JournalBackups(this, 'Backups', { journal, copyRegion, removalPolicy: OUTLIVES })
  }

  /**
   * Roles are of an account, and not of a region: a second region meets the name, and its deployment fails before it has a
   * journal. It would know nothing of what the first has moved, and move it again. It must not be retained, or another
   * region would import it. `sluice setup doctor --aws` reads its tags (cli/doctor/service-account).
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

  private declareJournal(): Table {
    const ownKey = underOwnKey(this, 'journal')
    const journal = new Table(this, 'Journal', {
      // A fixed name, so that a deployment can never quietly start over with an empty journal: an intent
      // that is not remembered would move money a second time. With a fixed name CloudFormation refuses.
      tableName: nameIn(this, JOURNAL_TABLE),
      partitionKey: { name: RECORD_KEY, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...(ownKey.encryptionKey !== undefined && { encryption: TableEncryption.CUSTOMER_MANAGED, ...ownKey }),
      resourcePolicy: PolicyDocument.fromJson(
        journalPolicy({
          ...{ account: this.account, partition: this.partition, region: this.region },
          named: (name) => nameIn(this, name),
        }),
      ),
      removalPolicy: OUTLIVES,
    })
    // Sparse: only intents that the audit must look at carry its key. Ids only, as what counts is read from
    // the records themselves.
    journal.addGlobalSecondaryIndex({
      indexName: LISTED_INDEX,
      partitionKey: { name: LISTED_KEY, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    // What was asked for, by kind and month and then by time: so that people list the newest, however much there is.
    journal.addGlobalSecondaryIndex({
      indexName: ASKED_INDEX,
      partitionKey: { name: ASKED_KEY, type: AttributeType.STRING },
      sortKey: { name: ASKED_AT_KEY, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    return journal
  }
}
