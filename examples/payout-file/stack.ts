// A bucket whose objects are files of payouts. A state machine pays each file by a run of a payouts policy. While another file
// is paid, it waits for its turn. Files that can never be right are named in the dead letters, with the line and the reason.
import type { Sluice } from '@sluice/infra'
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets'
import { BlockPublicAccess, Bucket } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JsonPath,
  Pass,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions'
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'
import { POLICY } from './policy.js'

export const FILES = 'example-payout-files'
export const DEAD_FILES = 'example-dead-files'

/** A day of minutes, for a run that waits for approval or for its turn. */
const MOST_MINUTES = 1_440

export class PayoutFileExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const dead = new Queue(this, 'Dead', {
      ...{ queueName: DEAD_FILES, encryption: QueueEncryption.SQS_MANAGED, retentionPeriod: Duration.days(14) },
    })
    const files = new Bucket(this, 'Files', {
      ...{
        enforceSSL: true,
        blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
        versioned: true,
        eventBridgeEnabled: true,
      },
    })
    const payer = new ExampleFunction(this, 'Payer', {
      entry: `${__dirname}/pay-file.ts`,
      environment: { DEAD_LETTERS: dead.queueUrl },
    })
    files.grantRead(payer)
    dead.grantSendMessages(payer)
    sluice.grantSweep(payer, POLICY)
    const machine = new StateMachine(this, 'Machine', {
      stateMachineName: FILES,
      definitionBody: DefinitionBody.fromChainable(this.#process(payer)),
    })
    new Rule(this, 'Created', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [files.bucketName] }, object: { key: [{ suffix: '.jsonl' }] } },
      },
      // A second event starts a second execution of yours, and its rows are paid already.
      targets: [new SfnStateMachine(machine, { deadLetterQueue: dead })],
    })
  }

  #process(payer: ExampleFunction): Pass {
    const file = new Pass(this, 'File', {
      parameters: {
        bucket: JsonPath.stringAt('$.detail.bucket.name'),
        key: JsonPath.stringAt('$.detail.object.key'),
        size: JsonPath.numberAt('$.detail.object.size'),
        versionId: JsonPath.stringAt("$.detail.object['version-id']"),
        attempt: 1,
      },
    })
    const pay = new LambdaInvoke(this, 'Pay', {
      lambdaFunction: payer,
      payload: TaskInput.fromJsonPathAt('$'),
      resultSelector: { outcome: JsonPath.stringAt('$.Payload.outcome') },
      resultPath: '$.run',
    })
    // The run goes on, or waits for approval. The function asks for the same run again.
    const again = { interval: Duration.minutes(1), backoffRate: 1, maxAttempts: MOST_MINUTES }
    pay.addRetry({ errors: ['NotYet', 'StartUnknown'], ...again })
    const states = (name: string, error: string, cause: string) => new Fail(this, name, { error, cause })
    pay.addCatch(states('NeedsPerson', 'NEEDS_PERSON', 'Money may have moved. `sluice runs show` names the rows.'))

    const turn = new Wait(this, 'WaitForTurn', { time: WaitTime.duration(Duration.minutes(1)) })
    const next = new Pass(this, 'NextAttempt', {
      parameters: {
        ...Object.fromEntries(
          ['bucket', 'key', 'versionId', 'size'].map((name) => [name, JsonPath.stringAt(`$.${name}`)]),
        ),
        attempt: JsonPath.mathAdd(JsonPath.numberAt('$.attempt'), 1),
      },
    })
    const ended = new Choice(this, 'Ended')
      .when(outcomeIs('SETTLED', 'NOTHING_TO_DO'), new Succeed(this, 'Paid'))
      .when(
        Condition.and(outcomeIs('ALREADY_RUNNING'), Condition.numberLessThan('$.attempt', MOST_MINUTES)),
        turn.next(next).next(pay),
      )
      .when(outcomeIs('BAD_FILE'), states('BadFile', 'BAD_FILE', 'A dead letter has the line and the reason.'))
      .otherwise(
        states(
          'NotPaid',
          'NOT_PAID',
          'Not all rows are paid. `sluice runs show` says why. The file again pays the rest.',
        ),
      )
    file.next(pay).next(ended)
    return file
  }
}

const outcomeIs = (...outcomes: readonly string[]) =>
  Condition.or(...outcomes.map((outcome) => Condition.stringEquals('$.run.outcome', outcome)))
