// Opens a console in this process, over a state directory of the test, and sends requests to it as a browser does.
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createOutput } from '../../../cli/terminal/output.ts'
import { openConsole } from '../../../console/open-console.ts'
import { type Clock, systemClock } from '../../../core/clock.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface TestConsole {
  readonly origin: string
  /** The secret path, as known from the link. */
  readonly path: string
  readonly newLink: () => string
  /** Requests a page by its path under the secret one. */
  readonly ask: (path: string, asked?: Asked) => Promise<Answer>
  /** The cookie of a session, as a browser sends it. */
  readonly enter: () => Promise<string>
}

export async function openTestConsole(flags: ConnectionFlags, clock: Clock = systemClock): Promise<TestConsole> {
  const [stdout, stderr] = [recorded(), recorded()]
  const stopping = new AbortController()
  const context = {
    ...{ argv: [], variables: { USER: 'ada' }, stdin: Readable.from([]), stdout, clock },
    output: createOutput({ stdout, stderr, json: false, term: undefined }),
    catchInterruption: () => stopping.signal,
  }
  const opened = await openConsole({ flags, context, port: 0, signal: stopping.signal, spell: context.output.spell })
  onTestFinished(async () => {
    stopping.abort()
    await opened.stop()
  })
  const { origin } = new URL(opened.newLink())
  const entered = await send(origin, new URL(opened.newLink()).pathname)
  const secret = pathOf(entered)
  const ask = (path: string, asked?: Asked) => send(origin, isOpen(path) ? path : `${secret}${path}`, asked)
  return {
    origin,
    path: secret,
    newLink: opened.newLink,
    ask,
    async enter() {
      const { headers } = await ask(new URL(opened.newLink()).pathname)
      return String(headers['set-cookie']).split(';')[0] ?? ''
    },
  }
}

export function pathOf({ headers }: Answer): string {
  return /; Path=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
}

function isOpen(path: string): boolean {
  return /^\/(open|assets|go)\//.test(path)
}

/** `fetch` would set Host and Origin by itself. */
export function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(origin)
  const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    response.on('error', reject)
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}
