// Owns the functions by which people settle doubts on AWS: Resolve and DeclareForeign, each behind a function URL that takes
// signed requests only. They read the service with the key that reads. Two functions, because IAM sees the function that is
// called and nothing of the request: whoever may declare a movement others' cannot by that say that nothing moved.
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type Code, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { Verb } from '../../core/contract/states.ts'
import { journalAccess } from './journal-access.ts'
import { VerbFunction } from './verb-function.ts'

export interface DoubtDoorsProps {
  readonly code: Code
  readonly journal: ITable
  /** Of the service, the key that reads, and the journal. */
  readonly environment: Readonly<Record<string, string>>
  /** To read that key. */
  readonly keyReads: readonly PolicyStatement[]
}

export class DoubtDoors extends Construct {
  readonly verbs: readonly VerbFunction[]

  constructor(scope: Construct, id: string, { code, environment, journal, keyReads }: DoubtDoorsProps) {
    super(scope, id)
    const door = (name: string, verb: Verb, description: string) =>
      new VerbFunction(this, name, {
        ...{ verb, code, description, environment },
        memoryMb: 512,
        // Two walks through the asset's withdrawals, or 20,000 records, eight at a time.
        timeoutSeconds: 120,
        statements: [...journalAccess(journal, verb), ...keyReads],
      })
    this.verbs = [
      door('Resolve', Verb.Resolve, 'Records what a person found out about an intent in doubt.'),
      door('DeclareForeign', Verb.DeclareForeign, "Records that a person declares a movement to be others' business."),
    ]
    for (const { lambda } of this.verbs) lambda.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  }
}
