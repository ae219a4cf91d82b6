// Draws one lost answer of a withdrawal as a time line, in the README and in the page of the protocol. The moments follow
// from the defaults of the code. `node bin/run.cjs test/docs/draw-lost-answer.ts` writes both; a test keeps them current.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LISTENING_SECONDS, timing } from '../../core/contract/timing.ts'
import { withdrawalDeadMs, withdrawalFenceMs } from '../../core/journal/fence.ts'

export const PAGES_WITH_LOST_ANSWER = ['README.md', 'docs/movement-protocol.md'] as const

const BEGIN = '<!-- lost answer: drawn by test/docs/draw-lost-answer.ts -->'
const END = '<!-- end of lost answer -->'

/** The page with the picture between its two marks. */
export function withLostAnswer(page: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('the page has no place for the picture')
  return `${before}${BEGIN}\n\n${drawLostAnswer()}\n${END}${after}`
}

function drawLostAnswer(): string {
  const defaults = timing.parse({})
  const attempt = { exp: defaults.tokenLifeSeconds }
  const deadSeconds = withdrawalDeadMs(attempt, defaults) / 1000
  const fenceSeconds = withdrawalFenceMs(attempt, defaults) / 1000
  return `\`\`\`mermaid
sequenceDiagram
  participant disk as journal, on disk
  participant step as Sluice
  participant service as the service
  step->>disk: 0 s: ARM, what is about to be sent
  step->>service: the POST, signed, once
  service--xstep: its answer is lost
  Note over step: ${LISTENING_SECONDS} s: nobody listens any more
  Note over step,service: ${deadSeconds} s: the last copy is dead
  Note over step,service: ${fenceSeconds} s: the fence. What was accepted is visible
  step->>service: look, with a key of the account that signed
  alt it is there (also before the fence)
    step->>disk: DONE, exactly one movement
  else nothing is there
    step->>disk: a certified zero, and the next attempt may begin
  else it cannot be proven
    step->>disk: a person is asked, with the evidence
  end
\`\`\`
`
}

if (import.meta.main) {
  for (const file of PAGES_WITH_LOST_ANSWER) {
    const target = fileURLToPath(new URL(`../../${file}`, import.meta.url))
    writeFileSync(target, withLostAnswer(readFileSync(target, 'utf8')))
  }
}
