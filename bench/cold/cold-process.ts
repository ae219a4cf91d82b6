// Starts a function as Lambda would start it: a process of its own, with the environment of its template, and nothing
// warm. Times what Lambda's caller waits for.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const INVOKE = fileURLToPath(new URL('invoke.mjs', import.meta.url))
const NULL_AND_ANSWERS = ['ignore', 'ignore', 'pipe', 'pipe'] as const

export interface ColdFunction {
  /** Absolute: `.mjs`, or CommonJS. */
  readonly file: string
  readonly exportName: string
  readonly environment: Readonly<Record<string, string>>
}

export interface ColdStart {
  /** From the start of the process to its first answer. */
  readonly coldMs: number
  /** Of each call, without loading: the first one and the warm ones after it. */
  readonly callsMs: readonly number[]
  readonly answers: readonly unknown[]
}

/** @throws Error with what the process said last, where it did not answer every event */
export async function startCold(
  { file, exportName, environment }: ColdFunction,
  events: readonly object[],
): Promise<ColdStart> {
  const startedMs = performance.now()
  const args = [INVOKE, file, exportName, JSON.stringify(events)]
  const child = spawn(process.execPath, args, { env: environment, stdio: [...NULL_AND_ANSWERS] })
  const complaint = text(child.stderr as NodeJS.ReadableStream)
  let coldMs: number | undefined
  let told = ''
  for await (const chunk of child.stdio[3] as NodeJS.ReadableStream) {
    coldMs ??= performance.now() - startedMs
    told += String(chunk)
  }
  const calls = told
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { answer: unknown; tookMs: number } => JSON.parse(line))
  if (coldMs === undefined || calls.length < events.length) throw new Error(`${exportName} broke: ${await complaint}`)
  return { coldMs, callsMs: calls.map(({ tookMs }) => tookMs), answers: calls.map(({ answer }) => answer) }
}

/** An empty process, to its end: what nothing can start faster than. */
export async function startEmpty(): Promise<number> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore', env: {} })
  await new Promise((resolve) => child.once('exit', resolve))
  return performance.now() - startedMs
}
