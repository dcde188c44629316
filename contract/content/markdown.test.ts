import { expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { fillLine, fillMarkdown, fillPlain, parseMarkdown } from './markdown.ts'
import { fillAddress } from './templates.ts'

const values = (_of: string, name: string) =>
  ({ name: '**Ada** <b>', seats: 3, dots: '..', path: 'a/b?c', long: 'é'.repeat(300) })[name]

it.each([
  ['plain', [{ text: 'plain' }]],
  ['a **b** c', [{ text: 'a ' }, { bold: [{ text: 'b' }] }, { text: ' c' }]],
  ['*i* and _j_', [{ italic: [{ text: 'i' }] }, { text: ' and ' }, { italic: [{ text: 'j' }] }]],
  ['***both***', [{ bold: [{ italic: [{ text: 'both' }] }] }]],
  ['snake_case_name', [{ text: 'snake_case_name' }]],
  ['2 * 3 * 4', [{ text: '2 * 3 * 4' }]],
  ['`a*b*`', [{ code: 'a*b*' }]],
  ['\\*no\\*', [{ text: '*no*' }]],
  ['[a](/b)', [{ link: [{ text: 'a' }], href: '/b' }]],
  ['[a **b**](/c)', [{ link: [{ text: 'a ' }, { bold: [{ text: 'b' }] }], href: '/c' }]],
  ['[not a link]', [{ text: '[' }, { text: 'not a link]' }]],
  ['<script>alert(1)</script>', [{ text: '<script>alert(1)</script>' }]],
  ['**open', [{ text: '**' }, { text: 'open' }]],
  ['Hi {{ user.name | there }}!', [{ text: 'Hi ' }, { value: '**Ada** <b>' }, { text: '!' }]],
  ['Hi {{ user.nick | there }}', [{ text: 'Hi ' }, { text: 'there' }]],
  ['**{{ user.seats }}**', [{ bold: [{ value: '3' }] }]],
  ['`{{ user.seats }}`', [{ code: '3' }]],
  ['[x](/p/{{ user.path }}/e)', [{ link: [{ text: 'x' }], href: '/p/a%2Fb%3Fc/e' }]],
])('reads %j', (text, expected) => {
  expect(fillLine(text, values)).toEqual(expected)
})

it('reads paragraphs and lists', () => {
  const text = 'one\ntwo\n\n- a\n- b\n1. c\n\nend'
  expect(parseMarkdown(text)).toEqual([
    { paragraph: [{ text: 'one two' }] },
    { list: [[{ text: 'a' }], [{ text: 'b' }]], ordered: false },
    { list: [[{ text: 'c' }]], ordered: true },
    { paragraph: [{ text: 'end' }] },
  ])
  expect(fillMarkdown('', values)).toEqual([])
})

it('cuts a value to 200 characters, and never parses it', () => {
  expect(fillPlain('{{ user.long }}', values)).toEqual([{ value: 'é'.repeat(200) }])
})

it('lets no value change the path or the host of an address', () => {
  expect(fillAddress('/a/{{ user.dots | b }}/c', values)).toBe('/a/b/c')
  expect(fillAddress('/a/{{ user.dots | .. }}/c', values)).toBe('/a//c')
  // Browsers read //projects as a host.
  expect(fillAddress('/{{ user.nothing }}/projects', values)).toBe('/projects')
  expect(fillAddress('/{{ user.dots }}{{ user.nothing }}//projects', values)).toBe('/projects')
  expect(fillAddress('https://x.com/?q={{ user.path }}', values)).toBe('https://x.com/?q=a%2Fb%3Fc')
})

it('takes time that grows with the length of the text, whatever it is', () => {
  for (const part of ['[', '*', '_', '**', '`', '[a](', '{{', '[a](x', '\\', '***a ', '- ']) {
    const parse = (count: number) => {
      const text = part.repeat(count)
      return () => void parseMarkdown(text)
    }
    // 16 for a linear parser, 256 for a square.
    expect(growthOf(parse(4_000), parse(64_000), 100), part).toBeLessThan(100)
  }
})
