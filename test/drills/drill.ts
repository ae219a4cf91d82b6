// Runs a section of the runbook on a desk: `sluice serve` over a state directory, beside a sandbox that stands for the
// service. Every line of the section is run, in its order, and nothing else.
//
// Where a person at a deployment writes --aws, the desk's own place is given. To deploy is to serve again, and to verify
// what is deployed is to ask who one is. The transcript in docs/drills has the lines as the runbook has them, and what they printed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '@sluice/service-sandbox'
import { expect, onTestFinished } from 'vitest'
import { serviceFolder } from '../../operations/connection/state/state-layout.ts'
import { type Ended, type Running, sluice, startSluice } from '../integration/cli/command-line.ts'
import { ROOT, stepsOf } from './section.ts'

/** Written anew with `SLUICE_DRILLS=write`. */
const TRANSCRIPTS = path.join(ROOT, 'docs/drills')

export interface Desk {
  readonly folder: string
  readonly sandbox: Sandbox
  /** A call of the sandbox's control interface: what a person would do in the service's dashboard, or the service itself. */
  control<Answer = unknown>(target: string, body?: unknown): Promise<Answer>
  /** A command that belongs to the story, and not to the section. It has the key of `keys.json`. */
  sluice(...argv: string[]): Promise<Ended>
  /** The same, by somebody who has the key and a journal of his own. */
  startElsewhere(...argv: string[]): Running
  file(name: string, text: string): string
  /** Serves again, with the configuration as it is now: a deployment. */
  serveAgain(): Promise<void>
  /** Nobody serves from here on, until it serves again. */
  close(): Promise<void>
  /** What the embedded AWS of this desk keeps: its journal, executions and queues. */
  awsDir(): string
  /** Goes on in an empty state directory of this name, which nobody serves: a place that has nothing of the one before. */
  moveTo(name: string): Promise<void>
}

export async function startDesk(treasury: object, service: Pick<SandboxOptions, 'profile'> = {}): Promise<Desk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-drill-'))
  const sandbox = await startSandbox(service)
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 })
    return path.join(folder, name)
  }
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const keyFile = file('keys.json', JSON.stringify({ secret, privateKeyPem, alg }))
  file('treasury.json', JSON.stringify({ service: { url: 'https://service.example', stage: 'test' }, ...treasury }))
  let stateName = 'state'
  const place = () => placeOf(folder, stateName, sandbox)
  let serving: Running | undefined
  const stop = async () => {
    serving?.child.kill('SIGTERM')
    await serving?.ended
  }
  const serve = async () => {
    serving = startSluice(['serve', '--jsonl', ...place(), '--keys', keyFile])
    await serving.firstLine
  }
  onTestFinished(async () => {
    await stop()
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await serve()
  const variables = { SLUICE_KEYS: keyFile }
  return {
    folder,
    sandbox,
    file,
    async serveAgain() {
      await stop()
      await serve()
    },
    close: stop,
    awsDir() {
      return serviceFolder(path.join(folder, stateName)).awsDir
    },
    async moveTo(name) {
      await stop()
      stateName = name
    },
    async control(target, body) {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(sandbox.controlUrl + target, init)
      if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as never
    },
    // Where a deployment has its secrets, a desk has a key file for whatever asks the service directly.
    sluice: (...argv) => sluice([...argv, ...place()], { variables }),
    startElsewhere: (...argv) =>
      startSluice([...argv, '--service', sandbox.baseUrl, '--state', path.join(folder, 'elsewhere')], { variables }),
  }
}

function placeOf(folder: string, stateName: string, { baseUrl }: Sandbox): string[] {
  const config = ['--config', path.join(folder, 'treasury.json')]
  return ['--service', baseUrl, '--state', path.join(folder, stateName), ...config]
}

export interface Story {
  /** What a deployment is here, where it is not to serve again. */
  readonly deploy?: () => Promise<void>
  /** What stands for the words in capitals of the section, such as INTENT. Asked when a line needs it. */
  readonly values: Readonly<Record<string, string | (() => string | Promise<string>)>>
  /** What no command does, by its words in the section. */
  readonly byHand: Readonly<Record<string, (said: readonly Said[]) => Promise<void> | void>>
}

export interface Said extends Pick<Ended, 'exitCode' | 'stdout' | 'stderr'> {
  readonly line: string
}

/** @returns what each command said; each has ended with its code, or this fails */
export async function drill(heading: string, desk: Desk, story: Story): Promise<readonly Said[]> {
  const said: Said[] = []
  const done = new Set<string>()
  const transcript: string[] = []
  for (const step of stepsOf(heading)) {
    if (step.kind === 'by hand') {
      const act = story.byHand[step.what]
      if (act === undefined) throw new Error(`the drill does not know how to do by hand: ${step.what}`)
      done.add(step.what)
      transcript.push(step.line)
      await act(said)
      continue
    }
    const argv = await Promise.all(step.argv.map((word) => withValues(word, story.values)))
    const { exitCode, stdout, stderr } = await runOnDesk(argv, desk, story.deploy ?? desk.serveAgain)
    said.push({ line: step.line, exitCode, stdout, stderr })
    transcript.push(`$ ${step.line}`, plain(`${stderr}${stdout}`, desk), `# exit ${exitCode}`)
    expect(exitCode, `${step.line}\n${stderr}\n${stdout}`).toBe(step.exitCode)
  }
  expect([...done].toSorted()).toEqual(Object.keys(story.byHand).toSorted())
  keepTranscript(heading, transcript)
  return said
}

async function withValues(word: string, values: Story['values']): Promise<string> {
  const found = values[word]
  return found === undefined ? word : typeof found === 'string' ? found : await found()
}

/** What a desk has in place of a command: of npm's scripts those that only a deployment has. */
async function runOnDesk(
  argv: readonly string[],
  desk: Desk,
  deploy: () => Promise<void>,
): Promise<Pick<Ended, 'exitCode' | 'stdout' | 'stderr'>> {
  const [program, name = '', ...rest] = argv
  const silent = { exitCode: 0, stdout: '', stderr: '' }
  const inFolder = (word: string) => (word === 'bearer.txt' ? path.join(desk.folder, word) : word)
  if (program === 'rm') {
    for (const file of [name, ...rest]) rmSync(inFolder(file))
    return silent
  }
  if (program === 'npx') {
    const words = rest.filter((word) => word !== '--aws').map(inFolder)
    return desk.sluice(...words, ...(words[0] === 'keys' ? ['--embedded'] : []), ...(isAsked(words) ? ['--yes'] : []))
  }
  const [script] = rest
  if (script === 'verify:deployed') return desk.sluice('whoami')
  if (script !== 'deploy') throw new Error(`a desk has nothing for npm run ${script}`)
  await deploy()
  return silent
}

/** A person at a terminal answers yes to what these ask. */
function isAsked(words: readonly string[]): boolean {
  return ['--write', '--accept', '--all', 'resolve', 'foreign'].some((word) => words.includes(word))
}

/** What differs from one run to the next, by what it is. */
function plain(text: string, { folder, sandbox }: Desk): string {
  return text
    .replaceAll(folder, 'DESK')
    .replaceAll(sandbox.baseUrl, 'SERVICE')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .trimEnd()
}

function keepTranscript(heading: string, lines: readonly string[]): void {
  const file = path.join(TRANSCRIPTS, `${heading.toLowerCase().replace(/[^a-z]+/g, '-')}.md`)
  const head = `# ${heading}: a drill\n\nThe section of [the runbook](../runbook.md), as a test ran it on a desk. It is written by the drill itself.\n\n`
  if (process.env.SLUICE_DRILLS === 'write') {
    mkdirSync(TRANSCRIPTS, { recursive: true })
    writeFileSync(file, `${head}\`\`\`console\n${lines.filter((line) => line !== '').join('\n')}\n\`\`\`\n`)
  }
  // The words may differ from run to run, what is run and how it ends may not.
  const shape = (text: string) => text.split('\n').filter((line) => /^(\$ |# exit |# by hand: )/.test(line))
  expect(shape(lines.join('\n'))).toEqual(shape(readFileSync(file, 'utf8')))
}
