"""Two threads compute and one polls: the example of waiting in docs/."""
import threading
import time


def poll():
    for _ in range(20):
        time.sleep(0.1)


def count():
    total = 0
    for i in range(10_000_000):
        total += i % 7


threads = [threading.Thread(target=work) for work in (poll, count, count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
