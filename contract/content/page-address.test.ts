import { expect, it } from 'vitest'
import { withoutUserInfo } from './page-address.ts'

it.each([
  ['https://ada:secret@app.example.com/a?b=c@d', 'https://app.example.com/a?b=c@d'],
  ['https://ada@app.example.com', 'https://app.example.com'],
  ['https://a@b:c@d@app.example.com/', 'https://app.example.com/'],
  ['HTTPS:\\\\ada:secret@app.example.com\\x', 'HTTPS:\\\\app.example.com\\x'],
  ['http:ada:secret@app.example.com/', 'http:app.example.com/'],
  ['capacitor://ada:secret@localhost/', 'capacitor://localhost/'],
  ['//ada:secret@app.example.com/', '//app.example.com/'],
  ['https://app.example.com/@ada', 'https://app.example.com/@ada'],
  ['https://app.example.com?to=ada@x', 'https://app.example.com?to=ada@x'],
  ['/users/@ada', '/users/@ada'],
  ['ada@example.com', 'ada@example.com'],
  ['', ''],
])('%s is kept as %s', (address, expected) => {
  expect(withoutUserInfo(address)).toBe(expected)
})
