// Names the environment variables of the functions. infra sets them in a deployment, and the handlers read them. A desk sets
// them too.

export const Environment = {
  JournalTable: 'SLUICE_JOURNAL_TABLE',
  /** Address of the service, without `/v2`: `https://host[:port][/path]`. */
  ServiceUrl: 'SLUICE_SERVICE_URL',
  /** `live` or `test`: the kind of keys that are acceptable. */
  Stage: 'SLUICE_STAGE',
  /** ARN of the secret that holds the service key of the function's role. */
  KeySecret: 'SLUICE_KEY_SECRET',
  /** `read`, `trade` or `transfer`: the entry of the secret that this function uses. */
  KeyRole: 'SLUICE_KEY_ROLE',
  /** ARN or alias of the KMS key that signs for the role. Absent: the secret holds a private key. */
  KmsKey: 'SLUICE_KMS_KEY',
  /** Alias of the KMS key that signs people's decisions. */
  DecisionKey: 'SLUICE_DECISION_KEY',
  /** `service.shared` of treasury.json: `true`, `false`, or `unknown` where it is absent. */
  Shared: 'SLUICE_SHARED',
  /** Name of the file beside the bundle that holds treasury.json as deployed, with every default filled in. */
  TreasuryFile: 'SLUICE_TREASURY_FILE',
  EventBus: 'SLUICE_EVENT_BUS',
  /** JSON: the ARN of each state machine, by its name in `StateMachine`. */
  StateMachines: 'SLUICE_STATE_MACHINES',
  WebhookHeader: 'SLUICE_WEBHOOK_HEADER',
  /** URL of the queue that holds the starts that deposits ask for. */
  DepositQueue: 'SLUICE_DEPOSIT_QUEUE',
  /** URL of the dead-letter queue, in which a refused file is kept with its reason. */
  DeadLetterQueue: 'SLUICE_DEAD_LETTER_QUEUE',
  /** Prefix of the ARNs of topics, up to and with `sluice-notice-`. */
  TopicPrefix: 'SLUICE_TOPIC_PREFIX',
  /** `true` on one machine, where notices may go to a receiver on that machine. Never set in a deployment. */
  IsDesk: 'SLUICE_DESK',
  /** JSON of `Timing`. */
  Timing: 'SLUICE_TIMING',
  Release: 'SLUICE_RELEASE',
  /** ARN of the stack of the functions, by which CloudTrail knows its changes. */
  Stack: 'SLUICE_STACK',
  /** Who deployed it, as the deploy command claims. Absent: nobody claims it. */
  DeployedBy: 'SLUICE_DEPLOYED_BY',
  /** Commit of the deployed source, as the deploy command reports it. */
  DeployedCommit: 'SLUICE_DEPLOYED_COMMIT',
} as const
