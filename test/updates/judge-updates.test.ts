// Updates that CloudFormation cannot carry out, with a small account for each. The walks of `npm run updates` use this
// judge.
import { expect, test } from 'vitest'
import type { AssemblyFacts, ResourceFacts, StackFacts } from './assembly-facts.ts'
import { afterTakingDown, afterUpdate, type Deployed, isImported, judgeUpdate } from './judge.ts'

const table = (more: Partial<ResourceFacts> = {}): ResourceFacts => ({
  type: 'AWS::DynamoDB::Table',
  name: 'records',
  createOnly: 'by id',
  isRetained: false,
  ...more,
})
const stack = (name: string, facts: Partial<StackFacts> = {}): StackFacts => ({
  name,
  exports: {},
  imports: [],
  resources: {},
  ...facts,
})
const account = (...stacks: StackFacts[]): Deployed => ({ assembly: { stacks }, leftOver: new Set() })
const next = (...stacks: StackFacts[]): AssemblyFacts => ({ stacks })
const found = (deployed: Deployed, assembly: AssemblyFacts) =>
  judgeUpdate(deployed, assembly).map(({ finding }) => finding)

test('an export may change or disappear only while nobody imports it', () => {
  const exporting = stack('A', { exports: { 'A:key': 'one' } })
  const importing = stack('B', { imports: ['A:key'] })
  for (const exports of [{ 'A:key': 'two' }, {}]) {
    expect(found(account(exporting, importing), next(stack('A', { exports }), stack('B')))).toEqual(['export-in-use'])
    expect(found(account(exporting, stack('B')), next(stack('A', { exports }), stack('B')))).toEqual([])
  }
})

test('a resource with a name cannot be replaced, and records must not disappear with a resource', () => {
  const before = account(stack('A', { resources: { T: table() } }))
  const replaced = next(stack('A', { resources: { T: table({ createOnly: 'by another id' }) } }))
  expect(found(before, replaced)).toEqual(['state-deleted', 'named-replaced'])
  expect(found(before, next(stack('A')))).toEqual(['state-deleted'])
  expect(found(before, next(stack('A', { resources: { T: table() } })))).toEqual([])
})

test('a table gains or loses one index for each update, and no index changes its keys', () => {
  const indexed = (indexes: Readonly<Record<string, string>>) =>
    stack('A', { resources: { T: table({ isRetained: true, indexes }) } })
  const before = account(indexed({ listed: 'by listed' }))
  expect(found(before, next(indexed({ listed: 'by listed', asked: 'by month' })))).toEqual([])
  expect(found(before, next(indexed({ listed: 'by listed', asked: 'by month', more: 'by day' })))).toEqual([
    'indexes-changed',
  ])
  expect(found(before, next(indexed({ listed: 'by another' })))).toEqual(['indexes-changed'])
  expect(found(before, next(indexed({})))).toEqual([])
})

test('a schedule must not depend on the time of its deployment', () => {
  const schedule: ResourceFacts = { ...table(), type: 'AWS::Scheduler::Schedule', goesByDeployment: true }
  const scheduled = stack('A', { resources: { S: schedule } })
  expect(found(account(), next(scheduled))).toEqual(['goes-by-deployment'])
  expect(found(account(scheduled), next(stack('A')))).toEqual([])
})

test('a retained resource stays when it leaves its stack, and is taken over or blocks its name', () => {
  const kept = stack('A', { resources: { T: table({ isRetained: true }) } })
  expect(found(account(kept), next(stack('A')))).toEqual([])
  const left = afterUpdate(account(kept), next(stack('A')))
  expect([...left.leftOver]).toEqual(['AWS::DynamoDB::Table records'])
  expect(found(left, next(kept))).toEqual([])
  // CloudFormation imports retained resources with a fixed name that are in no stack.
  const notKept = stack('A', { resources: { T: table() } })
  expect(found(left, next(notKept))).toEqual(['name-taken'])
  expect(found(account(stack('B'), kept), next(stack('B', { resources: kept.resources }), stack('A')))).toEqual([
    'name-taken',
  ])
  const workedOut = table({ isRetained: true, name: '{"Ref":"Name"}' })
  expect(isImported(workedOut)).toBe(false)
  expect(isImported({ ...table({ isRetained: true }), type: 'AWS::SecretsManager::Secret' })).toBe(false)
})

test('the name of another resource is taken, in its own stack and in one that is deployed later', () => {
  const log = (id: string) => ({ [id]: { ...table(), type: 'AWS::Logs::LogGroup' } })
  expect(found(account(stack('A', { resources: log('One') })), next(stack('A', { resources: log('Two') })))).toEqual([
    'name-taken',
  ])
  const moved = next(stack('A', { resources: log('One') }), stack('B'))
  expect(found(account(stack('A'), stack('B', { resources: log('One') })), moved)).toEqual(['name-taken'])
  // In the other order the resource is gone before.
  const back = next(stack('A'), stack('B', { resources: log('One') }))
  expect(found(account(stack('A', { resources: log('One') }), stack('B')), back)).toEqual([])
})

test('a stack that leaves the app stays in the account, with its names, records and imports', () => {
  const kept = stack('A', { resources: { T: table({ isRetained: true }) }, imports: ['X:key'] })
  const exporting = stack('X', { exports: { 'X:key': 'one' } })
  const left = afterUpdate(account(kept, exporting), next(exporting))
  expect(found(left, next(exporting, stack('B', { resources: { T: table() } })))).toEqual(['name-taken'])
  expect(found(left, next(stack('X')))).toEqual(['export-in-use'])
  // The stack returns to what it has.
  expect(found(left, next(kept, exporting))).toEqual([])
})

test('after all stacks are deleted only what is retained still has its name', () => {
  const home: ResourceFacts = { type: 'AWS::IAM::Role', name: 'home', createOnly: 'path /', isRetained: false }
  const before = account(stack('A', { resources: { T: table({ isRetained: true }), H: home } }))
  const moved = stack('A', { resources: { H: { ...home, createOnly: 'path /company/' } } })
  expect(found(before, next(moved))).toEqual(['named-replaced'])
  expect(found(afterTakingDown(before), next(moved))).toEqual([])
  expect(found(afterTakingDown(before), next(stack('A', { resources: { U: table() } })))).toEqual(['name-taken'])
})
