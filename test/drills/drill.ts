// Runs a section of the runbook on a desk: `sluice serve` over a state directory, beside a sandbox in the role of the
// service. It runs every line of the section in order, and nothing else.
// In place of --aws it uses the desk. A deployment is another serve, and its verification is `whoami`. The transcripts
// in docs/drills have the lines of the runbook and what they printed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '@sluice/service-sandbox'
import { expect, onTestFinished } from 'vitest'
import { serviceFolder } from '../../place/state/state-layout.ts'
import { type Ended, type Running, sluice, startSluice } from '../integration/cli/command-line.ts'
import { ROOT, stepsOf } from './section.ts'

/** `SLUICE_DRILLS=write` writes them again. */
const TRANSCRIPTS = path.join(ROOT, 'docs/drills')

export interface Desk {
  readonly folder: string
  readonly sandbox: Sandbox
  /** Calls the sandbox's control interface, for acts in the service's dashboard or of the service itself. */
  control<Answer = unknown>(target: string, body?: unknown): Promise<Answer>
  /** Runs a command of the story, outside the section, with the key in `keys.json`. */
  sluice(...argv: string[]): Promise<Ended>
  /** Runs a command of somebody else who has the key and another journal. */
  startElsewhere(...argv: string[]): Running
  file(name: string, text: string): string
  /** Serves again with the present configuration, like a deployment. */
  serveAgain(): Promise<void>
  /** Stops the serve until it serves again. */
  close(): Promise<void>
  /** The folder of this desk's embedded AWS: its journal, executions and queues. */
  awsDir(): string
  /**
   * Continues in an empty state directory of this name, which nobody serves and which has nothing of the former one.
   */
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
    // A deployment has its secrets; a desk has a key file for commands that ask the service directly.
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
  /** Replaces the deployment, which is otherwise another serve. */
  readonly deploy?: () => Promise<void>
  /**
   * Values for the words in capitals of the section, such as INTENT. A function is called when a line needs the value.
   */
  readonly values: Readonly<Record<string, string | (() => string | Promise<string>)>>
  /** Steps that no command does, by their text in the section. */
  readonly byHand: Readonly<Record<string, (outputs: readonly CommandOutput[]) => Promise<void> | void>>
}

export interface CommandOutput extends Pick<Ended, 'exitCode' | 'stdout' | 'stderr'> {
  readonly line: string
}

/** @returns the output of each command. Each must end with its code, or this fails. */
export async function drill(heading: string, desk: Desk, story: Story): Promise<readonly CommandOutput[]> {
  const outputs: CommandOutput[] = []
  const done = new Set<string>()
  const transcript: string[] = []
  for (const step of stepsOf(heading)) {
    if (step.kind === 'by hand') {
      const act = story.byHand[step.what]
      if (act === undefined) throw new Error(`the drill does not know how to do by hand: ${step.what}`)
      done.add(step.what)
      transcript.push(step.line)
      await act(outputs)
      continue
    }
    const argv = await Promise.all(step.argv.map((word) => withValues(word, story.values)))
    const { exitCode, stdout, stderr } = await runOnDesk(argv, desk, story.deploy ?? desk.serveAgain)
    outputs.push({ line: step.line, exitCode, stdout, stderr })
    // The section says what a command is for.
    transcript.push(
      `$ ${step.line.replace(/\s+# .*$/, '')}`,
      beginningOf(plain(`${stderr}${stdout}`, desk)),
      `# exit ${exitCode}`,
    )
    expect(exitCode, `${step.line}\n${stderr}\n${stdout}`).toBe(step.exitCode)
  }
  expect([...done].toSorted()).toEqual(Object.keys(story.byHand).toSorted())
  keepTranscript(heading, transcript)
  return outputs
}

async function withValues(word: string, values: Story['values']): Promise<string> {
  const found = values[word]
  return found === undefined ? word : typeof found === 'string' ? found : await found()
}

/** Runs the desk's replacement of a command. */
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
  if (program === 'npx' && rest[0] === 'deploy') {
    await deploy()
    return silent
  }
  if (program === 'npx' && rest.includes('--after-deploy')) return desk.sluice('whoami')
  if (program === 'npx') {
    const words = rest.filter((word) => word !== '--aws').map(inFolder)
    return desk.sluice(...words, ...(words[0] === 'keys' ? ['--embedded'] : []), ...(isAsked(words) ? ['--yes'] : []))
  }
  throw new Error(`a desk has nothing for ${argv.join(' ')}`)
}

/** A person at a terminal answers yes to the questions of these commands. */
function isAsked(words: readonly string[]): boolean {
  return ['--write', '--accept', '--all', 'resolve', 'foreign'].some((word) => words.includes(word))
}

/** Replaces what differs between runs by its kind. */
function plain(text: string, { folder, sandbox }: Desk): string {
  return text
    .replaceAll(folder, 'DESK')
    .replaceAll(sandbox.baseUrl, 'SERVICE')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .trimEnd()
}

/** A reader wants to recognize an output, not to read it whole. */
const SHOWN_LINES = 2

function beginningOf(output: string): string {
  const lines = output.split('\n').filter((line) => !/^(next:| {7}npx |times are UTC)/.test(line))
  return [...lines.slice(0, SHOWN_LINES), ...(lines.length > SHOWN_LINES ? ['…'] : [])].join('\n')
}

function keepTranscript(heading: string, lines: readonly string[]): void {
  const file = path.join(TRANSCRIPTS, `${heading.toLowerCase().replace(/[^a-z]+/g, '-')}.md`)
  const head = `# ${heading}: a drill\n\nWritten by the drill, with the first lines of each output.\n\n`
  if (process.env.SLUICE_DRILLS === 'write') {
    mkdirSync(TRANSCRIPTS, { recursive: true })
    writeFileSync(file, `${head}\`\`\`console\n${lines.filter((line) => line !== '').join('\n')}\n\`\`\`\n`)
  }
  // The printed text may differ between runs. The commands and their exit codes must not.
  const shape = (text: string) => text.split('\n').filter((line) => /^(\$ |# exit |# by hand: )/.test(line))
  expect(shape(lines.join('\n'))).toEqual(shape(readFileSync(file, 'utf8')))
}
