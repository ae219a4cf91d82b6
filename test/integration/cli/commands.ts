// Commands of one test file: a folder with a treasury.json, a state directory in it, and a sandbox beside them if wanted.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { folderOfFile, temporaryFolder } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

/** The service of treasury.json, which nobody asks: a command is given another, or has the built-in sandbox. */
export const SERVICE = { url: 'https://api.example.com', stage: 'test' }

/** `configuration`: of treasury.json beside its service. `each`: what has a folder of its own. Only one of a file is in `dir`. */
export function useCommands(configuration: object = {}, each: 'file' | 'test' = 'file') {
  let dir = ''
  const file = (name: string) => path.join(dir, name)
  /** Writes a text, or an object as JSON, and returns the path. */
  const write = (name: string, content: string | object): string => {
    writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
    return file(name)
  }
  const begin = (folder: string) => {
    dir = folder
    write('treasury.json', { service: SERVICE, ...configuration })
  }
  if (each === 'file') begin(folderOfFile())
  else beforeEach(() => begin(temporaryFolder()))
  const place = () => ['--state', file('state'), '--config', file('treasury.json')]
  const run = (...words: string[]) => runInProcess([...words, ...place()])
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)
  return { dir, file, write, place, run, json }
}

/** The same beside a sandbox of the file, whose keys are in a file: `place` names the service, `desk` does not. */
export function useCommandsBeside(configuration: object = {}) {
  const { place: desk, ...commands } = useCommands(configuration)
  const service = useSandbox()
  beforeAll(() => void commands.write('keys.json', service.keys))
  const place = () => [...desk(), '--service', service.baseUrl]
  const keys = () => ['--keys', commands.file('keys.json')]
  const run = (...words: string[]) => runInProcess([...words, ...place()])
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)
  return { ...commands, service, desk, place, keys, run, json }
}

/** A sandbox that runs while the tests of the file do. */
function useSandbox(): SandboxBeside {
  let started: SandboxBeside | undefined
  beforeAll(async () => {
    started = await startSandboxBeside()
  })
  afterAll(() => started?.stop())
  return new Proxy({} as SandboxBeside, {
    get(_, name) {
      if (started === undefined) throw new TypeError('the sandbox has not started yet')
      return Reflect.get(started, name)
    },
  })
}
