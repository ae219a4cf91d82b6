// `npm run docs:pictures` takes the pictures of the README from a real run: two pages of the console in Chromium, and
// the state machine as the console draws it. It also stores their content as data. pictures.long.test.ts compares that with
// today's pages, without a browser and without pixels.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { enter, hasChromium, startBrowser } from '../integration/console/browser.ts'
import { factsOf, machineOf } from './page-facts.ts'
import { type PicturedDesk, startPicturedDesk } from './pictured-desk.ts'
import { type PicturedPages, readPages } from './read-pages.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../docs/pictures')
const STYLE = new URL('../../console/assets/console.css', import.meta.url)
const WIDTH = 1280

async function main(): Promise<number> {
  if (!hasChromium) {
    console.error('there is no Chromium: install one, or name it by SLUICE_CHROMIUM')
    return 2
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-pictures-'))
  try {
    const desk = await startPicturedDesk(dir)
    try {
      mkdirSync(FOLDER, { recursive: true })
      const pages = await readPages(desk)
      await takeShots(desk, pages)
      writeFileSync(path.join(FOLDER, 'state-machine.svg'), drawingOf(pages.run))
      const facts = { console: factsOf(pages.console), run: factsOf(pages.run) }
      writeFileSync(path.join(FOLDER, 'pictures.json'), `${JSON.stringify(facts, undefined, 2)}\n`)
    } finally {
      await desk.stop()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return 0
}

async function takeShots({ openLink, runId }: PicturedDesk, pages: PicturedPages): Promise<void> {
  const browser = await startBrowser()
  try {
    const { context } = await enter(browser, await openLink(), { width: WIDTH, javaScript: false })
    for (const [name, where, height] of [
      ['console', '/', 900],
      ['run', `/runs/${runId}`, 690],
    ] as const) {
      const page = await context.newPage()
      await page.setViewportSize({ width: WIDTH, height })
      // Leaves out the place on this machine.
      const body = pages[name].replace(/<p class="where">.*?<\/p>/s, '')
      await page.route(`**${where}`, (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }))
      await page.goto(`.${where}`)
      await page.screenshot({ path: path.join(FOLDER, `${name}.png`) })
    }
  } finally {
    await browser.close()
  }
}

/** A self-contained drawing: it has the console's style rules, in light colours and with a background. */
function drawingOf(page: string): string {
  const style = readFileSync(STYLE, 'utf8')
  const colours = /:root \{.*?\n\}/s.exec(style)?.[0] ?? ''
  const rules = style.match(/^(?:\.machine|svg) [^{]*\{[^}]*\}/gm) ?? []
  const drawing = machineOf(page)
    .replace('<svg class="machine"', '<svg xmlns="http://www.w3.org/2000/svg" class="machine"')
    .replace(/>/, `><style>${[colours, ...rules].join('\n')}\n.machine { background: var(--card); }</style>`)
  return `${drawing}\n`
}

process.exitCode = await main()
