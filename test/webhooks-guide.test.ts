import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { newSecret, signPayload } from '../contract/signature.ts'
import { isInstalled } from './support/installed.ts'

const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'usher-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * What each language adds to the guide's code to make a program: cases of body, header and secret in, true or false out.
 * Go compiles its library first, so only the long tests run it.
 */
const languages = [
  {
    fence: 'ts',
    command: process.execPath,
    words: [],
    isHere: true,
    main: `
      import { readFileSync } from 'node:fs'
      const cases = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as [string, string, string][]
      for (const [body, header, secret] of cases) console.log(isFromUsher(Buffer.from(body), header, secret))`,
  },
  {
    fence: 'python',
    command: 'python3',
    words: [],
    isHere: isInstalled('python3'),
    main: `
      import json, sys
      for body, header, secret in json.load(open(sys.argv[1], encoding="utf-8")): print(str(is_from_usher(body.encode(), header, secret)).lower())`,
  },
  {
    fence: 'ruby',
    command: 'ruby',
    words: [],
    isHere: isInstalled('ruby'),
    main: `
      require "json"
      JSON.parse(File.read(ARGV[0], encoding: "utf-8")).each { |body, header, secret| puts from_usher?(body.b, header, secret) }`,
  },
  {
    fence: 'go',
    command: 'go',
    words: ['run'],
    isHere: inject('isLong') && isInstalled('go'),
    main: `
      func main() {
        text, _ := os.ReadFile(os.Args[1])
        cases := [][]string{}
        json.Unmarshal(text, &cases)
        for _, one := range cases { fmt.Println(IsFromUsher([]byte(one[0]), one[1], one[2])) }
      }`,
  },
]

type Case = [body: string, header: string, secret: string]

function codeOf(fence: string): string {
  const [, code] = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (code === undefined) throw new Error(`the guide has no ${fence} code`)
  // A program of Go is a package of its own, which imports what it uses.
  return code.replace('package hooks', 'package main').replace('import (', 'import (\n"encoding/json"\n"fmt"\n"os"')
}

describe.each(languages)('the $fence code of the guide', ({ fence, command, words, isHere, main }) => {
  const program = join(folder, `verify.${fence}`)
  writeFileSync(program, `${codeOf(fence)}\n${main.replace(/^ +/gm, '')}\n`)

  /** What the program prints of each case. One process for all of them: a start takes 0.1 s of CPU time. */
  function verify(cases: Case[]): string[] {
    const file = join(folder, `${fence}.json`)
    writeFileSync(file, JSON.stringify(cases))
    const { stdout, stderr } = spawnSync(command, [...words, program, file], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }

  it.runIf(isHere)('accepts what we sign, and refuses what was changed or is old', () => {
    const secret = newSecret()
    const now = Math.floor(Date.now() / 1000)
    const body = '{"topic":"event.tracked.Größe 📦"}'
    const header = signPayload(secret, now, body)
    const good: Case[] = [
      [body, header, secret],
      [body, signPayload(secret, now - 240, body), secret],
    ]
    const bad: Case[] = [
      [`${body} `, header, secret],
      [body, header, newSecret()],
      [body, signPayload(secret, now - 301, body), secret],
      ...['', 'nonsense', `t=${now}`, header.slice(0, -1), header.replace('t=', 'x=')].map(
        (header): Case => [body, header, secret],
      ),
    ]
    expect(verify(good)).toEqual(good.map(() => 'true'))
    expect(verify(bad)).toEqual(bad.map(() => 'false'))
  })
})
