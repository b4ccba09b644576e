#!/usr/bin/env python3
"""Drive `everything` with the official Python client, in both eras and over both transports.

    client.py URL EVERYTHING

URL is where `everything` serves; EVERYTHING is its executable, for standard input and output.
Prints each check that fails, and how many passed. Exit status 1 when one failed.
"""

import sys
import traceback
import warnings
from importlib.metadata import version

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.subscriptions import SubscriptionLost
from mcp_types import ElicitResult, PromptReference, ResourceUpdatedNotification, ToolListChangedNotification

CHECKS = []
WATCHED = "test://watched-resource"


def check(function):
    CHECKS.append(function)
    return function


class Peer:
    """A client, with what its user says and what it was told."""

    def __init__(self, server, era, over):
        self.answers, self.asked, self.told = {}, [], []
        self.era, self.over = era, over
        self.client = Client(
            server,
            mode="legacy" if era == "legacy" else "2026-07-28",
            elicitation_callback=self.elicit,
            message_handler=self.hear,
            read_timeout_seconds=20,
        )

    async def elicit(self, _context, params):
        self.asked.append(params.message)
        for words, answer in self.answers.items():
            if words in params.message:
                return answer if isinstance(answer, ElicitResult) else ElicitResult(action="accept", content=answer)
        raise AssertionError(f"nobody has an answer to {params.message!r}")

    async def hear(self, message):
        self.told.append(message)

    async def text(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result
        return result.content[0].text


def equal(attempted, recorded):
    assert attempted == recorded, f"recorded {recorded!r}, attempted {attempted!r}"


async def until(holds):
    with anyio.fail_after(10):
        while not await holds():
            await anyio.sleep(0.02)


@check
async def negotiate(peer):
    equal(peer.client.protocol_version, "2025-11-25" if peer.era == "legacy" else "2026-07-28")


@check
async def list_tools(peer):
    tools = {tool.name for tool in (await peer.client.list_tools()).tools}
    assert {"echo", "sum", "plan", "book", "slow"} <= tools, tools
    assert (await peer.client.list_prompts()).prompts
    assert (await peer.client.list_resources()).resources
    assert (await peer.client.list_resource_templates()).resource_templates


@check
async def call(peer):
    equal(await peer.text("echo", text="Grüße"), "Grüße")


@check
async def call_with_mirrored_parameters(peer):
    await peer.client.list_tools()
    equal(await peer.text("region", region="nord-süd", count=7), "region=nord-süd count=7")


@check
async def an_error_of_the_tool(peer):
    result = await peer.client.call_tool("echo", {"text": 7})
    assert result.is_error and "text" in result.content[0].text, result


@check
async def structured_output(peer):
    await peer.client.list_tools()
    result = await peer.client.call_tool("sum", {"a": 2, "b": 3})
    equal(result.structured_content, {"sum": 5})


@check
async def two_questions_in_one_round(peer):
    peer.answers = {"dinner": {"dish": "stew"}, "how many": {"guests": 4}}
    equal(await peer.text("plan"), "stew for 4")
    equal(len(peer.asked), 2)


@check
async def two_questions_one_after_the_other(peer):
    peer.answers = {"When": {"day": "Sunday", "seats": 2}, "Take them": {"sure": True}}
    assert (await peer.text("book", film="Stalker")).startswith("Stalker, Sunday, seats ")
    equal(len(peer.asked), 2)


@check
async def decline(peer):
    peer.answers = {"name": ElicitResult(action="decline")}
    equal(await peer.text("ask_name"), "no name")


@check
async def cancel(peer):
    peer.answers = {"name": ElicitResult(action="cancel")}
    equal(await peer.text("ask_name"), "no name")


@check
async def progress(peer):
    seen = []

    async def progressed(progress, total, _message):
        seen.append((progress, total))

    await peer.client.call_tool("test_tool_with_progress", {}, progress_callback=progressed)
    # What comes too fast is told by the newest.
    assert seen and seen[-1] == (100, 100) and seen == sorted(seen), seen


@check
async def read_a_resource(peer):
    contents = (await peer.client.read_resource("test://a")).contents
    equal(contents[0].text, "This is resource a.")


@check
async def get_a_prompt(peer):
    prompt = await peer.client.get_prompt("greet_named", {"name": "Ann"})
    equal(prompt.messages[0].content.text, "Hello, Ann")


@check
async def a_prompt_that_asks(peer):
    peer.answers = {"context": {"context": "tea"}}
    prompt = await peer.client.get_prompt("test_input_required_result_prompt")
    equal(prompt.messages[0].content.text, "Use this context: tea")


@check
async def complete(peer):
    reference = PromptReference(name="test_prompt_with_arguments")
    completed = await peer.client.complete(reference, {"name": "arg1", "value": "te"})
    equal(completed.completion.values, ["tea", "test", "testing"])


@check
async def listen_for_a_change(peer):
    if peer.era == "legacy":
        await peer.client.subscribe_resource(WATCHED)
        peer.told.clear()
        await peer.text("touch", uri=WATCHED)
        await peer.text("test_trigger_tool_change")

        async def told():
            kinds = {type(message) for message in peer.told}
            return {ResourceUpdatedNotification, ToolListChangedNotification} <= kinds

        await until(told)
        return
    async with peer.client.listen(tools_list_changed=True, resource_subscriptions=[WATCHED]) as events:
        await peer.text("touch", uri=WATCHED)
        with anyio.fail_after(10):
            equal((await anext(events)).uri, WATCHED)
        await peer.text("test_trigger_tool_change")
        with anyio.fail_after(10):
            equal(type(await anext(events)).__name__, "ToolsListChanged")


@check
async def listening_ends(peer):
    if peer.era == "legacy":
        return
    async with peer.client.listen(tools_list_changed=True) as events:
        await peer.text("hang_up")
        try:
            with anyio.fail_after(10):
                equal([event async for event in events], [])
            ended = "in grace"
        except SubscriptionLost:
            ended = "lost"
    # What stands in README.md of this client.
    equal(ended, "in grace" if peer.over == "http" else "lost")


@check
async def abort(peer):
    tag = f"python {peer.era} {id(peer)}"

    async def call():
        await peer.text("slow", ms=30_000, tag=tag)
        raise AssertionError("it was not aborted")

    async def fate_is(fate):
        await until(lambda: came_to(fate))

    async def came_to(fate):
        return await peer.text("fate", tag=tag) == fate

    async with anyio.create_task_group() as calls:
        calls.start_soon(call)
        await fate_is("running")
        calls.cancel_scope.cancel()
    await fate_is("cancelled")


def innermost(problem):
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


async def run(name, server, era, over):
    passed = failed = 0
    for function in CHECKS:
        peer = Peer(server(), era, over)
        try:
            with anyio.fail_after(40):
                async with peer.client:
                    await function(peer)
            passed += 1
        except Exception as problem:
            failed += 1
            print(f"{name}: {function.__name__} failed:")
            traceback.print_exception(innermost(problem), limit=-2, file=sys.stdout)
    print(f"{name}: {passed} of {passed + failed} checks passed")
    return passed, failed


async def main(url, everything):
    log = open("/dev/null", "w")
    lines = lambda: stdio_client(StdioServerParameters(command=everything, args=["--stdio"]), errlog=log)
    passed = failed = 0
    for over, server in {"http": lambda: url, "stdio": lines}.items():
        for era in ("modern", "legacy"):
            ran = await run(f"mcp {version('mcp')}, {era}, {over}", server, era, over)
            passed, failed = passed + ran[0], failed + ran[1]
    print(f"python: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(anyio.run(main, *sys.argv[1:]))
