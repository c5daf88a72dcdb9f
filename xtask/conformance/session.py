"""A session with the official Python client: python session.py <groma> <project>"""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    program, root = sys.argv[1:]
    server = StdioServerParameters(command=program, args=["mcp", "--root", root])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        assert tools == ["search", "show", "trace", "context", "query"], tools
        found = await session.call_tool("search", {"query": "total"})
        assert "prices.py" in found.content[0].text, found
        shown = await session.call_tool("show", {"symbol": "total", "source": True})
        assert "def total" in shown.content[0].text, shown
        callers = await session.call_tool("trace", {"step": "callers", "target": "total"})
        assert "report" in callers.content[0].text, callers
        assert len((await session.list_resources()).resources) == 5
        assert len((await session.list_prompts()).prompts) == 3
    print("the Python client: ok")


asyncio.run(main())
