// `npm run deploy` as a process: interrupted while it reads the deployed configuration, without a terminal, and with a
// failure.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './assembly.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Runs the deployment. The CDK's app leaves a file when it starts. `address`: of the API of Lambda. */
async function deploy(args: readonly string[], address: string, onStart?: (pid: number) => void) {
  const marker = path.join(temporaryFolder(), 'deployed')
  const child = spawn(process.execPath, ['infra/deploy/main.ts', ...args, '--app', `touch ${marker}; exit 3`], {
    cwd: root,
    // A process group of its own, like a command at a terminal: Ctrl-C reaches the whole group.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: '/nonexistent', CDK_DISABLE_VERSION_CHECK: '1', AWS_REGION: 'eu-west-1' },
      ...{ AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S', AWS_ENDPOINT_URL_LAMBDA: address },
    },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const { pid } = child
  if (pid !== undefined) onStart?.(pid)
  const [code] = await once(child, 'close')
  return { code, output, isDeployed: existsSync(marker) }
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
  // AWS is slow, and the person has changed their mind.
  const address = await listen(() => process.kill(-group, 'SIGINT'))
  const { code, isDeployed, output } = await deploy(['--yes'], address, (pid) => {
    group = pid
  })
  expect(output).toContain('nothing was deployed')
  expect({ code, isDeployed }).toEqual({ code: 130, isDeployed: false })
})

test('without a terminal and without --yes nothing is deployed, because nobody can answer', async () => {
  const { code, isDeployed, output } = await deploy([], await listen((respond) => respond()))
  expect(output).toMatch(/there is no terminal to ask on: add --yes.*\nnothing was deployed/s)
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: false })
})

test('with --yes it is deployed; if that fails the exit code stays, and the last line says what to do next', async () => {
  const { code, isDeployed, output } = await deploy(['--yes'], await listen((respond) => respond()))
  expect({ code, isDeployed }).toEqual({ code: 1, isDeployed: true })
  // Credentials and a region are in the environment.
  expect(output).not.toMatch(/no credentials|no region/)
  expect(output).toMatch(/\nnext: [\s\S]*then: npm run deploy\n$/)
})
