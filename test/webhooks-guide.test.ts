import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { newSecret, signPayload } from '../contract/signature.ts'

const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'usher-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What each language adds to the guide's code to make a program: body, header and secret in, true or false out. */
const languages = [
  {
    fence: 'ts',
    command: process.execPath,
    main: `
      import { readFileSync } from 'node:fs'
      const [file, header, secret] = process.argv.slice(2) as [string, string, string]
      console.log(isFromUsher(readFileSync(file), header, secret))`,
  },
  {
    fence: 'python',
    command: 'python3',
    main: 'import sys\nprint(str(is_from_usher(open(sys.argv[1], "rb").read(), sys.argv[2], sys.argv[3])).lower())',
  },
  { fence: 'ruby', command: 'ruby', main: 'puts from_usher?(File.binread(ARGV[0]), ARGV[1], ARGV[2])' },
]

function codeOf(fence: string): string {
  const [, code] = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (code === undefined) throw new Error(`the guide has no ${fence} code`)
  return code
}

describe.each(languages)('the $fence code of the guide', ({ fence, command, main }) => {
  const isHere = spawnSync(command, ['--version']).status === 0
  const program = join(folder, `verify.${fence}`)
  writeFileSync(program, `${codeOf(fence)}\n${main.replace(/^ +/gm, '')}\n`)

  function verify(body: string, header: string, secret: string): string {
    const file = join(folder, `${fence}.body`)
    writeFileSync(file, body)
    const { stdout, stderr } = spawnSync(command, [program, file, header, secret], { encoding: 'utf8' })
    return stdout.trim() || stderr
  }

  it.runIf(isHere)(
    'accepts what we sign, and refuses what was changed or is old',
    () => {
      const secret = newSecret()
      const now = Math.floor(Date.now() / 1000)
      const body = '{"topic":"event.tracked.Größe 📦"}'
      const header = signPayload(secret, now, body)
      expect(verify(body, header, secret)).toBe('true')
      expect(verify(body, signPayload(secret, now - 240, body), secret)).toBe('true')
      expect(verify(`${body} `, header, secret)).toBe('false')
      expect(verify(body, header, newSecret())).toBe('false')
      expect(verify(body, signPayload(secret, now - 301, body), secret)).toBe('false')
      for (const bad of ['', 'nonsense', `t=${now}`, header.slice(0, -1), header.replace('t=', 'x=')]) {
        expect(verify(body, bad, secret)).toBe('false')
      }
    },
    30_000,
  )
})
