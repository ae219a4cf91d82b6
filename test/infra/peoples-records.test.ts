// People's decisions lift what stops a run. No step of a run may write them, by any name that a statement gives their
// records.
import { beforeAll, expect, test } from 'vitest'
import { RequestEvent } from '../../core/contract/events.ts'
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import { requestedName, runNameOfDeposit } from '../../core/triggers/names.ts'
import { scheduledName } from '../../core/triggers/scheduled-name.ts'
import { idMadeOf } from '../../operations/movements/intent-id.ts'
import { synthesizeTemplates } from './assembly.ts'

const WRITES = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:TransactWriteItems', 'dynamodb:PartiQLUpdate']

interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

let statements: { readonly policy: string; readonly statement: Statement }[]

beforeAll(() => {
  const { workflow, triggers } = synthesizeTemplates({ webhooks: { signatureHeader: 'x-webhook-signature' } })
  statements = [workflow, triggers].flatMap((template) =>
    Object.entries(template.findResources('AWS::IAM::Policy')).flatMap(([policy, { Properties }]) =>
      (Properties.PolicyDocument.Statement as Statement[]).map((statement) => ({ policy, statement })),
    ),
  )
})

/** Policies that may write one of these keys. */
function writersOf(keys: readonly string[]): string[] {
  const writing = statements.filter(({ statement: { Action, Condition, Effect } }) => {
    if (Effect === 'Deny') return false
    const actions = [Action].flat()
    const mayWrite = actions.some((action) => action.includes('*') || WRITES.includes(action))
    if (!mayWrite || actions.every((action) => !action.startsWith('dynamodb:') && action !== '*')) return false
    const patterns = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']
    return patterns === undefined || keys.some((key) => patterns.some((pattern) => isLike(key, pattern)))
  })
  return [...new Set(writing.map(({ policy }) => policy))]
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'))
  return new RegExp(`^${parts.join('.*')}$`).test(text)
}

/** Names by the id of their construct. */
const namesOf = (policies: readonly string[]) => policies.map((name) => name.replace(/Role.*$/, '')).sort()

test('the requester of a run is written by functions that start runs, and by no step of a run', () => {
  for (const verb of ['rebalance', 'sweep'] as const)
    expect(namesOf(writersOf([recordKey.requester(idMadeOf(verb, 'one'))]))).toEqual(['PeopleRequestRun'])
  const identity = { detailType: RequestEvent.Rebalance, account: '111122223333', id: 'one' }
  const started = [
    scheduledName('core', '2026-01-01T00:00:00Z'),
    runNameOfDeposit('core', 'ab12'),
    requestedName(identity),
  ]
  for (const name of started)
    expect(namesOf(writersOf([recordKey.requester(name)]))).toEqual(['StartOnDeposit', 'StartRun'])
  expect(writersOf([recordKey.requester('run-1')])).toEqual([])
  expect(namesOf(writersOf([recordKey.run('run-1'), recordKey.decisions('run-1', 'ab12')]))).not.toContain(
    'PeopleRequestRun',
  )
})

test("no step of a run may write people's halts, releases or approvals: only the functions that people call", () => {
  expect(namesOf(writersOf([recordKey.halt('*'), recordKey.halt('core')]))).toEqual([
    'PeopleResume',
    'PeopleThrowSwitch',
  ])
  expect(namesOf(writersOf([recordKey.decisions('run-1', 'ab12')]))).toEqual(['PeopleDecide'])
  expect(namesOf(writersOf([recordKey.run('run-1')]))).not.toContain('PeopleDecide')
})

test.each([
  ['decide', 'PeopleDecide'],
  ['resume', 'PeopleResume'],
  ['throwSwitch', 'PeopleThrowSwitch'],
  ['requestRun', 'PeopleRequestRun'],
  ['release', 'PeopleRelease'],
  ['resolve', 'DoubtsResolve'],
  ['declareForeign', 'DoubtsDeclareForeign'],
])('the record of a signed request to %s is written by that function alone', (verb, name) => {
  expect(namesOf(writersOf([recordKey.spoken(verb, 'ab12')]))).toEqual([name])
})

test('only DeclareForeign writes foreign movements, and it can settle no doubt and end no run', () => {
  for (const kind of Object.values(IntentKind)) {
    expect(namesOf(writersOf([recordKey.foreign(kind, 'm-1')]))).toEqual(['DoubtsDeclareForeign'])
    expect(namesOf(writersOf([recordKey.intent(kind, 'i-1')]))).not.toContain('DoubtsDeclareForeign')
    expect(namesOf(writersOf([recordKey.intent(kind, 'i-1')]))).toContain('DoubtsResolve')
  }
  const others = [recordKey.run('run-1'), recordKey.decisions('run-1', 'ab12'), recordKey.halt('*'), recordKey.account]
  for (const name of ['DoubtsDeclareForeign', 'DoubtsResolve', 'PeopleRelease'])
    expect(namesOf(writersOf(others))).not.toContain(name)
})

test('the settler of doubts on AWS cannot declare a movement foreign, the declarer cannot settle, and neither can send', () => {
  const doors = doorsOf(synthesizeTemplates().triggers)
  for (const [policy, reached] of Object.entries(doors))
    expect([policy, reached.includes('resolve') && reached.includes('declare-foreign')]).toEqual([policy, false])
  expect(doors['sluice-operator']).not.toEqual(expect.arrayContaining(['resolve']))
})

test('who asked for a single movement is written by the function that people call, and by no step', () => {
  for (const verb of ['convert', 'withdraw'] as const)
    expect(namesOf(writersOf([recordKey.asked(verb, idMadeOf(verb, 'one'))]))).toEqual(['PeopleRequestRun'])
  expect(writersOf([recordKey.asked('convert', 'payroll-7')])).toEqual([])
})

test('the versions of the configuration are written by the audit, which sends nothing, and by no other function', () => {
  const keys = [recordKey.configuration, recordKey.pastConfiguration(3)]
  expect(namesOf(writersOf(keys))).toEqual(['Reconcile'])
})

test('steps that settle or plan runs may write the trip of a breaker', () => {
  expect(namesOf(writersOf([recordKey.trip('core', 1)]))).toEqual([
    ...['PeopleResume', 'PlanRebalance', 'PlanSweep', 'SettleRun'],
  ])
})

/** The functions that people may call, by the name of a managed policy. */
function doorsOf(template: ReturnType<typeof synthesizeTemplates>['triggers']): Record<string, string[]> {
  const policies = Object.values(template.findResources('AWS::IAM::ManagedPolicy'))
  const doors = ['decide', 'declare-foreign', 'release', 'request-run', 'resolve', 'resume', 'throw-switch']
  return Object.fromEntries(
    policies.map(({ Properties }) => {
      const text = JSON.stringify(Properties.PolicyDocument.Statement)
      return [Properties.ManagedPolicyName, doors.filter((door) => text.includes(`function:sluice-${door}`))]
    }),
  )
}

test('where another role must resume, the role for halts cannot, and the role for resuming can do nothing else', () => {
  const resumer = {
    ...{ 'sluice-resumer': ['resume'], 'sluice-approver': ['decide'], 'sluice-break-glass': [] },
    ...{ 'sluice-resolver': ['resolve'], 'sluice-declarer': ['declare-foreign', 'release'] },
  }
  expect(doorsOf(synthesizeTemplates().triggers)).toEqual({
    ...{ ...resumer, 'sluice-operator': ['request-run', 'resume', 'throw-switch'] },
  })
  for (const resumedBy of ['two-people', 'another-role'] as const) {
    const operator = doorsOf(synthesizeTemplates({ resumedBy }).triggers)['sluice-operator']
    expect(operator?.includes('resume')).toBe(resumedBy === 'two-people')
  }
  expect(doorsOf(synthesizeTemplates({ resumedBy: 'another-role' }).triggers)).toEqual({
    ...{ ...resumer, 'sluice-operator': ['request-run', 'throw-switch'] },
  })
})

test('people call functions only by their URLs, and only break-glass writes the journal', () => {
  const policies = Object.values(synthesizeTemplates().triggers.findResources('AWS::IAM::ManagedPolicy'))
  const lines = policies.map(({ Properties }) => ({
    name: Properties.ManagedPolicyName,
    attached: [Properties.Roles, Properties.Users, Properties.Groups],
    statements: JSON.stringify(Properties.PolicyDocument.Statement),
  }))
  for (const { name, attached, statements } of lines) {
    expect(attached).toEqual([undefined, undefined, undefined])
    expect(statements.includes('dynamodb:PutItem')).toBe(name === 'sluice-break-glass')
    expect(statements.includes('"aws:MultiFactorAuthPresent":"true"')).toBe(name === 'sluice-break-glass')
    expect(statements.includes('"lambda:InvokedViaFunctionUrl":"true"')).toBe(name !== 'sluice-break-glass')
    expect(statements).not.toContain('DeleteItem')
  }
})
