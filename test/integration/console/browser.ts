// Drives Debian's Chromium by playwright-core: pages of a console, and checks of what a page must never do. Without
// Chromium the tests are skipped by name.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { AxeSource } from './axe-source.ts'

const EXECUTABLE = process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium'
export const hasChromium = existsSync(EXECUTABLE)

/** Ends what hangs. The machine may be busy with other tests. */
const LONGEST_WAIT_MS = 300_000

const ARGUMENTS = [
  ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-default-apps'],
]

export interface Visit {
  readonly page: Page
  /** The browser's complaints: a failed script, a broken policy, or a request to another host. */
  readonly faults: readonly string[]
}

export interface Visitor {
  readonly context: BrowserContext
  visit(path: string): Promise<Visit>
  /** The same session on another screen. */
  onScreen(screen: Screen): Promise<Visitor>
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
}

export interface Screen {
  readonly width: number
  readonly scheme?: 'light' | 'dark'
  readonly javaScript?: boolean
}

/** Opens the link, and then pages with its session, each by its path under the overview, such as `/halt`. */
export async function enter(browser: Browser, link: string, screen: Screen): Promise<Visitor> {
  const { origin } = new URL(link)
  const entering = await browser.newContext(optionsOf(screen))
  entering.setDefaultTimeout(LONGEST_WAIT_MS)
  const page = await entering.newPage()
  await page.goto(link)
  // The overview has a path that is unknown to anybody who did not open the link.
  await page.waitForURL((url) => url.origin === origin && /^\/[\w-]{43}\/$/.test(url.pathname))
  const session = { storageState: await entering.storageState(), baseURL: page.url() }
  await entering.close()
  return visitorWith(browser, session, screen)
}

function optionsOf({ width, scheme = 'light', javaScript = true }: Screen): BrowserContextOptions {
  return { viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: javaScript }
}

type Session = Required<Pick<BrowserContextOptions, 'storageState'>> & { readonly baseURL: string }

async function visitorWith(browser: Browser, session: Session, screen: Screen): Promise<Visitor> {
  const { origin } = new URL(session.baseURL)
  const context = await browser.newContext({ ...optionsOf(screen), ...session })
  context.setDefaultTimeout(LONGEST_WAIT_MS)
  return {
    context,
    onScreen: (other) => visitorWith(browser, session, other),
    async visit(path) {
      const faults: string[] = []
      const visited = await context.newPage()
      visited.on('pageerror', ({ message }) => faults.push(`script: ${message}`))
      visited.on('console', (message) => {
        if (message.type() === 'error') faults.push(`console: ${message.text()}`)
      })
      visited.on('dialog', (dialog) => {
        faults.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      visited.on('request', (request) => {
        if (!request.url().startsWith(`${origin}/`)) faults.push(`another host: ${request.url()}`)
      })
      await visited.goto(`.${path}`)
      return { page: visited, faults }
    },
  }
}

/**
 * Moderate and worse faults that axe-core finds. The page's policy forbids scripts, so it is injected by the
 * debugger.
 */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AxeSource)
  const found: unknown = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
  const { violations } = found as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .join(' | ')
          .slice(0, 600)}`,
    )
}

/** How much wider than the screen the page is, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Number of drawings that are wider than their place and begin at their empty left edge. */
export function drawingsAtTheirEdge(page: Page): Promise<number> {
  return page.evaluate(
    `[...document.querySelectorAll('.wide:has(> .machine)')]
      .filter(({ scrollWidth, clientWidth, scrollLeft }) => scrollWidth > clientWidth && scrollLeft === 0).length`,
  )
}

/** Texts of charts that are cut off by their chart, or whose chart is cut off by the screen. */
export function cutInCharts(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.chart text')].filter((text) => {
      const [own, chart] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()]
      const right = Math.min(chart.right, document.documentElement.clientWidth)
      return own.left < chart.left || own.right > right || own.top < chart.top || own.bottom > chart.bottom
    }).map(({ textContent }) => textContent)`,
  )
}

/** Amounts, badges and times of tables that lie, even in part, beyond the screen or their scrolling region. */
export function cutInTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.wide :is(td.amount, .badge, time)')].filter((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      const [own, region] = [range.getBoundingClientRect(), cell.closest('.wide').getBoundingClientRect()]
      const right = Math.min(region.right, document.documentElement.clientWidth)
      return own.width > 0 && (own.left < region.left - 1 || own.right > right + 1)
    }).map(({ textContent }) => textContent.trim())`,
  )
}

/** Buttons and links lower than 24 px, which a finger misses. A link within a sentence is as high as its line. */
export function lowTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button, summary, input:not([type=hidden]), select, nav a, .brand a, .button, th > a, td > a, h3 > a')]
      .filter((target) => { const { height } = target.getBoundingClientRect(); return height > 0 && height < 24 })
      .map(({ outerHTML }) => outerHTML.slice(0, 80))`,
  )
}
