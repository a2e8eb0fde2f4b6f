/** Puts a stream as an object, lists it, gets it back, with AWS's SDK; prints what came. */
import { Readable } from 'node:stream'
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { HttpsProxyAgent } from 'https-proxy-agent'

const Bucket = 'rig-bucket'
const sent = Buffer.alloc(3_000_000, 'x')
const client = new S3Client({
  endpoint: 'https://s3.ng.test',
  region: 'us-east-1',
  credentials: { accessKeyId: 'CLIENT', secretAccessKey: 'none: the gateway has it' },
  maxAttempts: 1,
  requestHandler: { httpsAgent: new HttpsProxyAgent(process.env['HTTPS_PROXY'] ?? '') },
})
const Body = Readable.from([sent.subarray(0, 1_000_000), sent.subarray(1_000_000)])
await client.send(new PutObjectCommand({ Bucket, Key: 'sdk', Body, ContentLength: sent.length }))
const listed = await client.send(new ListObjectsV2Command({ Bucket }))
const got = await client.send(new GetObjectCommand({ Bucket, Key: 'sdk' }))
const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? [])
process.stdout.write(
  JSON.stringify({ same: bytes.equals(sent), keys: listed.Contents?.map(({ Key }) => Key) }),
)
