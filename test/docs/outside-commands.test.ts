// The commands of the AWS CLI and of npm that pages name exist, and so do the options that pages give to them and to ours.
// The AWS CLI makes its commands from the models that the clients of the SDK have too.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { flagsOf } from './commands.ts'
import { type AwsCommand, awsCommandsIn, npmScriptsIn, ownCommandsIn } from './outside-commands.ts'
import { pages, ROOT } from './pages.ts'

const require = createRequire(import.meta.url)
const ours = pages.filter(({ file }) => file !== 'CHANGELOG.md')

/** Clients that have other names than their commands. */
const CLIENTS: Readonly<Record<string, string>> = {
  ...{ events: 'eventbridge', stepfunctions: 'sfn', s3api: 's3', secretsmanager: 'secrets-manager' },
}
/** Commands without a client here: `s3` has none of the service's own operations. */
const UNCHECKED = ['cloudformation', 'configure', 'logs', 'organizations', 's3', 'sso']
/** Options of every command. Source: AWS CLI Command Reference, "Options". */
const GLOBAL = ['cli-binary-format', 'endpoint-url', 'no-paginate', 'max-items', 'output', 'profile', 'query', 'region']
/** Options by which the AWS CLI writes a list of the service's input in words of its own. */
const ADDED: Readonly<Record<string, readonly string[]>> = { 'put-metric-data': ['metric-name', 'value', 'dimensions'] }
/** Options that the AWS CLI calls differently from the service. */
const RENAMED: Readonly<Record<string, string>> = { 'notification-endpoint': 'endpoint' }

type Shape = readonly [kind: number, space: string, name: string, traits: unknown, members: readonly string[]]

/** The members of the operation's input in lower case. Undefined: the service has no such operation. */
function inputOf({ operation, service }: AwsCommand): readonly string[] | undefined {
  const client: Readonly<Record<string, new (input: object) => { readonly schema: readonly unknown[] }>> = require(
    `@aws-sdk/client-${CLIENTS[service] ?? service}`,
  )
  const plain = `${operation.replaceAll('-', '')}command`
  const name = Object.keys(client).find((each) => each.toLowerCase() === plain)
  const Command = name === undefined ? undefined : client[name]
  if (Command === undefined) return undefined
  const input = new Command({}).schema[4]
  const [, , , , members = []] = (typeof input === 'function' ? input() : input) as Shape
  return members.map((member) => member.toLowerCase())
}

function faultOf(command: AwsCommand): string | undefined {
  const { flags, operation, service } = command
  if (UNCHECKED.includes(service)) return undefined
  const members = inputOf(command)
  if (members === undefined) return `aws ${service} ${operation} is no command`
  const isKnown = (flag: string) => members.includes((RENAMED[flag] ?? flag).replaceAll('-', ''))
  const wrong = flags.filter(
    (flag) =>
      ![...GLOBAL, ...(ADDED[operation] ?? [])].includes(flag) && !isKnown(flag) && !isKnown(flag.replace(/^no-/, '')),
  )
  return wrong.length === 0 ? undefined : `aws ${service} ${operation} has no --${wrong.join(', --')}`
}

test.each([
  ['aws sqs get-queue-url --queue-name q --query QueueUrl', undefined],
  ['aws sqs get-queue-address --queue-name q', 'aws sqs get-queue-address is no command'],
  ['aws sqs get-queue-url --name q', 'aws sqs get-queue-url has no --name'],
  ['aws dynamodb update-table \\\n  --no-deletion-protection-enabled', undefined],
])('%s is judged by the model of the service', (text, fault) => {
  const [command, ...others] = awsCommandsIn(text)
  expect(others).toEqual([])
  expect(command && faultOf(command)).toBe(fault)
})

test('a command inside another one is a command of its own', () => {
  const text = 'aws sqs receive-message --queue-url "$(aws sqs get-queue-url --queue-name q --output text)"'
  expect(awsCommandsIn(text).map(({ operation, flags }) => [operation, flags])).toEqual([
    ['receive-message', ['queue-url']],
    ['get-queue-url', ['queue-name', 'output']],
  ])
})

test('every command of the AWS CLI that a page names exists, with its options', () => {
  const commands = ours.flatMap(({ file, text }) => awsCommandsIn(text).map((command) => ({ file, command })))
  expect(commands.length).toBeGreaterThan(40)
  const wrong = commands.flatMap(({ file, command }) => {
    const fault = faultOf(command)
    return fault === undefined ? [] : [`${file}: ${fault}`]
  })
  expect(wrong).toEqual([])
})

test('every script of npm that a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const named = ours.flatMap(({ file, text }) => npmScriptsIn(text).map((script) => ({ file, script })))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([])
})

test('every option that a page gives to a command of ours exists', () => {
  const named = ours.flatMap(({ file, text }) => ownCommandsIn(text).map((what) => ({ file, what })))
  expect(named.length).toBeGreaterThan(50)
  const wrong = named.flatMap(({ file, what }) => {
    const known = flagsOf(what)
    const given = [...what.replace(/'[^']*'|"[^"]*"/g, '').matchAll(/ (--[a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
    return given.filter((flag) => !known.includes(flag)).map((flag) => `${file}: ${what}: ${flag}`)
  })
  expect(wrong).toEqual([])
})
