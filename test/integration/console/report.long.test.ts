// Tests the report of a run in a real browser and on paper. The run had an expired quote and a lost answer, and its
// last attempt moved money. Skipped by name without Chromium.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sluice } from '../cli/command-line.ts'
import { accessibilityFaults, cutInCharts, hasChromium, overflowOf, startBrowser } from './browser.ts'

const SCREENS = [1280, 400].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
/** A4 upright without its margins of 10 mm, in CSS pixels. */
const PAPER_WIDTH = Math.floor((190 / 25.4) * 96)
/** 8 pt, as the browser reports it. */
const LEAST_TYPE_PX = (8 / 72) * 96 - 0.01

/** Elements whose text is smaller. */
const SMALL_TYPE = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
  if (!own || ['SCRIPT', 'STYLE'].includes(element.tagName) || element.tagName.toLowerCase() === 'title') return []
  const size = parseFloat(getComputedStyle(element).fontSize)
  return size < ${LEAST_TYPE_PX} ? [element.outerHTML.slice(0, 80) + ' ' + size] : []
})`

describe.skipIf(!hasChromium)('the report of a run in Chromium', () => {
  let state: string
  let files: readonly string[]
  let browser: Browser

  beforeAll(async () => {
    state = mkdtempSync(path.join(tmpdir(), 'sluice-report-'))
    const { exitCode } = await sluice(['start', '--state', state])
    expect(exitCode).toBe(0)
    const folder = path.join(state, 'reports')
    files = readdirSync(folder).map((name) => path.join(folder, name))
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(state, { recursive: true, force: true })
  })

  async function open(file: string, { width, scheme }: (typeof SCREENS)[number]): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
    const page = await context.newPage()
    page.on('request', (request) => {
      if (request.url() !== `file://${file}`) throw new Error(`asked for ${request.url()}`)
    })
    await page.goto(`file://${file}`)
    return page
  }

  test.each(SCREENS)(
    'at $width px, $scheme: no wider than the screen, and no serious fault for people who hear or press',
    async (screen) => {
      expect(files).toHaveLength(3)
      for (const file of files) {
        const page = await open(file, screen)
        expect({ file, overflow: await overflowOf(page) }).toEqual({ file, overflow: 0 })
        expect({ file, cut: await cutInCharts(page) }).toEqual({ file, cut: [] })
        expect({ file, found: await accessibilityFaults(page) }).toEqual({ file, found: [] })
        const back: string = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        expect(Number(/\d+/.exec(back)?.[0]) < 128).toBe(screen.scheme === 'dark')
        await page.context().close()
      }
    },
  )

  test('on paper it has at most two pages of A4, nothing beyond the edge, and no text below 8 pt', async () => {
    for (const file of files) {
      const page = await open(file, { width: PAPER_WIDTH, scheme: 'dark' })
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      const pages = pdf.match(/\/Type\s*\/Page\b/g) ?? []
      expect({ file, pages: pages.length <= 2 }).toEqual({ file, pages: true })
      expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/)
      await page.emulateMedia({ media: 'print' })
      expect({ file, overflow: await overflowOf(page) }).toEqual({ file, overflow: 0 })
      expect({ file, small: await page.evaluate(SMALL_TYPE) }).toEqual({ file, small: [] })
      await page.context().close()
    }
  })

  test('its data equal the shown ones, and contain no secret of the state directory', async () => {
    const secrets = [/eyJ[A-Za-z0-9_-]{20,}\./, /PRIVATE KEY/, /"(secret|privateKeyPem|token|authorization)"/i]
    for (const file of files) {
      const page = await open(file, { width: 1280, scheme: 'light' })
      const source = readFileSync(file, 'utf8')
      for (const secret of secrets) expect(source).not.toMatch(secret)
      const data = JSON.parse(await page.locator('#run').innerText())
      const text = (await page.locator('body').innerText()).replaceAll('\u202f', ' ')
      for (const line of data.timeline) expect(text).toContain(line.text.replaceAll('\u202f', ' '))
      for (const { intentId } of data.legs) expect(text).toContain(intentId)
      await page.context().close()
    }
  })
})
