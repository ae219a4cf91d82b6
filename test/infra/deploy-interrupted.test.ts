// `npm run deploy` as a process: interrupted while it asks what is deployed, where nobody can answer, and where it fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './assembly.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Where the CDK is started, its app leaves a file. `address`: of the API of Lambda. */
async function deploy(args: readonly string[], address: string, onStart?: (pid: number) => void) {
  const marker = path.join(temporaryFolder(), 'deployed')
  const child = spawn(process.execPath, ['infra/deploy.ts', ...args, '--app', `touch ${marker}; exit 3`], {
    cwd: root,
    // A process group of its own, as that of a command at a terminal: Ctrl-C reaches all of it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: '/nonexistent', CDK_DISABLE_VERSION_CHECK: '1', AWS_REGION: 'eu-west-1' },
      ...{ AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_ENDPOINT_URL_LAMBDA: address },
    },
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  const { pid } = child
  if (pid !== undefined) onStart?.(pid)
  const [code] = await once(child, 'close')
  return { code, told, isDeployed: existsSync(marker) }
}

async function listen(answer: (respond: () => void) => void): Promise<string> {
  const server = createServer((_request, response) =>
    answer(() => {
      response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}')
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
  // AWS is slow, and the person has thought better of it.
  const address = await listen(() => process.kill(-group, 'SIGINT'))
  const { code, isDeployed, told } = await deploy(['--yes'], address, (pid) => {
    group = pid
  })
  expect(told).toContain('nothing was deployed')
  expect({ code, isDeployed }).toEqual({ code: 130, isDeployed: false })
})

test('without a terminal and without --yes nothing is deployed, as nobody can answer', async () => {
  const { code, isDeployed, told } = await deploy([], await listen((respond) => respond()))
  expect(told).toMatch(/there is no terminal to ask on: add --yes.*\nnothing was deployed/s)
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: false })
})

test('with --yes it is, and where that fails the exit code stays, and the end says what to do next', async () => {
  const { code, isDeployed, told } = await deploy(['--yes'], await listen((respond) => respond()))
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: true })
  // Credentials and a region are in the environment.
  expect(told).not.toMatch(/no credentials|no region/)
  expect(told).toMatch(/\nnext: [\s\S]*then: npm run deploy\n$/)
})
