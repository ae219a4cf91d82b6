// Owns what must outlive every deployment: the journal and the service key. Nothing here is ever
// replaced or deleted by a deployment; the functions that use it are in workflow-stack.ts.
import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { RECORD_KEY } from '../functions/contract/records.ts'
import type { Treasury } from '../functions/contract/treasury.ts'

export interface StateStackProps extends StackProps {
  readonly treasury: Treasury
}

export class StateStack extends Stack {
  readonly journal: Table
  readonly serviceKey: ISecret

  constructor(scope: Construct, id: string, props: StateStackProps) {
    super(scope, id, props)
    this.journal = this.declareJournal()
    this.serviceKey = this.declareServiceKey(props.treasury.service.keySecret)
  }

  private declareJournal(): Table {
    return new Table(this, 'Journal', {
      // A fixed name, so that a deployment can never quietly start over with an empty journal: an intent
      // that is not remembered would move money a second time. With a fixed name CloudFormation refuses.
      tableName: 'sluice-journal',
      partitionKey: { name: RECORD_KEY, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
  }

  /**
   * The secret is declared empty of anything that could pass for a key. Put the key once, and again at each
   * rotation: `aws secretsmanager put-secret-value --secret-id NAME --secret-string file://key.json`, with
   * `{"secret","privateKeyPem","alg"}` or one entry for each of `read`, `trade`, `transfer`.
   */
  private declareServiceKey(name: string): ISecret {
    const secret = new CfnSecret(this, 'ServiceKey', {
      name,
      description: 'Key of the conversion service that Sluice signs with. Put by hand: see docs/runbook.md.',
    })
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN)
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Keys are made and rotated in the dashboard of the service, which offers no API for it.',
    })
    return Secret.fromSecretCompleteArn(this, 'ServiceKeyByArn', secret.ref)
  }
}
