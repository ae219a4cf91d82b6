// Draws docs/permissions.md: who may do what, on which resource, under which conditions. Uses the synthesized templates
// of a deployment with every feature: a key for each role and of KMS, schedules, webhooks, notices and payout files. `npm run
// docs:permissions` writes the page; test/docs/permissions.long.test.ts keeps it current. Decides nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseTreasury } from '../../core/treasury/config.ts'
import { type TemplateResource, textsIn } from './template-names.ts'

export const PERMISSIONS_PAGE = fileURLToPath(new URL('../../docs/permissions.md', import.meta.url))

interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Resource?: unknown
  readonly Principal?: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

type Words = (value: unknown) => string
type Resources = Readonly<Record<string, TemplateResource>>

const HEAD = `# Who may do what

\`npm run docs:permissions\` draws this page from the synthesized templates, and a test compares it with them. It shows a
deployment with everything: a key for each role, schedules, webhooks, notices, payout files, copies in a second region, own KMS
keys. Without KMS keys nobody has \`kms:Decrypt\`. What holds for every role of a kind is said once, in a section of its own.
[Decision 41](decisions/0041-limit-each-function-to-the-journal-records-that-it-needs.md) explains why.
\`test/workflow/permissions.long.test.ts\` uses each permission of a function or a machine, or gives its reason. Here *NAME* is the
function's own name, and *machines* are \`sluice-convert\`, \`sluice-withdraw\`, \`sluice-rebalance\` and \`sluice-sweep\`.

Keys of the journal's records begin with a letter (\`core/contract/records.ts\`):

- \`I#\`: intents, by kind
- \`C#\`: claims
- \`O#\`: movements that people declared to be others'
- \`R#\`, \`G#\`: runs, and pages of their lists
- \`Q#\`: requesters of runs
- \`D#\`: decisions on plans and movements
- \`P#\`: policies
- \`H#\`, \`T#\`: halts by people, trips of breakers
- \`B#\`, \`F#\`: budgets, and movements in flight
- \`L#\`, \`X#\`: lanes, and withdrawals whose record was lost
- \`Y#\`: for the log of people: who asked for movements, settled doubts, write-offs, configurations
- \`E#\`: received webhooks
- \`S#\`: turns at the service
- \`N#\`: signed requests that were used
- \`W#\`: watermarks
- \`A#\`: the account, the identity of the table, the verification of the keys
`

const kmsKey = (region: string, id: string) =>
  `arn:aws:kms:${region}:111111111111:key/00000000-0000-0000-0000-0000000000${id}`
const ENCRYPTION = {
  secrets: kmsKey('eu-west-1', '01'),
  journal: kmsKey('eu-west-1', '02'),
  copies: kmsKey('eu-central-1', '03'),
  logs: kmsKey('eu-west-1', '04'),
}

const EVERYTHING = {
  service: {
    ...{ url: 'https://service.example', stage: 'test' },
    keys: { read: { secret: 'read-key' }, trade: { secret: 'trade-key' }, transfer: { secret: 'transfer-key' } },
  },
  webhooks: {},
  notices: [
    { name: 'chat', to: { webhook: { secret: 'chat-address' } }, about: ['halted'] },
    { name: 'mail', to: { sns: [] }, about: ['halted'] },
  ],
  requesters: ['222222222222'],
  encryption: ENCRYPTION,
  journal: { copyRegion: 'eu-central-1' },
  policies: {
    salaries: {
      ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
      files: { bucket: 'company-payouts', prefix: 'salaries/' },
    },
    hourly: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, schedule: { expression: 'rate(1 hour)' } },
  },
}

export async function drawPermissions(): Promise<string> {
  const { createApp } = await import('../../infra/app.ts')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-permissions-'))
  try {
    // The content of a bundle does not change permissions, so it is empty here.
    createApp({
      treasury: parseTreasury(JSON.stringify(EVERYTHING)),
      bundleDir: emptyIn(folder),
      outDir: folder,
      isChecked: false,
    }).synth()
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.template.json'))
      .sort()
    const templates = files.map(
      (file): Resources => JSON.parse(readFileSync(join(folder, file), 'utf8')).Resources ?? {},
    )
    const roles = templates.flatMap(rolesOf)
    const functions = roles.filter(({ assumedBy, may }) => assumedBy === FUNCTION && may.length > 0)
    const machines = roles.filter(({ assumedBy }) => assumedBy.startsWith('states.'))
    const people = templates.flatMap(policiesOfPeople)
    const page = [
      HEAD,
      ...drawn('Every function', 'What each function below may as well.', functions),
      ...drawn(
        'Every function with the journal',
        'What each function that reads records may as well.',
        functions.filter(({ may }) => may.some(({ action }) => action === 'dynamodb:DescribeTable')),
      ),
      ...drawn('Every state machine', 'What each machine below may as well.', machines),
      ...roles.flatMap(sectionOf),
      '# What people need',
      '',
      'Managed policies, attached to nobody: [runbook](runbook.md#who-may-halt-and-approve).',
      '',
      ...drawn('Every policy of people', 'Looks into the journal and the executions.', people),
      ...people.flatMap(sectionOf),
      '## Policies of resources',
      '',
      ...templates.flatMap(ofResources),
      '',
    ].join('\n')
    return Object.entries(ENCRYPTION).reduce((text, [data, arn]) => text.replaceAll(arn, `KMS key of ${data}`), page)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function emptyIn(folder: string): string {
  const bundleDir = mkdtempSync(join(folder, 'bundle-'))
  writeFileSync(join(bundleDir, 'index.mjs'), '')
  return bundleDir
}

/** One permission of a role, its words without what names the role itself. */
interface Permission {
  readonly action: string
  readonly resource: string
  /** Names of records, or another condition, each with its words. Empty: none. */
  readonly where: string
}

interface Role {
  readonly title: string
  readonly says: string
  readonly assumedBy: string
  may: readonly Permission[]
}

const FUNCTION = 'lambda.amazonaws.com'

function rolesOf(resources: Resources): readonly Role[] {
  const words = textsIn(resources)
  return ofType(resources, 'AWS::IAM::Role').map(([id, role]) => {
    const trust = documentOf(role.AssumeRolePolicyDocument)
    const assumedBy = trust.map((each) => `${words(principalOf(each.Principal))}${underText(each, words)}`).join('; ')
    const granted = ofType(resources, 'AWS::IAM::Policy').filter(([, { Roles }]) =>
      [Roles].flat().some((each) => isOf(each, id)),
    )
    const may = granted.flatMap(([, { PolicyDocument }]) =>
      documentOf(PolicyDocument).flatMap((each) => permissionsOf(each, words)),
    )
    const isSchedule = assumedBy.startsWith('scheduler.') && !/Schedules?$/.test(titleOf(id))
    const title = isSchedule ? `${titleOf(id)}Schedule` : titleOf(id)
    return {
      title,
      says: assumedBy === FUNCTION ? '' : `Assumed by ${assumedBy}.`,
      assumedBy,
      may: withoutOwnName(may),
    }
  })
}

/** A function's own name, by its log group, becomes NAME, so that what all functions may is the same text. */
function withoutOwnName(may: readonly Permission[]): readonly Permission[] {
  const own = may.map(({ resource }) => /^\/aws\/lambda\/(sluice-.*)$/.exec(resource)?.[1]).find(Boolean)
  if (own === undefined) return may
  const plain = (text: string) =>
    text
      .replace(`/aws/lambda/${own}`, '/aws/lambda/NAME')
      .replace(`\`lambda:function:${own}\``, '`NAME`')
      .replace(`\`lambda:function:${own}:*\``, '`NAME:*`')
  return may.map(({ action, resource, where }) => ({ action, resource: plain(resource), where: plain(where) }))
}

/** Managed policies, which an account attaches to people's roles. */
function policiesOfPeople(resources: Resources): readonly Role[] {
  const words = textsIn(resources)
  return ofType(resources, 'AWS::IAM::ManagedPolicy').map(([, { Description, ManagedPolicyName, PolicyDocument }]) => ({
    title: words(ManagedPolicyName),
    says: words(Description),
    assumedBy: '',
    may: documentOf(PolicyDocument).flatMap((each) => permissionsOf(each, words)),
  }))
}

const wordsOf = ({ action, resource, where }: Permission) => `${action} ${resource} ${where}`

/** The section of what all of them may. It is taken out of theirs. */
function drawn(title: string, says: string, roles: readonly Role[]): readonly string[] {
  const [first, ...others] = roles
  const isShared = (each: Permission) => others.every(({ may }) => may.some((one) => wordsOf(one) === wordsOf(each)))
  const shared = first?.may.filter(isShared) ?? []
  const taken = new Set(shared.map(wordsOf))
  for (const role of roles) role.may = role.may.filter((each) => !taken.has(wordsOf(each)))
  return sectionOf({ title, says, assumedBy: '', may: shared })
}

function sectionOf({ may, says, title }: Role): readonly string[] {
  const lines = may.length === 0 ? ['It may do nothing more.'] : linesOf(may)
  return [`## ${title}`, '', ...(says === '' ? [] : [says, '']), ...lines, '']
}

/** Permissions on the same resources under the same condition are one line. */
function linesOf(may: readonly Permission[]): readonly string[] {
  const byAction = Map.groupBy(may, ({ action, where }) => `${action}|${where}`)
  const onSets = [...byAction.values()].flatMap((each) => {
    const [first] = each
    return first === undefined ? [] : [{ ...first, resource: resourcesText(each.map(({ resource }) => resource)) }]
  })
  const byResources = Map.groupBy(onSets, ({ action, resource, where }) => `${serviceOf(action)}|${resource}|${where}`)
  return [...byResources.values()]
    .flatMap((each) => {
      const [first] = each
      if (first === undefined) return []
      const actions = each.map(({ action }) => action).sort()
      const isDenied = serviceOf(first.action) === NEVER
      const names = actions.map((action, nth) => (nth === 0 || isDenied ? action : nameOf(action)).replace(NEVER, ''))
      const listed = names.map((name) => `\`${name}\``).join(', ')
      return [`- ${isDenied ? NEVER : ''}${listed} on ${first.resource}${first.where}`]
    })
    .sort()
}

const MACHINES = ['sluice-convert', 'sluice-rebalance', 'sluice-sweep', 'sluice-withdraw']

function resourcesText(resources: readonly string[]): string {
  const left = new Set(resources)
  const every = [
    [MACHINES, '*machines*'],
    [MACHINES.map((name) => `execution:${name}:*`), 'executions of *machines*'],
  ] as const
  const named = every.flatMap(([all, text]) => {
    if (!all.every((each) => left.has(each))) return []
    for (const each of all) left.delete(each)
    return [text]
  })
  return [...named, ...[...left].sort().map((each) => `\`${each}\``)].join(', ')
}

const NEVER = 'never '
/** Actions of one service stand in one line, and so does everything that is denied. */
const serviceOf = (action: string) => (action.startsWith(NEVER) ? NEVER : (action.split(':')[0] ?? ''))
const nameOf = (action: string) => action.split(':')[1] ?? ''

/** Policies of resources, about who may use them. */
function ofResources(resources: Resources): readonly string[] {
  const words = textsIn(resources)
  const permissions = ofType(resources, 'AWS::Lambda::Permission').map(
    ([, { Action, FunctionName, InvokedViaFunctionUrl, Principal, SourceArn }]) => {
      const byUrl = InvokedViaFunctionUrl === true ? ', by way of its URL' : ''
      const source = SourceArn === undefined ? byUrl : `, for \`${words(SourceArn)}\``
      return `- \`${words(Principal)}\` may \`${words(Action)}\` on \`${words(FunctionName)}\`${source}.`
    },
  )
  const policies = Object.values(resources).flatMap(({ Properties = {}, Type }) =>
    statementsOf(Type, Properties).map((each) => {
      const { Action, Effect, Principal, Resource } = each
      const may = Effect === 'Deny' ? 'may not' : 'may'
      const actions = [Action].flat().map((action) => `\`${action}\``)
      return `- \`${words(principalOf(Principal))}\` ${may} ${actions.join(', ')} on \`${words(Resource)}\`${underText(each, words)}.`
    }),
  )
  return [...new Set([...permissions, ...policies])].sort()
}

function statementsOf(type: string, properties: Readonly<Record<string, unknown>>): readonly Statement[] {
  switch (type) {
    case 'AWS::SQS::QueuePolicy':
      return documentOf(properties.PolicyDocument)
    case 'AWS::Events::EventBus':
      return documentOf(properties.Policy)
    case 'AWS::DynamoDB::Table':
      return documentOf(
        (properties.ResourcePolicy as { readonly PolicyDocument?: unknown } | undefined)?.PolicyDocument,
      )
    default:
      return []
  }
}

function permissionsOf(statement: Statement, words: Words): readonly Permission[] {
  const never = statement.Effect === 'Deny' ? NEVER : ''
  const plain = (resource: unknown) =>
    words(resource).replace(
      /^(?:lambda:function|states:stateMachine|secretsmanager:secret|states|dynamodb:table)[:/]/,
      '',
    )
  return [statement.Resource].flat().flatMap((resource) =>
    [statement.Action].flat().map((action) => ({
      action: `${never}${action}`,
      resource: plain(resource),
      where: underText(statement, words),
    })),
  )
}

const RECORDS = ' `dynamodb:LeadingKeys` is'

function underText(statement: Statement, words: Words): string {
  const text = conditionText(statement, words)
  return text === '' ? '' : text.startsWith(RECORDS) ? `, records${text.slice(RECORDS.length)}` : `, where${text}`
}

function conditionText({ Condition = {} }: Statement, words: Words): string {
  const texts = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => {
      const listed = [values].flat().map((value) => `\`${words(value)}\``)
      return `\`${key}\` ${/Not/.test(operator) ? 'is not among' : 'is'} ${listed.join(', ')}`
    }),
  )
  return texts.length === 0 ? '' : ` ${texts.join('; ')}`
}

function principalOf(principal: unknown): unknown {
  const [value] = typeof principal === 'object' && principal !== null ? Object.values(principal) : [principal]
  return Array.isArray(value) ? value[0] : value
}

/** The id without the hash that CDK adds. */
function titleOf(id: string): string {
  return id.replace(/(Role)?[0-9A-F]{8}$/, '')
}

function isOf(reference: unknown, id: string): boolean {
  return JSON.stringify(reference) === JSON.stringify({ Ref: id })
}

function documentOf(document: unknown): readonly Statement[] {
  return (document as { readonly Statement?: readonly Statement[] } | undefined)?.Statement ?? []
}

function ofType(resources: Resources, type: string) {
  return Object.entries(resources).flatMap(([id, { Properties = {}, Type }]) =>
    Type === type ? [[id, Properties] as const] : [],
  )
}

if (import.meta.main) {
  process.env.CDK_VALIDATION ??= 'false'
  writeFileSync(PERMISSIONS_PAGE, await drawPermissions())
}
