// Reads the pages in the README's pictures, as a browser receives them.
import type { PicturedDesk } from './pictured-desk.ts'

export interface PicturedPages {
  readonly console: string
  readonly run: string
}

export async function readPages({ openLink, runId }: PicturedDesk): Promise<PicturedPages> {
  const link = await openLink()
  const entered = await fetch(link)
  const [cookie = '', path = ''] = (entered.headers.get('set-cookie') ?? '').split(/; Path=|;/)
  const read = async (where: string) => {
    const answer = await fetch(new URL(`${path}${where}`, link), { headers: { cookie } })
    if (!answer.ok) throw new Error(`${where}: ${answer.status}`)
    return answer.text()
  }
  return { console: await read('/'), run: await read(`/runs/${runId}`) }
}
