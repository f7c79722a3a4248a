"""A slot: a thread that has a hand work, turn after turn."""

import threading
import time

from eagerdiff.harness.campaign.hand import Hand, Worked
from eagerdiff.harness.campaign.schedule import Schedule, Turn
from eagerdiff.harness.campaign.shared import Shared
from eagerdiff.harness.catalog.plugin import in_one_line


class Slot(threading.Thread):
    """Take turns until there is nothing left to do, the time is over or it is stopped."""

    def __init__(self, number: int, hand: Hand, schedule: Schedule, shared: Shared) -> None:
        super().__init__(name=f"eagerdiff-slot-{number}", daemon=True)
        self.hand = hand
        self._number = number
        self.lived = 0.0
        """Seconds between the slot's start and its last turn's end."""
        self.died = ""
        """What ended it before its time, in one line."""
        self._schedule = schedule
        self._shared = shared

    def run(self) -> None:
        """Work."""
        began = time.monotonic()
        try:
            while not self._over() and not self._shared.log.failure:
                turn = self._schedule.take(self.hand.takes, self._number)
                if turn is None:
                    if not (self._schedule.running or self.hand.waits):
                        break
                    time.sleep(0.02)  # another slot may give a paused batch back, and a machine may come back
                    continue
                self._work(turn)
                self.lived = time.monotonic() - began
        except BaseException as error:  # noqa: BLE001  a thread that dies says nothing by itself
            self.died = in_one_line(error)
        finally:
            self.hand.close()

    def _over(self) -> bool:
        return self.hand.stopped or time.monotonic() >= self._shared.deadline

    def _work(self, turn: Turn) -> None:
        done = Worked(finished=False, fresh=0)
        try:
            done = self.hand.work(turn, self._shared)
        finally:
            self._schedule.give_back(turn, finished=done.finished, fresh=done.fresh)
