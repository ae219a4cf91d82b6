// Environment variables of the functions: set by infra, read by handlers.

export const Environment = {
  /** Name of the journal's DynamoDB table. */
  JournalTable: 'SLUICE_JOURNAL_TABLE',
  /** Address of the service, without `/v2`: `https://host[:port][/path]`. */
  ServiceUrl: 'SLUICE_SERVICE_URL',
  /** `live` or `test`: which keys are acceptable. */
  Stage: 'SLUICE_STAGE',
  /** ARN of the secret that holds the service key of the function's role. */
  KeySecret: 'SLUICE_KEY_SECRET',
  /** `read`, `trade` or `transfer`: which entry of the secret this function uses. */
  KeyRole: 'SLUICE_KEY_ROLE',
  /** ARN or alias of the KMS key that signs for the role; absent where the secret holds a private key. */
  KmsKey: 'SLUICE_KMS_KEY',
  /** `service.shared` of treasury.json: `true`, `false`, or `unknown` where it is absent. */
  Shared: 'SLUICE_SHARED',
  /** Name of the file beside the bundle that holds treasury.json as it was deployed, every default filled in. */
  TreasuryFile: 'SLUICE_TREASURY_FILE',
  /** Name of the bus on which results are told. */
  EventBus: 'SLUICE_EVENT_BUS',
  /** JSON: the ARN of each state machine, by its name in `StateMachine`. */
  StateMachines: 'SLUICE_STATE_MACHINES',
  /** Name of the header that carries a webhook's signature. */
  WebhookHeader: 'SLUICE_WEBHOOK_HEADER',
  /** Address of the queue in which the starts wait that deposits ask for. */
  DepositQueue: 'SLUICE_DEPOSIT_QUEUE',
  /** What the ARNs of topics begin with, up to `sluice-notice-`. */
  TopicPrefix: 'SLUICE_TOPIC_PREFIX',
  /** `true` on one machine, where a receiver of that machine may be told. Never in a deployment. */
  IsDesk: 'SLUICE_DESK',
  /** JSON of `Timing`. */
  Timing: 'SLUICE_TIMING',
  /** Version of Sluice that was deployed. */
  Release: 'SLUICE_RELEASE',
} as const
