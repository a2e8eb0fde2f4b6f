"""Puts an object in pieces with a checksum after them, lists it, gets it back, with boto3."""
import boto3
from botocore.config import Config

s3 = boto3.client('s3', endpoint_url='https://s3.ng.test', config=Config(retries={'total_max_attempts': 1}))
sent = b'x' * 3_000_000
s3.put_object(Bucket='rig-bucket', Key='boto3', Body=sent, ChecksumAlgorithm='SHA256', Metadata={'by': 'boto3'})
print([entry['Size'] for entry in s3.list_objects_v2(Bucket='rig-bucket')['Contents']])
got = s3.get_object(Bucket='rig-bucket', Key='boto3')
print(got['Body'].read() == sent, got['Metadata'])
