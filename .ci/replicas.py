#!/usr/bin/env python3
"""Replicas behind nginx, on loopback.

    replicas.py everything EXECUTABLE SCRATCH [SUITE...]
    replicas.py sessions EXECUTABLE SCRATCH

EXECUTABLE is the example's, and SCRATCH a folder for configuration and logs.

Three `everything` share one key ring. First the official suite goes through nginx, by round robin
and then by what the headers say; SUITE is its command, to which `--url` is added. Then calls of ten
questions go through it, whose every round may land elsewhere, while one replica is ended and another
restarted with its keys rotated.

Three of `examples/replicas` share a Redis. Sessions go through nginx by round robin: an answer may
land where its call does not wait, and a notice where nobody listens; and the replica is ended at
which a call waits.

Exit status 1 when a call is lost that a retry could have saved.
"""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

QUESTIONS = 10
CONFIGURATION = """
daemon off;
pid {scratch}/nginx.pid;
error_log {scratch}/nginx.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {scratch}/body;
  proxy_temp_path {scratch}/proxy;
  fastcgi_temp_path {scratch}/fastcgi;
  uwsgi_temp_path {scratch}/uwsgi;
  scgi_temp_path {scratch}/scgi;
  upstream in_turn {{
{replicas}
  }}
  upstream by_headers {{
    hash "$http_mcp_method $http_mcp_param_region" consistent;
{replicas}
  }}
{servers}
}}
"""
SERVER = """
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 8m;
    location / {{
      proxy_pass http://{upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      # A stream of events goes on as it comes, and may be silent between two comments.
      proxy_buffering off;
      proxy_read_timeout 120s;
      # What never reached a replica goes to the next; what may have is for the client to repeat.
      proxy_next_upstream error timeout;
      add_header X-Served-By $upstream_addr always;
    }}
  }}
"""


def free_ports(count):
    """All at once, so that they are not the same."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def wait_for(port, process):
    for _ in range(200):
        if process.poll() is not None:
            raise SystemExit(f"a process on port {port} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


class Replica:
    def __init__(self, executable, scratch, port):
        self.executable, self.port, self.process = executable, port, None
        self.log = open(scratch / f"replica-{port}.log", "ab")

    def start(self, keys, redis=None):
        """An `everything`, or with a Redis one of `examples/replicas`."""
        address, environment = f"127.0.0.1:{self.port}", None
        if redis:
            words = [self.executable, address, redis]
            environment = {**os.environ, "MCP_STATE_KEY": keys[0]}
        else:
            words = [self.executable, "--listen", address]
            for key in keys:
                words += ["--state-key", key]
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=environment)
        wait_for(self.port, self.process)

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(10)


class Client:
    """Speaks to one port, calls again what was not answered, and notes who served it."""

    def __init__(self, port):
        self.port, self.served, self.retries = port, [], 0

    def post(self, method, params, headers=()):
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        head = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            **({"Mcp-Name": params["name"]} if "name" in params else {}),
            **dict(headers),
        }
        for _ in range(20):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                connection.request("POST", "/mcp", json.dumps(body), head)
                response = connection.getresponse()
                said = response.read()
                if response.status == 200:
                    # The last of those that were tried.
                    self.served.append(response.headers["X-Served-By"].split(",")[-1].strip())
                    return json.loads(said)["result"]
                if response.status not in (502, 503, 504):
                    raise SystemExit(f"{response.status}: {said!r}")
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            self.retries += 1
            time.sleep(0.05)
        raise SystemExit("a call is lost that a retry should have saved")

    def interview(self, region=None, between=lambda round: None):
        """One call of ten questions, with something to happen between its rounds."""
        arguments = {"questions": QUESTIONS, **({"region": region} if region else {})}
        headers = [("Mcp-Param-Region", region)] if region else []
        params = {"name": "interview", "arguments": arguments}
        result = self.post("tools/call", params, headers)
        for round in range(1, QUESTIONS + 1):
            assert list(result["inputRequests"]) == [f"question-{round}"], result
            between(round)
            answer = {"action": "accept", "content": {"said": str(round)}}
            params = {**params, "requestState": result["requestState"]}
            params["inputResponses"] = {f"question-{round}": answer}
            result = self.post("tools/call", params, headers)
        said = result["content"][0]["text"]
        assert said == " ".join(map(str, range(1, QUESTIONS + 1))), said


def ten_questions(port, replicas, old, new):
    """Through all replicas, one of which is ended and one restarted with its keys rotated."""

    def between(round):
        if round == 3:
            replicas[0].stop(signal.SIGKILL)
        if round == 5:
            replicas[1].stop()
            replicas[1].start([new, old])

    client = Client(port)
    client.interview(between=between)
    served = set(client.served)
    assert len(served) == 3, f"only {served} have served"
    # Among them rounds that the new key has sealed and the old one's replica has opened.
    print(f"one call of {QUESTIONS} questions: served by {len(served)} replicas, {client.retries} retries")
    replicas[0].start([old, new])


def in_flight(port, replicas, keys):
    """Calls that run while their replica is killed are lost there, and saved by calling again."""
    clients = [Client(port) for _ in range(9)]
    slow = {"name": "slow", "arguments": {"ms": 2_500, "tag": "done"}}
    said = []
    threads = [
        threading.Thread(target=lambda client=client: said.append(client.post("tools/call", slow)))
        for client in clients
    ]
    for thread in threads:
        thread.start()
    time.sleep(1)
    replicas[2].stop(signal.SIGKILL)
    for thread in threads:
        thread.join()
    assert len(said) == len(clients) and all(one["content"][0]["text"] == "done" for one in said)
    retried = sum(client.retries for client in clients)
    assert retried, "no call ran where it was killed"
    print(f"{len(clients)} calls while a replica is killed: all answered, {retried} retries")
    replicas[2].start(keys)


def by_region(port):
    """A region stays where it is, and not all of them are in one place."""
    places = {}
    for region in ("north", "east", "south", "west", "nord-ost", "far"):
        client = Client(port)
        client.interview(region)
        assert len(set(client.served)) == 1, f"{region} moves: {client.served}"
        places[region] = client.served[0]
    assert len(set(places.values())) > 1, places
    print(f"{len(places)} regions, each in one place, on {len(set(places.values()))} replicas")


class Session:
    """A session of revision 2025-11-25, each of whose requests goes over a connection of its own."""

    def __init__(self, port):
        self.port, self.id, self.number = port, None, 0
        initialize = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "check", "version": "1.0.0"},
        }
        response, _ = self.request("initialize", initialize)
        self.id = response.headers["Mcp-Session-Id"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"}, 202)

    def request(self, method, params):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        return self.open("POST", message)

    def send(self, message, status):
        """Gives who served it."""
        response, connection = self.open("POST", message)
        assert response.status == status, (response.status, response.read())
        connection.close()
        return response.headers["X-Served-By"].split(",")[-1].strip()

    def open(self, method, message=None, last=None):
        head = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        if self.id:
            head |= {"Mcp-Session-Id": self.id, "MCP-Protocol-Version": "2025-11-25"}
        if last:
            head["Last-Event-ID"] = last
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, "/mcp", json.dumps(message) if message else None, head)
        response = connection.getresponse()
        return response, connection

    def answer(self, question):
        answer = {"action": "accept", "content": {"day": "Sunday"}}
        return self.send({"jsonrpc": "2.0", "id": question["id"], "result": answer}, 202)


def events(response):
    """The messages of a stream, each with the id of its event."""
    last = None
    for line in response:
        name, _, value = line.decode().strip().partition(":")
        if name == "id":
            last = value.strip()
        elif name == "data" and value.strip():
            yield last, json.loads(value)


def booked(stream):
    said = next(message for _, message in stream if "result" in message)
    text = said["result"]["content"][0]["text"]
    assert text == "Booked for Sunday", text


def sessions(port, replicas):
    """One session at all replicas."""
    session = Session(port)
    standing = events(session.open("GET")[0])
    places = set()
    for _ in range(6):
        response, connection = session.request("tools/call", {"name": "book"})
        stream = events(response)
        _, question = next(stream)
        waits = response.headers["X-Served-By"].split(",")[-1].strip()
        places.add((waits, session.answer(question)))
        booked(stream)
        connection.close()
        # Whoever made the booking told of it, wherever this is listened to.
        _, told = next(standing)
        assert told["method"] == "notifications/resources/list_changed", told
    carried = [waits != answered for waits, answered in places]
    assert any(carried), places
    print(f"6 calls of a session: {sum(carried)} of {len(places)} ways with an answer carried elsewhere")
    response, _ = session.request("tools/call", {"name": "book"})
    last, question = next(events(response))
    waits = response.headers["X-Served-By"].split(",")[-1].strip()
    next(one for one in replicas if waits.endswith(f":{one.port}")).stop(signal.SIGKILL)
    session.answer(question)
    booked(events(session.open("GET", last=last)[0]))
    print("a call outlives the replica it waits at")


def through_nginx(executable, scratch, what):
    scratch = Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    *of_replicas, in_turn, by_headers, spare = free_ports(6)
    replicas = [Replica(executable, scratch, port) for port in of_replicas]
    ports = {"in_turn": in_turn, "by_headers": by_headers}
    lines = "\n".join(f"    server 127.0.0.1:{replica.port} max_fails=0;" for replica in replicas)
    servers = "".join(SERVER.format(port=port, upstream=name) for name, port in ports.items())
    configuration = scratch / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(scratch=scratch, replicas=lines, servers=servers))
    words = ["nginx", "-p", str(scratch), "-c", str(configuration), "-e", str(scratch / "nginx.log")]
    nginx = subprocess.Popen(words)
    try:
        for port in ports.values():
            wait_for(port, nginx)
        what(replicas, ports, spare)
    finally:
        nginx.terminate()
        nginx.wait(10)
        for replica in replicas:
            replica.stop()


def of_everything(replicas, ports, _, suite):
    old, new = secrets.token_hex(32), secrets.token_hex(32)
    # Before the new key seals anything, all must know it.
    for replica in replicas:
        replica.start([old, new])
    for name, port in ports.items() if suite else ():
        print(f"-- the official suite, {name}", flush=True)
        subprocess.run([*suite, "--url", f"http://127.0.0.1:{port}/mcp"], check=True)
    ten_questions(ports["in_turn"], replicas, old, new)
    in_flight(ports["in_turn"], replicas, [old, new])
    by_region(ports["by_headers"])


def of_sessions(replicas, ports, port, scratch):
    key = secrets.token_hex(32)
    words = ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", scratch]
    log = open(Path(scratch) / "redis.log", "wb")
    redis = subprocess.Popen([*words, "--appendonly", "no"], stdout=log, stderr=log)
    try:
        wait_for(port, redis)
        for replica in replicas:
            replica.start([key], f"redis://127.0.0.1:{port}")
        sessions(ports["in_turn"], replicas)
    finally:
        redis.terminate()
        redis.wait(10)


def main(what, executable, scratch, *suite):
    if what == "sessions":
        through_nginx(executable, scratch, lambda *them: of_sessions(*them, scratch))
    else:
        through_nginx(executable, scratch, lambda *them: of_everything(*them, suite))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
