# As fetch.mjs, with Python's requests, as OpenTelemetry's exporter for Python has it.
import os
import sys
import time

import requests

url, directory = sys.argv[1:]
session = requests.Session()
for name in sorted(os.listdir(directory)):
    with open(os.path.join(directory, name), "rb") as file:
        body = file.read()
    start = time.perf_counter()
    answer = session.post(url, data=body, headers={"content-type": "application/x-protobuf"})
    print((time.perf_counter() - start) * 1000)
    answer.raise_for_status()
