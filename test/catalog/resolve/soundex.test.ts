import t from 'tap'
import { soundex } from '../../../catalog/resolve/soundex.ts'

// Examples of the National Archives of the United States, and others that are widely given.
const KNOWN: Readonly<Record<string, string>> = {
  robert: 'R163',
  rupert: 'R163',
  rubin: 'R150',
  ashcraft: 'A261',
  ashcroft: 'A261',
  tymczak: 'T522',
  pfister: 'P236',
  honeyman: 'H555',
  washington: 'W252',
  lee: 'L000',
  gutierrez: 'G362',
  jackson: 'J250',
  vandeusen: 'V532',
}

t.test('known codes', async (t) => {
  for (const [name, code] of Object.entries(KNOWN)) t.equal(soundex(name), code, name)
})

t.test('what has no sound', async (t) => {
  for (const word of ['ab', 'a1b2', '', 'größe']) t.equal(soundex(word), undefined, word)
})
