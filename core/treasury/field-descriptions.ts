// Describes each field of treasury.json in one sentence, for editors that read treasury.schema.json. The contract may
// describe a field itself; the tables here have the rest. Pure.
import { PolicyKind } from '../contract/policies.ts'

type Texts = Readonly<Record<string, string>>

const KEY: Texts = {
  secret: "Name of the Secrets Manager secret that holds this role's key.",
  kmsKey: 'KMS key that signs for this role. The secret then holds only the bearer secret.',
}
const BOUND: Texts = {
  largest: 'Most that one movement may have.',
  daily: 'Most that all movements of a day may have together.',
}
const BOUND_GUARDS: Texts = {
  total: 'Bounds of the value of a movement, and of all movements of a day.',
  assets: 'Bounds by the asset that a movement sells or withdraws, in its settled units, fee included.',
  contacts: "Bounds of the value that goes to a contact, by the contact's id.",
  allowedContacts: 'The only contacts that may receive, by id.',
  allowedMarkets: 'The only markets that may be used, by id in settled spelling, such as BTC-USD.',
  worstSlippageBps: 'Most basis points by which the rate of a conversion may be worse than the indicative price.',
  quietHours: 'Times in which nothing is sent.',
  approval: 'Movements that wait for a person: those above any of these figures.',
  dailyWindow: 'A day of all daily figures: a calendar day in UTC, or any 24 hours.',
}
const APPROVERS: Texts = {
  twoAbove: 'A larger value needs the approval of two different people.',
  approvers: 'People whose approval counts: ARNs, or names at a desk, with * for any text.',
  requesterMayApprove: 'With false, the person who asked may not approve.',
}
const SPENT: Texts = {
  asset: 'An asset to pay with.',
  keep: 'Settled units of it that stay.',
}
const KEEP: Texts = {
  target: 'Settled units that stay in the account.',
  trigger: 'Nothing moves until there is more than this. Absent: more than the target.',
}
const FEES: Texts = {
  contactId: 'Id of the contact that receives.',
  feeMode: 'With deduct, the amount includes the fee. With add, the fee comes on top.',
  feeCeilingBps: 'Most basis points that the fee may take. With a higher fee nothing is withdrawn.',
  smallest: 'Smallest withdrawal, in settled units of the withdrawn asset.',
}

/** Fields by the field that they belong to. A policy's own fields are under its kind, or under `policy`. */
const BY_PARENT: Readonly<Record<string, Texts>> = {
  '': {
    $schema: 'Address of the JSON Schema of this file, for editors.',
    environment: 'Name of this deployment, before every name on AWS. Another name is another deployment and journal.',
    aws: 'The only account and region for the deployment. Absent: those of the credentials.',
    service: 'The service that moves money, and the keys that sign for it.',
    waives: 'Precautions that the stage live omits, each with the reason.',
    resumedBy: 'Who may end a halt: another role than the one that halts, or two different people within 24 hours.',
    timing: 'Times and tries of a movement. The defaults fit the service.',
    guards: 'Bounds of all movements together.',
    policies: 'Policies by name: the operations that a schedule, an event or a person may start.',
    webhooks: "The service's webhooks, as configured in its dashboard. Absent: none are received.",
    requesters: 'AWS accounts besides this one that may put requests on the bus.',
    concurrency: "Whether halting and webhooks have their own shares of the account's concurrent executions.",
    encryption: 'KMS keys that the account itself creates and keeps. Data without a key here uses a key of AWS.',
    journal: "Copies of the journal's backups.",
    books: 'Accounts of the journal entries for hledger and beancount, and directions of ledger entries.',
    notices: 'Notices to people, and their receivers. Absent: people hear only alarms.',
    alarms: 'Receivers of alarms.',
  },
  aws: {
    account: 'Account id of 12 digits.',
    region: 'Region, such as eu-west-1.',
    vpc: "The network in which functions run. Absent: Lambda's own network.",
    proxy: "The company's forward proxy for the HTTPS requests of functions. Absent: they go straight out.",
    certificateAuthorities: 'Certificates in PEM that functions trust beside the public authorities.',
    eventBus: "The account's own event bus, by name or ARN. Absent: the deployment makes one.",
    journalTable: "The account's own table for the journal, by name or ARN. Absent: the deployment makes one.",
    tags: 'Tags of every resource that takes tags, by key. At most 30, of 800 characters together.',
    permissionsBoundary: 'Boundary of every role: the ARN or the name of a managed policy of this account.',
    deployRoles:
      'Roles that deploy, by their ARNs, where CloudFormation does not use the role of cdk bootstrap. The policy of the journal lets them change it.',
    rolePath: 'Path of every role, such as /company/. It is chosen before the first deployment.',
    logRetentionDays: 'Days for which every log group keeps its lines. Absent: 180.',
  },
  vpc: {
    id: 'The VPC in which the functions run.',
    subnets: 'Its subnets, with a way to the service and to AWS: a NAT gateway, or endpoints and a proxy.',
    securityGroups:
      'Groups of the functions. Absent: a group for each stack, which only sends, to ports of HTTPS and the proxy.',
  },
  proxy: {
    url: 'Address of the proxy, without user and password. Every HTTPS request of a function goes through it.',
    except: 'Hosts reached without the proxy, such as ".eu-west-1.amazonaws.com" where the VPC has endpoints.',
  },
  service: {
    url: 'Address of the service, without /v2.',
    stage: 'The stage live refuses test keys, and the stage test refuses live keys.',
    keySecret: 'Name of the Secrets Manager secret with the key of every role that keys does not name.',
    shared: 'Whether people or other programs also write to the account.',
    keys: 'A separate key for a role. A function gets only the key of its own role.',
  },
  keys: {
    read: 'The key that reads.',
    trade: 'The key that converts.',
    transfer: 'The key that withdraws.',
  },
  read: KEY,
  trade: KEY,
  transfer: KEY,
  waives: {
    splitKeys: 'Reason why one key has more than one role.',
    allowedContacts: 'Reason why withdrawals may go to any contact of the account.',
    dailyBounds: 'Reason why the value that moves in a day has no bound.',
    verifiedPeople: 'Reason why rules about people apply at a desk, where nobody verifies identities.',
    resumedBy: 'Reason why a person who may halt may also resume alone.',
  },
  timing: {
    tokenLifeSeconds: 'Seconds for which a signed token is valid.',
    leewaySeconds: 'Seconds after its end in which the service might still accept a token.',
    visibilitySeconds: 'Seconds in which an accepted withdrawal might still be missing from the lists.',
    orderVisibilitySeconds: 'Seconds in which an accepted order might still be unreadable by its id.',
    quoteMarginMs: 'Milliseconds. A quote with less life left is replaced before anything is sent.',
    attempts: 'Maximum attempts of one intent, each with a quote of its own.',
    intentLifeSeconds: 'Life in seconds of an intent that names no notAfter.',
    pollInsideSeconds: 'Seconds for which a step keeps reading before it leaves the wait to the state machine.',
    pollFirstWaitSeconds: 'Seconds of the first wait before a step reads again. Each further wait is twice as long.',
    pollLongestWaitSeconds: 'Seconds of the longest wait before a step reads again.',
    pollWaits: 'Maximum waits before a movement ends STUCK.',
    bankPayoutHours: 'Hours after its send in which a bank payout may be on its way before a person is called.',
  },
  guards: {
    ...BOUND_GUARDS,
    dailyOutflow: 'Most that may leave in a day, fee included, by settled asset code.',
    valuationAsset: 'The asset in which values are expressed, for guards and for policies that name none.',
    snapshotSeconds: 'Seconds. A plan from older figures is not carried out.',
  },
  total: BOUND,
  assets: BOUND,
  contacts: BOUND,
  quietHours: {
    days: 'Days of the week. Absent: every day.',
    from: 'Time at which the quiet begins.',
    to: 'Time at which it ends, on the next day where it is not later. Equal to from: a whole day.',
    timeZone: 'IANA name of the time zone.',
  },
  approval: {
    ...APPROVERS,
    above: 'Value above which a person must approve.',
    assets: 'Settled units, by the asset that the movement sells or withdraws, fee included.',
    contacts: "Value that goes to a contact, by the contact's id.",
    expiresAfterSeconds: 'Seconds after which a plan that nobody approved is dropped.',
    priceBoundBps: 'The approval is void after an indicative rate has moved further than this, either way.',
  },
  policy: {
    kind: 'Kind of the policy, which decides its other fields.',
    was: "The policy's name before a rename. Its memory continues under the new name.",
    mode: 'The mode shadow plans and reports by its schedule, and moves nothing.',
    schedule: 'When the policy runs by itself. Absent: only when somebody or an event asks.',
    guards: 'Bounds of this policy, in addition to those of everything.',
    approval: 'Runs that wait for a person.',
    breaker: 'When the policy halts itself.',
    runLifeSeconds: 'Seconds after its plan in which a run may send.',
    valuationAsset: 'The asset in which values are expressed. Absent: that of the guards of everything.',
    hubs: 'Assets through which a conversion may go where no direct market exists, best first.',
    contactId: 'Id of the contact that receives.',
    asset: 'The asset that the policy is about.',
    into: 'The asset to convert into.',
    keep: 'Amount that stays in the account, in settled units.',
    smallestTrade: 'Value of the smallest conversion.',
    reserve: 'Settled units of an asset that stay in any case.',
    ...FEES,
  },
  schedule: {
    expression: 'A rate or a cron expression of EventBridge Scheduler.',
    timeZone: 'IANA name of the time zone of the expression.',
    start: 'Nothing starts before this time.',
    end: 'Nothing starts after this time.',
    retries: 'Retries of a delivery by EventBridge Scheduler. A run that starts and fails is not retried.',
    maxEventAgeSeconds: 'Seconds after which an undelivered start is dropped.',
  },
  breaker: {
    failures: 'Unsettled runs in a row after which the policy halts itself.',
    largestFallBps: 'Fall of total value since the last run beyond which the policy halts itself.',
  },
  rebalance: {
    weights: 'Shares of the total value by asset, which add up to 1. Either these or amounts.',
    amounts: 'Target values by asset. The first hub takes the rest. Either these or weights.',
    band: 'Tolerated drift.',
    largestTrade: 'Value of the largest conversion.',
    turnover: 'Most value that a run, and all runs of a day, may sell.',
    coolDownSeconds: 'Seconds without a trade after a run that traded.',
    leaveAlone: 'Assets that the policy never touches.',
  },
  band: {
    of: 'Whether the drift is a share of the total value, or of the target of the asset itself.',
    bps: 'Basis points of drift that are tolerated.',
  },
  turnover: { run: 'Most value that one run may sell.', day: 'Most value that all runs of a day may sell.' },
  fund: {
    atLeast: 'Below this, the policy buys. Settled units.',
    target: 'Settled units up to which it buys. Absent: the same as atLeast.',
    from: 'Assets to pay with, in this order.',
  },
  from: SPENT,
  keep: KEEP,
  'convert-on-arrival': { onDeposit: 'Whether it also runs when the service announces a deposit of the asset.' },
  'convert-and-withdraw': {
    from: 'The asset to convert.',
    amount: 'Settled units of it to convert. Absent: all above what is kept.',
  },
  sweep: { rules: 'Withdrawals, each for some assets to one contact.' },
  rules: {
    ...FEES,
    assets: 'The assets that the rule withdraws. Either these or allBut.',
    allBut: 'The rule withdraws all assets except these.',
    keep: 'Amount of each asset that stays, in its settled units.',
    convertInto: 'The asset to convert into before the withdrawal.',
    canary: 'Whether a new or changed contact first receives the smallest amount alone.',
  },
  payouts: {
    assets: 'The assets that rows may pay.',
    from: 'Assets that buy what is lacking, in this order. Absent: nothing is bought.',
    files: 'Place in S3 whose new objects are payout files. Whoever may write there may ask for payments.',
    rows: 'The rows to pay, from the request of a run. In treasury.json it is empty.',
  },
  files: {
    bucket: 'Name of a bucket of the same account and region, which keeps versions and sends events to EventBridge.',
    prefix: 'Only objects whose key begins with this. Absent: all objects of the bucket.',
  },
  rows: {
    id: 'Id of the row. The same id is paid once.',
    contactId: 'Id of the contact that receives.',
    contactReference: 'The reference or alias that the contact must have.',
    asset: 'The asset to pay.',
    amount: 'Amount in settled units.',
    reference: 'Text for people that the row carries.',
  },
  webhooks: {
    signatureHeader: 'Name of the header that carries the signature.',
    mostAtOnce: "Maximum deliveries processed at the same time, reserved from the account's concurrency.",
  },
  encryption: {
    secrets: 'Encrypts the secrets with keys of the service and with addresses of notices.',
    journal: "Encrypts the journal's table and its backups.",
    copies: 'Encrypts the copies of backups. It is a key of the region of the copies.',
    logs: 'Encrypts the logs of functions and of state machines.',
  },
  journal: { copyRegion: "Region for copies of the journal's backups." },
  notices: {
    name: 'Name of the notice, unique in this file.',
    to: 'Where the notice goes.',
    about: 'Kinds of events that it tells.',
    policies: 'Only events of these policies. Absent: of all.',
    consolePort: "Port of the console on each reader's own machine, for a link in the notice.",
  },
  to: {
    webhook: 'An address that receives the notice by HTTPS.',
    sns: 'Receivers that a topic of the deployment notifies.',
    topicArn: 'ARN of a topic of the account, in place of one of the deployment.',
  },
  webhook: {
    secret: 'Name of the Secrets Manager secret with the address.',
    shape: 'Form of the posted message.',
  },
  alarms: {
    page: 'Receivers of alarms that somebody must look at now.',
    ticket: 'Receivers of alarms that can wait until the morning.',
    topicArn: "ARN of the user's own SNS topic, which every alarm notifies as well.",
    topics: "Topics of the account that the alarms of a severity notify, in place of the deployment's own.",
  },
  topics: {
    page: 'ARN of the topic of alarms that somebody must look at now.',
    ticket: 'ARN of the topic of alarms that can wait until the morning.',
  },
}

export type Schema = Readonly<Record<string, unknown>>

/** Adds a description to every field that has none. @throws TypeError for a field that nobody has described */
export function describeFields(schema: Schema, parent = ''): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      if (name === 'properties') return [name, describedProperties(value as Readonly<Record<string, Schema>>, parent)]
      if (Array.isArray(value)) return [name, value.map((each) => (isSchema(each) ? described(each, parent) : each))]
      return [name, isSchema(value) && name !== 'default' ? described(value, parent) : value]
    }),
  )
}

function described(schema: Schema, parent: string): Schema {
  return describeFields(schema, parent === 'policies' ? (kindOf(schema) ?? parent) : parent)
}

function describedProperties(properties: Readonly<Record<string, Schema>>, parent: string): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const inside = describeFields(schema, field)
      return [field, 'description' in inside ? inside : { description: describe(field, parent), ...inside }]
    }),
  )
}

function describe(field: string, parent: string): string {
  const text = BY_PARENT[parent]?.[field] ?? (isPolicy(parent) ? BY_PARENT.policy?.[field] : undefined)
  if (text === undefined) throw new TypeError(`treasury.json: the field ${field} of ${parent} has no description`)
  return text
}

function isPolicy(parent: string): boolean {
  return Object.values<string>(PolicyKind).includes(parent)
}

/** The kind of a policy's schema. */
function kindOf({ properties }: Schema): string | undefined {
  const kind = isSchema(properties) ? properties.kind : undefined
  return isSchema(kind) && typeof kind.const === 'string' ? kind.const : undefined
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
