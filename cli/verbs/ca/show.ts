import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import { defineVerb } from '../../verb.ts'

/** Reads the CA's certificate, or says what makes one. */
export async function readCa(
  caFile: string,
): Promise<{ pem: string; certificate: X509Certificate }> {
  try {
    const pem = await readFile(caFile, 'utf8')
    return { pem, certificate: new X509Certificate(pem) }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'not a certificate'
    throw new Fault(
      EXIT.unreachable,
      `ca: \`${caFile}\` cannot be read (${why})`,
      'start narrowgate serve once: it makes the CA',
    )
  }
}

/** Prints where the CA is, how to recognise it and how long it holds. */
export const show = defineVerb({
  options: {
    ...PLACE,
    pem: { type: 'boolean', default: false, describe: 'print the certificate itself, alone' },
    ...JSON_OUTPUT,
  },
  examples: [
    ['', 'path, fingerprint and validity'],
    ['--pem > narrowgate-ca.pem', 'the certificate, to hand to a client'],
  ],
  async run(values, terminal) {
    const { caFile } = await openExistingPlace(values, terminal)
    const { pem, certificate } = await readCa(caFile)
    if (values.pem) {
      terminal.out.write(pem)
      return EXIT.ok
    }
    const facts = {
      path: caFile,
      subject: certificate.subject.replaceAll('\n', ', '),
      sha256: certificate.fingerprint256,
      from: new Date(certificate.validFrom).toISOString(),
      to: new Date(certificate.validTo).toISOString(),
    }
    if (values.json) terminal.out.line(JSON.stringify(facts))
    else
      for (const [name, fact] of Object.entries(facts))
        terminal.out.line(`${name.padEnd(8)} ${fact}`)
    return EXIT.ok
  },
})
