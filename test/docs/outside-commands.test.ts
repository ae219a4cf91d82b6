// The commands of the AWS CLI that pages name exist, with their options.
// The AWS CLI makes its commands from the models that the clients of the SDK have too.
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { pages } from './pages.ts'

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

interface AwsCommand {
  readonly service: string
  readonly operation: string
  /** Names without the dashes at their begin. */
  readonly flags: readonly string[]
}

/** Lines that end with a backslash continue. A command ends at a pipe, a bracket, a backtick or a comment. */
function awsCommandsIn(text: string): readonly AwsCommand[] {
  const lines = text.replace(/\\\n\s*/g, '').split('\n')
  return lines.flatMap((line) =>
    line.split(/\b(?=aws [a-z0-9-]+ [a-z0-9-]+)/).flatMap((part) => {
      const [, service, operation, rest = ''] = /^aws ([a-z][a-z0-9-]*) ([a-z][a-z0-9-]+)(.*)/.exec(part) ?? []
      if (service === undefined || operation === undefined) return []
      const [own = ''] = rest.replace(/'[^']*'|"[^"$]*"/g, '').split(/[|)`;]| #|&&/)
      return [{ service, operation, flags: [...own.matchAll(/ --([a-z][a-z0-9-]*)/g)].map(([, flag = '']) => flag) }]
    }),
  )
}

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
