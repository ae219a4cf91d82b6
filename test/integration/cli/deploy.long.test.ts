// `sluice deploy` as a process, against a socket that answers as Lambda does: it deploys only where the changes were
// shown, or a first deployment was asked for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'

const root = path.resolve(import.meta.dirname, '../../..')

const SIGNED_IN = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' }

interface Running {
  /** Runs in the app of the CDK before it fails. */
  readonly app?: string
  readonly onStart?: (pid: number) => void
  readonly variables?: Record<string, string>
}

/** Runs the deployment. The CDK's app leaves a file when it starts, and then fails. `address`: of the API of Lambda. */
async function deploy(
  args: readonly string[],
  address: string,
  { app = 'true', onStart, variables = SIGNED_IN }: Running = {},
) {
  const marker = path.join(temporaryFolder(), 'deployed')
  const child = spawn(
    process.execPath,
    [
      'bin/sluice.cjs',
      'deploy',
      ...args,
      ...(args.includes('--') ? [] : ['--']),
      '--app',
      `touch ${marker}; ${app}; exit 3`,
    ],
    {
      cwd: root,
      // A process group of its own, like a command at a terminal: Ctrl-C reaches the whole group.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...{ PATH: process.env.PATH, HOME: '/nonexistent', CDK_DISABLE_VERSION_CHECK: '1' },
        ...{ ...variables, AWS_ENDPOINT_URL_LAMBDA: address, AWS_EC2_METADATA_DISABLED: 'true' },
      },
    },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const { pid } = child
  if (pid !== undefined) onStart?.(pid)
  const [code] = await once(child, 'close')
  return { code, output, isDeployed: existsSync(marker) }
}

type Respond = (status?: number, body?: object, errorType?: string) => void

/** By default nothing is deployed. */
async function listen(answer: (respond: Respond) => void): Promise<string> {
  const server = createServer((_request, response) =>
    answer((status = 404, body = {}, errorType = 'ResourceNotFoundException') => {
      const headers = status === 200 ? {} : { 'x-amzn-errortype': errorType }
      response.writeHead(status, headers).end(JSON.stringify(body))
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('Ctrl-C while the deployed configuration is read ends the deployment, also with --yes', async () => {
  let group = 0
  // AWS is slow, and the person has changed their mind.
  const address = await listen(() => process.kill(-group, 'SIGINT'))
  const { code, isDeployed, output } = await deploy(['--yes'], address, {
    onStart(pid) {
      group = pid
    },
  })
  expect(output).toContain('nothing was deployed')
  expect({ code, isDeployed }).toEqual({ code: 130, isDeployed: false })
})

test('without a terminal and without --yes nothing is deployed, because nobody can answer', async () => {
  const { code, isDeployed, output } = await deploy([], await listen((respond) => respond()))
  expect(output).toMatch(/there is no terminal to ask on: add --yes.*\nnothing was deployed/s)
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: false })
})

test('--yes needs changes that were shown: with nothing deployed it deploys only with --first', async () => {
  const address = await listen((respond) => respond())
  const unshown = await deploy(['--yes'], address)
  expect(unshown.output).toMatch(/nothing is deployed yet: add --first .*\nnothing was deployed\n$/)
  expect(unshown).toMatchObject({ code: 1, isDeployed: false })
  const { code, isDeployed, output } = await deploy(['--yes', '--first'], address)
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: true })
  expect(output).not.toMatch(/^error:/m)
  // The CDK's failure keeps its exit code, and the last line says what to do next.
  expect(output).toMatch(/\nnext: [\s\S]*then: npx sluice deploy\n$/)
})

test('a rule of cdk-nag that the templates break is named, and bootstrap is not advised', async () => {
  const outDir = temporaryFolder()
  const violations = [
    { ruleName: 'AwsSolutions-IAM5', violatingConstructs: [{ constructPath: 'SluiceTriggers/Role' }] },
  ]
  const report = JSON.stringify({ pluginReports: [{ conclusion: 'failure', violations }] })
  const app = `echo '${report}' > ${path.join(outDir, 'validation-report.json')}`
  const { output } = await deploy(
    ['--yes', '--first', '--', '--output', outDir],
    await listen((respond) => respond()),
    {
      app,
    },
  )
  expect(output).toContain('AwsSolutions-IAM5 at SluiceTriggers/Role\n')
  expect(output).not.toContain('bootstrap')
})

const treasury = { service: { url: 'https://service.example', stage: 'test' } }
const REPORT = {
  outcome: 'DESCRIBED',
  release: '0.1.0',
  configuration: '0'.repeat(64),
  serviceUrl: treasury.service.url,
}

test('with --yes it deploys after the changes were shown', async () => {
  const address = await listen((respond) => respond(200, { ...REPORT, treasury }))
  const { isDeployed, output } = await deploy(['--yes'], address)
  expect(output).toMatch(/loosens \d+, tightens \d+ and changes \d+ more/)
  expect(isDeployed).toBe(true)
})

const { AWS_REGION, ...KEYS } = SIGNED_IN
test.each<[string, Record<string, string>, Respond extends (...args: infer Args) => void ? Args : never, RegExp]>([
  ['no credentials', { AWS_REGION }, [], /^error: no AWS credentials were found/m],
  ['no region', KEYS, [], /^error: no AWS region is set/m],
  ['an expired sign-in', SIGNED_IN, [403, {}, 'ExpiredTokenException'], /^error: the sign-in to AWS has expired/m],
  ['a failure of AWS', SIGNED_IN, [403, {}, 'AccessDeniedException'], /^error: the deployed configuration could not/m],
])('%s stops a deployment before any question, also with --yes --first', async (_what, variables, answer, why) => {
  const address = await listen((respond) => respond(...answer))
  const { code, isDeployed, output } = await deploy(['--yes', '--first'], address, { variables })
  expect(output).toMatch(why)
  expect(output).toMatch(/\nnext: .*\nnothing was deployed\n$/)
  expect(output).not.toContain('alarm')
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: false })
})
