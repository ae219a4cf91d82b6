// Plays another user of the machine, as a process. It creates, moves, opens and reads what its permissions allow, and
// answers on a port. Only root can start a process as another user, and only if that user may enter the checkout.
// Elsewhere the tests that need it are skipped by name.
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** `nobody` on every system. */
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
/** Nobody else may enter a checkout below a folder such as /root, or use the Node in it. */
export const mayStartNeighbour =
  isRoot && spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} }).status === 0
/** For the names of tests. */
export const AS_ROOT = isRoot ? '' : ' (needs root)'
export const AS_NEIGHBOUR = mayStartNeighbour ? '' : ' (needs root, and a checkout that other users may enter)'

/** Each act takes texts and returns a text. */
const PROGRAM = `
import { createInterface } from 'node:readline'
import { createServer } from 'node:http'
import fs from 'node:fs'
import path from 'node:path'
process.umask(0)
const held = new Map()
const heard = []
const acts = {
  write(file, text) { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); return '' },
  hold(file) { held.set(file, fs.openSync(file, 'r')); return '' },
  read(file) {
    const descriptor = held.get(file) ?? fs.openSync(file, 'r')
    const { size } = fs.fstatSync(descriptor)
    const bytes = Buffer.alloc(size)
    fs.readSync(descriptor, bytes, 0, size, 0)
    return bytes.toString('latin1')
  },
  move(from, to) { fs.renameSync(from, to); return '' },
  link(to, file) { fs.symlinkSync(to, file); return '' },
  list(folder) { return fs.readdirSync(folder).join(' ') },
  listen() {
    const server = createServer((request, response) => {
      heard.push(request.method + ' ' + request.headers['x-amz-target'])
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end('{"__type":"Refused"}')
    })
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(String(server.address().port))))
  },
  heard() { return heard.join('; ') },
}
for await (const line of createInterface({ input: process.stdin })) {
  const [act, ...words] = JSON.parse(line)
  let answer
  try { answer = { text: await acts[act](...words) } } catch ({ code, message }) { answer = { code: code ?? message } }
  process.stdout.write(JSON.stringify(answer) + '\\n')
}
process.exit(0)
`

export interface Neighbour {
  readonly pid: number
  /** Returns the result of the act, or the system's error code. */
  act(name: string, ...words: readonly string[]): Promise<string>
}

/** The process ends with the test. */
export function startNeighbour(): Neighbour {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    // Nothing of our own environment, and no folder that it may not enter.
    ...{ cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'inherit'] },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid: child.pid ?? 0,
    async act(...asked) {
      child.stdin.write(`${JSON.stringify(asked)}\n`)
      const { value = '{}' } = await lines.next()
      const { code, text = '' } = JSON.parse(value)
      return code ?? text
    },
  }
}
