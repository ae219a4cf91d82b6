// Owns what must outlive every deployment: the journal and the service keys. Nothing here is ever
// replaced or deleted by a deployment; the functions that use it are in workflow-stack.ts.
import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { JOURNAL_TABLE, LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../core/contract/records.ts'
import { keySecretsOf, type Treasury } from '../core/contract/treasury.ts'

export interface StateStackProps extends StackProps {
  readonly treasury: Treasury
}

export class StateStack extends Stack {
  readonly journal: Table
  /** By the name of the secret. */
  readonly keySecrets: ReadonlyMap<string, ISecret>

  constructor(scope: Construct, id: string, props: StateStackProps) {
    super(scope, id, props)
    this.journal = this.declareJournal()
    const { service } = props.treasury
    const ownSecrets = new Construct(this, 'ServiceKeys')
    this.keySecrets = new Map(
      keySecretsOf(service).map((name) => [
        name,
        // Each by its own name, so that no change of treasury.json gives one secret's resource to another.
        name === service.keySecret
          ? this.declareKeySecret(this, 'ServiceKey', name)
          : this.declareKeySecret(ownSecrets, name, name),
      ]),
    )
  }

  private declareJournal(): Table {
    const journal = new Table(this, 'Journal', {
      // A fixed name, so that a deployment can never quietly start over with an empty journal: an intent
      // that is not remembered would move money a second time. With a fixed name CloudFormation refuses.
      tableName: JOURNAL_TABLE,
      partitionKey: { name: RECORD_KEY, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    // Sparse: only intents that the audit must look at carry its key. Ids only, as what counts is read from
    // the records themselves.
    journal.addGlobalSecondaryIndex({
      indexName: LISTED_INDEX,
      partitionKey: { name: LISTED_KEY, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    return journal
  }

  /** Declared empty of anything that could pass for a key: `sluice keys` and docs/runbook.md say how it gets one. */
  private declareKeySecret(scope: Construct, id: string, name: string): ISecret {
    const secret = new CfnSecret(scope, id, {
      name,
      description: 'Key of the conversion service that Sluice uses. Put by hand: see docs/runbook.md.',
    })
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN)
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Keys are made and rotated in the dashboard of the service, which offers no API for it.',
    })
    return Secret.fromSecretCompleteArn(scope, `${id}ByArn`, secret.ref)
  }
}
