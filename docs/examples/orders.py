import asyncio
import hashlib
import json
import sys


async def fetch(order):
    await asyncio.sleep(0)  # as if it came from somewhere
    return json.dumps({"order": order, "items": list(range(order % 50))})


async def fetch_orders(orders):
    for order in orders:
        json.loads(await fetch(order))


async def sign(text):
    await asyncio.sleep(0)
    return hashlib.sha256(text * 500).hexdigest()


async def sign_invoices(orders):
    for order in orders:
        await sign(str(order).encode())


async def work(orders):
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fetch_orders(orders), name="orders")
        tasks.create_task(sign_invoices(orders))


asyncio.run(work(range(int(sys.argv[1]) if len(sys.argv) > 1 else 400000)))
