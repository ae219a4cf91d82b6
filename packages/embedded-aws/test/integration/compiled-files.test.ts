// A worker reuses the compiled code of an earlier worker, for the same source text only. The results stay the same.
import { expect, test } from 'vitest'
import { compiledOf } from '../../lambda/function-instance.ts'
import { oneTask } from './fixture/assembly.ts'
import { boot, runToEnd } from './fixture/booted.ts'

/** About as large as a real bundle. All have the same length, because V8 compares the length only. */
function bundleAnswering(answer: string): string {
  return `exports.say = async () => { if (globalThis.called) throw new Error('${answer}'); globalThis.called = true; return '${answer}' } // ${'-'.repeat(200_000)}`
}

async function answerOf(answer: string) {
  const aws = await boot({
    functions: { say: {} },
    code: { 'index.js': bundleAnswering(answer) },
    machines: { Say: oneTask('say') },
  })
  const { output } = await runToEnd(aws, 'Say')
  const { cause } = await runToEnd(aws, 'Say', {}, 'run-2')
  return { output, trace: (cause as { readonly trace: readonly string[] }).trace }
}

test('a worker runs its own source, even if a source of the same name and length was compiled before', async () => {
  const first = await answerOf('one')
  const { hash } = compiledOf('index') ?? {}
  expect(hash).toBeDefined()
  const second = await answerOf('one')
  expect(second.output).toBe('one')
  // The second worker compiled nothing, so the first hash is kept.
  expect(compiledOf('index')?.hash).toBe(hash)
  expect((await answerOf('two')).output).toBe('two')
  expect(compiledOf('index')?.hash).not.toBe(hash)
  expect((await answerOf('one')).output).toBe('one')

  const place = `index.js:1:${bundleAnswering('one').indexOf('new Error') + 1}`
  for (const { trace } of [first, second]) expect(trace[1]).toContain(place)
})
