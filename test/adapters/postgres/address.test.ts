import t from 'tap'
import { readDatabaseAddress } from '../../../adapters/postgres/address.ts'

t.test('an address has its parts', async (t) => {
  t.same(readDatabaseAddress('postgres://gate:p%40ss@db.test:6432/grants'), {
    host: 'db.test',
    port: 6432,
    user: 'gate',
    password: 'p@ss',
    database: 'grants',
    tls: { rejectUnauthorized: true },
  })
  t.match(readDatabaseAddress('postgresql://gate@[::1]/grants'), { host: '::1', tls: false })
  t.match(readDatabaseAddress('postgres:///grants?host=/run/pg&user=gate'), {
    host: '/run/pg',
    port: 5432,
    user: 'gate',
    tls: false,
  })
})

t.test('another machine is spoken to under TLS, and must be whom it says', async (t) => {
  const tlsOf = (rest: string) => readDatabaseAddress(`postgres://gate@${rest}`).tls
  t.strictSame(tlsOf('db.test/g'), { rejectUnauthorized: true })
  t.strictSame(tlsOf('10.0.0.5/g?sslmode=require'), { rejectUnauthorized: false })
  t.equal(tlsOf('db.test/g?sslmode=disable'), false)
  t.equal(tlsOf('127.0.0.1/g'), false)
  t.strictSame(tlsOf('localhost/g?sslmode=verify-full'), { rejectUnauthorized: true })
  const folder = t.testdir({ 'ca.pem': 'PEM' })
  t.match(tlsOf(`db.test/g?sslrootcert=${folder}/ca.pem`), { rejectUnauthorized: true, ca: 'PEM' })
})

t.test('what is unknown is refused, and shown nowhere', async (t) => {
  const SECRET = 'hunter2hunter2'
  for (const bad of [
    `mysql://gate:${SECRET}@db.test/g`,
    SECRET,
    `postgres://gate:${SECRET}@db.test/`,
    `postgres://:${SECRET}@db.test/g`,
    `postgres://gate:${SECRET}@db.test/g?sslmode=prefer`,
    `postgres://gate:${SECRET}@db.test/g?options=-c`,
    `postgres://gate:${SECRET}@db.test/g?user=a&user=b`,
  ]) {
    const said = saidOf(bad)
    t.match(said, /^database address: got .+; /, bad)
    t.notMatch(said, SECRET, 'the password is not shown')
  }
})

function saidOf(address: string): string {
  try {
    readDatabaseAddress(address)
    return 'it was taken'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
